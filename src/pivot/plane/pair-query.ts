// The queries about two sets of edges, in the memory of one object: localize, draw, tighten, and measure distances only at
// the pixels that are reported.
import { NearfieldError } from '../../core/errors.js';
import { scanEdge } from './boundary-scan.js';
import type { EdgeSet } from './edge-set.js';
import { EdgeSides, NEAR, OUTSIDE } from './edge-sides.js';
import { Localizer } from './localize.js';
import { NearestEdge } from './nearest-edge.js';
import { assertPixels, MAX_LISTED_PIXELS, pixelSize } from './pixel-lattice.js';
import type { PlaneCounters } from './plane-result.js';
import { PointList } from './point-list.js';
import { RowCrossings } from './row-crossings.js';

/** Proven: numbers of columns and rows below this fit 32 bits. */
const MAX_COLUMNS = 2 ** 30;
/** Rounding: nearer to an edge than this share of the error, the direction is the edge's normal. */
const ON_EDGE = 1e-7;

export class PairQuery {
  readonly list = new PointList();
  readonly localizer = new Localizer();
  readonly nearest = new NearestEdge();
  readonly crossings = new RowCrossings();
  readonly otherCrossings = new RowCrossings();
  /** The frame of the last scan. */
  readonly frame = { error: 0, size: 0, column0: 0, row0: 0, columns: -1, rows: -1 };
  readonly counters: PlaneCounters = { boxPairs: 0, boxes: 0, edges: 0, pixels: 0, distances: 0 };
  readonly #sides = new EdgeSides();

  /** Begins an answer: forgets the points and the counts. */
  begin(): void {
    this.list.clear();
    const { counters } = this;
    counters.boxPairs = 0;
    counters.boxes = 0;
    counters.edges = 0;
    counters.pixels = 0;
    counters.distances = 0;
    this.localizer.boxPairs = 0;
    this.nearest.distances = 0;
  }

  /** Brings the counters up to date. */
  countWork(a: EdgeSet, b: EdgeSet): void {
    this.counters.boxPairs = this.localizer.boxPairs;
    this.counters.distances = this.nearest.distances;
    this.counters.boxes += a.boxesMade + b.boxesMade;
    a.boxesMade = 0;
    b.boxesMade = 0;
  }

  /** Adds the penetrating points of both boundaries, with the numbers of their objects. */
  penetrate(a: EdgeSet, b: EdgeSet, error: number, objectA = 0, objectB = 1): void {
    const { list, localizer } = this;
    const start = list.count;
    const near = localizer.find(a, b, error);
    this.drawInside(a, b, near ? localizer.nearA : null, error);
    this.#measureDepths(b, start, list.count, objectA);
    const half = list.count;
    list.startSet();
    this.drawInside(b, a, near ? localizer.nearB : null, error);
    this.#measureDepths(a, half, list.count, objectB);
  }

  /** Adds the points of A's boundary within the threshold of B's, with the number of A. */
  touch(a: EdgeSet, b: EdgeSet, error: number, threshold: number, object = 0): void {
    const { localizer } = this;
    if (!localizer.find(a, b, threshold + 2 * error)) return;
    const start = this.list.count;
    this.drawNear(a, localizer.nearA, error, threshold + error, b);
    this.keepWithin(b, error, threshold + error, start, object);
  }

  /**
   * Adds the samples that are within the error of A's boundary and inside B.
   * @param near whether each edge of A comes near B's boundary; null if none does.
   */
  drawInside(a: EdgeSet, b: EdgeSet, near: Uint8Array | null, error: number): void {
    const states = this.#sides.classify(a, b, near);
    if (states === null) return;
    this.#sides.boundInside(a, b, this.localizer);
    if (!this.#setFrame(a, states, error, b.minX, b.minY, b.maxX, b.maxY)) return;
    const { frame, list } = this;
    const size = frame.size;
    const isMixed = frame.rows >= 0 && near !== null;
    if (isMixed) {
      this.crossings.build(
        b,
        frame.row0,
        frame.row0 + frame.rows,
        frame.column0 * size,
        (frame.column0 + frame.columns + 1) * size,
        size,
      );
    }
    const before = list.count;
    let drawn = 0;
    for (let edge = 0; edge < a.count; edge++) {
      const state = states[edge];
      if (state === OUTSIDE) continue;
      scanEdge(a, edge, frame, state === NEAR ? this.crossings : null, list);
      drawn++;
    }
    this.counters.edges += drawn;
    this.counters.pixels += list.count - before;
  }

  /** Adds the samples within the error of those edges of A that come near B, wherever they are. */
  drawNear(a: EdgeSet, near: Uint8Array, error: number, reach: number, b: EdgeSet): void {
    const { minX, minY, maxX, maxY } = b;
    this.#sides.boundNear(this.localizer);
    if (!this.#setFrame(a, near, error, minX - reach, minY - reach, maxX + reach, maxY + reach)) return;
    const before = this.list.count;
    for (let edge = 0; edge < a.count; edge++) {
      if (near[edge] === OUTSIDE) continue;
      scanEdge(a, edge, this.frame, null, this.list);
      this.counters.edges++;
    }
    this.counters.pixels += this.list.count - before;
  }

  /** Whether a sample is near one boundary and inside the other shape. */
  overlaps(a: EdgeSet, b: EdgeSet, error: number): boolean {
    const near = this.localizer.find(a, b, error);
    this.drawInside(a, b, near ? this.localizer.nearA : null, error);
    if (this.list.count > 0) return true;
    this.drawInside(b, a, near ? this.localizer.nearB : null, error);
    return this.list.count > 0;
  }

  /** Adds the samples inside both shapes. Returns the area of the intersection, by the crossings of the rows. */
  drawVolumes(a: EdgeSet, b: EdgeSet, error: number): number {
    const { frame, list, crossings, otherCrossings } = this;
    const size = pixelSize(error);
    const left = Math.max(a.minX, b.minX);
    const right = Math.min(a.maxX, b.maxX);
    frame.error = error;
    frame.size = size;
    frame.column0 = Math.floor(left / size);
    frame.row0 = Math.floor(Math.max(a.minY, b.minY) / size);
    frame.columns = Math.floor(right / size) - frame.column0;
    frame.rows = Math.floor(Math.min(a.maxY, b.maxY) / size) - frame.row0;
    if (!(frame.columns >= 0 && frame.rows >= 0)) return 0;
    assertPixels((frame.columns + 1) * (frame.rows + 1), error, MAX_LISTED_PIXELS);
    const last = frame.row0 + frame.rows;
    crossings.build(a, frame.row0, last, left, right, size);
    otherCrossings.build(b, frame.row0, last, left, right, size);
    let area = 0;
    for (let row = 0; row <= frame.rows; row++) {
      const countA = crossings.sortRow(row);
      const countB = otherCrossings.sortRow(row);
      const xsA = crossings.sorted;
      const xsB = otherCrossings.sorted;
      let inA = crossings.startsInside(row, countA);
      let inB = otherCrossings.startsInside(row, countB);
      let x = left;
      // Along the row from crossing to crossing of either shape.
      for (let i = 0, j = 0; i <= countA && j <= countB; ) {
        const nextA = i < countA ? xsA[i] : right;
        const nextB = j < countB ? xsB[j] : right;
        const next = Math.min(nextA, nextB);
        if (inA && inB && next > x) {
          area += (next - x) * size;
          this.#addSpan(row, x, next);
        }
        x = next;
        if (i === countA && j === countB) break;
        if (i < countA && nextA <= nextB) {
          inA = !inA;
          i++;
        } else {
          inB = !inB;
          j++;
        }
      }
    }
    this.counters.pixels += list.count;
    this.placePoints(0);
    return area;
  }

  /** Adds the pixels of a row whose samples are in a span: at its start, not at its end. */
  #addSpan(row: number, from: number, to: number): void {
    const { size, column0 } = this.frame;
    const first = Math.ceil(from / size - 0.5) - column0;
    const last = Math.ceil(to / size - 0.5) - 1 - column0;
    for (let column = first; column <= last; column++) this.list.placeOf(column, row);
  }

  /** Fills in the places of the points from one on. */
  placePoints(from: number): void {
    const { columns, rows, points, count } = this.list;
    const { size, column0, row0 } = this.frame;
    for (let place = from; place < count; place++) {
      points[2 * place] = (column0 + columns[place] + 0.5) * size;
      points[2 * place + 1] = (row0 + rows[place] + 0.5) * size;
    }
  }

  /**
   * Drops the points that are farther from a shape's boundary than the limit; gives the others signed distance and
   * normal.
   */
  keepWithin(shape: EdgeSet, error: number, limit: number, start = 0, object = 0): void {
    const { list, nearest, frame, crossings } = this;
    const { size, column0, row0 } = frame;
    if (list.count === start) return;
    nearest.bind(shape, size, limit);
    let kept = start;
    for (let place = start; place < list.count; place++) {
      const x = (column0 + list.columns[place] + 0.5) * size;
      const y = (row0 + list.rows[place] + 0.5) * size;
      const distance = nearest.find(x, y);
      if (distance > limit) continue;
      list.move(place, kept);
      list.points[2 * kept] = x;
      list.points[2 * kept + 1] = y;
      list.distances[kept] = distance;
      list.directions[2 * kept] = nearest.x;
      list.directions[2 * kept + 1] = nearest.y;
      // The edge waits here until the side is known.
      list.objects[kept++] = nearest.edge;
    }
    list.count = kept;
    if (kept === start) return;
    crossings.build(shape, row0, row0 + frame.rows, column0 * size, (column0 + frame.columns + 1) * size, size);
    for (let place = start; place < kept; place++) {
      const x = list.points[2 * place];
      const y = list.points[2 * place + 1];
      const inside = crossings.inside(list.rows[place], x);
      this.writeGradient(
        shape,
        list.objects[place],
        x,
        y,
        list.distances[place],
        inside,
        error,
        list.directions,
        2 * place,
      );
      // From A to B: against the gradient.
      list.directions[2 * place] = -list.directions[2 * place];
      list.directions[2 * place + 1] = -list.directions[2 * place + 1];
      if (inside) list.distances[place] = -list.distances[place];
      list.objects[place] = object;
    }
  }

  /** Signed distances and gradients of points, one by one. */
  measureSigned(
    shape: EdgeSet,
    points: ArrayLike<number>,
    count: number,
    error: number,
    distances: Float64Array,
    gradients: Float64Array | null,
  ): void {
    const { nearest } = this;
    nearest.bind(shape, pixelSize(error));
    for (let k = 0; k < count; k++) {
      const x = points[2 * k];
      const y = points[2 * k + 1];
      if (!Number.isFinite(x + y)) {
        throw new NearfieldError('non-finite', `Point ${k} is (${x}, ${y}); give finite numbers.`, { vertex: k });
      }
      const distance = nearest.find(x, y);
      const inside = shape.contains(x, y);
      distances[k] = inside ? -distance : distance;
      if (gradients === null) continue;
      gradients[2 * k] = nearest.x;
      gradients[2 * k + 1] = nearest.y;
      this.writeGradient(shape, nearest.edge, x, y, distance, inside, error, gradients, 2 * k);
    }
  }

  /**
   * Replaces the nearest point in `out` by the unit gradient of the signed distance: away from the inside.
   * Takes scalars, for inner loops.
   */
  writeGradient(
    shape: EdgeSet,
    edge: number,
    x: number,
    y: number,
    distance: number,
    inside: boolean,
    error: number,
    out: Float64Array,
    at: number,
  ): void {
    if (distance > ON_EDGE * error) {
      const scale = (inside ? 1 : -1) / distance;
      out[at] = (out[at] - x) * scale;
      out[at + 1] = (out[at + 1] - y) * scale;
    } else this.writeNormal(shape, edge, x, y, inside, out, at);
  }

  /**
   * Sets the frame to the pixels of the box that are within the error of what is to be drawn. Returns whether there are
   * any.
   */
  #setFrame(
    a: EdgeSet,
    states: Uint8Array,
    error: number,
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
  ): boolean {
    const sides = this.#sides;
    // A little more, for rounding.
    const margin = 1.001 * error;
    const x0 = Math.max(sides.minX - margin, minX);
    const y0 = Math.max(sides.minY - margin, minY);
    const x1 = Math.min(sides.maxX + margin, maxX);
    const y1 = Math.min(sides.maxY + margin, maxY);
    const { frame } = this;
    const size = pixelSize(error);
    frame.error = error;
    frame.size = size;
    frame.column0 = Math.floor(x0 / size);
    frame.row0 = Math.floor(y0 / size);
    frame.columns = Math.floor(x1 / size) - frame.column0;
    frame.rows = Math.floor(y1 / size) - frame.row0;
    if (!(frame.columns >= 0 && frame.rows >= 0)) return false;
    this.#assertWork(a, states);
    return true;
  }

  /** Refuses a scan of too many pixels before it begins. */
  #assertWork(a: EdgeSet, states: Uint8Array): void {
    const { error, size, columns, rows } = this.frame;
    if (columns >= MAX_COLUMNS || rows >= MAX_COLUMNS) assertPixels(columns + rows, error, MAX_LISTED_PIXELS);
    // No edge draws more than this, so most frames need no sum.
    if (a.count * (columns + rows + 8) < 1e6) return;
    let work = rows;
    for (let edge = 0, k = 0; edge < a.count; edge++, k += 4) {
      if (states[edge] === OUTSIDE) continue;
      const { edges } = a;
      work += Math.min(columns, Math.abs(edges[k] - edges[k + 2]) / size) + 4;
      work += Math.min(rows, Math.abs(edges[k + 1] - edges[k + 3]) / size) + 4;
    }
    assertPixels(work, error, MAX_LISTED_PIXELS);
  }

  /** Fills in places, depths and directions out of the shape for the points of a range of the list. */
  #measureDepths(shape: EdgeSet, from: number, to: number, object: number): void {
    if (from === to) return;
    const { list, nearest } = this;
    const { error, size, column0, row0 } = this.frame;
    const { columns, rows, points, distances, directions, objects } = list;
    nearest.bind(shape, size);
    for (let place = from; place < to; place++) {
      const x = (column0 + columns[place] + 0.5) * size;
      const y = (row0 + rows[place] + 0.5) * size;
      const depth = nearest.find(x, y);
      points[2 * place] = x;
      points[2 * place + 1] = y;
      distances[place] = depth;
      objects[place] = object;
      if (depth > ON_EDGE * error) {
        directions[2 * place] = (nearest.x - x) / depth;
        directions[2 * place + 1] = (nearest.y - y) / depth;
      } else this.writeNormal(shape, nearest.edge, x, y, true, directions, 2 * place);
    }
  }

  /** Writes the unit normal of an edge that leads out of the shape, seen from a sample on one side of it. */
  writeNormal(
    shape: EdgeSet,
    edge: number,
    x: number,
    y: number,
    isInside: boolean,
    out: Float64Array,
    at: number,
  ): void {
    const { edges } = shape;
    const ax = edges[4 * edge];
    const ay = edges[4 * edge + 1];
    const dx = edges[4 * edge + 2] - ax;
    const dy = edges[4 * edge + 3] - ay;
    const length = Math.hypot(dx, dy);
    if (!(length > 0)) {
      out[at] = 1;
      out[at + 1] = 0;
      return;
    }
    // To the left of the edge the sample is inside, so the way out is to its right; and so on.
    const isLeft = dx * (y - ay) - dy * (x - ax) >= 0;
    const sign = isLeft === isInside ? 1 : -1;
    out[at] = (sign * dy) / length;
    out[at + 1] = (-sign * dx) / length;
  }
}

/** Refuses a length that is negative or not finite. */
export function assertLength(value: number, what: string): void {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return;
  throw new NearfieldError('bad-argument', `The ${what} is ${String(value)}; give a length of at least 0.`);
}
