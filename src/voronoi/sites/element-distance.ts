// Distances from a point to elements of the plane, without weights.
import {
  ARC,
  type PlaneElements,
  POINT,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from './plane-elements.js';

/** Rounding: the error of a distance in double precision, as a share of the largest coordinate involved. */
export const DISTANCE_ROUNDING = 16 * 2 ** -53;

/**
 * Writes the point of the element nearest to (x, y) to `out`. Every point of an arc is nearest to its center; then the middle
 * of the arc is taken.
 */
export function nearestOnElement(
  elements: PlaneElements,
  element: number,
  x: number,
  y: number,
  out: Float64Array,
): void {
  const { shapes } = elements;
  const at = SHAPE_STRIDE * element;
  const ax = shapes[at + SHAPE_A];
  const ay = shapes[at + SHAPE_A + 1];
  out[0] = ax;
  out[1] = ay;
  const kind = elements.kinds[element];
  if (kind === POINT) return;
  const bx = shapes[at + SHAPE_B];
  const by = shapes[at + SHAPE_B + 1];
  if (kind === ARC) {
    const cx = shapes[at + SHAPE_CENTER];
    const cy = shapes[at + SHAPE_CENTER + 1];
    const radius = shapes[at + SHAPE_RADIUS];
    const length = Math.hypot(x - cx, y - cy);
    const mx = shapes[at + SHAPE_MIDDLE];
    const my = shapes[at + SHAPE_MIDDLE + 1];
    if ((x - cx) * mx + (y - cy) * my >= shapes[at + SHAPE_COSINE] * length) {
      out[0] = cx + radius * (length === 0 ? mx : (x - cx) / length);
      out[1] = cy + radius * (length === 0 ? my : (y - cy) / length);
      return;
    }
    if ((x - ax) ** 2 + (y - ay) ** 2 <= (x - bx) ** 2 + (y - by) ** 2) return;
  } else {
    const ux = bx - ax;
    const uy = by - ay;
    const dot = (x - ax) * ux + (y - ay) * uy;
    if (dot <= 0) return;
    const square = ux * ux + uy * uy;
    if (dot < square) {
      out[0] = ax + (dot / square) * ux;
      out[1] = ay + (dot / square) * uy;
      return;
    }
  }
  out[0] = bx;
  out[1] = by;
}

/** The distance from (x, y) to the element. */
export function elementDistance(elements: PlaneElements, element: number, x: number, y: number): number {
  const { shapes } = elements;
  const at = SHAPE_STRIDE * element;
  const px = x - shapes[at + SHAPE_A];
  const py = y - shapes[at + SHAPE_A + 1];
  const kind = elements.kinds[element];
  if (kind === POINT) return Math.sqrt(px * px + py * py);
  if (kind === ARC) {
    const qx = x - shapes[at + SHAPE_CENTER];
    const qy = y - shapes[at + SHAPE_CENTER + 1];
    const length = Math.sqrt(qx * qx + qy * qy);
    if (qx * shapes[at + SHAPE_MIDDLE] + qy * shapes[at + SHAPE_MIDDLE + 1] >= shapes[at + SHAPE_COSINE] * length) {
      return Math.abs(length - shapes[at + SHAPE_RADIUS]);
    }
    const rx = x - shapes[at + SHAPE_B];
    const ry = y - shapes[at + SHAPE_B + 1];
    return Math.sqrt(Math.min(px * px + py * py, rx * rx + ry * ry));
  }
  const ux = shapes[at + SHAPE_B] - shapes[at + SHAPE_A];
  const uy = shapes[at + SHAPE_B + 1] - shapes[at + SHAPE_A + 1];
  const square = ux * ux + uy * uy;
  const dot = px * ux + py * uy;
  if (dot <= 0) return Math.sqrt(px * px + py * py);
  if (dot < square) return Math.abs(px * uy - py * ux) / Math.sqrt(square);
  // From the end itself, so that all elements which end there are equally far.
  const rx = x - shapes[at + SHAPE_B];
  const ry = y - shapes[at + SHAPE_B + 1];
  return Math.sqrt(rx * rx + ry * ry);
}
