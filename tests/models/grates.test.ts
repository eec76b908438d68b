import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSelfIntersections } from '../../src/mesh/report/self-intersections.js';
import { grateLarge, grateSmall } from '../../src/models/objects/grates.js';
import { share } from '../generators/polygons.js';
import { surfaceStructure } from '../oracles/closed-manifold.js';
import { crossingTriangles } from '../oracles/crossing-triangles.js';

interface Sizes {
  columns: number;
  rows: number;
  bar: number;
  gap: number;
  overhang: number;
  depth: number;
  quartered: number;
}

const defaultsOf = (model: typeof grateSmall): Sizes =>
  Object.fromEntries(
    Object.entries(model.parameters).map(([name, parameter]) => [name, parameter.default]),
  ) as unknown as Sizes;

const length = fc.oneof(
  share.map((value) => 0.001 + 9.999 * value),
  fc.constantFrom(0.001, 0.5, 10),
);
const sizes: fc.Arbitrary<Sizes> = fc.record({
  columns: fc.integer({ min: 2, max: 7 }),
  rows: fc.integer({ min: 2, max: 7 }),
  bar: length,
  gap: length,
  overhang: length,
  depth: length,
  quartered: fc.integer({ min: 0, max: 2 }),
});

/** The bars as boxes: least and greatest x, y of each. */
function barsOf({ columns, rows, bar, gap, overhang }: Sizes): number[][] {
  const width = columns * bar + (columns - 1) * gap;
  const height = rows * bar + (rows - 1) * gap;
  const bars: number[][] = [];
  for (let i = 0; i < columns; i++) {
    const x = i * (bar + gap) - width / 2;
    bars.push([x, -height / 2 - overhang, x + bar, height / 2 + overhang]);
  }
  for (let j = 0; j < rows; j++) {
    const y = j * (bar + gap) - height / 2;
    bars.push([-width / 2, y, width / 2, y + bar]);
  }
  return bars;
}

/** The area of the union of upright and level bars: both, less the crossings that were counted twice. */
function unionArea({ columns, rows, bar, gap, overhang }: Sizes): number {
  const upright = rows * bar + (rows - 1) * gap + 2 * overhang;
  const level = columns * bar + (columns - 1) * gap;
  return columns * bar * upright + rows * bar * level - columns * rows * bar * bar;
}

describe.each([
  ['grate-small', grateSmall, 444, 12],
  ['grate-large', grateLarge, 1134, 36],
] as const)('%s', (name, model, triangles, openings) => {
  const { positions, indices } = model.build();
  const structure = surfaceStructure(positions, indices);

  test('has exactly as many triangles as that of Kim et al. 2002', () => {
    expect(model.name).toBe(name);
    expect(indices.length / 3).toBe(triangles);
  });

  test('is a closed manifold with one handle per opening, free of slivers', () => {
    expect(structure).toMatchObject({ faults: [], components: 1, genus: openings });
    expect(structure.thinnest).toBeGreaterThan(0.3);
  });

  test('cuts itself nowhere', () => {
    expect(crossingTriangles(positions, indices)).toEqual([]);
    expect(findSelfIntersections({ positions, indices }).count).toBe(0);
  });

  test('is centered, every vertex mirrored exactly', () => {
    const places = new Set<string>();
    for (let i = 0; i < positions.length; i += 3)
      places.add(`${positions[i] + 0},${positions[i + 1] + 0},${positions[i + 2]}`);
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = positions.subarray(i, i + 3);
      expect(places.has(`${0 - x},${y + 0},${z}`) && places.has(`${x + 0},${0 - y},${z}`)).toBe(true);
    }
  });

  test('holds the points its bars hold and no other', () => {
    const given = defaultsOf(model);
    const bars = barsOf(given);
    const right = bars[bars.length - 1][2];
    const top = bars[0][3];
    let inside = 0;
    const samples = 20;
    for (let i = 0; i < samples; i++) {
      for (let j = 0; j < samples; j++) {
        const x = ((2 * i + 1.003) / samples - 1) * right;
        const y = ((2 * j + 1.007) / samples - 1) * top;
        const expected = bars.some(([x0, y0, x1, y1]) => x > x0 && x < x1 && y > y0 && y < y1);
        expect(windingNumber(positions, indices, x, y, 0.011) > 0.5).toBe(expected);
        if (expected) inside++;
      }
    }
    expect(inside / samples ** 2).toBeGreaterThan(0.3);
    expect(inside / samples ** 2).toBeLessThan(0.7);
  });
});

test('all sizes give closed boxes: structure, triangles by the formula, volume, faces along the axes', () => {
  fc.assert(
    fc.property(sizes, (given) => {
      const { positions, indices } = grateLarge.build(given);
      const { columns: c, rows: r, quartered } = given;
      expect(indices.length / 3).toBe(20 * c * r + 12 * c - 4 * r + 2 * quartered * c * r);
      const { faults, components, genus, volume } = surfaceStructure(positions, indices);
      expect({ faults, components, genus }).toEqual({ faults: [], components: 1, genus: (c - 1) * (r - 1) });
      expect(volume / (given.depth * unionArea(given))).toBeCloseTo(1, 9);
      for (let i = 0; i < indices.length; i += 3) {
        const flat = [0, 1, 2].filter((axis) => {
          const [a, b, d] = [0, 1, 2].map((k) => positions[3 * indices[i + k] + axis]);
          return a === b && b === d;
        });
        expect(flat.length).toBe(1);
      }
    }),
    { numRuns: 60 },
  );
});

test('random sizes cut themselves nowhere', () => {
  fc.assert(
    fc.property(sizes, (given) => {
      const { positions, indices } = grateSmall.build({ ...given, columns: 3, rows: 2 });
      expect(crossingTriangles(positions, indices)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('a hundred thin bars far apart are whole too', () => {
  const { positions, indices } = grateLarge.build({ columns: 100, rows: 20, bar: 0.001, gap: 10 });
  const { faults, genus } = surfaceStructure(positions, indices);
  expect({ faults, genus }).toEqual({ faults: [], genus: 99 * 19 });
});

test('other sizes are refused', () => {
  expect(() => grateSmall.build({ columns: 1 })).toThrow(/columns of the model grate-small is 1/);
  expect(() => grateSmall.build({ rows: 2.5 })).toThrow(/whole number/);
  expect(() => grateSmall.build({ overhang: 0 })).toThrow(/overhang/);
});

/** The solid angles of all faces, over a full turn (van Oosterom and Strackee 1983). */
function windingNumber(p: Float64Array, indices: Uint32Array, x: number, y: number, z: number): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = 3 * indices[i + k];
      return [p[v] - x, p[v + 1] - y, p[v + 2] - z];
    });
    const dot = (u: number[], w: number[]) => u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
    const determinant =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const [la, lb, lc] = [a, b, c].map((u) => Math.hypot(u[0], u[1], u[2]));
    sum += 2 * Math.atan2(determinant, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * Math.PI);
}
