import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.js';
import { ElasticElements } from '../../src/elastic/element/elastic-elements.js';
import { createMaterial, MATERIALS } from '../../src/elastic/element/material.js';
import { SignedSvd } from '../../src/elastic/element/signed-svd.js';
import { buildPattern, multiplyBlocks } from '../../src/elastic/sparse/block-matrix.js';
import { tetrahedraGrid } from '../generators/tetrahedra-grid.js';

const YOUNG = 3;
const POISSON = 0.4;

function product(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 9 }, (_, i) => {
    const [r, c] = [3 * Math.floor(i / 3), i % 3];
    return a[r] * b[c] + a[r + 1] * b[3 + c] + a[r + 2] * b[6 + c];
  });
}

function rotation(random: Random): Float64Array {
  const [x, y, z, w] = random.rotation();
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  );
}

/** A gradient with given singular values, or random ones from squeezed to stretched, one in four inverted. */
function gradient(random: Random, sigma?: readonly number[]): Float64Array {
  const s = sigma ?? [
    random.range(0.3, 2),
    random.range(0.3, 2),
    random.range(0.3, 2) * (random.next() < 0.25 ? -1 : 1),
  ];
  return product(product(rotation(random), [s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]]), rotation(random));
}

test('the signed decomposition is one, for any matrix', () => {
  const random = createRandom(3);
  const svd = new SignedSvd();
  const special = [
    ...[
      [1, 1, 1],
      [2, 2, 0.5],
      [1, 1, -1],
      [1, 0, 0],
      [0, 0, 0],
      [1, 1e-9, 0],
      [1e-100, 1e-100, 1e-100],
      [1e5, 1, 1e-5],
    ],
  ];
  for (let i = 0; i < 2000; i++) {
    const f = gradient(random, special[i % 20]);
    svd.decompose(f);
    const { u, v, sigma } = svd;
    const scale = Math.max(...f.map(Math.abs));
    const transposed = [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => v[k]);
    const back = product(product(u, [sigma[0], 0, 0, 0, sigma[1], 0, 0, 0, sigma[2]]), transposed);
    back.forEach((value, k) => {
      expect(Math.abs(value - f[k])).toBeLessThanOrEqual(3e-8 * scale);
    });
    for (const q of [u, v]) {
      const square = product(
        q,
        [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => q[k]),
      );
      square.forEach((value, k) => {
        expect(Math.abs(value - (k % 4 === 0 ? 1 : 0))).toBeLessThan(1e-12);
      });
      const det =
        q[0] * (q[4] * q[8] - q[5] * q[7]) - q[1] * (q[3] * q[8] - q[5] * q[6]) + q[2] * (q[3] * q[7] - q[4] * q[6]);
      expect(det).toBeCloseTo(1, 12);
    }
    expect(sigma[0]).toBeGreaterThanOrEqual(sigma[1] * (1 - 1e-9));
  }
});

describe.each(MATERIALS)('%s', (name) => {
  const material = createMaterial(name, YOUNG, POISSON);

  test('stress is the derivative of the energy', () => {
    const random = createRandom(11);
    const stress = new Float64Array(9);
    for (let i = 0; i < 200; i++) {
      const f = gradient(random);
      // The kink of corotational energy, where singular values cancel, has no derivative.
      if (name === 'corotational' && isInverted(f)) continue;
      material.stress(f, stress);
      for (let k = 0; k < 9; k++) {
        const h = 1e-5;
        const at = (d: number) => material.energy(f.map((value, n) => (n === k ? value + d : value)));
        const slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
        expect(Math.abs(stress[k] - slope)).toBeLessThan(1e-8 * (1 + Math.abs(slope)));
      }
    }
  });

  test('rest has no energy and no stress, and small strain is that of the moduli', () => {
    const stress = new Float64Array(9);
    const unit = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    expect(Math.abs(material.energy(unit))).toBeLessThan(1e-14);
    material.stress(unit, stress);
    for (const value of stress) expect(Math.abs(value)).toBeLessThan(1e-14);
    // A bar pulled by 1e-6 that narrows by Poisson's ratio: stress along it only, Young's modulus times the strain.
    const strain = 1e-6;
    const across = 1 - POISSON * strain;
    material.stress(Float64Array.of(1 + strain, 0, 0, 0, across, 0, 0, 0, across), stress);
    expect(stress[0] / strain).toBeCloseTo(YOUNG, 4);
    expect(Math.abs(stress[4] / strain)).toBeLessThan(1e-4);
    // Shear.
    material.stress(Float64Array.of(1, strain, 0, 0, 1, 0, 0, 0, 1), stress);
    expect(stress[1] / strain).toBeCloseTo(YOUNG / (2 * (1 + POISSON)), 4);
  });

  test('rotation costs nothing but for linear strain', () => {
    const random = createRandom(5);
    const turned = new Float64Array(9);
    const stress = new Float64Array(9);
    let worst = 0;
    for (let i = 0; i < 200; i++) {
      const f = gradient(random);
      if (name === 'corotational' && isInverted(f)) continue;
      const q = rotation(random);
      worst = Math.max(worst, Math.abs(material.energy(product(q, f)) - material.energy(f)));
      material.stress(f, stress);
      const wanted = product(q, stress);
      material.stress(product(q, f), turned);
      for (let k = 0; k < 9; k++) worst = Math.max(worst, Math.abs(turned[k] - wanted[k]));
    }
    if (name === 'linear') expect(worst).toBeGreaterThan(0.1);
    else expect(worst).toBeLessThan(name === 'corotational' ? 1e-6 : 1e-11);
  });

  test('stiffness is the derivative of the forces, symmetric, and projected it has no negative direction', () => {
    const random = createRandom(23);
    const mesh = tetrahedraGrid([1, 1, 1], [1, 1.2, 0.8]);
    const elements = new ElasticElements(mesh, material, null);
    const pattern = buildPattern(mesh);
    const matrix = new Float64Array(9 * pattern.columns.length);
    const n = mesh.positions.length;
    let negative = 0;
    for (let round = 0; round < 12; round++) {
      // Corotational elements keep their side: at the kink they have no derivative.
      const spread = name === 'corotational' ? 0.15 : 0.4;
      // The last is squeezed: there the energy of St. Venant and Kirchhoff curves down.
      const squeeze = round === 11 && name !== 'corotational' ? 0.4 : 1;
      const x = mesh.positions.map((value) => squeeze * (value + random.range(-spread, spread)));
      matrix.fill(0);
      elements.addStiffness(x, pattern, matrix, false);
      const [column, unit] = [new Float64Array(n), new Float64Array(n)];
      for (let k = 0; k < n; k++) {
        unit.fill(0);
        unit[k] = 1;
        multiplyBlocks(pattern, matrix, unit, column);
        const at = (d: number): Float64Array => {
          const out = new Float64Array(n);
          elements.addGradient(
            x.map((value, i) => (i === k ? value + d : value)),
            out,
          );
          return out;
        };
        const h = 1e-4;
        const [a, b, c, d] = [at(-2 * h), at(-h), at(h), at(2 * h)];
        for (let i = 0; i < n; i++) {
          const slope = (8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * h);
          expect(Math.abs(column[i] - slope)).toBeLessThan(1e-6 * (1 + Math.abs(slope)));
        }
      }
      const probe = Float64Array.from({ length: n }, () => random.normal());
      const image = new Float64Array(n);
      for (let trial = 0; trial < 40; trial++) {
        for (let i = 0; i < n; i++) probe[i] = random.normal();
        multiplyBlocks(pattern, matrix, probe, image);
        if (probe.reduce((sum, value, i) => sum + value * image[i], 0) < 0) negative++;
      }
      matrix.fill(0);
      elements.addStiffness(x, pattern, matrix, true);
      for (let trial = 0; trial < 40; trial++) {
        for (let i = 0; i < n; i++) probe[i] = random.normal();
        multiplyBlocks(pattern, matrix, probe, image);
        expect(probe.reduce((sum, value, i) => sum + value * image[i], 0)).toBeGreaterThan(-1e-10);
      }
    }
    if (name === 'st-venant-kirchhoff') expect(negative).toBeGreaterThan(0);
  });

  test('forces of elements sum to zero, and their moments too unless strain is linear', () => {
    const random = createRandom(31);
    const mesh = tetrahedraGrid([2, 2, 2], [1, 1, 1]);
    const elements = new ElasticElements(mesh, material, null);
    const x = mesh.positions.map((value) => value + random.range(-0.1, 0.1));
    const g = new Float64Array(x.length);
    elements.addGradient(x, g);
    const sum = [0, 0, 0];
    const moment = [0, 0, 0];
    for (let i = 0; i < x.length; i += 3) {
      for (let a = 0; a < 3; a++) {
        const [b, c] = [(a + 1) % 3, (a + 2) % 3];
        sum[a] += g[i + a];
        moment[a] += x[i + b] * g[i + c] - x[i + c] * g[i + b];
      }
    }
    expect(Math.hypot(...sum)).toBeLessThan(1e-14);
    if (name === 'linear') expect(Math.hypot(...moment)).toBeGreaterThan(1e-4);
    else expect(Math.hypot(...moment)).toBeLessThan(name === 'corotational' ? 1e-8 : 1e-14);
  });
});

function isInverted(f: Float64Array): boolean {
  return (
    f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) + f[2] * (f[3] * f[7] - f[4] * f[6]) < 0
  );
}
