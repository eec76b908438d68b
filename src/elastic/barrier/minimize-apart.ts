// A minimization that begins in a proven state: first what is held or moved goes to its place, as far as it can, then all
// free nodes to the minimum, by steps that are certified free of contact.
import type { ReadonlyPose } from '../../core/pose.js';
import type { Newton, SolveReport } from '../body/newton.js';
import type { BarrierContact } from './barrier-contact.js';

/** Chosen: while held nodes are on their way, free ones relax until this share of unbalanced forces is left. */
const RELAXED = 1e-2;

/** Chosen: Newton steps of that relaxation. */
const RELAXED_ITERATIONS = 10;

/** Where things are to go. */
export interface ApartGoal {
  /** Of all nodes: a guess for free ones. */
  readonly guess: Float64Array;
  /** 1 for held nodes. */
  readonly held: Uint8Array;
  /** Of the obstacles. */
  readonly poses: readonly ReadonlyPose[];
}

/** Moves x from a proven state to a minimum, which is then the proven one. */
export function minimizeApart(
  barrier: BarrierContact,
  newton: Newton,
  x: Float64Array,
  { guess, held, poses }: ApartGoal,
  { tolerance, maxIterations }: { readonly tolerance: number; readonly maxIterations: number },
): SolveReport {
  let [iterations, linearIterations] = [0, 0];
  barrier.term.begin();
  const reached = barrier.approach(x, guess, held, poses, {
    respond: (moves) => {
      const addForces = (out: Float64Array): void => barrier.term.addMoved(moves, out);
      const response = newton.respond(x, moves.subarray(0, x.length), addForces);
      iterations++;
      linearIterations += response.linearIterations;
      return response.way;
    },
    relax: () => {
      const report = newton.minimize(x, Math.max(tolerance, RELAXED), RELAXED_ITERATIONS);
      iterations += report.iterations;
      linearIterations += report.linearIterations;
    },
  });
  const report = newton.minimize(x, tolerance, maxIterations);
  barrier.note(x);
  iterations += report.iterations;
  linearIterations += report.linearIterations;
  return { ...report, iterations, linearIterations, reached };
}
