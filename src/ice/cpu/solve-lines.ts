// Implicit diffusion of heat, one axis after the other: (1 − κ ∂²) T' = T along each line of cells by elimination (Thomas),
// which conserves the sum of a line. The factors commute on a box, so their order does not matter but for rounding.
// O(cells) per axis. Reads and writes whole rows, also for lines across them.
import type { IceBoundary } from '../ice.js';
import type { CellLayout } from './cell-layout.js';

type Numbers = Float32Array | Float64Array;

/** The elimination of lines of one length. */
class LineSolver {
  /** By cell of a line: the reciprocal pivot, and the factor of the next value. */
  readonly #inverse: Float64Array;
  readonly #factor: Float64Array;
  readonly #count: number;
  /** What a fixed wall adds to the first and the last cell. */
  readonly #wall: number;
  /** Of periodic lines: the solution that closes the ring (Sherman and Morrison 1950), and its weight. */
  readonly #ring: Float64Array | null;
  readonly #ringWeight: number = 0;
  readonly #ringEnd: number = 0;

  constructor(count: number, kappa: number, boundary: IceBoundary, wall: number) {
    this.#count = count;
    this.#inverse = new Float64Array(count);
    this.#factor = new Float64Array(count);
    const isPeriodic = boundary === 'periodic' && count > 2;
    const isFixed = boundary === 'fixed';
    this.#wall = isFixed ? 2 * kappa * wall : 0;
    // At an end: nothing passes, or the wall is half a cell away.
    const atEnd = 1 + kappa + (isFixed ? 2 * kappa : 0);
    const middle = 1 + 2 * kappa;
    let previous = 0;
    for (let i = 0; i < count; i++) {
      let pivot = middle;
      if (i === 0 || i === count - 1) pivot = atEnd;
      // A ring has no ends. A line of two has its other cell on both sides.
      if (isPeriodic) pivot = i === 0 ? 2 * middle : i === count - 1 ? middle + (kappa * kappa) / middle : middle;
      if (count === 1) pivot = isFixed ? 1 + 4 * kappa : 1;
      const off = boundary === 'periodic' && count === 2 ? 2 * kappa : kappa;
      if (boundary === 'periodic' && count === 2) pivot = middle;
      this.#inverse[i] = 1 / (pivot - off * previous);
      previous = off * this.#inverse[i];
      this.#factor[i] = previous;
    }
    this.#ring = null;
    if (isPeriodic) {
      // The matrix is that of the open line plus u vᵀ, u = (−middle, 0, …, −κ), v = (1, 0, …, κ / middle).
      const u = new Float64Array(count);
      u[0] = -middle;
      u[count - 1] = -kappa;
      this.#sweep(u, 0, 1);
      this.#ring = u;
      this.#ringEnd = kappa / middle;
      this.#ringWeight = 1 / (1 + u[0] + this.#ringEnd * u[count - 1]);
    }
  }

  /** Solves lines in place: `across` neighboring lines at once, whose cells are `stride` apart. */
  solve(values: Numbers, start: number, stride: number, across: number): void {
    const last = start + (this.#count - 1) * stride;
    for (let i = 0; i < across; i++) {
      values[start + i] += this.#wall;
      values[last + i] += this.#wall;
    }
    // By the axis, not by the number of lines, which depends on how threads share them: the two round differently.
    if (stride === 1) this.#sweep(values, start, stride);
    else this.#sweepAcross(values, start, stride, across);
    const ring = this.#ring;
    if (ring === null) return;
    for (let i = 0; i < across; i++) {
      const weight = this.#ringWeight * (values[start + i] + this.#ringEnd * values[last + i]);
      for (let n = 0, at = start + i; n < this.#count; n++, at += stride) values[at] -= weight * ring[n];
    }
  }

  #sweep(values: Numbers, start: number, stride: number): void {
    const inverse = this.#inverse;
    const factor = this.#factor;
    let held = 0;
    let at = start;
    for (let n = 0; n < this.#count; n++, at += stride) {
      held = values[at] * inverse[n] + factor[n] * held;
      values[at] = held;
    }
    at -= stride;
    for (let n = this.#count - 2; n >= 0; n--) {
      at -= stride;
      held = values[at] + factor[n] * held;
      values[at] = held;
    }
  }

  #sweepAcross(values: Numbers, start: number, stride: number, across: number): void {
    let at = start;
    for (let n = 0; n < this.#count; n++, at += stride) {
      const inverse = this.#inverse[n];
      const factor = this.#factor[n];
      if (n === 0) for (let i = at; i < at + across; i++) values[i] *= inverse;
      else for (let i = at; i < at + across; i++) values[i] = values[i] * inverse + factor * values[i - stride];
    }
    at -= stride;
    for (let n = this.#count - 2; n >= 0; n--) {
      at -= stride;
      const factor = this.#factor[n];
      for (let i = at; i < at + across; i++) values[i] += factor * values[i + stride];
    }
  }
}

/** Chosen: the smallest number of neighboring lines across rows that are solved together: whole cache lines. */
const ACROSS = 64;

/** Implicit diffusion of heat in a growth: one stage for each axis, whose pieces are rows of cells or columns of them. */
export class HeatSolver {
  readonly #layout: CellLayout;
  readonly #axes: readonly LineSolver[];
  readonly #blocks: number;

  constructor(layout: CellLayout, kappa: number, boundary: IceBoundary, wall: number) {
    this.#layout = layout;
    this.#axes = layout.size.map((count) => new LineSolver(count, kappa, boundary, wall));
    this.#blocks = Math.ceil(layout.size[0] / ACROSS);
  }

  pieces(axis: number): number {
    const [, ny, nz] = this.#layout.size;
    if (axis === 0) return ny * nz;
    if (axis === 1) return ny > 1 ? this.#blocks * nz : 0;
    return nz > 1 ? ny : 0;
  }

  /** Diffuses along some lines of an axis. */
  run(axis: number, values: Numbers, from: number, to: number): void {
    const [nx, ny] = this.#layout.size;
    const { first, row, layer } = this.#layout;
    const solver = this.#axes[axis];
    if (axis === 0) {
      for (let i = from; i < to; i++) solver.solve(values, first + Math.floor(i / ny) * layer + (i % ny) * row, 1, 1);
    } else if (axis === 1) {
      for (let i = from; i < to; ) {
        const z = Math.floor(i / this.#blocks);
        const x = (i - z * this.#blocks) * ACROSS;
        i = Math.min(to, (z + 1) * this.#blocks);
        const end = Math.min(nx, (i - z * this.#blocks) * ACROSS);
        solver.solve(values, first + z * layer + x, row, end - x);
      }
    } else for (let y = from; y < to; y++) solver.solve(values, first + y * row, layer, nx);
  }
}
