// Two objects of three.js, queried as they move and change. The models are made when first needed and kept while the
// objects stay the same; so is what a pair remembers from call to call.

import type { BufferGeometry, Object3D } from 'three';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { PenetrationPair } from '../penetration/motion/penetration-pair.js';
import type { PenetrationOptions } from '../penetration/options.js';
import type { PenetrationResult } from '../penetration/result.js';
import type { ContactOptions, DistanceOptions, PairOptions } from '../proximity/options.js';
import { Pair } from '../proximity/pair.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from '../proximity/result.js';
import { ObjectModel, type ObjectModelOptions } from './object-model.js';

/** The options of a {@link LivePair}. */
export interface LivePairOptions {
  /** How the objects become models; models that are given have theirs already. */
  readonly model?: ObjectModelOptions | undefined;
  /** The options of the distance, intersection, tolerance and contact queries. */
  readonly pair?: PairOptions | undefined;
  /** The options of the penetration query. */
  readonly penetration?: PenetrationOptions | undefined;
}

/** Each is checked by what it goes to. */
const OPTIONS = optionTable<LivePairOptions>()({
  model: checkedElsewhere<ObjectModelOptions>(),
  pair: checkedElsewhere<PairOptions>(),
  penetration: checkedElsewhere<PenetrationOptions>(),
});

/**
 * Two objects of three.js. Every query follows the objects first: it reads their poses, and makes a model anew only if
 * its object looks different in its own frame; see {@link ObjectModel.refresh}. Results are in the world frame. Several
 * pairs may share an object's model.
 */
export class LivePair {
  readonly a: ObjectModel;
  readonly b: ObjectModel;
  readonly #options: LivePairOptions;
  #pair: Pair | null = null;
  #penetration: PenetrationPair | null = null;

  /** @throws NearfieldError as {@link modelFrom}, Pair and PenetrationPair do. */
  constructor(
    a: Object3D | BufferGeometry | ObjectModel,
    b: Object3D | BufferGeometry | ObjectModel,
    options: LivePairOptions = {},
  ) {
    OPTIONS.assert(options);
    this.a = a instanceof ObjectModel ? a : new ObjectModel(a, options.model);
    this.b = b instanceof ObjectModel ? b : new ObjectModel(b, options.model);
    this.#options = options;
    // Bad options are refused here and not at the first query.
    this.#pair = new Pair(this.a.model, this.b.model, options.pair);
    this.#penetration = new PenetrationPair(this.a.model, this.b.model, options.penetration);
  }

  /** How far apart the objects are, and where. */
  distance(options?: DistanceOptions): DistanceResult {
    return this.#follow().distance(this.a.pose, this.b.pose, options);
  }

  /** Whether the objects have a point in common. */
  intersects(): IntersectionResult {
    return this.#follow().intersects(this.a.pose, this.b.pose);
  }

  /** Whether the objects come within the tolerance of each other. */
  within(tolerance: number): ToleranceResult {
    return this.#follow().within(this.a.pose, this.b.pose, tolerance);
  }

  /** Every local minimum of the distance up to the tolerance. */
  contacts(options: ContactOptions): ContactsResult {
    return this.#follow().contacts(this.a.pose, this.b.pose, options);
  }

  /** How deep the objects overlap, and the shortest way out for A. Both must be solids. */
  penetration(): PenetrationResult {
    this.a.refresh();
    this.b.refresh();
    const { model: a } = this.a;
    const { model: b } = this.b;
    if (this.#penetration?.a !== a || this.#penetration.b !== b) {
      this.#penetration = new PenetrationPair(a, b, this.#options.penetration);
    }
    return this.#penetration.measure(this.a.pose, this.b.pose);
  }

  #follow(): Pair {
    this.a.refresh();
    this.b.refresh();
    const { model: a } = this.a;
    const { model: b } = this.b;
    if (this.#pair?.a !== a || this.#pair.b !== b) this.#pair = new Pair(a, b, this.#options.pair);
    return this.#pair;
  }
}
