// How far a rigid motion takes a solid: the largest displacement of any of its points. A displacement is affine in the
// point, so its length is convex and largest at a vertex of the convex hull; no others are examined. O(hull vertices).
import type { ReadonlyPose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Solid } from '../solid.js';

/** The norm of motions of one solid; motions are poses in its own frame. */
export class ObjectNorm {
  readonly #points: Float64Array;
  readonly #matrix = new Float64Array(9);

  constructor({ set }: Solid) {
    const { positions, vertexStart, nodeVertices } = set;
    // Node 0 is the hull of the whole solid.
    this.#points = new Float64Array(3 * (vertexStart[1] - vertexStart[0]));
    for (let i = 0; i < this.#points.length; i++) {
      this.#points[i] = positions[3 * nodeVertices[vertexStart[0] + Math.floor(i / 3)] + (i % 3)];
    }
  }

  /** The principal axes: three axes at right angles along which the hull's vertices spread most, next and least. */
  axes(): readonly [Vec3, Vec3, Vec3] {
    const points = this.#points;
    const mean = [0, 0, 0];
    for (let i = 0; i < points.length; i++) mean[i % 3] += points[i] / (points.length / 3);
    let [xx, xy, xz, yy, yz, zz] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < points.length; i += 3) {
      const [x, y, z] = [points[i] - mean[0], points[i + 1] - mean[1], points[i + 2] - mean[2]];
      xx += x * x;
      xy += x * y;
      xz += x * z;
      yy += y * y;
      yz += y * z;
      zz += z * z;
    }
    return symmetricEigen(xx, xy, xz, yy, yz, zz).vectors;
  }

  /** The largest displacement under a motion; above `limit` it need not be exact. */
  measure(motion: ReadonlyPose, limit = Infinity): number {
    const m = quat.toMatrix3([motion[3], motion[4], motion[5], motion[6]], this.#matrix);
    const [tx, ty, tz] = [motion[0], motion[1], motion[2]];
    const points = this.#points;
    const end = limit * limit;
    let largest = 0;
    for (let i = 0; i < points.length && largest <= end; i += 3) {
      const x = points[i];
      const y = points[i + 1];
      const z = points[i + 2];
      const dx = (m[0] - 1) * x + m[1] * y + m[2] * z + tx;
      const dy = m[3] * x + (m[4] - 1) * y + m[5] * z + ty;
      const dz = m[6] * x + m[7] * y + (m[8] - 1) * z + tz;
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared > largest) largest = squared;
    }
    return Math.sqrt(largest);
  }
}
