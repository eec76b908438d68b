// Pairs that a query once got wrong, or took too long for; each test is named after what went wrong.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureByBruteForce, placeInFrame } from '../oracles/mesh-distance.js';
import { randomOf } from '../oracles/penetration/box-cases.js';
import { box, dentedBox, join, sphere, stellate, torus, turnInsideOut } from '../oracles/penetration/shapes.js';
import { bodyOf, HERE } from './check-depth.js';

/** A pose with a random turn, moved by up to `reach` along each axis. */
function randomPose(random: () => number, reach: number): Pose {
  const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...q);
  const [x, y, z] = [0, 1, 2].map(() => reach * random());
  return [x, y, z, q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

function moveBy(pose: Pose, vector: readonly number[], share: number): Pose {
  const moved: Pose = [...pose];
  for (let k = 0; k < 3; k++) moved[k] += share * vector[k];
  return moved;
}

describe('shallow depths', () => {
  test('a depth of a few roundings does not send a ray through every pixel', () => {
    const random = randomOf(3);
    const star = bodyOf(stellate(sphere(1, 2), 0.45));
    const ring = bodyOf(torus(1, 0.5, 6, 4));
    let most = 0;
    for (let i = 0; i < 12; i++) {
      const poseB = randomPose(random, 0.5);
      const { vector, depth } = measurePenetrationSync(star.model, ring.model, HERE, poseB);
      for (const left of [1e-13, 1e-12, 3e-12, 1e-11, 1e-9]) {
        const poseA = moveBy(HERE, vector, 1 - (4 * left) / depth);
        const { levels } = measurePenetrationSync(star.model, ring.model, poseA, poseB);
        for (const { rays } of levels) most = Math.max(most, rays);
      }
    }
    expect(most).toBeLessThan(5000);
  });
});

describe('voids', () => {
  test.each([
    ['far from the origin', 2 ** 17, 2 ** -13],
    ['tight', 0, 2 ** -33],
    ['near the origin', 0, 2 ** -20],
  ])('a room narrower than the step that tells voids from ways out is found: %s', (_, o, gap) => {
    const inner = new ProximityModel(box([o, o, o], [o + 1, o + 1, o + 1]));
    const [low, high] = [o - gap, o + 1 + gap];
    const room = turnInsideOut(box([low, low, low], [high, high, high]));
    const outer = new ProximityModel(join(box([o - 1, o - 1, o - 1], [o + 2, o + 2, o + 2]), room));
    const { depth } = measurePenetrationSync(inner, outer, [0.125, 0, 0, 0, 0, 0, 1], HERE);
    expect(Math.abs(depth - (0.125 - gap))).toBeLessThan(1e-12 * (4 * o + 4));
  });
});

describe('the vector', () => {
  // With a push that only just cleared the exact test, 4 of these 55 met in the oracle's own arithmetic.
  test('separates also when placed in other steps than the query does', () => {
    const random = randomOf(5);
    const three = bodyOf(findModel('digit-3').build());
    const dented = bodyOf(dentedBox([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5], 0.1));
    let met = 0;
    let overlapping = 0;
    for (let i = 0; i < 55; i++) {
      const [poseA, poseB] = [randomPose(random, 0.4), randomPose(random, 0.4)];
      const { vector, depth } = measurePenetrationSync(three.model, dented.model, poseA, poseB);
      if (depth === 0) continue;
      overlapping++;
      const placed = placeInFrame(dented.oracle.positions, moveBy(poseA, vector, 1), poseB);
      if (measureByBruteForce(three.oracle, dented.oracle, placed).intersects) met++;
    }
    expect(overlapping).toBeGreaterThan(40);
    expect(met).toBe(0);
  });
});

describe('stopping', () => {
  test('a query that has begun to look at cells still stops', () => {
    const star = bodyOf(stellate(sphere(1, 2), 0.45));
    const ring = bodyOf(torus(1, 0.5, 6, 4));
    let asked = 0;
    let stopAt = Infinity;
    const signal = {
      get aborted(): boolean {
        return ++asked >= stopAt;
      },
    };
    const measure = () => measurePenetrationSync(star.model, ring.model, HERE, [0.3, 0.2, 0.1, 0, 0, 0, 1], { signal });
    const { depth } = measure();
    asked = 0; // preparing the models asks too
    measure();
    expect(depth).toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(2);
    stopAt = asked;
    asked = 0;
    expect(measure).toThrow(expect.objectContaining({ code: 'aborted' }));
    stopAt = Infinity;
    expect(measure().depth).toBe(depth);
  });
});
