// The numbers and names of a problem, with defaults, checked.
import { checkedElsewhere, numberWithin, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { SAMPLERS, type SamplerName } from '../roadmap/sampler.js';
import { PLANNERS, type PlannerName, type PlanProblem } from './plan-problem.js';

/** What planning assumes where nothing is said. */
export const PLANNING_DEFAULTS = {
  clearance: 0,
  /** What chains keep beyond the clearance where there is room, as a share of the radius of the largest link. */
  preferredShare: 0.1,
  planner: 'auto',
  timeLimit: 30,
  /** Bytes. */
  maxMemory: 1e9,
  seed: 1,
  /** Samples of a new roadmap. */
  samples: 500,
  /** Trials to make a path shorter. */
  shortenTrials: 200,
  /** The relative width of the interval that states the clearance of a path. */
  clearanceError: 0.01,
} as const;

const PROBLEM = optionTable<PlanProblem>('Problems')({
  name: checkedElsewhere<string>(),
  // Robots, obstacles, the horizon and queries are checked where the scene is made.
  robots: checkedElsewhere<PlanProblem['robots']>(),
  environment: checkedElsewhere<PlanProblem['environment']>(),
  horizon: checkedElsewhere<number>(),
  queries: checkedElsewhere<NonNullable<PlanProblem['queries']>>(),
  clearance: numberWithin(0, Number.MAX_VALUE, PLANNING_DEFAULTS.clearance),
  preferredClearance: numberWithin(0, Number.MAX_VALUE),
  planner: {
    expects: PLANNERS.join(', '),
    accepts: (value) => PLANNERS.includes(value as PlannerName),
    fallback: PLANNING_DEFAULTS.planner as PlannerName,
  },
  sampler: { expects: SAMPLERS.join(', '), accepts: (value) => SAMPLERS.includes(value as SamplerName) },
  timeLimit: numberWithin(0, 1e9, PLANNING_DEFAULTS.timeLimit),
  maxMemory: numberWithin(0, Number.MAX_VALUE, PLANNING_DEFAULTS.maxMemory),
  seed: numberWithin(0, 2 ** 32 - 1, PLANNING_DEFAULTS.seed),
});

/** Those that are always known. */
export type ProblemSettings = Required<{
  [K in 'clearance' | 'planner' | 'timeLimit' | 'maxMemory' | 'seed']: NonNullable<PlanProblem[K]>;
}>;

export function problemSettings(problem: PlanProblem): ProblemSettings {
  if (problem === undefined) throw new NearfieldError('bad-argument', 'The problem is undefined; give { robots, … }.');
  const { clearance, planner, timeLimit, maxMemory, seed } = PROBLEM.read(problem);
  return { clearance, planner, timeLimit, maxMemory, seed };
}
