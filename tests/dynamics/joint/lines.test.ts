// Distances and springs between points of bodies, against closed forms.
import { expect, test } from 'vitest';
import { type JointOptions, RigidWorld } from '../../../src/dynamics/index.js';
import { codeOf } from '../../error-code.js';

test('a distance holds a pendulum of its length, with its period and energy', () => {
  const world = new RigidWorld({ timestep: 1 / 100 });
  const length = 1;
  const angle = 0.1;
  const bob = world.addBody({
    shape: { sphere: 0.05 },
    pose: [length * Math.sin(angle), -length * Math.cos(angle), 0, 0, 0, 0, 1],
  });
  world.addJoint({ type: 'distance', bodyA: bob, at: world.centerOf(bob), to: [0, 0, 0] });
  const start = world.energy().total;
  let crossings = 0;
  let first = 0;
  let last = 0;
  let before = 1;
  for (let i = 0; i < 1000; i++) {
    world.step();
    const [x, y, z] = world.centerOf(bob);
    expect(Math.abs(Math.hypot(x, y, z) - length)).toBeLessThan(1e-7);
    if (before > 0 && x <= 0) {
      const time = world.time - (0.01 * -x) / (before - x);
      if (crossings === 0) first = time;
      last = time;
      crossings++;
    }
    before = x;
  }
  const period = 2 * Math.PI * Math.sqrt(length / 9.81) * (1 + angle ** 2 / 16);
  expect((last - first) / (crossings - 1)).toBeCloseTo(period, 3);
  expect(Math.abs(world.energy().total - start)).toBeLessThan(1e-5 * Math.abs(start));
});

test('two bodies on a distance turn about their center: momenta and length stay', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const a = world.addBody({ shape: { box: [0.2, 0.3, 0.4] }, pose: [-1, 0, 0, 0, 0, 0, 1], velocity: [0, 1, 0] });
  const b = world.addBody({ shape: { sphere: 0.1 }, pose: [1, 0, 0, 0, 0, 0, 1], velocity: [0, -2, 0.5] });
  world.addJoint({ type: 'distance', bodyA: a, bodyB: b, at: [-0.9, 0.1, 0], to: [1, 0, 0.1] });
  const before = world.momentum();
  for (let i = 0; i < 300; i++) world.step();
  const after = world.momentum();
  for (let k = 0; k < 3; k++) {
    expect(after.linear[k]).toBeCloseTo(before.linear[k], 9);
    expect(after.angular[k]).toBeCloseTo(before.angular[k], 9);
  }
});

test('a spring swings with its period and keeps its energy; damping takes it by its exponential', () => {
  for (const damping of [0, 0.8]) {
    const world = new RigidWorld({ timestep: 1 / 100, gravity: [0, 0, 0] });
    const mass = 2;
    const ball = world.addBody({ shape: { sphere: 0.1 }, mass, pose: [1.5, 0, 0, 0, 0, 0, 1] });
    world.addJoint({ type: 'spring', bodyA: ball, at: [1.5, 0, 0], to: [0, 0, 0], stiffness: 50, damping, length: 1 });
    const start = world.energy();
    expect(start.elastic).toBeCloseTo(0.5 * 50 * 0.25, 9);
    for (let i = 0; i < 200; i++) world.step();
    const rate = damping / (2 * mass);
    const turn = Math.sqrt(50 / mass - rate * rate);
    const x = 0.5 * Math.exp(-2 * rate) * (Math.cos(2 * turn) + (rate / turn) * Math.sin(2 * turn));
    expect(world.centerOf(ball)[0] - 1).toBeCloseTo(x, 3);
    if (damping === 0) expect(world.energy().total).toBeCloseTo(start.total, 3);
  }
});

test('a spring a million times too stiff for the step stays where it is stretched least, and makes no energy', () => {
  const world = new RigidWorld({ timestep: 1 / 60 });
  const ball = world.addBody({ shape: { sphere: 0.1 }, mass: 1, pose: [0, -1, 0, 0, 0, 0, 1] });
  world.addJoint({ type: 'spring', bodyA: ball, at: [0, -1, 0], to: [0, 0, 0], stiffness: 1e9, damping: 1e3 });
  const start = world.energy().total;
  // The spring swings by what gravity gives in a substep, for ever and no farther.
  for (let i = 0; i < 3000; i++) {
    world.step();
    expect(world.energy().total).toBeLessThan(start + 5e-3);
  }
  expect(world.centerOf(ball)[1]).toBeCloseTo(-1, 4);
});

test.each<[Partial<JointOptions>]>([
  [{ type: 'distance' }],
  [{ type: 'distance', to: [0, 0, 0] }],
  [{ type: 'distance', to: [1, 0, 0], stiffness: 3 }],
  [{ type: 'spring', to: [1, 0, 0] }],
  [{ type: 'spring', to: [1, 0, 0], stiffness: -1 }],
  [{ type: 'spring', to: [1, 0, 0], stiffness: 1, damping: -1 }],
  [{ type: 'ball', to: [1, 0, 0] }],
])('%j is refused', (options) => {
  const world = new RigidWorld();
  const bodyA = world.addBody({ shape: { sphere: 0.1 } });
  expect(codeOf(() => world.addJoint({ at: [0, 0, 0], bodyA, ...options } as JointOptions))).toBe('bad-argument');
});
