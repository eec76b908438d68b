// The samples of one small tile: squares of distances to one candidate after the other, and the nearest so far. Loops
// run over the samples, so that what depends on the candidate alone is read once.
import {
  ARC,
  POINT,
  SEGMENT,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';
import { type Candidates, SHAPE_SQUARE, SHAPE_VECTOR } from './candidates.js';

/** The most samples along a side of a tile. */
export const TILE_SIDE = 8;

const MOST = TILE_SIDE * TILE_SIDE;

/** Compares candidates over a tile. */
export class TileSamples {
  /** The squares of distances to the current candidate. */
  readonly #squares = new Float64Array(MOST);
  /** By sample: the least value so far, squares of distances without weights, and the site that has it. */
  readonly #least = new Float64Array(MOST);
  readonly #nearest = new Int32Array(MOST);
  #candidates: Candidates;
  #xs: Float64Array;
  #ys: Float64Array;
  #left = 0;
  #top = 0;
  #right = 0;
  #bottom = 0;

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
    this.#least.fill(Infinity);
  }

  /** Compares one more candidate. Of sites equally far the lowest is taken. */
  add(element: number): void {
    const { unweighted, kinds } = this.#candidates;
    if (unweighted && kinds[element] === POINT) this.#addPoint(element);
    else if (unweighted && kinds[element] === SEGMENT) this.#addSegment(element);
    else this.#addAny(element);
  }

  #addAny(element: number): void {
    this.#measure(element);
    const site = this.#candidates.site[element];
    const count = (this.#right - this.#left) * (this.#bottom - this.#top);
    const squares = this.#squares;
    const least = this.#least;
    const nearest = this.#nearest;
    if (this.#candidates.unweighted) {
      for (let i = 0; i < count; i++) {
        if (squares[i] <= least[i] && (squares[i] < least[i] || site < nearest[i])) {
          least[i] = squares[i];
          nearest[i] = site;
        }
      }
      return;
    }
    const weight = this.#candidates.weights[element];
    const offset = this.#candidates.offsets[element];
    for (let i = 0; i < count; i++) {
      const value = Math.sqrt(squares[i]) / weight - offset;
      if (value <= least[i] && (value < least[i] || site < nearest[i])) {
        least[i] = value;
        nearest[i] = site;
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

  // The two most frequent cases are compared as they are measured: a third faster.
  #addPoint(element: number): void {
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
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const ry = ys[row] - by;
      const pyy = py * py;
      const ryy = ry * ry;
      const dotY = py * uy;
      const crossY = py * ux;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        const dot = px * ux + dotY;
        let value: number;
        if (dot <= 0) value = px * px + pyy;
        else if (dot < square) {
          const cross = px * uy - crossY;
          value = (cross * cross) / square;
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

  #measure(element: number): void {
    const { kinds, shapes } = this.#candidates;
    const at = SHAPE_STRIDE * element;
    const kind = kinds[element];
    if (kind === POINT) this.#measurePoint(shapes[at], shapes[at + 1]);
    else if (kind === ARC) this.#measureArc(at);
    else this.#measureSegment(at);
  }

  #measurePoint(ax: number, ay: number): void {
    const squares = this.#squares;
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

  #measureSegment(at: number): void {
    const { shapes } = this.#candidates;
    const squares = this.#squares;
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
    let to = 0;
    for (let row = this.#top; row < bottom; row++) {
      const py = ys[row] - ay;
      const ry = ys[row] - by;
      const pyy = py * py;
      const ryy = ry * ry;
      const dotY = py * uy;
      const crossY = py * ux;
      for (let column = left; column < right; column++) {
        const px = xs[column] - ax;
        const dot = px * ux + dotY;
        let value: number;
        if (dot <= 0) value = px * px + pyy;
        else if (dot < square) {
          const cross = px * uy - crossY;
          value = (cross * cross) / square;
        } else {
          const rx = xs[column] - bx;
          value = rx * rx + ryy;
        }
        squares[to++] = value;
      }
    }
  }

  #measureArc(at: number): void {
    const { shapes } = this.#candidates;
    const squares = this.#squares;
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
