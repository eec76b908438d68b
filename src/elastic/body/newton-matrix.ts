// The second derivatives of an incremental potential, and a sparse Cholesky factor of them or of earlier ones.
import { NearfieldError } from '../../core/errors.js';
import { multiplyBlocks } from '../sparse/block-matrix.js';
import { eliminationOrder } from '../sparse/elimination-order.js';
import { SparseCholesky } from '../sparse/sparse-cholesky.js';
import type { IncrementalPotential } from './incremental-potential.js';
import type { PartMatrix } from './system-part.js';

/** Chosen: shifts of the diagonal that are tried, each a hundred times the one before. */
const MAX_SHIFTS = 8;

export class NewtonMatrix implements PartMatrix {
  readonly #potential: IncrementalPotential;
  readonly #values: Float64Array;
  readonly #factor: SparseCholesky;
  /** The place in `#values` of each entry of the scalar rows, and those entries. */
  readonly #places: Int32Array;
  readonly #entries: Float64Array;
  readonly #diagonals: Int32Array;
  readonly #rows: Int32Array;
  readonly #columns: Int32Array;
  /** The weight of inertia that was factored; NaN for none. */
  #factoredFor = Number.NaN;

  constructor(potential: IncrementalPotential, rest: Float64Array) {
    this.#potential = potential;
    const { size, pattern } = potential;
    this.#values = new Float64Array(9 * pattern.columns.length);
    const order = eliminationOrder(pattern, rest);
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

  get isFactored(): boolean {
    return this.#factoredFor === this.#potential.inertia;
  }

  /** The factor counts no more: needed when nodes are held or let go. */
  invalidate(): void {
    this.#factoredFor = Number.NaN;
  }

  linearize(x: Float64Array, isProjected: boolean): void {
    this.#potential.hessian(x, this.#values, isProjected);
  }

  multiply(v: Float64Array, out: Float64Array): void {
    multiplyBlocks(this.#potential.pattern, this.#values, v, out);
    this.#potential.clearHeld(out);
  }

  precondition(r: Float64Array, out: Float64Array): void {
    this.#factor.solve(r, out);
    this.#potential.clearHeld(out);
  }

  /** Held rows are those of the unit matrix. */
  factor(diagonal: Float64Array | null): void {
    const { held, pattern, inertia } = this.#potential;
    const values = this.#values;
    const entries = this.#entries;
    let most = 0;
    for (const at of this.#diagonals) most = Math.max(most, values[this.#places[at]]);
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
          entries[p] = isFree ? values[this.#places[p]] : 0;
        }
        entries[this.#diagonals[row]] += isHeld ? Math.max(most, 1) : shift;
      }
      if (diagonal !== null) {
        for (let row = 0; row < held.length * 3; row++) {
          const node = Math.floor(row / 3);
          if (held[node] === 1) continue;
          const begin = this.#rows[row] + 3 * (pattern.diagonal[node] - pattern.rowStart[node]);
          for (let c = 0; c < 3; c++) entries[begin + c] += diagonal[9 * node + 3 * (row % 3) + c];
        }
      }
      if (this.#factor.factor(entries)) break;
    }
    this.#factoredFor = inertia;
  }
}
