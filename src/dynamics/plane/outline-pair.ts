// Exact distance, overlap and contacts of two placed outlines, non-convex ones too, within a reach. Edges far from the other
// outline are left out by boxes first; then every corner meets every edge. No allocation once warm.
import { growTo } from '../../core/grow-array.js';
import type { PlacedOutline } from './outline.js';

/** Further apart than the reach: `distance` is a lower bound, at least the reach. */
export const APART = 0;
/** Within the reach and separate: `distance` is exact. */
export const NEAR = 1;
/** Boundaries cross, or one solid is inside the other. */
export const OVERLAP = 2;

/** A corner (or circle) of A against an edge of B. */
export const CORNER_EDGE = 0;
/** An edge of A against a corner (or circle) of B. */
export const EDGE_CORNER = 1;
export const CORNER_CORNER = 2;

const DEEP = 2;
/** Normals within this angle of a corner's cone of normals belong to the corner, so that small turns lose no contact. */
const CONE_SLACK = 0.1;
/** Contacts this close together in shares of the skin, with nearly one normal, count once. */
const MERGE_COSINE = 0.995;

class NearPart {
  edges = new Int32Array(16);
  edgeCount = 0;
  corners = new Int32Array(16);
  cornerCount = 0;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  #seen = new Int32Array(16);
  #round = 0;

  /** The edges whose boxes meet a box, and their corners. */
  select(placed: PlacedOutline, x0: number, y0: number, x1: number, y1: number): boolean {
    const { points, outline } = placed;
    this.edgeCount = this.cornerCount = 0;
    if (!outline.hasEdges) {
      this.corners[0] = 0;
      this.cornerCount = 1;
      this.minX = placed.minX;
      this.minY = placed.minY;
      this.maxX = placed.maxX;
      this.maxY = placed.maxY;
      return !(placed.minX > x1 || placed.maxX < x0 || placed.minY > y1 || placed.maxY < y0);
    }
    const { next } = outline;
    const count = next.length;
    if (this.#seen.length < count) {
      this.#seen = new Int32Array(count);
      this.edges = growTo(this.edges, count);
      this.corners = growTo(this.corners, count);
    }
    const seen = this.#seen;
    const round = ++this.#round;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let i = 0; i < count; i++) {
      const j = next[i];
      const ax = points[2 * i];
      const bx = points[2 * j];
      if (ax < x0 ? bx < x0 : ax > x1 && bx > x1) continue;
      const ay = points[2 * i + 1];
      const by = points[2 * j + 1];
      if (ay < y0 ? by < y0 : ay > y1 && by > y1) continue;
      this.edges[this.edgeCount++] = i;
      if (seen[i] !== round) {
        seen[i] = round;
        this.corners[this.cornerCount++] = i;
      }
      if (seen[j] !== round) {
        seen[j] = round;
        this.corners[this.cornerCount++] = j;
      }
      if (ax < minX) minX = ax;
      if (ax > maxX) maxX = ax;
      if (bx < minX) minX = bx;
      if (bx > maxX) maxX = bx;
      if (ay < minY) minY = ay;
      if (ay > maxY) maxY = ay;
      if (by < minY) minY = by;
      if (by > maxY) maxY = by;
    }
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    return this.edgeCount > 0;
  }
}

export class OutlinePair {
  /** Of the last measurement: exact if near, a lower bound if apart, 0 if they overlap. */
  distance = 0;
  /** The nearest points of the boundaries, if near. */
  readonly pointA = new Float64Array(2);
  readonly pointB = new Float64Array(2);
  /** Measurements so far. */
  measurements = 0;

  /** Contacts of the last {@link findContacts}. */
  count = 0;
  kinds = new Int32Array(16);
  /** The corner or edge of A and of B. */
  featuresA = new Int32Array(16);
  featuresB = new Int32Array(16);
  /** From A to B. */
  normals = new Float64Array(32);
  /** In the middle between the bodies. */
  points = new Float64Array(32);
  separations = new Float64Array(16);
  /** Of solids that overlap: whether every corner inside the other is within the `shallow` depth, and there is one. */
  isShallow = false;
  /** Where on B's (or A's) edge, by its direction: for reduction. */
  #along = new Float64Array(16);

  readonly #near = [new NearPart(), new NearPart()] as const;

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
    if (!this.#localize(a, b, reach)) return this.#contained(a, b) ? this.#overlap() : APART;
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

  #localize(a: PlacedOutline, b: PlacedOutline, reach: number): boolean {
    const [nearA, nearB] = this.#near;
    if (!nearA.select(a, b.minX - reach, b.minY - reach, b.maxX + reach, b.maxY + reach)) return false;
    if (!nearB.select(b, nearA.minX - reach, nearA.minY - reach, nearA.maxX + reach, nearA.maxY + reach)) return false;
    return nearA.select(a, nearB.minX - reach, nearB.minY - reach, nearB.maxX + reach, nearB.maxY + reach);
  }

  #crosses(a: PlacedOutline, b: PlacedOutline): boolean {
    const [nearA, nearB] = this.#near;
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
    const nearA = this.#near[isSwapped ? 1 : 0];
    const nearB = this.#near[isSwapped ? 0 : 1];
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

  /**
   * The contacts within a reach: corners above edges whose normals their cones hold, and facing corners. Of those above one
   * edge the two outermost and the nearest stay; contacts nearer together than `skin` with one normal count once. Of solids
   * that overlap, corners behind an edge count with their depth if that is at most `shallow`.
   * @returns the state as {@link measure} does.
   */
  findContacts(a: PlacedOutline, b: PlacedOutline, reach: number, skin: number, shallow: number): number {
    this.count = 0;
    const state = this.measure(a, b, reach);
    if (state === APART) return state;
    if (state === OVERLAP) {
      this.isShallow = this.#localize(a, b, reach) && this.#isShallow(a, b, shallow);
      if (!this.isShallow) return state;
    }
    this.#cornersOverEdges(a, b, false, reach, state === OVERLAP ? shallow : 0);
    this.#cornersOverEdges(b, a, true, reach, state === OVERLAP ? shallow : 0);
    this.#facingCorners(a, b, reach);
    this.#merge(skin);
    return state;
  }

  #isShallow(a: PlacedOutline, b: PlacedOutline, shallow: number): boolean {
    const inA = this.#depthOfCorners(b, a, 1, shallow);
    const inB = inA === DEEP ? DEEP : this.#depthOfCorners(a, b, 0, shallow);
    return inA !== DEEP && inB !== DEEP && inA + inB > 0;
  }

  /** 0 if no corner is inside, 1 if all that are inside are shallow, {@link DEEP} otherwise. */
  #depthOfCorners(a: PlacedOutline, b: PlacedOutline, side: 0 | 1, shallow: number): number {
    const near = this.#near[side];
    const { radius } = a.outline;
    let found = 0;
    for (let s = 0; s < near.cornerCount; s++) {
      const i = near.corners[s];
      const x = a.points[2 * i];
      const y = a.points[2 * i + 1];
      if (b.outline.radius > 0) {
        const depth = radius + b.outline.radius - Math.hypot(x - b.points[0], y - b.points[1]);
        if (depth <= 0) continue;
        if (depth > shallow) return DEEP;
        found = 1;
      } else if (b.contains(x, y)) {
        if (radius > 0 || this.#isFarFromEdges(b, x, y, shallow)) return DEEP;
        found = 1;
      } else if (radius > 0 && !this.#isFarFromEdges(b, x, y, radius)) {
        if (!this.#isFarFromEdges(b, x, y, radius - shallow)) return DEEP;
        found = 1;
      }
    }
    return found;
  }

  #cornersOverEdges(a: PlacedOutline, b: PlacedOutline, isSwapped: boolean, reach: number, shallow: number): void {
    const nearA = this.#near[isSwapped ? 1 : 0];
    const nearB = this.#near[isSwapped ? 0 : 1];
    const p = a.points;
    const q = b.points;
    const { next } = b.outline;
    const { radius } = a.outline;
    // Which way the normal from A to B runs, against the outward normal of an edge of B.
    const sign = isSwapped ? 1 : -1;
    for (let t = 0; t < nearB.edgeCount; t++) {
      const j = nearB.edges[t];
      const k = next[j];
      const cx = q[2 * j];
      const cy = q[2 * j + 1];
      let ex = q[2 * k] - cx;
      let ey = q[2 * k + 1] - cy;
      const length = Math.hypot(ex, ey);
      ex /= length;
      ey /= length;
      const first = this.count;
      for (let s = 0; s < nearA.cornerCount; s++) {
        const i = nearA.corners[s];
        const dx = p[2 * i] - cx;
        const dy = p[2 * i + 1] - cy;
        const height = dx * ey - dy * ex;
        if (height - radius > reach) continue;
        // A circle may dip below a line as deep as its radius and still be in front of the edge.
        if (height < 0 && height < -shallow) continue;
        const along = dx * ex + dy * ey;
        // Below an edge, a corner in a notch may have passed the edge's end.
        const beyond = height < 0 ? shallow : 0;
        if (along < -beyond || along > length + beyond) continue;
        if (!hasNormal(a, i, -ey, ex, CONE_SLACK)) continue;
        const n = this.#append(
          isSwapped ? EDGE_CORNER : CORNER_EDGE,
          isSwapped ? j : i,
          isSwapped ? i : j,
          sign * ey,
          -sign * ex,
          height - radius,
        );
        const down = radius + (height - radius) / 2;
        this.points[2 * n] = p[2 * i] - down * ey;
        this.points[2 * n + 1] = p[2 * i + 1] + down * ex;
        this.#along[n] = along;
      }
      if (this.count > first + 2) this.#keepExtremes(first);
    }
  }

  /** Whether no edge of an outline is nearer to a point than a distance. */
  #isFarFromEdges(b: PlacedOutline, x: number, y: number, distance: number): boolean {
    const { points, outline } = b;
    const { next } = outline;
    for (let j = 0; j < next.length; j++) {
      const k = next[j];
      const ex = points[2 * k] - points[2 * j];
      const ey = points[2 * k + 1] - points[2 * j + 1];
      let share = ((x - points[2 * j]) * ex + (y - points[2 * j + 1]) * ey) / (ex * ex + ey * ey);
      share = share < 0 ? 0 : share > 1 ? 1 : share;
      const wx = x - points[2 * j] - share * ex;
      const wy = y - points[2 * j + 1] - share * ey;
      if (wx * wx + wy * wy < distance * distance) return false;
    }
    return true;
  }

  #facingCorners(a: PlacedOutline, b: PlacedOutline, reach: number): void {
    const [nearA, nearB] = this.#near;
    const sum = a.outline.radius + b.outline.radius;
    for (let s = 0; s < nearA.cornerCount; s++) {
      const i = nearA.corners[s];
      for (let t = 0; t < nearB.cornerCount; t++) {
        const j = nearB.corners[t];
        const dx = b.points[2 * j] - a.points[2 * i];
        const dy = b.points[2 * j + 1] - a.points[2 * i + 1];
        const squared = dx * dx + dy * dy;
        if (squared > (reach + sum) * (reach + sum) || squared === 0) continue;
        const length = Math.sqrt(squared);
        const nx = dx / length;
        const ny = dy / length;
        if (!hasNormal(a, i, nx, ny, 0) || !hasNormal(b, j, -nx, -ny, 0)) continue;
        const n = this.#append(CORNER_CORNER, i, j, nx, ny, length - sum);
        const middle = a.outline.radius + (length - sum) / 2;
        this.points[2 * n] = a.points[2 * i] + middle * nx;
        this.points[2 * n + 1] = a.points[2 * i + 1] + middle * ny;
        this.#along[n] = 0;
      }
    }
  }

  #append(kind: number, a: number, b: number, nx: number, ny: number, separation: number): number {
    const n = this.count++;
    if (n >= this.kinds.length) {
      for (const name of ['kinds', 'featuresA', 'featuresB'] as const) this[name] = growTo(this[name], n + 1);
      for (const name of ['normals', 'points'] as const) this[name] = growTo(this[name], 2 * n + 2);
      this.separations = growTo(this.separations, n + 1);
      this.#along = growTo(this.#along, n + 1);
    }
    this.kinds[n] = kind;
    this.featuresA[n] = a;
    this.featuresB[n] = b;
    this.normals[2 * n] = nx;
    this.normals[2 * n + 1] = ny;
    this.separations[n] = separation;
    return n;
  }

  /** Of the contacts above one edge keeps the first and last along it and the nearest. */
  #keepExtremes(first: number): void {
    let low = first;
    let high = first;
    let nearest = first;
    for (let n = first + 1; n < this.count; n++) {
      if (this.#along[n] < this.#along[low]) low = n;
      if (this.#along[n] > this.#along[high]) high = n;
      if (this.separations[n] < this.separations[nearest]) nearest = n;
    }
    let kept = first;
    for (let n = first; n < this.count; n++) {
      if (n === low || n === high || n === nearest) this.#move(n, kept++);
    }
    this.count = kept;
  }

  /** Drops contacts that say the same as a nearer one. */
  #merge(skin: number): void {
    let kept = 0;
    for (let n = 0; n < this.count; n++) {
      let same = -1;
      for (let m = 0; m < kept && same < 0; m++) {
        const dx = this.points[2 * m] - this.points[2 * n];
        const dy = this.points[2 * m + 1] - this.points[2 * n + 1];
        if (dx * dx + dy * dy > skin * skin) continue;
        const cosine = this.normals[2 * m] * this.normals[2 * n] + this.normals[2 * m + 1] * this.normals[2 * n + 1];
        if (cosine > MERGE_COSINE) same = m;
      }
      if (same < 0) this.#move(n, kept++);
      else if (this.separations[n] < this.separations[same]) this.#move(n, same);
    }
    this.count = kept;
  }

  #move(from: number, to: number): void {
    if (from === to) return;
    this.kinds[to] = this.kinds[from];
    this.featuresA[to] = this.featuresA[from];
    this.featuresB[to] = this.featuresB[from];
    this.normals[2 * to] = this.normals[2 * from];
    this.normals[2 * to + 1] = this.normals[2 * from + 1];
    this.points[2 * to] = this.points[2 * from];
    this.points[2 * to + 1] = this.points[2 * from + 1];
    this.separations[to] = this.separations[from];
    this.#along[to] = this.#along[from];
  }
}

function holdsRing(a: PlacedOutline, b: PlacedOutline): boolean {
  const first = a.outline.hasEdges ? a.outline.next.length : 0;
  for (let r = 0; r < a.outline.rings.length; r++) {
    if (b.contains(a.points[2 * (first + r)], a.points[2 * (first + r) + 1])) return true;
  }
  return false;
}

/** Whether a direction is in the cone of outward normals of a corner, or within an angle of it. Reflex corners have none. */
function hasNormal(placed: PlacedOutline, i: number, x: number, y: number, slack: number): boolean {
  const { points, outline } = placed;
  if (!outline.hasEdges) return true;
  const before = outline.previous[i];
  const after = outline.next[i];
  const ux = points[2 * i] - points[2 * before];
  const uy = points[2 * i + 1] - points[2 * before + 1];
  const wx = points[2 * after] - points[2 * i];
  const wy = points[2 * after + 1] - points[2 * i + 1];
  // Edges turn left at a convex corner; a straight one has a single normal.
  const turn = ux * wy - uy * wx;
  const lengthU = Math.sqrt(ux * ux + uy * uy);
  const lengthW = Math.sqrt(wx * wx + wy * wy);
  if (turn < -1e-9 * lengthU * lengthW) return false;
  // An outward normal is the edge turned right; it is in the cone if it lies between those of both edges, that is if the
  // direction goes against the way in and with the way out.
  return x * ux + y * uy >= -slack * lengthU && x * wx + y * wy <= slack * lengthW;
}
