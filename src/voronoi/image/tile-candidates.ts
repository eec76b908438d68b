// Which elements can be nearest to a sample of a tile. First by the distance from its center and half its diagonal; then
// by the shape of the distance functions over the tile: one that exceeds another everywhere in it is dropped.
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
import { type Candidates, distanceSquared, SHAPE_SQUARE, SHAPE_VECTOR } from './candidates.js';
import type { VoronoiCounters } from './voronoi-image.js';

/** What the distance to an element is like over a tile. POINTLIKE: the distance to one point, which is convex. */
const POINTLIKE = 0;
const CONVEX = 1;
/** Within the circle of an arc. */
const CONCAVE = 2;
const NEITHER = 3;
/** Linear: a line that the tile lies on one side of. */
const LINEAR = 4;

/** Relative rounding of where a tile ends against the lines through the ends of a segment or arc. */
const ZONE_ROUNDING = 1e-9;

/** Longer lists are also compared with the elements nearest to the corners of the tile. */
const LONG_LIST = 12;

/** Lists of candidates, those of a tile behind those of the tile that it is part of. */
export class TileCandidates {
  readonly #candidates: Candidates;
  readonly #counters: VoronoiCounters;
  readonly #maxDistance: number;
  #lists = new Int32Array(1024);
  // By place in the list, of the current tile: distance from its center and its square, nearest point, and what the
  // function is like.
  #values = new Float64Array(1024);
  #nearX = new Float64Array(1024);
  #nearY = new Float64Array(1024);
  #forms = new Uint8Array(1024);
  /** Of the element that others are compared with: no more than this at each corner. */
  readonly #most = new Float64Array(4);
  // The tile: its center, half its sides and half its diagonal.
  #x = 0;
  #y = 0;
  #halfX = 0;
  #halfY = 0;
  #radius = 0;

  constructor(candidates: Candidates, maxDistance: number, counters: VoronoiCounters) {
    this.#candidates = candidates;
    this.#counters = counters;
    this.#maxDistance = maxDistance;
    this.#reserve(candidates.count);
    for (let i = 0; i < candidates.count; i++) this.#lists[i] = i;
  }

  /** The elements of all lists; at first every element in order. */
  get lists(): Int32Array {
    return this.#lists;
  }

  /**
   * Puts those from `first` to `end` that can be nearest to a sample of the tile behind `end`, in the same order, and
   * returns where they end. The tile has the center (x, y) and half sides `halfX`, `halfY`.
   */
  keep(first: number, end: number, x: number, y: number, halfX: number, halfY: number): number {
    this.#counters.tiles++;
    this.#counters.candidates += end - first;
    this.#reserve(2 * end - first);
    this.#x = x;
    this.#y = y;
    this.#halfX = halfX;
    this.#halfY = halfY;
    this.#radius = Math.sqrt(halfX * halfX + halfY * halfY);
    let kept = this.#candidates.unweighted ? this.#keepNear(first, end) : this.#keepNearWeighted(first, end);
    if (kept - end > 1) kept = this.#dropDominated(end, kept);
    return kept;
  }

  #reserve(count: number): void {
    if (this.#lists.length >= count) return;
    const lists = new Int32Array(2 * count);
    lists.set(this.#lists);
    this.#lists = lists;
    this.#values = new Float64Array(2 * count);
    this.#nearX = new Float64Array(2 * count);
    this.#nearY = new Float64Array(2 * count);
    this.#forms = new Uint8Array(2 * count);
  }

  #keepNear(first: number, end: number): number {
    const candidates = this.#candidates;
    const { slack } = candidates;
    const lists = this.#lists;
    const values = this.#values;
    const radius = this.#radius;
    let least = Infinity;
    let nearest = 0;
    for (let i = first; i < end; i++) {
      const square = distanceSquared(candidates, lists[i], this.#x, this.#y);
      values[i] = square;
      if (square < least) {
        least = square;
        nearest = lists[i];
      }
    }
    const reach = Math.min(this.#maxDistance, Math.sqrt(least) + radius + slack[nearest]) + radius;
    let kept = end;
    for (let i = first; i < end; i++) {
      const most = reach + slack[lists[i]];
      if (values[i] <= most * most) lists[kept++] = lists[i];
    }
    return kept;
  }

  #keepNearWeighted(first: number, end: number): number {
    const candidates = this.#candidates;
    const { weights, offsets, slack } = candidates;
    const lists = this.#lists;
    const values = this.#values;
    const radius = this.#radius;
    let least = this.#maxDistance;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const distance = Math.sqrt(distanceSquared(candidates, element, this.#x, this.#y));
      values[i] = distance;
      const most = (distance + radius + slack[element]) / weights[element] - offsets[element];
      if (most < least) least = most;
    }
    let kept = end;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      if ((values[i] - radius - slack[element]) / weights[element] - offsets[element] <= least) lists[kept++] = element;
    }
    return kept;
  }

  #dropDominated(first: number, end: number): number {
    for (let i = first; i < end; i++) this.#describe(i);
    let kept = this.#dropAbove(this.#nearestTo(first, end, 0, 0), first, end);
    if (kept - first <= LONG_LIST) return kept;
    const halfX = this.#halfX;
    const halfY = this.#halfY;
    for (let corner = 0; corner < 4 && kept - first > LONG_LIST; corner++) {
      const nearest = this.#nearestTo(first, kept, corner & 1 ? halfX : -halfX, corner & 2 ? halfY : -halfY);
      kept = this.#dropAbove(nearest, first, kept);
    }
    return kept;
  }

  /** The place in the list of the element nearest to the center plus (dx, dy), of the lowest site at a tie. */
  #nearestTo(first: number, end: number, dx: number, dy: number): number {
    const { weights, offsets, site } = this.#candidates;
    const lists = this.#lists;
    let nearest = first;
    let least = Infinity;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      const distance =
        dx === 0 && dy === 0
          ? this.#values[i]
          : Math.sqrt(distanceSquared(this.#candidates, element, this.#x + dx, this.#y + dy));
      const value = distance / weights[element] - offsets[element];
      if (value < least || (value === least && site[element] < site[lists[nearest]])) {
        least = value;
        nearest = i;
      }
    }
    if (end - first <= LONG_LIST) return nearest;
    let lowest = nearest;
    for (let i = first; i < end; i++) {
      if (site[lists[i]] < site[lists[lowest]] && this.#isSame(i, nearest)) lowest = i;
    }
    return lowest;
  }

  /** Whether two elements are equally far from everywhere in the tile, up to rounding. */
  #isSame(i: number, other: number): boolean {
    const { kinds, shapes, weights, offsets, slack } = this.#candidates;
    const a = this.#lists[i];
    const b = this.#lists[other];
    const form = this.#forms[i];
    if (weights[a] !== weights[b] || offsets[a] !== offsets[b]) return false;
    if (kinds[a] === kinds[b]) {
      let k = 0;
      while (k < SHAPE_STRIDE && shapes[SHAPE_STRIDE * a + k] === shapes[SHAPE_STRIDE * b + k]) k++;
      if (k === SHAPE_STRIDE) return true;
    }
    if (form !== this.#forms[other]) return false;
    if (form === POINTLIKE) return this.#nearX[i] === this.#nearX[other] && this.#nearY[i] === this.#nearY[other];
    if (form !== LINEAR) return this.#isConcentric(i, other) && this.#values[i] === this.#values[other];
    const rounding = slack[a] + slack[b];
    if (Math.abs(this.#values[i] - this.#values[other]) > rounding) return false;
    for (let corner = 0; corner < 2; corner++) {
      const dx = corner === 0 ? this.#halfX : -this.#halfX;
      const change = this.#tangent(i, dx, this.#halfY) - this.#tangent(other, dx, this.#halfY);
      if (Math.abs(change) > rounding * (1 + this.#radius / this.#values[i])) return false;
    }
    return true;
  }

  /** Whether two arcs have one center and the tile is on one side of both: their distances differ by a constant. */
  #isConcentric(i: number, other: number): boolean {
    const { kinds, shapes, weights } = this.#candidates;
    const a = this.#lists[i];
    const b = this.#lists[other];
    const form = this.#forms[i];
    return (
      kinds[a] === ARC &&
      kinds[b] === ARC &&
      form === this.#forms[other] &&
      (form === CONVEX || form === CONCAVE) &&
      weights[a] === weights[b] &&
      shapes[SHAPE_STRIDE * a + SHAPE_CENTER] === shapes[SHAPE_STRIDE * b + SHAPE_CENTER] &&
      shapes[SHAPE_STRIDE * a + SHAPE_CENTER + 1] === shapes[SHAPE_STRIDE * b + SHAPE_CENTER + 1]
    );
  }

  /** Drops those that exceed the one at `reference` everywhere in the tile, or tie and are of a higher site. */
  #dropAbove(reference: number, first: number, end: number): number {
    const { weights, offsets, slack, site } = this.#candidates;
    const lists = this.#lists;
    const values = this.#values;
    const nearX = this.#nearX;
    const nearY = this.#nearY;
    const forms = this.#forms;
    const halfX = this.#halfX;
    const halfY = this.#halfY;
    const chosen = lists[reference];
    const chosenX = nearX[reference];
    const chosenY = nearY[reference];
    const chosenForm = forms[reference];
    const chosenValue = values[reference];
    const chosenWeight = weights[chosen];
    const chosenOffset = offsets[chosen];
    const chosenSlack = slack[chosen];
    const isLong = end - first > LONG_LIST;
    let bounded = false;
    let kept = first;
    for (let i = first; i < end; i++) {
      const element = lists[i];
      let dominated = false;
      if (element !== chosen) {
        const rounding = slack[element] + chosenSlack;
        if (
          forms[i] === POINTLIKE &&
          chosenForm === POINTLIKE &&
          weights[element] === chosenWeight &&
          offsets[element] === chosenOffset
        ) {
          // The difference of the squares is linear: it is least at a corner.
          const distance = values[i];
          const difference = (distance - chosenValue) * (distance + chosenValue);
          const change = 2 * (Math.abs(nearX[i] - chosenX) * halfX + Math.abs(nearY[i] - chosenY) * halfY);
          dominated = difference - change > 4 * (distance + this.#radius) * rounding;
        } else {
          if (!bounded) this.#boundCorners(reference);
          bounded = true;
          dominated = this.#isAbove(i);
        }
        if (!dominated && isLong) {
          dominated = site[element] >= site[chosen] && this.#isSame(i, reference);
          if (!dominated && this.#isConcentric(i, reference)) {
            const difference = (values[i] - chosenValue) / chosenWeight - offsets[element] + chosenOffset;
            dominated = difference > (2 * rounding) / chosenWeight;
          }
        }
      }
      if (dominated) continue;
      if (kept < i) {
        lists[kept] = element;
        values[kept] = values[i];
        nearX[kept] = nearX[i];
        nearY[kept] = nearY[i];
        forms[kept] = forms[i];
      }
      kept++;
    }
    return kept;
  }

  /** Upper bounds at the corners whose difference from any lower bound below is least at a corner. */
  #boundCorners(i: number): void {
    const { weights, offsets } = this.#candidates;
    const element = this.#lists[i];
    const weight = weights[element];
    const offset = offsets[element];
    const form = this.#forms[i];
    const slack = this.#slackOf(i);
    for (let corner = 0; corner < 4; corner++) {
      const dx = corner & 1 ? this.#halfX : -this.#halfX;
      const dy = corner & 2 ? this.#halfY : -this.#halfY;
      let distance: number;
      if (form === NEITHER) distance = this.#values[i] + this.#radius;
      else if (form === CONCAVE) distance = this.#tangent(i, dx, dy);
      else distance = Math.sqrt(distanceSquared(this.#candidates, element, this.#x + dx, this.#y + dy));
      this.#most[corner] = (distance + slack) / weight - offset;
    }
  }

  /** Convex functions are above their tangents, concave ones are least at a corner. */
  #isAbove(i: number): boolean {
    const { weights, offsets } = this.#candidates;
    const element = this.#lists[i];
    const weight = weights[element];
    const value = this.#values[i];
    const most = this.#most;
    const form = this.#forms[i];
    if (form === CONCAVE) return this.#isAboveAtCorners(i);
    if (form === NEITHER) {
      const least = (value - this.#radius - this.#slackOf(i)) / weight - offsets[element];
      return least > most[0] && least > most[1] && least > most[2] && least > most[3];
    }
    const least = (value - this.#slackOf(i)) / weight - offsets[element];
    const dx = ((this.#x - this.#nearX[i]) * this.#halfX) / (value * weight);
    const dy = ((this.#y - this.#nearY[i]) * this.#halfY) / (value * weight);
    return (
      least - dx - dy > most[0] && least + dx - dy > most[1] && least - dx + dy > most[2] && least + dx + dy > most[3]
    );
  }

  #isAboveAtCorners(i: number): boolean {
    const { weights, offsets } = this.#candidates;
    const element = this.#lists[i];
    const slack = this.#slackOf(i);
    for (let corner = 0; corner < 4; corner++) {
      const x = this.#x + (corner & 1 ? this.#halfX : -this.#halfX);
      const y = this.#y + (corner & 2 ? this.#halfY : -this.#halfY);
      const distance = Math.sqrt(distanceSquared(this.#candidates, element, x, y));
      if (!((distance - slack) / weights[element] - offsets[element] > this.#most[corner])) return false;
    }
    return true;
  }

  /** The tangent plane of the distance at the center of the tile. */
  #tangent(i: number, dx: number, dy: number): number {
    const value = this.#values[i];
    return value + ((this.#x - this.#nearX[i]) * dx + (this.#y - this.#nearY[i]) * dy) / value;
  }

  /** Rounding of the bounds: the direction of a tangent is that of a difference which may be small. */
  #slackOf(i: number): number {
    const slack = this.#candidates.slack[this.#lists[i]];
    return this.#values[i] > 0 ? 2 * slack * (1 + this.#radius / this.#values[i]) : Infinity;
  }

  /** Finds the nearest point of an element and what its distance is like over the tile. */
  #describe(i: number): void {
    const { kinds, shapes } = this.#candidates;
    const element = this.#lists[i];
    const at = SHAPE_STRIDE * element;
    const kind = kinds[element];
    const x = this.#x;
    const y = this.#y;
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
      const spread = Math.abs(ux) * this.#halfX + Math.abs(uy) * this.#halfY;
      if (dot >= square) {
        nearX = shapes[at + SHAPE_B];
        nearY = shapes[at + SHAPE_B + 1];
        if (dot - spread < square * (1 + ZONE_ROUNDING)) form = CONVEX;
      } else if (dot > 0) {
        nearX += (dot / square) * ux;
        nearY += (dot / square) * uy;
        const within = dot - spread > square * ZONE_ROUNDING && dot + spread < square * (1 - ZONE_ROUNDING);
        const cross = Math.abs((x - shapes[at]) * uy - (y - shapes[at + 1]) * ux);
        const across = Math.abs(uy) * this.#halfX + Math.abs(ux) * this.#halfY;
        form = within && cross > across * (1 + ZONE_ROUNDING) ? LINEAR : CONVEX;
      } else if (dot + spread > -square * ZONE_ROUNDING) form = CONVEX;
    }
    this.#forms[i] = form;
    this.#nearX[i] = nearX;
    this.#nearY[i] = nearY;
    this.#values[i] = Math.sqrt((x - nearX) * (x - nearX) + (y - nearY) * (y - nearY));
  }

  /** The distance to an arc is convex outside its circle and concave inside, as far as its ends are not nearer. */
  #describeArc(i: number, at: number): void {
    const { shapes } = this.#candidates;
    const x = this.#x;
    const y = this.#y;
    const qx = x - shapes[at + SHAPE_CENTER];
    const qy = y - shapes[at + SHAPE_CENTER + 1];
    const radius = shapes[at + SHAPE_RADIUS];
    const cosine = shapes[at + SHAPE_COSINE];
    const length = Math.sqrt(qx * qx + qy * qy);
    // Beyond the rays from the center through the ends, the whole tile is on the same side of them.
    const reach = this.#radius * (1 + ZONE_ROUNDING);
    const apart =
      cosine === -1 ||
      (rayDistance(shapes, at, SHAPE_A, qx, qy, radius) > reach &&
        rayDistance(shapes, at, SHAPE_B, qx, qy, radius) > reach);
    this.#forms[i] = NEITHER;
    if (qx * shapes[at + SHAPE_MIDDLE] + qy * shapes[at + SHAPE_MIDDLE + 1] >= cosine * length) {
      this.#values[i] = Math.abs(length - radius);
      this.#nearX[i] = shapes[at + SHAPE_CENTER] + (radius * qx) / length;
      this.#nearY[i] = shapes[at + SHAPE_CENTER + 1] + (radius * qy) / length;
      if (apart && length - reach > radius) this.#forms[i] = CONVEX;
      else if (apart && length + reach < radius && length > reach) this.#forms[i] = CONCAVE;
      return;
    }
    const ax = shapes[at + SHAPE_A];
    const ay = shapes[at + SHAPE_A + 1];
    const bx = shapes[at + SHAPE_B];
    const by = shapes[at + SHAPE_B + 1];
    const first = (x - ax) * (x - ax) + (y - ay) * (y - ay);
    const last = (x - bx) * (x - bx) + (y - by) * (y - by);
    const isFirst = first <= last;
    this.#values[i] = Math.sqrt(Math.min(first, last));
    this.#nearX[i] = isFirst ? ax : bx;
    this.#nearY[i] = isFirst ? ay : by;
    const change = 2 * (Math.abs(ax - bx) * this.#halfX + Math.abs(ay - by) * this.#halfY);
    if (apart && Math.abs(first - last) > change + ZONE_ROUNDING * (first + last)) this.#forms[i] = POINTLIKE;
  }
}

/** The distance of the vector q from the ray from the center of an arc through its end. */
function rayDistance(shapes: Float64Array, at: number, end: number, qx: number, qy: number, radius: number): number {
  const ex = (shapes[at + end] - shapes[at + SHAPE_CENTER]) / radius;
  const ey = (shapes[at + end + 1] - shapes[at + SHAPE_CENTER + 1]) / radius;
  return qx * ex + qy * ey > 0 ? Math.abs(qx * ey - qy * ex) : Math.sqrt(qx * qx + qy * qy);
}
