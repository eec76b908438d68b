// The depths of all overlapping pairs of bodies of a scene. The scene's broad phase and exact tests find the pairs, and
// each keeps a PenetrationPair that starts from its last answer. Pairs that separate are dropped some calls later.
import { nameValue } from '../../core/check/check-options.js';
import { numberFrom, optionTable, PROGRESS_OPTIONS } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { PROXIMITY_DEFAULTS } from '../../proximity/options.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { Scene } from '../../proximity/scene/scene.js';
import { pairKey } from '../../proximity/scene/scene-pairs.js';
import type { SceneCounters, ScenePair } from '../../proximity/scene/scene-result.js';
import { assertPenetrationOptions } from '../arguments.js';
import { PENETRATION_TABLE, type PenetrationOptions } from '../options.js';
import { preparePenetration } from '../prepare-penetration.js';
import type { PenetrationResult } from '../result.js';
import { PenetrationPair } from './penetration-pair.js';

/** Options of a {@link ScenePenetration}, including those of its pairs. */
export interface ScenePenetrationOptions extends PenetrationOptions {
  /** For how many calls a separated pair keeps its last answer. Default `PROXIMITY_DEFAULTS.idleFrames`. */
  readonly idleFrames?: number | undefined;
  /** The most pairs to remember; others are measured afresh. Default `PROXIMITY_DEFAULTS.maxPairs`. */
  readonly maxPairs?: number | undefined;
}

const SCENE_TABLE = optionTable<ScenePenetrationOptions>()({
  ...PENETRATION_TABLE.rules,
  idleFrames: numberFrom(0, PROXIMITY_DEFAULTS.idleFrames),
  maxPairs: numberFrom(0, PROXIMITY_DEFAULTS.maxPairs),
});

/** The overlaps of a scene's bodies. */
export interface ScenePenetrationResult {
  /** The pairs that intersect, in ascending order of (a, b); pairs that only touch have depth 0. */
  readonly pairs: readonly ScenePair<PenetrationResult>[];
  /** Cells of directions that all certificates together examined. */
  readonly cells: number;
  /** Pairs that were remembered from an earlier call. */
  readonly remembered: number;
  /** The cost of finding the pairs that intersect. */
  readonly counters: SceneCounters;
}

interface KeptPair {
  readonly pair: PenetrationPair;
  usedAt: number;
}

/** Measures the overlapping pairs of a scene repeatedly as its bodies move, come and go. */
export class ScenePenetration {
  readonly scene: Scene;
  readonly #options: PenetrationOptions;
  readonly #idleFrames: number;
  readonly #maxPairs: number;
  /** By pair of ids, the longest unused first. */
  readonly #pairs = new Map<number, KeptPair>();
  #frame = 0;
  #signal: ProgressOptions['signal'];

  /** @throws NearfieldError for options out of range or asynchronous only: see {@link PenetrationPair}. */
  constructor(scene: Scene, options: ScenePenetrationOptions = {}) {
    assertScene(scene);
    SCENE_TABLE.assert(options);
    const {
      idleFrames = PROXIMITY_DEFAULTS.idleFrames,
      maxPairs = PROXIMITY_DEFAULTS.maxPairs,
      ...pairOptions
    } = options;
    assertPenetrationOptions(pairOptions);
    this.scene = scene;
    this.#idleFrames = idleFrames;
    this.#maxPairs = maxPairs;
    const isAborted = (): boolean => pairOptions.signal?.aborted === true || this.#signal?.aborted === true;
    this.#options = {
      ...pairOptions,
      // The pairs outlive the call whose signal they observe.
      signal: {
        get aborted() {
          return isAborted();
        },
      },
    };
  }

  /** Number of remembered pairs. */
  get pairsKept(): number {
    return this.#pairs.size;
  }

  /**
   * Prepares all bodies; otherwise the first measurement of each does it.
   * @throws NearfieldError, naming the body, if one is not a solid: see {@link preparePenetration}.
   */
  prepare(options: ProgressOptions = {}): this {
    PROGRESS_OPTIONS.assert(options);
    const { ids } = this.scene;
    for (const [k, id] of ids.entries())
      this.#solidOf(id, partOfProgress(options, k / ids.length, (k + 1) / ids.length));
    return this;
  }

  /** The depths of all pairs of bodies that intersect; the scene decides which pairs are tested. */
  measure(options: ProgressOptions = {}): ScenePenetrationResult {
    PROGRESS_OPTIONS.assert(options);
    const { pairs: meeting, counters } = this.scene.intersections({ signal: options.signal });
    this.#advance();
    const pairs: ScenePair<PenetrationResult>[] = [];
    let cells = 0;
    let remembered = 0;
    for (const [k, { a, b }] of meeting.entries()) {
      reportProgress(options, k / meeting.length, 'penetration of pairs');
      if (this.#pairs.has(pairKey(a, b))) remembered++;
      const result = this.measurePair(a, b, options);
      cells += result.cells;
      pairs.push({ a, b, result });
    }
    return { pairs, cells, remembered, counters };
  }

  /**
   * The depth of two bodies, whether the scene tests them or not. The body with the lower id is A.
   * @throws NearfieldError for a body that is not a solid: see {@link preparePenetration}.
   */
  measurePair(a: number, b: number, options: ProgressOptions = {}): PenetrationResult {
    PROGRESS_OPTIONS.assert(options);
    const { scene } = this;
    if (a === b) throw new NearfieldError('bad-argument', `Body ${a} is no pair with itself; give two ids.`);
    const [first, second] = a < b ? [a, b] : [b, a];
    const [poseA, poseB] = [scene.poseOf(first), scene.poseOf(second)];
    this.#signal = options.signal;
    try {
      return this.#take(first, second).measure(poseA, poseB);
    } finally {
      this.#signal = undefined;
    }
  }

  /** Forgets the answers of all pairs. */
  reset(): void {
    this.#pairs.clear();
  }

  #advance(): void {
    this.#frame++;
    for (const [key, kept] of this.#pairs) {
      if (this.#frame - kept.usedAt <= this.#idleFrames) break;
      this.#pairs.delete(key);
    }
  }

  #take(a: number, b: number): PenetrationPair {
    const key = pairKey(a, b);
    const known = this.#pairs.get(key);
    if (known !== undefined) {
      known.usedAt = this.#frame;
      this.#pairs.delete(key);
      this.#pairs.set(key, known);
      return known.pair;
    }
    const pair = new PenetrationPair(this.#solidOf(a, this.#options), this.#solidOf(b, this.#options), this.#options);
    if (this.#makeRoom()) this.#pairs.set(key, { pair, usedAt: this.#frame });
    return pair;
  }

  #solidOf(id: number, options: ProgressOptions): ProximityModel {
    const model = this.scene.modelOf(id);
    try {
      preparePenetration(model, partOfProgress(options, 0, 1));
    } catch (error) {
      if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
      throw new NearfieldError(error.code, `Body ${id}: ${error.message}`, error.location);
    }
    return model;
  }

  /** Whether there is room for one more pair, if necessary in place of the longest unused one. */
  #makeRoom(): boolean {
    if (this.#pairs.size < this.#maxPairs) return true;
    for (const [key, kept] of this.#pairs) {
      if (kept.usedAt === this.#frame) return false;
      this.#pairs.delete(key);
      return true;
    }
    return false;
  }
}

function assertScene(scene: Scene): void {
  if (scene instanceof Scene) return;
  throw new NearfieldError('bad-argument', `The scene is ${nameValue(scene)}; make one with new Scene().`);
}
