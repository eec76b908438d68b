// What a world of the plane offers besides motion: events, sensors, filters, sleep, snapshots, handles, paths, joints, refusals.
import { expect, test } from 'vitest';
import { PLANE_METHODS } from '../../src/plane-dynamics/plane-options.js';
import { PlaneWorld } from '../../src/plane-dynamics/plane-world.js';
import { codeOf } from '../error-code.js';
import { box, cup, floor, star } from './shapes.js';

function heap(method: (typeof PLANE_METHODS)[number]): PlaneWorld {
  const w = new PlaneWorld({ method });
  w.addBody({ shape: floor(), fixed: true });
  for (let i = 0; i < 6; i++) {
    const shape = i % 3 === 0 ? { circle: 0.3 } : i % 3 === 1 ? star(5, 0.2, 0.45) : box(0.6, 0.4);
    w.addBody({ shape, pose: [0.3 * (i % 2), 0.6 + 0.9 * i, 0.3 * i], restitution: i % 2 === 0 ? 0.5 : 0 });
  }
  w.addJoint({ type: 'pin', bodyA: 2, bodyB: 3, at: [0.3, 2] });
  return w;
}

test.each(PLANE_METHODS)('%s: same input, same bits; a snapshot goes on as the world did', (method) => {
  const [a, b] = [heap(method), heap(method)];
  for (let k = 0; k < 30; k++) {
    a.step();
    b.step();
  }
  expect(b.snapshot()).toEqual(a.snapshot());
  const bytes = a.snapshot();
  for (let k = 0; k < 15; k++) a.step();
  const end = a.snapshot();
  b.restore(bytes);
  for (let k = 0; k < 15; k++) b.step();
  expect(b.snapshot()).toEqual(end);
  a.restore(bytes);
  for (let k = 0; k < 15; k++) a.step();
  expect(a.snapshot()).toEqual(end);
  for (const length of [40, bytes.length - 8]) {
    expect(codeOf(() => a.restore(bytes.slice(0, length)))).toBe('bad-argument');
  }
  expect(a.snapshot()).toEqual(end);
  expect(codeOf(() => new PlaneWorld().restore(bytes))).toBe('bad-argument');
});

test('a heap falls asleep and wakes when it is hit', () => {
  const w = new PlaneWorld();
  w.addBody({ shape: floor(), fixed: true });
  const boxes = [0, 1, 2].map((i) => w.addBody({ shape: box(0.5, 0.5), pose: [0, 0.25 + 0.5 * i, 0] }));
  for (let k = 0; k < 240; k++) w.step();
  expect(boxes.every((body) => w.isAsleep(body))).toBe(true);
  expect(w.counters().asleep).toBe(3);
  const before = w.poseOf(boxes[2]);
  w.addBody({ shape: { circle: 0.1 }, pose: [-2, 1.25, 0], velocity: [20, 1] });
  for (let k = 0; k < 30; k++) w.step();
  expect(boxes.some((body) => !w.isAsleep(body))).toBe(true);
  expect(w.poseOf(boxes[2])[0]).toBeGreaterThan(before[0] + 1e-3);
  expect(w.worstPenetration()).toBeLessThan(1e-3);
});

test('sleepers keep their energy, their contacts and what these carry, and wake without a start', () => {
  const w = new PlaneWorld();
  w.addBody({ shape: floor(), fixed: true });
  const boxes = [0, 1, 2].map((i) => w.addBody({ shape: box(0.5, 0.5), pose: [0, 0.25 + 0.5 * i, 0] }));
  const weight = boxes.reduce((sum, body) => sum + w.massOf(body), 0) * 9.81;
  while (!w.isAsleep(boxes[2]) && w.time < 4) w.step();
  const energy = w.energy().total;
  const pairs = (): string[] => [...new Set(w.contacts().map(({ bodyA, bodyB }) => `${bodyA}-${bodyB}`))].sort();
  expect(pairs()).toEqual(['0-1', '1-2', '2-3']);
  const check = (): void => {
    expect(w.energy().total).toBeCloseTo(energy, 9);
    expect(w.energy().gravitational).toBeGreaterThan(0.99 * (weight / 3) * (0.25 + 0.75 + 1.25));
    expect(pairs()).toEqual(['0-1', '1-2', '2-3']);
    const onFloor = w.contacts().filter(({ bodyA }) => bodyA === 0);
    expect(onFloor.map(({ point }) => Math.round(100 * point[0])).sort()).toEqual([-25, 25]);
    for (const { normal, separation } of onFloor) {
      expect(normal[1]).toBeCloseTo(1, 6);
      // Within the skin.
      expect(separation).toBeGreaterThan(0);
      expect(separation).toBeLessThan(5e-4 * Math.SQRT1_2);
    }
    const held = onFloor.reduce((sum, { impulse }) => sum + impulse, 0);
    expect(held / (weight / 60)).toBeCloseTo(1, 3);
  };
  check();
  for (let k = 0; k < 60; k++) w.step();
  check();
  const bytes = w.snapshot();
  for (let k = 0; k < 60; k++) w.step();
  w.restore(bytes);
  check();
  const before = boxes.map((body) => w.poseOf(body));
  // Nothing but a touch of the hand: what wakes lies as it lay.
  w.applyImpulse(boxes[1], [0, 0]);
  expect(w.isAsleep(boxes[0])).toBe(false);
  for (let k = 0; k < 20; k++) {
    w.step();
    for (const [i, body] of boxes.entries()) {
      expect(Math.hypot(...w.velocityOf(body))).toBeLessThan(1e-5);
      expect(w.poseOf(body)[1]).toBeCloseTo(before[i][1], 6);
    }
  }
});

test('a body that starts slowly on a slope does not fall asleep', () => {
  const w = new PlaneWorld();
  const angle = Math.atan(0.3) + 0.0005;
  w.addBody({
    shape: box(40, 1),
    pose: [0.5 * Math.sin(angle), -0.5 * Math.cos(angle), angle],
    fixed: true,
    friction: 0.3,
  });
  const block = w.addBody({
    shape: box(1, 0.5),
    pose: [-0.25 * Math.sin(angle), 0.25 * Math.cos(angle), angle],
    friction: 0.3,
  });
  for (let k = 0; k < 300; k++) w.step();
  expect(w.isAsleep(block)).toBe(false);
  expect(-w.poseOf(block)[0]).toBeGreaterThan(0.03);
});

test.each(PLANE_METHODS)(
  '%s: events say when bodies begin and cease to touch; sensors report and do not push',
  (method) => {
    const w = new PlaneWorld({ method });
    const ground = w.addBody({ shape: floor(), fixed: true });
    const ball = w.addBody({ shape: { circle: 0.25 }, pose: [0, 1, 0], restitution: 0.9 });
    const gate = w.addBody({ shape: box(2, 0.2), pose: [0, 0.7, 0], fixed: true, sensor: true });
    const seen: string[] = [];
    for (let k = 0; k < 45; k++) {
      w.step();
      for (const { type, bodyA, bodyB, sensor } of w.takeEvents()) seen.push(`${type} ${bodyA} ${bodyB} ${sensor}`);
    }
    expect(seen).toContain(`begin ${ball} ${gate} true`);
    expect(seen).toContain(`begin ${ground} ${ball} false`);
    expect(seen).toContain(`end ${ground} ${ball} false`);
    expect(seen.indexOf(`begin ${ball} ${gate} true`)).toBeLessThan(seen.indexOf(`begin ${ground} ${ball} false`));
    expect(w.poseOf(gate)).toEqual([0, 0.7, 0]);
  },
);

test('groups and masks keep bodies from meeting', () => {
  const w = new PlaneWorld();
  w.addBody({ shape: floor(), fixed: true, group: 2 });
  const through = w.addBody({ shape: box(1, 1), pose: [0, 1, 0], mask: ~2 });
  const held = w.addBody({ shape: box(1, 1), pose: [3, 1, 0] });
  for (let k = 0; k < 60; k++) w.step();
  expect(w.poseOf(through)[1]).toBeLessThan(-1);
  // It rests within its skin, 5e-4 of its diameter.
  expect(Math.abs(w.poseOf(held)[1] - 0.5)).toBeLessThan(7.2e-4);
  w.removeBody(through);
  expect(w.bodies).toEqual([0, 2]);
  expect(codeOf(() => w.poseOf(through))).toBe('bad-argument');
});

test('a body on a path carries what lies on it', () => {
  const w = new PlaneWorld();
  const tray = w.addBody({
    shape: box(4, 0.2),
    path: [
      { time: 0, pose: [0, 0, 0] },
      { time: 2, pose: [1, 1, 0] },
    ],
    friction: 1,
  });
  const load = w.addBody({ shape: box(0.5, 0.5), pose: [0, 0.35, 0], friction: 1 });
  for (let k = 0; k < 120; k++) w.step();
  expect(w.poseOf(tray)).toEqual([1, 1, 0]);
  expect(w.poseOf(load)[1]).toBeCloseTo(1.35, 2);
  expect(w.poseOf(load)[0]).toBeGreaterThan(0.9);
});

test('motors have limits, joints have limits, sliders slide and rods keep their length', () => {
  const w = new PlaneWorld({ gravity: [0, 0], sleeping: false });
  const wheel = w.addBody({ shape: { circle: 0.5 }, pose: [-5, 0, 0] });
  w.addJoint({ type: 'pin', bodyA: wheel, at: [-5, 0], motor: { speed: 10, torque: 50 } });
  const door = w.addBody({ shape: box(1, 0.1), pose: [0, 0, 0], angularVelocity: 3 });
  w.addJoint({ type: 'pin', bodyA: door, at: [-0.5, 0], limits: [-0.5, 0.5] });
  const lift = w.addBody({ shape: box(0.5, 0.5), pose: [5, 0, 0] });
  w.addJoint({ type: 'slider', bodyA: lift, at: [5, 0], axis: [0, 1], motor: { speed: 1 }, limits: [0, 0.75] });
  const stone = w.addBody({ shape: { circle: 0.2 }, pose: [10, 0, 0], velocity: [0, 2] });
  w.addJoint({ type: 'distance', bodyA: stone, at: [10, 0], to: [9, 0] });
  const plate = w.addBody({ shape: cup(0.3), pose: [15, 0, 0], velocity: [0, 1], angularVelocity: 1 });
  const twin = w.addBody({ shape: box(0.2, 0.2), pose: [16, 0, 0] });
  w.addJoint({ type: 'fixed', bodyA: plate, bodyB: twin, at: [15.5, 0] });
  let widest = 0;
  for (let k = 0; k < 60; k++) {
    w.step();
    widest = Math.max(widest, Math.abs(w.poseOf(door)[2]));
    const [x, y] = w.centerOf(stone);
    expect(Math.abs(Math.hypot(x - 9, y) - 1)).toBeLessThan(1e-9);
    expect(w.poseOf(plate)[2]).toBeCloseTo(w.poseOf(twin)[2], 9);
  }
  // Torque by inertia for a second, below the speed of the motor.
  expect(w.angularVelocityOf(wheel)).toBeCloseTo(50 / (1000 * Math.PI * 0.25 * 0.125), 6);
  expect(widest).toBeLessThan(0.5 + 1e-9);
  expect(widest).toBeGreaterThan(0.49);
  expect(w.poseOf(lift)[1]).toBeCloseTo(0.75, 6);
  expect(w.poseOf(lift)[0]).toBeCloseTo(5, 9);
});

test('a handle pulls a body to the pointer, and lets it go', () => {
  const w = new PlaneWorld({ gravity: [0, 0] });
  const body = w.addBody({ shape: box(1, 0.5) });
  expect(w.bodyAt(0.4, 0.2)).toBe(body);
  expect(w.bodyAt(0.4, 0.3)).toBe(-1);
  const handle = w.grab(body, [0.4, 0]);
  handle.moveTo(2.4, 1);
  for (let k = 0; k < 240; k++) w.step();
  const [x, y, angle] = w.poseOf(body);
  expect(Math.hypot(x + 0.4 * Math.cos(angle) - 2.4, y + 0.4 * Math.sin(angle) - 1)).toBeLessThan(0.05);
  handle.release();
  w.setVelocity(body, [1, 0], 0);
  for (let k = 0; k < 60; k++) w.step();
  expect(w.poseOf(body)[0] - x).toBeCloseTo(1, 9);
});

test('what is no body and no joint is refused with a reason', () => {
  const w = new PlaneWorld();
  const add = (shape: unknown, more = {}) => codeOf(() => w.addBody({ shape: shape as never, ...more }));
  expect(add({ circle: 0 })).toBe('bad-argument');
  expect(add({ circle: Number.NaN })).toBe('bad-argument');
  expect(
    add({
      polygon: [
        [0, 0],
        [1, 0],
      ],
    }),
  ).toBe('bad-argument');
  expect(
    add({
      polygon: [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
    }),
  ).toBe('self-intersecting');
  expect(
    add({
      polygon: [
        [0, 0],
        [1, Number.NaN],
        [1, 0],
      ],
    }),
  ).toBe('non-finite');
  expect(add({ circle: 1 }, { mass: 0 })).toBe('bad-argument');
  expect(add({ circle: 1 }, { pose: [0, 0] })).toBe('bad-argument');
  expect(add({ circle: 1 }, { path: [] })).toBe('bad-argument');
  expect(codeOf(() => new PlaneWorld({ method: 'magic' as never }))).toBe('bad-argument');
  const body = w.addBody({ shape: { circle: 1 } });
  expect(codeOf(() => w.addJoint({ type: 'pin', bodyA: body, bodyB: body, at: [0, 0] }))).toBe('bad-argument');
  expect(codeOf(() => w.addJoint({ type: 'slider', bodyA: body, at: [0, 0] }))).toBe('bad-argument');
  expect(w.bodies).toEqual([body]);
});
