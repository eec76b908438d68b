// Whether two closed triangles have a point in common, exactly, degenerate ones included: two edges meet, or an edge
// goes through the other triangle, or a corner lies in a coplanar one. All of these are tried, in plain order.
import { orientSign, turnSign } from './exact-sign.js';

/** Corners at p[a0], p[a1], p[a2] and q[b0], q[b1], q[b2]. */
export function trianglesMeet(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  // Which side of each plane the other's corners lie on; all strictly on one side ends it.
  const s0 = orientSign(p, a0, p, a1, p, a2, q, b0);
  const s1 = orientSign(p, a0, p, a1, p, a2, q, b1);
  const s2 = orientSign(p, a0, p, a1, p, a2, q, b2);
  if (s0 !== 0 && s0 === s1 && s1 === s2) return false;
  const t0 = orientSign(q, b0, q, b1, q, b2, p, a0);
  const t1 = orientSign(q, b0, q, b1, q, b2, p, a1);
  const t2 = orientSign(q, b0, q, b1, q, b2, p, a2);
  if (t0 !== 0 && t0 === t1 && t1 === t2) return false;
  return (
    stabs(q, b0, b1, s0, s1, p, a0, a1, a2) ||
    stabs(q, b1, b2, s1, s2, p, a0, a1, a2) ||
    stabs(q, b2, b0, s2, s0, p, a0, a1, a2) ||
    stabs(p, a0, a1, t0, t1, q, b0, b1, b2) ||
    stabs(p, a1, a2, t1, t2, q, b0, b1, b2) ||
    stabs(p, a2, a0, t2, t0, q, b0, b1, b2)
  );
}

/** Whether the closed segment d-e, its ends on these sides of the triangle's plane, meets the closed triangle. */
function stabs(
  s: Float64Array,
  d: number,
  e: number,
  sideD: number,
  sideE: number,
  t: Float64Array,
  a: number,
  b: number,
  c: number,
): boolean {
  if (sideD * sideE > 0) return false;
  if (sideD === 0 && sideE === 0) {
    return (
      covers(t, a, b, c, s, d) ||
      covers(t, a, b, c, s, e) ||
      segmentsMeet(s, d, e, t, a, b) ||
      segmentsMeet(s, d, e, t, b, c) ||
      segmentsMeet(s, d, e, t, c, a)
    );
  }
  const u = orientSign(s, d, s, e, t, a, t, b);
  const v = orientSign(s, d, s, e, t, b, t, c);
  const w = orientSign(s, d, s, e, t, c, t, a);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/** The turn of three points seen along an axis. */
function turnAlong(
  axis: number,
  p: Float64Array,
  a: number,
  q: Float64Array,
  b: number,
  r: Float64Array,
  c: number,
): number {
  const x = axis === 0 ? 1 : 0;
  const y = axis === 2 ? 1 : 2;
  return turnSign(p[a + x], p[a + y], q[b + x], q[b + y], r[c + x], r[c + y]);
}

/** Whether a point in the plane of the triangle lies in it; no point lies in a triangle without area. */
function covers(t: Float64Array, a: number, b: number, c: number, s: Float64Array, d: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (turnAlong(axis, t, a, t, b, t, c) === 0) continue;
    const u = turnAlong(axis, t, a, t, b, s, d);
    const v = turnAlong(axis, t, b, t, c, s, d);
    const w = turnAlong(axis, t, c, t, a, s, d);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  }
  return false;
}

/** Whether two closed segments meet. */
export function segmentsMeet(s: Float64Array, d: number, e: number, t: Float64Array, a: number, b: number): boolean {
  for (let k = 0; k < 3; k++) {
    if (Math.max(s[d + k], s[e + k]) < Math.min(t[a + k], t[b + k])) return false;
    if (Math.max(t[a + k], t[b + k]) < Math.min(s[d + k], s[e + k])) return false;
  }
  if (orientSign(s, d, s, e, t, a, t, b) !== 0) return false;
  // In one plane, and seen along an axis in which that plane is not edge-on they meet or do not as in space.
  for (let axis = 0; axis < 3; axis++) {
    const u = turnAlong(axis, s, d, s, e, t, a);
    const v = turnAlong(axis, s, d, s, e, t, b);
    const w = turnAlong(axis, t, a, t, b, s, d);
    const z = turnAlong(axis, t, a, t, b, s, e);
    if (u !== 0 || v !== 0 || w !== 0 || z !== 0) return u * v <= 0 && w * z <= 0;
  }
  return true; // On one line, where boxes that overlap mean segments that do.
}
