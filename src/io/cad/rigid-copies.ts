// Copies of one mesh that differ by a rigid motion, with vertices and faces in the same order: a CAD kernel divides each
// shape once and then places it. Compared vertex by vertex, with one mesh of each shape that has the same faces.
import type { Mesh } from '../../mesh/mesh.js';

/**
 * Measured on the assemblies of the CAx forum: copies agree within 3e-15 of the largest coordinate. Rounding in the file
 * and in a kernel's placements stays below this share of it.
 */
const COPY_TOLERANCE = 1e-9;

/** A mesh that others are copies of, and how the copy is placed: row-major, 16 numbers. */
export interface RigidCopy {
  /** The index of the first mesh of this shape, which may be the mesh itself. */
  readonly original: number;
  readonly transform: Float64Array;
}

/** For each mesh the first one that it is a copy of. */
export function findRigidCopies(meshes: readonly Mesh[]): RigidCopy[] {
  const groups = new Map<string, number[]>();
  return meshes.map((mesh, index) => {
    const key = `${mesh.positions.length} ${mesh.indices.length} ${hashOf(mesh.indices)}`;
    const alike = groups.get(key) ?? [];
    groups.set(key, alike);
    for (const original of alike) {
      const transform = motionBetween(meshes[original], mesh);
      if (transform !== null) return { original, transform };
    }
    alike.push(index);
    return { original: index, transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) };
  });
}

/** The rigid motion that takes every vertex of one mesh to that of the other; null if none does. */
function motionBetween(from: Mesh, to: Mesh): Float64Array | null {
  if (!from.indices.every((id, i) => id === to.indices[i])) return null;
  const corners = farCorners(from.positions);
  if (corners === null) return null;
  const [f, t] = [frameOf(from.positions, corners), frameOf(to.positions, corners)];
  if (t === null || f === null) return null;
  // Columns of a frame are its axes: the rotation is T · Fᵀ.
  const m = new Float64Array(16);
  m[15] = 1;
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      for (let k = 0; k < 3; k++) m[4 * row + column] += t.axes[3 * k + row] * f.axes[3 * k + column];
    }
  }
  for (let row = 0; row < 3; row++) {
    m[4 * row + 3] = t.origin[row];
    for (let k = 0; k < 3; k++) m[4 * row + 3] -= m[4 * row + k] * f.origin[k];
  }
  let largest = 0;
  let error = 0;
  const [p, q] = [from.positions, to.positions];
  for (let i = 0; i < p.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      const moved = m[4 * row] * p[i] + m[4 * row + 1] * p[i + 1] + m[4 * row + 2] * p[i + 2] + m[4 * row + 3];
      largest = Math.max(largest, Math.abs(q[i + row]), Math.abs(p[i + row]));
      error = Math.max(error, Math.abs(moved - q[i + row]));
    }
  }
  return error <= COPY_TOLERANCE * largest ? m : null;
}

/** Three vertices that are far apart and not on a line; null where all are on a line. */
function farCorners(p: Float64Array): readonly [number, number, number] | null {
  const farthest = (measure: (i: number) => number): number => {
    let best = 0;
    for (let i = 0; i < p.length; i += 3) if (measure(i) > measure(best)) best = i;
    return best;
  };
  const difference = (i: number, j: number): [number, number, number] => [
    p[i] - p[j],
    p[i + 1] - p[j + 1],
    p[i + 2] - p[j + 2],
  ];
  const a = 0;
  const b = farthest((i) => Math.hypot(...difference(i, a)));
  const along = difference(b, a);
  const area = (i: number): number => Math.hypot(...cross(along, difference(i, a)));
  const c = farthest(area);
  return area(c) > 1e-6 * Math.hypot(...along) ** 2 ? [a, b, c] : null;
}

/** The frame at the first of three corners: the first axis to the second, the third across all of them. */
function frameOf(
  p: Float64Array,
  [a, b, c]: readonly [number, number, number],
): { readonly origin: Float64Array; readonly axes: Float64Array } | null {
  const origin = p.slice(a, a + 3);
  const to = (i: number): [number, number, number] => [p[i] - p[a], p[i + 1] - p[a + 1], p[i + 2] - p[a + 2]];
  const x = unit(to(b));
  const z = unit(cross(to(b), to(c)));
  if (x === null || z === null) return null;
  return { origin, axes: Float64Array.of(...x, ...cross(z, x), ...z) };
}

type Triple = [number, number, number];

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(v: Triple): Triple | null {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : null;
}

/** FNV-1a over the ids. */
function hashOf(ids: Uint32Array): number {
  let hash = 0x811c9dc5;
  for (const id of ids) hash = Math.imul(hash ^ id, 0x01000193);
  return hash;
}
