import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { isPointOnTriangle } from '../../../src/mesh/triangle/point-on-triangle.js';
import { SolidAngleSum } from '../../../src/mesh/triangle/solid-angle.js';

const OCTANT = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Sign of the volume of three corners seen from a point, in whole numbers. */
function sideExactly(t: readonly number[], p: readonly number[]): number {
  const [a, b, c] = [0, 3, 6].map((i) => [0, 1, 2].map((k) => BigInt(t[i + k]) - BigInt(p[k])));
  const volume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return volume > 0n ? 1 : volume < 0n ? -1 : 0;
}

describe('SolidAngleSum', () => {
  test('is an eighth of the sphere for a triangle across an octant, and less for its reverse', () => {
    const sum = new SolidAngleSum();
    sum.add(OCTANT, 0, 1, 0, 0, 0);
    expect(sum.windings()).toBeCloseTo(1 / 8, 15);
    sum.add(OCTANT, 0, -1, 0, 0, 0);
    expect(sum.windings()).toBeCloseTo(0, 15);
    sum.add(OCTANT, 0, -1, 0, 0, 0);
    expect(sum.windings()).toBeCloseTo(-1 / 8, 15);
  });

  test('counts turns in both senses over any number of triangles', () => {
    for (const turn of [1, -1]) {
      const sum = new SolidAngleSum();
      for (let k = 1; k <= 100; k++) {
        sum.add(OCTANT, 0, turn, 0.3, 0.3, 0.3);
        sum.add(OCTANT, 0, turn, 0, 0, 0);
      }
      const near = new SolidAngleSum();
      near.add(OCTANT, 0, turn, 0.3, 0.3, 0.3);
      expect(sum.windings()).toBeCloseTo(100 * (near.windings() + turn / 8), 10);
    }
  });

  test('adds half a sphere for each triangle the point lies on, however many there are', () => {
    const sum = new SolidAngleSum();
    for (let k = 1; k <= 5; k++) {
      sum.add(OCTANT, 0, 1, 0.25, 0.25, 0.5);
      expect(sum.windings()).toBeCloseTo(k / 2, 12);
    }
    expect(sum.touches).toBe(true);
    sum.reset();
    expect(sum.touches).toBe(false);
    expect(sum.windings()).toBe(0);
  });

  test('knows the side of a point however near the triangle it is', () => {
    const random = createRandom(51);
    const whole = () => Math.round(random.range(-(2 ** 51), 2 ** 51));
    const seen = { '-1': 0, '0': 0, '1': 0 };
    for (let k = 0; k < 3000; k++) {
      const t = Array.from({ length: 9 }, whole);
      const weights = [random.range(0.1, 1), random.range(0.1, 1), random.range(0.1, 1)];
      const total = weights[0] + weights[1] + weights[2];
      // Within a unit of the plane, whose corners are 2⁵⁰ units apart: plain arithmetic cannot tell the side.
      const p = [0, 1, 2].map((axis) =>
        Math.round((weights[0] * t[axis] + weights[1] * t[3 + axis] + weights[2] * t[6 + axis]) / total),
      );
      const sum = new SolidAngleSum();
      sum.add(Float64Array.from(t), 0, 1, p[0], p[1], p[2]);
      const side = sideExactly(t, p);
      if (side !== 0) expect(Math.sign(sum.windings())).toBe(side);
      expect(Math.abs(sum.windings())).toBeCloseTo(0.5, 6);
      seen[`${side as -1 | 0 | 1}`]++;
    }
    expect(Math.min(seen['-1'], seen['1'])).toBeGreaterThan(1000);
  });

  test('gives next to nothing for triangles without area, however near the point is', () => {
    // A segment written as a triangle; beside it both parts of the quotient are rounding, which once read as half a sphere.
    const a = [-2.5749745017191197, -0.47154234479885204, -0.7876177952300487];
    const c = [0.29211265679482135, 2.3590560602708193, -1.6588699533614812];
    const flat = Float64Array.from([...a, ...a, ...c]);
    const sum = new SolidAngleSum();
    for (let n = 0; n < 400; n++) {
      const share = 0.3 + 0.001 * n;
      const off = 10 ** (-5 - (n % 10));
      const [x, y, z] = a.map((value, axis) => value + share * (c[axis] - value) + (axis === n % 3 ? off : 0));
      sum.reset();
      sum.add(flat, 0, 1, x, y, z);
      // The remainder is the rounding of one part over the smallest value of the other that counts.
      expect(Math.abs(sum.windings())).toBeLessThan(0.01);
      expect(sum.touches).toBe(false);
    }
  });
});

describe('isPointOnTriangle', () => {
  const on = (t: number[], p: number[]) => isPointOnTriangle(Float64Array.from(t), 0, p[0], p[1], p[2]);

  test('decides exactly for points of a grid, degenerate triangles included', () => {
    const random = createRandom(52);
    let hits = 0;
    for (let k = 0; k < 3000; k++) {
      // Barycentric weights in eighths of a triangle with corners in multiples of eight: whole points, known weights.
      const t = Array.from({ length: 9 }, () => 8 * (random.integer(9) - 4));
      if (k % 5 === 0) t.splice(6, 3, ...t.slice(0, 3));
      if (k % 50 === 0) t.splice(3, 3, ...t.slice(0, 3));
      const s = random.integer(13) - 2;
      const r = random.integer(13) - 2;
      const inside = s >= 0 && r >= 0 && s + r <= 8;
      const p = [0, 1, 2].map((i) => t[i] + (s * (t[3 + i] - t[i])) / 8 + (r * (t[6 + i] - t[i])) / 8);
      const normal = [0, 1, 2].map((i) => {
        const [u, v] = [(i + 1) % 3, (i + 2) % 3];
        return (t[3 + u] - t[u]) * (t[6 + v] - t[v]) - (t[3 + v] - t[v]) * (t[6 + u] - t[u]);
      });
      if (inside) expect(on(t, p)).toBe(true);
      // Outside by its weights is outside only where weights are unique.
      if (!inside && normal.some((x) => x !== 0)) expect(on(t, p)).toBe(false);
      if (normal.some((x) => x !== 0))
        expect(on(t, [p[0] + normal[0], p[1] + normal[1], p[2] + normal[2]])).toBe(false);
      if (inside) hits++;
    }
    expect(hits / 3000).toBeGreaterThan(0.2);
  });

  test('tells a segment from its line and its plane', () => {
    const segment = [0, 0, 0, 2, 2, 4, 1, 1, 2];
    expect(on(segment, [1, 1, 2])).toBe(true);
    expect(on(segment, [3, 3, 6])).toBe(false);
    expect(on(segment, [1, 1, 1])).toBe(false);
    expect(on(segment, [1, 0.5, 2])).toBe(false);
  });
});
