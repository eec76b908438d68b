// Cholesky factors of a sparse symmetric positive definite matrix: the pattern of the factor is found once from the
// elimination tree (Davis 2006, chapter 4), the numbers in panels. Solves for one or three interleaved right-hand sides.
import { eliminationTree, invertOrder } from './elimination-order.js';
import { PanelFactor } from './panel-factor.js';

export class SparseCholesky {
  readonly size: number;
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array;
  readonly #order: Int32Array;
  readonly #inverse: Int32Array;
  readonly #parent: Int32Array;
  /** Columns of the factor; the first entry of each is the diagonal. */
  readonly #start: Int32Array;
  readonly #rows: Int32Array;
  readonly #values: Float64Array;
  readonly #panels: PanelFactor;
  readonly #marks: Int32Array;
  readonly #stack: Int32Array;
  readonly #work: Float64Array;

  /**
   * @param rowStart of compressed rows, both triangles, with every diagonal entry.
   * @param order the rows in the order of elimination.
   */
  constructor(rowStart: Int32Array, columns: Int32Array, order: Int32Array) {
    const n = order.length;
    this.size = n;
    this.#rowStart = rowStart;
    this.#columns = columns;
    this.#order = order;
    this.#inverse = invertOrder(order);
    this.#parent = eliminationTree({ rowStart, columns }, order, this.#inverse);
    this.#marks = new Int32Array(n);
    this.#stack = new Int32Array(n);
    this.#work = new Float64Array(3 * n);
    const counts = new Int32Array(n).fill(1);
    this.#marks.fill(-1);
    for (let k = 0; k < n; k++) {
      for (let top = this.#reach(k); top < n; top++) counts[this.#stack[top]]++;
    }
    this.#start = new Int32Array(n + 1);
    for (let k = 0; k < n; k++) this.#start[k + 1] = this.#start[k] + counts[k];
    this.#rows = new Int32Array(this.#start[n]);
    this.#values = new Float64Array(this.#start[n]);
    const next = this.#start.slice(0, n);
    this.#marks.fill(-1);
    for (let k = 0; k < n; k++) {
      for (let top = this.#reach(k); top < n; top++) this.#rows[next[this.#stack[top]]++] = k;
      this.#rows[next[k]++] = k;
    }
    this.#panels = new PanelFactor(this.columns, rowStart, columns, this.#inverse);
  }

  /** Entries of the factor. */
  get entries(): number {
    return this.#rows.length;
  }

  /** The factor by columns, after {@link factor}. */
  get columns(): {
    readonly order: Int32Array;
    readonly start: Int32Array;
    readonly rows: Int32Array;
    readonly values: Float64Array;
  } {
    return { order: this.#order, start: this.#start, rows: this.#rows, values: this.#values };
  }

  /**
   * Computes the factor; false where the matrix is not positive definite. `values` are those of the compressed rows.
   */
  factor(values: Float64Array): boolean {
    return this.#panels.factor(values, this.#values);
  }

  /** Solves for one right-hand side; b and x may be the same array. */
  solve(b: Float64Array, x: Float64Array): void {
    const n = this.size;
    const w = this.#work;
    const rows = this.#rows;
    const values = this.#values;
    const start = this.#start;
    for (let i = 0; i < n; i++) w[i] = b[this.#order[i]];
    for (let j = 0; j < n; j++) {
      const value = (w[j] /= values[start[j]]);
      for (let p = start[j] + 1; p < start[j + 1]; p++) w[rows[p]] -= values[p] * value;
    }
    for (let j = n - 1; j >= 0; j--) {
      let value = w[j];
      for (let p = start[j] + 1; p < start[j + 1]; p++) value -= values[p] * w[rows[p]];
      w[j] = value / values[start[j]];
    }
    for (let i = 0; i < n; i++) x[this.#order[i]] = w[i];
  }

  /** Solves for x, y and z at once, three numbers a row. */
  solveThree(b: Float64Array, x: Float64Array): void {
    const n = this.size;
    const w = this.#work;
    const rows = this.#rows;
    const values = this.#values;
    const start = this.#start;
    for (let i = 0; i < n; i++) for (let c = 0; c < 3; c++) w[3 * i + c] = b[3 * this.#order[i] + c];
    for (let j = 0; j < n; j++) {
      const scale = 1 / values[start[j]];
      const vx = (w[3 * j] *= scale);
      const vy = (w[3 * j + 1] *= scale);
      const vz = (w[3 * j + 2] *= scale);
      for (let p = start[j] + 1; p < start[j + 1]; p++) {
        const r = 3 * rows[p];
        w[r] -= values[p] * vx;
        w[r + 1] -= values[p] * vy;
        w[r + 2] -= values[p] * vz;
      }
    }
    for (let j = n - 1; j >= 0; j--) {
      let vx = w[3 * j];
      let vy = w[3 * j + 1];
      let vz = w[3 * j + 2];
      for (let p = start[j] + 1; p < start[j + 1]; p++) {
        const r = 3 * rows[p];
        vx -= values[p] * w[r];
        vy -= values[p] * w[r + 1];
        vz -= values[p] * w[r + 2];
      }
      const scale = 1 / values[start[j]];
      w[3 * j] = vx * scale;
      w[3 * j + 1] = vy * scale;
      w[3 * j + 2] = vz * scale;
    }
    for (let i = 0; i < n; i++) for (let c = 0; c < 3; c++) x[3 * this.#order[i] + c] = w[3 * i + c];
  }

  /** The columns in row k of the factor, in topological order, at the end of the stack; returns where they begin. */
  #reach(k: number): number {
    const n = this.size;
    const stack = this.#stack;
    const marks = this.#marks;
    let top = n;
    marks[k] = k;
    const row = this.#order[k];
    for (let p = this.#rowStart[row]; p < this.#rowStart[row + 1]; p++) {
      let i = this.#inverse[this.#columns[p]];
      if (i > k) continue;
      let length = 0;
      for (; marks[i] !== k; i = this.#parent[i]) {
        stack[length++] = i;
        marks[i] = k;
      }
      while (length > 0) stack[--top] = stack[--length];
    }
    return top;
  }
}
