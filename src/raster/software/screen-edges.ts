// The three edges of a triangle on the screen, in homogeneous coordinates (Olano and Greer 1997): the side of a pixel's
// center p is the sign of det(v1, v2, p), which is also right for corners behind the eye, so no clipping is needed
// first. Plain arithmetic decides the sign beyond its rounding error, exact arithmetic within it (Shewchuk 1997):
// triangles that share corners neither overlap nor leave gaps.
import { exactSide, exactTurn, UNDERFLOW_BOUND } from '../../core/exact/orientation.js';

/**
 * Rounding: the crossing of a row and an edge rounds by this times the sum of the products' sizes or less: 32 units of
 * 2⁻⁵³.
 */
const CROSSING_ROUNDING = 2 ** -48;

/** Chosen: a crossing that is less certain than this, in pixels, is searched for. */
const CERTAIN_CROSSING = 0.25;

/** Layout: numbers per edge: its two corners, (X, Y) pixels × w and w, and the following. */
const STRIDE = 14;
/** Layout: offset of a, where the side of a point is a·x + b·y + c, positive inside. */
const A = 6;
/** Layout: offset of b. */
const B = 7;
/** Layout: offset of c. */
const C = 8;
/** Layout: offset of the largest rounding error of a·x + b·y + c anywhere on the screen. */
const SIDE_ROUNDING = 9;
/**
 * Layout: offset of which end of a row the edge bounds: {@link LEFT}, {@link RIGHT}, or {@link SEARCH} if dividing by a
 * is too inaccurate.
 */
const END = 10;
/** Layout: offset of the column where row 0 crosses the edge, counted so that pixel centers are whole. */
const ORIGIN = 11;
/** Layout: offset of the change of that column from row to row. */
const SLOPE = 12;
/** Layout: offset of the largest rounding error of that column. */
const UNCERTAIN = 13;

/** Label: the edge's end of a row is searched for. */
const SEARCH = 0;
/** Label: the edge bounds the left end of a row. */
const LEFT = 1;
/** Label: the edge bounds the right end of a row. */
const RIGHT = 2;

/** Three edges, and the run of pixels between them in one row. */
export class ScreenEdges {
  /** The run found by {@link cutRow}: from `first` to `last` inclusive; empty if `last` is smaller. */
  first = 0;
  last = 0;
  readonly #edges = new Float64Array(3 * STRIDE);
  readonly #width: number;
  readonly #height: number;

  /** Takes the size of the screen in pixels. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Sets an edge by its corners; the inside lies where det(v1, v2, p) > 0. */
  set(index: number, x1: number, y1: number, w1: number, x2: number, y2: number, w2: number): void {
    const width = this.#width;
    const height = this.#height;
    const edges = this.#edges;
    const e = index * STRIDE;
    const y1w2 = y1 * w2;
    const w1y2 = w1 * y2;
    const w1x2 = w1 * x2;
    const x1w2 = x1 * w2;
    const x1y2 = x1 * y2;
    const y1x2 = y1 * x2;
    const a = y1w2 - w1y2;
    const b = w1x2 - x1w2;
    const c = x1y2 - y1x2;
    const rounding =
      CROSSING_ROUNDING *
        ((Math.abs(y1w2) + Math.abs(w1y2)) * width +
          (Math.abs(w1x2) + Math.abs(x1w2)) * height +
          Math.abs(x1y2) +
          Math.abs(y1x2)) +
      UNDERFLOW_BOUND;
    edges[e] = x1;
    edges[e + 1] = y1;
    edges[e + 2] = w1;
    edges[e + 3] = x2;
    edges[e + 4] = y2;
    edges[e + 5] = w2;
    edges[e + A] = a;
    edges[e + B] = b;
    edges[e + C] = c;
    edges[e + SIDE_ROUNDING] = rounding;
    const inverse = 1 / a;
    const uncertain = rounding * Math.abs(inverse);
    edges[e + UNCERTAIN] = uncertain;
    // If a is zero this is NaN or infinite: also searched.
    if (uncertain < CERTAIN_CROSSING) {
      const slope = -b * inverse;
      edges[e + END] = a > 0 ? LEFT : RIGHT;
      edges[e + SLOPE] = slope;
      edges[e + ORIGIN] = 0.5 * slope - c * inverse - 0.5;
    } else {
      edges[e + END] = SEARCH;
    }
  }

  /** The side of a point on the screen is a·x + b·y + c. */
  a(index: number): number {
    return this.#edges[index * STRIDE + A];
  }

  b(index: number): number {
    return this.#edges[index * STRIDE + B];
  }

  c(index: number): number {
    return this.#edges[index * STRIDE + C];
  }

  /** Finds the pixels of a row that are inside all three edges, among those from `first` to `last`. */
  cutRow(row: number, first: number, last: number): void {
    const edges = this.#edges;
    for (let e = 0; e < 3 * STRIDE; e += STRIDE) {
      const end = edges[e + END];
      if (end === SEARCH) {
        this.#searchRow(e, row, first, last);
        first = this.first;
        last = this.last;
        if (first > last) break;
        continue;
      }
      const crossing = edges[e + ORIGIN] + edges[e + SLOPE] * row;
      const uncertain = edges[e + UNCERTAIN];
      if (end === LEFT) {
        if (crossing <= first - 1) continue;
        if (crossing >= last + 1) {
          first = last + 1;
          break;
        }
        let column = Math.ceil(crossing);
        const gap = column - crossing;
        if (gap <= uncertain || gap >= 1 - uncertain) {
          column = Math.round(crossing);
          if (!this.#covers(e, row, column)) column++;
        }
        if (column > first) first = column;
      } else {
        if (crossing >= last + 1) continue;
        if (crossing <= first - 1) {
          last = first - 1;
          break;
        }
        let column = Math.floor(crossing);
        const gap = crossing - column;
        if (gap <= uncertain || gap >= 1 - uncertain) {
          column = Math.round(crossing);
          if (!this.#covers(e, row, column)) column--;
        }
        if (column < last) last = column;
      }
    }
    this.first = first;
    this.last = last;
  }

  /** The same for an edge along the row or nearly so. Inside lies at one end of the row, or is all or none of it. */
  #searchRow(e: number, row: number, first: number, last: number): void {
    const coversFirst = this.#covers(e, row, first);
    const coversLast = this.#covers(e, row, last);
    if (coversFirst !== coversLast) {
      let low = first;
      let high = last;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.#covers(e, row, middle) === coversFirst) low = middle;
        else high = middle;
      }
      if (coversFirst) last = low;
      else first = high;
    } else if (!coversFirst) {
      last = first - 1;
    }
    this.first = first;
    this.last = last;
  }

  /** Whether the center of a pixel is inside an edge, or on it if the edge is a top or a left one. Exact. */
  #covers(e: number, row: number, column: number): boolean {
    const edges = this.#edges;
    const x = column + 0.5;
    const y = row + 0.5;
    const side = edges[e + A] * x + edges[e + B] * y + edges[e + C];
    if (side > edges[e + SIDE_ROUNDING]) return true;
    if (side < -edges[e + SIDE_ROUNDING]) return false;
    const exact = exactSide(
      edges[e],
      edges[e + 1],
      edges[e + 2],
      edges[e + 3],
      edges[e + 4],
      edges[e + 5],
      x,
      y,
      1,
      0,
      0,
      0,
    );
    return exact === 0 ? this.#isTopLeft(e) : exact < 0;
  }

  /**
   * A left edge has the inside at larger x; a top edge is horizontal with the inside below. This is as if every center
   * lay slightly to the right, and even less below. Products round monotonically: a difference of two never has the
   * wrong sign, but may become 0.
   */
  #isTopLeft(e: number): boolean {
    const edges = this.#edges;
    const a = edges[e + A] || exactTurn(edges[e + 1], edges[e + 2], edges[e + 4], edges[e + 5], 0, 0);
    if (a !== 0) return a > 0;
    const b = edges[e + B] || exactTurn(edges[e + 2], edges[e], edges[e + 5], edges[e + 3], 0, 0);
    return b > 0;
  }
}
