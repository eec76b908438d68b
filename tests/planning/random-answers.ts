// Plans a random problem and checks the answer, whatever it is.
import { planMotion } from '../../src/planning/index.js';
import { checkInfeasible } from '../oracles/ball-flood.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { makeRandomProblem } from './random-problems.js';

/** The status, and what is wrong with the answer. */
export function checkRandomAnswer(
  seed: number,
  timeLimit: number,
): { readonly status: string; readonly bad: string[] } {
  const problem = { ...makeRandomProblem(seed), timeLimit };
  const result = planMotion(problem);
  const { status } = result;
  const bad: string[] = [];
  if (status === 'solved') {
    if (!result.certified) bad.push('is not certified');
    bad.push(...checkAnswer(problem, result));
  } else if (result.paths.length > 0 || result.times !== null) bad.push(`has paths with ${status}`);
  if (status === 'infeasible') bad.push(...checkInfeasible(problem, result));
  return { status, bad: bad.map((what) => `seed ${seed}: ${what}`) };
}
