// The penetration depth of two convex polyhedra by brute force: every facet of the hull of all differences b − a is
// upright on a normal of three vertices of A, of three vertices of B, or of a vertex pair of each. All such normals are
// tried, and how far {b − a} reaches along each is the largest difference over all vertices. O(n²m²(n + m)).

import type { Solid } from './shapes.js';

/** The shortest distance from the origin to outside the hull of {b − a}, 0 when the origin is not within; and which way. */
export function measureConvexPair(
  pointsA: ArrayLike<number>,
  pointsB: ArrayLike<number>,
): { depth: number; vector: [number, number, number] } {
  const size = Math.max(extentOf(pointsA), extentOf(pointsB));
  let depth = Infinity;
  let vector: [number, number, number] = [0, 0, 0];
  const offer = (u: readonly number[], v: readonly number[]) => {
    const x = u[1] * v[2] - u[2] * v[1];
    const y = u[2] * v[0] - u[0] * v[2];
    const z = u[0] * v[1] - u[1] * v[0];
    const length = Math.hypot(x, y, z);
    // Parallel pairs have no normal; what rounding makes of one would be any direction, which does no harm but no good.
    if (length <= 1e-12 * size * size) return;
    const [lowA, highA] = reach(pointsA, x, y, z);
    const [lowB, highB] = reach(pointsB, x, y, z);
    for (const [height, sign] of [
      [(highB - lowA) / length, 1],
      [(highA - lowB) / length, -1],
    ]) {
      if (height >= depth) continue;
      depth = height;
      const factor = (sign * height) / length;
      vector = [factor * x, factor * y, factor * z];
    }
  };
  const [edgesA, edgesB] = [differences(pointsA), differences(pointsB)];
  for (const [edges, count] of [
    [edgesA, pointsA.length / 3],
    [edgesB, pointsB.length / 3],
  ] as const) {
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) for (let k = j + 1; k < count; k++) offer(edges[i][j], edges[i][k]);
    }
  }
  for (const u of edgesA.flatMap((row, i) => row.slice(i + 1))) {
    for (const v of edgesB.flatMap((row, i) => row.slice(i + 1))) offer(u, v);
  }
  return depth > 0 ? { depth, vector } : { depth: 0, vector: [0, 0, 0] };
}

function reach(points: ArrayLike<number>, x: number, y: number, z: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const value = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function differences(points: ArrayLike<number>): number[][][] {
  const count = points.length / 3;
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: count }, (_, j) => [0, 1, 2].map((k) => points[3 * j + k] - points[3 * i + k])),
  );
}

function extentOf(points: ArrayLike<number>): number {
  let extent = 0;
  for (let i = 3; i < points.length; i++) extent = Math.max(extent, Math.abs(points[i] - points[i % 3]));
  return extent;
}

/** Two boxes with centers `offset` apart (of B from A), half sizes, and the columns of each box's rotation: separating axes. */
export function measureBoxPair(
  halfA: readonly number[],
  axesA: readonly (readonly number[])[],
  halfB: readonly number[],
  axesB: readonly (readonly number[])[],
  offset: readonly number[],
): number {
  const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const normals = [...axesA, ...axesB];
  for (const u of axesA) {
    for (const v of axesB) {
      const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(...cross);
      if (length > 1e-9) normals.push(cross.map((value) => value / length));
    }
  }
  let depth = Infinity;
  for (const n of normals) {
    let extent = -Math.abs(dot(offset, n));
    for (let k = 0; k < 3; k++) extent += halfA[k] * Math.abs(dot(axesA[k], n)) + halfB[k] * Math.abs(dot(axesB[k], n));
    depth = Math.min(depth, extent);
  }
  return Math.max(0, depth);
}

/** The hull of points no four of which are in one plane: every triangle that has all other points on one side. O(n⁴). */
export function hullOfPoints(points: readonly number[]): Solid {
  const count = points.length / 3;
  const indices: number[] = [];
  const from = differences(points);
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const [u, v] = [from[i][j], from[i][k]];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const sides = from[i]
          .filter((_, p) => p !== i && p !== j && p !== k)
          .map((w) => w[0] * n[0] + w[1] * n[1] + w[2] * n[2]);
        if (sides.every((side) => side < 0)) indices.push(i, j, k);
        else if (sides.every((side) => side > 0)) indices.push(i, k, j);
      }
    }
  }
  const used = [...new Set(indices)].sort((i, j) => i - j);
  return {
    positions: Float64Array.from(used.flatMap((i) => points.slice(3 * i, 3 * i + 3))),
    indices: Uint32Array.from(indices, (i) => used.indexOf(i)),
  };
}
