// The point of a hull that is farthest in a direction: directions are sorted into cells of a cube, and each cell knows the few points
// that are farthest in one of its directions. Cells are made when first asked for.
import { growTo } from '../../core/grow-array.js';

/** Chosen: cells along an edge of the cube of directions. */
const SIDE = 16;

/** Proven: a direction differs from that of the middle of its cell, both taken to the cube, by no more than half a diagonal of the cell. */
const OFF = (Math.SQRT2 / SIDE) * (1 + 1e-9);

/** Chosen: with fewer points all are looked at. */
const MIN_POINTS = 12;

/** Format: places of numbers are kept in 16 bits. */
const MAX_PLACES = 2 ** 16;

export class SupportCells {
  /** Three numbers each. */
  readonly points: Float64Array;
  /** By cell: where its list begins, plus 1; 0 before it is made. A list is a count, and places of numbers of points. */
  #first: Int32Array | null = null;
  #lists = new Uint16Array(64);
  #used = 0;

  constructor(points: Float64Array) {
    this.points = points;
  }

  /**
   * Finds the farthest points in some directions. In one piece, with numbers in arrays: the engine makes an object of each number that
   * a call passes, which cost a fourth of searches.
   * @param directions three numbers each.
   * @param places where the numbers of the points found are written.
   * @param heights how far these reach in their directions is added there.
   */
  reach(directions: Float64Array, count: number, places: Int32Array, heights: Float64Array): void {
    const { points } = this;
    const length = points.length;
    if (length >= 3 * MIN_POINTS && length <= MAX_PLACES) this.#first ??= new Int32Array(6 * SIDE * SIDE);
    const first = this.#first;
    for (let n = 0; n < count; n++) {
      const u = directions[3 * n];
      const v = directions[3 * n + 1];
      const w = directions[3 * n + 2];
      let most = -Infinity;
      let best = 0;
      if (first === null) {
        for (let i = 0; i < length; i += 3) {
          const height = points[i] * u + points[i + 1] * v + points[i + 2] * w;
          if (height > most) {
            most = height;
            best = i;
          }
        }
      } else {
        const x = Math.abs(u);
        const y = Math.abs(v);
        const z = Math.abs(w);
        const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
        const along = axis === 0 ? u : axis === 1 ? v : w;
        const scale = SIDE / 2 / Math.abs(along);
        const p = Math.min(SIDE - 1, Math.floor((axis === 0 ? v : u) * scale + SIDE / 2));
        const q = Math.min(SIDE - 1, Math.floor((axis === 2 ? v : w) * scale + SIDE / 2));
        if (p >= 0 && q >= 0) {
          const cell = p + SIDE * (q + SIDE * (2 * axis + (along > 0 ? 1 : 0)));
          const list = first[cell] > 0 ? first[cell] - 1 : this.#fill(cell, axis, along > 0 ? 1 : -1, p, q);
          const lists = this.#lists;
          for (let k = list + 1, end = k + lists[list]; k < end; k++) {
            const i = lists[k];
            const height = points[i] * u + points[i + 1] * v + points[i + 2] * w;
            if (height > most) {
              most = height;
              best = i;
            }
          }
        } else {
          // Of no direction at all every point is the farthest.
          most = points[0] * u + points[1] * v + points[2] * w;
        }
      }
      places[n] = best;
      heights[n] += most;
    }
  }

  /** Lists the points that are farthest in a direction of a cell: others are lower in its middle by more than directions differ. */
  #fill(cell: number, axis: number, sign: number, p: number, q: number): number {
    const middle = [0, 0, 0];
    middle[axis] = sign;
    middle[axis === 0 ? 1 : 0] = (2 * (p + 0.5)) / SIDE - 1;
    middle[axis === 2 ? 1 : 2] = (2 * (q + 0.5)) / SIDE - 1;
    const { points } = this;
    const [x, y, z] = middle;
    let top = 0;
    let highest = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const height = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (height > highest) [top, highest] = [i, height];
    }
    const found: number[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const dx = points[i] - points[top];
      const dy = points[i + 1] - points[top + 1];
      const dz = points[i + 2] - points[top + 2];
      const height = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (highest - height <= OFF * Math.sqrt(dx * dx + dy * dy + dz * dz)) found.push(i);
    }
    const list = this.#used;
    this.#used += 1 + found.length;
    this.#lists = growTo(this.#lists, this.#used);
    this.#lists[list] = found.length;
    this.#lists.set(found, list + 1);
    this.#first![cell] = list + 1;
    return list;
  }
}
