// Two models and what their queries keep from one call to the next, over boxes and hulls.
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from './arguments.js';
import { PairContacts } from './contact/pair-contacts.js';
import type { ImpactOptions, ImpactResult, MotionOptions, MotionResult } from './impact/impact-result.js';
import type { Motion } from './impact/motion.js';
import { PairMotions } from './impact/pair-motions.js';
import type { BoundingVolume, ContactOptions, DistanceOptions, PairOptions } from './options.js';
import { assertCoherence, PAIR_OPTIONS } from './pair-option-table.js';
import { PairQueries } from './pair-queries.js';
import { PairSearches } from './pair-searches.js';
import type { ProximityModel } from './proximity-model.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from './result.js';

/**
 * Two models, queried repeatedly as they move. Earlier calls change the cost of results, never the results: see
 * {@link CoherenceOptions}. A pair must not be used by two callers at once; two pairs may share a model.
 */
export class Pair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly #queries: PairQueries;
  readonly #contacts: PairContacts;
  readonly #motions: PairMotions;

  constructor(a: ProximityModel, b: ProximityModel, options: PairOptions = {}) {
    assertModel(a, 'The first model');
    assertModel(b, 'The second model');
    PAIR_OPTIONS.assert(options);
    assertCoherence(options);
    this.a = a;
    this.b = b;
    this.#queries = new PairQueries(a, b, new PairSearches(a, b, options), options.coherence !== false);
    this.#contacts = new PairContacts(this.#queries);
    this.#motions = new PairMotions(this.#queries);
  }

  /**
   * The bounding volume in use. With 'auto', boxes at first; once both models have hulls, hulls for the queries that
   * they answer faster.
   */
  get volume(): BoundingVolume {
    return this.#queries.volume;
  }

  /** Whether the models have a point in common: touching counts, and so does one solid inside the other. */
  intersects(poseA: ReadonlyPose, poseB: ReadonlyPose): IntersectionResult {
    return this.#queries.testIntersection(poseA, poseB);
  }

  /** Whether the models come within the tolerance of each other: distance ≤ tolerance. */
  within(poseA: ReadonlyPose, poseB: ReadonlyPose, tolerance: number): ToleranceResult {
    return this.#queries.testTolerance(poseA, poseB, tolerance);
  }

  /** How far apart the models are, and where. */
  distance(poseA: ReadonlyPose, poseB: ReadonlyPose, options: DistanceOptions = {}): DistanceResult {
    return this.#queries.measureDistance(poseA, poseB, options);
  }

  /**
   * Every local minimum of the distance up to the tolerance, nearest first. A connected set of minimizers, such as that
   * of two parallel faces, counts once.
   */
  contacts(poseA: ReadonlyPose, poseB: ReadonlyPose, options: ContactOptions): ContactsResult {
    return this.#contacts.findContacts(poseA, poseB, options);
  }

  /** When the models first meet along a motion, with a proven bracket of that time. Nothing is missed between samples. */
  timeOfImpact(motion: Motion, options: ImpactOptions = {}): ImpactResult {
    return this.#motions.timeOfImpact(motion, options);
  }

  /** Either a proof that a motion stays clear, with the least clearance and where it is, or the first impact. */
  validateMotion(motion: Motion, options: MotionOptions = {}): MotionResult {
    return this.#motions.validateMotion(motion, options);
  }

  /** Bytes of the memory that queries use, including what they keep. */
  get bytes(): number {
    return this.#queries.bytes + this.#contacts.bytes;
  }

  /** Forgets everything from earlier calls, as if the pair were new. */
  reset(): void {
    this.#queries.reset();
    this.#contacts.reset();
  }
}
