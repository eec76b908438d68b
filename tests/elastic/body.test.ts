import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { MATERIALS } from '../../src/elastic/element/material.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { codeOf } from '../error-code.js';
import { type TetrahedraGrid, tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const YOUNG = 1e6;

/** A bar of section 1 × 1 along x, with n cells across, held at x = 0. */
function bar(length: number, n: number): TetrahedraGrid {
  return tetrahedraGrid([length * n, n, n], [length, 1, 1]);
}
const isFoot = (x: number): boolean => x < 1e-9;
const endOf = (mesh: TetrahedraGrid, length: number): number[] => mesh.nodesWhere((x) => x > length - 1e-9);
const meanMove = (body: ElasticBody, nodes: readonly number[], axis: number): number =>
  nodes.reduce((sum, node) => sum + body.positions[3 * node + axis] - body.mesh.positions[3 * node + axis], 0) /
  nodes.length;

/** Deflection of a clamped beam of section 1 × 1 under a small load at its end (Timoshenko; shear factor of Cowper 1966). */
function beamDeflection(length: number, poisson: number, force: number): number {
  const shear = YOUNG / (2 * (1 + poisson));
  const factor = (10 * (1 + poisson)) / (12 + 11 * poisson);
  return (force * length ** 3) / (3 * YOUNG * (1 / 12)) + (force * length) / (factor * shear);
}

describe('equilibrium', () => {
  test.each(MATERIALS)(
    '%s passes the patch test: inner nodes follow an affine motion of the surface exactly',
    (material) => {
      const mesh = tetrahedraGrid([3, 3, 3], [1, 1, 1]);
      const random = createRandom(9);
      // Inner nodes off their grid: the elements are irregular.
      const inner = mesh.nodesWhere((...p) => p.every((value) => value > 0.01 && value < 0.99));
      expect(inner.length).toBe(8);
      const positions = mesh.positions.slice();
      for (const node of inner)
        for (let axis = 0; axis < 3; axis++) positions[3 * node + axis] += random.range(-0.08, 0.08);
      const body = new ElasticBody({ positions, elements: mesh.elements }, { young: YOUNG, poisson: 0.4, material });
      const map = (x: number, y: number, z: number) => [
        1.2 * x + 0.1 * y + 3,
        0.9 * y - 0.2 * z,
        0.95 * z + 0.15 * x - 1,
      ];
      const outer = mesh.nodesWhere((...p) => p.some((value) => value < 0.01 || value > 0.99));
      const at = (node: number) => map(positions[3 * node], positions[3 * node + 1], positions[3 * node + 2]);
      body.hold(outer, outer.flatMap(at));
      expect(body.solveStatic({ tolerance: 1e-12 }).status).not.toBe('iterations');
      for (const node of inner) {
        at(node).forEach((value, axis) => {
          expect(Math.abs(body.positions[3 * node + axis] - value)).toBeLessThan(1e-9);
        });
      }
    },
  );

  test('a bar without cross contraction extends by F L / E A, exactly', () => {
    const mesh = bar(4, 1);
    const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0, material: 'linear' });
    body.hold(mesh.nodesWhere(isFoot));
    body.load(endOf(mesh, 4), [250, 0, 0]);
    expect(body.solveStatic().status).toBe('converged');
    for (const node of endOf(mesh, 4)) {
      expect(body.positions[3 * node]).toBeCloseTo(4 + (250 * 4) / YOUNG, 9);
      expect(body.positions[3 * node + 1]).toBeCloseTo(mesh.positions[3 * node + 1], 9);
    }
    // What the elements hold is half the work of a load that grew slowly.
    expect(body.energy().elastic).toBeCloseTo((250 * ((250 * 4) / YOUNG)) / 2, 9);
  });

  test('a beam bends as Timoshenko says, the nearer the finer, and lattices lock less than cut cells', () => {
    const ratio = (mesh: TetrahedraGrid, poisson: number): number => {
      const body = new ElasticBody(mesh, { young: YOUNG, poisson });
      body.hold(mesh.nodesWhere(isFoot));
      body.load(endOf(mesh, 8), [0, 0.01, 0]);
      expect(body.solveStatic().status).toBe('converged');
      return meanMove(body, endOf(mesh, 8), 1) / beamDeflection(8, poisson, 0.01);
    };
    const [coarse, fine] = [ratio(bar(8, 1), 0.3), ratio(bar(8, 2), 0.3)];
    expect(fine).toBeGreaterThan(0.66);
    expect(fine).toBeLessThan(1);
    // Stiffness falls towards the truth with the square of the size.
    const order = Math.log2((1 / coarse - 1) / (1 / fine - 1));
    expect(order).toBeGreaterThan(1.7);
    const { mesh } = tetrahedralizeMesh(findModel('box').build({ width: 8, height: 1, depth: 1 }), { size: 0.5 });
    const positions = mesh.positions.map((value, i) => value + (i % 3 === 0 ? 4 : 0.5));
    const nodesWhere = (where: (x: number, y: number, z: number) => boolean): number[] =>
      Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) =>
        where(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]),
      );
    const lattice = { positions, elements: mesh.elements, nodesWhere };
    expect(ratio(lattice, 0.3)).toBeGreaterThan(0.82);
    expect(ratio(lattice, 0.49)).toBeGreaterThan(0.78);
    expect(ratio(bar(8, 2), 0.49)).toBeLessThan(0.6);
  });

  test('a strip under a large load takes the shape of the elastica', () => {
    // F L² / E I = 1: the tip of the elastica sinks by 0.3017 L and draws in by 0.0564 L (Bisshopp and Drucker 1945).
    const mesh = tetrahedraGrid([60, 4, 1], [20, 1, 0.5]);
    const reference = new ElasticBody(mesh, { young: YOUNG, poisson: 0, material: 'linear' });
    const foot = mesh.nodesWhere(isFoot);
    const tip = endOf(mesh, 20);
    reference.hold(foot);
    reference.load(tip, [0, 1e-6, 0]);
    reference.solveStatic();
    // The stiffness that these elements have, locking included, so that only the large rotation is tested.
    const stiffness = (1e-6 * 20 ** 3) / 3 / meanMove(reference, tip, 1);
    const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0 });
    body.hold(foot);
    body.load(tip, [0, stiffness / 400, 0]);
    expect(body.solveStatic().status).toBe('converged');
    expect(meanMove(body, tip, 1) / 20).toBeCloseTo(0.3017, 2);
    expect(meanMove(body, tip, 0) / 20).toBeCloseTo(-0.0564, 2);
    expect(body.inverted).toBe(0);
  });

  test('a rod twists as Saint-Venant says, the nearer the finer', () => {
    const [poisson, angle] = [0.25, 1e-3];
    /** Moment over angle of a rod whose ends turn as plates: twice the energy over the square of the angle. */
    const stiffness = (length: number, n: number): number => {
      const mesh = bar(length, n);
      const body = new ElasticBody(mesh, { young: YOUNG, poisson, material: 'linear' });
      const ends = [...mesh.nodesWhere(isFoot), ...endOf(mesh, length)];
      const places = ends.flatMap((node) => {
        const [x, y, z] = mesh.positions.subarray(3 * node, 3 * node + 3);
        const turn = x > 1 ? angle : 0;
        return [x, y - turn * (z - 0.5), z + turn * (y - 0.5)];
      });
      body.hold(ends, places);
      expect(body.solveStatic().status).toBe('converged');
      return (2 * body.energy().elastic) / angle ** 2;
    };
    // The difference of two lengths is free of the ends, which cannot warp. A square has the constant 0.1406 a⁴.
    const exact = (0.1406 * YOUNG) / (2 * (1 + poisson));
    const [coarse, fine] = [2, 4].map((n) => 3 / (1 / stiffness(6, n) - 1 / stiffness(3, n)) / exact);
    expect(fine).toBeGreaterThan(1);
    expect(fine).toBeLessThan(1.35);
    expect(Math.log2((coarse - 1) / (fine - 1))).toBeGreaterThan(1.3);
  });

  test.each([
    ['stable-neo-hookean', 0.49],
    ['st-venant-kirchhoff', 0.3],
    ['corotational', 0.4],
  ] as const)('%s comes back to rest from any start', (material, poisson) => {
    const mesh = tetrahedraGrid([6, 2, 2], [3, 1, 1]);
    const random = createRandom(77);
    const rest = mesh.positions;
    const order = Array.from({ length: rest.length / 3 }, (_, i) => i).sort(() => random.next() - 0.5);
    const starts: Record<string, (i: number, axis: number) => number> = {
      random: (_, axis) => random.range(0, axis === 0 ? 3 : 1),
      swapped: (i, axis) => rest[3 * order[i / 3] + axis],
      mirrored: (i, axis) => (axis === 0 ? -rest[i] : rest[i + axis]),
      reversed: (i, axis) => (axis === 2 ? 1 - rest[i + 2] : rest[i + axis]),
      flat: (i, axis) => (axis === 2 ? 0.5 : rest[i + axis]),
      point: () => 0.5,
    };
    for (const [name, place] of Object.entries(starts)) {
      const body = new ElasticBody(mesh, { young: YOUNG, poisson, material });
      body.hold(mesh.nodesWhere(isFoot));
      for (let i = 0; i < rest.length; i += 3) {
        if (rest[i] > 0) for (let axis = 0; axis < 3; axis++) body.positions[i + axis] = place(i, axis);
      }
      expect(body.inverted).toBeGreaterThan(40);
      expect(body.solveStatic({ maxIterations: 400 }).status).toBe('converged');
      expect(body.inverted).toBe(0);
      let farthest = 0;
      body.positions.forEach((value, i) => {
        farthest = Math.max(farthest, Math.abs(value - rest[i]));
      });
      expect(farthest, name).toBeLessThan(1e-6);
    }
  });

  test('a tangled body keeps its own material when its equilibrium fails', () => {
    const mesh = bar(2, 2);
    const turnOver = (body: ElasticBody): void => {
      body.hold(mesh.nodesWhere(isFoot));
      for (let i = 0; i < body.positions.length; i += 3) body.positions[i] = -mesh.positions[i];
    };
    const [sound, failed] = [0, 1].map(() => new ElasticBody(mesh, { young: YOUNG, poisson: 0.4 }));
    turnOver(failed);
    const free = failed.loads.length - 1;
    failed.loads[free] = Number.NaN;
    expect(codeOf(() => failed.solveStatic())).toBe('non-finite');
    failed.loads[free] = 0;
    turnOver(sound);
    for (const body of [sound, failed]) {
      for (let i = 0; i < body.positions.length; i++) body.positions[i] = 1.1 * mesh.positions[i];
    }
    expect(failed.energy()).toEqual(sound.energy());
    for (const body of [sound, failed]) body.step(1 / 60, { integrator: 'euler' });
    expect(failed.positions).toEqual(sound.positions);
  });
});

describe('motion', () => {
  test('a body that nothing holds keeps its momenta, and its energy under the midpoint rule', () => {
    const mesh = tetrahedraGrid([3, 2, 2], [1.5, 1, 1]);
    const body = new ElasticBody(mesh, { young: 1e4, poisson: 0.4 });
    const random = createRandom(13);
    for (let i = 0; i < body.velocities.length; i++) body.velocities[i] = random.range(-1, 1);
    const [energy, momentum] = [body.energy().total, body.momentum()];
    for (let step = 0; step < 60; step++) body.step(1 / 240, { integrator: 'midpoint', tolerance: 1e-12 });
    const after = body.momentum();
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(after.linear[axis] - momentum.linear[axis])).toBeLessThan(1e-9 * body.mass);
      expect(Math.abs(after.angular[axis] - momentum.angular[axis])).toBeLessThan(1e-9 * body.mass);
    }
    expect(Math.abs(body.energy().total / energy - 1)).toBeLessThan(0.05);
  });

  test('a bar held at one end vibrates at c / 4 L, and does not fade', () => {
    // No cross contraction: a wave in one dimension. Its lowest mode is a quarter of a sine.
    const [length, density] = [4, 1000];
    const mesh = bar(length, 2);
    const period = (4 * length) / Math.sqrt(YOUNG / density);
    for (const mass of ['lumped', 'consistent'] as const) {
      const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0, density, mass, material: 'corotational' });
      body.hold(mesh.nodesWhere(isFoot));
      for (let i = 0; i < body.positions.length; i += 3) {
        body.positions[i] += 1e-3 * Math.sin((Math.PI * mesh.positions[i]) / (2 * length));
      }
      const tip = endOf(mesh, length);
      const steps = 40;
      const moves: number[] = [];
      for (let step = 0; step < 2.25 * steps; step++) {
        body.step(period / steps, { integrator: 'midpoint' });
        moves.push(meanMove(body, tip, 0));
      }
      // Zeros at a quarter, three quarters, five quarters of the period.
      const zeros = moves.flatMap((move, i) => {
        if (i === 0 || move < 0 === moves[i - 1] < 0) return [];
        return [i + moves[i - 1] / (moves[i - 1] - move)];
      });
      const measured = (zeros[zeros.length - 1] - zeros[0]) / ((zeros.length - 1) / 2) / steps;
      // The midpoint rule is slow by (ω h)² / 12, elements by less than one percent.
      expect(Math.abs(measured - 1)).toBeLessThan(0.012);
      expect(Math.max(...moves.slice(-steps))).toBeGreaterThan(0.99e-3);
    }
  });

  test.each([
    ['midpoint', 2],
    ['bdf2', 2],
    ['euler', 1],
  ] as const)('%s converges with the order %i', (integrator, order) => {
    const mesh = tetrahedraGrid([2, 1, 1], [1, 0.5, 0.5]);
    const run = (steps: number): Float64Array => {
      const body = new ElasticBody(mesh, { young: 1e4, poisson: 0.3, gravity: [0, -5, 1] });
      body.hold(mesh.nodesWhere(isFoot));
      for (let step = 0; step < steps; step++) body.step(0.1 / steps, { integrator, tolerance: 1e-12 });
      return body.positions;
    };
    const [coarse, middle, fine] = [run(16), run(32), run(64)];
    const distance = (a: Float64Array, b: Float64Array) => Math.hypot(...a.map((value, i) => value - b[i]));
    const measured = Math.log2(distance(coarse, middle) / distance(middle, fine));
    expect(measured).toBeGreaterThan(order - 0.25);
    expect(measured).toBeLessThan(order + 0.35);
  });

  test('energy does not grow at large steps, and Rayleigh damping takes the share it should', () => {
    const mesh = tetrahedraGrid([4, 1, 1], [4, 1, 1]);
    const body = new ElasticBody(mesh, { young: 1e5, poisson: 0.3 });
    body.hold(mesh.nodesWhere(isFoot));
    for (let i = 1; i < body.velocities.length; i += 3) body.velocities[i] = mesh.positions[i - 1];
    let energy = body.energy().total;
    for (let step = 0; step < 25; step++) {
      body.step(1 / 15);
      const now = body.energy().total;
      expect(now).toBeLessThan(1.001 * energy);
      energy = Math.max(now, 1e-12);
    }
    // Damping by mass alone: a free body slows by e^(−α t).
    const free = new ElasticBody(mesh, { young: 1e5, damping: { mass: 2 } });
    for (let i = 0; i < free.velocities.length; i += 3) free.velocities[i] = 1;
    for (let step = 0; step < 50; step++) free.step(0.01, { integrator: 'midpoint' });
    expect(free.velocities[0]).toBeCloseTo(Math.exp(-1), 4);
    // By stiffness alone a mode of frequency ω loses β ω² / 2 a second in amplitude; rigid motion loses nothing.
    const beta = 2e-3;
    const damped = new ElasticBody(mesh, {
      young: 1e5,
      poisson: 0,
      material: 'corotational',
      damping: { stiffness: beta },
    });
    for (let i = 1; i < damped.velocities.length; i += 3) damped.velocities[i] = 1;
    for (let step = 0; step < 20; step++) damped.step(0.01, { integrator: 'midpoint' });
    expect(damped.velocities[1]).toBeCloseTo(1, 9);
  });

  test('held nodes move as told and pull the body along', () => {
    const mesh = tetrahedraGrid([3, 1, 1], [3, 1, 1]);
    const body = new ElasticBody(mesh, { young: 1e6 });
    const foot = mesh.nodesWhere(isFoot);
    for (let step = 1; step <= 20; step++) {
      body.hold(
        foot,
        foot.flatMap((node) => [step * 0.01, mesh.positions[3 * node + 1], mesh.positions[3 * node + 2]]),
      );
      body.step(1 / 60);
      for (const node of foot) expect(body.positions[3 * node]).toBeCloseTo(step * 0.01, 12);
    }
    expect(meanMove(body, endOf(mesh, 3), 0)).toBeGreaterThan(0.1);
    body.release();
    const before = body.momentum().linear[0];
    body.step(1 / 60);
    expect(body.momentum().linear[0]).toBeCloseTo(before, 4);
  });

  test('eight quasi-Newton steps come near the converged motion', () => {
    const mesh = tetrahedraGrid([8, 2, 2], [4, 1, 1]);
    const make = (): ElasticBody => {
      const body = new ElasticBody(mesh, { young: 5e4, poisson: 0.4, gravity: [0, -9.81, 0] });
      body.hold(mesh.nodesWhere(isFoot));
      return body;
    };
    const [exact, fast] = [make(), make()];
    for (let step = 0; step < 30; step++) {
      exact.step(1 / 60);
      fast.step(1 / 60, { mode: 'real-time' });
    }
    const tip = endOf(mesh, 4);
    expect(Math.abs(meanMove(exact, tip, 1))).toBeGreaterThan(0.3);
    expect(Math.abs(meanMove(fast, tip, 1) / meanMove(exact, tip, 1) - 1)).toBeLessThan(0.03);
    expect(fast.inverted).toBe(0);
  });
});

test('refuses what it cannot use', () => {
  const mesh = tetrahedraGrid([1, 1, 1], [1, 1, 1]);
  expect(() => new ElasticBody(mesh, { young: 0 })).toThrow("Young's modulus");
  expect(() => new ElasticBody(mesh, { young: 1, poisson: 0.5 })).toThrow('0.49');
  expect(() => new ElasticBody({ ...mesh, elements: Uint32Array.of(1, 0, 2, 4) }, { young: 1 })).toThrow('volume');
  const body = new ElasticBody(mesh, { young: 1 });
  expect(() => body.hold([99])).toThrow('0 to 7');
  expect(() => body.hold([0], [Number.NaN, 0, 0])).toThrow('finite');
  expect(() => body.load([0, 1], [1, 0, 0])).toThrow('face');
  expect(() => body.step(0)).toThrow('timestep');
  body.positions[0] = Number.NaN;
  expect(() => body.step(0.1)).toThrow();
});
