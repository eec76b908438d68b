// What every method keeps: momenta to rounding, energy; the scenes of the paper; gear trains.
import { describe, expect, test } from 'vitest';
import { PLANE_SCENES } from '../../bench/scenarios/plane-shapes.js';
import { createPlaneWorld } from '../../bench/scenarios/plane-worlds.js';
import { createRandom } from '../../src/core/random.js';
import { PLANE_METHODS } from '../../src/plane-dynamics/plane-options.js';
import { PlaneWorld } from '../../src/plane-dynamics/plane-world.js';
import { box, gear, star } from './shapes.js';

describe.each(PLANE_METHODS)('%s', (method) => {
  test('keeps linear and angular momentum to rounding through impacts, friction and joints', () => {
    const random = createRandom(5);
    const w = new PlaneWorld({ method, gravity: [0, 0], sleeping: false });
    const bodies = Array.from({ length: 12 }, (_, i) =>
      w.addBody({
        shape: i % 3 === 0 ? { circle: 0.4 } : i % 3 === 1 ? star(5, 0.25, 0.6) : box(0.8, 0.5),
        pose: [1.4 * (i % 4) - 2.1, 1.4 * Math.floor(i / 4) - 1.4, random.range(0, 6)],
        velocity: [random.range(-2, 2) - 0.8 * (1.4 * (i % 4) - 2.1), random.range(-2, 2)],
        angularVelocity: random.range(-3, 3),
        restitution: i % 2 === 0 ? 0.6 : 0,
        friction: 0.4,
      }),
    );
    w.addJoint({ type: 'pin', bodyA: bodies[0], bodyB: bodies[1], at: [-1.4, -1.4] });
    w.addJoint({
      type: 'distance',
      bodyA: bodies[4],
      bodyB: bodies[8],
      at: w.centerOf(bodies[4]),
      to: w.centerOf(bodies[8]),
    });
    w.addJoint({ type: 'slider', bodyA: bodies[10], bodyB: bodies[11], at: w.centerOf(bodies[10]), axis: [1, 0.3] });
    const start = w.momentum();
    const energy = w.energy().total;
    const scale = bodies.reduce((sum, body) => sum + w.massOf(body) * 4, 0);
    let touched = 0;
    for (let k = 0; k < 240; k++) {
      w.step();
      touched += w.counters().contacts;
      const { linear, angular } = w.momentum();
      expect(Math.abs(linear[0] - start.linear[0])).toBeLessThan(1e-11 * scale);
      expect(Math.abs(linear[1] - start.linear[1])).toBeLessThan(1e-11 * scale);
      expect(Math.abs(angular - start.angular)).toBeLessThan(1e-10 * scale);
      expect(w.energy().total).toBeLessThan(energy * (method === 'penalty' ? 1.01 : 1 + 1e-4));
    }
    expect(touched).toBeGreaterThan(20);
  });
});

describe.each(PLANE_SCENES)('the scene %s', (name) => {
  test('keeps its energy within 1 % and nothing leaves', () => {
    const { world, ids, layout } = createPlaneWorld(name);
    const start = world.energy().total;
    for (let k = 0; k < 300; k++) {
      world.step();
      expect(Math.abs(world.energy().total / start - 1)).toBeLessThan(0.01);
    }
    const [x0, y0, x1, y1] = layout.box ?? [-1, -1, 1, 1];
    for (const id of ids) {
      const [x, y] = world.centerOf(id);
      expect(x > x0 && x < x1 && y > y0 && y < y1).toBe(true);
    }
    if (name === 'cars') expect(world.worstPenetration()).toBe(0);
  });
});

test('soft bodies that start deep in each other part, and lose what the springs held', () => {
  const { world, ids } = createPlaneWorld('wavy', { overlap: true });
  const start = world.energy();
  expect(start.contact).toBeGreaterThan(1000);
  const scale = Math.sqrt(2 * start.total * world.massOf(ids[0]));
  for (let k = 0; k < 120; k++) {
    world.step();
    expect(world.energy().total).toBeLessThan(start.total * 1.001);
  }
  expect(world.contacts()).toEqual([]);
  const { linear, angular } = world.momentum();
  expect(Math.hypot(...linear)).toBeLessThan(1e-9 * scale);
  expect(Math.abs(angular)).toBeLessThan(1e-9 * scale);
});

test('a wave runs along a soft boundary at its speed', () => {
  const w = new PlaneWorld({ method: 'penalty', gravity: [0, 0], substeps: 8 });
  const count = 400;
  const ring = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [10 * Math.cos(angle), 10 * Math.sin(angle)];
  });
  const body = w.addBody({ shape: { polygon: ring, elastic: { waveSpeed: 3, frequency: 0 } }, fixed: true });
  const nodes = w.nodesOf(body).slice();
  const speeds = new Float64Array(nodes.length);
  for (let i = 0; i < count; i++) {
    // x alone moves: each component obeys the wave equation by itself.
    const s = (2 * Math.PI * 10 * (i - 100)) / count;
    const bump = 0.1 * Math.exp((-s * s) / 4.5);
    nodes[2 * i] += bump;
    speeds[2 * i] = (3 * bump * s) / 2.25;
  }
  w.setNodes(body, nodes, speeds);
  const start = w.energy().total;
  for (let k = 0; k < 240; k++) w.step();
  const moved = Array.from(w.nodesOf(body))
    .filter((_, i) => i % 2 === 0)
    .map((x, i) => x - ring[i][0]);
  const top = moved.indexOf(Math.max(...moved));
  expect(Math.abs((top - 100) * ((2 * Math.PI * 10) / count) - 12)).toBeLessThan(0.1);
  expect(Math.abs(w.energy().total / start - 1)).toBeLessThan(1e-3);
});

test.each(PLANE_METHODS)('a motor turns a train of gears in the ratio of their teeth under %s', (method) => {
  const w = new PlaneWorld({ method, gravity: [0, 0], sleeping: false, substeps: method === 'penalty' ? 16 : 8 });
  const teeth = [12, 18, 9];
  const module = 0.1;
  const radii = teeth.map((count) => (module * count) / 2);
  let x = 0;
  const wheels = teeth.map((count, i) => {
    if (i > 0) x += radii[i - 1] + radii[i];
    // A tooth of one looks into a gap of the next.
    const turned = [0, Math.PI - Math.PI / 18, Math.PI - Math.PI / 9 + Math.PI / 9][i];
    const shape = gear(count, radii[i] - 0.9 * module, radii[i] + 0.75 * module);
    const wheel = w.addBody({ shape, pose: [x, 0, turned], friction: 0.1 });
    w.addJoint({ type: 'pin', bodyA: wheel, at: [x, 0], ...(i === 0 ? { motor: { speed: 1 } } : {}) });
    return wheel;
  });
  expect(w.worstPenetration()).toBe(0);
  for (let k = 0; k < 120; k++) w.step();
  const from = wheels.map((wheel) => w.poseOf(wheel)[2]);
  for (let k = 0; k < 600; k++) w.step();
  const turned = wheels.map((wheel, i) => w.poseOf(wheel)[2] - from[i]);
  expect(turned[0]).toBeCloseTo(10, 6);
  // Up to the play between the teeth.
  expect(Math.abs(turned[1] / turned[0] + 12 / 18)).toBeLessThan(0.01);
  expect(Math.abs(turned[2] / turned[0] - 12 / 9)).toBeLessThan(0.02);
});
