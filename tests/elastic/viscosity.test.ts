import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { ElasticElements } from '../../src/elastic/element/elastic-elements.js';
import { createMaterial, lameConstants, MATERIALS } from '../../src/elastic/element/material.js';
import { Viscosity } from '../../src/elastic/element/viscosity.js';
import { buildPattern, multiplyBlocks } from '../../src/elastic/sparse/block-matrix.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const [YOUNG, POISSON] = [3, 0.4];
const { mu, lambda } = lameConstants(YOUNG, POISSON);
const mesh = tetrahedraGrid([2, 1, 1], [2, 1.2, 0.8]);

function setUp(element: 'linear' | 'quadratic', name: (typeof MATERIALS)[number] = 'stable-neo-hookean') {
  const elements = new ElasticElements(mesh, createMaterial(name, YOUNG, POISSON), null, element);
  const { rest, nodesPerElement } = elements.shapes;
  const pattern = buildPattern({ positions: rest, elements: elements.shapes.elements }, nodesPerElement);
  const matrixAt = (x: Float64Array): Float64Array => {
    const out = new Float64Array(9 * pattern.columns.length);
    new Viscosity(mu, lambda, name !== 'linear').add(elements, x, pattern, out);
    return out;
  };
  return { elements, pattern, rest, matrixAt };
}

test.each(MATERIALS)('at rest it is the stiffness, %s', (name) => {
  for (const element of ['linear', 'quadratic'] as const) {
    const { elements, pattern, rest, matrixAt } = setUp(element, name);
    const stiffness = new Float64Array(9 * pattern.columns.length);
    elements.addStiffness(rest, pattern, stiffness, false);
    const largest = Math.max(...stiffness);
    matrixAt(rest).forEach((value, i) => {
      expect(Math.abs(value - stiffness[i])).toBeLessThan(1e-12 * largest);
    });
  }
});

test.each(['linear', 'quadratic'] as const)(
  'it is symmetric, has no negative direction, and leaves rigid motions of any shape alone, %s elements',
  (element) => {
    const random = createRandom(5);
    const { pattern, rest, matrixAt } = setUp(element);
    let inverted = 0;
    for (let round = 0; round < 40; round++) {
      // In the first none is near to flat, of the others some are turned inside out.
      const spread = round >= 20 ? 0.6 : element === 'linear' ? 0.15 : 0.04;
      const x = rest.map((value) => value + random.range(-spread, spread));
      const matrix = matrixAt(x);
      const apply = (v: Float64Array): Float64Array => {
        const out = new Float64Array(v.length);
        multiplyBlocks(pattern, matrix, v, out);
        return out;
      };
      const sum = (a: Float64Array, b: Float64Array): number => a.reduce((total, value, i) => total + value * b[i], 0);
      const [v, w] = [x.map(() => random.normal()), x.map(() => random.normal())];
      const size = sum(v, apply(v));
      expect(size).toBeGreaterThan(0);
      expect(Number.isFinite(size)).toBe(true);
      expect(Math.abs(sum(v, apply(w)) - sum(w, apply(v)))).toBeLessThan(1e-10 * size);
      const turn = [random.normal(), random.normal(), random.normal()];
      const rigid = x.map((_, i) => {
        const [node, k] = [i - (i % 3), i % 3];
        const [j, l] = [(k + 1) % 3, (k + 2) % 3];
        return turn[k] + turn[j] * x[node + l] - turn[l] * x[node + j];
      });
      const force = Math.max(...apply(rigid).map(Math.abs));
      // Elements that are nearly flat or turned inside out count as undeformed, and feel a rotation.
      if (round < 20) expect(force).toBeLessThan(1e-10 * size);
      else if (force > 1e-6 * size) inverted++;
    }
    expect(inverted).toBeGreaterThan(5);
  },
);
