// What must be true of the planes of a Minkowski sum, checked against brute force over all differences of points.
import { expect } from 'vitest';
import { type ConvexSet, createConvexSet } from '../../../src/convex/closest/convex-set.js';
import { featureVertices } from '../../../src/convex/closest/feature.js';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { MinkowskiSums } from '../../../src/convex/minkowski/minkowski-sums.js';
import { dotProduct, findTops, minkowskiBoundary } from '../../oracles/minkowski-sum.js';

/** A plane may cut off this share of the largest distance from the origin, and a facet may be missing by so much. */
const CUT = 4e-16;
const MISSING = 4e-15;

export interface SumCase {
  setA: ConvexSet;
  setB: ConvexSet;
  placement: Float64Array;
  /** −A, and B where it is. */
  p: number[];
  q: number[];
  size: number;
}

export function makeCase(pointsA: ArrayLike<number>, pointsB: ArrayLike<number>, placement: Float64Array): SumCase {
  const setA = createConvexSet(buildHull(pointsA));
  const setB = createConvexSet(buildHull(pointsB));
  const p = Array.from(pointsA, (x) => -x);
  const q = movePoints(pointsB, placement);
  const size = sizeOf(p) + sizeOf(q);
  return { setA, setB, placement, p, q, size };
}

/** The largest distance from the origin. */
export function sizeOf(points: number[]): number {
  let largest = 0;
  for (let i = 0; i < points.length; i += 3)
    largest = Math.max(largest, Math.hypot(points[i], points[i + 1], points[i + 2]));
  return largest;
}

export function movePoints(points: ArrayLike<number>, m: Float64Array): number[] {
  const moved: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    for (let row = 0; row < 12; row += 4) moved.push(m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
  }
  return moved;
}

export const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** Places B by a rotation, row by row, and a translation. */
export function placementOf(r: readonly number[], t: readonly number[]): Float64Array {
  return Float64Array.of(r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2]);
}

/** Whether a placement is a rotation to rounding: some seeded ones are turned by quaternions a little too long. */
export function isRigid(m: Float64Array): boolean {
  return [0, 4, 8].every((row) => Math.abs(Math.hypot(m[row], m[row + 1], m[row + 2]) - 1) < 1e-15);
}

export function sumOf({ setA, setB, placement }: SumCase): MinkowskiSums {
  const sums = new MinkowskiSums();
  expect(sums.add(setA, 0, setB, 0, placement)).toBe(0);
  return sums;
}

/** Every plane supports the sum: it cuts nothing off, and touches it at the features it names. */
export function checkSupport(made: SumCase, sums: MinkowskiSums, sum = 0): void {
  const { setA, setB, placement, p, q, size } = made;
  for (let facet = sums.planeStart[sum]; facet < sums.planeStart[sum + 1]; facet++) {
    const n = sums.planes.subarray(4 * facet, 4 * facet + 3);
    const c = sums.planes[4 * facet + 3];
    expect(Math.abs(Math.hypot(...n) - 1)).toBeLessThan(2e-15);
    const reach = findTops(p, n)[0] + findTops(q, n)[0];
    expect(Math.abs(reach - c) / size, `facet ${facet}`).toBeLessThanOrEqual(CUT);
    const inA = featureVertices(setA, 0, sums.featuresA[facet]);
    const inB = featureVertices(setB, 0, sums.featuresB[facet]);
    expect([4, 3].includes(inA.length + inB.length) || inA.length + inB.length === 2).toBe(true);
    for (const a of inA) {
      for (const b of inB) {
        const [x, y, z] = movePoints(setB.positions.subarray(3 * b, 3 * b + 3), placement);
        const t = [x - setA.positions[3 * a], y - setA.positions[3 * a + 1], z - setA.positions[3 * a + 2]];
        expect(Math.abs(dotProduct(t, n) - c) / size, `features of facet ${facet}`).toBeLessThanOrEqual(MISSING);
      }
    }
  }
  const [x, y, z, radius] = sums.spheres.subarray(4 * sum, 4 * sum + 4);
  for (let i = 0; i < p.length; i += 3) {
    for (let j = 0; j < q.length; j += 3) {
      expect(Math.hypot(p[i] + q[j] - x, p[i + 1] + q[j + 1] - y, p[i + 2] + q[j + 2] - z)).toBeLessThanOrEqual(
        radius * (1 + 1e-15),
      );
    }
  }
}

/** No facet is missing: every boundary point that brute force knows lies on a plane. Returns how many there were. */
export function checkComplete({ p, q, size }: SumCase, sums: MinkowskiSums, sum = 0): number {
  const boundary = minkowskiBoundary(p, q);
  for (const { point, direction } of boundary) {
    expect(depthOf(sums, point, sum) / size, `facet along ${direction}`).toBeLessThanOrEqual(MISSING);
  }
  return boundary.length;
}

/** How far a point is below the nearest plane; negative outside. */
export function depthOf(sums: MinkowskiSums, point: ArrayLike<number>, sum = 0): number {
  let nearest = Infinity;
  for (let facet = sums.planeStart[sum]; facet < sums.planeStart[sum + 1]; facet++) {
    const n = sums.planes.subarray(4 * facet, 4 * facet + 3);
    nearest = Math.min(nearest, sums.planes[4 * facet + 3] - dotProduct(point, n));
  }
  return nearest;
}
