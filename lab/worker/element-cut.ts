// The deformed distance field of a body on a plane: elements cut by the plane, with depths interpolated in each. Exact for the
// field, which is linear in every element.
import type { Vec3 } from 'nearfield/core';
import type { TetrahedralMesh } from 'nearfield/elastic';
import type { Picture } from '../viewer/picture.js';
import { SLICE_AXES } from './field-slice.js';

/** Triangles of a cut: for each corner two coordinates in the plane and a depth, nine numbers a triangle. */
export type CutTriangles = number[];

export interface Plane {
  readonly axis: 0 | 1 | 2;
  readonly at: number;
}

/** Edges of a tetrahedron by its corners. */
const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

/** Adds the cut of a body to a list. */
export function cutElements(
  { elements }: TetrahedralMesh,
  positions: ArrayLike<number>,
  depths: Float64Array,
  { axis, at }: Plane,
  out: CutTriangles,
): void {
  const [u, v] = SLICE_AXES[axis];
  const corners: number[][] = [];
  for (let e = 0; e < elements.length; e += 4) {
    corners.length = 0;
    for (const [i, j] of EDGES) {
      const [a, b] = [elements[e + i], elements[e + j]];
      const [p, q] = [positions[3 * a + axis] - at, positions[3 * b + axis] - at];
      if (p < 0 === q < 0) continue;
      const t = p / (p - q);
      const mix = (k: number): number => positions[3 * a + k] + t * (positions[3 * b + k] - positions[3 * a + k]);
      corners.push([mix(u), mix(v), depths[a] + t * (depths[b] - depths[a])]);
    }
    if (corners.length < 3) continue;
    out.push(...corners[0], ...corners[1], ...corners[2]);
    // Of four corners in the order of edges, the second and third are neighbors of the last.
    if (corners.length === 4) out.push(...corners[1], ...corners[3], ...corners[2]);
  }
}

/** The cut as a picture of depths, as shares of the largest; what is outside is clear. */
export function pictureOf(
  triangles: CutTriangles,
  { axis, at }: Plane,
  box: { readonly min: Readonly<Vec3>; readonly max: Readonly<Vec3> },
  longer: number,
  largest: number,
): Picture {
  const [u, v] = SLICE_AXES[axis];
  const spacing = Math.max(box.max[u] - box.min[u], box.max[v] - box.min[v]) / (longer - 1);
  const columns = 1 + Math.round((box.max[u] - box.min[u]) / spacing);
  const rows = 1 + Math.round((box.max[v] - box.min[v]) / spacing);
  const samples = new Float32Array(columns * rows).fill(Number.NaN);
  for (let t = 0; t < triangles.length; t += 9) {
    const [ax, ay] = [(triangles[t] - box.min[u]) / spacing, (triangles[t + 1] - box.min[v]) / spacing];
    const [bx, by] = [(triangles[t + 3] - box.min[u]) / spacing - ax, (triangles[t + 4] - box.min[v]) / spacing - ay];
    const [cx, cy] = [(triangles[t + 6] - box.min[u]) / spacing - ax, (triangles[t + 7] - box.min[v]) / spacing - ay];
    const area = bx * cy - by * cx;
    if (area === 0) continue;
    const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx)));
    const right = Math.min(columns - 1, Math.floor(ax + Math.max(0, bx, cx)));
    const low = Math.max(0, Math.ceil(ay + Math.min(0, by, cy)));
    const high = Math.min(rows - 1, Math.floor(ay + Math.max(0, by, cy)));
    for (let row = low; row <= high; row++) {
      for (let column = left; column <= right; column++) {
        const [px, py] = [column - ax, row - ay];
        const s = (px * cy - py * cx) / area;
        const r = (bx * py - by * px) / area;
        if (s < 0 || r < 0 || s + r > 1) continue;
        const depth = (1 - s - r) * triangles[t + 2] + s * triangles[t + 5] + r * triangles[t + 8];
        samples[row * columns + column] = depth / largest;
      }
    }
  }
  const corner: Vec3 = [...box.min];
  corner[axis] = at;
  const across: Vec3 = [0, 0, 0];
  const up: Vec3 = [0, 0, 0];
  across[u] = spacing * (columns - 1);
  up[v] = spacing * (rows - 1);
  return { corner, across, up, columns, rows, samples, low: 0, high: 1 };
}

/** Lines of equal depth, every `step`, as separate segments. */
export function isolinesOf(triangles: CutTriangles, { axis, at }: Plane, step: number): Float64Array {
  const [u, v] = SLICE_AXES[axis];
  const segments: number[] = [];
  for (let t = 0; t < triangles.length; t += 9) {
    const values = [triangles[t + 2], triangles[t + 5], triangles[t + 8]];
    const first = Math.max(1, Math.ceil(Math.min(...values) / step));
    for (let n = first; n * step < Math.max(...values); n++) {
      for (let k = 0; k < 3; k++) {
        const [p, q] = [values[k] - n * step, values[(k + 1) % 3] - n * step];
        if (p < 0 === q < 0) continue;
        const [i, j] = [t + 3 * k, t + 3 * ((k + 1) % 3)];
        const share = p / (p - q);
        const point: Vec3 = [0, 0, 0];
        point[axis] = at;
        point[u] = triangles[i] + share * (triangles[j] - triangles[i]);
        point[v] = triangles[i + 1] + share * (triangles[j + 1] - triangles[i + 1]);
        segments.push(...point);
      }
    }
  }
  return Float64Array.from(segments);
}
