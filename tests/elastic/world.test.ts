import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { RigidWorld } from '../../src/dynamics/world.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { splitSurfaceElements } from '../../src/elastic/tetrahedra/inner-nodes.js';
import type { TetrahedralMesh } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { ElasticWorld } from '../../src/elastic/world/elastic-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { codeOf } from '../error-code.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';
import { indentationForce } from '../oracles/hertz.js';

const ball = tetrahedralizeMesh(findModel('sphere').build({ radius: 0.5 }), { size: 0.3 }).mesh;
const GRAVITY = [0, -9.81, 0] as const;

function moved(body: ElasticBody, by: readonly number[]): ElasticBody {
  for (let i = 0; i < body.positions.length; i++) body.positions[i] += by[i % 3];
  return body;
}

const smallBlock = findModel('box').build({ width: 0.3, height: 0.3, depth: 0.3 });

/** A world with a floor whose top is at y = 0. */
function floorWorld(gravity: readonly number[], friction = 0.5): RigidWorld {
  const rigid = new RigidWorld({ gravity });
  rigid.addBody({ shape: { box: [20, 1, 4] }, fixed: true, pose: pose.create([5, -0.5, 0]), friction });
  return rigid;
}

/** Elements whose middle passes a test, with the nodes they use. */
function keepElements(mesh: TetrahedralMesh, test: (x: number, y: number, z: number) => boolean): TetrahedralMesh {
  const elements: number[] = [];
  for (let e = 0; e < mesh.elements.length; e += 4) {
    const nodes = Array.from(mesh.elements.subarray(e, e + 4));
    const [x, y, z] = [0, 1, 2].map((k) => nodes.reduce((sum, node) => sum + mesh.positions[3 * node + k], 0) / 4);
    if (test(x, y, z)) elements.push(...nodes);
  }
  const used = [...new Set(elements)].sort((a, b) => a - b);
  const numbers = new Map(used.map((node, i) => [node, i]));
  return {
    positions: Float64Array.from(used.flatMap((node) => Array.from(mesh.positions.subarray(3 * node, 3 * node + 3)))),
    elements: Uint32Array.from(elements, (node) => numbers.get(node)!),
  };
}

describe('rest and friction', () => {
  test.each(['converged', 'real-time'] as const)(
    'a ball on a rigid floor comes to rest and carries its weight, %s',
    (mode) => {
      const rigid = floorWorld(GRAVITY);
      const world = new ElasticWorld({ rigid, mode });
      const damping = { mass: 10, stiffness: 0.005 };
      const body = moved(new ElasticBody(ball, { young: 2e5, gravity: GRAVITY, damping }), [0, 0.5, 0]);
      world.addBody(body);
      for (let i = 0; i < 60; i++) world.step();
      const weight = 9.81 * body.mass;
      expect(Math.abs(-world.forceOn(0).force[1] / weight - 1)).toBeLessThan(0.01);
      expect(world.inverted).toBe(0);
      expect(world.contactCount).toBeGreaterThan(2);
      // A pressure of p makes an overlap of p / 2k: some parts in a thousand of an edge.
      expect(world.worstPenetration()).toBeLessThan(0.05 * 0.3);
      expect(world.energy().kinetic).toBeLessThan(1e-3 * weight);
    },
  );

  test.each([
    [0.8, 'linear'],
    [1.2, 'linear'],
    [1.2, 'quadratic'],
  ] as const)('a block on a slope of %s times the friction angle, %s elements', (share, element) => {
    const friction = 0.5;
    const angle = Math.atan(share * friction);
    const gravity = [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0];
    const world = new ElasticWorld({ rigid: floorWorld(gravity, friction) });
    const mesh = splitSurfaceElements(tetrahedraGrid([2, 1, 2], [0.4, 0.2, 0.4]));
    const body = new ElasticBody(mesh, { young: 1e6, gravity, element, damping: { stiffness: 0.002 } });
    world.addBody(body, { friction });
    const speeds: number[] = [];
    for (let i = 0; i < 60; i++) {
      world.step();
      if (i === 29 || i === 59) speeds.push(body.momentum().linear[0] / body.mass);
    }
    const acceleration = (speeds[1] - speeds[0]) / 0.5;
    if (share > 1) {
      const exact = 9.81 * (Math.sin(angle) - friction * Math.cos(angle));
      expect(Math.abs(acceleration / exact - 1)).toBeLessThan(1e-3);
    } else {
      // It creeps at the speed where smoothed friction has this share of its full force.
      expect(Math.abs(speeds[1] / (1e-3 * (1 - Math.sqrt(1 - share))) - 1)).toBeLessThan(1e-2);
    }
  });
});

test('the force on a ball that is pressed into a block converges to that of Hertz', () => {
  const [young, poisson, radius, depth] = [1e6, 0.3, 2, 0.02];
  const errors = [8, 12, 16].map((n) => {
    const grid = tetrahedraGrid([n, n / 2, n], [2, 1, 2]);
    const p = grid.positions;
    // Finer towards the ball, which touches at the origin.
    for (let i = 0; i < p.length; i += 3) {
      for (const k of [0, 2]) p[i + k] = Math.sign(p[i + k] - 1) * Math.abs(p[i + k] - 1) ** 1.5;
      p[i + 1] = -((1 - p[i + 1]) ** 1.5);
    }
    const mesh = splitSurfaceElements(grid);
    const rigid = new RigidWorld({ gravity: [0, 0, 0] });
    const path = [0, depth].map((down, time) => ({ time, pose: pose.create([0, radius - down, 0]) }));
    rigid.addBody({ shape: { sphere: radius }, path });
    const world = new ElasticWorld({ rigid });
    const body = new ElasticBody(mesh, { young, poisson });
    world.addBody(body, { selfCollision: false, stiffness: 100 * young });
    const nodes = Array.from({ length: mesh.positions.length / 3 }, (_, node) => node);
    body.hold(nodes.filter((node) => mesh.positions[3 * node + 1] < -0.999));
    expect(world.solveStatic(1).status).toBe('converged');
    return Math.abs(world.forceOn(0).force[1] / (young * indentationForce(radius, depth, poisson)) - 1);
  });
  expect(errors[1]).toBeLessThan(0.5 * errors[0]);
  expect(errors[2]).toBeLessThan(0.5 * errors[1]);
  expect(errors[2]).toBeLessThan(0.05);
});

describe('overlaps', () => {
  test('two balls that overlap by half a diameter part below 3 m/s, with momentum to rounding', () => {
    const world = new ElasticWorld();
    const [a, b] = [new ElasticBody(ball, { young: 1e5 }), new ElasticBody(ball, { young: 1e5 })];
    moved(b, [0.5, 0.1, 0.05]);
    world.addBody(a);
    world.addBody(b);
    expect(world.worstPenetration()).toBeGreaterThan(0.4);
    let fastest = 0;
    for (let i = 0; i < 40; i++) {
      world.step();
      const speed = Math.hypot(...a.momentum().linear) / a.mass;
      fastest = Math.max(fastest, speed + Math.hypot(...b.momentum().linear) / b.mass);
    }
    expect(world.worstPenetration()).toBe(0);
    expect(fastest).toBeLessThan(3);
    for (const value of world.momentum().linear) expect(Math.abs(value)).toBeLessThan(1e-9 * a.mass);
  });

  test('arms of a clamp that are pressed together touch and do not overlap', () => {
    // A box with a slot, open at one end, pressed by more than the slot is high.
    const whole = tetrahedraGrid([6, 6, 1], [1.8, 1.2, 0.3]);
    const clamp = splitSurfaceElements(keepElements(whole, (x, y) => x < 0.3 || y < 0.4 || y > 0.8));
    const world = new ElasticWorld();
    const body = new ElasticBody(clamp, { young: 1e5 });
    world.addBody(body);
    const nodes = Array.from({ length: clamp.positions.length / 3 }, (_, node) => node);
    const at = (node: number, k: number): number => clamp.positions[3 * node + k];
    body.hold(nodes.filter((node) => at(node, 1) < 1e-9));
    world.hold(
      body,
      nodes.filter((node) => at(node, 1) > 1.2 - 1e-9 && at(node, 0) > 1.4),
      [
        { time: 0, offset: [0, 0, 0] },
        { time: 1, offset: [0, -0.5, 0] },
      ],
    );
    for (const time of [0.25, 0.5, 0.75, 1]) expect(world.solveStatic(time).status).not.toBe('iterations');
    expect(world.contactCount).toBeGreaterThan(2);
    expect(world.inverted).toBe(0);
    expect(world.worstPenetration()).toBeLessThan(0.05 * 0.2);
  });
});

test('elements with all nodes on the surface push too', () => {
  const flat = tetrahedraGrid([1, 1, 1], [1, 1, 1]);
  const rigid = new RigidWorld({ gravity: [0, 0, 0] });
  // The corners of the small block are 0.05 deep, where no node of the large one is near.
  rigid.addBody({ shape: { mesh: smallBlock }, path: [{ time: 0, pose: pose.create([0.5, 1.1, 0.5]) }] });
  const world = new ElasticWorld({ rigid });
  const body = new ElasticBody(flat, { young: 1e5 });
  const nodes = Array.from({ length: flat.positions.length / 3 }, (_, node) => node);
  body.hold(nodes.filter((node) => flat.positions[3 * node + 1] === 0));
  world.addBody(body);
  const before = world.worstPenetration();
  expect(before).toBeGreaterThan(0.04);
  expect(world.solveStatic(0).status).toBe('converged');
  expect(world.forceOn(0).force[1]).toBeGreaterThan(0);
  expect(world.worstPenetration()).toBeLessThan(0.5 * before);
});

describe('rigid bodies', () => {
  test('a rigid ball that hits an elastic one keeps the momentum of both', () => {
    const rigid = new RigidWorld({ gravity: [0, 0, 0] });
    const hitter = rigid.addBody({
      shape: { sphere: 0.3 },
      pose: pose.create([-0.95, 0.05, 0]),
      velocity: [2, 0, 0],
      density: 2000,
    });
    const world = new ElasticWorld({ rigid });
    const body = new ElasticBody(ball, { young: 1e5 });
    world.addBody(body);
    const start = world.momentum();
    const energy = world.energy().total;
    for (let i = 0; i < 40; i++) world.step();
    const end = world.momentum();
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(end.linear[k] - start.linear[k])).toBeLessThan(1e-9 * start.linear[0]);
    }
    // They have parted, and no energy was made.
    expect(rigid.velocityOf(hitter)[0]).toBeLessThan(body.momentum().linear[0] / body.mass);
    expect(body.momentum().linear[0] / body.mass).toBeGreaterThan(0.5);
    expect(world.energy().total).toBeLessThan(1.01 * energy);
  });

  test('a heavy rigid box rests on an elastic block', () => {
    const rigid = floorWorld(GRAVITY);
    const box = rigid.addBody({ shape: { box: [0.3, 0.3, 0.3] }, pose: pose.create([0, 0.36, 0]), density: 4000 });
    const world = new ElasticWorld({ rigid });
    const mesh = splitSurfaceElements(tetrahedraGrid([3, 1, 3], [0.6, 0.2, 0.6]));
    const damping = { mass: 10, stiffness: 0.01 };
    const block = moved(new ElasticBody(mesh, { young: 3e5, gravity: GRAVITY, damping }), [-0.3, 0, -0.3]);
    world.addBody(block);
    for (let i = 0; i < 60; i++) world.step();
    const weight = 9.81 * rigid.massOf(box);
    expect(Math.abs(world.forceOn(box).force[1] / weight - 1)).toBeLessThan(0.05);
    expect(Math.abs(-world.forceOn(0).force[1] / (weight + 9.81 * block.mass) - 1)).toBeLessThan(0.05);
    expect(world.worstPenetration()).toBeLessThan(0.05 * 0.2);
  });
});

test('what has no place in a world is refused', () => {
  const world = new ElasticWorld();
  const body = new ElasticBody(ball, { young: 1e5 });
  expect(codeOf(() => world.hold(body, [0], [{ time: 0, offset: [0, 0, 0] }]))).toBe('bad-argument');
  world.addBody(body);
  expect(codeOf(() => world.addBody(body))).toBe('bad-argument');
  const rigid = new RigidWorld({ timestep: 0.01 });
  expect(codeOf(() => new ElasticWorld({ rigid, timestep: 0.02 }))).toBe('bad-argument');
});

test('a hand draws a free body to a point, and throws it', () => {
  const world = new ElasticWorld({ mode: 'real-time' });
  const body = new ElasticBody(ball, { young: 1e5 });
  world.addBody(body);
  const nodes = Array.from({ length: ball.positions.length / 3 }, (_, node) => node);
  const taken = nodes.filter((node) => ball.positions[3 * node] > 0.2);
  const grab = world.grab(body, taken);
  const start = grab.point;
  grab.moveTo([start[0] + 1, start[1], start[2]]);
  for (let i = 0; i < 120; i++) world.step();
  expect(Math.abs(grab.point[0] - start[0] - 1)).toBeLessThan(0.02);
  expect(world.inverted).toBe(0);
  grab.moveTo(start);
  for (let i = 0; i < 6; i++) world.step();
  grab.release();
  const speeds: number[] = [];
  for (let i = 0; i < 30; i++) {
    world.step();
    speeds.push(body.momentum().linear[0] / body.mass);
  }
  // BDF2 lets the last force fade by a third in each step.
  expect(speeds[29]).toBeLessThan(-1);
  expect(Math.abs(speeds[19] / speeds[29] - 1)).toBeLessThan(1e-6);
  expect(codeOf(() => world.grab(body, []))).toBe('bad-argument');
  expect(codeOf(() => world.grab(body, [-1]))).toBe('index-out-of-range');
  expect(codeOf(() => grab.moveTo([Number.NaN, 0, 0]))).toBe('non-finite');
});

test('an equilibrium that fails leaves rigid bodies and later steps as they were', () => {
  const run = (fails: boolean): { world: ElasticWorld; rigid: RigidWorld; box: number } => {
    const rigid = floorWorld(GRAVITY);
    const box = rigid.addBody({ shape: { box: [0.3, 0.3, 0.3] }, density: 200, pose: pose.create([0, 1.3, 0]) });
    const path = [0, 1].map((time) => ({ time, pose: pose.create([3 - 2.4 * time, 0.6, 0]) }));
    rigid.addBody({ shape: { sphere: 0.2 }, path });
    const world = new ElasticWorld({ rigid });
    const body = moved(new ElasticBody(ball, { young: 2e5, gravity: GRAVITY }), [0, 0.5, 0]);
    world.addBody(body);
    if (fails) {
      body.loads[0] = Number.NaN;
      expect(codeOf(() => world.solveStatic(1))).toBe('non-finite');
      body.loads[0] = 0;
    }
    return { world, rigid, box };
  };
  const [sound, failed] = [run(false), run(true)];
  // Measured where the bodies are, not where the failed equilibrium was to be.
  expect(failed.world.energy()).toEqual(sound.world.energy());
  for (const { world } of [sound, failed]) for (let i = 0; i < 30; i++) world.step();
  expect(failed.rigid.poseOf(failed.box)).toEqual(sound.rigid.poseOf(sound.box));
  expect(failed.world.bodies[0].positions).toEqual(sound.world.bodies[0].positions);
  // The box has met the ball: in free fall it would be at 0.07.
  expect(failed.rigid.poseOf(failed.box)[1]).toBeGreaterThan(1);
});
