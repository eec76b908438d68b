// All pairs of points at which two surfaces are nearest, up to rounding: whether a distance has a derivative follows from how
// many there are. Boxes leave few pairs of triangles; of these every vertex is measured against the other face, every edge
// against every other one, so that parallel features show by the several pairs of points that they have.
import { writePlacement } from '../../core/placement.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { BoxBound } from '../../proximity/boxes/box-bound.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, UNOPENED } from '../../proximity/boxes/box-tree.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { nearestOnSegments } from './closest-features.js';

/** Two points, in the frame of A. */
export interface WitnessPair {
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

/** Chosen: the most pairs of triangles that are looked at: that many are near only where surfaces are parallel. */
const MAX_PAIRS = 2048;

/** The pairs of points at most `limit` apart; null where there are too many pairs of triangles within it. */
export function nearestWitnesses(
  a: ProximityModel,
  b: ProximityModel,
  bInA: pose.Pose,
  limit: number,
): WitnessPair[] | null {
  const found: WitnessPair[] = [];
  const [treeA, treeB] = [a.boxes, b.boxes];
  const bounds = new BoxBound(treeA, treeB);
  bounds.place(writePlacement(bInA, new Float64Array(12)));
  const waiting: (readonly [number, number])[] = [[0, 0]];
  let pairs = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [nodeA, nodeB] = next;
    if (bounds.boundFaces(nodeA, nodeB, limit, false) > limit) continue;
    const [linkA, linkB] = [linkOf(treeA, nodeA), linkOf(treeB, nodeB)];
    if (linkA < 0 && linkB < 0) {
      if (++pairs > MAX_PAIRS) return null;
      measurePair(cornersOf(a, ~linkA, null), cornersOf(b, ~linkB, bInA), limit, found);
    } else if (linkB < 0 || (linkA >= 0 && radiusOf(treeA, nodeA) >= radiusOf(treeB, nodeB))) {
      waiting.push([nodeA + 1, nodeB], [linkA, nodeB]);
    } else waiting.push([nodeA, nodeB + 1], [nodeA, linkB]);
  }
  return found;
}

function linkOf(tree: BoxTree, node: number): number {
  return tree.links[node] === UNOPENED ? tree.open(node) : tree.links[node];
}

function radiusOf({ boxes }: BoxTree, node: number): number {
  return boxes[BOX_STRIDE * node + BOX_RADIUS];
}

function cornersOf({ mesh }: ProximityModel, triangle: number, placed: pose.Pose | null): Vec3[] {
  return [0, 1, 2].map((k) => {
    const at = 3 * mesh.indices[3 * triangle + k];
    const corner: Vec3 = [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
    return placed === null ? corner : pose.transformPoint(placed, corner);
  });
}

function measurePair(a: readonly Vec3[], b: readonly Vec3[], limit: number, found: WitnessPair[]): void {
  const note = (pointA: Vec3, pointB: Vec3): void => {
    const apart = Math.hypot(pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]);
    if (apart <= limit) found.push({ pointA, pointB });
  };
  const flat = [a, b].map((corners) => Float64Array.from(corners.flat()));
  for (const corner of a) note(corner, onTriangle(flat[1], corner));
  for (const corner of b) note(onTriangle(flat[0], corner), corner);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const points = nearestOnSegments(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
      if (points !== null) note(...points);
    }
  }
}

function onTriangle(corners: Float64Array, [x, y, z]: Vec3): Vec3 {
  const found = new TrianglePoint();
  nearestOnTriangle(corners, 0, x, y, z, found);
  return [found.x, found.y, found.z];
}
