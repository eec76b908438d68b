// Two solids measured repeatedly as they move, each query from the answer of the last.
import type { ReadonlyPose } from '../../core/pose.js';
import { assertModel } from '../../proximity/arguments.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { assertPenetrationOptions, assertWithoutPromise } from '../arguments.js';
import type { PenetrationOptions } from '../options.js';
import type { PenetrationResult } from '../result.js';
import { measureFrom, type PenetrationMemory } from './measure-from.js';

/**
 * Two solids, measured repeatedly as they move. Every answer has the guarantees of {@link measurePenetrationSync}
 * whatever was measured before; the cost depends on it, and so does which of several equally good vectors is returned.
 * A pair must not be used by two callers at once; two pairs may share a model.
 */
export class PenetrationPair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly #options: PenetrationOptions;
  #last: PenetrationMemory | null = null;

  /** @throws NearfieldError for options out of range or asynchronous only: windows and the backend 'webgpu'. */
  constructor(a: ProximityModel, b: ProximityModel, options: PenetrationOptions = {}) {
    assertModel(a, 'The first model');
    assertModel(b, 'The second model');
    assertPenetrationOptions(options);
    assertWithoutPromise(options);
    this.a = a;
    this.b = b;
    this.#options = options;
  }

  /** The shortest translation of A after which it no longer meets B: see {@link measurePenetration}. */
  measure(poseA: ReadonlyPose, poseB: ReadonlyPose): PenetrationResult {
    const last = this.#last;
    // After an exception, also an abort, the pair starts afresh.
    this.#last = null;
    const { result, memory } = measureFrom(this.a, this.b, poseA, poseB, this.#options, last);
    this.#last = memory;
    return result;
  }

  /** Forgets the last answer: the next query costs as much as the first. */
  reset(): void {
    this.#last = null;
  }
}
