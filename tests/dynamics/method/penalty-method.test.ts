import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { PenaltyMethod } from '../../../src/dynamics/published/penalty-method.js';
import { dampingRatio, restitutionOf } from '../../../src/dynamics/published/spring-law.js';
import { CollisionShape } from '../../../src/manifold/shape/collision-shape.js';
import { findModel } from '../../../src/models/catalogue.js';
import { letters } from '../../../src/models/letters/letters.js';
import { boxMesh } from '../../generators/surfaces.js';
import { addBody, MeetingPairs } from '../overlap/tangles.js';
import { createSmallWorld } from './small-world.js';

const DT = 1 / 60;
const G = [0, -9.81, 0];

describe('the spring law', () => {
  test('has the restitution that small steps through a collision give', () => {
    for (const ratio of [0.05, 0.3, 0.7, 0.8, 1, 1.4, 3]) {
      // The depth x of a unit mass on a spring of unit stiffness that is hit at unit speed.
      let x = 0;
      let v = 1;
      const h = 1e-4;
      for (let step = 0; step < 1e6; step++) {
        const force = x + 2 * ratio * v;
        if (force <= 0) break;
        v -= h * force;
        x += h * v;
      }
      expect(restitutionOf(ratio)).toBeCloseTo(-v, 3);
      expect(dampingRatio(restitutionOf(ratio))).toBeCloseTo(ratio, 6);
    }
    expect(dampingRatio(1)).toBe(0);
    expect(restitutionOf(dampingRatio(0))).toBeLessThan(0.02);
  });
});

describe('collisions', () => {
  test('two balls exchange their speeds, and keep momentum to rounding', () => {
    const world = createSmallWorld([0, 0, 0], 64);
    const ball = CollisionShape.ball(0.1);
    const { bodies } = world;
    const a = addBody(bodies, ball, [-0.5, 0, 0, 0, 0, 0, 1]);
    const b = addBody(bodies, ball, [0.3, 0.05, 0, 0, 0, 0, 1]);
    bodies.velocity[3 * a] = 2;
    for (const i of [a, b]) {
      bodies.restitution[i] = 1;
      bodies.friction[i] = 0;
    }
    const method = new PenaltyMethod(world);
    const { linear, angular } = world.momentum();
    const energy = world.energy();
    for (let step = 0; step < 60; step++) {
      method.step(DT);
      const now = world.momentum();
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(now.linear[k] - linear[k])).toBeLessThan(1e-12);
        expect(Math.abs(now.angular[k] - angular[k])).toBeLessThan(1e-12);
      }
    }
    // Along the line of centers at the touch, sin = 0.05 / 0.2.
    const sin = 0.25;
    expect(Math.abs(world.energy() / energy - 1)).toBeLessThan(0.01);
    expect(Math.hypot(bodies.velocity[3 * b], bodies.velocity[3 * b + 1])).toBeCloseTo(2 * Math.sqrt(1 - sin * sin), 1);
  });

  test('a ball bounces as high as its restitution says, within 6 %', () => {
    for (const e of [1, 0.8, 0.5]) {
      const world = createSmallWorld(G, 32);
      const { bodies } = world;
      addBody(bodies, CollisionShape.solid(boxMesh([-2, -1, -2], [2, 0, 2])), [0, 0, 0, 0, 0, 0, 1], true);
      const ball = addBody(bodies, CollisionShape.ball(0.1), [0, 1.1, 0, 0, 0, 0, 1]);
      bodies.restitution[ball] = e;
      const method = new PenaltyMethod(world);
      let highest = 0;
      let fell = false;
      for (let step = 0; step < 120; step++) {
        method.step(DT);
        if (bodies.velocity[3 * ball + 1] > 0) fell = true;
        if (fell) highest = Math.max(highest, bodies.center[3 * ball + 1] - 0.1);
        if (fell && bodies.velocity[3 * ball + 1] < 0) break;
      }
      expect(highest / (e * e), `restitution ${e}`).toBeGreaterThan(0.94);
      expect(highest / (e * e), `restitution ${e}`).toBeLessThan(1.06);
    }
  });
});

describe('rest', () => {
  test('a box comes to rest flat on the floor and stays', () => {
    const world = createSmallWorld(G);
    const { bodies } = world;
    addBody(bodies, CollisionShape.solid(boxMesh([-2, -1, -2], [2, 0, 2])), [0, 0, 0, 0, 0, 0, 1], true);
    const box = addBody(bodies, CollisionShape.solid(boxMesh([-0.2, -0.1, -0.2], [0.2, 0.1, 0.2])), [
      ...[0, 0.3, 0, 0.1, 0, 0.05, Math.sqrt(1 - 0.01 - 0.0025)],
    ]);
    const method = new PenaltyMethod(world);
    let most = world.energy();
    for (let step = 0; step < 300; step++) {
      method.step(DT);
      const energy = world.energy() + method.energy;
      expect(energy).toBeLessThanOrEqual(most * (1 + 0.02) + 1e-9);
      most = Math.min(most, energy);
    }
    expect(world.kinetic()).toBeLessThan(1e-4);
    expect(bodies.center[3 * box + 1]).toBeGreaterThan(0.0985);
    expect(bodies.center[3 * box + 1]).toBeLessThan(0.1001);
    const start = bodies.center.slice();
    for (let step = 0; step < 120; step++) method.step(DT);
    for (let k = 0; k < 3; k++) expect(Math.abs(bodies.center[3 * box + k] - start[3 * box + k])).toBeLessThan(1e-3);
  });

  test('friction holds a box on a slope below the friction angle, and not above it', () => {
    for (const [mu, slides] of [
      [0.7, false],
      [0.4, true],
    ] as const) {
      // Gravity is turned by 30 degrees: tan = 0.577.
      const world = createSmallWorld([9.81 * 0.5, -9.81 * Math.cos(Math.PI / 6), 0]);
      const { bodies } = world;
      const floor = addBody(
        bodies,
        CollisionShape.solid(boxMesh([-9, -1, -9], [9, 0, 9])),
        [0, 0, 0, 0, 0, 0, 1],
        true,
      );
      const box = addBody(
        bodies,
        CollisionShape.solid(boxMesh([-0.2, -0.1, -0.2], [0.2, 0.1, 0.2])),
        [0, 0.1, 0, 0, 0, 0, 1],
      );
      bodies.friction[floor] = bodies.friction[box] = mu;
      const method = new PenaltyMethod(world);
      for (let step = 0; step < 60; step++) method.step(DT);
      const way = bodies.center[3 * box];
      const expected = 0.5 * 9.81 * (0.5 - mu * Math.cos(Math.PI / 6));
      if (slides) expect(Math.abs(way / expected - 1)).toBeLessThan(0.05);
      else expect(way).toBeLessThan(0.02);
    }
  });
});

describe('deep starts', () => {
  test('interlocked tori part at a bounded speed', () => {
    const world = createSmallWorld();
    const { bodies } = world;
    const torus = CollisionShape.solid(findModel('torus').build({ majorSegments: 20, minorSegments: 10 }));
    addBody(bodies, torus, [0, 0, 0, 0, 0, 0, 1]);
    addBody(bodies, torus, [0.7, 0, 0.1, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    const method = new PenaltyMethod(world);
    const meeting = new MeetingPairs(bodies);
    const mass = bodies.mass[0] + bodies.mass[1];
    for (let step = 0; step < 300 && meeting.update() > 0; step++) {
      method.step(DT);
      // At most 1 m/s between them along the way out, and what turning takes.
      expect(world.kinetic()).toBeLessThan(0.5 * mass);
      expect(Math.hypot(...world.momentum().linear)).toBeLessThan(1e-9 * mass);
      expect(Math.hypot(...world.momentum().angular)).toBeLessThan(1e-9 * mass);
    }
    expect(meeting.update()).toBe(0);
  });

  test('random overlaps of letters part without more than the stated energy', () => {
    const random = createRandom(11);
    const shapes = [0, 7, 18].map((i) => CollisionShape.solid(letters[i].build({})));
    for (let i = 0; i < 6; i++) {
      const world = createSmallWorld();
      const { bodies } = world;
      for (let k = 0; k < 2; k++) {
        const at = [0, 1, 2].map(() => random.range(-0.25, 0.25));
        addBody(bodies, shapes[random.integer(3)], [...at, ...random.rotation()]);
      }
      const method = new PenaltyMethod(world);
      const meeting = new MeetingPairs(bodies);
      const mass = bodies.mass[0] + bodies.mass[1];
      for (let step = 0; step < 300 && meeting.update() > 0; step++) {
        method.step(DT);
        expect(world.kinetic()).toBeLessThan(0.5 * mass);
      }
      expect(meeting.update(), `case ${i}`).toBe(0);
    }
  });
});
