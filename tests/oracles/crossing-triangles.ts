// Pairs of triangles that meet elsewhere than in the corners they share, by exact orientation signs: an edge of one
// stabs the other. Broad phase: a sweep along X. Flat overlaps of coplanar triangles that share no edge are found when
// edges cross or a corner is covered; neighbors across an edge meet when one is folded back onto the other.

import { orient2d, orient3d } from 'robust-predicates';

type Point = readonly number[];
type Triangle = readonly [Point, Point, Point];

/** The first `limit` pairs, each as [lower face, higher face]. */
export function crossingTriangles(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  limit = 10,
): [number, number][] {
  const count = indices.length / 3;
  const corners = Array.from({ length: count }, (_, f) => [indices[3 * f], indices[3 * f + 1], indices[3 * f + 2]]);
  const triangles = corners.map(
    (face) => face.map((v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]) as unknown as Triangle,
  );
  const low = triangles.map((t) => [0, 1, 2].map((k) => Math.min(t[0][k], t[1][k], t[2][k])));
  const high = triangles.map((t) => [0, 1, 2].map((k) => Math.max(t[0][k], t[1][k], t[2][k])));
  const order = triangles.map((_, f) => f).sort((a, b) => low[a][0] - low[b][0]);

  const pairs: [number, number][] = [];
  for (let i = 0; i < count && pairs.length < limit; i++) {
    const f = order[i];
    for (let j = i + 1; j < count && low[order[j]][0] <= high[f][0]; j++) {
      const g = order[j];
      if (low[g][1] > high[f][1] || low[f][1] > high[g][1] || low[g][2] > high[f][2] || low[f][2] > high[g][2])
        continue;
      const shared = corners[f].filter((v) => corners[g].includes(v));
      if (meet(triangles[f], triangles[g], shared.length, corners[f], corners[g])) {
        pairs.push([Math.min(f, g), Math.max(f, g)]);
        if (pairs.length === limit) break;
      }
    }
  }
  return pairs;
}

function meet(a: Triangle, b: Triangle, shared: number, idsA: number[], idsB: number[]): boolean {
  if (shared === 3) return true;
  if (shared === 2) {
    const [p, q, apexA] = edgeFirst(a, idsA, idsB);
    const [, , apexB] = edgeFirst(b, idsB, idsA);
    return orientation(p, q, apexA, apexB) === 0 && sameSideInPlane(p, q, apexA, apexB);
  }
  // With a corner in common, only the edges opposite to it can stab.
  const edgesOf = (t: Triangle, ids: number[], others: number[]) =>
    [0, 1, 2]
      .filter((k) => !others.includes(ids[k]) && !others.includes(ids[(k + 1) % 3]))
      .map((k) => [t[k], t[(k + 1) % 3]]);
  return (
    edgesOf(a, idsA, idsB).some(([p, q]) => stabs(p, q, b)) || edgesOf(b, idsB, idsA).some(([p, q]) => stabs(p, q, a))
  );
}

/** The corners of `t` with the two that it shares first. */
function edgeFirst(t: Triangle, ids: number[], others: number[]): Point[] {
  const ordered = [0, 1, 2].sort(
    (i, j) => Number(others.includes(ids[j])) - Number(others.includes(ids[i])) || ids[i] - ids[j],
  );
  return ordered.map((k) => t[k]);
}

function sameSideInPlane(p: Point, q: Point, a: Point, b: Point): boolean {
  return PLANES.some(([x, y]) => {
    const side = (c: Point) => Math.sign(orient2d(p[x], p[y], q[x], q[y], c[x], c[y]));
    return side(a) * side(b) > 0;
  });
}

const PLANES = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

function orientation(a: Point, b: Point, c: Point, d: Point): number {
  return Math.sign(orient3d(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2]));
}

/** Whether the closed segment meets the closed triangle. */
function stabs(p: Point, q: Point, [a, b, c]: Triangle): boolean {
  const above = orientation(a, b, c, p);
  const below = orientation(a, b, c, q);
  if (above * below > 0) return false;
  if (above === 0 && below === 0) return meetsInPlane(p, q, [a, b, c]);
  const sides = [orientation(p, q, a, b), orientation(p, q, b, c), orientation(p, q, c, a)];
  return !(sides.includes(1) && sides.includes(-1));
}

/** All five points lie in one plane; it is judged in the coordinate plane where the triangle is largest. */
function meetsInPlane(p: Point, q: Point, [a, b, c]: Triangle): boolean {
  const areas = PLANES.map(([x, y]) => Math.abs(orient2d(a[x], a[y], b[x], b[y], c[x], c[y])));
  const [x, y] = PLANES[areas.indexOf(Math.max(...areas))];
  const turn = (u: Point, v: Point, w: Point) => Math.sign(orient2d(u[x], u[y], v[x], v[y], w[x], w[y]));
  const isCovered = (u: Point) => {
    const turns = [turn(a, b, u), turn(b, c, u), turn(c, a, u)];
    return !(turns.includes(1) && turns.includes(-1));
  };
  const crosses = (u: Point, v: Point) => {
    const [d, e, f, g] = [turn(p, q, u), turn(p, q, v), turn(u, v, p), turn(u, v, q)];
    if (d === 0 && e === 0) return false; // Along one line: an end of one is covered, which the other tests see.
    return d * e <= 0 && f * g <= 0;
  };
  return isCovered(p) || isCovered(q) || crosses(a, b) || crosses(b, c) || crosses(c, a);
}
