// Holds penetrating points against brute force.
import { expect } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import type { PenetratingPoints } from '../../../src/pivot/space/space-result.js';
import { surfacePoints } from '../../generators/deforming-solids.js';
import { windingByRay } from '../../oracles/mesh-distance.js';
import { distanceToMesh } from '../../oracles/point-mesh-distance.js';

/** Samples of a side that are held against brute force. */
const CHECKED = 16;

type Point = [number, number, number];

const isIn = ({ positions, indices }: Mesh, [x, y, z]: Point): boolean => windingByRay(positions, indices, x, y, z) > 0;
const toSurface = ({ positions, indices }: Mesh, point: Point): number => distanceToMesh(positions, indices, point);
export const pointOf = (points: Float64Array, n: number): Point => [
  points[3 * n],
  points[3 * n + 1],
  points[3 * n + 2],
];

/** Holds samples against the bound; returns how many deep points were looked for. */
export function checkSide(
  samples: PenetratingPoints,
  surface: Mesh,
  solid: Mesh,
  error: number,
  seed: number,
  rounding = 1e-12,
): number {
  const random = createRandom(seed);
  for (let n = 0; n < samples.count; n++) {
    const point = pointOf(samples.points, n);
    // Some of many: brute force is slow.
    if (random.next() > CHECKED / samples.count) continue;
    expect(toSurface(surface, point)).toBeLessThanOrEqual(error);
    const depth = toSurface(solid, point);
    expect(isIn(solid, point) || depth < 1e-12).toBe(true);
    expect(Math.abs(samples.depths[n] - depth)).toBeLessThan(rounding);
    const direction = pointOf(samples.directions, n);
    expect(Math.hypot(...direction)).toBeCloseTo(1, 9);
    const foot = point.map((x, axis) => x + depth * direction[axis]) as Point;
    expect(toSurface(solid, foot)).toBeLessThan(1e-9 + rounding);
    expect(samples.areas[n]).toBeGreaterThanOrEqual(0);
  }
  let deep = 0;
  for (const point of surfacePoints(surface, random, 12)) {
    if (!isIn(solid, point) || toSurface(solid, point) <= error) continue;
    deep++;
    let nearest = Infinity;
    for (let n = 0; n < samples.count; n++) {
      const sample = pointOf(samples.points, n);
      nearest = Math.min(nearest, Math.hypot(...sample.map((x, axis) => x - point[axis])));
    }
    expect(nearest).toBeLessThanOrEqual(error);
  }
  return deep;
}
