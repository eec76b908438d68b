// Contacts and friction against closed forms.
import { describe, expect, test } from 'vitest';
import { RigidWorld } from '../../../src/dynamics/index.js';

const G = 9.81;

function floor(world: RigidWorld, friction = 0.5, restitution = 0): number {
  const pose = [0, -0.5, 0, 0, 0, 0, 1];
  return world.addBody({ shape: { box: [50, 1, 50] }, pose, fixed: true, friction, restitution });
}

describe('a box on an incline', () => {
  /** Slides for two seconds down a plane through the origin; returns the way, the lift off the plane, and the speed. */
  function slide(angle: number, friction: number): { way: number; lift: number; speed: number; turn: number } {
    const world = new RigidWorld();
    const turn = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const up = [-Math.sin(angle), Math.cos(angle)];
    const at = (height: number): number[] => [height * up[0], height * up[1], 0, ...turn];
    world.addBody({ shape: { box: [100, 1, 10] }, pose: at(-0.5), fixed: true, friction });
    const box = world.addBody({ shape: { box: [1, 1, 1] }, pose: at(0.5), friction });
    const [x, y] = world.centerOf(box);
    for (let step = 0; step < 120; step++) world.step();
    const [dx, dy] = [world.centerOf(box)[0] - x, world.centerOf(box)[1] - y];
    return {
      way: -dx * Math.cos(angle) - dy * Math.sin(angle),
      lift: dx * up[0] + dy * up[1],
      speed: Math.hypot(...world.velocityOf(box)),
      turn: Math.hypot(...world.angularVelocityOf(box)),
    };
  }

  test.each([
    [0.1, 0.5],
    [Math.atan(0.5) - 1e-3, 0.5],
    [Math.atan(0.2) - 1e-3, 0.2],
  ])('stays below the friction angle: %f, friction %f', (angle, friction) => {
    const { way, lift, speed } = slide(angle, friction);
    expect(Math.abs(way)).toBeLessThan(1e-6);
    expect(Math.abs(lift)).toBeLessThan(2e-6);
    expect(speed).toBeLessThan(1e-6);
  });

  test.each([
    [Math.atan(0.5) + 1e-3, 0.5],
    [0.6, 0.5],
    [0.6, 0.2],
    [0.5, 0],
  ])('slides as it should above it: %f, friction %f', (angle, friction) => {
    const { way, lift, speed, turn } = slide(angle, friction);
    const acceleration = G * (Math.sin(angle) - friction * Math.cos(angle));
    expect(Math.abs(speed - 2 * acceleration)).toBeLessThan(3e-5);
    expect(Math.abs(way - 2 * acceleration)).toBeLessThan(3e-5);
    expect(Math.abs(lift)).toBeLessThan(2e-6);
    expect(turn).toBeLessThan(1e-6);
  });
});

test('a box that slides on the floor stops after v² / 2 μ g, in the direction it had, and sleeps', () => {
  const world = new RigidWorld();
  floor(world, 0.3);
  const box = world.addBody({
    shape: { box: [1, 1, 1] },
    pose: [0, 0.5, 0, 0, 0, 0, 1],
    velocity: [3, 0, 2],
    friction: 0.3,
  });
  for (let step = 0; step < 180; step++) world.step();
  const [x, y, z] = world.centerOf(box);
  const way = 13 / (2 * 0.3 * G);
  expect(Math.abs(x - (3 * way) / Math.sqrt(13))).toBeLessThan(1e-5);
  expect(Math.abs(z - (2 * way) / Math.sqrt(13))).toBeLessThan(1e-5);
  expect(Math.abs(y - 0.5)).toBeLessThan(2e-6);
  expect(world.isAsleep(box)).toBe(true);
});

test('a ball that slides ends up rolling at 5/7 of its speed', () => {
  const world = new RigidWorld();
  floor(world);
  const ball = world.addBody({ shape: { sphere: 0.5 }, pose: [-8, 0.5, 0, 0, 0, 0, 1], velocity: [7, 0, 0] });
  for (let step = 0; step < 120; step++) world.step();
  expect(world.velocityOf(ball)[0]).toBeCloseTo(5, 4);
  expect(world.angularVelocityOf(ball)[2]).toBeCloseTo(-10, 3);
});

test('ten boxes stand for a minute without drift, awake', () => {
  const world = new RigidWorld({ sleeping: false });
  floor(world);
  const boxes = Array.from({ length: 10 }, (_, k) =>
    world.addBody({ shape: { box: [0.2, 0.2, 0.2] }, pose: [0, 0.1 + 0.2 * k, 0, 0, 0, 0, 1] }),
  );
  for (let step = 0; step < 3600; step++) world.step();
  boxes.forEach((box, k) => {
    const [x, y, z] = world.centerOf(box);
    expect(Math.hypot(x, y - 0.1 - 0.2 * k, z)).toBeLessThan(1e-5);
  });
  expect(world.energy().kinetic).toBeLessThan(1e-8);
  const weight = boxes.reduce((sum, box) => sum + G * world.massOf(box), 0);
  const carried = world.contacts().filter(({ bodyA }) => bodyA === 0);
  expect(carried.reduce((sum, { force }) => sum + force, 0)).toBeCloseTo(weight, 2);
});

test('a pyramid of 78 boxes stands', () => {
  const world = new RigidWorld();
  floor(world);
  const rows = 12;
  let top = -1;
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < rows - row; k++) {
      const pose = [(k - (rows - row - 1) / 2) * 0.52, 0.25 + 0.5 * row, 0, 0, 0, 0, 1];
      top = world.addBody({ shape: { box: [0.5, 0.5, 0.5] }, pose });
    }
  }
  for (let step = 0; step < 120; step++) world.step();
  const [x, y, z] = world.centerOf(top);
  expect(Math.hypot(x, y - 0.25 - 0.5 * (rows - 1), z)).toBeLessThan(2e-3);
  expect(Math.min(...world.contacts().map(({ separation }) => separation))).toBeGreaterThan(-1e-3);
});

test('momentum is kept to rounding when bodies collide in space', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const shapes = [{ box: [1, 0.6, 0.8] }, { sphere: 0.4 }, { box: [0.5, 0.5, 1.5] }, { sphere: 0.3 }] as const;
  shapes.forEach((shape, k) => {
    const at = [2 * Math.cos(1.5 * k), 2 * Math.sin(1.5 * k), 0.1 * k];
    const velocity = at.map((value) => -1.5 * value);
    world.addBody({ shape, pose: [...at, 0, 0, 0, 1], velocity, angularVelocity: [k, 1, -k], restitution: 0.3 });
  });
  const before = world.momentum();
  let touched = 0;
  for (let step = 0; step < 240; step++) {
    world.step();
    touched += world.takeEvents().filter(({ type }) => type === 'begin').length;
  }
  const after = world.momentum();
  const scale = world.bodies.reduce((sum, body) => sum + 3 * world.massOf(body), 0);
  expect(touched).toBeGreaterThan(1);
  for (let k = 0; k < 3; k++) {
    expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(1e-12 * scale);
    expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(1e-11 * scale);
  }
});
