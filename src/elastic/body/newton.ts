// Newton's method for an incremental potential: projected second derivatives, conjugate gradients with a Cholesky factor of
// an earlier matrix as preconditioner, and a line search that lets the energy only fall. Held nodes stay.
import { NearfieldError } from '../../core/errors.js';
import { multiplyBlocks } from '../sparse/block-matrix.js';
import { ConjugateGradients, dot } from '../sparse/conjugate-gradients.js';
import { nestedDissection } from '../sparse/nested-dissection.js';
import { SparseCholesky } from '../sparse/sparse-cholesky.js';
import type { IncrementalPotential } from './incremental-potential.js';

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

/** Shifts of the diagonal tried, each a hundred times the one before. */
const MAX_SHIFTS = 8;

export class Newton {
  readonly #potential: IncrementalPotential;
  readonly #gradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #right: Float64Array;
  readonly #trial: Float64Array;
  readonly #matrix: Float64Array;
  readonly #solver: ConjugateGradients;
  readonly #factor: SparseCholesky;
  /** The place in `#matrix` of each entry of the scalar rows, and those entries. */
  readonly #places: Int32Array;
  readonly #entries: Float64Array;
  readonly #diagonals: Int32Array;
  readonly #rows: Int32Array;
  readonly #columns: Int32Array;
  #isFactored = false;
  #trialScale = 0;
  readonly #stiffForce: number;

  /** @param stiffForce Young's modulus times the section of the body: a force that strains it by about 1. */
  constructor(potential: IncrementalPotential, rest: Float64Array, stiffForce: number) {
    this.#stiffForce = stiffForce;
    this.#potential = potential;
    const { size, pattern } = potential;
    this.#gradient = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#right = new Float64Array(size);
    this.#trial = new Float64Array(size);
    this.#matrix = new Float64Array(9 * pattern.columns.length);
    this.#solver = new ConjugateGradients(size);
    const order = nestedDissection(pattern, rest);
    const rowStart = new Int32Array(size + 1);
    const columns = new Int32Array(9 * pattern.columns.length);
    this.#places = new Int32Array(columns.length);
    this.#diagonals = new Int32Array(size);
    let at = 0;
    for (let row = 0; row < size; row++) {
      const [node, r] = [Math.floor(row / 3), row % 3];
      for (let k = pattern.rowStart[node]; k < pattern.rowStart[node + 1]; k++) {
        for (let c = 0; c < 3; c++) {
          columns[at] = 3 * pattern.columns[k] + c;
          if (columns[at] === row) this.#diagonals[row] = at;
          this.#places[at++] = 9 * k + 3 * r + c;
        }
      }
      rowStart[row + 1] = at;
    }
    this.#rows = rowStart;
    this.#columns = columns;
    this.#entries = new Float64Array(columns.length);
    const scalarOrder = new Int32Array(size);
    for (let i = 0; i < order.length; i++) for (let c = 0; c < 3; c++) scalarOrder[3 * i + c] = 3 * order[i] + c;
    this.#factor = new SparseCholesky(rowStart, columns, scalarOrder);
  }

  /** Makes a new factor in the next solve: needed when nodes are held or let go, or the timestep changes. */
  invalidate(): void {
    this.#isFactored = false;
  }

  /** Moves the free nodes of x to a minimum of the potential. */
  minimize(x: Float64Array, tolerance: number, maxIterations: number): SolveReport {
    const potential = this.#potential;
    const g = this.#gradient;
    const d = this.#direction;
    let linearIterations = 0;
    let energy = potential.evaluate(x, g);
    let scale = this.#forceScale(g);
    let residual = this.#potential.clearHeld(g);
    assertFinite(residual);
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      if (!(residual > tolerance * scale)) {
        return { status: 'converged', iterations: iteration, linearIterations, residual };
      }
      for (let i = 0; i < g.length; i++) this.#right[i] = -g[i];
      const forcing = 0.1 * Math.min(0.1, Math.sqrt(residual / Math.max(scale, this.#stiffForce)));
      // Near the minimum the true matrix converges quadratically; where it curves down, the projected one has to do.
      const isNear = residual < NEAR * Math.max(scale, this.#stiffForce);
      potential.hessian(x, this.#matrix, !isNear);
      linearIterations += this.#solveLinear(forcing);
      if (isNear && this.#solver.metNegative) {
        potential.hessian(x, this.#matrix, true);
        linearIterations += this.#solveLinear(forcing);
      }
      // The positions cannot be resolved further.
      if (largest(d) <= RESOLUTION * largest(x)) {
        return { status: 'converged', iterations: iteration, linearIterations, residual };
      }
      const slope = dot(g, d);
      const next = slope < 0 ? this.#search(x, energy, slope) : Number.NaN;
      if (Number.isNaN(next)) return { status: 'stalled', iterations: iteration, linearIterations, residual };
      energy = next;
      scale = this.#trialScale;
      residual = this.#potential.clearHeld(g);
    }
    const status = residual > tolerance * scale ? 'iterations' : 'converged';
    return { status, iterations: maxIterations, linearIterations, residual };
  }

  /**
   * Moves x along the direction until the energy falls enough, and leaves the gradient there; returns the new energy, NaN
   * where it cannot fall. Near the minimum, where energies are equal up to rounding, the slope decides (Hager and Zhang 2005).
   */
  #search(x: Float64Array, energy: number, slope: number): number {
    const trial = this.#trial;
    const d = this.#direction;
    const g = this.#gradient;
    for (let i = 0, step = 1; i < MAX_HALVINGS; i++, step /= 2) {
      for (let k = 0; k < x.length; k++) trial[k] = x[k] + step * d[k];
      const next = this.#potential.evaluate(trial, g);
      // The direction leaves held nodes alone, so that their forces do not count here.
      const isLower = next <= energy + DECREASE * step * slope;
      const isLevel = next <= energy + ROUNDING * Math.abs(energy) && dot(g, d) <= -0.5 * slope;
      if (!isLower && !isLevel) continue;
      x.set(trial);
      this.#trialScale = this.#forceScale(g);
      return next;
    }
    return Number.NaN;
  }

  #solveLinear(tolerance: number): number {
    const { pattern } = this.#potential;
    const apply = (x: Float64Array, out: Float64Array): void => {
      multiplyBlocks(pattern, this.#matrix, x, out);
      this.#potential.clearHeld(out);
    };
    const precondition = (x: Float64Array, out: Float64Array): void => {
      this.#factor.solve(x, out);
      this.#potential.clearHeld(out);
    };
    if (!this.#isFactored) this.#refactor();
    let taken = this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, STALE);
    if (taken < STALE || this.#solver.metNegative) return taken;
    this.#refactor();
    taken += this.#solver.solve(apply, precondition, this.#right, this.#direction, tolerance, MAX_LINEAR);
    return taken;
  }

  /** Factors the current matrix with held rows replaced by those of the unit matrix. */
  #refactor(): void {
    const { held } = this.#potential;
    const entries = this.#entries;
    let most = 0;
    for (const at of this.#diagonals) most = Math.max(most, this.#matrix[this.#places[at]]);
    // A body that nothing holds has motions without stiffness: a shift far below rounding of the stiff ones.
    for (let round = 0, shift = 1e-10 * most; ; round++, shift *= 100) {
      if (round === MAX_SHIFTS || !Number.isFinite(most)) {
        throw new NearfieldError(
          'non-finite',
          'The stiffness matrix has no factor: positions are not finite or too large; check what moves the body.',
        );
      }
      for (let row = 0; row < held.length * 3; row++) {
        const isHeld = held[Math.floor(row / 3)] === 1;
        for (let p = this.#rows[row]; p < this.#rows[row + 1]; p++) {
          const isFree = !isHeld && held[Math.floor(this.#columns[p] / 3)] === 0;
          entries[p] = isFree ? this.#matrix[this.#places[p]] : 0;
        }
        entries[this.#diagonals[row]] += isHeld ? Math.max(most, 1) : shift;
      }
      if (this.#factor.factor(entries)) break;
    }
    this.#isFactored = true;
  }

  /** The length of loads or of forces on held nodes: what unbalanced forces are compared with. */
  #forceScale(g: Float64Array): number {
    const { held, forces } = this.#potential;
    let [loads, reactions] = [0, 0];
    for (let i = 0; i < g.length; i++) {
      loads += forces[i] * forces[i];
      if (held[Math.floor(i / 3)] === 1) reactions += g[i] * g[i];
    }
    return Math.max(Math.sqrt(Math.max(loads, reactions)), LEAST_STRAIN * this.#stiffForce);
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
