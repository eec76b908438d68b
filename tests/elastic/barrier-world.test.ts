// Worlds whose bodies never overlap, held to an oracle of exact triangle tests that shares no code with them.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { RigidWorld } from '../../src/dynamics/world.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { findSurface } from '../../src/elastic/tetrahedra/tetrahedral-mesh.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { ElasticWorld } from '../../src/elastic/world/elastic-world.js';
import { findModel } from '../../src/models/catalogue.js';
import { codeOf } from '../error-code.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';
import { crossingTriangles } from '../oracles/crossing-triangles.js';

const ball = tetrahedralizeMesh(findModel('sphere').build({ radius: 0.5 }), { size: 0.35 }).mesh;
const GRAVITY = [0, -9.81, 0] as const;

function moved(body: ElasticBody, by: readonly number[]): ElasticBody {
  for (let i = 0; i < body.positions.length; i++) body.positions[i] += by[i % 3];
  return body;
}

/** A world with a floor whose top is at y = 0. */
function floorWorld(gravity: readonly number[], friction = 0.5): RigidWorld {
  const rigid = new RigidWorld({ gravity });
  rigid.addBody({ shape: { box: [20, 1, 4] }, fixed: true, pose: pose.create([5, -0.5, 0]), friction });
  return rigid;
}

/** Pairs of triangles that cross, of all bodies and of a box in its place. */
function crossings(bodies: readonly ElasticBody[], box?: { size: readonly number[]; at: readonly number[] }): number {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const body of bodies) {
    const first = positions.length / 3;
    for (let i = 0; i < body.mesh.positions.length; i++) positions.push(body.positions[i]);
    for (const node of findSurface(body.mesh).faces) indices.push(first + node);
  }
  if (box !== undefined) {
    const [width, height, depth] = box.size;
    const mesh = findModel('box').build({ width, height, depth });
    const first = positions.length / 3;
    mesh.positions.forEach((value, i) => {
      positions.push(value + box.at[i % 3]);
    });
    for (const vertex of mesh.indices) indices.push(first + vertex);
  }
  return crossingTriangles(positions, indices).length;
}

const FLOOR = { size: [20, 1, 4], at: [5, -0.5, 0] };

describe('a world with a barrier', () => {
  test('soft balls at 20 m/s onto each other and a floor do not cross, where a step is as long as a radius', () => {
    const world = new ElasticWorld({ rigid: floorWorld(GRAVITY), contact: 'barrier', tolerance: 1e-3 });
    const bodies = [0, 1].map((i) =>
      moved(new ElasticBody(ball, { young: 1e6, gravity: GRAVITY }), [0.1 * i, 0.7 + 1.1 * i, 0.05 * i]),
    );
    for (const body of bodies) {
      world.addBody(body);
      for (let i = 1; i < body.velocities.length; i += 3) body.velocities[i] = -20;
    }
    let touched = 0;
    for (let i = 0; i < 5; i++) {
      world.step();
      expect(crossings(bodies, FLOOR)).toBe(0);
      expect(world.worstPenetration()).toBe(0);
      for (const node of findSurface(ball).faces) {
        for (const { positions } of bodies) expect(positions[3 * node + 1]).toBeGreaterThan(0);
      }
      touched = Math.max(touched, world.contactCount);
    }
    expect(touched).toBeGreaterThan(20);
    expect(-world.forceOn(0).force[1]).toBeGreaterThan(0);
  });

  test('a ball comes to rest and presses with its weight', () => {
    const world = new ElasticWorld({ rigid: floorWorld(GRAVITY), contact: 'barrier' });
    const damping = { mass: 20, stiffness: 0.005 };
    const body = moved(new ElasticBody(ball, { young: 2e5, gravity: GRAVITY, damping }), [0, 0.501, 0]);
    world.addBody(body);
    for (let i = 0; i < 40; i++) expect(world.step().status).toBe('converged');
    const weight = 9.81 * body.mass;
    expect(Math.abs(-world.forceOn(0).force[1] / weight - 1)).toBeLessThan(0.01);
    expect(world.worstPenetration()).toBe(0);
    expect(world.energy().contact).toBeGreaterThan(0);
  });

  test('two balls that hit each other keep momentum to rounding, and part', () => {
    const world = new ElasticWorld({ contact: 'barrier' });
    const [a, b] = [
      new ElasticBody(ball, { young: 1e5 }),
      moved(new ElasticBody(ball, { young: 1e5 }), [1.05, 0.2, 0.1]),
    ];
    for (let i = 0; i < a.velocities.length; i += 3) a.velocities[i] = 3;
    world.addBody(a);
    world.addBody(b);
    const start = world.momentum();
    const energy = world.energy().total;
    for (let i = 0; i < 12; i++) {
      world.step();
      expect(crossings([a, b])).toBe(0);
    }
    const end = world.momentum();
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(end.linear[k] - start.linear[k])).toBeLessThan(1e-8 * start.linear[0]);
    }
    expect(b.momentum().linear[0]).toBeGreaterThan(0.3 * start.linear[0]);
    expect(world.energy().total).toBeLessThan(1.01 * energy);
  });

  test.each([0.8, 1.2])('a block on a slope of %s times the friction angle', (share) => {
    const friction = 0.5;
    const angle = Math.atan(share * friction);
    const gravity = [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0];
    const world = new ElasticWorld({ rigid: floorWorld(gravity, friction), contact: 'barrier' });
    const mesh = tetrahedraGrid([2, 1, 2], [0.4, 0.2, 0.4]);
    const body = moved(new ElasticBody(mesh, { young: 1e6, gravity, damping: { stiffness: 0.002 } }), [0, 0.0225, 0]);
    world.addBody(body, { friction });
    const speeds: number[] = [];
    for (let i = 0; i < 60; i++) {
      world.step();
      if (i === 29 || i === 59) speeds.push(body.momentum().linear[0] / body.mass);
    }
    if (share > 1) {
      const exact = 9.81 * (Math.sin(angle) - friction * Math.cos(angle));
      expect(Math.abs((speeds[1] - speeds[0]) / 0.5 / exact - 1)).toBeLessThan(1e-2);
    } else {
      // It creeps at the speed where smoothed friction has this share of its full force.
      expect(Math.abs(speeds[1] / (1e-3 * (1 - Math.sqrt(1 - share))) - 1)).toBeLessThan(2e-2);
    }
  });
});

describe('what is moved', () => {
  test('a sheet that is folded on itself by its ends does not cross itself', () => {
    const sheet = tetrahedraGrid([12, 1, 2], [1.2, 0.04, 0.2]);
    const body = new ElasticBody(sheet, { young: 1e5 });
    // A bend to begin with, so that it folds one way.
    for (let i = 0; i < body.positions.length; i += 3) body.positions[i + 1] -= 0.2 * (body.positions[i] - 0.6) ** 2;
    const world = new ElasticWorld({ contact: 'barrier', tolerance: 1e-4 });
    world.addBody(body);
    const ends = [sheet.nodesWhere((x) => x < 0.05), sheet.nodesWhere((x) => x > 1.15)];
    ends.forEach((nodes, side) => {
      const sign = side === 0 ? 1 : -1;
      world.hold(body, nodes, [
        { time: 0, offset: [0, 0, 0] },
        { time: 1, offset: [sign * 0.59, 0, 0] },
      ]);
    });
    for (let i = 1; i <= 8; i++) {
      const { reached } = world.solveStatic(i / 8, { tolerance: 1e-3, maxIterations: 60 });
      expect(reached).toBeGreaterThan(0);
      expect(crossings([body])).toBe(0);
      expect(world.worstPenetration()).toBe(0);
    }
    // The ends are side by side: a hundredth of a unit or two between them.
    const gap = body.positions[3 * ends[1][0]] - body.positions[3 * ends[0][0]];
    expect(Math.abs(gap)).toBeLessThan(0.15);
  });

  test('a plate on a path squeezes a block, and stops short of crushing it through the floor', () => {
    const rigid = floorWorld([0, 0, 0]);
    const path = [0, 1].map((time) => ({ time, pose: pose.create([0.2, 0.77 - 1.2 * time, 0.2]) }));
    const plate = rigid.addBody({ shape: { box: [1, 0.5, 1] }, path });
    const world = new ElasticWorld({ rigid, contact: 'barrier' });
    const block = tetrahedraGrid([2, 2, 2], [0.4, 0.5, 0.4]);
    const body = moved(new ElasticBody(block, { young: 1e5 }), [0, 0.01, 0]);
    body.hold(block.nodesWhere((_, y) => y === 0));
    world.addBody(body);
    const [{ reached }] = [0.1, 0.2].map((time) => world.solveStatic(time, { tolerance: 1e-4, maxIterations: 60 }));
    expect(reached).toBe(1);
    expect(crossings([body], FLOOR)).toBe(0);
    expect(crossings([body], { size: [1, 0.5, 1], at: [0.2, 0.77 - 0.24, 0.2] })).toBe(0);
    // A bar of that stiffness, pressed by 44 %, and stiffer for the held end and the large strain.
    expect(world.forceOn(plate).force[1] / ((1e5 * 0.16 * 0.22) / 0.5)).toBeGreaterThan(1);
    expect(world.forceOn(plate).force[1] / ((1e5 * 0.16 * 0.22) / 0.5)).toBeLessThan(3);
    // The path leads through the floor.
    const last = world.solveStatic(1, { tolerance: 1e-3, maxIterations: 30 });
    expect(last.reached).toBeGreaterThan(0);
    expect(last.reached).toBeLessThan(1);
    expect(crossings([body], FLOOR)).toBe(0);
  });
});

describe('what a barrier refuses', () => {
  const world = (): ElasticWorld => new ElasticWorld({ contact: 'barrier' });

  test('starts that overlap, contain or touch, by the names of the bodies', () => {
    for (const [by, verb] of [
      [[0.5, 0, 0], 'overlaps'],
      [[0.9, 0, 0], 'overlaps'],
    ] as const) {
      const own = world();
      own.addBody(new ElasticBody(ball, { young: 1e5 }));
      own.addBody(moved(new ElasticBody(ball, { young: 1e5 }), by));
      expect(() => own.step()).toThrow(new RegExp(`Elastic body 0 ${verb} Elastic body 1.*'field'`));
      expect(codeOf(() => own.solveStatic())).toBe('self-intersecting');
    }
    const nested = world();
    nested.addBody(new ElasticBody(ball, { young: 1e5 }));
    const small = new ElasticBody(ball, { young: 1e5 });
    for (let i = 0; i < small.positions.length; i++) small.positions[i] *= 0.2;
    nested.addBody(small);
    expect(() => nested.step()).toThrow(/Elastic body 0 has inside it Elastic body 1/);
    const resting = new ElasticWorld({ contact: 'barrier', rigid: floorWorld(GRAVITY) });
    resting.addBody(new ElasticBody(tetrahedraGrid([1, 1, 1], [1, 1, 1]), { young: 1e5 }));
    expect(() => resting.step()).toThrow(/Elastic body 0 (touches|overlaps) Rigid body 0/);
  });

  test('free rigid bodies, real time and the midpoint rule', () => {
    const rigid = floorWorld(GRAVITY);
    rigid.addBody({ shape: { sphere: 0.3 }, pose: pose.create([0, 3, 0]) });
    const mixed = new ElasticWorld({ contact: 'barrier', rigid });
    mixed.addBody(moved(new ElasticBody(ball, { young: 1e5 }), [0, 1, 0]));
    expect(codeOf(() => mixed.step())).toBe('unsupported');
    expect(codeOf(() => new ElasticWorld({ contact: 'barrier', mode: 'real-time' }))).toBe('unsupported');
    expect(codeOf(() => new ElasticWorld({ contact: 'barrier', integrator: 'midpoint' }))).toBe('unsupported');
    expect(codeOf(() => new ElasticWorld({ barrierDistance: 0.1 }))).toBe('bad-argument');
    expect(codeOf(() => new ElasticWorld({ contact: 'walls' as never }))).toBe('bad-argument');
  });
});
