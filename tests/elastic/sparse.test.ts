import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { buildPattern, multiplyBlocks, multiplyScalars } from '../../src/elastic/sparse/block-matrix.js';
import { ConjugateGradients } from '../../src/elastic/sparse/conjugate-gradients.js';
import { eliminationOrder, eliminationTree, invertOrder } from '../../src/elastic/sparse/elimination-order.js';
import { minimumDegree } from '../../src/elastic/sparse/minimum-degree.js';
import { nestedDissection } from '../../src/elastic/sparse/nested-dissection.js';
import { SparseCholesky } from '../../src/elastic/sparse/sparse-cholesky.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const mesh = tetrahedraGrid([9, 8, 7], [9, 8, 7]);
const pattern = buildPattern(mesh);

/** Random symmetric, with a diagonal that makes it definite. */
function randomMatrix(seed: number): Float64Array {
  const random = createRandom(seed);
  const values = new Float64Array(pattern.columns.length);
  for (let row = 0; row < pattern.nodes; row++) {
    for (let p = pattern.rowStart[row]; p < pattern.rowStart[row + 1]; p++) {
      const column = pattern.columns[p];
      if (column >= row) continue;
      const value = random.range(-1, 1);
      values[p] = value;
      for (let q = pattern.rowStart[column]; q < pattern.rowStart[column + 1]; q++) {
        if (pattern.columns[q] === row) values[q] = value;
      }
    }
    values[pattern.diagonal[row]] = 20;
  }
  return values;
}

test('the pattern has a place for each pair of nodes of an element, once', () => {
  const pairs = new Set<string>();
  let wrong = 0;
  for (let e = 0; e < mesh.elements.length; e += 4) {
    for (let k = 0; k < 16; k++) {
      const [a, b] = [mesh.elements[e + (k >> 2)], mesh.elements[e + (k & 3)]];
      pairs.add(`${a},${b}`);
      const place = pattern.places[4 * e + k];
      if (pattern.columns[place] !== b || place < pattern.rowStart[a] || place >= pattern.rowStart[a + 1]) wrong++;
    }
  }
  expect(wrong).toBe(0);
  expect(pattern.columns.length).toBe(pairs.size);
});

test.each([
  ['halves', (): Int32Array => nestedDissection(pattern, mesh.positions)],
  ['degrees', (): Int32Array => minimumDegree(pattern)],
  ['the better of both', (): Int32Array => eliminationOrder(pattern, mesh.positions)],
])('the order of elimination by %s is a permutation, and fills less than the given one', (_, find) => {
  const order = find();
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: pattern.nodes }, (_, i) => i));
  const natural = Int32Array.from({ length: pattern.nodes }, (_, i) => i);
  const filled = new SparseCholesky(pattern.rowStart, pattern.columns, order).entries;
  expect(filled).toBeLessThan(0.8 * new SparseCholesky(pattern.rowStart, pattern.columns, natural).entries);
});

test('orders are chosen by their fill, and children come just before their parents', () => {
  const bodies = [tetrahedraGrid([60, 3, 3], [60, 3, 3]), tetrahedraGrid([12, 12, 12], [1, 1, 1])];
  for (const body of bodies) {
    const own = buildPattern(body);
    const entries = (order: Int32Array): number => new SparseCholesky(own.rowStart, own.columns, order).entries;
    const order = eliminationOrder(own, body.positions);
    const [halves, degrees] = [entries(nestedDissection(own, body.positions)), entries(minimumDegree(own))];
    expect(entries(order)).toBe(Math.min(halves, degrees));
    const parents = eliminationTree(own, order, invertOrder(order));
    // The row before the parent of several is the last of its children.
    parents.forEach((parent, k) => {
      if (parent > k + 1) expect(parents[parent - 1]).toBe(parent);
    });
  }
});

test('factors solve, one right-hand side or three, and refuse a matrix that is not definite', () => {
  const values = randomMatrix(1);
  const n = pattern.nodes;
  const cholesky = new SparseCholesky(pattern.rowStart, pattern.columns, minimumDegree(pattern));
  expect(cholesky.factor(values)).toBe(true);
  const random = createRandom(2);
  const wanted = Float64Array.from({ length: 3 * n }, () => random.normal());
  const right = new Float64Array(3 * n);
  multiplyScalars(pattern, values, wanted, right);
  const found = new Float64Array(3 * n);
  cholesky.solveThree(right, found);
  found.forEach((value, i) => {
    expect(Math.abs(value - wanted[i])).toBeLessThan(1e-12);
  });
  const one = right.filter((_, i) => i % 3 === 1);
  cholesky.solve(one, one);
  one.forEach((value, i) => {
    expect(Math.abs(value - wanted[3 * i + 1])).toBeLessThan(1e-12);
  });
  // The same object again, with other numbers.
  values[pattern.diagonal[7]] = -5;
  expect(cholesky.factor(values)).toBe(false);
  values[pattern.diagonal[7]] = 25;
  expect(cholesky.factor(values)).toBe(true);
});

test('conjugate gradients solve blocks to the tolerance, and say where the matrix curves down', () => {
  const scalars = randomMatrix(3);
  const blocks = new Float64Array(9 * scalars.length);
  scalars.forEach((value, k) => {
    for (let i = 0; i < 3; i++) blocks[9 * k + 4 * i] = value;
  });
  const size = 3 * pattern.nodes;
  const random = createRandom(4);
  const b = Float64Array.from({ length: size }, () => random.normal());
  const x = new Float64Array(size);
  const solver = new ConjugateGradients(size);
  const apply = (from: Float64Array, to: Float64Array) => multiplyBlocks(pattern, blocks, from, to);
  const same = (from: Float64Array, to: Float64Array) => to.set(from);
  expect(solver.solve(apply, same, b, x, 1e-10, 1000)).toBeLessThan(200);
  const image = new Float64Array(size);
  apply(x, image);
  expect(Math.hypot(...image.map((value, i) => value - b[i]))).toBeLessThan(2e-10 * Math.hypot(...b));
  expect(solver.metNegative).toBe(false);
  blocks.fill(-1);
  solver.solve(apply, same, b, x, 1e-10, 10);
  expect(solver.metNegative).toBe(true);
});
