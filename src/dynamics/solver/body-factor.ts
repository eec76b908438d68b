// Cholesky factors of a symmetric matrix of 6 × 6 blocks, one block row a body, with blocks where two bodies touch. Bodies are
// eliminated by minimum degree; columns are dense lists of blocks (Davis 2006, chapter 4, by blocks).
import { growTo } from '../../core/grow-array.js';
import { eliminationTree, invertOrder } from '../../elastic/sparse/elimination-order.js';
import { minimumDegree } from '../../elastic/sparse/minimum-degree.js';

/** Layout: numbers of a block. */
const BLOCK = 36;

export class BodyFactor {
  /** Blocks of the lower triangle by columns, the diagonal first; row-major. */
  values = new Float64Array(0);
  #size = 0;
  #order = new Int32Array(0);
  #inverse = new Int32Array(0);
  #start = new Int32Array(1);
  #rows = new Int32Array(0);
  #work = new Float64Array(0);

  /**
   * Finds the pattern of the factor.
   * @param pairs two bodies that touch in turn, each pair once.
   */
  analyze(size: number, pairs: readonly number[]): void {
    const pattern = patternOf(size, pairs);
    const order = minimumDegree(pattern);
    const inverse = invertOrder(order);
    const parents = eliminationTree(pattern, order, inverse);
    const below: number[][] = Array.from({ length: size }, () => []);
    const marks = new Int32Array(size).fill(-1);
    const start = new Int32Array(size + 1);
    const { rowStart, columns } = pattern;
    for (let k = 0; k < size; k++) {
      const row = order[k];
      const found = below[k];
      marks[k] = k;
      // Those of children are here already.
      let kept = 0;
      for (const r of found) {
        if (marks[r] === k) continue;
        marks[r] = k;
        found[kept++] = r;
      }
      found.length = kept;
      for (let p = rowStart[row]; p < rowStart[row + 1]; p++) {
        const r = inverse[columns[p]];
        if (r <= k || marks[r] === k) continue;
        marks[r] = k;
        found.push(r);
      }
      found.sort((p, q) => p - q);
      start[k + 1] = start[k] + 1 + found.length;
      if (parents[k] >= 0) for (const r of found) if (r !== parents[k]) below[parents[k]].push(r);
    }
    this.#size = size;
    this.#order = order;
    this.#inverse = inverse;
    this.#start = start;
    this.#rows = growTo(this.#rows, start[size]);
    for (let k = 0; k < size; k++) {
      this.#rows[start[k]] = k;
      this.#rows.set(below[k], start[k] + 1);
    }
    this.values = growTo(this.values, BLOCK * start[size]);
    this.#work = growTo(this.#work, 6 * size);
  }

  /** Blocks of the factor. */
  get blocks(): number {
    return this.#start[this.#size];
  }

  /** Sets all blocks to 0, to add to. */
  clear(): void {
    this.values.fill(0, 0, BLOCK * this.blocks);
  }

  /** Where the diagonal block of a body is in {@link values}. */
  diagonalOf(body: number): number {
    return BLOCK * this.#start[this.#inverse[body]];
  }

  /** Whether the block of two bodies is kept as that of the first, by rows, and the second; otherwise the other way around. */
  isLower(a: number, b: number): boolean {
    return this.#inverse[a] > this.#inverse[b];
  }

  /** Where the block of two bodies that touch is in {@link values}. */
  blockOf(a: number, b: number): number {
    const row = Math.max(this.#inverse[a], this.#inverse[b]);
    const column = Math.min(this.#inverse[a], this.#inverse[b]);
    let low = this.#start[column];
    let high = this.#start[column + 1] - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle] < row) low = middle + 1;
      else high = middle;
    }
    return BLOCK * low;
  }

  /** Puts the factor in place of the matrix; false where that is not positive definite. */
  factor(): boolean {
    const start = this.#start;
    const rows = this.#rows;
    const v = this.values;
    for (let k = 0; k < this.#size; k++) {
      const first = start[k];
      const end = start[k + 1];
      if (!factorBlock(v, BLOCK * first)) return false;
      for (let p = first + 1; p < end; p++) divideBlock(v, BLOCK * p, BLOCK * first);
      for (let q = first + 1; q < end; q++) {
        const column = rows[q];
        let at = start[column];
        for (let p = q; p < end; p++) {
          const row = rows[p];
          while (rows[at] < row) at++;
          subtractProduct(v, BLOCK * at, BLOCK * p, BLOCK * q);
        }
      }
    }
    return true;
  }

  /** Solves for one right-hand side in place, six numbers a body. */
  solve(b: Float64Array): void {
    const start = this.#start;
    const rows = this.#rows;
    const order = this.#order;
    const v = this.values;
    const w = this.#work;
    const n = this.#size;
    for (let k = 0; k < n; k++) for (let c = 0; c < 6; c++) w[6 * k + c] = b[6 * order[k] + c];
    for (let k = 0; k < n; k++) {
      const d = BLOCK * start[k];
      const x = 6 * k;
      for (let i = 0; i < 6; i++) {
        let sum = w[x + i];
        for (let j = 0; j < i; j++) sum -= v[d + 6 * i + j] * w[x + j];
        w[x + i] = sum / v[d + 7 * i];
      }
      for (let p = start[k] + 1; p < start[k + 1]; p++) {
        const y = 6 * rows[p];
        const o = BLOCK * p;
        for (let i = 0; i < 6; i++) {
          const r = o + 6 * i;
          w[y + i] -=
            v[r] * w[x] +
            v[r + 1] * w[x + 1] +
            v[r + 2] * w[x + 2] +
            v[r + 3] * w[x + 3] +
            v[r + 4] * w[x + 4] +
            v[r + 5] * w[x + 5];
        }
      }
    }
    for (let k = n - 1; k >= 0; k--) {
      const d = BLOCK * start[k];
      const x = 6 * k;
      for (let p = start[k] + 1; p < start[k + 1]; p++) {
        const y = 6 * rows[p];
        const o = BLOCK * p;
        for (let i = 0; i < 6; i++) {
          const value = w[y + i];
          const r = o + 6 * i;
          for (let j = 0; j < 6; j++) w[x + j] -= v[r + j] * value;
        }
      }
      for (let i = 5; i >= 0; i--) {
        let sum = w[x + i];
        for (let j = i + 1; j < 6; j++) sum -= v[d + 6 * j + i] * w[x + j];
        w[x + i] = sum / v[d + 7 * i];
      }
    }
    for (let k = 0; k < n; k++) for (let c = 0; c < 6; c++) b[6 * order[k] + c] = w[6 * k + c];
  }
}

function patternOf(size: number, pairs: readonly number[]) {
  const sets: number[][] = Array.from({ length: size }, (_, i) => [i]);
  for (let p = 0; p < pairs.length; p += 2) {
    sets[pairs[p]].push(pairs[p + 1]);
    sets[pairs[p + 1]].push(pairs[p]);
  }
  const rowStart = new Int32Array(size + 1);
  for (let i = 0; i < size; i++) rowStart[i + 1] = rowStart[i] + sets[i].length;
  const columns = new Int32Array(rowStart[size]);
  const diagonal = new Int32Array(size);
  for (let i = 0; i < size; i++) {
    sets[i].sort((p, q) => p - q);
    columns.set(sets[i], rowStart[i]);
    diagonal[i] = rowStart[i] + sets[i].indexOf(i);
  }
  return { nodes: size, rowStart, columns, diagonal, places: new Int32Array(0) };
}

/** The lower Cholesky factor of a block in its place. */
function factorBlock(v: Float64Array, o: number): boolean {
  for (let j = 0; j < 6; j++) {
    let d = v[o + 7 * j];
    for (let k = 0; k < j; k++) d -= v[o + 6 * j + k] ** 2;
    if (!(d > 0)) return false;
    const root = Math.sqrt(d);
    v[o + 7 * j] = root;
    for (let i = j + 1; i < 6; i++) {
      let sum = v[o + 6 * i + j];
      for (let k = 0; k < j; k++) sum -= v[o + 6 * i + k] * v[o + 6 * j + k];
      v[o + 6 * i + j] = sum / root;
    }
  }
  return true;
}

/** X Lᵀ = A for a block, in its place. */
function divideBlock(v: Float64Array, o: number, d: number): void {
  for (let i = 0; i < 6; i++) {
    const r = o + 6 * i;
    for (let j = 0; j < 6; j++) {
      let sum = v[r + j];
      for (let k = 0; k < j; k++) sum -= v[r + k] * v[d + 6 * j + k];
      v[r + j] = sum / v[d + 7 * j];
    }
  }
}

/** A −= B Cᵀ. */
function subtractProduct(v: Float64Array, a: number, b: number, c: number): void {
  for (let i = 0; i < 6; i++) {
    const r = b + 6 * i;
    const b0 = v[r];
    const b1 = v[r + 1];
    const b2 = v[r + 2];
    const b3 = v[r + 3];
    const b4 = v[r + 4];
    const b5 = v[r + 5];
    for (let j = 0; j < 6; j++) {
      const s = c + 6 * j;
      v[a + 6 * i + j] -=
        b0 * v[s] + b1 * v[s + 1] + b2 * v[s + 2] + b3 * v[s + 3] + b4 * v[s + 4] + b5 * v[s + 5];
    }
  }
}
