// The curves in which the surfaces of two placed models cross, for pictures. Only the triangles near the other model are
// looked at. In floating point: whether two models intersect is decided by `testIntersection`, never by these.
import * as box from '../core/box.js';
import { takePose } from '../core/check/check-pose.js';
import { optionTable, wholeNumber } from '../core/check/option-table.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import type { Mesh } from '../mesh/mesh.js';
import { findCrossings } from '../mesh/triangle/crossing-segments.js';
import { assertModel } from './arguments.js';
import { PROXIMITY_DEFAULTS } from './options.js';
import type { ProximityModel } from './proximity-model.js';

/** Options of {@link findCrossingCurves}. */
export interface CrossingOptions {
  /** The most segments; if there are more, they are thinned evenly. Default: 10,000. */
  readonly maxSegments?: number;
}

const CROSSING_OPTIONS = optionTable<CrossingOptions>()({
  maxSegments: wholeNumber(1, Infinity, PROXIMITY_DEFAULTS.crossingSegments),
});

/** Where the surfaces of two models cross: segments of six numbers each, in the world. Empty where they do not. */
export function findCrossingCurves(
  a: ProximityModel,
  b: ProximityModel,
  poseA: pose.ReadonlyPose,
  poseB: pose.ReadonlyPose,
  options: CrossingOptions = {},
): Float64Array {
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  const { maxSegments } = CROSSING_OPTIONS.read(options);
  const placedB = takePose(poseB, 'B');
  const aInB = pose.bInA(placedB, takePose(poseA, 'A'));
  // In B's frame, so that models far from the origin of the world keep their digits.
  const { corners: near } = trianglesWithin(a.mesh, aInB, b.boxMin, b.boxMax);
  const { min: low, max: high } = box.ofPositions(near);
  const segments = findCrossings(near, trianglesWithin(b.mesh, pose.identity(), low, high).corners, maxSegments);
  const point: Vec3 = [0, 0, 0];
  for (let o = 0; o < segments.length; o += 3) {
    pose.transformPoint(placedB, [segments[o], segments[o + 1], segments[o + 2]], point);
    segments.set(point, o);
  }
  return segments;
}

/** Some triangles of a mesh. */
export interface PlacedTriangles {
  /** Nine coordinates a triangle. */
  readonly corners: Float64Array;
  /** Their indices in the mesh. */
  readonly triangles: readonly number[];
}

/** The placed triangles whose boxes meet a box. */
export function trianglesWithin(
  { positions, indices }: Mesh,
  placement: pose.ReadonlyPose,
  low: ArrayLike<number>,
  high: ArrayLike<number>,
): PlacedTriangles {
  const m = pose.toMatrix4(placement);
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = [positions[i], positions[i + 1], positions[i + 2]];
    for (let row = 0; row < 3; row++)
      placed[i + row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
  }
  const found: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [p, q, r] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    let meets = true;
    for (let k = 0; k < 3 && meets; k++) {
      meets =
        Math.min(placed[p + k], placed[q + k], placed[r + k]) <= high[k] &&
        Math.max(placed[p + k], placed[q + k], placed[r + k]) >= low[k];
    }
    if (!meets) continue;
    triangles.push(i / 3);
    for (const o of [p, q, r]) found.push(placed[o], placed[o + 1], placed[o + 2]);
  }
  return { corners: Float64Array.from(found), triangles };
}
