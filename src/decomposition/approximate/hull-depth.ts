// How deep the surface of a part lies in the part's hull: the largest distance from a point of it to the boundary of the
// hull, from both sides. Within a convex hull that distance is the least height below the planes of its faces; over a
// triangle each height is largest at a corner, which bounds their least from above. Triangles are quartered until the
// bounds agree. O(triangles × faces of the hull), more for few triangles.
import type { Part } from '../cut/part.js';

/** Bounds on a distance, a length. */
export interface DistanceBounds {
  readonly lower: number;
  readonly upper: number;
}

/** Chosen: the largest number of quarters of triangles looked at, beyond one look at each triangle. */
const MAX_QUARTERS = 4096;

/**
 * Bounds on the depth that differ by no more than `tolerance` unless that takes very long. `planes` has four numbers a
 * face of the hull: unit normal and offset. Ends early, with an infinite upper bound, when the depth exceeds
 * `decideAt`.
 */
export function boundDepth(part: Part, planes: Float64Array, tolerance: number, decideAt = Infinity): DistanceBounds {
  const { positions, indices, sources } = part;
  const vertexDepths = new Float64Array(positions.length / 3).fill(-1);
  let lower = 0;
  for (let t = 0; t < sources.length; t++) {
    if (sources[t] <= 0) continue;
    for (let k = 0; k < 3; k++) {
      const v = indices[3 * t + k];
      if (vertexDepths[v] >= 0) continue;
      vertexDepths[v] = depthOf(planes, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
      if (vertexDepths[v] > lower) lower = vertexDepths[v];
    }
    if (lower > decideAt) return { lower, upper: Infinity };
  }
  let upper = lower;
  let left = MAX_QUARTERS;
  const stack: number[] = [];
  for (let t = 0; t < sources.length; t++) {
    if (sources[t] <= 0) continue;
    const near = boundByCorners(part, t, vertexDepths);
    if (near <= Math.max(upper, lower + tolerance)) {
      if (near > upper) upper = near;
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const v = 3 * indices[3 * t + k];
      stack.push(positions[v], positions[v + 1], positions[v + 2]);
    }
    while (stack.length > 0) {
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = stack.splice(stack.length - 9, 9);
      const bound = boundTriangle(planes, ax, ay, az, bx, by, bz, cx, cy, cz);
      if (bound <= Math.max(upper, lower + tolerance)) {
        if (bound > upper) upper = bound;
        continue;
      }
      if (--left < 0) {
        upper = bound;
        continue;
      }
      const [px, py, pz] = [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2];
      const [qx, qy, qz] = [(bx + cx) / 2, (by + cy) / 2, (bz + cz) / 2];
      const [rx, ry, rz] = [(cx + ax) / 2, (cy + ay) / 2, (cz + az) / 2];
      lower = Math.max(lower, depthOf(planes, px, py, pz), depthOf(planes, qx, qy, qz), depthOf(planes, rx, ry, rz));
      stack.push(ax, ay, az, px, py, pz, rx, ry, rz, px, py, pz, bx, by, bz, qx, qy, qz);
      stack.push(rx, ry, rz, qx, qy, qz, cx, cy, cz, px, py, pz, qx, qy, qz, rx, ry, rz);
    }
  }
  return { lower, upper: Math.max(lower, upper) };
}

/** The distance of a point in the hull from its boundary; zero for one that rounding has outside. */
export function depthOf(planes: Float64Array, x: number, y: number, z: number): number {
  let least = Infinity;
  for (let i = 0; i < planes.length; i += 4) {
    const depth = planes[i + 3] - planes[i] * x - planes[i + 1] * y - planes[i + 2] * z;
    if (depth < least) least = depth;
  }
  return Math.max(0, least);
}

/** The depth changes by at most the way moved, and no point of a triangle is farther than this from all its corners. */
function boundByCorners({ positions, indices }: Part, triangle: number, depths: Float64Array): number {
  let deepest = 0;
  let longest = 0;
  for (let k = 0; k < 3; k++) {
    const a = indices[3 * triangle + k];
    const b = indices[3 * triangle + ((k + 1) % 3)];
    const x = positions[3 * b] - positions[3 * a];
    const y = positions[3 * b + 1] - positions[3 * a + 1];
    const z = positions[3 * b + 2] - positions[3 * a + 2];
    longest = Math.max(longest, x * x + y * y + z * z);
    deepest = Math.max(deepest, depths[a]);
  }
  return deepest + Math.sqrt(longest / 3);
}

/** Takes scalars, for inner loops. */
function boundTriangle(
  planes: Float64Array,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  let least = Infinity;
  for (let i = 0; i < planes.length; i += 4) {
    const nx = planes[i];
    const ny = planes[i + 1];
    const nz = planes[i + 2];
    const height = Math.min(nx * ax + ny * ay + nz * az, nx * bx + ny * by + nz * bz, nx * cx + ny * cy + nz * cz);
    const depth = planes[i + 3] - height;
    if (depth < least) least = depth;
  }
  return Math.max(0, least);
}
