import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { createMesh, type Mesh, triangleCount } from '../../../src/mesh/mesh.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { boxMesh, mapPoints, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { rayThroughPlane } from '../../oracles/ray-triangle.js';

function corners(mesh: Mesh, triangle: number): number[][] {
  return [...mesh.indices.subarray(3 * triangle, 3 * triangle + 3)].map((v) => [
    ...mesh.positions.subarray(3 * v, 3 * v + 3),
  ]);
}

const vertex = (mesh: Mesh, id: number): Vec3 => [...mesh.positions.subarray(3 * id, 3 * id + 3)] as Vec3;

describe('raycast', () => {
  test('hits the near face of a box, in front, at the right place', () => {
    const query = new MeshQuery(boxMesh([-1, -1, -1], [1, 1, 1]));
    const hit = query.raycast([0.25, 0.5, 5], [0, 0, -3])!;
    expect(hit.distance).toBe(4);
    expect(hit.point).toEqual([0.25, 0.5, 1]);
    expect(hit.normal).toEqual([0, 0, 1]);
    expect(hit.side).toBe('front');
    expect(query.raycast([0.25, 0.5, 0], [0, 0, -1])!.side).toBe('back');
    expect(query.raycast([0.25, 0.5, 5], [0, 0, 1])).toBeNull();
    expect(query.raycast([3, 0, 5], [0, 0, -1])).toBeNull();
  });

  test('takes a largest distance, which counts, and one side', () => {
    const query = new MeshQuery(boxMesh([-1, -1, -1], [1, 1, 1]));
    expect(query.raycast([0.25, 0.5, 5], [0, 0, -1], { maxDistance: 4 })!.distance).toBe(4);
    expect(query.raycast([0.25, 0.5, 5], [0, 0, -1], { maxDistance: 3.999 })).toBeNull();
    expect(query.raycast([0.25, 0.5, 5], [0, 0, -1], { side: 'back' })!.distance).toBe(6);
    expect(query.raycast([0.25, 0.5, 0], [0, 0, -1], { side: 'front' })).toBeNull();
    expect(query.rayHits([0.25, 0.5, 5], [0, 0, -1], { side: 'front' })).toHaveLength(1);
  });

  test('agrees with all triangles tested one by one, away from their edges', () => {
    const random = createRandom(31);
    const mesh = mapPoints(torusGrid(16, 10), ([x, y, z]) => [x + 0.2 * Math.sin(3 * z), y, z + 0.3 * Math.sin(2 * x)]);
    const query = new MeshQuery(mesh);
    let hits = 0;
    let compared = 0;
    for (let k = 0; k < 400; k++) {
      const origin: Vec3 = [random.range(-2.7, 2.7), random.range(-2.7, 2.7), random.range(-1.2, 1.2)];
      const direction = random.direction();
      const length = 10 ** random.range(-6, 6);
      const all = Array.from({ length: triangleCount(mesh) }, (_, triangle) => ({
        triangle,
        ...rayThroughPlane(corners(mesh, triangle), origin, direction)!,
      }));
      if (all.some((hit) => hit.distance >= 0 && Math.abs(Math.min(...hit.weights)) < 1e-9)) continue;
      const expected = all
        .filter((hit) => hit.distance >= 0 && Math.min(...hit.weights) > 0)
        .sort((a, b) => a.distance - b.distance);
      const found = query.rayHits(origin, direction.map((x) => x * length) as Vec3);
      expect(found.map((hit) => hit.triangle)).toEqual(expected.map((hit) => hit.triangle));
      expect(found.map((hit) => hit.side)).toEqual(expected.map((hit) => (hit.front ? 'front' : 'back')));
      found.forEach((hit, i) => {
        expect(hit.distance).toBeCloseTo(expected[i].distance, 10);
        hit.point.forEach((x, axis) => {
          expect(x).toBeCloseTo(origin[axis] + hit.distance * direction[axis], 10);
        });
      });
      // A ray leaves a closed surface as often as it enters it, or once more when it starts inside.
      expect(found.length % 2 === 1).toBe(query.isInside(origin));
      const first = query.raycast(origin, direction);
      expect(first?.triangle).toBe(expected[0]?.triangle);
      compared++;
      if (expected.length > 0) hits++;
    }
    expect(compared).toBeGreaterThan(380);
    expect(hits / compared).toBeGreaterThan(0.3);
    expect(hits / compared).toBeLessThan(0.7);
  });

  test.each([
    ['sphere', sphereGrid(20)],
    ['sphere at 1e-9', mapPoints(sphereGrid(8), (p) => p.map((x) => x * 1e-9))],
    ['sphere far away', mapPoints(sphereGrid(8), ([x, y, z]) => [x + 1e5, y - 3e5, z + 7e5])],
    ['box', boxMesh([-1, -2, -3], [3, 2, 1])],
  ])('never slips through a shared edge or corner: %s', (_, mesh) => {
    const query = new MeshQuery(mesh);
    const random = createRandom(32);
    const { min, max } = { min: query.bvh.nodeBoxes.subarray(0, 3), max: query.bvh.nodeBoxes.subarray(3, 6) };
    const middle = [0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2);
    const size = max[0] - min[0];
    let rays = 0;
    for (let k = 0; k < 1500; k++) {
      const triangle = random.integer(triangleCount(mesh));
      const [a, b] = [0, 1].map((i) => vertex(mesh, mesh.indices[3 * triangle + ((i + k) % 3)]));
      const share = k % 3 === 0 ? 0 : k % 3 === 1 ? 0.5 : random.next();
      const target = a.map((x, axis) => x + share * (b[axis] - x));
      // Half the rays start at the center, where symmetric meshes make zeros; from inside, all of them must hit.
      const origin = middle.map((x) => x + (k % 2 === 0 ? 0 : 0.1 * size * random.range(-1, 1))) as Vec3;
      const direction = target.map((x, axis) => x - origin[axis]) as Vec3;
      expect(query.raycast(origin, direction), `ray ${k}`).not.toBeNull();
      expect(query.rayHits(origin, direction).length).toBeGreaterThan(0);
      rays++;
    }
    expect(rays).toBe(1500);
  });

  test('passes along the axes through corners and edges of a grid', () => {
    const n = 8;
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) positions.push(i, j, 0);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const a = i * (n + 1) + j;
        indices.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
      }
    }
    const query = new MeshQuery(createMesh(positions, indices));
    for (let i = 0; i <= 4 * n; i++) {
      for (let j = 0; j <= 4 * n; j++) {
        const hit = query.raycast([i / 4, j / 4, 1], [0, 0, -1]);
        expect(hit?.point, `${i} ${j}`).toEqual([i / 4, j / 4, 0]);
      }
    }
    // In the plane itself nothing is hit.
    expect(query.raycast([-1, 0.5, 0], [1, 0, 0])).toBeNull();
  });

  test('breaks ties by the lowest triangle', () => {
    const sheet = createMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [1, 2, 0, 0, 1, 2, 2, 0, 1]);
    const query = new MeshQuery(sheet);
    expect(query.raycast([0.25, 0.25, 1], [0, 0, -1])!.triangle).toBe(0);
    expect(query.rayHits([0.25, 0.25, 1], [0, 0, -1]).map((hit) => hit.triangle)).toEqual([0, 1, 2]);
  });

  test('refuses invalid directions and distances', () => {
    const query = new MeshQuery(boxMesh());
    expect(() => query.raycast([0, 0, 0], [0, 0, 0])).toThrow(/direction of the ray is zero/);
    expect(() => query.rayHits([0, 0, 0], [0, Number.NaN, 1])).toThrow(/direction of the ray/);
    expect(() => query.raycast([0, Infinity, 0], [0, 0, 1])).toThrow(/origin of the ray/);
    expect(() => query.raycast([0, 0, 0], [0, 0, 1], { maxDistance: -1 })).toThrow(/distance/);
    expect(() => query.raycast([0, 0, 0], [0, 0, 1], { side: 'left' as 'front' })).toThrow(/side/);
  });
});
