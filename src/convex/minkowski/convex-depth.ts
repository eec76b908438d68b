// How deep two convex polyhedra overlap, exactly: the distance from the origin to the nearest plane of the sum {b − a}
// (Cameron and Culley 1986). No iteration and no tolerance; O(facets of the sum × a vertex's neighbors).
import type { Vec3 } from '../../core/vec3.js';
import type { ConvexSet } from '../closest/convex-set.js';
import { EDGE, encodeFeature, FACE, featureKind, featureVertices, VERTEX } from '../closest/feature.js';
import { Gjk } from '../closest/gjk.js';
import { placeHandle } from '../closest/vertex-handle.js';
import { MinkowskiSums } from './minkowski-sums.js';

/** The depth of two convex polyhedra that meet. All in A's frame. */
export interface ConvexDepth {
  /** The length of A's shortest move that ends the overlap; 0 when they only touch. */
  readonly depth: number;
  /** The unit vector along which A moves. */
  readonly direction: Vec3;
  /** The feature of A that will touch, a code of feature.ts: vertex with face, face with vertex, or edge with edge. */
  readonly featureA: number;
  /** The same for B. */
  readonly featureB: number;
  /** The point of A, before it moves, that will touch B. */
  readonly pointA: Vec3;
  /** The point of B that it touches: pointB − pointA = depth·direction. */
  readonly pointB: Vec3;
}

/** Rounding: planes count as equally near if their depths differ by less than this share of the coordinates. */
const SAME_DEPTH = 1e-14;
/** Rounding: a point is off its feature if it lies outside by more than this share of the coordinates. */
const OFF_FEATURE = 1e-12;
/** Chosen: faces belong to a facet if the cosine of their normals is at least this, an angle of 4.5e-5. */
const SAME_NORMAL = 1 - 1e-9;
/** Chosen: edges at a smaller angle (its sine, squared) have no crossing that is certain enough; the sine is 1e-6. */
const UNCERTAIN_CROSSING_SQUARED = 1e-12;
/**
 * Chosen: A is moved this far beyond touching, as a share of the coordinates, to ask for the closest points there: far
 * above rounding, far below any detail.
 */
const BEYOND_TOUCH = 1e-7;

/**
 * The penetration depth of two convex polyhedra, or null when they are apart.
 * @param placement B in A's frame, row-major 3 × 4.
 * @param sums Where the sum is made; its contents are replaced. Keep one for many queries of the same sets.
 */
export function convexDepth(
  setA: ConvexSet,
  nodeA: number,
  setB: ConvexSet,
  nodeB: number,
  placement: Float64Array,
  sums: MinkowskiSums = new MinkowskiSums(),
): ConvexDepth | null {
  sums.clear();
  sums.add(setA, nodeA, setB, nodeB, placement);
  const { planes, facetCount, spheres } = sums;
  let nearest = -1;
  for (let facet = 0; facet < facetCount; facet++) {
    const c = planes[4 * facet + 3];
    if (c < 0) return null;
    if (nearest < 0 || c < planes[4 * nearest + 3]) nearest = facet;
  }
  const depth = planes[4 * nearest + 3];
  const size = spheres[3] + Math.abs(placement[3]) + Math.abs(placement[7]) + Math.abs(placement[11]);
  const a: Placed = { set: setA, node: nodeA, placement: IDENTITY };
  const b: Placed = { set: setB, node: nodeB, placement };
  // Not every pair of features of touching parallel facets has a common point.
  for (let i = -1; i < facetCount; i++) {
    const facet = i < 0 ? nearest : i;
    if (planes[4 * facet + 3] > depth + SAME_DEPTH * size) continue;
    const direction: Vec3 = [planes[4 * facet], planes[4 * facet + 1], planes[4 * facet + 2]];
    const touch = findTouch(a, sums.featuresA[facet], b, sums.featuresB[facet], direction, depth, OFF_FEATURE * size);
    if (touch !== null) return { depth, direction, ...touch };
  }
  const direction: Vec3 = [planes[4 * nearest], planes[4 * nearest + 1], planes[4 * nearest + 2]];
  const pointA = findTouchBeyond(a, b, direction, depth + BEYOND_TOUCH * size);
  return {
    depth,
    direction,
    featureA: sums.featuresA[nearest],
    featureB: sums.featuresB[nearest],
    pointA,
    pointB: step(pointA, direction, depth),
  };
}

/** A node and its placement. */
interface Placed {
  readonly set: ConvexSet;
  readonly node: number;
  readonly placement: Float64Array;
}

type Touch = Pick<ConvexDepth, 'featureA' | 'featureB' | 'pointA' | 'pointB'>;

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

function step(from: Vec3, [x, y, z]: Vec3, length: number): Vec3 {
  return [from[0] + length * x, from[1] + length * y, from[2] + length * z];
}

/** A point of A's feature and one of B's that coincide after A's move; null if no two do. */
function findTouch(
  a: Placed,
  featureA: number,
  b: Placed,
  featureB: number,
  direction: Vec3,
  depth: number,
  tolerance: number,
): Touch | null {
  const cornersA = findCorners(a, featureA);
  const cornersB = findCorners(b, featureB);
  const kinds = 3 * featureKind(featureA) + featureKind(featureB);
  if (kinds === 3 * VERTEX + FACE) {
    const pointB = step(cornersA[0], direction, depth);
    const face = findFaceAt(b, pointB, direction, 1, tolerance);
    return face < 0 ? null : { featureA, featureB: face, pointA: cornersA[0], pointB };
  }
  if (kinds === 3 * FACE + VERTEX) {
    const pointA = step(cornersB[0], direction, -depth);
    const face = findFaceAt(a, pointA, direction, -1, tolerance);
    return face < 0 ? null : { featureA: face, featureB, pointA, pointB: cornersB[0] };
  }
  if (kinds !== 3 * EDGE + EDGE) return null;
  const pointA = crossEdges(
    cornersA,
    cornersB.map((corner) => step(corner, direction, -depth)),
    tolerance,
  );
  return pointA === null ? null : { featureA, featureB, pointA, pointB: step(pointA, direction, depth) };
}

function findCorners({ set, node, placement: m }: Placed, feature: number): Vec3[] {
  return featureVertices(set, node, feature).map((id): Vec3 => {
    const [x, y, z] = set.positions.subarray(3 * id, 3 * id + 3);
    return [
      m[0] * x + m[1] * y + m[2] * z + m[3],
      m[4] * x + m[5] * y + m[6] * z + m[7],
      m[8] * x + m[9] * y + m[10] * z + m[11],
    ];
  });
}

/** The face of a facet that a point lies on; −1 if outside. `sign`: of the facet's normal against `along`. */
function findFaceAt(placed: Placed, point: Vec3, along: Vec3, sign: number, tolerance: number): number {
  const { set, node, placement: m } = placed;
  const x = sign * (m[0] * along[0] + m[4] * along[1] + m[8] * along[2]);
  const y = sign * (m[1] * along[0] + m[5] * along[1] + m[9] * along[2]);
  const z = sign * (m[2] * along[0] + m[6] * along[1] + m[10] * along[2]);
  for (let face = set.faceStart[node]; face < set.faceStart[node + 1]; face++) {
    const plane = 4 * set.nodeFaces[face];
    const { facePlanes } = set;
    if (x * facePlanes[plane] + y * facePlanes[plane + 1] + z * facePlanes[plane + 2] < SAME_NORMAL) continue;
    const code = encodeFeature(FACE, 3 * face);
    if (isInTriangle(point, findCorners(placed, code), tolerance)) return code;
  }
  return -1;
}

/** Whether a point in a triangle's plane is inside it. */
function isInTriangle(p: Vec3, corners: Vec3[], tolerance: number): boolean {
  const [a, b, c] = corners;
  const normal = crossOf(a, b, c);
  const area = Math.hypot(...normal);
  for (let k = 0; k < 3; k++) {
    const [from, to] = [corners[k], corners[(k + 1) % 3]];
    const part = crossOf(from, to, p);
    const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    const inside = (part[0] * normal[0] + part[1] * normal[1] + part[2] * normal[2]) / area;
    if (inside < -tolerance * length) return false;
  }
  return true;
}

/** (b − a) × (c − a). */
function crossOf(a: Vec3, b: Vec3, c: Vec3): Vec3 {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Where two coplanar edges cross; null if they do not. */
function crossEdges([p, q]: Vec3[], [r, s]: Vec3[], tolerance: number): Vec3 | null {
  const d: Vec3 = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const e: Vec3 = [s[0] - r[0], s[1] - r[1], s[2] - r[2]];
  const w: Vec3 = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  const de = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
  const wd = w[0] * d[0] + w[1] * d[1] + w[2] * d[2];
  const we = w[0] * e[0] + w[1] * e[1] + w[2] * e[2];
  const determinant = dd * ee - de * de;
  if (!(determinant > UNCERTAIN_CROSSING_SQUARED * dd * ee)) return null;
  const along = (wd * ee - we * de) / determinant;
  const other = (wd * de - we * dd) / determinant;
  const slackD = tolerance / Math.sqrt(dd);
  const slackE = tolerance / Math.sqrt(ee);
  if (along < -slackD || along > 1 + slackD || other < -slackE || other > 1 + slackE) return null;
  return step(p, d, along);
}

/** The point of A nearest B when A is moved by `way`, slightly beyond touching. */
function findTouchBeyond(
  { set: setA, node: nodeA }: Placed,
  { set: setB, node: nodeB, placement }: Placed,
  direction: Vec3,
  way: number,
): Vec3 {
  const moved = placement.slice();
  for (let axis = 0; axis < 3; axis++) moved[4 * axis + 3] -= way * direction[axis];
  const gjk = new Gjk();
  const handleA = placeHandle(setA, nodeA, setA.vertexStart[nodeA]);
  const handleB = placeHandle(setB, nodeB, setB.vertexStart[nodeB]);
  gjk.run(setA, nodeA, setB, nodeB, moved, handleA, handleB);
  return [gjk.pointA[0], gjk.pointA[1], gjk.pointA[2]];
}
