import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { weldVertices } from '../../../src/mesh/repair/weld-vertices.js';
import { dropUnusedVertices } from '../../../src/mesh/topology/unused-vertices.js';
import { randomMesh } from '../../generators/random-meshes.js';
import { boxMesh, join, mapPoints, mesh, shuffled, sphereGrid, torusGrid, toSoup } from '../../generators/surfaces.js';
import { lowestWithinReach } from '../../oracles/weld.js';

/** Points as faces of consecutive triples; the last points repeat to fill the last face. */
function meshOfPoints(points: readonly (readonly number[])[]): Mesh {
  const count = Math.max(3, points.length);
  const faces = Array.from({ length: Math.ceil(count / 3) }, (_, i) =>
    [0, 1, 2].map((k) => Math.min(3 * i + k, points.length - 1)),
  );
  return mesh(points, faces);
}

/** The lowest old vertex that each became one with. */
function lowestOf(vertexMap: Uint32Array): number[] {
  return [...vertexMap].map((id) => vertexMap.indexOf(id));
}

describe('worked examples', () => {
  test('a soup of a cube has eight vertices again and is closed', () => {
    const result = weldVertices(toSoup(boxMesh()));
    expect(result.mergedVertices).toBe(28);
    expect(result.mesh.positions.length).toBe(24);
    expect(result.mesh.indices.length).toBe(36);
  });

  test('two points nearer than the tolerance become one, farther ones do not', () => {
    // The box diagonal is 10, the tolerance 0.01 of it.
    const points = (gap: number): Mesh =>
      meshOfPoints([
        [0, 0, 0],
        [10, 0, 0],
        [5, 0, 0],
        [5 + gap, 0, 0],
      ]);
    expect(weldVertices(points(0.0999), { tolerance: 0.01 }).mergedVertices).toBe(1);
    expect(weldVertices(points(0.1001), { tolerance: 0.01 }).mergedVertices).toBe(0);
  });

  test('steps within the tolerance join what lies farther apart, at the lowest vertex', () => {
    const chain = meshOfPoints([
      [0, 0, 0],
      [1.2, 0, 0],
      [0.4, 0, 0],
      [0.8, 0, 0],
      [9, 0, 0],
      [9, 4, 0],
    ]);
    const result = weldVertices(chain, { tolerance: 0.05 });
    expect([...result.vertexMap]).toEqual([0, 0, 0, 0, 1, 2]);
    expect([...result.mesh.positions]).toEqual([0, 0, 0, 9, 0, 0, 9, 4, 0]);
  });

  test('tolerance 0 welds equal coordinates only, and −0 is 0', () => {
    const given = meshOfPoints([
      [0, 1, 2],
      [-0, 1, 2],
      [0, 1, 2 + 1e-15],
      [0, 1, 2],
      [5, 5, 5],
      [5, 5, 5],
    ]);
    expect([...weldVertices(given, { tolerance: 0 }).vertexMap]).toEqual([0, 0, 1, 0, 2, 2]);
  });

  test('vertices that no face uses neither bridge a gap nor stretch the tolerance', () => {
    const given: Mesh = {
      positions: Float64Array.of(0, 0, 0, 0.6, 0, 0, 1.2, 0, 0, 10, 0, 0, 1e9, 0, 0),
      indices: Uint32Array.of(0, 2, 3),
    };
    const result = weldVertices(given, { tolerance: 0.1 });
    expect(result.mergedVertices).toBe(0);
    expect([...result.vertexMap]).toEqual([0, 1, 2, 3, 4]);
    const same: Mesh = {
      positions: Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2),
      indices: Uint32Array.of(1, 2, 3),
    };
    expect([...weldVertices(same, { tolerance: 0 }).vertexMap]).toEqual([0, 1, 1, 2]);
  });

  test('a mesh shrunk to a point is one vertex', () => {
    const point = mapPoints(boxMesh(), () => [7, 7, 7]);
    expect(weldVertices(point).mergedVertices).toBe(7);
    expect(weldVertices(point, { tolerance: 0.5 }).mergedVertices).toBe(7);
  });

  test('refuses invalid tolerances', () => {
    for (const tolerance of [-1e-9, 1, Number.NaN, Infinity]) {
      expect(() => weldVertices(boxMesh(), { tolerance })).toThrow(/share of the model's box diagonal/);
      try {
        weldVertices(boxMesh(), { tolerance });
      } catch (error) {
        expect((error as NearfieldError).code).toBe('bad-argument');
      }
    }
  });
});

describe('against a comparison of all pairs', () => {
  const check = (points: readonly (readonly number[])[], tolerance: number): number => {
    const given = meshOfPoints(points);
    const result = weldVertices(given, { tolerance });
    const span = [0, 1, 2].map(
      (axis) => Math.max(...points.map((p) => p[axis])) - Math.min(...points.map((p) => p[axis])),
    );
    const expected = lowestWithinReach(points, tolerance * Math.hypot(...span));
    expect(lowestOf(result.vertexMap)).toEqual(expected);
    expect(result.mergedVertices).toBe(points.length - new Set(expected).size);
    return result.mergedVertices / points.length;
  };

  test('random points at tolerances from nothing merged to all', () => {
    let merged = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 3, max: 60 }),
        fc.constantFrom(0, 1e-15, 1e-7, 0.02, 0.05, 0.1, 0.3, 0.9),
        (seed, n, tolerance) => {
          const random = createRandom(seed);
          const points = Array.from({ length: n }, () => [
            random.range(-1, 1),
            random.range(-1, 1),
            random.range(-1, 1),
          ]);
          merged += check(points, tolerance);
          runs++;
        },
      ),
      { seed: 1, numRuns: 300 },
    );
    expect(merged / runs).toBeGreaterThan(0.2);
    expect(merged / runs).toBeLessThan(0.8);
  });

  test('points on a lattice, where distances equal the tolerance and cells begin', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1, 2, 3, 0.5), fc.integer({ min: 3, max: 40 }), (seed, step, n) => {
        const random = createRandom(seed);
        // The corners fix a diagonal of 64 exactly, so the tolerance is a power of two times the step.
        const points = [
          [0, 0, 0],
          [64, 0, 0],
          ...Array.from({ length: n }, () => [random.integer(64 / step) * step, 0, 0]),
        ];
        check(points, step / 64);
        check(points, (step / 64) * (1 - 1e-12));
      }),
      { numRuns: 100 },
    );
  });

  test('pairs across the faces, edges and corners of any grid', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1e-3, 1e-7, 1e-12, 1e-14), (seed, tolerance) => {
        const random = createRandom(seed);
        const reach = tolerance * Math.sqrt(3);
        const points: number[][] = [
          [0, 0, 0],
          [1, 1, 1],
        ];
        for (let i = 0; i < 15; i++) {
          // Near the corner of the box, where doubles are dense enough for the smallest tolerance.
          const base = [0, 1, 2].map(() => random.range(0, 40 * reach));
          const [x, y, z] = random.direction();
          const gap = reach * (i % 2 === 0 ? 0.999 : 1.001);
          points.push(base, [Math.abs(base[0] + gap * x), Math.abs(base[1] + gap * y), Math.abs(base[2] + gap * z)]);
        }
        check(points, tolerance);
      }),
      { numRuns: 200 },
    );
  });
});

test('does not depend on the order of vertices, on place or on scale', () => {
  const base = toSoup(join(torusGrid(6, 5), sphereGrid(4, 0.5, [4, 0, 0])));
  const random = createRandom(4);
  const jittered = mapPoints(base, (p) => p.map((value) => value + random.range(-1e-9, 1e-9)));
  const expected = weldVertices(jittered).mergedVertices;
  expect(expected).toBe(base.positions.length / 3 - 30 - 34);
  for (let seed = 0; seed < 10; seed++) {
    expect(weldVertices(shuffled(jittered, createRandom(seed))).mergedVertices).toBe(expected);
  }
  for (const scale of [1e-9, 1e9, 1e-100, 1e40]) {
    expect(weldVertices(mapPoints(jittered, (p) => p.map((value) => value * scale))).mergedVertices).toBe(expected);
  }
  expect(weldVertices(mapPoints(jittered, ([x, y, z]) => [x + 1000, y - 300, z])).mergedVertices).toBe(expected);
});

test('welding twice is welding once; every face keeps its corners within reach', () => {
  fc.assert(
    fc.property(randomMesh, fc.constantFrom(0, 1e-7, 0.1, 0.3), (given, tolerance) => {
      const before = { positions: given.positions.slice(), indices: given.indices.slice() };
      const once = weldVertices(given, { tolerance });
      expect(given).toEqual(before);
      const again = weldVertices(once.mesh, { tolerance });
      expect(again.mergedVertices).toBe(0);
      expect(again.mesh).toEqual(once.mesh);
      expect([...once.mesh.indices]).toEqual([...given.indices].map((vertex) => once.vertexMap[vertex]));
    }),
  );
});

test('10,000 points in a box a tenth of the reach wide are one, without comparing all pairs', () => {
  const random = createRandom(8);
  const points = Array.from({ length: 10_000 }, () => [
    random.next() * 0.01,
    random.next() * 0.01,
    random.next() * 0.01,
  ]);
  const result = weldVertices(meshOfPoints([...points, [1, 0, 0]]), { tolerance: 0.1 });
  expect(result.mergedVertices).toBe(9999);
});

describe('dropUnusedVertices', () => {
  test('keeps the order of the others and says where each went', () => {
    const given: Mesh = {
      positions: Float64Array.of(9, 9, 9, 0, 0, 0, 8, 8, 8, 1, 0, 0, 0, 1, 0),
      indices: Uint32Array.of(1, 3, 4),
    };
    const result = dropUnusedVertices(given);
    expect(result.droppedVertices).toBe(2);
    expect([...result.vertexMap]).toEqual([-1, 0, -1, 1, 2]);
    expect([...result.mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...result.mesh.indices]).toEqual([0, 1, 2]);
  });
  test('drops nothing of a mesh that uses all', () => {
    const cube = boxMesh();
    expect(dropUnusedVertices(cube)).toEqual({
      mesh: cube,
      droppedVertices: 0,
      vertexMap: Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7]),
    });
  });
});
