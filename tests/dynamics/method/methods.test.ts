// What every method must do, and what those that answer impacts at their times do besides.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { DYNAMICS_METHODS, type DynamicsMethod, RigidWorld } from '../../../src/dynamics/index.js';
import { findModel } from '../../../src/models/catalogue.js';
import { letters } from '../../../src/models/letters/letters.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';

const AT_THEIR_TIMES: readonly DynamicsMethod[] = ['time-of-contact', 'backtracking'];

describe.each(DYNAMICS_METHODS)('%s', (method) => {
  test('momentum is kept to rounding while bodies collide in free space', () => {
    const random = createRandom(3);
    const world = new RigidWorld({ method, gravity: [0, 0, 0] });
    for (let i = 0; i < 6; i++) {
      const [x, y, z] = random.direction();
      world.addBody({
        shape: i % 2 === 0 ? { sphere: 0.2 } : { box: [0.3, 0.4, 0.2] },
        pose: [1.2 * x, 1.2 * y, 1.2 * z, ...random.rotation()],
        velocity: [-2 * x, -2 * y, -2 * z],
        angularVelocity: random.direction(),
        restitution: 0.5,
      });
    }
    const { linear, angular } = world.momentum();
    const energy = world.energy().kinetic;
    const mass = 6 * 50;
    for (let step = 0; step < 60; step++) {
      world.step();
      const now = world.momentum();
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(now.linear[k] - linear[k])).toBeLessThan(1e-11 * mass);
        expect(Math.abs(now.angular[k] - angular[k])).toBeLessThan(1e-11 * mass);
      }
      expect(world.energy().kinetic).toBeLessThan(energy * (method === 'penalty' ? 1.025 : 1 + 1e-6));
    }
    // They did collide.
    expect(world.energy().kinetic).toBeLessThan(0.9 * energy);
  });

  test('a stack of boxes comes to rest, and stays', () => {
    const world = new RigidWorld({ method });
    world.addBody({ shape: { box: [10, 1, 10] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
    const boxes = [0, 1, 2].map((k) =>
      world.addBody({ shape: { box: [0.4, 0.2, 0.4] }, pose: [0, 0.1 + 0.205 * k, 0, 0, 0, 0, 1] }),
    );
    const energy = world.energy().total;
    for (let step = 0; step < 120; step++) {
      world.step();
      expect(world.energy().total).toBeLessThan(energy * (1 + 1e-3));
    }
    const heights = boxes.map((box) => world.centerOf(box)[1]);
    const slack = method === 'penalty' ? 5e-3 : 5e-4;
    heights.forEach((height, k) => {
      expect(Math.abs(height - 0.1 - 0.2 * k)).toBeLessThan(slack * (k + 1));
    });
    for (let step = 0; step < 60; step++) world.step();
    boxes.forEach((box, k) => {
      expect(Math.abs(world.centerOf(box)[1] - heights[k])).toBeLessThan(1e-4);
      // Springs let a stack creep: their friction only slows it down.
      const creep = method === 'penalty' ? 0.015 : 1e-3;
      expect(Math.hypot(world.centerOf(box)[0], world.centerOf(box)[2])).toBeLessThan(creep);
    });
  });

  test('the same input gives the same bits', () => {
    const run = (): Float64Array => {
      const world = new RigidWorld({ method });
      world.addBody({ shape: { box: [4, 1, 4] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
      for (let i = 0; i < 3; i++) {
        world.addBody({
          shape: { box: [0.3, 0.2, 0.4] },
          pose: [0.1 * i, 0.4 + 0.4 * i, 0, 0.1, 0, 0, Math.sqrt(0.99)],
          restitution: 0.3,
        });
      }
      for (let step = 0; step < 40; step++) world.step();
      return world.readPoses();
    };
    expect(run()).toEqual(run());
  });
});

describe.each(AT_THEIR_TIMES)('%s', (method) => {
  test('ten bounces are as high as the restitution says', () => {
    for (const [e, tolerance] of [
      [1, 1e-9],
      [0.8, 2e-4],
    ] as const) {
      const world = new RigidWorld({ method });
      world.addBody({ shape: { box: [10, 1, 10] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
      const ball = world.addBody({ shape: { sphere: 0.1 }, pose: [0, 1.1, 0, 0, 0, 0, 1], restitution: e });
      let bounces = 0;
      let last = 0;
      for (let step = 0; step < 900 && bounces < 10; step++) {
        world.step();
        const speed = world.velocityOf(ball)[1];
        if (last > 0 && speed <= 0) {
          // The height of the top, from what is left of the flight.
          const top = world.centerOf(ball)[1] - 0.1 + speed ** 2 / (2 * 9.81);
          bounces++;
          expect(Math.abs(top / e ** (2 * bounces) - 1), `bounce ${bounces}`).toBeLessThan(tolerance);
        }
        last = speed;
      }
      expect(bounces).toBe(10);
    }
  });

  test('balls collide as the closed form says', () => {
    const world = new RigidWorld({ method, gravity: [0, 0, 0] });
    const common = { restitution: 1, friction: 0 };
    const a = world.addBody({
      ...{ ...common, shape: { sphere: 0.1 }, pose: [-1, 0, 0, 0, 0, 0, 1], velocity: [3, 0, 0], mass: 1 },
    });
    const b = world.addBody({ ...common, shape: { sphere: 0.2 }, pose: [0, 0.1, 0, 0, 0, 0, 1], mass: 2 });
    for (let step = 0; step < 60; step++) world.step();
    // The line of centers at the touch has the sine 0.1 / 0.3.
    const cos = Math.sqrt(8) / 3;
    const blow = (2 * 2 * 3 * cos) / 3;
    const expected = [3 - blow * cos, -blow / 3];
    for (let k = 0; k < 2; k++) expect(world.velocityOf(a)[k]).toBeCloseTo(expected[k], 4);
    expect(world.velocityOf(b)[0]).toBeCloseTo((blow * cos) / 2, 4);
    expect(world.energy().kinetic).toBeCloseTo(4.5, 9);
  });

  test("Newton's cradle: one ball comes, one leaves, the others stay", () => {
    const world = new RigidWorld({ method });
    const balls = [0, 1, 2, 3, 4].map((i) => {
      const angle = i === 0 ? -0.5 : 0;
      const x = 0.2 * i;
      const ball = world.addBody({
        ...{ shape: { sphere: 0.1 }, pose: [x + Math.sin(angle), 1 - Math.cos(angle), 0, 0, 0, 0, 1] },
        ...{ restitution: 1, friction: 0 },
      });
      world.addJoint({ type: 'ball', bodyA: ball, at: [x, 1, 0] });
      return ball;
    });
    const energy = world.energy().total;
    // Two periods of a pendulum of length 1, from the side of the first ball to that side again.
    let most = 0;
    for (let step = 0; step < 250; step++) {
      world.step();
      for (const i of [1, 2, 3]) most = Math.max(most, Math.abs(world.centerOf(balls[i])[0] - 0.2 * i));
      expect(Math.abs(world.energy().total - energy)).toBeLessThan(1e-3);
    }
    expect(most).toBeLessThan(1e-4);
  });
});

describe.each(['auto', ...AT_THEIR_TIMES] as const)('%s', (method) => {
  test('bullets do not pass through thin plates', () => {
    const random = createRandom(8);
    for (let i = 0; i < 6; i++) {
      const world = new RigidWorld({ method });
      world.addBody({ shape: { box: [0.002, 20, 20] }, fixed: true });
      const speed = 10 ** random.range(1, 3);
      const bullet = world.addBody({
        shape: i % 2 === 0 ? { sphere: 0.01 } : { box: [0.02, 0.01, 0.03] },
        pose: [-1, 0, 0, ...random.rotation()],
        velocity: [speed, 0.2 * speed * random.normal(), 0],
        angularVelocity: [random.normal() * 100, random.normal() * 100, random.normal() * 100],
        restitution: random.next(),
      });
      const steps = Math.ceil(90 / speed) + 2;
      for (let step = 0; step < steps; step++) world.step();
      expect(world.centerOf(bullet)[0], `shot ${i} at ${speed} m/s`).toBeLessThan(0);
    }
  });
});

test('backtracking: dropped models never overlap', () => {
  const random = createRandom(12);
  const meshes = [
    letters[0].build({}),
    letters[18].build({}),
    findModel('torus').build({ majorSegments: 10, minorSegments: 6 }),
  ];
  const floor = new ProximityModel(findModel('box').build({ width: 6, height: 1, depth: 6 }));
  const world = new RigidWorld({ method: 'backtracking' });
  const floorBody = world.addBody({ shape: { mesh: floor.mesh }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true });
  const bodies = meshes.map((mesh, i) => {
    const pose = [0.2 * i, 1 + 1.2 * i, 0.1 * i, ...random.rotation()];
    return { body: world.addBody({ shape: { mesh }, pose, restitution: 0.3 }), model: new ProximityModel(mesh) };
  });
  const all = [{ body: floorBody, model: floor }, ...bodies];
  const pairs = all.flatMap((p, i) => all.slice(i + 1).map((q) => ({ p, q, pair: new Pair(p.model, q.model) })));
  for (let step = 0; step < 60; step++) {
    world.step();
    for (const { p, q, pair } of pairs) {
      expect(pair.intersects(world.poseOf(p.body), world.poseOf(q.body)).intersects).toBe(false);
    }
  }
});
