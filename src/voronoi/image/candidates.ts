// The elements of the sites as the loops over samples read them. The ends of segments are in one order, so that a segment
// shared by two sites is equally far from both to the last bit, whichever way they run along it.
import { DISTANCE_ROUNDING } from '../sites/element-distance.js';
import {
  ARC,
  type PlaneElements,
  POINT,
  SEGMENT,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';
import type { PlaneBox } from '../sites/sites-box.js';

/** Layout: offset of the vector from the first to the last point of a segment. */
export const SHAPE_VECTOR = SHAPE_CENTER;
/** Layout: offset of the square of its length. */
export const SHAPE_SQUARE = SHAPE_RADIUS;
/** Layout: offset of a unit vector across it. */
export const SHAPE_NORMAL = SHAPE_MIDDLE;

/** Chosen: cells along a side of the grid that elements are sorted by, as a power of two. */
const GRID_BITS = 6;

/** Elements in an order of their own, each with the weight and offset of its site. */
export interface Candidates {
  readonly count: number;
  readonly kinds: Uint8Array;
  /** As in `PlaneElements`, and for segments {@link SHAPE_VECTOR} and what follows it. */
  readonly shapes: Float64Array;
  readonly site: Int32Array;
  readonly weights: Float64Array;
  readonly offsets: Float64Array;
  readonly unweighted: boolean;
  /** A bound on the rounding of a distance to each element from anywhere in the box. */
  readonly slack: Float64Array;
}

/**
 * The elements in an order in which those near each other are near in memory: lists of candidates are then read from few
 * places, which makes images of 10,000 sites a third faster.
 */
export function makeCandidates(elements: PlaneElements, box: PlaneBox): Candidates {
  const { count, unweighted } = elements;
  const order = orderInSpace(elements, box);
  const kinds = new Uint8Array(count);
  const shapes = new Float64Array(SHAPE_STRIDE * count);
  const site = new Int32Array(count);
  const weights = new Float64Array(count);
  const offsets = new Float64Array(count);
  const slack = new Float64Array(count);
  const coordinate = Math.max(Math.abs(box[0]), Math.abs(box[1]), Math.abs(box[2]), Math.abs(box[3]));
  for (let to = 0; to < count; to++) {
    const element = order[to];
    const at = SHAPE_STRIDE * to;
    let largest = coordinate;
    for (let i = 0; i < SHAPE_STRIDE; i++) {
      const value = elements.shapes[SHAPE_STRIDE * element + i];
      shapes[at + i] = value;
      if (i <= SHAPE_RADIUS) largest = Math.max(largest, Math.abs(value));
    }
    kinds[to] = elements.kinds[element];
    site[to] = elements.site[element];
    weights[to] = elements.weights[site[to]];
    offsets[to] = elements.offsets[site[to]];
    slack[to] = DISTANCE_ROUNDING * (largest + weights[to] * Math.abs(offsets[to]));
    if (kinds[to] === SEGMENT) orderEnds(shapes, at);
  }
  return { count, kinds, shapes, site, weights, offsets, unweighted, slack };
}

/** Sorts elements by the cell of a grid over the box that their middle is in, cells along a Z curve (Morton 1966). */
function orderInSpace({ count, shapes }: PlaneElements, box: PlaneBox): Int32Array {
  const cells = 1 << GRID_BITS;
  const keys = new Int32Array(count);
  const starts = new Int32Array(cells * cells + 1);
  for (let element = 0; element < count; element++) {
    const at = SHAPE_STRIDE * element;
    const x = (shapes[at + SHAPE_A] + shapes[at + SHAPE_B]) / 2;
    const y = (shapes[at + SHAPE_A + 1] + shapes[at + SHAPE_B + 1]) / 2;
    const column = Math.floor((cells * (x - box[0])) / (box[2] - box[0]));
    const row = Math.floor((cells * (y - box[1])) / (box[3] - box[1]));
    const key = spread(clamp(column, cells)) | (spread(clamp(row, cells)) << 1);
    keys[element] = key;
    starts[key + 1]++;
  }
  for (let key = 0; key < cells * cells; key++) starts[key + 1] += starts[key];
  const order = new Int32Array(count);
  for (let element = 0; element < count; element++) order[starts[keys[element]]++] = element;
  return order;
}

function clamp(cell: number, cells: number): number {
  return Math.max(0, Math.min(cells - 1, cell));
}

/** Puts a zero behind every bit. */
function spread(bits: number): number {
  let result = 0;
  for (let bit = 0; bit < GRID_BITS; bit++) result |= ((bits >> bit) & 1) << (2 * bit);
  return result;
}

function orderEnds(shapes: Float64Array, at: number): void {
  const ax = shapes[at + SHAPE_A];
  const ay = shapes[at + SHAPE_A + 1];
  const bx = shapes[at + SHAPE_B];
  const by = shapes[at + SHAPE_B + 1];
  if (bx < ax || (bx === ax && by < ay)) {
    shapes[at + SHAPE_A] = bx;
    shapes[at + SHAPE_A + 1] = by;
    shapes[at + SHAPE_B] = ax;
    shapes[at + SHAPE_B + 1] = ay;
  }
  const ux = shapes[at + SHAPE_B] - shapes[at + SHAPE_A];
  const uy = shapes[at + SHAPE_B + 1] - shapes[at + SHAPE_A + 1];
  shapes[at + SHAPE_VECTOR] = ux;
  shapes[at + SHAPE_VECTOR + 1] = uy;
  shapes[at + SHAPE_SQUARE] = ux * ux + uy * uy;
  const length = Math.hypot(ux, uy);
  shapes[at + SHAPE_NORMAL] = uy / length;
  shapes[at + SHAPE_NORMAL + 1] = -ux / length;
}

/** The square of the distance from (x, y) to the element, without weights. */
export function distanceSquared(candidates: Candidates, element: number, x: number, y: number): number {
  const { shapes } = candidates;
  const at = SHAPE_STRIDE * element;
  const px = x - shapes[at];
  const py = y - shapes[at + 1];
  const kind = candidates.kinds[element];
  if (kind === POINT) return px * px + py * py;
  if (kind === ARC) {
    const qx = x - shapes[at + SHAPE_CENTER];
    const qy = y - shapes[at + SHAPE_CENTER + 1];
    const length = Math.sqrt(qx * qx + qy * qy);
    if (qx * shapes[at + SHAPE_MIDDLE] + qy * shapes[at + SHAPE_MIDDLE + 1] >= shapes[at + SHAPE_COSINE] * length) {
      return (length - shapes[at + SHAPE_RADIUS]) * (length - shapes[at + SHAPE_RADIUS]);
    }
  } else {
    const ux = shapes[at + SHAPE_VECTOR];
    const uy = shapes[at + SHAPE_VECTOR + 1];
    const dot = px * ux + py * uy;
    if (dot <= 0) return px * px + py * py;
    const square = shapes[at + SHAPE_SQUARE];
    if (dot < square) {
      const across = px * shapes[at + SHAPE_NORMAL] + py * shapes[at + SHAPE_NORMAL + 1];
      return across * across;
    }
  }
  const rx = x - shapes[at + SHAPE_B];
  const ry = y - shapes[at + SHAPE_B + 1];
  const last = rx * rx + ry * ry;
  if (kind === SEGMENT) return last;
  const first = px * px + py * py;
  return Math.min(first, last);
}
