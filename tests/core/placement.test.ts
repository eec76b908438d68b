import { expect, test } from 'vitest';
import { assertPose, toUnit } from '../../src/core/check/check-pose.js';
import { boundMotion, boundTurn, invertPlacement, placeBInA } from '../../src/core/placement.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { codeOf } from '../error-code.js';

const random = createRandom(17);
const anyPose = (reach: number): pose.Pose => [
  random.range(-reach, reach),
  random.range(-reach, reach),
  random.range(-reach, reach),
  ...random.rotation(),
];

function apply(m: Float64Array, [x, y, z]: readonly number[]): number[] {
  return [0, 4, 8].map((row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3]);
}

const distance = (p: readonly number[], q: readonly number[]) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);

test('a placement carries points of B into the frame of A, its inverse back', () => {
  for (let i = 0; i < 100; i++) {
    const [a, b] = [anyPose(3), anyPose(3)];
    const point = random.direction();
    const placement = placeBInA(a, b);
    const world = pose.transformPoint(b, point);
    expect(distance(pose.transformPoint(a, apply(placement, point) as [number, number, number]), world)).toBeLessThan(
      1e-13,
    );
    expect(distance(apply(invertPlacement(placement), apply(placement, point)), point)).toBeLessThan(1e-13);
  }
});

test('no point of a ball moves farther than the bound, and some come near it', () => {
  let nearest = 0;
  for (let i = 0; i < 300; i++) {
    const [from, to] = [placeBInA(pose.identity(), anyPose(0.1)), placeBInA(pose.identity(), anyPose(0.1))];
    const center = random.direction();
    const radius = random.range(0.5, 2);
    const bound = boundMotion(from, to, center, radius);
    expect(boundTurn(from, to)).toBeLessThanOrEqual(2 + 1e-12);
    for (let k = 0; k < 30; k++) {
      const way = random.direction();
      const point = [0, 1, 2].map((axis) => center[axis] + radius * way[axis]);
      const moved = distance(apply(from, point), apply(to, point));
      expect(moved).toBeLessThanOrEqual(bound + 1e-12);
      nearest = Math.max(nearest, moved / bound);
    }
  }
  expect(nearest).toBeGreaterThan(0.9);
});

test('a quaternion that is unit but for rounding keeps its bits, so that parsing twice changes nothing', () => {
  for (let i = 0; i < 1000; i++) {
    const once = pose.parse([...anyPose(1)].map((value, k) => (k < 3 ? value : 7.3 * value)));
    expect(pose.parse(once)).toEqual(once);
    expect(toUnit(once)).toEqual(once);
  }
});

test('checks name whose pose it is', () => {
  const message = (run: () => void): string => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(message(() => assertPose([1, 2], 'A'))).toContain('The pose of A is not 7 numbers');
  expect(message(() => pose.parse([1, 2], 'body 3'))).toContain('The pose of body 3 is not 7 numbers');
  expect(message(() => pose.parse([0, 0, 0, 0, 0, 0, 0]))).toContain('The quaternion of the pose is zero');
  expect(codeOf(() => assertPose([1e51, 0, 0, 0, 0, 0, 1], 'A'))).toBe('bad-argument');
  for (const off of [-1.1e-3, 1.1e-3]) {
    expect(codeOf(() => assertPose([0, 0, 0, 0, 0, 0, 1 + off], 'A'))).toBe('bad-argument');
  }
  for (const off of [-0.9e-3, 0.9e-3]) expect(() => assertPose([0, 0, 0, 0, 0, 0, 1 + off], 'A')).not.toThrow();
});
