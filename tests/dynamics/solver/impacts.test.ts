// Impacts that bounce, against closed forms.
import { expect, test } from 'vitest';
import { RigidWorld } from '../../../src/dynamics/index.js';

const G = 9.81;

/** The height at a time of a point that falls from 1 m and bounces. */
function heightAt(time: number, restitution: number): number {
  const fall = Math.sqrt(2 / G);
  if (time < fall) return 1 - (G * time * time) / 2;
  let left = time - fall;
  for (let speed = restitution * G * fall; speed > 1e-6; speed *= restitution) {
    const flight = (2 * speed) / G;
    if (left < flight) return speed * left - (G * left * left) / 2;
    left -= flight;
  }
  return 0;
}

test.each([0.5, 0.8, 1])('a ball with restitution %f follows its parabolas through all bounces', (restitution) => {
  const world = new RigidWorld();
  world.addBody({ shape: { box: [10, 1, 10] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true, restitution });
  const ball = world.addBody({ shape: { sphere: 0.1 }, pose: [0, 1.1, 0, 0, 0, 0, 1], restitution });
  for (let step = 1; step <= 360; step++) {
    world.step();
    expect(Math.abs(world.centerOf(ball)[1] - 0.1 - heightAt(step / 60, restitution))).toBeLessThan(3e-4);
  }
  if (restitution === 1) expect(world.energy().total / (world.massOf(ball) * G)).toBeCloseTo(1.1, 10);
  else expect(world.velocityOf(ball)[1]).toBeLessThan(0.3);
});

test('a box that lands flat bounces flat', () => {
  const world = new RigidWorld();
  world.addBody({ shape: { box: [10, 1, 10] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const box = world.addBody({ shape: { box: [1, 0.5, 1] }, pose: [0, 1.25, 0, 0, 0, 0, 1], restitution: 0.7 });
  let top = 0;
  for (let step = 1; step <= 60; step++) {
    world.step();
    if (step > 30) top = Math.max(top, world.centerOf(box)[1] - 0.25);
    expect(Math.hypot(...world.angularVelocityOf(box))).toBeLessThan(1e-6);
  }
  // Seen at steps of 1/60 s only.
  expect(top).toBeGreaterThan(0.49 - 1e-3);
  expect(top).toBeLessThan(0.49 + 1e-4);
});

test('two elastic balls part as momentum and energy say', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const common = { restitution: 1, friction: 0 };
  const start = { a: [-2, 0.3, 0], b: [0, 0, 0], va: [3, 0, 0], vb: [-0.5, 0, 0.1] };
  const a = world.addBody({
    ...common,
    shape: { sphere: 0.5 },
    mass: 2,
    pose: [...start.a, 0, 0, 0, 1],
    velocity: start.va,
  });
  const b = world.addBody({
    ...common,
    shape: { sphere: 0.25 },
    mass: 1,
    pose: [...start.b, 0, 0, 0, 1],
    velocity: start.vb,
  });
  const energy = world.energy().kinetic;
  for (let step = 0; step < 60; step++) world.step();
  const apart = start.b.map((value, k) => value - start.a[k]);
  const speed = start.vb.map((value, k) => value - start.va[k]);
  const [p, q, r] = [dot(speed, speed), dot(apart, speed), dot(apart, apart) - 0.75 ** 2];
  const time = (-q - Math.sqrt(q * q - p * r)) / p;
  const normal = apart.map((value, k) => (value + time * speed[k]) / 0.75);
  const impulse = (-2 * dot(speed, normal)) / (1 / 2 + 1);
  for (let k = 0; k < 3; k++) {
    expect(Math.abs(world.velocityOf(a)[k] - (start.va[k] - (impulse / 2) * normal[k]))).toBeLessThan(1e-4);
    expect(Math.abs(world.velocityOf(b)[k] - (start.vb[k] + impulse * normal[k]))).toBeLessThan(1e-4);
  }
  expect(world.energy().kinetic / energy).toBeCloseTo(1, 12);
});

test("in Newton's cradle only the outer balls swing", () => {
  const world = new RigidWorld();
  const radius = 0.1;
  const start = -0.8;
  const hinges = [0, 1, 2, 3, 4].map((k) => {
    const angle = k === 0 ? start : 0;
    const pose = [
      2 * radius * k + Math.sin(angle),
      -Math.cos(angle),
      0,
      0,
      0,
      Math.sin(angle / 2),
      Math.cos(angle / 2),
    ];
    const ball = world.addBody({ shape: { sphere: radius }, pose, restitution: 1, friction: 0 });
    return world.addJoint({ type: 'hinge', bodyA: ball, at: [2 * radius * k, 0, 0] });
  });
  const { total } = world.energy();
  let highest = 0;
  for (let step = 0; step < 300; step++) {
    world.step();
    for (const middle of hinges.slice(1, 4)) expect(Math.abs(world.jointPosition(middle))).toBeLessThan(1e-3);
    highest = Math.max(highest, world.jointPosition(hinges[4]));
  }
  expect(Math.abs(highest + start)).toBeLessThan(1e-3);
  expect(Math.abs(world.energy().total - total)).toBeLessThan(1e-4 * world.massOf(0));
});

test('overlapping bodies part slowly and come to rest', () => {
  const world = new RigidWorld({ gravity: [0, 0, 0] });
  const [a, b] = [0, 0.6].map((x) => world.addBody({ shape: { box: [1, 1, 1] }, pose: [x, 0.1 * x, 0, 0, 0, 0, 1] }));
  let fastest = 0;
  for (let step = 0; step < 120; step++) {
    world.step();
    fastest = Math.max(fastest, Math.hypot(...world.velocityOf(a)), Math.hypot(...world.velocityOf(b)));
  }
  // An overlap of 2e-4 of the radius may fall asleep.
  expect(world.centerOf(b)[0] - world.centerOf(a)[0]).toBeGreaterThan(1 - 2e-4);
  expect(world.centerOf(b)[0] - world.centerOf(a)[0]).toBeLessThan(1.02);
  expect(fastest).toBeLessThan(1e-3);
});

function dot(u: readonly number[], v: readonly number[]): number {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}
