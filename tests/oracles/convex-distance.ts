// The distance of two convex polyhedra by looking at every pair of features: vertices against triangles both ways, edges
// against edges, and whether an edge pierces a triangle or one solid holds the other, in exact arithmetic on the corners.
// Points are always convex combinations of corners, so that a sliver can make a distance too large by rounding, never too
// small; triangles are measured from their widest corner, where that is least.
import { orient3d } from 'robust-predicates';

/** Corners as x, y, z; triangles counter-clockwise from outside, both sides of what is flat; edges once each. */
export interface OraclePolyhedron {
  corners: Float64Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  solid: boolean;
}

export interface OracleDistance {
  /** 0 when the two intersect. */
  distance: number;
  intersects: boolean;
}

/** The polyhedron of corners and triangles; without triangles a segment of two corners, or one point. */
export function describePolyhedron(corners: Float64Array, triangles: Uint32Array, solid: boolean): OraclePolyhedron {
  const edges: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[i + k];
      const b = triangles[i + ((k + 1) % 3)];
      if (a < b) edges.push(a, b);
    }
  }
  if (triangles.length === 0 && corners.length === 6) edges.push(0, 1);
  return { corners, triangles, edges: Uint32Array.from(edges), solid };
}

/** The same polyhedron carried by a row-major 3 × 4 placement. */
export function placePolyhedron(shape: OraclePolyhedron, m: ArrayLike<number>): OraclePolyhedron {
  const corners = new Float64Array(shape.corners.length);
  for (let i = 0; i < corners.length; i += 3) {
    const [x, y, z] = shape.corners.subarray(i, i + 3);
    for (let row = 0; row < 3; row++) {
      corners[i + row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
    }
  }
  return { ...shape, corners };
}

export function measureConvexDistance(a: OraclePolyhedron, b: OraclePolyhedron): OracleDistance {
  let squared = Infinity;
  for (let i = 0; i < a.corners.length; i += 3) {
    for (let j = 0; j < b.corners.length; j += 3) {
      const x = a.corners[i] - b.corners[j];
      const y = a.corners[i + 1] - b.corners[j + 1];
      const z = a.corners[i + 2] - b.corners[j + 2];
      squared = Math.min(squared, x * x + y * y + z * z);
    }
  }
  squared = Math.min(squared, cornersToTriangles(a.corners, b), cornersToTriangles(b.corners, a));
  squared = Math.min(squared, cornersToEdges(a.corners, b), cornersToEdges(b.corners, a), edgesToEdges(a, b));
  const intersects = squared === 0 || pierces(a, b) || pierces(b, a) || holds(a, b.corners) || holds(b, a.corners);
  return { intersects, distance: intersects ? 0 : Math.sqrt(squared) };
}

function cornersToTriangles(points: Float64Array, shape: OraclePolyhedron): number {
  const { corners: c, triangles } = shape;
  let nearest = Infinity;
  for (let i = 0; i < triangles.length; i += 3) {
    const first = findWidestCorner(c, triangles, i);
    const p = 3 * triangles[i + first];
    const q = 3 * triangles[i + ((first + 1) % 3)];
    const r = 3 * triangles[i + ((first + 2) % 3)];
    const ux = c[q] - c[p];
    const uy = c[q + 1] - c[p + 1];
    const uz = c[q + 2] - c[p + 2];
    const vx = c[r] - c[p];
    const vy = c[r + 1] - c[p + 1];
    const vz = c[r + 2] - c[p + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = nx * nx + ny * ny + nz * nz;
    for (let j = 0; j < points.length; j += 3) {
      const x = points[j] - c[p];
      const y = points[j + 1] - c[p + 1];
      const z = points[j + 2] - c[p + 2];
      const s = ((y * vz - z * vy) * nx + (z * vx - x * vz) * ny + (x * vy - y * vx) * nz) / area;
      if (!(s > 0)) continue;
      const t = ((uy * z - uz * y) * nx + (uz * x - ux * z) * ny + (ux * y - uy * x) * nz) / area;
      if (!(t > 0 && s + t < 1)) continue;
      const dx = x - s * ux - t * vx;
      const dy = y - s * uy - t * vy;
      const dz = z - s * uz - t * vz;
      nearest = Math.min(nearest, dx * dx + dy * dy + dz * dz);
    }
  }
  return nearest;
}

function cornersToEdges(points: Float64Array, shape: OraclePolyhedron): number {
  const { corners: c, edges } = shape;
  let nearest = Infinity;
  for (let i = 0; i < edges.length; i += 2) {
    const p = 3 * edges[i];
    const q = 3 * edges[i + 1];
    const ex = c[q] - c[p];
    const ey = c[q + 1] - c[p + 1];
    const ez = c[q + 2] - c[p + 2];
    const length = ex * ex + ey * ey + ez * ez;
    for (let j = 0; j < points.length; j += 3) {
      const x = points[j] - c[p];
      const y = points[j + 1] - c[p + 1];
      const z = points[j + 2] - c[p + 2];
      const t = (x * ex + y * ey + z * ez) / length;
      if (!(t > 0 && t < 1)) continue;
      const dx = x - t * ex;
      const dy = y - t * ey;
      const dz = z - t * ez;
      nearest = Math.min(nearest, dx * dx + dy * dy + dz * dz);
    }
  }
  return nearest;
}

/** Interiors of edges only: their ends are the other loops' affair. */
function edgesToEdges(a: OraclePolyhedron, b: OraclePolyhedron): number {
  const { corners: c, edges } = a;
  const { corners: k, edges: others } = b;
  let nearest = Infinity;
  for (let i = 0; i < edges.length; i += 2) {
    const p = 3 * edges[i];
    const q = 3 * edges[i + 1];
    const ux = c[q] - c[p];
    const uy = c[q + 1] - c[p + 1];
    const uz = c[q + 2] - c[p + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    for (let j = 0; j < others.length; j += 2) {
      const r = 3 * others[j];
      const s = 3 * others[j + 1];
      const vx = k[s] - k[r];
      const vy = k[s + 1] - k[r + 1];
      const vz = k[s + 2] - k[r + 2];
      const wx = k[r] - c[p];
      const wy = k[r + 1] - c[p + 1];
      const wz = k[r + 2] - c[p + 2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      const nn = nx * nx + ny * ny + nz * nz;
      // Parallel edges are nearest at an end.
      if (!(nn > 1e-28 * uu * (vx * vx + vy * vy + vz * vz))) continue;
      const t = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn;
      if (!(t > 0 && t < 1)) continue;
      const o = ((wy * uz - wz * uy) * nx + (wz * ux - wx * uz) * ny + (wx * uy - wy * ux) * nz) / nn;
      if (!(o > 0 && o < 1)) continue;
      const dx = wx + o * vx - t * ux;
      const dy = wy + o * vy - t * uy;
      const dz = wz + o * vz - t * uz;
      nearest = Math.min(nearest, dx * dx + dy * dy + dz * dz);
    }
  }
  return nearest;
}

/** The corner opposite the longest side. */
function findWidestCorner(c: Float64Array, triangles: Uint32Array, i: number): number {
  const sides = [0, 1, 2].map((k) => {
    const p = 3 * triangles[i + ((k + 1) % 3)];
    const q = 3 * triangles[i + ((k + 2) % 3)];
    return (c[q] - c[p]) ** 2 + (c[q + 1] - c[p + 1]) ** 2 + (c[q + 2] - c[p + 2]) ** 2;
  });
  return sides.indexOf(Math.max(...sides));
}

/** The exact side of the plane p, q, r that s is on, corners of the arrays a, b, c, d: negative outside a triangle. */
function sideOf(
  a: Float64Array,
  p: number,
  b: Float64Array,
  q: number,
  c: Float64Array,
  r: number,
  d: Float64Array,
  s: number,
): number {
  // biome-ignore format: one corner a line
  return orient3d(
    a[p], a[p + 1], a[p + 2],
    b[q], b[q + 1], b[q + 2],
    c[r], c[r + 1], c[r + 2],
    d[s], d[s + 1], d[s + 2],
  );
}

/** Whether an edge of A passes through a triangle of B, or ends on it. */
function pierces(a: OraclePolyhedron, b: OraclePolyhedron): boolean {
  const { corners: c, edges } = a;
  const { corners: k, triangles } = b;
  const sides = new Float64Array(c.length / 3);
  for (let j = 0; j < triangles.length; j += 3) {
    const r = 3 * triangles[j];
    const s = 3 * triangles[j + 1];
    const o = 3 * triangles[j + 2];
    for (let i = 0; i < sides.length; i++) sides[i] = sideOf(k, r, k, s, k, o, c, 3 * i);
    for (let i = 0; i < edges.length; i += 2) {
      const from = sides[edges[i]];
      const to = sides[edges[i + 1]];
      if ((from > 0 && to > 0) || (from < 0 && to < 0) || (from === 0 && to === 0)) continue;
      const p = 3 * edges[i];
      const q = 3 * edges[i + 1];
      const first = sideOf(c, p, c, q, k, r, k, s);
      const second = sideOf(c, p, c, q, k, s, k, o);
      const third = sideOf(c, p, c, q, k, o, k, r);
      if (first >= 0 && second >= 0 && third >= 0) return true;
      if (first <= 0 && second <= 0 && third <= 0) return true;
    }
  }
  return false;
}

/** Whether the solid holds the first of the points; the others are then inside too, or an edge pierces. */
function holds(shape: OraclePolyhedron, points: Float64Array): boolean {
  const { corners: c, triangles, solid } = shape;
  if (!solid) return false;
  for (let i = 0; i < triangles.length; i += 3) {
    const [p, q, r] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    if (sideOf(c, p, c, q, c, r, points, 0) < 0) return false;
  }
  return true;
}

/**
 * The least way by which one shape must move so that the two no longer overlap, over the directions that can be it: the
 * normals of all triangles and the cross products of all edges. O(edges² × corners).
 */
export function measureConvexDepth(a: OraclePolyhedron, b: OraclePolyhedron): number {
  let least = Infinity;
  const look = (x: number, y: number, z: number): void => {
    const length = Math.hypot(x, y, z);
    if (!(length > 0)) return;
    const [lowA, highA] = project(a.corners, x / length, y / length, z / length);
    const [lowB, highB] = project(b.corners, x / length, y / length, z / length);
    least = Math.min(least, highA - lowB, highB - lowA);
  };
  for (const { corners: c, triangles } of [a, b]) {
    for (let i = 0; i < triangles.length; i += 3) {
      const [p, q, r] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
      const [ux, uy, uz] = [c[q] - c[p], c[q + 1] - c[p + 1], c[q + 2] - c[p + 2]];
      const [vx, vy, vz] = [c[r] - c[p], c[r + 1] - c[p + 1], c[r + 2] - c[p + 2]];
      look(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    }
  }
  for (let i = 0; i < a.edges.length; i += 2) {
    const [p, q] = [3 * a.edges[i], 3 * a.edges[i + 1]];
    const c = a.corners;
    const [ux, uy, uz] = [c[q] - c[p], c[q + 1] - c[p + 1], c[q + 2] - c[p + 2]];
    for (let j = 0; j < b.edges.length; j += 2) {
      const [r, s] = [3 * b.edges[j], 3 * b.edges[j + 1]];
      const k = b.corners;
      const [vx, vy, vz] = [k[s] - k[r], k[s + 1] - k[r + 1], k[s + 2] - k[r + 2]];
      const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      // Nearly parallel edges: the direction is rounding, and any direction bounds the depth from above.
      if (x * x + y * y + z * z > 1e-24 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) look(x, y, z);
    }
  }
  return least;
}

function project(corners: Float64Array, x: number, y: number, z: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < corners.length; i += 3) {
    const height = corners[i] * x + corners[i + 1] * y + corners[i + 2] * z;
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  return [low, high];
}
