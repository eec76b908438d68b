// Penetration depth of meshed spheres and tori, between the closed forms of inscribed and circumscribed shapes.
import { describe, expect, test } from 'vitest';
import {
  ballsOf,
  measureBalls,
  measureParallelTori,
  measureTorusAndBall,
  torusMeshError,
} from '../oracles/penetration/round-depth.js';
import { join, move, type Point, sphere, torus, turnInsideOut } from '../oracles/penetration/shapes.js';
import { bodyOf, checkDepth, type Truth } from './check-depth.js';

describe('two spheres', () => {
  const [large, small] = [sphere(2, 4), sphere(1, 3)];
  const [outside, inside] = [ballsOf(large), ballsOf(small)];

  test.each([0, 0.5, 1.25, 2.25, 2.9, 3.1])('centers %d apart', (distance) => {
    const direction = [2 / 7, 3 / 7, 6 / 7];
    const b = move(small, ...(direction.map((value) => value * distance) as [number, number, number]));
    const truth: Truth = {
      low: measureBalls(outside.inner, inside.inner, distance),
      high: measureBalls(outside.outer, inside.outer, distance),
    };
    checkDepth('spheres', bodyOf(large), bodyOf(b), truth, { error: 1e-9 });
  });

  test('a sphere in a round cavity is out by the shorter of the ways in and out', () => {
    const shell = join(sphere(4, 5), turnInsideOut(sphere(2.5, 5)));
    const [outer, cavity] = [ballsOf(sphere(4, 5)), ballsOf(sphere(2.5, 5))];
    const ball = sphere(1, 3);
    const { inner, outer: radius } = ballsOf(ball);
    for (const distance of [2, 2.9, 4.4]) {
      const b = bodyOf(move(ball, 0, 0.6 * distance, 0.8 * distance));
      // Back inwards until it fits the cavity, or outwards until it is clear.
      const low = Math.min(distance + inner - cavity.outer, outer.inner + inner - distance);
      const high = Math.min(distance + radius - cavity.inner, outer.outer + radius - distance);
      const { result } = checkDepth(`at ${distance}`, bodyOf(shell), b, { low, high });
      const outward = 0.6 * result.vector[1] + 0.8 * result.vector[2] < 0;
      expect(outward).toBe(distance > 3);
    }
  });
});

describe('torus and sphere', () => {
  const [ringRadius, tubeRadius, around, across] = [3, 1, 20, 10];
  const ring = bodyOf(torus(ringRadius, tubeRadius, around, across));
  const error = torusMeshError(ringRadius, tubeRadius, around, across);
  const ball = sphere(1.2, 4);
  const { inner, outer } = ballsOf(ball);

  test.each<[string, Point]>([
    ['from outside', [4.2, 0.5, 0.3]],
    ['from above', [2, 2.2, 1.4]],
    ['in the hole', [1.2, -0.6, 0.3]],
    ['on the ring', [1.8, 2.4, 0]],
    ['through the hole, free', [0.1, 0.1, 0]],
  ])('%s', (name, center) => {
    const truth: Truth = {
      low: measureTorusAndBall(ringRadius, tubeRadius - error, inner, center),
      high: measureTorusAndBall(ringRadius, tubeRadius + error, outer, center),
    };
    checkDepth(name, ring, bodyOf(move(ball, ...(center as [number, number, number]))), truth);
  });
});

describe('two tori around parallel axes', () => {
  const [ringRadius, tubeRadius, around, across] = [3, 1, 14, 8];
  const mesh = torus(ringRadius, tubeRadius, around, across);
  const error = torusMeshError(ringRadius, tubeRadius, around, across);
  const a = bodyOf(mesh);

  test.each<[string, Point]>([
    ['side by side', [7.1, 0.5, 0.3]],
    ['side by side, deeper', [5, 3.3, 0.8]],
    ['one over the other', [2, 1, 1.1]],
    ['in the same place', [0, 0, 0]],
    ['apart', [8.5, 0, 0.2]],
  ])('%s', (name, offset) => {
    const truth: Truth = {
      low: measureParallelTori(ringRadius, tubeRadius - error, offset),
      high: measureParallelTori(ringRadius, tubeRadius + error, offset),
    };
    checkDepth(name, a, bodyOf(move(mesh, ...(offset as [number, number, number]))), truth);
  });
});
