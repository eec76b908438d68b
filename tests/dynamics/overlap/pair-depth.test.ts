// Depths of balls, whose way out must part them, and be no longer than what a search over many directions finds.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { PairDepth } from '../../../src/dynamics/overlap/pair-depth.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { findModel } from '../../../src/models/catalogue.js';
import { distanceToMesh } from '../../oracles/point-mesh-distance.js';
import { windingNumberBySum } from '../../oracles/winding-number.js';

const mesh = findModel('letter-e').build({});
const solid = CollisionShape.solid(mesh);

/** Whether a ball about a point is clear of the mesh. */
function isOut(p: readonly number[], radius: number): boolean {
  if (distanceToMesh(mesh.positions, mesh.indices, [p[0], p[1], p[2]]) < radius * (1 - 1e-9)) return false;
  return windingNumberBySum(mesh.positions, mesh.indices, p) < 0.5;
}

test('the way of a ball out of a mesh parts them and is about the shortest', () => {
  const random = createRandom(3);
  let concave = 0;
  for (let i = 0; i < 40; i++) {
    const radius = random.range(0.03, 0.3);
    const center = [random.range(-0.1, 0.8), random.range(-0.1, 1.1), random.range(-0.2, 0.2)];
    const ball = CollisionShape.ball(radius);
    const depth = new PairDepth(ball, solid, { maxCells: 0 });
    const pose = [...center, 0, 0, 0, 1];
    const here = [0, 0, 0, 0, 0, 0, 1];
    const length = depth.measure(pose, here);
    if (length === 0) {
      expect(isOut(center, radius)).toBe(true);
      continue;
    }
    const moved = center.map((value, k) => value + length * (1 + 1e-6) * depth.direction[k]);
    expect(isOut(moved, radius), `case ${i}`).toBe(true);
    expect(depth.lower).toBeLessThanOrEqual(length);
    if (depth.lower < length) concave++;
    let shortest = Infinity;
    for (let n = 0; n < 60; n++) {
      const direction = random.direction();
      for (let way = 0; way < Math.min(shortest, 1.1 * length); way += 0.03 * length) {
        if (
          !isOut(
            center.map((value, k) => value + way * direction[k]),
            radius,
          )
        )
          continue;
        shortest = way;
        break;
      }
    }
    expect(length, `case ${i}`).toBeLessThan(1.05 * shortest);
    // The same the other way around, with the way reversed.
    const swapped = new PairDepth(solid, ball, { maxCells: 0 });
    expect(swapped.measure(here, pose)).toBeCloseTo(length, 12);
    expect(swapped.direction[0]).toBeCloseTo(-depth.direction[0], 12);
  }
  // The letter has inner corners, where the nearest way to its surface is not the way out.
  expect(concave).toBeGreaterThan(2);
});

test('balls are as deep as their centers are near', () => {
  const depth = new PairDepth(CollisionShape.ball(1), CollisionShape.ball(0.5));
  expect(depth.measure([0, 0, 0, 0, 0, 0, 1], [0, 1.2, 0, 0, 0, 0, 1])).toBeCloseTo(0.3, 12);
  expect(depth.direction).toEqual([0, -1, 0]);
  expect(depth.pointA[1]).toBeCloseTo(1, 12);
  expect(depth.pointB[1]).toBeCloseTo(0.7, 12);
  expect(depth.measure([0, 0, 0, 0, 0, 0, 1], [0, 1.5, 0, 0, 0, 0, 1])).toBe(0);
  expect(depth.measure([0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1])).toBe(1.5);
});
