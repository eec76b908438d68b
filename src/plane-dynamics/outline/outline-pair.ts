// Exact distance and overlap of two placed outlines, non-convex ones too, within a reach. Edges far from the other outline are
// left out by boxes first; then every corner meets every edge. No allocation once warm.
import { NearPart } from './near-part.js';
import type { PlacedOutline } from './outline.js';

/** Label, a state: farther apart than the reach; `distance` is a lower bound, at least the reach. */
export const APART = 0;
/** Label, a state: within the reach and separate; `distance` is exact. */
export const NEAR = 1;
/** Label, a state: boundaries cross, or one solid is inside the other. */
export const OVERLAP = 2;

export class OutlinePair {
  /** Of the last measurement: exact if near, a lower bound if apart, 0 if they overlap. */
  distance = 0;
  /** The nearest points of the boundaries, if near. */
  readonly pointA = new Float64Array(2);
  readonly pointB = new Float64Array(2);
  /** Measurements so far. */
  measurements = 0;

  /** The parts near each other of the last measurement that was not settled by boxes: of A and of B. */
  protected readonly near = [new NearPart(), new NearPart()] as const;

  /** Whether and how near two outlines are, up to a reach. */
  measure(a: PlacedOutline, b: PlacedOutline, reach: number): number {
    this.measurements++;
    this.distance = reach;
    const gapX = Math.max(a.minX - b.maxX, b.minX - a.maxX);
    const gapY = Math.max(a.minY - b.maxY, b.minY - a.maxY);
    const gap = Math.max(gapX, gapY);
    if (gap > reach) {
      this.distance = gap;
      return APART;
    }
    if (!this.localize(a, b, reach)) return this.#contained(a, b) ? this.#overlap() : APART;
    if (this.#crosses(a, b) || this.#contained(a, b)) return this.#overlap();
    this.#nearest(a, b, false);
    this.#nearest(b, a, true);
    if (a.outline.radius > 0 && b.outline.radius > 0) this.#nearestCenters(a, b);
    if (this.distance < 0) return this.#overlap();
    return this.distance < reach ? NEAR : APART;
  }

  /** Whether two outlines overlap. */
  overlaps(a: PlacedOutline, b: PlacedOutline): boolean {
    return this.measure(a, b, 0) === OVERLAP;
  }

  #overlap(): number {
    this.distance = 0;
    return OVERLAP;
  }

  /** Selects the parts near each other. @returns whether there are any. */
  protected localize(a: PlacedOutline, b: PlacedOutline, reach: number): boolean {
    const [nearA, nearB] = this.near;
    if (!nearA.select(a, b.minX - reach, b.minY - reach, b.maxX + reach, b.maxY + reach)) return false;
    if (!nearB.select(b, nearA.minX - reach, nearA.minY - reach, nearA.maxX + reach, nearA.maxY + reach)) return false;
    return nearA.select(a, nearB.minX - reach, nearB.minY - reach, nearB.maxX + reach, nearB.maxY + reach);
  }

  #crosses(a: PlacedOutline, b: PlacedOutline): boolean {
    const [nearA, nearB] = this.near;
    const p = a.points;
    const q = b.points;
    const nextA = a.outline.next;
    const nextB = b.outline.next;
    for (let s = 0; s < nearA.edgeCount; s++) {
      const i = nearA.edges[s];
      const ax = p[2 * i];
      const ay = p[2 * i + 1];
      const bx = p[2 * nextA[i]];
      const by = p[2 * nextA[i] + 1];
      const lowX = ax < bx ? ax : bx;
      const highX = ax < bx ? bx : ax;
      const lowY = ay < by ? ay : by;
      const highY = ay < by ? by : ay;
      for (let t = 0; t < nearB.edgeCount; t++) {
        const j = nearB.edges[t];
        const k = nextB[j];
        const cx = q[2 * j];
        const dx = q[2 * k];
        if (cx < lowX ? dx < lowX : cx > highX && dx > highX) continue;
        const cy = q[2 * j + 1];
        const dy = q[2 * k + 1];
        if (cy < lowY ? dy < lowY : cy > highY && dy > highY) continue;
        const sideC = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        const sideD = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
        if (sideC > 0 === sideD > 0) continue;
        const sideA = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
        const sideB = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
        if (sideA > 0 !== sideB > 0) return true;
      }
    }
    return false;
  }

  /** Whether a point of one beside a ring is inside the other: then, as boundaries do not cross, the whole ring is. */
  #contained(a: PlacedOutline, b: PlacedOutline): boolean {
    return holdsRing(a, b) || holdsRing(b, a);
  }

  /** Corners of one against edges of the other, unsigned. */
  #nearest(a: PlacedOutline, b: PlacedOutline, isSwapped: boolean): void {
    const nearA = this.near[isSwapped ? 1 : 0];
    const nearB = this.near[isSwapped ? 0 : 1];
    const p = a.points;
    const q = b.points;
    const { next } = b.outline;
    const radius = a.outline.radius;
    const pointA = isSwapped ? this.pointB : this.pointA;
    const pointB = isSwapped ? this.pointA : this.pointB;
    for (let t = 0; t < nearB.edgeCount; t++) {
      const j = nearB.edges[t];
      const k = next[j];
      const cx = q[2 * j];
      const cy = q[2 * j + 1];
      const ex = q[2 * k] - cx;
      const ey = q[2 * k + 1] - cy;
      const inverse = 1 / (ex * ex + ey * ey);
      for (let s = 0; s < nearA.cornerCount; s++) {
        const i = nearA.corners[s];
        const px = p[2 * i];
        const py = p[2 * i + 1];
        let share = ((px - cx) * ex + (py - cy) * ey) * inverse;
        if (share < 0) share = 0;
        else if (share > 1) share = 1;
        const wx = px - cx - share * ex;
        const wy = py - cy - share * ey;
        const limit = this.distance + radius;
        const squared = wx * wx + wy * wy;
        if (squared >= limit * limit) continue;
        const length = Math.sqrt(squared);
        this.distance = length - radius;
        const inset = length > 0 ? radius / length : 0;
        pointA[0] = px - inset * wx;
        pointA[1] = py - inset * wy;
        pointB[0] = px - wx;
        pointB[1] = py - wy;
      }
    }
  }

  #nearestCenters(a: PlacedOutline, b: PlacedOutline): void {
    const dx = b.points[0] - a.points[0];
    const dy = b.points[1] - a.points[1];
    const length = Math.hypot(dx, dy);
    const distance = length - a.outline.radius - b.outline.radius;
    if (distance >= this.distance) return;
    this.distance = distance;
    const shareA = length > 0 ? a.outline.radius / length : 0;
    const shareB = length > 0 ? b.outline.radius / length : 0;
    this.pointA[0] = a.points[0] + shareA * dx;
    this.pointA[1] = a.points[1] + shareA * dy;
    this.pointB[0] = b.points[0] - shareB * dx;
    this.pointB[1] = b.points[1] - shareB * dy;
  }
}

function holdsRing(a: PlacedOutline, b: PlacedOutline): boolean {
  const first = a.outline.hasEdges ? a.outline.next.length : 0;
  for (let r = 0; r < a.outline.rings.length; r++) {
    if (b.contains(a.points[2 * (first + r)], a.points[2 * (first + r) + 1])) return true;
  }
  return false;
}
