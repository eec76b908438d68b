// Whether two triangles intersect, and whether they cross where a mesh's triangles may not: signs of exact determinants
// only (Shewchuk 1997), no tolerance. Triangles in different planes meet when an edge of one meets the other; in one
// plane, when no edge's line separates them. At most 15 determinants.
import { exactSide, exactTurn } from '../../core/exact/orientation.js';

/**
 * Whether two closed triangles have a point in common; touching counts.
 * A triangle without area intersects nothing: its edges also belong to its neighbors.
 * Takes scalars, for inner loops.
 * @param p coordinates; the corners of the first triangle begin at `p[a0]`, `p[a1]` and `p[a2]`.
 * @param q coordinates in the same frame, the same array or another one; corners at `q[b0]`, `q[b1]` and `q[b2]`.
 */
export function trianglesIntersect(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  const side0 = side(q, b0, b1, b2, p, a0);
  const side1 = side(q, b0, b1, b2, p, a1);
  const side2 = side(q, b0, b1, b2, p, a2);
  if (side0 === 0 && side1 === 0 && side2 === 0) return coplanarIntersect(p, a0, a1, a2, q, b0, b1, b2);
  if (haveOneSign(side0, side1, side2)) return false;
  const other0 = side(p, a0, a1, a2, q, b0);
  const other1 = side(p, a0, a1, a2, q, b1);
  const other2 = side(p, a0, a1, a2, q, b2);
  // The triangles are not coplanar, yet the second lies in the plane of the first: so the first has no area.
  if (other0 === 0 && other1 === 0 && other2 === 0) return false;
  if (haveOneSign(other0, other1, other2)) return false;
  // The intersection is a segment or a point. One end of it lies on an edge that is not in the other's plane, because
  // every end of an edge in that plane is also an end of an edge that is not.
  return (
    (canCross(side0, side1) && lineMeets(p, a0, a1, q, b0, b1, b2)) ||
    (canCross(side1, side2) && lineMeets(p, a1, a2, q, b0, b1, b2)) ||
    (canCross(side2, side0) && lineMeets(p, a2, a0, q, b0, b1, b2)) ||
    (canCross(other0, other1) && lineMeets(q, b0, b1, p, a0, a1, a2)) ||
    (canCross(other1, other2) && lineMeets(q, b1, b2, p, a0, a1, a2)) ||
    (canCross(other2, other0) && lineMeets(q, b2, b0, p, a0, a1, a2))
  );
}

/**
 * Whether two triangles of a mesh cross: they have a point in common beyond the corners and the edge that they share.
 * Corners with equal coordinates are shared, whatever their ids.
 * - No corner shared: any common point counts, touching too.
 * - One shared: any common point but that corner.
 * - Two shared: only when one triangle is folded onto the other, so that they overlap.
 * - All three shared: always; one covers the other.
 *
 * Both triangles must have an area. Parameters as for {@link trianglesIntersect}.
 * Takes scalars, for inner loops.
 */
export function trianglesCross(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  // The corner of the second triangle, 0 to 2, that each corner of the first coincides with; -1 for none.
  const match0 = findCorner(p, a0, q, b0, b1, b2);
  const match1 = findCorner(p, a1, q, b0, b1, b2);
  const match2 = findCorner(p, a2, q, b0, b1, b2);
  const shared = (match0 >= 0 ? 1 : 0) + (match1 >= 0 ? 1 : 0) + (match2 >= 0 ? 1 : 0);
  if (shared === 0) return trianglesIntersect(p, a0, a1, a2, q, b0, b1, b2);
  if (shared === 3) return true;
  if (shared === 1) {
    // The shared corner goes first; which of the other two is which does not matter.
    const match = match0 + match1 + match2 + 2;
    const b = match === 0 ? b0 : match === 1 ? b1 : b2;
    const c = match === 0 ? b1 : b0;
    const d = match === 2 ? b1 : b2;
    if (match0 >= 0) return crossBeyondCorner(p, a0, a1, a2, q, b, c, d);
    if (match1 >= 0) return crossBeyondCorner(p, a1, a0, a2, q, b, c, d);
    return crossBeyondCorner(p, a2, a0, a1, q, b, c, d);
  }
  const unmatched = 3 - (Math.max(match0, 0) + Math.max(match1, 0) + Math.max(match2, 0));
  const b = unmatched === 0 ? b0 : unmatched === 1 ? b1 : b2;
  if (match0 < 0) return isFolded(p, a1, a2, a0, q, b);
  if (match1 < 0) return isFolded(p, a0, a2, a1, q, b);
  return isFolded(p, a0, a1, a2, q, b);
}

/** Triangles s a b and s c d with the corner s in common. Takes scalars, for inner loops. */
function crossBeyondCorner(
  p: Float64Array,
  s: number,
  a: number,
  b: number,
  q: Float64Array,
  t: number,
  c: number,
  d: number,
): boolean {
  const sideA = side(q, t, c, d, p, a);
  const sideB = side(q, t, c, d, p, b);
  if (sideA === 0 && sideB === 0) return sectorsOverlap(p, s, a, b, q, c, d);
  // The intersection is a segment from s; it ends where it leaves one of them, on the edge opposite to s.
  if (canCross(sideA, sideB) && lineMeets(p, a, b, q, t, c, d)) return true;
  return canCross(side(p, s, a, b, q, c), side(p, s, a, b, q, d)) && lineMeets(q, c, d, p, s, a, b);
}

/** Triangles in one plane with the corner s in common: whether their angles at s overlap or touch along a ray. */
function sectorsOverlap(
  p: Float64Array,
  s: number,
  a: number,
  b: number,
  q: Float64Array,
  c: number,
  d: number,
): boolean {
  const u = projectionAxis(p, s, a, b);
  const v = (u + 1) % 3;
  const first = turn(p, s, p, a, p, b, u, v);
  const second = turn(p, s, q, c, q, d, u, v);
  return (
    (first * turn(p, s, p, a, q, c, u, v) >= 0 && first * turn(p, s, q, c, p, b, u, v) >= 0) ||
    (first * turn(p, s, p, a, q, d, u, v) >= 0 && first * turn(p, s, q, d, p, b, u, v) >= 0) ||
    (second * turn(p, s, q, c, p, a, u, v) >= 0 && second * turn(p, s, p, a, q, d, u, v) >= 0) ||
    (second * turn(p, s, q, c, p, b, u, v) >= 0 && second * turn(p, s, p, b, q, d, u, v) >= 0)
  );
}

/** Triangles s t a and s t b on the edge s t: whether they lie in one plane, on the same side of the edge. */
function isFolded(p: Float64Array, s: number, t: number, a: number, q: Float64Array, b: number): boolean {
  if (side(p, s, t, a, q, b) !== 0) return false;
  const u = projectionAxis(p, s, t, a);
  const v = (u + 1) % 3;
  return turn(p, s, p, t, p, a, u, v) === turn(p, s, p, t, q, b, u, v);
}

/** Takes scalars, for inner loops. */
function coplanarIntersect(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  const u = projectionAxis(q, b0, b1, b2);
  const v = (u + 1) % 3;
  const turnA = turn(p, a0, p, a1, p, a2, u, v);
  const turnB = turn(q, b0, q, b1, q, b2, u, v);
  if (turnA === 0 || turnB === 0) return false;
  return !(
    separates(p, a0, a1, q, b0, b1, b2, turnA, u, v) ||
    separates(p, a1, a2, q, b0, b1, b2, turnA, u, v) ||
    separates(p, a2, a0, q, b0, b1, b2, turnA, u, v) ||
    separates(q, b0, b1, p, a0, a1, a2, turnB, u, v) ||
    separates(q, b1, b2, p, a0, a1, a2, turnB, u, v) ||
    separates(q, b2, b0, p, a0, a1, a2, turnB, u, v)
  );
}

/**
 * Whether all three points lie strictly outside the edge from `i` to `j` of a triangle with orientation `inner`.
 * Takes scalars, for inner loops.
 */
function separates(
  p: Float64Array,
  i: number,
  j: number,
  q: Float64Array,
  k0: number,
  k1: number,
  k2: number,
  inner: number,
  u: number,
  v: number,
): boolean {
  return (
    turn(p, i, p, j, q, k0, u, v) * inner < 0 &&
    turn(p, i, p, j, q, k1, u, v) * inner < 0 &&
    turn(p, i, p, j, q, k2, u, v) * inner < 0
  );
}

/** Whether a line that crosses the plane of a triangle at one point does so within the closed triangle. */
function lineMeets(
  p: Float64Array,
  i: number,
  j: number,
  q: Float64Array,
  k0: number,
  k1: number,
  k2: number,
): boolean {
  const volume0 = volume(p, i, j, q, k0, k1);
  const volume1 = volume(p, i, j, q, k1, k2);
  if (volume0 * volume1 < 0) return false;
  const volume2 = volume(p, i, j, q, k2, k0);
  return volume1 * volume2 >= 0 && volume2 * volume0 >= 0;
}

/** Whether an edge with these sides at its ends reaches the plane without lying in it. */
function canCross(side0: number, side1: number): boolean {
  return side0 * side1 <= 0 && side0 !== side1;
}

function haveOneSign(s0: number, s1: number, s2: number): boolean {
  return s0 !== 0 && s0 === s1 && s0 === s2;
}

/** The corner that coincides with point `i`: 0, 1, 2 or -1. */
function findCorner(p: Float64Array, i: number, q: Float64Array, b0: number, b1: number, b2: number): number {
  const x = p[i];
  const y = p[i + 1];
  const z = p[i + 2];
  if (x === q[b0] && y === q[b0 + 1] && z === q[b0 + 2]) return 0;
  if (x === q[b1] && y === q[b1 + 1] && z === q[b1 + 2]) return 1;
  if (x === q[b2] && y === q[b2 + 1] && z === q[b2 + 2]) return 2;
  return -1;
}

/** An axis u for which the projection to coordinates u and u + 1 has an area, if the triangle has one. */
function projectionAxis(p: Float64Array, a0: number, a1: number, a2: number): number {
  for (let u = 0; u < 2; u++) {
    if (turn(p, a0, p, a1, p, a2, u, u + 1) !== 0) return u;
  }
  return 2;
}

/**
 * Which way three points turn in the plane of coordinates u and v: 1, -1, or 0 on a line.
 * Takes scalars, for inner loops.
 */
function turn(
  p: Float64Array,
  i: number,
  q: Float64Array,
  j: number,
  r: Float64Array,
  k: number,
  u: number,
  v: number,
): number {
  return exactTurn(p[i + u], p[i + v], q[j + u], q[j + v], r[k + u], r[k + v]);
}

/** On which side of the plane of a triangle the point `q[j]` lies: 1, -1, or 0 in the plane. */
function side(p: Float64Array, a0: number, a1: number, a2: number, q: Float64Array, j: number): number {
  return exactSide(
    p[a0],
    p[a0 + 1],
    p[a0 + 2],
    p[a1],
    p[a1 + 1],
    p[a1 + 2],
    p[a2],
    p[a2 + 1],
    p[a2 + 2],
    q[j],
    q[j + 1],
    q[j + 2],
  );
}

/** Sign of the volume spanned by points i, j of `p` and k, l of `q`. */
function volume(p: Float64Array, i: number, j: number, q: Float64Array, k: number, l: number): number {
  return exactSide(
    p[i],
    p[i + 1],
    p[i + 2],
    p[j],
    p[j + 1],
    p[j + 2],
    q[k],
    q[k + 1],
    q[k + 2],
    q[l],
    q[l + 1],
    q[l + 2],
  );
}
