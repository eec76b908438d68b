import { expect, test } from 'vitest';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import type { EnergyTerm } from '../../src/elastic/body/energy-term.js';
import { Newton } from '../../src/elastic/body/newton.js';
import { PotentialSystem } from '../../src/elastic/body/potential-system.js';
import { QuasiNewton } from '../../src/elastic/body/quasi-newton.js';
import { RigidPart } from '../../src/elastic/body/rigid-part.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

/** Springs without rest length: each between two sums of unknowns, Σ wᵢ x[3 kᵢ + axis], in three axes. */
class Springs implements EnergyTerm {
  readonly links: { readonly stiffness: number; readonly weights: readonly (readonly [number, number])[] }[] = [];
  updates = 0;

  update(): void {
    this.updates++;
  }
  evaluate(x: Float64Array, gradient?: Float64Array): number {
    let sum = 0;
    for (const { stiffness, weights } of this.links) {
      for (let axis = 0; axis < 3; axis++) {
        const length = weights.reduce((s, [node, weight]) => s + weight * x[3 * node + axis], 0);
        sum += (stiffness / 2) * length * length;
        if (gradient !== undefined) {
          for (const [node, weight] of weights) gradient[3 * node + axis] += stiffness * weight * length;
        }
      }
    }
    return sum;
  }
  linearize(): void {}
  multiply(v: Float64Array, out: Float64Array): void {
    this.evaluate(v, out);
  }
  addDiagonal(blocks: Float64Array): void {
    for (const { stiffness, weights } of this.links) {
      for (const [node, weight] of weights) {
        for (let axis = 0; axis < 3; axis++) blocks[9 * node + 4 * axis] += stiffness * weight * weight;
      }
    }
  }
  limitStep(): number {
    return 1;
  }
}

/** Pushes nodes out of y < 0: ½ k y². */
class Ground implements EnergyTerm {
  readonly stiffness: number;
  readonly active = new Set<number>();
  maxStep = 1;
  constructor(stiffness: number) {
    this.stiffness = stiffness;
  }
  update(): void {}
  evaluate(x: Float64Array, gradient?: Float64Array): number {
    let sum = 0;
    for (let i = 1; i < x.length; i += 3) {
      if (x[i] >= 0) continue;
      sum += (this.stiffness / 2) * x[i] * x[i];
      if (gradient !== undefined) gradient[i] += this.stiffness * x[i];
    }
    return sum;
  }
  linearize(x: Float64Array): void {
    this.active.clear();
    for (let i = 1; i < x.length; i += 3) if (x[i] < 0) this.active.add(i);
  }
  multiply(v: Float64Array, out: Float64Array): void {
    for (const i of this.active) out[i] += this.stiffness * v[i];
  }
  addDiagonal(blocks: Float64Array): void {
    for (const i of this.active) blocks[3 * (i - 1) + 4] += this.stiffness;
  }
  limitStep(): number {
    return this.maxStep;
  }
}

const at = (x: number, limit: number): boolean => Math.abs(x - limit) < 1e-9;

/** Nodes of a grid and of a copy of it further along x, of the same order. */
function pairOfBars(young: number, poisson: number, material: 'linear' | 'stable-neo-hookean') {
  const grid = tetrahedraGrid([4, 2, 2], [2, 1, 1]);
  const moved = grid.positions.map((value, i) => value + (i % 3 === 0 ? 2 : 0));
  const bodies = [grid.positions, moved].map(
    (positions) => new ElasticBody({ positions, elements: grid.elements }, { young, poisson, material }),
  );
  const count = grid.positions.length / 3;
  const end = grid.nodesWhere((x) => at(x, 2));
  const facing = end.map((node) => {
    const [, y, z] = grid.positions.subarray(3 * node, 3 * node + 3);
    return count + grid.nodesWhere((...p) => at(p[0], 0) && at(p[1], y) && at(p[2], z))[0];
  });
  const probe = new ElasticBody(grid, { young });
  probe.load(end, [1, 0, 0]);
  const springs = new Springs();
  /** Spread by area. */
  const addLayer = (stiffness: number): void => {
    end.forEach((node, i) => {
      springs.links.push({
        stiffness: stiffness * probe.loads[3 * node],
        weights: [
          [node, 1],
          [facing[i], -1],
        ],
      });
    });
  };
  return { grid, bodies, count, end, facing, springs, addLayer };
}

test('two bars and a layer of springs between them share a stretch as springs in a row do', () => {
  const [young, layer, stretch] = [1e6, 3e5, 0.01];
  const { grid, bodies, end, facing, springs, addLayer } = pairOfBars(young, 0, 'linear');
  const [left, right] = bodies;
  addLayer(layer);
  left.hold(grid.nodesWhere((x) => at(x, 0)));
  right.hold(
    end,
    end.flatMap((node) => [4 + stretch, grid.positions[3 * node + 1], grid.positions[3 * node + 2]]),
  );
  const parts = bodies.map((body) => body.part);
  const system = new PotentialSystem(parts, [springs]);
  for (const part of parts) part.beginStatic();
  const x = Float64Array.of(...left.positions, ...right.positions);
  const report = new Newton(system).minimize(x, 1e-10, 50);
  expect(report.status).toBe('converged');
  expect(springs.updates).toBe(report.iterations + 1);
  const force = stretch / (2 / young + 1 / layer + 2 / young);
  for (const node of end) expect(x[3 * node]).toBeCloseTo(2 + (2 * force) / young, 9);
  for (const node of facing) expect(x[3 * node]).toBeCloseTo(2 + stretch - (2 * force) / young, 9);
});

test.each(['converged', 'real-time'] as const)('bodies that pull each other keep their momenta: %s', (mode) => {
  const { bodies, springs, addLayer } = pairOfBars(1e5, 0.4, 'stable-neo-hookean');
  addLayer(2e4);
  const [left, right] = bodies;
  for (let i = 0; i < left.velocities.length; i += 3) {
    left.velocities[i + 1] = left.positions[i] - 1;
    right.velocities[i + 2] = 0.5;
    right.velocities[i] = 2 * right.positions[i + 1];
  }
  const momentum = () => {
    const [a, b] = bodies.map((body) => body.momentum());
    return [...a.linear.map((value, i) => value + b.linear[i]), ...a.angular.map((value, i) => value + b.angular[i])];
  };
  const before = momentum();
  const parts = bodies.map((body) => body.part);
  const system = new PotentialSystem(parts, [springs]);
  const x = new Float64Array(system.size);
  const half = parts[0].size;
  const [newton, quasi] = [new Newton(system), new QuasiNewton(system)];
  for (let step = 0; step < 20; step++) {
    parts.forEach((part, i) => {
      part.beginStep(1 / 240, 'midpoint', x.subarray(i * half, (i + 1) * half));
    });
    if (mode === 'converged') expect(newton.minimize(x, 1e-12, 50).iterations).toBeLessThan(12);
    else quasi.minimize(x, 8);
    parts.forEach((part, i) => {
      part.endStep(x.subarray(i * half, (i + 1) * half));
    });
  }
  momentum().forEach((value, i) => {
    // Steps that are cut off keep the linear momentum exactly, the angular one by what they leave undone.
    const isExact = mode === 'converged' || i < 3;
    expect(Math.abs(value - before[i])).toBeLessThan(isExact ? 1e-8 : 0.2);
  });
  // They have moved each other.
  expect(Math.abs(right.momentum().linear[1])).toBeGreaterThan(10);
});

test.each(['converged', 'real-time'] as const)('a block falls on stiff ground and stays: %s', (mode) => {
  const mesh = tetrahedraGrid([6, 3, 3], [2, 1, 1]);
  const damping = { mass: 8, stiffness: 0.01 };
  const body = new ElasticBody(mesh, { young: 1e5, poisson: 0.4, gravity: [0, -10, 0], damping });
  for (let i = 1; i < body.positions.length; i += 3) body.positions[i] += 0.05;
  // A node's share of the block has about 1e5 N/m of its own.
  const ground = new Ground(1e7);
  const part = body.part;
  const system = new PotentialSystem([part], [ground]);
  const x = new Float64Array(system.size);
  const [newton, quasi] = [new Newton(system), new QuasiNewton(system)];
  let lowest = 0;
  for (let step = 0; step < 100; step++) {
    part.beginStep(1 / 60, 'bdf2', x);
    if (mode === 'converged') expect(newton.minimize(x, 1e-8, 100).status).toBe('converged');
    else expect(quasi.minimize(x, 8).linearIterations).toBeLessThanOrEqual(2 * 8 * 6);
    part.endStep(x);
    for (let i = 1; i < x.length; i += 3) lowest = Math.min(lowest, body.positions[i]);
  }
  expect(lowest).toBeGreaterThan(-0.01);
  const gradient = new Float64Array(x.length);
  ground.evaluate(body.positions, gradient);
  const weight = 10 * body.mass;
  expect(-gradient.reduce((sum, value) => sum + value, 0) / weight).toBeCloseTo(1, 3);
  expect(body.energy().kinetic).toBeLessThan(1e-4 * weight);
  expect(body.inverted).toBe(0);
});

test('a rigid body and an elastic one on a spring keep their momentum, and steps go no further than a term lets them', () => {
  const mesh = tetrahedraGrid([2, 1, 1], [2, 1, 1]);
  const body = new ElasticBody(mesh, { young: 1e5, density: 100 });
  const part = body.part;
  const rigid = new RigidPart();
  const nodes = mesh.positions.length / 3;
  // The spring's arm turns the rigid body about z: weights of translation only, and of an unknown of rotation.
  const springs = new Springs();
  springs.links.push({
    stiffness: 5e4,
    weights: [
      [0, 1],
      [nodes, -1],
    ],
  });
  const system = new PotentialSystem([part, rigid], [springs]);
  const [mass, h] = [40, 1 / 120];
  const x = new Float64Array(system.size);
  const velocity = [1, 2, 3];
  let place = [-0.3, 0, 0];
  const newton = new Newton(system);
  const total = () => body.momentum().linear.map((value, axis) => value + mass * velocity[axis]);
  const before = total();
  for (let step = 0; step < 30; step++) {
    part.beginStep(h, 'euler', x.subarray(0, part.size));
    expect(part.inertiaWeight).toBeCloseTo(1 / h ** 2, 6);
    // This spring reads the translation as a place: the pose at the start is the origin.
    const free = place.map((value, axis) => value + h * velocity[axis]) as [number, number, number];
    rigid.begin(mass, [2, 0, 0, 0, 2, 0.5, 0, 0.5, 3], 1 / h ** 2, free, [0.1, 0, 0]);
    x.set(rigid.target, part.size);
    expect(newton.minimize(x, 1e-12, 50).status).not.toBe('iterations');
    part.endStep(x.subarray(0, part.size));
    for (let axis = 0; axis < 3; axis++) velocity[axis] = (x[part.size + axis] - place[axis]) / h;
    place = [...x.subarray(part.size, part.size + 3)];
    expect(x[part.size + 3]).toBeCloseTo(0.1, 9);
  }
  total().forEach((value, axis) => {
    expect(Math.abs(value - before[axis])).toBeLessThan(1e-9 * 1e3);
  });
  expect(Math.abs(velocity[1] - 2)).toBeGreaterThan(0.05);

  const ground = new Ground(1e6);
  const alone = new PotentialSystem([part], [ground]);
  ground.maxStep = 0.25;
  part.beginStatic();
  const start = body.positions.slice();
  for (let i = 1; i < start.length; i += 3) start[i] *= 1.5;
  const moved = start.slice();
  new Newton(alone).minimize(moved, 1e-9, 1);
  ground.maxStep = 1;
  const free = start.slice();
  new Newton(alone).minimize(free, 1e-9, 1);
  moved.forEach((value, i) => {
    expect(value - start[i]).toBeCloseTo((free[i] - start[i]) / 4, 9);
  });
});
