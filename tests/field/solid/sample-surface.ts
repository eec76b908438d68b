// Points on a mesh and their distance to another one, by comparing all triangles: an oracle for bounds of distances.
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';

type Point = readonly [number, number, number];

/** The corners and `each` random points of every triangle. */
export function samplePoints({ positions, indices }: Mesh, each: number, seed = 1): Point[] {
  const random = createRandom(seed);
  const points: Point[] = [];
  for (let f = 0; f < indices.length; f += 3) {
    const corners = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[f + k] + axis]));
    for (const corner of corners) points.push(corner as unknown as Point);
    for (let n = 0; n < each; n++) {
      let [u, v] = [random.next(), random.next()];
      if (u + v > 1) [u, v] = [1 - u, 1 - v];
      points.push([0, 1, 2].map((k) => corners[0][k] * (1 - u - v) + corners[1][k] * u + corners[2][k] * v) as never);
    }
  }
  return points;
}

/** The largest distance of points from the nearest triangle of a mesh. */
export function farthestOf(points: readonly Point[], mesh: Mesh): number {
  return points.reduce((most, point) => Math.max(most, distanceTo(mesh, point)), 0);
}

/** The distance of a point from the nearest triangle. */
export function distanceTo({ positions: p, indices }: Mesh, [x, y, z]: Point): number {
  let least = Infinity;
  for (let f = 0; f < indices.length; f += 3) {
    const a = 3 * indices[f];
    const b = 3 * indices[f + 1];
    const c = 3 * indices[f + 2];
    least = Math.min(
      least,
      toFace(p, a, b, c, x, y, z),
      toSegment(p, a, b, x, y, z),
      toSegment(p, b, c, x, y, z),
      toSegment(p, c, a, x, y, z),
    );
  }
  return Math.sqrt(least);
}

function toSegment(p: Float64Array, a: number, b: number, x: number, y: number, z: number): number {
  const [ex, ey, ez] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [wx, wy, wz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
  const length = ex * ex + ey * ey + ez * ez;
  const share = length > 0 ? Math.min(1, Math.max(0, (ex * wx + ey * wy + ez * wz) / length)) : 0;
  return (wx - share * ex) ** 2 + (wy - share * ey) ** 2 + (wz - share * ez) ** 2;
}

/** The squared distance to the inner part of a triangle, infinite for points not over it. */
function toFace(p: Float64Array, a: number, b: number, c: number, x: number, y: number, z: number): number {
  const [ex, ey, ez] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [fx, fy, fz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [wx, wy, wz] = [x - p[a], y - p[a + 1], z - p[a + 2]];
  const ee = ex * ex + ey * ey + ez * ez;
  const ef = ex * fx + ey * fy + ez * fz;
  const ff = fx * fx + fy * fy + fz * fz;
  const we = wx * ex + wy * ey + wz * ez;
  const wf = wx * fx + wy * fy + wz * fz;
  const area = ee * ff - ef * ef;
  const s = (ff * we - ef * wf) / area;
  const t = (ee * wf - ef * we) / area;
  if (!(area > 0 && s >= 0 && t >= 0 && s + t <= 1)) return Infinity;
  return (wx - s * ex - t * fx) ** 2 + (wy - s * ey - t * fy) ** 2 + (wz - s * ez - t * fz) ** 2;
}
