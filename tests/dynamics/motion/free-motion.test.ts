// Motion without contacts against closed forms and against Euler's equations integrated finely.
import { expect, test } from 'vitest';
import { RigidWorld } from '../../../src/dynamics/index.js';
import { freeTop } from './free-top.js';

const G = 9.81;

test('free fall is the parabola at every step, whatever the step', () => {
  for (const timestep of [1 / 10, 1 / 60, 1 / 240]) {
    const world = new RigidWorld({ timestep });
    const ball = world.addBody({ shape: { sphere: 0.3 }, pose: [1, 20, -2, 0, 0, 0, 1], velocity: [1.5, 3, -0.25] });
    const box = world.addBody({ shape: { box: [1, 2, 3] }, angularVelocity: [1, 2, 3] });
    for (let step = 1; step * timestep <= 3 + 1e-9; step++) {
      world.step();
      const t = step * timestep;
      const expected = [1 + 1.5 * t, 20 + 3 * t - (G * t * t) / 2, -2 - 0.25 * t];
      world.centerOf(ball).forEach((value, k) => void expect(Math.abs(value - expected[k])).toBeLessThan(1e-11));
      expect(Math.abs(world.centerOf(box)[1] + (G * t * t) / 2)).toBeLessThan(1e-11);
      expect(Math.abs(world.velocityOf(ball)[1] - (3 - G * t))).toBeLessThan(1e-11);
    }
  }
});

test('a steady force and torque give exact positions and an exact turn about a principal axis', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const box = world.addBody({ shape: { box: [1, 1, 2] }, mass: 3 });
  // ω = τ t / I with I = m (1² + 1²) / 12 about z.
  for (let step = 0; step < 60; step++) {
    world.applyForce(box, [6, 0, 0]);
    world.applyForce(box, [0, 0.5, 0], [world.centerOf(box)[0] + 1, 0, 0]);
    world.applyForce(box, [0, -0.5, 0]);
    world.step();
  }
  expect(world.centerOf(box)[0]).toBeCloseTo(1, 12);
  expect(world.angularVelocityOf(box)[2]).toBeCloseTo(1, 12);
  expect(2 * Math.atan2(world.poseOf(box)[5], world.poseOf(box)[6])).toBeCloseTo(0.5, 12);
});

test('a symmetric top precesses as its closed form does', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const top = world.addBody({ shape: { box: [0.4, 0.4, 1] }, mass: 2, angularVelocity: [3, 0, 40] });
  const across = (2 * (0.4 ** 2 + 1)) / 12;
  const along = (2 * 2 * 0.4 ** 2) / 12;
  const momentum = [3 * across, 0, 40 * along];
  const size = Math.hypot(...momentum);
  for (let step = 1; step <= 600; step++) {
    world.step();
    // The axis goes round the momentum at |L| / I.
    const angle = (size / across) * step * world.timestep;
    const l = momentum.map((value) => value / size);
    const axis = turnAbout(l, [0, 0, 1], angle);
    const [, , , x, y, z, w] = world.poseOf(top);
    const seen = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
    for (let k = 0; k < 3; k++) expect(Math.abs(seen[k] - axis[k])).toBeLessThan(1e-10);
    world.momentum().angular.forEach((value, k) => void expect(Math.abs(value - momentum[k])).toBeLessThan(1e-11));
  }
});

test('a box flips about its intermediate axis when Euler says so, and keeps energy and momentum', () => {
  const sides = [0.3, 1, 0.6];
  const spin: [number, number, number] = [0.01, 0.02, 8];
  const mass = 5;
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const box = world.addBody({ shape: { box: sides }, mass, angularVelocity: spin });
  const moments = [0, 1, 2].map((k) => (mass * (sides[(k + 1) % 3] ** 2 + sides[(k + 2) % 3] ** 2)) / 12);
  const start = world.momentum().angular;
  const energy = world.energy().kinetic;
  let worstTurn = 0;
  let flips = 0;
  let side = 1;
  for (let step = 1; step <= 600; step++) {
    world.step();
    const [, , , x, y, z, w] = world.poseOf(box);
    const up = 1 - 2 * (x * x + y * y);
    if (up * side < -0.9) {
      flips++;
      side = -side;
    }
    world.momentum().angular.forEach((value, k) => void expect(Math.abs(value - start[k])).toBeLessThan(1e-11));
    expect(Math.abs(world.energy().kinetic / energy - 1)).toBeLessThan(1e-7);
    if (step % 60 !== 0) continue;
    const expected = freeTop(moments, spin, step * world.timestep);
    const dot = Math.abs(x * expected[0] + y * expected[1] + z * expected[2] + w * expected[3]);
    worstTurn = Math.max(worstTurn, 2 * Math.acos(Math.min(1, dot)));
  }
  expect(flips).toBe(3);
  expect(worstTurn).toBeLessThan(1e-4);
});

test('the splitting is of order 4 where the turn in a step is large', () => {
  const errors = [4, 8].map((substeps) => {
    const world = new RigidWorld({ gravity: [0, 0, 0], substeps, timestep: 1 / 8 });
    const box = world.addBody({ shape: { box: [0.3, 1, 0.6] }, mass: 5, angularVelocity: [4, 3, 5] });
    for (let step = 0; step < 8; step++) world.step();
    const moments = [1.36, 0.45, 1.09].map((value) => (value * 5) / 12);
    const expected = freeTop(moments, [4, 3, 5], 1);
    const pose = world.poseOf(box);
    return Math.hypot(...[0, 1, 2, 3].map((k) => pose[3 + k] - Math.sign(pose[6] * expected[3]) * expected[k]));
  });
  expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(3.6);
  expect(errors[1]).toBeLessThan(1e-5);
});

test('a body on a path is where its keyframes say, with the velocity of the way there', () => {
  const world = new RigidWorld({ timestep: 1 / 50 });
  const half = Math.PI / 4;
  const gate = world.addBody({
    shape: { box: [1, 1, 1] },
    path: [
      { time: 0, pose: [0, 0, 0, 0, 0, 0, 1] },
      { time: 1, pose: [2, 0, 0, 0, 0, Math.sin(half), Math.cos(half)] },
    ],
  });
  for (let step = 1; step <= 75; step++) {
    world.step();
    const t = Math.min(1, step / 50);
    const pose = world.poseOf(gate);
    expect(pose[0]).toBeCloseTo(2 * t, 13);
    expect(pose[5]).toBeCloseTo(Math.sin(half * t), 13);
    expect(world.velocityOf(gate)[0]).toBeCloseTo(step <= 50 ? 2 : 0, 10);
    expect(world.angularVelocityOf(gate)[2]).toBeCloseTo(step <= 50 ? Math.PI / 2 : 0, 10);
  }
});

test('bodies come and go, and ids of those that went are refused', () => {
  const world = new RigidWorld();
  const ids = [0, 1, 2].map((k) => world.addBody({ shape: { sphere: 1 }, pose: [4 * k, 0, 0, 0, 0, 0, 1] }));
  expect(ids).toEqual([0, 1, 2]);
  world.removeBody(1);
  expect(() => world.poseOf(1)).toThrow('no body 1');
  const next = world.addBody({ shape: { sphere: 1 }, pose: [9, 0, 0, 0, 0, 0, 1] });
  expect(next).not.toBe(1);
  expect(() => world.poseOf(1)).toThrow('no body 1');
  expect(world.bodies).toEqual([0, next, 2]);
  expect([...world.readPoses()].filter((_, i) => i % 7 === 0)).toEqual([0, 9, 8]);
});

function turnAbout(axis: number[], v: number[], angle: number): number[] {
  const dot = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  const cross = [0, 1, 2].map((k) => axis[(k + 1) % 3] * v[(k + 2) % 3] - axis[(k + 2) % 3] * v[(k + 1) % 3]);
  return v.map((x, k) => x * Math.cos(angle) + cross[k] * Math.sin(angle) + axis[k] * dot * (1 - Math.cos(angle)));
}
