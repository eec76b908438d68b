// The depth of two models of which one or both bound no solid, from solids that stand for them, within one budget.
import { takePose } from '../core/check/check-pose.js';
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from '../proximity/arguments.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { Budget } from './budget.js';
import { measureSolids } from './cpu-search.js';
import type { PenetrationOptions } from './options.js';
import { PENETRATION_DEFAULTS } from './options.js';
import { budgetOf } from './penetration-query.js';
import type { PenetrationResult } from './result.js';
import { answerRoughly } from './rough-answer.js';
import { standInFor } from './stand-in.js';
import { type StandInPair, widenAnswer } from './widen-answer.js';

/** Chosen: the share of the time left that the upper bound gets if the lower bound comes from other solids. */
const UPPER_SHARE = 0.5;

/** Two stand-ins, and the options of the whole query. */
export interface StandInQuery extends StandInPair {
  readonly options: PenetrationOptions;
}

/** Makes stand-ins for both models, within the budget; returns a rough answer for the models if it does not allow them. */
export function makeStandIns(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): StandInQuery | PenetrationResult {
  const { method = PENETRATION_DEFAULTS.method } = options;
  const how = typeof options.solidify === 'object' ? options.solidify : {};
  const [unitA, unitB] = [takePose(poseA, 'A'), takePose(poseB, 'B')];
  assertModel(a, 'The model');
  assertModel(b, 'The model');
  const budget = budgetOf(options);
  const standA = standInFor(a, how, budget);
  const standB = standA && standInFor(b, how, budget);
  if (standA === null || standB === null) return answerRoughly(a, b, unitA, unitB, method, budget);
  return { a: standA, b: standB, poseA, poseB, options, budget };
}

/** Whether stand-ins could be made. */
export function areStandIns(made: StandInQuery | PenetrationResult): made is StandInQuery {
  return 'budget' in made;
}

/** The options for measuring the stand-ins themselves, with their share of the time left. */
export function optionsForStandIns(query: StandInQuery): PenetrationOptions {
  return withinLeft(query.options, query.budget, areExact(query) ? 1 : UPPER_SHARE);
}

/** The answer for the models, from the answer for their stand-ins. */
export function answerForModels(query: StandInQuery, result: PenetrationResult): PenetrationResult {
  const { method = PENETRATION_DEFAULTS.method } = query.options;
  const lower = method === 'certified' && !areExact(query) ? measureInner(query) : 0;
  return widenAnswer(query, result, lower);
}

function areExact({ a, b }: StandInPair): boolean {
  return a.error === 0 && b.error === 0;
}

/** The options of a query that may take a share of the time left, without `solidify`. */
function withinLeft(options: PenetrationOptions, budget: Budget, share: number): PenetrationOptions {
  return {
    ...options,
    solidify: false,
    maxMilliseconds: budget.limited ? share * budget.left : options.maxMilliseconds,
  };
}

/** A lower bound of the depth of all solids within the errors of two stand-ins: that of the solids inside them all. */
function measureInner({ a, b, poseA, poseB, options, budget }: StandInQuery): number {
  if (budget.spent) return 0;
  try {
    const [innerA, innerB] = [a.inner(budget.progress), b.inner(budget.progress)];
    if (innerA === null || innerB === null) return 0;
    return measureSolids(innerA, innerB, poseA, poseB, withinLeft(options, budget, 1)).lower;
  } catch (error) {
    budget.absorb(error);
    return 0;
  }
}
