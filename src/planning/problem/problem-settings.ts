// The numbers and names of a problem, with defaults, checked.
import { assertOptions, nameValue, type OptionNames } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { PLANNING_DEFAULTS } from '../defaults.js';
import { assertSampler } from '../roadmap/sampler.js';
import { PLANNERS, type PlanProblem } from './plan-problem.js';

const PROBLEM_NAMES: OptionNames<PlanProblem> = {
  name: true,
  robots: true,
  environment: true,
  horizon: true,
  queries: true,
  clearance: true,
  preferredClearance: true,
  planner: true,
  sampler: true,
  timeLimit: true,
  maxMemory: true,
  seed: true,
};

/** Those that are always known. */
export type ProblemSettings = Required<{
  [K in 'clearance' | 'planner' | 'timeLimit' | 'maxMemory' | 'seed']: NonNullable<PlanProblem[K]>;
}>;

export function problemSettings(problem: PlanProblem): ProblemSettings {
  if (problem === undefined) throw new NearfieldError('bad-argument', 'The problem is undefined; give { robots, … }.');
  assertOptions(problem, PROBLEM_NAMES, 'Problems');
  const { clearance = PLANNING_DEFAULTS.clearance, planner = PLANNING_DEFAULTS.planner } = problem;
  const { timeLimit = PLANNING_DEFAULTS.timeLimit, seed = PLANNING_DEFAULTS.seed } = problem;
  const { maxMemory = PLANNING_DEFAULTS.maxMemory } = problem;
  assertNumber('clearance', clearance, 0, Number.MAX_VALUE);
  if (problem.preferredClearance !== undefined) {
    assertNumber('preferredClearance', problem.preferredClearance, 0, Number.MAX_VALUE);
  }
  assertNumber('timeLimit', timeLimit, 0, 1e9);
  assertNumber('maxMemory', maxMemory, 0, Number.MAX_VALUE);
  assertNumber('seed', seed, 0, 2 ** 32 - 1);
  assertSampler(problem.sampler);
  if (!PLANNERS.includes(planner)) {
    throw new NearfieldError('bad-argument', `The planner is ${nameValue(planner)}; give ${PLANNERS.join(', ')}.`);
  }
  return { clearance, planner, timeLimit, maxMemory, seed };
}

function assertNumber(name: keyof PlanProblem, value: unknown, min: number, max: number): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  throw new NearfieldError('bad-argument', `${name} is ${nameValue(value)}; give a number from ${min} to ${max}.`);
}
