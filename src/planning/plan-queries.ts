// Several queries of one problem, answered from one roadmap.
import { nameValue } from '../core/check/check-options.js';
import { PROGRESS_OPTIONS } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import type { PlanProblem, PlanResult } from './problem/plan-problem.js';
import { problemSettings } from './problem/problem-settings.js';
import { Roadmap } from './roadmap/roadmap.js';

/** Planners that queries can be asked of. */
const ROADMAP_PLANNERS = ['auto', 'roadmap', 'prm'];

/**
 * Answers the `queries` of a problem, in their order, from one roadmap that grows with each of them. The time limit is that of
 * each query.
 * @throws NearfieldError as {@link planMotion} does.
 */
export function planQueries(problem: PlanProblem, options: ProgressOptions = {}): PlanResult[] {
  PROGRESS_OPTIONS.assert(options);
  const { planner } = problemSettings(problem);
  const { queries } = problem;
  if (!Array.isArray(queries) || queries.length === 0) {
    throw new NearfieldError('bad-argument', `queries is ${nameValue(queries)}; give a list of { start, goal }.`);
  }
  if (!ROADMAP_PLANNERS.includes(planner)) {
    const names = ROADMAP_PLANNERS.join(', ');
    throw new NearfieldError('unsupported', `The planner ${planner} answers no queries from a roadmap; give ${names}.`);
  }
  const sampler = problem.sampler ?? (planner === 'prm' ? 'uniform' : undefined);
  const roadmap = new Roadmap({ ...problem, sampler }, { samples: 0 });
  return queries.map((query, i) => {
    const part = partOfProgress(options, i / queries.length, (i + 1) / queries.length);
    try {
      return roadmap.query(query?.start, query?.goal, part);
    } catch (error) {
      if (!(error instanceof NearfieldError)) throw error;
      throw new NearfieldError(error.code, `query ${i + 1}: ${error.message}`, error.location);
    }
  });
}
