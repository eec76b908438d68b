// Contacts of two placed outlines: corners above edges, and corners that face each other, reduced to those that matter.
import { growTo } from '../../core/grow-array.js';
import type { PlacedOutline } from './outline.js';
import { APART, OutlinePair, OVERLAP } from './outline-pair.js';

/** Label, a kind: a corner (or circle) of A against an edge of B. */
export const CORNER_EDGE = 0;
/** Label, a kind: an edge of A against a corner (or circle) of B. */
export const EDGE_CORNER = 1;
/** Label, a kind: two corners (or circles). */
export const CORNER_CORNER = 2;

/** Label: what is said of corners of which one is deeper in the other solid than shallow. */
const DEEP = 2;
/**
 * Chosen: normals within this angle of a corner's cone of normals, rad, belong to the corner, so that small turns lose
 * no contact.
 */
const CONE_SLACK = 0.1;
/** Chosen: contacts within the skin of each other count once if the cosine between their normals is larger. */
const MERGE_COSINE = 0.995;

export class OutlineContacts extends OutlinePair {
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
  /** Of solids that overlap: whether some corners are inside the other solid, all within the `shallow` depth. */
  isShallow = false;
  /** Where on B's (or A's) edge, by its direction: for reduction. */
  #along = new Float64Array(16);

  /**
   * The contacts within a reach: corners above edges whose normals their cones hold, and facing corners. Of those above one
   * edge the two outermost and the nearest stay; contacts nearer together than `skin` with one normal count once. Of solids
   * that overlap, corners behind an edge count with their depth if that is not more than `shallow`.
   * @returns the state as {@link measure} does.
   */
  findContacts(a: PlacedOutline, b: PlacedOutline, reach: number, skin: number, shallow: number): number {
    this.count = 0;
    const state = this.measure(a, b, reach);
    if (state === APART) return state;
    if (state === OVERLAP) {
      this.isShallow = this.localize(a, b, reach) && this.#isShallow(a, b, shallow);
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
    const near = this.near[side];
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
    const nearA = this.near[isSwapped ? 1 : 0];
    const nearB = this.near[isSwapped ? 0 : 1];
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
    const [nearA, nearB] = this.near;
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

  /** Drops contacts that a nearer one at the same place makes needless. */
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
