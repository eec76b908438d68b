// A preconditioner that knows few stiff contacts exactly: with A the fixed matrices and N = Σ (J b)(J b)ᵀ the second derivatives
// of terms, A + N is inverted by the identity of Sherman, Morrison and Woodbury. The fixed matrices are the same for x, y and
// z, so that one solve serves three rows; each application takes two solves. Friction that sticks no longer slows conjugate
// gradients.
import { growTo } from '../../core/grow-array.js';
import type { PotentialSystem } from './potential-system.js';

/** Layout: the count of nodes of a row. */
export const LOW_RANK_NODES = 5;

/** Chosen: with more rows than this, their solves would take longer than the iterations they spare. */
const MAX_ROWS = 256;

/**
 * Second derivatives as a sum of squares: of motions Σ cᵢ vᵢ of nodes, along directions times the root of a stiffness.
 */
export class LowRankRows {
  count = 0;
  /** Nodes and coefficients of each row; −1 for none. */
  nodes = new Int32Array(LOW_RANK_NODES * 16);
  coefficients = new Float64Array(LOW_RANK_NODES * 16);
  directionCount = 0;
  /** The row of each direction, and its three numbers. */
  rows = new Int32Array(32);
  directions = new Float64Array(3 * 32);

  clear(): void {
    this.count = this.directionCount = 0;
  }

  /** Adds a row of nodes and coefficients that begin at a place. */
  addRow(nodes: Int32Array, coefficients: Float64Array, at: number): void {
    const to = LOW_RANK_NODES * this.count++;
    this.nodes = growTo(this.nodes, to + LOW_RANK_NODES);
    this.coefficients = growTo(this.coefficients, to + LOW_RANK_NODES);
    for (let k = 0; k < LOW_RANK_NODES; k++) {
      this.nodes[to + k] = nodes[at + k];
      this.coefficients[to + k] = coefficients[at + k];
    }
  }

  /** Adds a direction to the last row. */
  addDirection(x: number, y: number, z: number): void {
    const to = this.directionCount++;
    this.rows = growTo(this.rows, to + 1);
    this.directions = growTo(this.directions, 3 * to + 3);
    this.rows[to] = this.count - 1;
    this.directions[3 * to] = x;
    this.directions[3 * to + 1] = y;
    this.directions[3 * to + 2] = z;
  }
}

export class LowRankCorrection {
  readonly #system: PotentialSystem;
  readonly #rows = new LowRankRows();
  readonly #right: Float64Array;
  readonly #moved: Float64Array;
  /** Of rows: motion of one by a unit force on another. */
  #compliance = new Float64Array(0);
  /** The lower triangle of a Cholesky factor, row by row in full. */
  #factor = new Float64Array(0);
  #values = new Float64Array(0);

  constructor(system: PotentialSystem) {
    this.#system = system;
    const size = system.terms.length > 0 ? system.size : 0;
    this.#right = new Float64Array(size);
    this.#moved = new Float64Array(size);
  }

  /** Takes the rows of terms as they were linearized last; returns false for no rows, and for too many. */
  prepare(): boolean {
    const rows = this.#rows;
    rows.clear();
    for (const term of this.#system.terms) term.writeLowRank?.(rows, MAX_ROWS);
    if (rows.count === 0 || rows.count > MAX_ROWS) return false;
    this.#measure();
    return this.#factorize();
  }

  /** Writes the inverse of the fixed matrices and the rows, times r. */
  apply(r: Float64Array, out: Float64Array): void {
    const system = this.#system;
    system.precondition('fixed', r, out);
    const { nodes, coefficients, rows, directions, directionCount } = this.#rows;
    const t = this.#values;
    for (let i = 0; i < directionCount; i++) {
      let sum = 0;
      for (let k = LOW_RANK_NODES * rows[i]; k < LOW_RANK_NODES * (rows[i] + 1); k++) {
        const at = 3 * nodes[k];
        if (at < 0) continue;
        const along =
          directions[3 * i] * out[at] + directions[3 * i + 1] * out[at + 1] + directions[3 * i + 2] * out[at + 2];
        sum += coefficients[k] * along;
      }
      t[i] = sum;
    }
    this.#solve();
    const right = this.#right;
    right.set(r);
    for (let i = 0; i < directionCount; i++) {
      for (let k = LOW_RANK_NODES * rows[i]; k < LOW_RANK_NODES * (rows[i] + 1); k++) {
        const at = 3 * nodes[k];
        if (at < 0) continue;
        const force = t[i] * coefficients[k];
        for (let axis = 0; axis < 3; axis++) right[at + axis] -= force * directions[3 * i + axis];
      }
    }
    system.precondition('fixed', right, out);
  }

  /** Solves for three rows at a time, one in each axis. */
  #measure(): void {
    const { count, nodes, coefficients } = this.#rows;
    if (this.#compliance.length < count * count) this.#compliance = new Float64Array(count * count);
    const [right, moved, g] = [this.#right, this.#moved, this.#compliance];
    for (let first = 0; first < count; first += 3) {
      right.fill(0);
      const most = Math.min(3, count - first);
      for (let axis = 0; axis < most; axis++) {
        for (let k = LOW_RANK_NODES * (first + axis); k < LOW_RANK_NODES * (first + axis + 1); k++) {
          if (nodes[k] >= 0) right[3 * nodes[k] + axis] += coefficients[k];
        }
      }
      this.#system.precondition('fixed', right, moved);
      for (let row = 0; row < count; row++) {
        for (let axis = 0; axis < most; axis++) {
          let sum = 0;
          for (let k = LOW_RANK_NODES * row; k < LOW_RANK_NODES * (row + 1); k++) {
            if (nodes[k] >= 0) sum += coefficients[k] * moved[3 * nodes[k] + axis];
          }
          g[row * count + first + axis] = sum;
        }
      }
    }
  }

  /** Factors I + BᵀGB; false where rounding has made it indefinite. */
  #factorize(): boolean {
    const { count, rows, directions, directionCount: n } = this.#rows;
    const g = this.#compliance;
    if (this.#factor.length < n * n) this.#factor = new Float64Array(n * n);
    if (this.#values.length < n) this.#values = new Float64Array(n);
    const l = this.#factor;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const both = (g[rows[i] * count + rows[j]] + g[rows[j] * count + rows[i]]) / 2;
        let along = 0;
        for (let k = 0; k < 3; k++) along += directions[3 * i + k] * directions[3 * j + k];
        let sum = (i === j ? 1 : 0) + both * along;
        for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        if (i !== j) l[i * n + j] = sum / l[j * n + j];
        else if (sum > 0) l[i * n + i] = Math.sqrt(sum);
        else return false;
      }
    }
    return true;
  }

  #solve(): void {
    const n = this.#rows.directionCount;
    const [l, t] = [this.#factor, this.#values];
    for (let i = 0; i < n; i++) {
      let sum = t[i];
      for (let k = 0; k < i; k++) sum -= l[i * n + k] * t[k];
      t[i] = sum / l[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      t[i] /= l[i * n + i];
      for (let k = 0; k < i; k++) t[k] -= l[i * n + k] * t[i];
    }
  }
}
