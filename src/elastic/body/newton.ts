// Newton's method for a system of parts and terms: projected second derivatives, conjugate gradients with Cholesky factors of
// earlier matrices of the parts as preconditioner, and a line search that lets the energy only fall. Held nodes stay.
import { NearfieldError } from '../../core/errors.js';
import type { StepLimit } from '../../core/step-limit.js';
import { dot } from '../kernel/vectors.js';
import { ConjugateGradients } from '../sparse/conjugate-gradients.js';
import { LowRankCorrection } from './low-rank-correction.js';
import type { MatrixKind, PotentialSystem } from './potential-system.js';

/** How a minimization ended. */
export interface SolveReport {
  /**
   * 'converged': unbalanced forces are below the tolerance, or positions cannot be resolved further; 'stalled': the
   * energy cannot fall further within rounding.
   */
  readonly status: 'converged' | 'stalled' | 'iterations';
  readonly iterations: number;
  /** Iterations of conjugate gradients. */
  readonly linearIterations: number;
  /** The length of the vector of unbalanced forces on free nodes, in newtons. */
  readonly residual: number;
  /**
   * Of worlds with contact 'barrier': the share of their way that held nodes and moved bodies have gone. Below 1 the rest would
   * have led into an overlap; the next step tries again.
   */
  readonly reached?: number | undefined;
}

/** Chosen: the factor is made anew when conjugate gradients need more iterations than this. */
const STALE = 25;

/**
 * Chosen: iterations of conjugate gradients with factors of the fixed matrices. They need 20 to 70 at any size, and some hundred
 * with contacts that stick. A system that needs more than this is solved with factors of the second derivatives and the diagonal
 * of terms, which take nine times as many numbers.
 */
const FIXED_LIMIT = 1000;

/** Chosen: conjugate gradients end after this many iterations; the direction found still lowers the energy. */
const MAX_LINEAR = 2000;

/**
 * Chosen: the share of the residual at which conjugate gradients of a Newton step end, where the last step went badly.
 */
const MAX_FORCING = 0.1;

/** Chosen: a step went badly if it left more than this share of the residual. */
const STAGNANT = 0.2;

/** Chosen: the share of the residual at which conjugate gradients of a response end. */
const RESPONSE = 1e-2;

/** Chosen: unbalanced forces below this share of the loads count as near the minimum. */
const NEAR_MINIMUM = 0.05;

/** Chosen (after Armijo 1966): a step is taken if the energy falls by this share of what its slope promises. */
const DECREASE = 1e-4;

/** Chosen: halvings of a step, down to 1e-12 of it, after which the energy cannot fall. */
const MAX_HALVINGS = 40;

/** Rounding: the rise that rounding of energies may cause, as a share of the energy. */
const ENERGY_ROUNDING = 1e-10;

/**
 * Rounding: the rise that rounding may cause as a share of the stiffness that energies are computed from. Without loads the energy
 * of a body is 0 but for this: 16 units (2⁻⁵³).
 */
const STIFF_ROUNDING = 16 * 2 ** -53;

/** Chosen: without loads, unbalanced forces are compared with those of this strain. */
export const MIN_STRAIN = 1e-6;

/** Rounding: steps below this share of the largest coordinate change nothing but rounding. */
const RESOLUTION = 1e-14;

export class Newton {
  readonly #system: PotentialSystem;
  readonly #limit: StepLimit | null;
  readonly #gradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #right: Float64Array;
  readonly #trial: Float64Array;
  readonly #solver: ConjugateGradients;
  readonly #correction: LowRankCorrection;
  /** The share of the last direction that was gone. */
  #share = 1;
  /** Whose factors are the preconditioner. */
  #kind: MatrixKind = 'exact';

  /** @param limit is looked at in every iteration. */
  constructor(system: PotentialSystem, limit: StepLimit | null = null) {
    this.#system = system;
    this.#limit = limit;
    const { size } = system;
    this.#gradient = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#right = new Float64Array(size);
    this.#trial = new Float64Array(size);
    this.#solver = new ConjugateGradients(size);
    this.#correction = new LowRankCorrection(system);
  }

  /** Moves the free unknowns of x to a minimum of the potential. */
  minimize(x: Float64Array, tolerance: number, maxIterations: number): SolveReport {
    const system = this.#system;
    const g = this.#gradient;
    const d = this.#direction;
    this.#kind = system.isMoving ? 'fixed' : 'exact';
    this.#share = 1;
    let linearIterations = 0;
    let [energy, scale, residual, before] = [0, 0, 0, 0];
    for (let iterations = 0; ; iterations++) {
      this.#limit?.check();
      // Terms may find other contacts at the new place, so that the energy before them is no longer that of x.
      if (iterations === 0 || system.terms.length > 0) {
        system.update(x);
        energy = system.evaluate(x, g);
      }
      scale = Math.max(system.forceScale(g), MIN_STRAIN * system.stiffForce);
      residual = system.clearHeld(g);
      assertFinite(residual);
      if (!(residual > tolerance * scale)) return { status: 'converged', iterations, linearIterations, residual };
      if (iterations === maxIterations) return { status: 'iterations', iterations, linearIterations, residual };
      for (let i = 0; i < g.length; i++) this.#right[i] = -g[i];
      const whole = Math.max(scale, system.stiffForce);
      const forcing = this.#forcing(residual, before, whole);
      before = residual;
      // Near the minimum the true matrix converges quadratically; where it curves down, the projected one has to do.
      const isNear = residual < NEAR_MINIMUM * whole;
      // A step that had to be shortened has gone past a kink of the terms, where they begin to stick or to touch.
      const isSmooth = isNear && this.#share === 1;
      system.linearize('exact', x, !isNear, isSmooth ? 'exact' : 'majorized');
      linearIterations += this.#solveLinear(x, forcing);
      if (isNear && this.#solver.metNegative) {
        system.linearize('exact', x, true, isSmooth ? 'projected' : 'majorized');
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
   * How far conjugate gradients go, as a share of the residual: far where the last step went well, which lets the last ones
   * converge much farther than they must, so that momenta stay; not where contacts changed and the matrix with them.
   */
  #forcing(residual: number, before: number, whole: number): number {
    if (before === 0 || residual > STAGNANT * before) return MAX_FORCING;
    return 0.1 * Math.min(0.1, Math.sqrt(residual / whole));
  }

  /**
   * Where the free unknowns go when held ones move, to first order: a Newton step with those moves given.
   * @param moves of held unknowns; 0 for free ones.
   * @param addForces adds what else changes the forces, with second derivatives ready.
   * @returns the way, which the next call overwrites, and the iterations of conjugate gradients.
   */
  respond(
    x: Float64Array,
    moves: Float64Array,
    addForces: (out: Float64Array) => void,
  ): { readonly way: Float64Array; readonly linearIterations: number } {
    const system = this.#system;
    const [g, right] = [this.#gradient, this.#right];
    this.#kind = system.isMoving ? 'fixed' : 'exact';
    system.update(x);
    system.evaluate(x, g);
    system.linearize('exact', x, true, 'majorized');
    system.multiply('exact', moves, right);
    addForces(right);
    for (let i = 0; i < g.length; i++) right[i] = -g[i] - right[i];
    system.clearHeld(right);
    return { linearIterations: this.#solveLinear(x, RESPONSE), way: this.#direction };
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
    const rise = Math.max(ENERGY_ROUNDING * Math.abs(energy), STIFF_ROUNDING * this.#system.stiffEnergy);
    for (let i = 0, step = first; i < MAX_HALVINGS; i++, step /= 2) {
      for (let k = 0; k < x.length; k++) trial[k] = x[k] + step * d[k];
      const next = this.#system.evaluate(trial, g);
      // The direction leaves held nodes alone, so that their forces do not count here.
      const isLower = next <= energy + DECREASE * step * slope;
      const isLevel = next <= energy + rise && dot(g, d) <= -0.5 * slope;
      if (!isLower && !isLevel) continue;
      x.set(trial);
      this.#share = step / first;
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
    let taken = 0;
    for (; this.#kind === 'fixed'; this.#kind = 'exact') {
      system.prepareFixed(x);
      system.factor('fixed', 'missing', false);
      const isCorrected = this.#correction.prepare();
      const precondition = (r: Float64Array, out: Float64Array): void => {
        if (isCorrected) this.#correction.apply(r, out);
        else system.precondition('fixed', r, out);
      };
      taken = this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, FIXED_LIMIT);
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
