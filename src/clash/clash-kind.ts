// What kind of clash the overlap of two parts is. Touching parts are told from overlaps by proven bounds; whether one part
// is in the other, or goes through it, is decided at vertices and along edges.
import { DisjointSets } from '../core/disjoint-sets.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import { findCrossingCurves } from '../proximity/crossing-curves.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { LocalThickness } from './measures/local-thickness.js';

/**
 * 'penetrating': the parts overlap. 'piercing': one goes through the other and stands out on two sides. 'contained': one
 * is inside the other and their surfaces do not meet. 'duplicate': both have the same shape in the same place.
 * 'touching': they overlap or are apart by no more than files and facets are precise. 'near': closer than the clearance.
 */
export type ClashKind = 'penetrating' | 'piercing' | 'contained' | 'duplicate' | 'touching' | 'near';

/** Chosen: a part with more vertices near the other one is not searched for two ends; it would take seconds. */
const MAX_VERTICES = 4000;

/** Chosen: how often an edge is halved to see whether it crosses the other part; it counts as crossing then. */
const MAX_HALVINGS = 10;

/** The kind of an overlap that is no duplicate. @param floor lengths up to this count as touching. */
export function kindOfOverlap(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  thickness: LocalThickness,
  floor: number,
): ClashKind {
  if (thickness.upper <= floor) return 'touching';
  if (!a.closed || !b.closed) return 'penetrating';
  const back = pose.invert(relative);
  if (findCrossingCurves(a, b, pose.identity(), relative, { maxSegments: 1 }).length === 0) {
    if (isWithin(a, b, back, floor) || isWithin(b, a, relative, floor)) return 'contained';
  }
  return standsOutTwice(a, b, back, floor) || standsOutTwice(b, a, relative, floor) ? 'piercing' : 'penetrating';
}

/**
 * How far apart the points of two parts of the same shape are, at most, where that is no more than the floor; null for
 * parts that are no duplicates.
 */
export function duplicateDistance(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  floor: number,
): number | null {
  // Parts of the same shape share their model.
  if (a !== b) return null;
  const { boxMin, boxMax } = a;
  let farthest = 0;
  // How far a point moves is convex, so that no point of the box moves farther than its corners.
  for (let corner = 0; corner < 8; corner++) {
    const at = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? boxMax[axis] : boxMin[axis])) as Vec3;
    farthest = Math.max(farthest, vec3.distance(at, pose.transformPoint(relative, at)));
  }
  return farthest <= floor ? farthest : null;
}

/** Whether every shell of a part is inside another, deeper than the floor. Their surfaces do not cross. */
function isWithin(inner: ProximityModel, outer: ProximityModel, placement: pose.Pose, floor: number): boolean {
  return Array.from(inner.componentVertices).every(
    (vertex) => -outer.signedDistance(pose.transformPoint(placement, vertexOf(inner, vertex))) > floor,
  );
}

/** Whether the edges of one shell of a part, without those that cross the other one, leave two ends outside of it. */
function standsOutTwice(part: ProximityModel, other: ProximityModel, placement: pose.Pose, floor: number): boolean {
  const { positions, indices } = part.mesh;
  const count = positions.length / 3;
  const places = new Float64Array(positions.length);
  /** At most the distance to the other part; negative inside. Beyond its box, the distance to the box will do. */
  const distances = new Float64Array(count);
  let near = 0;
  for (let vertex = 0; vertex < count; vertex++) {
    const place = pose.transformPoint(placement, vertexOf(part, vertex));
    places.set(place, 3 * vertex);
    const toBox = distanceToBox(place, other);
    if (toBox === 0 && ++near > MAX_VERTICES) return false;
    distances[vertex] = toBox > 0 ? toBox : other.signedDistance(place);
  }
  const shells = new DisjointSets(count);
  const ends = new DisjointSets(count);
  for (let i = 0; i < indices.length; i++) {
    const u = indices[i];
    const v = indices[i % 3 === 2 ? i - 2 : i + 1];
    shells.unite(u, v);
    if (u > v || distances[u] <= floor || distances[v] <= floor) continue;
    const [p, q] = [u, v].map((w) => [...places.subarray(3 * w, 3 * w + 3)] as Vec3);
    if (isClear(p, distances[u], q, distances[v], other, MAX_HALVINGS)) ends.unite(u, v);
  }
  /** The end that each shell was seen to have. */
  const endOf = new Map<number, number>();
  for (let vertex = 0; vertex < count; vertex++) {
    if (distances[vertex] <= floor) continue;
    const shell = shells.find(vertex);
    const known = endOf.get(shell);
    if (known !== undefined && known !== ends.find(vertex)) return true;
    endOf.set(shell, ends.find(vertex));
  }
  return false;
}

/** Whether a segment stays outside: the balls around its ends, where nothing of the other part is, cover it. */
function isClear(p: Vec3, atP: number, q: Vec3, atQ: number, other: ProximityModel, halvings: number): boolean {
  if (atP + atQ >= vec3.distance(p, q)) return true;
  if (halvings === 0) return false;
  const middle: Vec3 = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2];
  const at = other.signedDistance(middle);
  if (at <= 0) return false;
  return isClear(p, atP, middle, at, other, halvings - 1) && isClear(middle, at, q, atQ, other, halvings - 1);
}

function distanceToBox(p: Vec3, { boxMin, boxMax }: ProximityModel): number {
  return Math.hypot(...p.map((value, axis) => Math.max(0, boxMin[axis] - value, value - boxMax[axis])));
}

function vertexOf({ mesh: { positions } }: ProximityModel, vertex: number): Vec3 {
  return [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
}
