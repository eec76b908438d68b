// The elements of the sites as the loops over samples read them. The ends of segments are in one order, so that a segment
// shared by two sites is equally far from both to the last bit, whichever way they run along it.
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

/** Of a segment: the vector from its first to its last point, and the square of its length. */
export const SHAPE_VECTOR = SHAPE_CENTER;
export const SHAPE_SQUARE = SHAPE_RADIUS;

/** Rounding of a distance, relative to the coordinates involved. */
const ROUNDING = 16 * 2 ** -53;

/** Elements by index, each with its own weight and offset. */
export interface Candidates {
  readonly count: number;
  readonly kinds: Uint8Array;
  /** As in `PlaneElements`, and for segments {@link SHAPE_VECTOR} and {@link SHAPE_SQUARE}. */
  readonly shapes: Float64Array;
  readonly site: Int32Array;
  readonly weights: Float64Array;
  readonly offsets: Float64Array;
  readonly unweighted: boolean;
  /** A bound on the rounding of a distance to each element from anywhere in the box. */
  readonly slack: Float64Array;
}

/** @param coordinate the largest of the box. */
export function makeCandidates(elements: PlaneElements, coordinate: number): Candidates {
  const { count, kinds, site, unweighted } = elements;
  const shapes = elements.shapes.slice();
  const weights = new Float64Array(count);
  const offsets = new Float64Array(count);
  const slack = new Float64Array(count);
  for (let element = 0; element < count; element++) {
    const at = SHAPE_STRIDE * element;
    weights[element] = elements.weights[site[element]];
    offsets[element] = elements.offsets[site[element]];
    let largest = coordinate;
    for (let i = at; i <= at + SHAPE_RADIUS; i++) largest = Math.max(largest, Math.abs(shapes[i]));
    slack[element] = ROUNDING * largest;
    if (kinds[element] === SEGMENT) orderEnds(shapes, at);
  }
  return { count, kinds, shapes, site, weights, offsets, unweighted, slack };
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
      const cross = px * uy - py * ux;
      return (cross * cross) / square;
    }
  }
  const rx = x - shapes[at + SHAPE_B];
  const ry = y - shapes[at + SHAPE_B + 1];
  const last = rx * rx + ry * ry;
  if (kind === SEGMENT) return last;
  const first = px * px + py * py;
  return first < last ? first : last;
}
