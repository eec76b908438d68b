import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ElasticBody } from '../../src/elastic/body/elastic-body.js';
import { ElasticElements } from '../../src/elastic/element/elastic-elements.js';
import { createMaterial } from '../../src/elastic/element/material.js';
import { buildPattern, multiplyBlocks } from '../../src/elastic/sparse/block-matrix.js';
import { type TetrahedraGrid, tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const YOUNG = 1e6;
const isFoot = (x: number): boolean => x < 1e-9;
const endOf = (mesh: TetrahedraGrid, length: number): number[] => mesh.nodesWhere((x) => x > length - 1e-9);
const meanMove = (body: ElasticBody, nodes: readonly number[], axis: number): number =>
  nodes.reduce((sum, node) => sum + body.positions[3 * node + axis] - body.mesh.positions[3 * node + axis], 0) /
  nodes.length;

test('inner nodes follow an affine motion of the surface exactly', () => {
  const mesh = tetrahedraGrid([2, 2, 2], [1, 1, 1]);
  const positions = mesh.positions.slice();
  const inner = mesh.nodesWhere((...p) => p.every((value) => value > 0.01 && value < 0.99));
  for (const node of inner) for (let axis = 0; axis < 3; axis++) positions[3 * node + axis] += 0.1 - 0.05 * axis;
  const options = { young: YOUNG, poisson: 0.4, element: 'quadratic' } as const;
  const body = new ElasticBody({ positions, elements: mesh.elements }, options);
  const map = ([x, y, z]: ArrayLike<number> & Iterable<number>) => [
    1.2 * x + 0.1 * y,
    0.9 * y - 0.2 * z,
    0.95 * z + 0.15 * x,
  ];
  const outer = mesh.nodesWhere((...p) => p.some((value) => value < 0.01 || value > 0.99));
  const rest = body.positions.slice();
  const at = (node: number) => map(rest.subarray(3 * node, 3 * node + 3));
  body.hold(outer, outer.flatMap(at));
  expect(body.solveStatic({ tolerance: 1e-12 }).status).not.toBe('iterations');
  const nodes = rest.length / 3;
  expect(nodes).toBeGreaterThan(positions.length);
  // Edges across the inside that join two held nodes are held too; all others have to find their place.
  for (let node = 0; node < nodes; node++) {
    at(node).forEach((value, axis) => {
      expect(Math.abs(body.positions[3 * node + axis] - value)).toBeLessThan(1e-9);
    });
  }
});

test.each(['stable-neo-hookean', 'st-venant-kirchhoff'] as const)(
  'stiffness of %s is the derivative of the forces',
  (name) => {
    const mesh = tetrahedraGrid([1, 1, 1], [1, 1.2, 0.8]);
    const elements = new ElasticElements(mesh, createMaterial(name, 3, 0.4), null, 'quadratic');
    const { rest, elements: nodes } = elements.shapes;
    const pattern = buildPattern({ positions: rest, elements: nodes }, 10);
    const matrix = new Float64Array(9 * pattern.columns.length);
    const n = rest.length;
    expect(n).toBe(3 * (8 + 18));
    const random = createRandom(2);
    for (let round = 0; round < 3; round++) {
      const x = rest.map((value) => value + random.range(-0.15, 0.15));
      matrix.fill(0);
      elements.addStiffness(x, pattern, matrix, false);
      const direction = Float64Array.from({ length: n }, () => random.normal());
      const image = new Float64Array(n);
      multiplyBlocks(pattern, matrix, direction, image);
      const at = (d: number): Float64Array => {
        const out = new Float64Array(n);
        elements.addGradient(
          x.map((value, i) => value + d * direction[i]),
          out,
        );
        return out;
      };
      const h = 1e-4;
      const [a, b, c, d] = [at(-2 * h), at(-h), at(h), at(2 * h)];
      image.forEach((value, i) => {
        const slope = (8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * h);
        expect(Math.abs(value - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
      });
      // The work of the forces is the change of the energy.
      const energies = [-2 * h, -h, h, 2 * h].map((s) =>
        elements.energy(x.map((value, i) => value + s * direction[i])),
      );
      const power = at(0).reduce((sum, value, i) => sum + value * direction[i], 0);
      const change = (8 * (energies[2] - energies[1]) - (energies[3] - energies[0])) / (12 * h);
      expect(Math.abs(power - change)).toBeLessThan(1e-7 * (1 + Math.abs(power)));
      matrix.fill(0);
      elements.addStiffness(x, pattern, matrix, true);
      for (let trial = 0; trial < 40; trial++) {
        for (let i = 0; i < n; i++) direction[i] = random.normal();
        multiplyBlocks(pattern, matrix, direction, image);
        expect(direction.reduce((sum, value, i) => sum + value * image[i], 0)).toBeGreaterThan(-1e-10);
      }
    }
  },
);

test('masses are those of the solid: a field of velocities x² has the energy of its integral', () => {
  const mesh = tetrahedraGrid([2, 1, 1], [1, 1, 1]);
  for (const mass of ['consistent', 'lumped'] as const) {
    const body = new ElasticBody(mesh, { young: 1, density: 30, mass, element: 'quadratic' });
    expect(body.mass).toBeCloseTo(30, 12);
    for (let i = 0; i < body.positions.length; i += 3) body.velocities[i] = body.positions[i] ** 2;
    if (mass === 'consistent') expect(body.energy().kinetic).toBeCloseTo(30 / 10, 12);
    else expect(body.energy().kinetic).toBeCloseTo(30 / 10, 0);
  }
});

test('a bar extends by F L / E A exactly, with the load spread over the middles of edges', () => {
  const mesh = tetrahedraGrid([3, 1, 1], [4, 1, 1]);
  const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0, material: 'linear', element: 'quadratic' });
  body.hold(mesh.nodesWhere(isFoot));
  body.load(endOf(mesh, 4), [250, 0, 0]);
  expect(body.solveStatic().status).toBe('converged');
  for (const node of endOf(mesh, 4)) expect(body.positions[3 * node]).toBeCloseTo(4 + (250 * 4) / YOUNG, 9);
});

test('beams bend as Timoshenko says within 0.3 % with one element across, and do not lock near incompressibility', () => {
  const ratio = (n: number, poisson: number): number => {
    const mesh = tetrahedraGrid([8 * n, n, n], [8, 1, 1]);
    const body = new ElasticBody(mesh, { young: YOUNG, poisson, element: 'quadratic' });
    body.hold(mesh.nodesWhere(isFoot));
    body.load(endOf(mesh, 8), [0, 0.01, 0]);
    expect(body.solveStatic().status).toBe('converged');
    // Bending, and shear with the factor of Cowper 1966.
    const exact = (0.01 / YOUNG) * (4 * 8 ** 3 + (8 * (12 + 11 * poisson)) / 5);
    return meanMove(body, endOf(mesh, 8), 1) / exact;
  };
  const [coarse, fine] = [ratio(1, 0), ratio(2, 0)];
  expect(Math.abs(coarse - 1)).toBeLessThan(3e-3);
  expect(Math.abs(fine - 1)).toBeLessThan(3e-4);
  // The clamped end cannot contract, which beam theory leaves out: 1 % at ν = 0.3, more near incompressibility.
  expect(ratio(2, 0.3)).toBeGreaterThan(0.985);
  expect(ratio(2, 0.49)).toBeGreaterThan(0.94);
});

test('a strip under a large load takes the shape of the elastica', () => {
  // F L² / E I = 1 (Bisshopp and Drucker 1945), without regard to shear: 0.1 % for this strip.
  const mesh = tetrahedraGrid([16, 1, 1], [20, 0.5, 1]);
  const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0, element: 'quadratic' });
  const tip = endOf(mesh, 20);
  body.hold(mesh.nodesWhere(isFoot));
  body.load(tip, [0, (YOUNG * 0.5 ** 3) / 12 / 400, 0]);
  expect(body.solveStatic().status).toBe('converged');
  expect(meanMove(body, tip, 1) / 20).toBeCloseTo(0.3017, 2);
  expect(meanMove(body, tip, 0) / 20).toBeCloseTo(-0.0564, 2);
});

test('a rod twists as Saint-Venant says, the nearer the finer, by the square of the size at least', () => {
  const [poisson, angle] = [0.25, 1e-3];
  const stiffness = (length: number, n: number): number => {
    const mesh = tetrahedraGrid([length * n, n, n], [length, 1, 1]);
    const body = new ElasticBody(mesh, { young: YOUNG, poisson, material: 'linear', element: 'quadratic' });
    const ends = [...mesh.nodesWhere(isFoot), ...endOf(mesh, length)];
    const places = ends.flatMap((node) => {
      const [x, y, z] = mesh.positions.subarray(3 * node, 3 * node + 3);
      const turn = x > 1 ? angle : 0;
      return [x, y - turn * (z - 0.5), z + turn * (y - 0.5)];
    });
    body.hold(ends, places);
    body.solveStatic();
    return (2 * body.energy().elastic) / angle ** 2;
  };
  const exact = (0.140577 * YOUNG) / (2 * (1 + poisson));
  const [coarse, fine] = [1, 2].map((n) => 3 / (1 / stiffness(6, n) - 1 / stiffness(3, n)) / exact);
  expect(fine).toBeGreaterThan(1);
  expect(fine).toBeLessThan(1.04);
  expect(Math.log2((coarse - 1) / (fine - 1))).toBeGreaterThan(2);
});

test('a bar vibrates at c / 4 L, and keeps its momenta where nothing holds it', () => {
  const [length, density] = [4, 1000];
  const mesh = tetrahedraGrid([3, 1, 1], [length, 1, 1]);
  const period = (4 * length) / Math.sqrt(YOUNG / density);
  const body = new ElasticBody(mesh, { young: YOUNG, poisson: 0, density, mass: 'consistent', element: 'quadratic' });
  body.hold(mesh.nodesWhere(isFoot));
  for (let i = 0; i < body.positions.length; i += 3) {
    body.positions[i] += 1e-3 * Math.sin((Math.PI * body.positions[i]) / (2 * length));
  }
  const steps = 40;
  const tip = endOf(mesh, length);
  let [last, zero] = [1, 0];
  for (let step = 1; step <= steps && zero === 0; step++) {
    body.step(period / steps, { integrator: 'midpoint' });
    const now = meanMove(body, tip, 0);
    if (now < 0) zero = step - now / (now - last);
    last = now;
  }
  // The midpoint rule is slow by (ω h)² / 12 = 0.2 %.
  expect(Math.abs((4 * zero) / steps - 1)).toBeLessThan(0.006);

  for (const mode of ['converged', 'real-time'] as const) {
    const free = new ElasticBody(mesh, { young: 1e4, poisson: 0.4, element: 'quadratic' });
    const random = createRandom(13);
    for (let i = 0; i < free.velocities.length; i++) free.velocities[i] = random.range(-0.1, 0.1);
    const before = free.momentum();
    for (let step = 0; step < 10; step++) free.step(1 / 240, { integrator: 'midpoint', tolerance: 1e-12, mode });
    const after = free.momentum();
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(after.linear[axis] - before.linear[axis])).toBeLessThan(1e-9 * free.mass);
      if (mode === 'converged')
        expect(Math.abs(after.angular[axis] - before.angular[axis])).toBeLessThan(1e-9 * free.mass);
    }
  }
});
