// Where the surfaces of two placed models cross, in figures: how long the curves are, how large the region is that they span,
// and the directions that are likely to part the models. In floating point; nothing is decided by it.
import * as box from '../../core/box.js';
import * as pose from '../../core/pose.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { visitCrossings } from '../../mesh/triangle/crossing-segments.js';
import { trianglesWithin } from '../../proximity/crossing-curves.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** The curves in which two surfaces cross, in the frame of the first model. */
export interface CrossingShape {
  /** Of all curves together; 0 where the surfaces do not cross. */
  readonly length: number;
  /** The box around the curves; null without any. */
  readonly region: { readonly min: Vec3; readonly max: Vec3 } | null;
  /** Unit vectors along which moving the first model is likely to part the two, the likeliest first. */
  readonly waysOut: readonly Vec3[];
  /** The triangles of either model that cross. */
  readonly trianglesA: ReadonlySet<number>;
  readonly trianglesB: ReadonlySet<number>;
}

/** Measures where two models cross. @param relative B's pose in A's frame. */
export function measureCrossing(a: ProximityModel, b: ProximityModel, relative: pose.Pose): CrossingShape {
  // Of B, only what is near A's box; of A, only what is near that.
  const nearB = trianglesWithin(b.mesh, relative, a.boxMin, a.boxMax);
  if (nearB.triangles.length === 0) return NO_CROSSING;
  const { min: low, max: high } = box.ofPositions(nearB.corners);
  const nearA = trianglesWithin(a.mesh, pose.identity(), low, high);
  const [trianglesA, trianglesB] = [new Set<number>(), new Set<number>()];
  const sums = new CurveSums();
  visitCrossings(nearA.corners, nearB.corners, (i, j, start, end) => {
    trianglesA.add(nearA.triangles[i]);
    trianglesB.add(nearB.triangles[j]);
    sums.add(start, end, normalOf(nearA.corners, i), normalOf(nearB.corners, j));
  });
  if (sums.region === null) return NO_CROSSING;
  return { length: sums.length, region: sums.region, waysOut: sums.waysOut(), trianglesA, trianglesB };
}

/** Surfaces that do not cross. */
export const NO_CROSSING: CrossingShape = {
  length: 0,
  region: null,
  waysOut: [],
  trianglesA: new Set(),
  trianglesB: new Set(),
};

/** Sums over the segments of curves. */
class CurveSums {
  length = 0;
  region: { min: Vec3; max: Vec3 } | null = null;
  readonly #outOfA: Vec3 = [0, 0, 0];
  readonly #outOfB: Vec3 = [0, 0, 0];
  /** Of the middles, weighted by length: the sum, and the six products. */
  readonly #first: Vec3 = [0, 0, 0];
  readonly #second = new Float64Array(6);
  /** The longest segment, with the normals there. */
  #longest = 0;
  #normals: Vec3[] = [];

  add(start: Vec3, end: Vec3, normalA: Vec3, normalB: Vec3): void {
    const length = vec3.distance(start, end);
    this.region ??= { min: [...start], max: [...start] };
    for (const point of [start, end]) {
      for (let k = 0; k < 3; k++) {
        this.region.min[k] = Math.min(this.region.min[k], point[k]);
        this.region.max[k] = Math.max(this.region.max[k], point[k]);
      }
    }
    this.length += length;
    vec3.addScaled(this.#outOfA, normalA, length, this.#outOfA);
    vec3.addScaled(this.#outOfB, normalB, length, this.#outOfB);
    const [x, y, z] = vec3.lerp(start, end, 0.5);
    vec3.addScaled(this.#first, [x, y, z], length, this.#first);
    for (const [k, product] of [x * x, x * y, x * z, y * y, y * z, z * z].entries())
      this.#second[k] += length * product;
    if (length > this.#longest) {
      this.#longest = length;
      this.#normals = [normalB, vec3.scale(normalA, -1)];
    }
  }

  /** Along the normals of the surfaces, and across the plane in which the curves lie. */
  waysOut(): Vec3[] {
    const wanted: Vec3[] = [
      vec3.subtract(this.#outOfB, this.#outOfA),
      this.#outOfB,
      vec3.scale(this.#outOfA, -1),
      ...this.#normals,
    ];
    if (this.length > 0) {
      const [x, y, z] = vec3.scale(this.#first, 1 / this.length);
      const [xx, xy, xz, yy, yz, zz] = this.#second.map((value) => value / this.length);
      const { vectors } = symmetricEigen(xx - x * x, xy - x * y, xz - x * z, yy - y * y, yz - y * z, zz - z * z);
      for (const vector of [vectors[2], vectors[1]]) wanted.push(vector, vec3.scale(vector, -1));
    }
    return wanted.filter((vector) => vec3.length(vector) > 0).map((vector) => vec3.normalize(vector));
  }
}

/** The unit normal of a triangle of nine coordinates; zero for one without area. */
function normalOf(corners: Float64Array, triangle: number): Vec3 {
  const at = (k: number): Vec3 => [
    corners[9 * triangle + k],
    corners[9 * triangle + k + 1],
    corners[9 * triangle + k + 2],
  ];
  const normal = vec3.cross(vec3.subtract(at(3), at(0)), vec3.subtract(at(6), at(0)));
  return vec3.length(normal) > 0 ? vec3.normalize(normal) : [0, 0, 0];
}
