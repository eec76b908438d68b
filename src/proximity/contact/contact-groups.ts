// Joins minimizers of pairs of triangles where they touch: each connected set is one contact. Neighbors come from a
// hierarchy of boxes; two touch if no line parallel to an edge of either separates them. The contact is at the point of
// the joined set that is nearest to its center of mass. O(n log n).

import { DisjointSets } from '../../core/disjoint-sets.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { boxesOverlap } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { traverseSelf } from '../../spatial/traverse-bvh-self.js';

/** The minimizers of a pair of triangles: `points` on A's triangle; adding `offset` gives those on B's. In A's frame. */
export interface Minimizer {
  readonly triangleA: number;
  readonly triangleB: number;
  /** 0 for a point, 1 for a segment, 2 for a polygon. */
  readonly dimension: number;
  /** x, y, z of each corner: one, two, or at least three around a convex polygon. */
  readonly points: Float64Array;
  readonly center: Float64Array;
  /** Length or area; 0 for a point. */
  readonly measure: number;
  readonly offset: Float64Array;
  /** Unit, from A to B. */
  readonly normal: Float64Array;
}

/** A connected set of minimizers. */
export interface MinimizerGroup {
  /** The member that contains the middle. */
  readonly member: Minimizer;
  /** On A, in A's frame. */
  readonly middle: Float64Array;
  /** The largest dimension of a member. */
  readonly dimension: number;
  /** How far the set extends from its middle. */
  readonly extent: number;
}

/** Joins minimizers that come within `reach` of each other on both surfaces. */
export function joinMinimizers(minimizers: readonly Minimizer[], reach: number): MinimizerGroup[] {
  const sets = new DisjointSets(minimizers.length);
  traverseSelf(buildBvh(boundMinimizers(minimizers, reach / 2)), {
    testBoxes: boxesOverlap,
    visitItems(i, j) {
      if (sets.find(i) !== sets.find(j) && touch(minimizers[i], minimizers[j], reach)) sets.unite(i, j);
      return false;
    },
  });
  const groups = new Map<number, Minimizer[]>();
  minimizers.forEach((minimizer, i) => {
    const root = sets.find(i);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [minimizer]);
    else group.push(minimizer);
  });
  return Array.from(groups.values(), (members) => findMiddle(members, reach));
}

/** Six numbers each: min x, y, z and max x, y, z of the points, grown by the margin. */
function boundMinimizers(minimizers: readonly Minimizer[], margin: number): Float64Array {
  const boxes = new Float64Array(6 * minimizers.length);
  minimizers.forEach(({ points }, m) => {
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = axis; i < points.length; i += 3) {
        low = Math.min(low, points[i]);
        high = Math.max(high, points[i]);
      }
      boxes[6 * m + axis] = low - margin;
      boxes[6 * m + 3 + axis] = high + margin;
    }
  });
  return boxes;
}

function touch(a: Minimizer, b: Minimizer, reach: number): boolean {
  for (let k = 0; k < 3; k++) if (Math.abs(a.offset[k] - b.offset[k]) > reach) return false;
  const [nx, ny, nz] = a.normal;
  return (
    !isBetween(nx, ny, nz, a.points, b.points, reach) && !edgesSeparate(a, b, reach) && !edgesSeparate(b, a, reach)
  );
}

/** Whether a line along an edge of `a`, or perpendicular to a segment, separates the two by more than `reach`. */
function edgesSeparate(a: Minimizer, b: Minimizer, reach: number): boolean {
  const { points, normal } = a;
  if (points.length === 3) return false;
  for (let i = 0; i < points.length; i += 3) {
    const j = i + 3 === points.length ? 0 : i + 3;
    const x = points[j] - points[i];
    const y = points[j + 1] - points[i + 1];
    const z = points[j + 2] - points[i + 2];
    if (
      isBetween(
        y * normal[2] - z * normal[1],
        z * normal[0] - x * normal[2],
        x * normal[1] - y * normal[0],
        points,
        b.points,
        reach,
      )
    )
      return true;
    if (points.length === 6 && isBetween(x, y, z, points, b.points, reach)) return true;
  }
  return false;
}

/** Whether two sets of points are more than `reach` apart along a direction of any length. */
function isBetween(x: number, y: number, z: number, p: Float64Array, q: Float64Array, reach: number): boolean {
  const margin = reach * Math.sqrt(x * x + y * y + z * z);
  let lowP = Infinity;
  let highP = -Infinity;
  let lowQ = Infinity;
  let highQ = -Infinity;
  for (let i = 0; i < p.length; i += 3) {
    // Relative to one of their points: far from the origin the products would lose digits.
    const h = x * (p[i] - p[0]) + y * (p[i + 1] - p[1]) + z * (p[i + 2] - p[2]);
    lowP = Math.min(lowP, h);
    highP = Math.max(highP, h);
  }
  for (let i = 0; i < q.length; i += 3) {
    const h = x * (q[i] - p[0]) + y * (q[i + 1] - p[1]) + z * (q[i + 2] - p[2]);
    lowQ = Math.min(lowQ, h);
    highQ = Math.max(highQ, h);
  }
  return lowQ - highP > margin || lowP - highQ > margin;
}

/** The point of the members nearest to their common center of mass; among equally near ones, in the earliest member. */
function findMiddle(members: readonly Minimizer[], reach: number): MinimizerGroup {
  let dimension = 0;
  for (const member of members) dimension = Math.max(dimension, member.dimension);
  const origin = members[0].center;
  let total = 0;
  const sum = [0, 0, 0];
  for (const { dimension: own, measure, center } of members) {
    if (own !== dimension) continue;
    const weight = own === 0 ? 1 : measure;
    total += weight;
    for (let k = 0; k < 3; k++) sum[k] += weight * (center[k] - origin[k]);
  }
  const target = Float64Array.from(sum, (value, k) => origin[k] + value / total);
  let member = members[0];
  let nearest = Infinity;
  const middle = new Float64Array(3);
  const place = new TrianglePoint();
  for (const candidate of members) {
    if (candidate.dimension !== dimension) continue;
    nearestInSet(candidate.points, target, place);
    const distance = Math.sqrt(place.distanceSquared);
    if (distance >= nearest - reach && nearest < Infinity) continue;
    nearest = distance;
    member = candidate;
    middle[0] = place.x;
    middle[1] = place.y;
    middle[2] = place.z;
  }
  let extent = 0;
  for (const { points } of members) {
    for (let i = 0; i < points.length && dimension > 0; i += 3) {
      const [x, y, z] = [points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]];
      extent = Math.max(extent, Math.hypot(x, y, z));
    }
  }
  return { member, middle, dimension, extent };
}

/** The point of a point, segment or convex polygon that is nearest to a given point. */
function nearestInSet(points: Float64Array, [x, y, z]: Float64Array, out: TrianglePoint): void {
  const corners = new Float64Array(9);
  const best = new TrianglePoint();
  const last = Math.max(6, points.length) - 3;
  for (let i = 3; i < Math.max(last, 4); i += 3) {
    for (let k = 0; k < 3; k++) {
      corners[k] = points[k];
      corners[3 + k] = points.length > 3 ? points[i + k] : points[k];
      corners[6 + k] = points.length > 6 ? points[i + 3 + k] : corners[3 + k];
    }
    nearestOnTriangle(corners, 0, x, y, z, out);
    if (out.distanceSquared < best.distanceSquared) Object.assign(best, out);
  }
  Object.assign(out, best);
}
