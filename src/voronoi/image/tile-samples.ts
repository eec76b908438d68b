// The samples of one small tile: squares of distances to one candidate after the other, and the nearest so far. Loops
// run over the samples, so that what depends on the candidate alone is read once.
import {
  SEGMENT,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';
import { type Candidates, SHAPE_NORMAL, SHAPE_SQUARE, SHAPE_VECTOR } from './candidates.js';
import { LINEAR, POINTLIKE } from './tile-forms.js';

/** Chosen: the largest number of samples along a side of a tile. */
export const TILE_SIDE = 8;

/** Layout: the samples of the largest tile. */
const MAX_SAMPLES = TILE_SIDE * TILE_SIDE;

/** Compares candidates over a tile. */
export class TileSamples {
  /** The squares of distances to the current candidate. */
  readonly #squares = new Float64Array(MAX_SAMPLES);
  /** By sample: the least value so far, squares of distances without weights, and the site that has it. */
  readonly #least = new Float64Array(MAX_SAMPLES);
  readonly #nearest = new Int32Array(MAX_SAMPLES);
  #candidates: Candidates;
  #xs: Float64Array;
  #ys: Float64Array;
  #left = 0;
  #top = 0;
  #right = 0;
  #bottom = 0;
  /** Candidates of the tile so far. */
  #added = 0;

  /** @param xs and `ys`: where the samples of the image are. */
  constructor(candidates: Candidates, xs: Float64Array, ys: Float64Array) {
    this.#candidates = candidates;
    this.#xs = xs;
    this.#ys = ys;
  }

  /** Begins with a tile: rows `top` to before `bottom`, columns `left` to before `right`. */
  begin(left: number, top: number, right: number, bottom: number): void {
    this.#left = left;
    this.#top = top;
    this.#right = right;
    this.#bottom = bottom;
    this.#added = 0;
  }

  /**
   * Compares one more candidate. Of sites equally far the lowest is taken.
   * @param form what the distance is like over the tile, with the point or gradient (x, y) that belongs to it.
   */
  add(element: number, form: number, x: number, y: number): void {
    const { unweighted, kinds, site } = this.#candidates;
    if (!unweighted) this.#addWeighted(element, form, x, y);
    else if (this.#added === 0) {
      this.#measure(element, form, x, y, this.#least);
      this.#nearest.fill(site[element]);
    } else if (form === POINTLIKE) this.#addPoint(site[element], x, y);
    else if (form === LINEAR) this.#addLine(element, x, y);
    else if (kinds[element] === SEGMENT) this.#addSegment(element);
    else this.#addAny(element, form, x, y);
    this.#added++;
  }

  #addAny(element: number, form: number, x: number, y: number): void {
    const squares = this.#squares;
    const least = this.#least;
    const nearest = this.#nearest;
    const site = this.#candidates.site[element];
    const count = (this.#right - this.#left) * (this.#bottom - this.#top);
    this.#measure(element, form, x, y, squares);
    for (let i = 0; i < count; i++) {
      if (squares[i] <= least[i] && (squares[i] < least[i] || site < nearest[i])) {
        least[i] = squares[i];
        nearest[i] = site;
      }
    }
  }

  #addWeighted(element: number, form: number, x: number, y: number): void {
    const squares = this.#squares;
    const least = this.#least;
    const nearest = this.#nearest;
    const { site, weights, offsets } = this.#candidates;
    const id = site[element];
    const weight = weights[element];
    const offset = offsets[element];
    const count = (this.#right - this.#left) * (this.#bottom - this.#top);
    this.#measure(element, form, x, y, squares);
    if (this.#added === 0) {
      for (let i = 0; i < count; i++) least[i] = Math.sqrt(squares[i]) / weight - offset;
      nearest.fill(id);
      return;
    }
    for (let i = 0; i < count; i++) {
      const value = Math.sqrt(squares[i]) / weight - offset;
      if (value <= least[i] && (value < least[i] || id < nearest[i])) {
        least[i] = value;
        nearest[i] = id;
      }
    }
  }

  /**
   * Writes the tile to images of the given width: −1 and ∞ beyond the largest distance. Returns the largest size of a
   * distance written.
   */
  write(ids: Int32Array, distances: Float32Array, width: number, maxDistance: number): number {
    const least = this.#least;
    const nearest = this.#nearest;
    const { unweighted } = this.#candidates;
    if (this.#added === 0) least.fill(Infinity);
    else if (unweighted && maxDistance === Infinity) return this.#writeAll(ids, distances, width);
    let largest = 0;
    let from = 0;
    for (let row = this.#top; row < this.#bottom; row++) {
      const end = row * width + this.#right;
      for (let sample = row * width + this.#left; sample < end; sample++, from++) {
        const value = unweighted ? Math.sqrt(least[from]) : least[from];
        if (value <= maxDistance && value < Infinity) {
          ids[sample] = nearest[from];
          distances[sample] = value;
          if (value > largest) largest = value;
          else if (-value > largest) largest = -value;
        } else {
          ids[sample] = -1;
          distances[sample] = Infinity;
        }
      }
    }
    return largest;
  }

  /** Every sample has a site: without the questions whether it has, twice as fast. */
  #writeAll(ids: Int32Array, distances: Float32Array, width: number): number {
    const least = this.#least;
    const nearest = this.#nearest;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    let largest = 0;
    let from = 0;
    for (let row = this.#top; row < bottom; row++) {
      const end = row * width + right;
      for (let sample = row * width + left; sample < end; sample++) {
        const square = least[from];
        if (square > largest) largest = square;
        distances[sample] = Math.sqrt(square);
        ids[sample] = nearest[from++];
      }
    }
    return Math.sqrt(largest);
  }

  // The most frequent cases are compared as they are measured: a third faster.
  #addPoint(id: number, ax: number, ay: number): void {
    const least = this.#least;
    const nearest = this.#nearest;
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const pyy = py * py;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        const square = px * px + pyy;
        if (square <= least[to] && (square < least[to] || id < nearest[to])) {
          least[to] = square;
          nearest[to] = id;
        }
        to++;
      }
    }
  }

  #addLine(element: number, normalX: number, normalY: number): void {
    const { shapes, site } = this.#candidates;
    const ax = shapes[SHAPE_STRIDE * element];
    const ay = shapes[SHAPE_STRIDE * element + 1];
    const id = site[element];
    const least = this.#least;
    const nearest = this.#nearest;
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const across = (ys[row] - ay) * normalY;
      for (let column = left; column < right; column++) {
        const distance = (xs[column] - ax) * normalX + across;
        const square = distance * distance;
        if (square <= least[to] && (square < least[to] || id < nearest[to])) {
          least[to] = square;
          nearest[to] = id;
        }
        to++;
      }
    }
  }

  #addSegment(element: number): void {
    const { shapes, site } = this.#candidates;
    const at = SHAPE_STRIDE * element;
    const id = site[element];
    const least = this.#least;
    const nearest = this.#nearest;
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    const ax = shapes[at];
    const ay = shapes[at + 1];
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    const ux = shapes[at + SHAPE_VECTOR];
    const uy = shapes[at + SHAPE_VECTOR + 1];
    const square = shapes[at + SHAPE_SQUARE];
    const normalX = shapes[at + SHAPE_NORMAL];
    const normalY = shapes[at + SHAPE_NORMAL + 1];
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const ry = ys[row] - by;
      const pyy = py * py;
      const ryy = ry * ry;
      const dotY = py * uy;
      const acrossY = py * normalY;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        const dot = px * ux + dotY;
        let value: number;
        if (dot <= 0) value = px * px + pyy;
        else if (dot < square) {
          const across = px * normalX + acrossY;
          value = across * across;
        } else {
          const rx = xs[column] - bx;
          value = rx * rx + ryy;
        }
        if (value <= least[to] && (value < least[to] || id < nearest[to])) {
          least[to] = value;
          nearest[to] = id;
        }
        to++;
      }
    }
  }

  /** Writes the squares of distances to `squares`. */
  #measure(element: number, form: number, x: number, y: number, squares: Float64Array): void {
    const at = SHAPE_STRIDE * element;
    if (form === POINTLIKE) this.#measurePoint(x, y, squares);
    else if (form === LINEAR) this.#measureLine(at, x, y, squares);
    else if (this.#candidates.kinds[element] === SEGMENT) this.#measureSegment(at, squares);
    else this.#measureArc(at, squares);
  }

  #measureLine(at: number, normalX: number, normalY: number, squares: Float64Array): void {
    const { shapes } = this.#candidates;
    const ax = shapes[at];
    const ay = shapes[at + 1];
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const across = (ys[row] - ay) * normalY;
      for (let column = left; column < right; column++) {
        const distance = (xs[column] - ax) * normalX + across;
        squares[to++] = distance * distance;
      }
    }
  }

  #measurePoint(ax: number, ay: number, squares: Float64Array): void {
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const pyy = py * py;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        squares[to++] = px * px + pyy;
      }
    }
  }

  #measureSegment(at: number, squares: Float64Array): void {
    const { shapes } = this.#candidates;
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    const ax = shapes[at];
    const ay = shapes[at + 1];
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    const ux = shapes[at + SHAPE_VECTOR];
    const uy = shapes[at + SHAPE_VECTOR + 1];
    const square = shapes[at + SHAPE_SQUARE];
    const normalX = shapes[at + SHAPE_NORMAL];
    const normalY = shapes[at + SHAPE_NORMAL + 1];
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const ry = ys[row] - by;
      const pyy = py * py;
      const ryy = ry * ry;
      const dotY = py * uy;
      const acrossY = py * normalY;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        const dot = px * ux + dotY;
        let value: number;
        if (dot <= 0) value = px * px + pyy;
        else if (dot < square) {
          const across = px * normalX + acrossY;
          value = across * across;
        } else {
          const rx = xs[column] - bx;
          value = rx * rx + ryy;
        }
        squares[to++] = value;
      }
    }
  }

  #measureArc(at: number, squares: Float64Array): void {
    const { shapes } = this.#candidates;
    const xs = this.#xs;
    const ys = this.#ys;
    const left = this.#left;
    const right = this.#right;
    const bottom = this.#bottom;
    const ax = shapes[at];
    const ay = shapes[at + 1];
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    const cx = shapes[at + SHAPE_CENTER];
    const cy = shapes[at + SHAPE_CENTER + 1];
    const radius = shapes[at + SHAPE_RADIUS];
    const mx = shapes[at + SHAPE_MIDDLE];
    const my = shapes[at + SHAPE_MIDDLE + 1];
    const cosine = shapes[at + SHAPE_COSINE];
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const y = ys[row];
      const qy = y - cy;
      for (let column = left; column < right; column++) {
        const x = xs[column];
        const qx = x - cx;
        const length = Math.sqrt(qx * qx + qy * qy);
        if (qx * mx + qy * my >= cosine * length) {
          squares[to++] = (length - radius) * (length - radius);
        } else {
          const first = (x - ax) * (x - ax) + (y - ay) * (y - ay);
          const last = (x - bx) * (x - bx) + (y - by) * (y - by);
          squares[to++] = Math.min(first, last);
        }
      }
    }
  }
}
