// The triangles of a placed part near a point, for pictures.

import type { AssemblyPart } from '../../clash/assembly.js';
import * as pose from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';

/** Nine coordinates a triangle, relative to `origin`, of the triangles whose boxes meet the ball of `radius` around it. */
export function gatherNear(
  { model, pose: placement }: AssemblyPart,
  origin: ReadonlyVec3,
  radius: number,
): Float64Array {
  const { positions, indices } = model.mesh;
  const local = pose.transformPoint(pose.invert(placement), origin);
  const limit = radius * radius;
  const near: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const p = positions[3 * indices[i] + axis];
      const q = positions[3 * indices[i + 1] + axis];
      const r = positions[3 * indices[i + 2] + axis];
      const outside = Math.max(0, Math.min(p, q, r) - local[axis], local[axis] - Math.max(p, q, r));
      sum += outside * outside;
    }
    if (sum <= limit) near.push(i);
  }
  const m = pose.toMatrix4(placement);
  const corners = new Float64Array(9 * near.length);
  for (const [n, i] of near.entries()) {
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[i + k];
      // The difference from the local origin comes first, so that parts far away keep their digits.
      const [x, y, z] = [positions[v] - local[0], positions[v + 1] - local[1], positions[v + 2] - local[2]];
      for (let row = 0; row < 3; row++) {
        corners[9 * n + 3 * k + row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z;
      }
    }
  }
  return corners;
}
