// The options and results of queries along a motion.
import { checkedElsewhere, numberFrom, optionTable } from '../../core/check/option-table.js';
import { PROXIMITY_DEFAULTS } from '../options.js';
import type { Witness } from '../result.js';

/** Which part of a motion is searched, and for what. */
export interface ImpactOptions {
  /** An impact is a distance of at most this. Default 0: the models touch. */
  readonly clearance?: number | undefined;
  /**
   * Where the models come this near to the clearance and it is not certain that they stay apart, that counts as an impact.
   * Default `PROXIMITY_DEFAULTS.impactTolerance` times the larger radius; never less than rounding.
   */
  readonly tolerance?: number | undefined;
  /** The times between which the motion is searched. Default: its first and last key. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** The most pairs of volumes and triangles to bound. Default `PROXIMITY_DEFAULTS.maxImpactPairs`. */
  readonly maxPairs?: number | undefined;
}

/** How exactly the least clearance of a motion is wanted. */
export interface MotionOptions extends ImpactOptions {
  /** The proven clearance may be below the least by this share of it. Default `PROXIMITY_DEFAULTS.clearanceError`. */
  readonly relativeError?: number | undefined;
}

export const IMPACT_OPTIONS = optionTable<ImpactOptions>()({
  clearance: {
    expects: 'a finite number from 0',
    accepts: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
    fallback: 0,
  },
  // A share of the models' size if it is left out.
  tolerance: numberFrom(0),
  // The motion says which times it has.
  start: checkedElsewhere(),
  end: checkedElsewhere(),
  maxPairs: numberFrom(1, PROXIMITY_DEFAULTS.maxImpactPairs),
});

export const MOTION_OPTIONS = optionTable<MotionOptions>()({
  ...IMPACT_OPTIONS.rules,
  relativeError: numberFrom(0, PROXIMITY_DEFAULTS.clearanceError),
});

/** What a query along a motion cost. */
export interface ImpactCounters {
  /** Pairs of boxes and of triangles that were bounded in motion. */
  readonly volumePairs: number;
  readonly trianglePairs: number;
  /** Queries at single times. */
  readonly queries: number;
}

/** Whether two moving models meet, and when first. */
export interface ImpactResult {
  /** 'unresolved': `maxPairs` was reached, and nothing is known after `lower`. */
  readonly status: 'impact' | 'clear' | 'unresolved';
  readonly impact: boolean;
  /** The time of the first impact: `lower`, so that the models can be moved to it and do not meet. Null without impact. */
  readonly time: number | null;
  /** The models are proven to be farther apart than the clearance from the start to this time; the end without impact. */
  readonly lower: number;
  /** A time at which the distance is at most the clearance; null without impact. */
  readonly upper: number | null;
  /**
   * False if the distance at `upper` is not at most the clearance but at most clearance + tolerance, and whether the models
   * come nearer could not be decided: they graze.
   */
  readonly exact: boolean;
  /** The nearest points at `lower`, in the world; null without impact. */
  readonly witness: Witness | null;
  readonly counters: ImpactCounters;
}

/** The least distance of two models along a motion. */
export interface LeastClearance {
  /** The distance is proven to be larger than this all the time, or equal to it. */
  readonly lower: number;
  /** The distance at `time`. */
  readonly upper: number;
  readonly time: number;
  readonly witness: Witness;
}

/** A proof that a motion stays clear, with the least clearance; or the first impact. */
export interface MotionResult extends ImpactResult {
  /** Null unless the status is 'clear'. */
  readonly least: LeastClearance | null;
}
