// What a pair keeps of its points.
import { expect, test } from 'vitest';
import { RigidWorld } from '../../../src/dynamics/index.js';
import { ContactBuffer } from '../../../src/dynamics/solver/contact-buffer.js';
import { type PairManifold, PairState } from '../../../src/dynamics/solver/pair-table.js';

test('kept impulses can be recalled time and again', () => {
  const buffer = new ContactBuffer();
  const pair = new PairState(0, 1, {} as PairManifold);
  buffer.count = pair.count = 2;
  buffer.keys.set([1, 2, 3, 4]);
  buffer.normalImpulse.set([5, 6]);
  pair.keep(buffer);
  for (let time = 0; time < 3; time++) {
    buffer.normalImpulse.fill(0);
    buffer.isWarm.fill(0);
    pair.recall(buffer, 0.1);
    expect([...buffer.normalImpulse.subarray(0, 2)]).toEqual([5, 6]);
  }
  pair.scaleKept(2);
  pair.recall(buffer, 0.1);
  expect([...buffer.normalImpulse.subarray(0, 2)]).toEqual([10, 12]);
});

test('a body at rest is held by its weight from the first substep of a step on', () => {
  const world = new RigidWorld({ method: 'backtracking', sleeping: false });
  world.addBody({ shape: { box: [4, 1, 4] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const box = world.addBody({ shape: { box: [0.1, 0.1, 0.1] }, pose: [0, 0.05001, 0, 0, 0, 0, 1], mass: 1e-3 });
  for (let step = 0; step < 30; step++) world.step();
  const force = world.contacts().reduce((sum, contact) => sum + contact.force, 0);
  expect(force).toBeCloseTo(1e-3 * 9.81, 6);
  expect(Math.hypot(...world.velocityOf(box))).toBeLessThan(1e-6);
});
