import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { Bodies } from '../../../src/dynamics/body/bodies.js';
import { measureEnergy, measureMomentum } from '../../../src/dynamics/body/conserved.js';
import { OverlapResolver } from '../../../src/dynamics/overlap/overlap-resolver.js';
import { ContactBuffer } from '../../../src/dynamics/solver/contact-buffer.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { findModel } from '../../../src/models/catalogue.js';
import { letters } from '../../../src/models/letters/letters.js';
import { boxMesh } from '../../generators/surfaces.js';
import { addBody, MeetingPairs, scatter } from './tangles.js';

const DT = 1 / 60;

/** Resolves until nothing meets; returns the steps it took. Checks the speed and the center of mass in every step. */
function untangle(bodies: Bodies, maxSteps: number, speed = 1): number {
  const resolver = new OverlapResolver(speed);
  const meeting = new MeetingPairs(bodies);
  const before = new Float64Array(3 * bodies.count);
  for (let step = 0; step < maxSteps; step++) {
    if (meeting.update() === 0) return step;
    before.set(bodies.center.subarray(0, before.length));
    resolver.resolve(bodies, meeting.pairs, meeting.count, null, DT);
    const shift = [0, 0, 0];
    let allMove = true;
    for (let i = 0; i < bodies.count; i++) {
      const move = [0, 1, 2].map((k) => bodies.center[3 * i + k] - before[3 * i + k]);
      expect(Math.hypot(...move)).toBeLessThanOrEqual(speed * DT * (1 + 1e-9));
      for (let k = 0; k < 3; k++) shift[k] += bodies.mass[i] * move[k];
      allMove &&= bodies.inverseMass[i] > 0;
    }
    const mass = bodies.mass.subarray(0, bodies.count).reduce((sum, m) => sum + m, 0);
    if (allMove) expect(Math.hypot(...shift)).toBeLessThan(1e-12 * mass);
  }
  return maxSteps;
}

describe('tangles', () => {
  test('interlocked tori part along a way that leaves the ring', () => {
    const torus = CollisionShape.solid(findModel('torus').build({ majorSegments: 20, minorSegments: 10 }));
    const bodies = new Bodies();
    addBody(bodies, torus, [0, 0, 0, 0, 0, 0, 1]);
    addBody(bodies, torus, [0.7, 0, 0.1, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    expect(untangle(bodies, 240)).toBeLessThan(240);
    expect(measureEnergy(bodies, [0, 0, 0]).kinetic).toBe(0);
  });

  test('a heap of letters comes apart at 1 m/s, and nothing starts to move', () => {
    const shapes = [0, 2, 7, 14, 18, 20].map((i) => CollisionShape.solid(letters[i].build({})));
    const bodies = scatter(shapes, 16, 0.7, createRandom(5));
    const meeting = new MeetingPairs(bodies);
    expect(meeting.update()).toBeGreaterThan(20);
    expect(untangle(bodies, 300)).toBeLessThan(300);
    expect(measureEnergy(bodies, [0, 0, 0]).kinetic).toBe(0);
  });

  test('balls in a box and in each other leave', () => {
    const bodies = new Bodies();
    addBody(bodies, CollisionShape.solid(boxMesh([-2, -1, -2], [2, 0, 2])), [0, 0, 0, 0, 0, 0, 1], true);
    const ball = CollisionShape.ball(0.2);
    for (const x of [0, 0.1, 0.25]) addBody(bodies, ball, [x, -0.3, 0.05, 0, 0, 0, 1]);
    expect(untangle(bodies, 200)).toBeLessThan(200);
    for (let i = 1; i < 4; i++) expect(bodies.center[3 * i + 1]).toBeGreaterThan(0.2);
  });

  test('two bodies of one center part all the same', () => {
    const bodies = new Bodies();
    const box = CollisionShape.solid(boxMesh([-0.2, -0.3, -0.4], [0.2, 0.3, 0.4]));
    addBody(bodies, box, [0, 0, 0, 0, 0, 0, 1]);
    addBody(bodies, box, [0, 0, 0, 0, 0, 0, 1]);
    addBody(bodies, CollisionShape.ball(0.3), [0, 0, 0, 0, 0, 0, 1]);
    addBody(bodies, CollisionShape.ball(0.3), [0, 0, 0, 0, 0, 0, 1]);
    expect(untangle(bodies, 400)).toBeLessThan(400);
  });
});

test('what approaches is stopped: momentum is kept and energy never grows', () => {
  const random = createRandom(7);
  const shapes = [letters[4], letters[19]].map((letter) => CollisionShape.solid(letter.build({})));
  const bodies = scatter(shapes, 6, 0.3, random);
  for (let i = 0; i < 18; i++) {
    bodies.velocity[i] = random.normal();
    bodies.angularVelocity[i] = random.normal();
  }
  const resolver = new OverlapResolver();
  const meeting = new MeetingPairs(bodies);
  for (let step = 0; step < 40 && meeting.update() > 0; step++) {
    const centers = bodies.center.slice();
    const energy = measureEnergy(bodies, [0, 0, 0]).kinetic;
    const { linear, angular } = measureMomentum(bodies);
    resolver.resolve(bodies, meeting.pairs, meeting.count, null, DT);
    // Angular momentum is about what the velocities do, not about the moves.
    const moved = bodies.center.slice();
    bodies.center.set(centers);
    const after = measureMomentum(bodies);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.linear[k] - linear[k])).toBeLessThan(1e-9);
      expect(Math.abs(after.angular[k] - angular[k])).toBeLessThan(1e-9);
    }
    expect(measureEnergy(bodies, [0, 0, 0]).kinetic).toBeLessThanOrEqual(energy * (1 + 1e-12));
    bodies.center.set(moved);
  }
});

test('contacts of other pairs are respected', () => {
  // Two balls overlap in a row whose last one touches a wall: they part away from the wall only.
  const bodies = new Bodies();
  const ball = CollisionShape.ball(0.5);
  addBody(bodies, ball, [0, 0, 0, 0, 0, 0, 1]);
  addBody(bodies, ball, [0.9, 0, 0, 0, 0, 0, 1]);
  addBody(bodies, CollisionShape.solid(boxMesh([1.4, -1, -1], [1.5, 1, 1])), [0, 0, 0, 0, 0, 0, 1], true);
  const contacts = new ContactBuffer();
  const at = Float64Array.of(1.4, 0, 0);
  contacts.add(bodies, 1, 2, { pointsA: at, pointsB: at, normals: Float64Array.of(1, 0, 0) }, 0, 0);
  const resolver = new OverlapResolver();
  for (let step = 0; step < 10; step++) resolver.resolve(bodies, Int32Array.of(0, 1), 1, contacts, DT);
  expect(bodies.center[3]).toBeCloseTo(0.9, 9);
  expect(bodies.center[0]).toBeLessThan(-0.0999);
});
