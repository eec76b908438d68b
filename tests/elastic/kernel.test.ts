import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ElasticElements } from '../../src/elastic/element/elastic-elements.js';
import { createMaterial, lameConstants } from '../../src/elastic/element/material.js';
import { Viscosity } from '../../src/elastic/element/viscosity.js';
import { KERNEL_SOURCE } from '../../src/elastic/kernel/elastic-kernel-code.js';
import { PanelSolver } from '../../src/elastic/kernel/panel-solver.js';
import { buildPattern, multiplyBlocks, multiplyScalars } from '../../src/elastic/sparse/block-matrix.js';
import { nestedDissection } from '../../src/elastic/sparse/nested-dissection.js';
import { SparseCholesky } from '../../src/elastic/sparse/sparse-cholesky.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

test('the kernel is that of its source', () => {
  const source = readFileSync(new URL('../../assembly/elastic-kernel.ts', import.meta.url));
  // If this fails: node scripts/build-kernel.mjs
  expect(KERNEL_SOURCE).toBe(createHash('sha256').update(source).digest('hex'));
});

test.each([0, 1e-9, 0.02, 0.3, 3])(
  'forces of many elements are those of the material, at displacements of %d',
  (far) => {
    const mesh = tetrahedraGrid([9, 3, 3], [9, 3, 3]);
    expect(mesh.elements.length / 4).toBe(405);
    const material = createMaterial('stable-neo-hookean', 3, 0.4);
    const elements = new ElasticElements(mesh, material, null);
    const random = createRandom(5);
    const x = mesh.positions.map((value) => value + far * random.range(-1, 1));
    const wanted = new Float64Array(x.length);
    const [f, p] = [new Float64Array(9), new Float64Array(9)];
    let energy = 0;
    for (let e = 0; e < elements.volumes.length; e++) {
      elements.writeGradient(x, e, f);
      energy += elements.volumes[e] * material.energy(f);
      material.stress(f, p);
      for (let i = 0; i < 12; i++) {
        const g = elements.gradients.subarray(12 * e + 3 * Math.floor(i / 3));
        const row = 3 * (i % 3);
        const force = p[row] * g[0] + p[row + 1] * g[1] + p[row + 2] * g[2];
        wanted[3 * mesh.elements[4 * e + Math.floor(i / 3)] + (i % 3)] += elements.volumes[e] * force;
      }
    }
    const found = new Float64Array(x.length).fill(2);
    const sum = elements.addGradient(x, found);
    const largest = Math.max(1, ...wanted.map(Math.abs));
    // Rounding of F, 1e-16, costs an energy its root times as much.
    expect(Math.abs(sum - energy)).toBeLessThan(1e-12 * energy + 1e-16 * Math.sqrt(energy) + 1e-30);
    found.forEach((value, i) => {
      expect(Math.abs(value - 2 - wanted[i])).toBeLessThan(1e-13 * largest);
    });
  },
);

test.each([0, 0.1, 0.8])('damped forces are those of the matrix of viscosity, in a shape deformed by %d', (far) => {
  // An odd number of elements: the last pair has one.
  const mesh = tetrahedraGrid([9, 3, 3], [9, 3, 3]);
  const elements = new ElasticElements(mesh, createMaterial('stable-neo-hookean', 3, 0.4), null);
  const { mu, lambda } = lameConstants(3, 0.4);
  const viscosity = new Viscosity(mu, lambda, true);
  const random = createRandom(8);
  const shape = mesh.positions.map((value) => value + far * random.range(-1, 1));
  const start = shape.map((value) => value + 0.1 * random.range(-1, 1));
  const x = shape.map((value) => value + 0.1 * random.range(-1, 1));
  const pattern = buildPattern(mesh);
  const matrix = new Float64Array(9 * pattern.columns.length);
  viscosity.add(elements, shape, pattern, matrix);
  const away = x.map((value, i) => value - start[i]);
  const wanted = new Float64Array(x.length);
  multiplyBlocks(pattern, matrix, away, wanted);
  const work = away.reduce((sum, value, i) => sum + value * wanted[i], 0);
  wanted.forEach((value, i) => {
    wanted[i] = 0.3 * value;
  });
  const energy = elements.addGradient(x, wanted) + (0.3 / 2) * work;
  expect(elements.beginDamping(shape, start, viscosity)).toBe(true);
  const found = new Float64Array(x.length);
  expect(Math.abs(elements.addDampedGradient(x, found, viscosity, 0.3) - energy)).toBeLessThan(1e-12 * energy);
  const largest = Math.max(...wanted.map(Math.abs));
  found.forEach((value, i) => {
    expect(Math.abs(value - wanted[i])).toBeLessThan(1e-12 * largest);
  });
});

test('panels solve as the factor they are made of, within single precision, for numbers of any size', () => {
  const mesh = tetrahedraGrid([12, 5, 4], [12, 5, 4]);
  const pattern = buildPattern(mesh);
  const values = new Float64Array(pattern.columns.length);
  const random = createRandom(6);
  const sizes = Float64Array.from({ length: pattern.nodes }, () => 10 ** random.range(-15, 15));
  const fill = (): void => {
    for (let row = 0; row < pattern.nodes; row++) {
      for (let k = pattern.rowStart[row]; k < pattern.rowStart[row + 1]; k++) {
        const column = pattern.columns[k];
        values[k] = (column === row ? 20 + row / pattern.nodes : -1) * sizes[row] * sizes[column];
      }
    }
  };
  fill();
  const cholesky = new SparseCholesky(pattern.rowStart, pattern.columns, nestedDissection(pattern, mesh.positions));
  expect(cholesky.factor(values)).toBe(true);
  const panels = PanelSolver.create(cholesky.columns);
  if (panels === null) throw new Error('There is no WebAssembly.');
  const x = Float64Array.from({ length: 3 * pattern.nodes }, (_, i) => random.normal() / sizes[Math.floor(i / 3)]);
  const b = new Float64Array(x.length);
  const check = (): void => {
    multiplyScalars(pattern, values, x, b);
    panels.solveThree(b, b);
    b.forEach((value, i) => {
      expect(Math.abs(value - x[i]) * sizes[Math.floor(i / 3)]).toBeLessThan(1e-5);
    });
  };
  check();
  // Other numbers in the same pattern.
  sizes.fill(1e12);
  fill();
  expect(cholesky.factor(values)).toBe(true);
  panels.refresh();
  for (let i = 0; i < x.length; i++) x[i] = random.normal() * 1e-12;
  check();
  panels.solveThree(new Float64Array(x.length), b);
  expect(b.every((value) => value === 0)).toBe(true);
});
