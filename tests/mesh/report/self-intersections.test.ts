import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { createMesh, type Mesh, triangleCount } from '../../../src/mesh/mesh.js';
import { findSelfIntersections } from '../../../src/mesh/report/self-intersections.js';
import { boxMesh, join, mapPoints, sphereGrid, torusGrid, toSoup } from '../../generators/surfaces.js';
import { crossExactly, isFlat } from '../../oracles/triangle-intersection.js';

function corners(mesh: Mesh, triangle: number): number[][] {
  return [0, 1, 2].map((k) => {
    const vertex = mesh.indices[3 * triangle + k];
    return [...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)];
  });
}

/** All crossing pairs of a mesh with whole coordinates, one by one. */
function crossingPairs(mesh: Mesh): number[] {
  const triangles = Array.from({ length: triangleCount(mesh) }, (_, i) => corners(mesh, i));
  const flat = triangles.map(isFlat);
  const pairs: number[] = [];
  for (let a = 0; a < triangles.length; a++) {
    for (let b = a + 1; b < triangles.length; b++) {
      if (!flat[a] && !flat[b] && crossExactly(triangles[a], triangles[b])) pairs.push(a, b);
    }
  }
  return pairs;
}

describe('findSelfIntersections', () => {
  test.each([
    ['box', boxMesh()],
    ['box as a soup', toSoup(boxMesh([-1, -1, -1], [1, 2, 3]))],
    ['sphere', sphereGrid(24)],
    ['torus', torusGrid(30, 20)],
    ['torus at 1e-9', mapPoints(torusGrid(12, 8), (p) => p.map((x) => x * 1e-9))],
    ['torus at 1e9', mapPoints(torusGrid(12, 8), (p) => p.map((x) => x * 1e9))],
    ['two boxes apart', join(boxMesh(), boxMesh([1.5, 0, 0], [2, 1, 1]))],
  ])('finds none in a clean mesh: %s', (_, mesh) => {
    const found = findSelfIntersections(mesh);
    expect(found.count).toBe(0);
    expect(found.pairs).toHaveLength(0);
    expect(found.degenerateFaces).toBe(0);
  });

  test('lists the pairs of two boxes that overlap, as exact clipping does', () => {
    const mesh = join(boxMesh([0, 0, 0], [4, 4, 4]), boxMesh([1, 2, 3], [5, 6, 7]));
    const found = findSelfIntersections(mesh);
    expect([...found.pairs]).toEqual(crossingPairs(mesh));
    expect(found.count).toBe(found.pairs.length / 2);
    expect(found.count).toBeGreaterThan(0);
  });

  test('counts boxes that touch face to face', () => {
    const mesh = join(boxMesh([0, 0, 0], [2, 2, 2]), boxMesh([2, 0, 0], [4, 2, 2]));
    expect([...findSelfIntersections(mesh).pairs]).toEqual(crossingPairs(mesh));
  });

  test('agrees with all pairs compared one by one on soups of whole coordinates', () => {
    const random = createRandom(17);
    let crossing = 0;
    let compared = 0;
    for (let k = 0; k < 25; k++) {
      const triangles = 12 + random.integer(30);
      // Flat boxes of points: enough triangles cross, and many lie in one plane.
      const size = [6, 6, 1 + random.integer(2)];
      // Some vertices are shared by id, some only by coordinates, and some triangles have no area.
      const points = Array.from({ length: 30 }, () => size.map((n) => random.integer(n)));
      const indices = Array.from({ length: 3 * triangles }, () => random.integer(points.length));
      const mesh = createMesh(points.flat(), indices);
      const expected = crossingPairs(mesh);
      const found = findSelfIntersections(mesh);
      expect([...found.pairs]).toEqual(expected);
      expect(found.count).toBe(expected.length / 2);
      expect(found.degenerateFaces).toBe(
        Array.from({ length: triangles }, (_, i) => corners(mesh, i)).filter(isFlat).length,
      );
      crossing += expected.length / 2;
      compared += (triangles * (triangles - 1)) / 2;
    }
    expect(crossing / compared).toBeGreaterThan(0.3);
    expect(crossing / compared).toBeLessThan(0.7);
  });

  test('counts duplicates and folded faces', () => {
    const mesh = createMesh([0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 0], [0, 1, 2, 1, 2, 0, 0, 1, 3]);
    expect([...findSelfIntersections(mesh).pairs]).toEqual([0, 1, 0, 2, 1, 2]);
  });

  test('skips triangles without area and says how many', () => {
    const mesh = createMesh([0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 1, 1, 1, 1, -1], [0, 1, 2, 3, 4, 3, 0, 0, 0]);
    const found = findSelfIntersections(mesh);
    expect(found.count).toBe(0);
    expect(found.degenerateFaces).toBe(2);
  });

  test('keeps counting beyond the limit of the list', () => {
    const sheets = Array.from({ length: 40 }, (_, i) => boxMesh([0, 0, 0], [2 + i, 3 + i, 4 + i]));
    const mesh = join(...sheets);
    const all = findSelfIntersections(mesh);
    const some = findSelfIntersections(mesh, { limit: 5 });
    expect(all.pairs).toHaveLength(2 * all.count);
    expect(some.count).toBe(all.count);
    expect(some.pairs).toHaveLength(10);
    expect(findSelfIntersections(mesh, { limit: 0 }).pairs).toHaveLength(0);
    expect(() => findSelfIntersections(mesh, { limit: Number.NaN })).toThrow(/limit/);
  });

  test('tests few pairs beyond neighbors, and looks at few nodes', () => {
    const mesh = torusGrid(100, 60);
    const found = findSelfIntersections(mesh);
    expect(found.count).toBe(0);
    // Each triangle has about 12 neighbors, each pair counted once.
    expect(found.pairsTested).toBeLessThan(10 * triangleCount(mesh));
    expect(found.nodesVisited).toBeLessThan(10 * triangleCount(mesh));
  });

  test('reports progress and stops when asked', () => {
    const soup = join(...Array.from({ length: 40 }, () => boxMesh()));
    const stages: number[] = [];
    findSelfIntersections(soup, { onProgress: (fraction) => stages.push(fraction) });
    expect(stages.at(0)).toBe(0);
    expect(stages.at(-1)).toBe(1);
    expect(stages.length).toBeGreaterThan(3);
    expect([...stages].sort((a, b) => a - b)).toEqual(stages);
    let calls = 0;
    const signal = {
      get aborted() {
        return ++calls > 2;
      },
    };
    expect(() => findSelfIntersections(soup, { signal })).toThrow(/request/);
  });

  test('leaves the mesh alone and refuses a bad one', () => {
    const mesh = torusGrid(8, 6);
    const before = structuredClone(mesh);
    findSelfIntersections(mesh);
    expect(mesh).toEqual(before);
    expect(() => findSelfIntersections({ positions: new Float64Array(3), indices: Uint32Array.of(0, 0, 7) })).toThrow(
      /names vertex 7/,
    );
  });
});
