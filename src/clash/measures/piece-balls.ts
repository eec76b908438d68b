// Balls around the pieces of a surface that a search by bounds divides: nodes of a hierarchy, and triangles.
import type { Vec3 } from '../../core/vec3.js';
import { type Bvh, boxOffset } from '../../spatial/bvh.js';

export interface PieceBall {
  readonly center: Vec3;
  readonly radius: number;
}

/** The ball around the box of a node. */
export function ballOfNode({ nodeBoxes: boxes }: Bvh, node: number): PieceBall {
  const o = boxOffset(node);
  const center: Vec3 = [0, 0, 0];
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    center[axis] = (boxes[o + axis] + boxes[o + 3 + axis]) / 2;
    square += (boxes[o + 3 + axis] - boxes[o + axis]) ** 2 / 4;
  }
  return { center, radius: Math.sqrt(square) };
}

/** The ball about the centroid of a triangle, which is nine numbers. */
export function ballOfTriangle(corners: Float64Array): PieceBall {
  const center: Vec3 = [0, 0, 0];
  for (let i = 0; i < 9; i++) center[i % 3] += corners[i] / 3;
  let radius = 0;
  for (let k = 0; k < 9; k += 3) {
    radius = Math.max(
      radius,
      Math.hypot(corners[k] - center[0], corners[k + 1] - center[1], corners[k + 2] - center[2]),
    );
  }
  return { center, radius };
}
