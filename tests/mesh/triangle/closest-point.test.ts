import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { createMesh, type Mesh, triangleCount } from '../../../src/mesh/mesh.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { boxMesh, mapPoints, shuffled, sphereGrid, torusGrid, toSoup } from '../../generators/surfaces.js';
import { compareFractions, distanceSquaredExactly, squareRoot } from '../../oracles/closest-point.js';

function corners(mesh: Mesh, triangle: number): number[][] {
  return [...mesh.indices.subarray(3 * triangle, 3 * triangle + 3)].map((v) => [
    ...mesh.positions.subarray(3 * v, 3 * v + 3),
  ]);
}

/** Triangles between a few grid points: flat, needle-like and point-like ones, shared and doubled corners. */
function wholeMesh(random: Random, points: number, triangles: number, size: number): Mesh {
  const positions = Array.from({ length: 3 * points }, () => random.integer(size));
  return createMesh(
    positions,
    Array.from({ length: 3 * triangles }, () => random.integer(points)),
  );
}

describe('closestPoint', () => {
  test('agrees with exact arithmetic, degenerate triangles included, and names the lowest triangle at a shared point', () => {
    const random = createRandom(21);
    let ties = 0;
    for (let k = 0; k < 60; k++) {
      const size = k % 2 === 0 ? 8 : 1000;
      const mesh = wholeMesh(random, 12, 25, size);
      const query = new MeshQuery(mesh);
      for (let probe = 0; probe < 12; probe++) {
        const p = [0, 1, 2].map(() => random.integer(2 * size) - Math.floor(size / 2)) as Vec3;
        const distances = Array.from({ length: 25 }, (_, i) => distanceSquaredExactly(corners(mesh, i), p));
        const least = distances.reduce((a, b) => (compareFractions(b, a) < 0 ? b : a));
        const found = query.closestPoint(p)!;
        const exact = squareRoot(least);
        expect(Math.abs(found.distance - exact)).toBeLessThanOrEqual(1e-13 * size);
        expect(Math.abs(Math.hypot(...found.point.map((x, i) => x - p[i])) - exact)).toBeLessThanOrEqual(1e-12 * size);
        // The triangle named comes as near as any, to rounding.
        expect(Math.abs(squareRoot(distances[found.triangle]) - exact)).toBeLessThanOrEqual(1e-13 * size);
        if (found.feature.kind === 'vertex') {
          // All triangles at that corner measure the same bits, so the lowest of them must be named.
          const [vertex] = found.feature.vertices;
          const at = [...mesh.positions.subarray(3 * vertex, 3 * vertex + 3)];
          const lowest = Array.from({ length: 25 }, (_, i) => i).find((i) =>
            corners(mesh, i).some((c) => c.every((value, axis) => value === at[axis])),
          );
          expect(found.triangle).toBeLessThanOrEqual(lowest!);
          ties++;
        }
      }
    }
    expect(ties).toBeGreaterThan(100);
  });

  test('is right to rounding on needles of any thinness', () => {
    const random = createRandom(22);
    const whole = (reach: number) => Math.round(random.range(-reach, reach));
    let faces = 0;
    for (let k = 0; k < 3000; k++) {
      const long = 2 ** (20 + random.integer(25));
      const wide = 2 ** random.integer(20);
      const off = 2 ** random.integer(46);
      const along = [0, 1, 2].map(() => whole(long));
      const a = [0, 1, 2].map(() => whole(long));
      const b = a.map((x, axis) => x + along[axis]);
      const share = random.range(-1, 2);
      const c = a.map((x, axis) => x + Math.round(share * along[axis]) + whole(wide));
      const place = random.range(-0.2, 1.2);
      const p = a.map((x, axis) => x + Math.round(place * along[axis]) + whole(off)) as Vec3;
      const exact = squareRoot(distanceSquaredExactly([a, b, c], p));
      const found = new MeshQuery(createMesh([...a, ...b, ...c], [0, 1, 2])).closestPoint(p)!;
      const size = Math.max(...[...a, ...b, ...c, ...p].map(Math.abs));
      expect(Math.abs(found.distance - exact), JSON.stringify({ a, b, c, p })).toBeLessThan(2e-15 * size);
      if (found.feature.kind === 'face') faces++;
    }
    expect(faces).toBeGreaterThan(150);
  });

  test('finds the point of triangles that are a segment or a point', () => {
    const segment = new MeshQuery(createMesh([0, 0, 0, 4, 0, 0, 1, 0, 0], [0, 1, 2]));
    expect(segment.closestPoint([2, 3, 0])).toEqual({
      point: [2, 0, 0],
      distance: 3,
      triangle: 0,
      feature: { kind: 'edge', vertices: [0, 1] },
    });
    expect(segment.closestPoint([7, 4, 0])!.feature).toEqual({ kind: 'vertex', vertices: [1] });
    const point = new MeshQuery(createMesh([1, 2, 3], [0, 0, 0]));
    expect(point.closestPoint([1, 2, 5])).toEqual({
      point: [1, 2, 3],
      distance: 2,
      triangle: 0,
      feature: { kind: 'vertex', vertices: [0] },
    });
  });

  test('names vertex, edge and face by the ids of the mesh', () => {
    const query = new MeshQuery(createMesh([9, 9, 9, 0, 0, 0, 4, 0, 0, 0, 4, 0], [1, 2, 3]));
    expect(query.closestPoint([-1, -1, 1])!.feature).toEqual({ kind: 'vertex', vertices: [1] });
    expect(query.closestPoint([9, -1, 1])!.feature).toEqual({ kind: 'vertex', vertices: [2] });
    expect(query.closestPoint([-1, 9, 1])!.feature).toEqual({ kind: 'vertex', vertices: [3] });
    expect(query.closestPoint([2, -1, 0])!.feature).toEqual({ kind: 'edge', vertices: [1, 2] });
    expect(query.closestPoint([-1, 2, 0])!.feature).toEqual({ kind: 'edge', vertices: [1, 3] });
    expect(query.closestPoint([3, 3, 5])!.feature).toEqual({ kind: 'edge', vertices: [2, 3] });
    expect(query.closestPoint([1, 1, 5])).toEqual({
      point: [1, 1, 0],
      distance: 5,
      triangle: 0,
      feature: { kind: 'face', vertices: [1, 2, 3] },
    });
  });

  test('breaks ties by the lowest triangle, however the faces are stored', () => {
    const random = createRandom(23);
    for (const mesh of [boxMesh([-1, -1, -1], [1, 1, 1]), torusGrid(8, 6)]) {
      for (const version of [mesh, toSoup(mesh), shuffled(mesh, random)]) {
        const query = new MeshQuery(version);
        for (let v = 0; v < mesh.positions.length; v += 3) {
          // Straight out of each corner: all triangles around it are equally near.
          const p = [...mesh.positions.subarray(v, v + 3)].map((x) => 3 * x) as Vec3;
          const found = query.closestPoint(p)!;
          if (found.feature.kind !== 'vertex') continue;
          const around = Array.from({ length: triangleCount(version) }, (_, i) => i).filter((i) =>
            corners(version, i).some((c) => c.every((value, axis) => value === found.point[axis])),
          );
          expect(around.length).toBeGreaterThan(3);
          expect(found.triangle).toBe(around[0]);
        }
      }
    }
  });

  test('gives the same bits whatever the order of faces and corners', () => {
    const mesh = mapPoints(torusGrid(18, 12), ([x, y, z]) => [x + 0.1 * Math.sin(5 * y), y, z]);
    const query = new MeshQuery(mesh);
    const random = createRandom(27);
    const others = [1, 2, 3].map(() => new MeshQuery(shuffled(mesh, random)));
    for (let k = 0; k < 400; k++) {
      const p: Vec3 = [random.range(-3, 3), random.range(-3, 3), random.range(-1, 1)];
      const { distance, feature } = query.closestPoint(p)!;
      // A foot on a face is computed from sorted corners, too, so even its last bit stays.
      for (const other of others) {
        expect(other.closestPoint(p)!.distance).toBe(distance);
        expect(other.closestPoint(p)!.feature.kind).toBe(feature.kind);
      }
    }
  });

  test('keeps to the largest distance, which itself counts', () => {
    const query = new MeshQuery(boxMesh([0, 0, 0], [1, 1, 1]));
    expect(query.closestPoint([0.5, 0.5, 3], 2)!.distance).toBe(2);
    expect(query.closestPoint([0.5, 0.5, 3], 1.9999999999)).toBeNull();
    expect(query.closestPoint([0.5, 0.5, 1], 0)!.distance).toBe(0);
    const random = createRandom(24);
    const sphere = new MeshQuery(sphereGrid(12));
    for (let k = 0; k < 200; k++) {
      const p: Vec3 = [random.range(-2, 2), random.range(-2, 2), random.range(-2, 2)];
      const free = sphere.closestPoint(p)!;
      expect(sphere.closestPoint(p, free.distance)).toEqual(free);
      expect(sphere.closestPoint(p, free.distance * (1 - 1e-9))).toBeNull();
    }
  });

  test.each([2 ** -30, 2 ** -20, 2 ** 20, 2 ** 30])('is the same at scale %g', (scale) => {
    const mesh = torusGrid(14, 10);
    const query = new MeshQuery(mesh);
    const scaled = new MeshQuery(mapPoints(mesh, (p) => p.map((x) => x * scale)));
    const random = createRandom(25);
    for (let k = 0; k < 200; k++) {
      const p: Vec3 = [random.range(-3, 3), random.range(-3, 3), random.range(-1, 1)];
      const found = query.closestPoint(p)!;
      const other = scaled.closestPoint([p[0] * scale, p[1] * scale, p[2] * scale])!;
      expect(other.distance).toBe(found.distance * scale);
      expect(other.triangle).toBe(found.triangle);
      expect(other.feature).toEqual(found.feature);
    }
  });

  test('looks at few nodes', () => {
    const query = new MeshQuery(sphereGrid(60));
    const random = createRandom(26);
    for (let k = 0; k < 500; k++) {
      const [x, y, z] = random.direction();
      const r = random.range(0.5, 2);
      query.closestPoint([r * x, r * y, r * z]);
    }
    expect(query.nodesVisited / 500).toBeLessThan(150);
  });
});
