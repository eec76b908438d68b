// Newton's method for a system of parts and terms: projected second derivatives, conjugate gradients with Cholesky factors of
// earlier matrices of the parts as preconditioner, and a line search that lets the energy only fall. Held nodes stay.
import { NearfieldError } from '../../core/errors.js';
import { ConjugateGradients, dot } from '../sparse/conjugate-gradients.js';
import type { MatrixKind, PotentialSystem } from './potential-system.js';

/** How a minimization ended. */
export interface SolveReport {
  /** 'converged': unbalanced forces are below the tolerance, or positions cannot be resolved further; 'stalled': the energy cannot fall further within rounding. */
  readonly status: 'converged' | 'stalled' | 'iterations';
  readonly iterations: number;
  /** Iterations of conjugate gradients. */
  readonly linearIterations: number;
  /** The length of the vector of unbalanced forces on free nodes, in newtons. */
  readonly residual: number;
}

/** The factor is made anew when conjugate gradients need more iterations than this. */
const STALE = 25;

/**
 * With factors of the fixed matrices conjugate gradients need 20 to 70 iterations at any size. Those that need more than this
 * are left for factors of the second derivatives: sooner where terms are, which these know by their diagonal.
 */
const FIXED_LIMIT = 1000;
const FIXED_LIMIT_WITH_TERMS = 150;

/** Conjugate gradients end after this many iterations; the direction found still lowers the energy. */
const MAX_LINEAR = 2000;

/** Unbalanced forces below this share of the loads count as near the minimum. */
const NEAR = 0.05;

/** Sufficient decrease (Armijo 1966), halvings, and the rise that rounding of energies may cause. */
const DECREASE = 1e-4;
const MAX_HALVINGS = 40;
const ROUNDING = 1e-10;

/** Without loads, forces are compared with those of this strain. */
const LEAST_STRAIN = 1e-6;

/** Steps below this share of the coordinates change nothing but rounding. */
const RESOLUTION = 1e-14;

export class Newton {
  readonly #system: PotentialSystem;
  readonly #gradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #right: Float64Array;
  readonly #trial: Float64Array;
  readonly #solver: ConjugateGradients;
  /** Whose factors are the preconditioner. */
  #kind: MatrixKind = 'exact';

  constructor(system: PotentialSystem) {
    this.#system = system;
    const { size } = system;
    this.#gradient = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#right = new Float64Array(size);
    this.#trial = new Float64Array(size);
    this.#solver = new ConjugateGradients(size);
  }

  /** Moves the free unknowns of x to a minimum of the potential. */
  minimize(x: Float64Array, tolerance: number, maxIterations: number): SolveReport {
    const system = this.#system;
    const g = this.#gradient;
    const d = this.#direction;
    this.#kind = system.isMoving ? 'fixed' : 'exact';
    let linearIterations = 0;
    let [energy, scale, residual] = [0, 0, 0];
    for (let iterations = 0; ; iterations++) {
      // Terms may find other contacts at the new place, so that the energy before them is no longer that of x.
      if (iterations === 0 || system.terms.length > 0) {
        system.update(x);
        energy = system.evaluate(x, g);
      }
      scale = Math.max(system.forceScale(g), LEAST_STRAIN * system.stiffForce);
      residual = system.clearHeld(g);
      assertFinite(residual);
      if (!(residual > tolerance * scale)) return { status: 'converged', iterations, linearIterations, residual };
      if (iterations === maxIterations) return { status: 'iterations', iterations, linearIterations, residual };
      for (let i = 0; i < g.length; i++) this.#right[i] = -g[i];
      const whole = Math.max(scale, system.stiffForce);
      const forcing = 0.1 * Math.min(0.1, Math.sqrt(residual / whole));
      // Near the minimum the true matrix converges quadratically; where it curves down, the projected one has to do.
      const isNear = residual < NEAR * whole;
      system.linearize('exact', x, !isNear);
      linearIterations += this.#solveLinear(x, forcing);
      if (isNear && this.#solver.metNegative) {
        system.linearize('exact', x, true);
        linearIterations += this.#solveLinear(x, forcing);
      }
      // The positions cannot be resolved further.
      if (largest(d) <= RESOLUTION * largest(x)) return { status: 'converged', iterations, linearIterations, residual };
      const slope = dot(g, d);
      energy = slope < 0 ? this.#search(x, energy, slope) : Number.NaN;
      if (Number.isNaN(energy)) return { status: 'stalled', iterations, linearIterations, residual };
    }
  }

  /**
   * Moves x along the direction until the energy falls enough, and leaves the gradient there; returns the new energy, NaN
   * where it cannot fall. Near the minimum, where energies are equal up to rounding, the slope decides (Hager and Zhang 2005).
   */
  #search(x: Float64Array, energy: number, slope: number): number {
    const trial = this.#trial;
    const d = this.#direction;
    const g = this.#gradient;
    const first = this.#system.limitStep(x, d);
    for (let i = 0, step = first; i < MAX_HALVINGS; i++, step /= 2) {
      for (let k = 0; k < x.length; k++) trial[k] = x[k] + step * d[k];
      const next = this.#system.evaluate(trial, g);
      // The direction leaves held nodes alone, so that their forces do not count here.
      const isLower = next <= energy + DECREASE * step * slope;
      const isLevel = next <= energy + ROUNDING * Math.abs(energy) && dot(g, d) <= -0.5 * slope;
      if (!isLower && !isLevel) continue;
      x.set(trial);
      return next;
    }
    return Number.NaN;
  }

  /**
   * Conjugate gradients with factors of the parts as preconditioner. In motion those of the fixed matrices do: inertia makes
   * all directions about as stiff in them as they are, and they cost a ninth. In equilibrium, or where they do not do,
   * those of the second derivatives are used, with the diagonals of terms.
   */
  #solveLinear(x: Float64Array, tolerance: number): number {
    const system = this.#system;
    const apply = (v: Float64Array, out: Float64Array): void => system.multiply('exact', v, out);
    const limit = system.terms.length === 0 ? FIXED_LIMIT : FIXED_LIMIT_WITH_TERMS;
    let taken = 0;
    for (; this.#kind === 'fixed'; this.#kind = 'exact') {
      system.prepareFixed(x);
      system.factor('fixed', 'missing', false);
      const precondition = (r: Float64Array, out: Float64Array): void => system.precondition('fixed', r, out);
      taken = this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, limit);
      if (this.#solver.isDone || this.#solver.metNegative) return taken;
    }
    const precondition = (r: Float64Array, out: Float64Array): void => system.precondition('exact', r, out);
    system.factor('exact', 'missing', true);
    taken += this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, STALE);
    if (this.#solver.isDone || this.#solver.metNegative) return taken;
    system.factor('exact', 'all', true);
    return taken + this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, MAX_LINEAR);
  }
}

export function assertFinite(residual: number): void {
  if (Number.isFinite(residual)) return;
  throw new NearfieldError(
    'non-finite',
    'Forces are not finite: positions, velocities or loads are not, or are too large; check what was written to them.',
  );
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return most;
}
