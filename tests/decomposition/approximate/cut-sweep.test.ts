// Ratings of cuts beside real cuts: parts with caps, taken apart, with exact hulls.
import { describe, expect, test } from 'vitest';
import { buildHull } from '../../../src/convex/hull/hull.js';
import { measureHull } from '../../../src/convex/hull/hull-measure.js';
import { createRandom } from '../../../src/core/random.js';
import { CutSweep, countExcess } from '../../../src/decomposition/approximate/cut-sweep.js';
import { RoughHull } from '../../../src/decomposition/approximate/rough-hull.js';
import { cutPart, measureVolume, type Part, separatePart } from '../../../src/decomposition/cut/part.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { torusGrid, voxelSolid } from '../../generators/surfaces.js';

const asPart = ({ positions, indices }: Mesh): Part => ({
  positions,
  indices,
  sources: new Int32Array(indices.length / 3).fill(1),
});

const hullVolume = (positions: Float64Array): number => measureHull(buildHull(positions)).volume;

function costOfCut(part: Part, [nx, ny, nz]: readonly number[], offset: number): number {
  return cutPart(part, { nx, ny, nz, offset }, true)
    .flatMap((side) => (side === null ? [] : separatePart(side)))
    .reduce((sum, one) => sum + countExcess(hullVolume(one.positions) - measureVolume(one)), 0);
}

describe('the rating of cuts', () => {
  test.each([
    ['an L', voxelSolid(2, (x, y) => x === 0 || y === 0)],
    ['a channel', voxelSolid(3, (x, y) => x !== 1 || y === 0)],
    ['a comb', voxelSolid(5, (x, y) => x % 2 === 0 || y === 0)],
    ['a block with a cavity', voxelSolid(3, (x, y, z) => !(x === 1 && y === 1 && z === 1))],
    ['a torus', torusGrid(14, 9)],
  ])('of %s is what the cuts leave', (_, mesh) => {
    const random = createRandom(3);
    const part = asPart(mesh);
    const sweep = new CutSweep(part, true);
    const directions = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      ...[1, 2, 3].map(() => [0, 1, 2].map(() => random.range(-1, 1))),
    ];
    for (const direction of directions) {
      const length = Math.hypot(...direction);
      const [nx, ny, nz] = direction.map((x) => x / length);
      const [low, high] = sweep.range(nx, ny, nz);
      // Whole offsets go along the faces of voxels.
      const whole = Array.from({ length: 4 }, (_, i) => Math.ceil(low) + i).filter((x) => x > low && x < high);
      const offsets = [...whole, ...[1, 2, 3, 4].map(() => random.range(low, high))].sort((a, b) => a - b);
      const ratings = sweep.rate(nx, ny, nz, offsets);
      for (const [i, offset] of offsets.entries()) {
        expect(Math.abs(ratings[i].cost - costOfCut(part, [nx, ny, nz], offset))).toBeLessThan(1e-3);
      }
    }
  });

  test('takes hulls that are nearly as large as exact ones', () => {
    const random = createRandom(5);
    for (const digits of [1, 2, 12]) {
      const points = Float64Array.from({ length: 900 }, () => Number(random.range(-1, 1).toFixed(digits)));
      const hull = new RoughHull();
      hull.reset(points);
      for (let i = 0; i < points.length / 3; i++) {
        hull.add(i);
        if (i % 50 === 0) hull.settle();
      }
      hull.settle();
      const exact = hullVolume(points);
      expect(hull.volume).toBeLessThan(exact * (1 + 1e-9));
      expect(hull.volume).toBeGreaterThan(exact * (1 - 1e-5));
    }
    const flat = new RoughHull();
    flat.reset(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5, 0));
    for (let i = 0; i < 5; i++) flat.add(i);
    flat.settle();
    expect(flat.volume).toBe(0);
  });
});
