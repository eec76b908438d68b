// Models with their hierarchies, placements of one beside the other, and what every outcome of a search over hulls must
// satisfy, given the true answer by brute force.
import { expect } from 'vitest';
import { createConvexSetOf } from '../../../src/convex/closest/convex-set.js';
import * as pose from '../../../src/core/pose.js';
import type { Random } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import type { HullHierarchy } from '../../../src/decomposition/hierarchy/hierarchy.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { HullSearch } from '../../../src/proximity/hulls/hull-search.js';
import { createHullSurface, type HullSurface } from '../../../src/proximity/hulls/hull-surface.js';
import type { CoherenceOptions, PairOptions } from '../../../src/proximity/options.js';
import type { SearchOutcome } from '../../../src/proximity/surface-search.js';
import { measureByBruteForce, type OracleAnswer, type OracleMesh, prepareOracle } from '../../oracles/mesh-distance.js';

export interface HullCase {
  readonly mesh: Mesh;
  readonly hierarchy: HullHierarchy;
  readonly surface: HullSurface;
  readonly oracle: OracleMesh;
}

export function prepareCase(mesh: Mesh): HullCase {
  const oracle = prepareOracle(mesh.positions, mesh.indices);
  const hierarchy = buildHierarchy(decomposeSurface(mesh, { coverFlatPatches: oracle.closed }));
  return { mesh, hierarchy, surface: createHullSurface(hierarchy, createConvexSetOf(hierarchy)), oracle };
}

export function createSearch(a: HullCase, b: HullCase, options: PairOptions = {}): HullSearch {
  return new HullSearch(a.surface, b.surface, a.oracle.closed, b.oracle.closed, options);
}

/** All sixteen settings of the switches. */
export const switchSettings: Required<CoherenceOptions>[] = Array.from({ length: 16 }, (_, bits) => ({
  pieceCaching: (bits & 1) !== 0,
  prioritySearch: (bits & 2) !== 0,
  frontTracking: (bits & 4) !== 0,
  motionBounds: (bits & 8) !== 0,
}));

/** The 3 × 4 matrix of a translation and a unit quaternion. */
export function placementOf(translation: readonly number[], rotation: readonly number[] = [0, 0, 0, 1]): Float64Array {
  const matrix = pose.toMatrix4(
    pose.create(translation as [number, number, number], rotation as [number, number, number, number]),
  );
  return matrix.slice(0, 12);
}

/** Anywhere around A, so that the surfaces of the two often come near each other. */
export function randomPlacement(a: HullCase, b: HullCase, random: Random, spread = 0.5): Float64Array {
  const direction = random.direction();
  const length = random.range(0, spread) * (a.oracle.size + b.oracle.size);
  const rotation = random.rotation();
  const placement = placementOf([0, 0, 0], rotation);
  const from = centerOf(b.mesh);
  const to = centerOf(a.mesh);
  for (let row = 0; row < 3; row++) {
    const m = placement.subarray(4 * row, 4 * row + 3);
    placement[4 * row + 3] = to[row] + length * direction[row] - m[0] * from[0] - m[1] * from[1] - m[2] * from[2];
  }
  return placement;
}

function centerOf({ positions }: Mesh): number[] {
  return [0, 1, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis);
    return values.reduce((least, v) => Math.min(least, v)) / 2 + values.reduce((most, v) => Math.max(most, v)) / 2;
  });
}

/** B's vertices in A's frame, as every search has to round them. */
export function placeVertices({ positions }: Mesh, m: Float64Array): Float64Array {
  const placed = new Float64Array(positions.length);
  for (let v = 0; v < positions.length; v += 3) {
    const [x, y, z] = positions.subarray(v, v + 3);
    for (let row = 0; row < 3; row++) {
      const r = 4 * row;
      placed[v + row] = m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3];
    }
  }
  return placed;
}

/** How far a vertex moved at most; infinite without an earlier place. */
export function motionBetween(before: Float64Array | null, now: Float64Array): number {
  if (before === null) return Infinity;
  let most = 0;
  for (let v = 0; v < now.length; v += 3) {
    most = Math.max(most, Math.hypot(now[v] - before[v], now[v + 1] - before[v + 1], now[v + 2] - before[v + 2]));
  }
  return most;
}

export function answerOf(a: HullCase, b: HullCase, placement: Float64Array): OracleAnswer {
  return measureByBruteForce(a.oracle, b.oracle, placeVertices(b.mesh, placement));
}

/** Checks a boolean that says whether the surfaces come within a tolerance; one solid inside the other may count or not. */
export function checkFound(found: boolean, truth: OracleAnswer, tolerance: number, size: number): void {
  if (truth.surfacesMeet) expect(found).toBe(true);
  else if (!truth.intersects && Math.abs(truth.surfaceDistance - tolerance) > 1e-9 * size) {
    expect(found).toBe(truth.surfaceDistance <= tolerance);
  }
}

/** Checks what a search found: triangles, points and regions that belong together and have the distance. */
export function checkOutcome(a: HullCase, b: HullCase, placement: Float64Array, outcome: SearchOutcome): void {
  const size = a.oracle.size + b.oracle.size;
  const { pointA, pointB, triangleA, triangleB, distance } = outcome;
  const apart = Math.hypot(pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]);
  expect(Math.abs(apart - distance)).toBeLessThanOrEqual(1e-12 * size);
  if (triangleA < 0) {
    expect(triangleB).toBe(-1);
    expect(distance).toBe(0);
    return;
  }
  const placed = placeVertices(b.mesh, placement);
  expect(distanceToRegion(a.mesh.positions, a.mesh, triangleA, outcome.regionA, pointA)).toBeLessThan(1e-12 * size);
  expect(distanceToRegion(placed, b.mesh, triangleB, outcome.regionB, pointB)).toBeLessThan(1e-12 * size);
}

/** How far a point is from a corner, an edge or the whole of a triangle. */
function distanceToRegion(
  positions: Float64Array,
  { indices }: Mesh,
  triangle: number,
  region: number,
  point: Float64Array,
): number {
  const corner = (k: number) => indices[3 * triangle + (k % 3)];
  const corners =
    region < 3
      ? [corner(region), corner(region), corner(region)]
      : region < 6
        ? [corner(region - 3), corner(region - 2), corner(region - 2)]
        : [corner(0), corner(1), corner(2)];
  const part = Float64Array.from(corners.flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]));
  return measureByBruteForce(
    prepareOracle(Float64Array.from([...point, ...point, ...point]), Uint32Array.of(0, 1, 2)),
    prepareOracle(part, Uint32Array.of(0, 1, 2)),
  ).surfaceDistance;
}
