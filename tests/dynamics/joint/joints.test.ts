// Joints against closed forms.
import { describe, expect, test } from 'vitest';
import { pose } from '../../../src/core/index.js';
import { RigidWorld } from '../../../src/dynamics/index.js';

const G = 9.81;

/** The arithmetic–geometric mean. */
function agm(a: number, b: number): number {
  for (let k = 0; k < 20; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return a;
}

describe('a rod on a hinge', () => {
  /** A rod of 1 m that hangs on its end, turned by an angle about z. */
  function swing(angle: number): { world: RigidWorld; rod: number; hinge: number } {
    const world = new RigidWorld();
    const pose = [0.5 * Math.sin(angle), -0.5 * Math.cos(angle), 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const rod = world.addBody({ shape: { box: [0.1, 1, 0.1] }, pose });
    const hinge = world.addJoint({ type: 'hinge', bodyA: rod, at: [0, 0, 0] });
    return { world, rod, hinge };
  }

  test.each([0.1, 1, 2.5])('swings with the period of the elliptic integral and keeps its energy: %f', (angle) => {
    const { world, rod, hinge } = swing(angle);
    const inertia = (1 + 0.01) / 12 + 0.25;
    const period = (2 * Math.PI) / Math.sqrt((G * 0.5) / inertia) / agm(1, Math.cos(angle / 2));
    const energy = world.energy().total;
    const passages: number[] = [];
    let last = angle;
    for (let step = 1; step <= 1800; step++) {
      world.step();
      const now = angle + world.jointPosition(hinge);
      if (last > 0 && now <= 0) passages.push(step - 1 + last / (last - now));
      last = now;
      expect(Math.abs(world.energy().total - energy)).toBeLessThan(1e-4 * world.massOf(rod) * G * 0.5);
    }
    const measured = ((passages[passages.length - 1] - passages[0]) / (passages.length - 1)) * world.timestep;
    expect(Math.abs(measured / period - 1)).toBeLessThan(2e-5);
    const [x, y, z, qx, qy, qz, qw] = world.poseOf(rod);
    // The end of the rod stays on the hinge.
    const end = [x - qw * qz, y + 0.5 * (1 - 2 * qz * qz), z + qx + qy];
    expect(Math.hypot(...end)).toBeLessThan(1e-5);
  });

  test('is driven by its motor at its speed, within its strength', () => {
    const { world, hinge } = swing(0);
    world.setMotor(hinge, { speed: 2 });
    for (let step = 0; step < 60; step++) world.step();
    expect(world.jointPosition(hinge)).toBeCloseTo(2, 6);
    // Too weak to hold the rod beyond sin(angle) = torque / weight; its swing carries it 0.2 / 3.8 farther.
    const weak = swing(0);
    const torque = weak.world.massOf(weak.rod) * G * 0.5 * Math.sin(0.5);
    weak.world.setMotor(weak.hinge, { speed: 0.2, strength: torque });
    for (let step = 0; step < 600; step++) weak.world.step();
    expect(weak.world.jointPosition(weak.hinge)).toBeGreaterThan(0.4);
    expect(weak.world.jointPosition(weak.hinge)).toBeLessThan(0.56);
  });

  test('stops at its limits', () => {
    const world = new RigidWorld();
    const rod = world.addBody({ shape: { box: [1, 0.1, 0.1] }, pose: [0.5, 0, 0, 0, 0, 0, 1] });
    const hinge = world.addJoint({ type: 'pin', bodyA: rod, at: [0, 0, 0], axis: [0, 0, 1], limits: [-0.4, 0.3] });
    let least = 0;
    for (let step = 0; step < 120; step++) {
      world.step();
      least = Math.min(least, world.jointPosition(hinge));
    }
    expect(least).toBeGreaterThan(-0.4 - 1e-6);
    expect(world.jointPosition(hinge)).toBeCloseTo(-0.4, 6);
    expect(Math.hypot(...world.angularVelocityOf(rod))).toBeLessThan(1e-9);
    world.setMotor(hinge, { speed: 5 });
    for (let step = 0; step < 60; step++) world.step();
    expect(world.jointPosition(hinge)).toBeCloseTo(0.3, 6);
  });
});

test('a body on a ball joint keeps its energy, and its momentum about the vertical', () => {
  const world = new RigidWorld();
  const body = world.addBody({
    shape: { box: [0.3, 1, 0.2] },
    pose: [0, -0.7, 0, 0, 0, 0, 1],
    velocity: [1.05, 0, 1.4],
    angularVelocity: [-2, 3, 1.5],
  });
  world.addJoint({ type: 'ball', bodyA: body, at: [0, 0, 0] });
  const { total } = world.energy();
  const spin = world.momentum().angular[1];
  for (let step = 0; step < 600; step++) {
    world.step();
    expect(Math.abs(world.energy().total - total)).toBeLessThan(1e-4 * world.massOf(body));
    expect(Math.abs(world.momentum().angular[1] - spin)).toBeLessThan(1e-8 * world.massOf(body));
  }
});

test('a slider falls freely along its axis, keeps off it, and stops at its limit', () => {
  const world = new RigidWorld();
  const body = world.addBody({ shape: { box: [1, 0.4, 0.2] }, pose: [2, 0, 0, 0, 0, 0, 1] });
  const axis = [0.6, -0.8, 0];
  const slider = world.addJoint({ type: 'slider', bodyA: body, at: [2.3, 0.1, 0], axis, limits: [0, 1.5] });
  for (let step = 0; step < 36; step++) world.step();
  expect(world.jointPosition(slider)).toBeCloseTo(0.5 * 0.8 * G * 0.36, 8);
  for (let step = 0; step < 60; step++) world.step();
  expect(world.jointPosition(slider)).toBeCloseTo(1.5, 6);
  const [x, y, z, qx, qy, qz] = world.poseOf(body);
  expect(Math.hypot(x - 2 - 0.9, y + 1.2, z)).toBeLessThan(1e-6);
  expect(Math.hypot(qx, qy, qz)).toBeLessThan(1e-8);
});

test('bodies held together by a fixed joint and a hinge move as one, and keep their momentum', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const [a, b, c] = [0, 1, 2].map((k) =>
    world.addBody({ shape: { box: [0.9, 0.5, 0.4] }, pose: [k, 0, 0, 0, 0, 0, 1], angularVelocity: [0, 0.5 * k, 1] }),
  );
  world.addJoint({ type: 'fixed', bodyA: b, bodyB: a, at: [0.5, 0, 0] });
  world.addJoint({ type: 'hinge', bodyA: c, bodyB: b, at: [1.5, 0, 0], axis: [0, 1, 0] });
  world.step();
  const start = world.momentum();
  const energy = world.energy().kinetic;
  for (let step = 0; step < 300; step++) world.step();
  const end = world.momentum();
  for (let k = 0; k < 3; k++) {
    expect(Math.abs(end.linear[k] - start.linear[k])).toBeLessThan(1e-10 * world.massOf(a));
    expect(Math.abs(end.angular[k] - start.angular[k])).toBeLessThan(1e-9 * world.massOf(a));
  }
  expect(Math.abs(world.energy().kinetic / energy - 1)).toBeLessThan(1e-4);
  const [p, q] = [world.poseOf(a), world.poseOf(b)];
  for (let k = 3; k < 7; k++) expect(q[k]).toBeCloseTo(p[k], 6);
});

test('a grab carries a body to a point and lets go', () => {
  const world = new RigidWorld();
  world.addBody({ shape: { box: [20, 1, 20] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const box = world.addBody({ shape: { box: [1, 1, 1] }, pose: [0, 0.5, 0, 0, 0, 0, 1] });
  for (let step = 0; step < 90; step++) world.step();
  expect(world.isAsleep(box)).toBe(true);
  const grab = world.grab(box, [0, 1, 0]);
  grab.moveTo([2, 3, 0]);
  for (let step = 0; step < 240; step++) world.step();
  const [x, y] = pose.transformPoint(world.poseOf(box), [0, 0.5, 0]);
  // The spring gives way by g / ω² under the weight, and the box still swings a little.
  expect(Math.abs(x - 2)).toBeLessThan(0.02);
  expect(Math.abs(y - 3)).toBeLessThan(0.03);
  grab.release();
  for (let step = 0; step < 120; step++) world.step();
  expect(world.centerOf(box)[1]).toBeCloseTo(0.5, 2);
});
