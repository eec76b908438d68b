// The point of a hull that is farthest in a direction: directions are sorted into cells of a cube, and each cell knows the few points
// that are farthest in one of its directions. Cells are made when first asked for.
import { growTo } from '../../core/grow-array.js';

/** Chosen: cells along an edge of the cube of directions. */
const SIDE = 16;

/** Proven: a direction differs from that of the middle of its cell, both taken to the cube, by no more than half a diagonal of the cell. */
const OFF = (Math.SQRT2 / SIDE) * (1 + 1e-9);

/** Chosen: with fewer points all are looked at. */
const MIN_POINTS = 12;

export class SupportCells {
  /** Three numbers each. */
  readonly points: Float64Array;
  /** By cell: where its list begins, plus 1; 0 before it is made. A list is a count, and places of numbers of points. */
  readonly #first: Int32Array | null;
  #lists = new Uint16Array(64);
  #used = 0;

  constructor(points: Float64Array) {
    this.points = points;
    // Places are kept in 16 bits.
    this.#first = points.length < 3 * MIN_POINTS || points.length > 2 ** 16 ? null : new Int32Array(6 * SIDE * SIDE);
  }

  /** Where the numbers of the farthest point are. */
  farthest(u: number, v: number, w: number): number {
    const { points } = this;
    const first = this.#first;
    let most = -Infinity;
    let best = 0;
    if (first === null) {
      for (let i = 0; i < points.length; i += 3) {
        const height = points[i] * u + points[i + 1] * v + points[i + 2] * w;
        if (height > most) {
          most = height;
          best = i;
        }
      }
      return best;
    }
    const x = Math.abs(u);
    const y = Math.abs(v);
    const z = Math.abs(w);
    const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const along = axis === 0 ? u : axis === 1 ? v : w;
    const scale = SIDE / 2 / Math.abs(along);
    const p = Math.min(SIDE - 1, Math.floor((axis === 0 ? v : u) * scale + SIDE / 2));
    const q = Math.min(SIDE - 1, Math.floor((axis === 2 ? v : w) * scale + SIDE / 2));
    // Of no direction at all every point is the farthest.
    if (!(p >= 0 && q >= 0)) return 0;
    const cell = p + SIDE * (q + SIDE * (2 * axis + (along > 0 ? 1 : 0)));
    const list = first[cell] > 0 ? first[cell] - 1 : this.#fill(cell, axis, along > 0 ? 1 : -1, p, q);
    const lists = this.#lists;
    for (let n = list + 1, end = n + lists[list]; n < end; n++) {
      const i = lists[n];
      const height = points[i] * u + points[i + 1] * v + points[i + 2] * w;
      if (height > most) {
        most = height;
        best = i;
      }
    }
    return best;
  }

  /** How far a point reaches in a direction. */
  height(place: number, u: number, v: number, w: number): number {
    const { points } = this;
    return points[place] * u + points[place + 1] * v + points[place + 2] * w;
  }

  /** Lists the points that are farthest in a direction of a cell: others are lower in its middle by more than directions differ. */
  #fill(cell: number, axis: number, sign: number, p: number, q: number): number {
    const middle = [0, 0, 0];
    middle[axis] = sign;
    middle[axis === 0 ? 1 : 0] = (2 * (p + 0.5)) / SIDE - 1;
    middle[axis === 2 ? 1 : 2] = (2 * (q + 0.5)) / SIDE - 1;
    const { points } = this;
    const heightAt = (i: number): number =>
      points[i] * middle[0] + points[i + 1] * middle[1] + points[i + 2] * middle[2];
    let top = 0;
    for (let i = 3; i < points.length; i += 3) if (heightAt(i) > heightAt(top)) top = i;
    const highest = heightAt(top);
    const found: number[] = [];
    for (let i = 0; i < points.length; i += 3) {
      const away = Math.hypot(
        points[i] - points[top],
        points[i + 1] - points[top + 1],
        points[i + 2] - points[top + 2],
      );
      if (highest - heightAt(i) <= OFF * away) found.push(i);
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
