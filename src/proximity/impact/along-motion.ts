// The queries along a motion, for a pair of any kind, which keeps their search.
import { assertOptions } from '../../core/check/check-options.js';
import { assertLength } from '../arguments.js';
import { PROXIMITY_DEFAULTS } from '../defaults.js';
import type { PairQueries } from '../pair-queries.js';
import {
  IMPACT_NAMES,
  type ImpactOptions,
  type ImpactResult,
  MOTION_NAMES,
  type MotionOptions,
  type MotionResult,
} from './impact-result.js';
import { findLeastClearance } from './least-clearance.js';
import { cutMotion, type Motion } from './motion.js';
import { MotionQuery } from './time-of-impact.js';

/** The first impact. */
export function findImpact(pair: PairQueries, motion: Motion, options: ImpactOptions): ImpactResult {
  assertOptions(options, IMPACT_NAMES);
  return along(pair, motion, options).findImpact();
}

/** The first impact, or the least clearance where there is none. */
export function validateMotion(pair: PairQueries, motion: Motion, options: MotionOptions): MotionResult {
  assertOptions(options, MOTION_NAMES);
  const { relativeError = PROXIMITY_DEFAULTS.clearanceError } = options;
  assertLength(relativeError, 'relative error');
  const query = along(pair, motion, options);
  const found = query.findImpact();
  const least = found.status === 'clear' ? findLeastClearance(query, relativeError) : null;
  const { volumePairs, trianglePairs } = query.search;
  return { ...found, least, counters: { volumePairs, trianglePairs, queries: query.queries } };
}

function along(pair: PairQueries, motion: Motion, options: ImpactOptions): MotionQuery {
  return new MotionQuery(pair, cutMotion(motion, options.start, options.end), options);
}
