// The bound on how far two bodies come together: never less than what exact distances lose, and small for captive parts.
import { expect, test } from 'vitest';
import { createRandom, type Random, type Vec3 } from '../../../src/core/index.js';
import { Bodies, DYNAMIC } from '../../../src/dynamics/body/bodies.js';
import { NearSpeed } from '../../../src/dynamics/body/near-speed.js';
import { CollisionShape } from '../../../src/dynamics/index.js';
import { reachOf } from '../../../src/dynamics/solver/collision.js';
import { findModel } from '../../../src/mesh/index.js';
import { measureDistance, ProximityModel } from '../../../src/proximity/index.js';

const CASES = 300;

function moved(bodies: Bodies, slot: number, time: number): number[] {
  const pose = new Float64Array(7);
  const [x, y, z] = bodies.angularVelocity.subarray(3 * slot, 3 * slot + 3);
  const rate = Math.hypot(x, y, z);
  const [center, orientation] = [[...bodies.center], [...bodies.orientation]];
  for (let k = 0; k < 3; k++) bodies.center[3 * slot + k] += time * bodies.velocity[3 * slot + k];
  if (rate > 0) {
    const s = Math.sin((rate * time) / 2) / rate;
    const [a, b, c, w] = [x * s, y * s, z * s, Math.cos((rate * time) / 2)];
    const [p, q, r, t] = bodies.orientation.subarray(4 * slot, 4 * slot + 4);
    const turned = [
      a * t + w * p + b * r - c * q,
      b * t + w * q + c * p - a * r,
      c * t + w * r + a * q - b * p,
      w * t - a * p - b * q - c * r,
    ];
    bodies.orientation.set(turned, 4 * slot);
  }
  bodies.writePose(slot, pose);
  bodies.center.set(center);
  bodies.orientation.set(orientation);
  return [...pose];
}

const near = (random: Random, most: number): Vec3 => [
  random.range(-most, most),
  random.range(-most, most),
  random.range(-most, most),
];

test('two bodies lose no more distance than the bound', () => {
  const random = createRandom(1);
  const models = ['letter-x', 'box', 'digit-4', 'torus'].map((name) => new ProximityModel(findModel(name).build({})));
  let tight = 0;
  for (let i = 0; i < CASES; i++) {
    const bodies = new Bodies();
    const speed = new NearSpeed(bodies);
    for (let slot = 0; slot < 2; slot++) {
      bodies.add(DYNAMIC, CollisionShape.solid(models[random.integer(models.length)]));
      bodies.localCenter.set(near(random, 0.3), 3 * slot);
      bodies.setPose(slot, [...near(random, 0.9), ...random.rotation()]);
      bodies.velocity.set(near(random, 2), 3 * slot);
      bodies.angularVelocity.set(near(random, 6), 3 * slot);
    }
    const [a, b] = [bodies.shape[0]!.model!, bodies.shape[1]!.model!];
    const dt = 10 ** random.range(-3, -1.7);
    const at = (time: number) => [moved(bodies, 0, time), moved(bodies, 1, time)] as const;
    const before = measureDistance(a, b, at(0)[0] as never, at(0)[1] as never).distance!;
    const after = measureDistance(a, b, at(dt)[0] as never, at(dt)[1] as never).distance!;
    const way = speed.wayOf(0, 1, reachOf(bodies, 0), reachOf(bodies, 1), dt);
    // Bodies that meet stay within the bound of each other's balls.
    if (before > way) expect(after).toBeGreaterThan(0);
    if (after < 0.2) expect(before - after).toBeLessThanOrEqual(way * (1 + 1e-9));
    if (before - after > 0.2 * way) tight++;
  }
  expect(tight).toBeGreaterThan(CASES / 20);
});

test('an arm that turns about a pin hardly moves at the pin', () => {
  const bodies = new Bodies();
  const ofPin = CollisionShape.solid(findModel('box').build({}));
  for (let slot = 0; slot < 2; slot++) {
    bodies.add(DYNAMIC, ofPin);
    bodies.setPose(slot, [10 * slot, 0, 0, 0, 0, 0, 1]);
  }
  // About the middle of the first.
  bodies.angularVelocity.set([0, 0, 1], 3);
  bodies.velocity.set([0, 10, 0], 3);
  const [radius, dt] = [ofPin.boundingRadius, 1e-4];
  const way = new NearSpeed(bodies).wayOf(0, 1, reachOf(bodies, 0), reachOf(bodies, 1), dt);
  expect(way / dt).toBeGreaterThan(radius * 0.999);
  expect(way / dt).toBeLessThan(radius * 1.01);
});
