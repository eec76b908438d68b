// The form of the distance to each candidate over a tile: to one point, to one side of a line, convex or concave.
import { growTo } from '../../core/grow-array.js';
import {
  ARC,
  POINT,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';
import { type Candidates, SHAPE_NORMAL, SHAPE_SQUARE, SHAPE_VECTOR } from './candidates.js';

/** Label: form of a distance over a tile: the distance to one point, which is convex. */
export const POINTLIKE = 0;
/** Label: form of a distance: that to the line of a segment, on one side of it. */
export const LINEAR = 1;
/** Label: form of a distance: convex. */
export const CONVEX = 2;
/** Label: form of a distance: within the circle of an arc. */
export const CONCAVE = 3;
/** Label: form of a distance: neither convex nor concave. */
export const NEITHER = 4;

/** Rounding: of where a tile ends against the lines through the ends of a segment or arc, relative. */
const ZONE_ROUNDING = 1e-9;

/** A tile and lists of candidates, those of a tile behind those of the tile that it is part of. */
export class TileForms {
  readonly #candidates: Candidates;
  /** The elements of all lists; at first every element in order. */
  lists = new Int32Array(1024);
  /** By place in the list: what the distance is like over the tile of that list. */
  forms = new Uint8Array(1024);
  /** By place in the list: the nearest point to the center of its tile, or the gradient of a linear distance. */
  nearX = new Float64Array(1024);
  nearY = new Float64Array(1024);
  /** By place in the list, of the current tile: distances from its center, before that their squares. */
  values = new Float64Array(1024);
  // The current tile: its center, half its sides and half its diagonal.
  x = 0;
  y = 0;
  halfX = 0;
  halfY = 0;
  radius = 0;

  constructor(candidates: Candidates) {
    this.#candidates = candidates;
    this.reserve(candidates.count);
    for (let i = 0; i < candidates.count; i++) {
      this.lists[i] = i;
      this.forms[i] = candidates.kinds[i] === POINT ? POINTLIKE : NEITHER;
      this.nearX[i] = candidates.shapes[SHAPE_STRIDE * i];
      this.nearY[i] = candidates.shapes[SHAPE_STRIDE * i + 1];
    }
  }

  setTile(x: number, y: number, halfX: number, halfY: number): void {
    this.x = x;
    this.y = y;
    this.halfX = halfX;
    this.halfY = halfY;
    this.radius = Math.sqrt(halfX * halfX + halfY * halfY);
  }

  reserve(count: number): void {
    if (this.lists.length >= count) return;
    const length = Math.max(count, 2 * this.lists.length);
    this.lists = growTo(this.lists, length);
    this.forms = growTo(this.forms, length);
    this.nearX = growTo(this.nearX, length);
    this.nearY = growTo(this.nearY, length);
    this.values = new Float64Array(length);
  }

  /** Whether two elements are equally far from everywhere in the tile, up to rounding. */
  isSame(i: number, other: number): boolean {
    const { kinds, shapes, weights, offsets, slack } = this.#candidates;
    const a = this.lists[i];
    const b = this.lists[other];
    const form = this.forms[i];
    if (weights[a] !== weights[b] || offsets[a] !== offsets[b]) return false;
    if (kinds[a] === kinds[b]) {
      let k = 0;
      while (k < SHAPE_STRIDE && shapes[SHAPE_STRIDE * a + k] === shapes[SHAPE_STRIDE * b + k]) k++;
      if (k === SHAPE_STRIDE) return true;
    }
    if (form !== this.forms[other]) return false;
    if (form === POINTLIKE) return this.nearX[i] === this.nearX[other] && this.nearY[i] === this.nearY[other];
    if (form !== LINEAR) return this.isConcentric(i, other) && this.values[i] === this.values[other];
    const rounding = slack[a] + slack[b];
    if (Math.abs(this.values[i] - this.values[other]) > rounding) return false;
    for (let corner = 0; corner < 2; corner++) {
      const dx = corner === 0 ? this.halfX : -this.halfX;
      const change = this.tangent(i, dx, this.halfY) - this.tangent(other, dx, this.halfY);
      if (Math.abs(change) > rounding * (1 + this.radius / this.values[i])) return false;
    }
    return true;
  }

  /** Whether two arcs have one center and the tile is on one side of both: their distances differ by a constant. */
  isConcentric(i: number, other: number): boolean {
    const { kinds, shapes, weights } = this.#candidates;
    const a = this.lists[i];
    const b = this.lists[other];
    const form = this.forms[i];
    return (
      kinds[a] === ARC &&
      kinds[b] === ARC &&
      form === this.forms[other] &&
      (form === CONVEX || form === CONCAVE) &&
      weights[a] === weights[b] &&
      shapes[SHAPE_STRIDE * a + SHAPE_CENTER] === shapes[SHAPE_STRIDE * b + SHAPE_CENTER] &&
      shapes[SHAPE_STRIDE * a + SHAPE_CENTER + 1] === shapes[SHAPE_STRIDE * b + SHAPE_CENTER + 1]
    );
  }

  /** The tangent plane of the distance at the center of the tile. */
  tangent(i: number, dx: number, dy: number): number {
    const value = this.values[i];
    if (this.forms[i] === LINEAR) return value + this.nearX[i] * dx + this.nearY[i] * dy;
    return value + ((this.x - this.nearX[i]) * dx + (this.y - this.nearY[i]) * dy) / value;
  }

  /** Rounding of the bounds: the direction of a tangent is that of a difference which may be small. */
  slackOf(i: number): number {
    const slack = this.#candidates.slack[this.lists[i]];
    return this.values[i] > 0 ? 2 * slack * (1 + this.radius / this.values[i]) : Infinity;
  }

  /** Finds the nearest point of an element and what its distance is like over the tile. */
  describe(i: number): void {
    const { kinds, shapes } = this.#candidates;
    const element = this.lists[i];
    const at = SHAPE_STRIDE * element;
    const kind = kinds[element];
    const x = this.x;
    const y = this.y;
    let nearX = shapes[at];
    let nearY = shapes[at + 1];
    let form = POINTLIKE;
    if (kind === ARC) {
      this.#describeArc(i, at);
      return;
    }
    if (kind !== POINT) {
      const ux = shapes[at + SHAPE_VECTOR];
      const uy = shapes[at + SHAPE_VECTOR + 1];
      const square = shapes[at + SHAPE_SQUARE];
      const dot = (x - nearX) * ux + (y - nearY) * uy;
      const spread = Math.abs(ux) * this.halfX + Math.abs(uy) * this.halfY;
      if (dot >= square) {
        nearX = shapes[at + SHAPE_B];
        nearY = shapes[at + SHAPE_B + 1];
        if (dot - spread < square * (1 + ZONE_ROUNDING)) form = CONVEX;
      } else if (dot > 0) {
        form = CONVEX;
        if (dot - spread > square * ZONE_ROUNDING && dot + spread < square * (1 - ZONE_ROUNDING)) {
          const normalX = shapes[at + SHAPE_NORMAL];
          const normalY = shapes[at + SHAPE_NORMAL + 1];
          const signed = (x - nearX) * normalX + (y - nearY) * normalY;
          const across = Math.abs(normalX) * this.halfX + Math.abs(normalY) * this.halfY;
          if (Math.abs(signed) > across * (1 + ZONE_ROUNDING)) {
            this.forms[i] = LINEAR;
            this.nearX[i] = signed < 0 ? -normalX : normalX;
            this.nearY[i] = signed < 0 ? -normalY : normalY;
            this.values[i] = Math.abs(signed);
            return;
          }
        }
        nearX += (dot / square) * ux;
        nearY += (dot / square) * uy;
      } else if (dot + spread > -square * ZONE_ROUNDING) form = CONVEX;
    }
    this.forms[i] = form;
    this.nearX[i] = nearX;
    this.nearY[i] = nearY;
    this.values[i] = Math.sqrt((x - nearX) * (x - nearX) + (y - nearY) * (y - nearY));
  }

  /** The distance to an arc is convex outside its circle and concave inside, as far as its ends are not nearer. */
  #describeArc(i: number, at: number): void {
    const { shapes } = this.#candidates;
    const x = this.x;
    const y = this.y;
    const qx = x - shapes[at + SHAPE_CENTER];
    const qy = y - shapes[at + SHAPE_CENTER + 1];
    const radius = shapes[at + SHAPE_RADIUS];
    const cosine = shapes[at + SHAPE_COSINE];
    const length = Math.sqrt(qx * qx + qy * qy);
    // Beyond the rays from the center through the ends, the whole tile is on the same side of them.
    const reach = this.radius * (1 + ZONE_ROUNDING);
    const apart =
      cosine === -1 ||
      (rayDistance(shapes, at, SHAPE_A, qx, qy, radius) > reach &&
        rayDistance(shapes, at, SHAPE_B, qx, qy, radius) > reach);
    this.forms[i] = NEITHER;
    if (qx * shapes[at + SHAPE_MIDDLE] + qy * shapes[at + SHAPE_MIDDLE + 1] >= cosine * length) {
      this.values[i] = Math.abs(length - radius);
      this.nearX[i] = shapes[at + SHAPE_CENTER] + (radius * qx) / length;
      this.nearY[i] = shapes[at + SHAPE_CENTER + 1] + (radius * qy) / length;
      if (apart && length - reach > radius) this.forms[i] = CONVEX;
      else if (apart && length + reach < radius && length > reach) this.forms[i] = CONCAVE;
      return;
    }
    const ax = shapes[at + SHAPE_A];
    const ay = shapes[at + SHAPE_A + 1];
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    const first = (x - ax) * (x - ax) + (y - ay) * (y - ay);
    const last = (x - bx) * (x - bx) + (y - by) * (y - by);
    const isFirst = first <= last;
    this.values[i] = Math.sqrt(Math.min(first, last));
    this.nearX[i] = isFirst ? ax : bx;
    this.nearY[i] = isFirst ? ay : by;
    const change = 2 * (Math.abs(ax - bx) * this.halfX + Math.abs(ay - by) * this.halfY);
    if (apart && Math.abs(first - last) > change + ZONE_ROUNDING * (first + last)) this.forms[i] = POINTLIKE;
  }
}

/** The distance of the vector q from the ray from the center of an arc through its end. */
function rayDistance(shapes: Float64Array, at: number, end: number, qx: number, qy: number, radius: number): number {
  const ex = (shapes[at + end] - shapes[at + SHAPE_CENTER]) / radius;
  const ey = (shapes[at + end + 1] - shapes[at + SHAPE_CENTER + 1]) / radius;
  return qx * ex + qy * ey > 0 ? Math.abs(qx * ey - qy * ex) : Math.sqrt(qx * qx + qy * qy);
}
