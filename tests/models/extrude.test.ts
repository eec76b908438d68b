import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPolygon, polygonArea } from '../../src/mesh/polygon/polygon.js';
import { extrudePolygon } from '../../src/models/parts/extrude.js';
import { share, starPolygons } from '../generators/polygons.js';
import { surfaceStructure } from '../oracles/closed-manifold.js';
import { crossingTriangles } from '../oracles/crossing-triangles.js';
import { extrudedSolidFaults } from '../oracles/extruded-solid.js';

const SQUARE = createPolygon([[0, 0, 2, 0, 2, 2, 0, 2]]);
const FRAME = createPolygon([
  [0, 0, 4, 0, 4, 4, 0, 4],
  [1, 1, 3, 1, 3, 3, 1, 3],
]);

describe('without a bevel', () => {
  test('a square becomes a box of twelve triangles around z = 0', () => {
    const { positions, indices } = extrudePolygon(SQUARE, { depth: 3 });
    expect(indices.length / 3).toBe(12);
    expect(positions.length / 3).toBe(8);
    expect([...new Set(positions.filter((_, i) => i % 3 === 2))]).toEqual([-1.5, 1.5]);
    expect(surfaceStructure(positions, indices)).toMatchObject({ faults: [], components: 1, genus: 0, volume: 12 });
  });

  test('each layer adds two triangles per point', () => {
    for (let layers = 1; layers <= 5; layers++) {
      const { indices } = extrudePolygon(FRAME, { depth: 1, layers });
      expect(indices.length / 3).toBe(2 * 8 + 2 * 8 * layers);
    }
  });

  test('random polygons become solids with one handle per hole, area × depth large', () => {
    fc.assert(
      fc.property(
        starPolygons,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1e-9, 0.3, 1, 1e9),
        (rings, layers, scale) => {
          const polygon = createPolygon(rings.map((ring) => ring.map((value) => value * scale)));
          const depth = 0.7 * scale;
          const { positions, indices } = extrudePolygon(polygon, { depth, layers });
          const { faults, components, genus, volume } = surfaceStructure(positions, indices);
          expect({ faults, components, genus }).toEqual({ faults: [], components: 1, genus: rings.length - 1 });
          expect(volume / (polygonArea(polygon) * depth)).toBeCloseTo(1, 11);
          expect(extrudedSolidFaults(polygon.rings, depth, positions, indices)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('with a bevel', () => {
  test('a square becomes a box with two frustums, by the formula', () => {
    const bevel = 0.25;
    const { positions, indices } = extrudePolygon(SQUARE, { depth: 1, bevel });
    const frustum = (bevel / 3) * (4 + 1.5 ** 2 + 2 * 1.5);
    const { faults, volume } = surfaceStructure(positions, indices);
    expect(faults).toEqual([]);
    expect(volume).toBeCloseTo(4 * 0.5 + 2 * frustum, 12);
    expect(indices.length / 3).toBe(4 + 3 * 8);
  });

  test('narrows the holes of front and back outwards', () => {
    const { positions, indices } = extrudePolygon(FRAME, { depth: 1, bevel: 0.125 });
    const front = [...positions].flatMap((z, i) => (i % 3 === 2 && z === 0.5 ? [positions[i - 2]] : []));
    expect([...new Set(front)].sort()).toEqual([0.125, 0.875, 3.125, 3.875]);
    expect(surfaceStructure(positions, indices)).toMatchObject({ faults: [], genus: 1 });
    expect(crossingTriangles(positions, indices)).toEqual([]);
  });

  test('is refused where sides would run into each other, and fits just below', () => {
    expect(() => extrudePolygon(SQUARE, { depth: 9, bevel: 1 })).toThrow(/bevel of 1 is wider/);
    expect(() => extrudePolygon(SQUARE, { depth: 9, bevel: 3 })).toThrow(/wider/);
    expect(() => extrudePolygon(SQUARE, { depth: 9, bevel: 0.999 })).not.toThrow();
    // The walls of the frame are 1 wide: both sides move in.
    expect(() => extrudePolygon(FRAME, { depth: 9, bevel: 0.5 })).toThrow(/wider/);
    expect(() => extrudePolygon(FRAME, { depth: 9, bevel: 0.499 })).not.toThrow();
    // A narrow notch widens, a narrow tooth has no room.
    const notch = createPolygon([[0, 0, 9, 0, 9, 9, 5, 9, 5, 5, 4.8, 5, 4.8, 9, 0, 9]]);
    expect(() => extrudePolygon(notch, { depth: 9, bevel: 1 })).not.toThrow();
    const tooth = createPolygon([[0, 0, 9, 0, 9, 5, 5, 5, 5, 9, 4.8, 9, 4.8, 5, 0, 5]]);
    expect(() => extrudePolygon(tooth, { depth: 9, bevel: 1 })).toThrow(/wider/);
  });

  test('cuts nothing where it is accepted', () => {
    let accepted = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        starPolygons,
        share.map((value) => 0.001 + 0.13 * value),
        (rings, bevel) => {
          const polygon = createPolygon(rings.slice(0, 4));
          runs++;
          let solid: ReturnType<typeof extrudePolygon>;
          try {
            solid = extrudePolygon(polygon, { depth: 0.4, bevel });
          } catch {
            return;
          }
          accepted++;
          const { faults, genus, volume } = surfaceStructure(solid.positions, solid.indices);
          expect({ faults, genus }).toEqual({ faults: [], genus: polygon.rings.length - 1 });
          expect(volume).toBeLessThan(polygonArea(polygon) * 0.4);
          expect(crossingTriangles(solid.positions, solid.indices)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(accepted / runs).toBeGreaterThan(0.15);
    expect(accepted / runs).toBeLessThan(0.9);
  });
});

test.each([
  [{ depth: 0 }, /depth of an extrusion is 0/],
  [{ depth: Number.NaN }, /depth/],
  [{ depth: Infinity }, /depth/],
  [{ depth: 1, layers: 0 }, /layers of an extrusion are 0/],
  [{ depth: 1, layers: 1.5 }, /layers/],
  [{ depth: 1, bevel: -0.1 }, /bevel of an extrusion is -0.1/],
  [{ depth: 1, bevel: 0.5 }, /below half the depth, 0.5/],
])('refuses %o', (options, message) => {
  expect(() => extrudePolygon(SQUARE, options)).toThrow(message);
});
