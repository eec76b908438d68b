import { describe, expect, test } from 'vitest';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { boxMesh, join, mapPoints, selectFaces, sphereGrid, torusGrid } from '../../generators/surfaces.js';

/** Signed distance to a box, in closed form. */
function boxDistance(p: readonly number[], half: readonly number[]): number {
  const q = p.map((x, axis) => Math.abs(x) - half[axis]);
  return Math.hypot(...q.map((x) => Math.max(x, 0))) + Math.min(Math.max(...q), 0);
}

function randomPoints(seed: number, count: number, reach: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, () => random.range(-reach, reach));
}

const pointAt = (points: Float64Array, i: number): Vec3 => [...points.subarray(3 * i, 3 * i + 3)] as Vec3;

describe('signedDistance', () => {
  test('is that of a box in closed form, 10,000 points', () => {
    const half = [1, 0.75, 1.25];
    const query = new MeshQuery(
      boxMesh(
        half.map((x) => -x),
        half,
      ),
    );
    const points = randomPoints(41, 10_000, 1.3);
    const distances = query.signedDistances(points);
    let inside = 0;
    for (let i = 0; i < distances.length; i++) {
      const expected = boxDistance(pointAt(points, i), half);
      expect(Math.abs(distances[i] - expected)).toBeLessThan(1e-14);
      if (expected < 0) inside++;
    }
    expect(inside / distances.length).toBeGreaterThan(0.3);
    expect(inside / distances.length).toBeLessThan(0.7);
  });

  test('is that of a torus within the height of its facets', () => {
    const query = new MeshQuery(torusGrid(120, 60));
    const points = randomPoints(42, 1000, 2.5);
    const distances = query.signedDistances(points);
    let inside = 0;
    for (let i = 0; i < distances.length; i++) {
      const [x, y, z] = pointAt(points, i);
      const expected = Math.hypot(Math.hypot(x, y) - 2, z) - 0.7;
      expect(Math.abs(distances[i] - expected)).toBeLessThan(3e-3);
      if (expected < 0) inside++;
    }
    expect(inside).toBeGreaterThan(50);
  });

  test('keeps its value under rotation, translation and scale', () => {
    const mesh = torusGrid(20, 12);
    const query = new MeshQuery(mesh);
    const random = createRandom(43);
    for (const scale of [1e-6, 1, 1e6]) {
      const rotation = random.rotation();
      const shift = [random.range(-2, 2), random.range(-2, 2), random.range(-2, 2)];
      const move = (p: readonly number[]): Vec3 =>
        quat.rotate(rotation, p as Vec3).map((x, axis) => scale * (x + shift[axis])) as Vec3;
      const moved = new MeshQuery(mapPoints(mesh, move));
      for (let k = 0; k < 200; k++) {
        const p: Vec3 = [random.range(-3, 3), random.range(-3, 3), random.range(-1, 1)];
        expect(moved.signedDistance(move(p)) / scale).toBeCloseTo(query.signedDistance(p), 11);
      }
    }
  });

  test('is zero on the surface and never minus zero', () => {
    const query = new MeshQuery(boxMesh());
    expect(query.signedDistance([0.5, 0.5, 0])).toBe(0);
    expect(query.signedDistance([1, 1, 1])).toBe(0);
  });

  test('stays negative inside a mesh with small holes', () => {
    const query = new MeshQuery(selectFaces(sphereGrid(16), (face) => face % 29 !== 0));
    const random = createRandom(44);
    for (let k = 0; k < 300; k++) {
      const [x, y, z] = random.direction();
      expect(query.signedDistance([0.8 * x, 0.8 * y, 0.8 * z])).toBeLessThan(0);
      expect(query.signedDistance([1.2 * x, 1.2 * y, 1.2 * z])).toBeGreaterThan(0);
    }
  });

  test('takes the union of solids that overlap', () => {
    const query = new MeshQuery(join(boxMesh([0, 0, 0], [2, 2, 2]), boxMesh([1, 1, 1], [3, 3, 3])));
    expect(query.isInside([1.5, 1.5, 1.5])).toBe(true);
    expect(query.isInside([0.5, 0.5, 0.5])).toBe(true);
    expect(query.isInside([2.5, 2.5, 2.5])).toBe(true);
    expect(query.isInside([2.5, 0.5, 0.5])).toBe(false);
  });
});

describe('many points at once', () => {
  const mesh = torusGrid(24, 14);
  const points = randomPoints(45, 500, 3);

  test('gives what one at a time gives, bit for bit, into the arrays given', () => {
    const query = new MeshQuery(mesh);
    const single = new MeshQuery(mesh);
    const windings = new Float64Array(500);
    const flags = new Uint8Array(500);
    const distances = new Float64Array(500);
    const out = {
      points: new Float64Array(1500),
      distances: new Float64Array(500),
      triangles: new Uint32Array(500),
    };
    expect(query.windingNumbers(points, windings)).toBe(windings);
    expect(query.insidePoints(points, flags)).toBe(flags);
    expect(query.signedDistances(points, distances)).toBe(distances);
    expect(query.closestPoints(points, out)).toBe(out);
    for (let i = 0; i < 500; i++) {
      const p = pointAt(points, i);
      const closest = single.closestPoint(p)!;
      expect(windings[i]).toBe(single.windingNumber(p));
      expect(flags[i] === 1).toBe(single.isInside(p));
      expect(distances[i]).toBe(single.signedDistance(p));
      expect(out.distances[i]).toBe(closest.distance);
      expect(out.triangles[i]).toBe(closest.triangle);
      expect(pointAt(out.points, i)).toEqual(closest.point);
    }
    expect(query.windingNumbers(points)).toEqual(windings);
    expect(query.closestPoints(points, { triangles: new Uint32Array(500) }).triangles).toEqual(out.triangles);
  });

  test('uses what the last point taught: points in a row cost less than one by one', () => {
    const wavy = mapPoints(sphereGrid(40), ([x, y, z]) => [x * (1 + 0.1 * Math.sin(9 * y)), y, z]);
    const row = Float64Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? -0.9 + i / 1700 : 0.1));
    const query = new MeshQuery(wavy);
    query.closestPoints(row, {});
    const together = query.nodesVisited;
    const single = new MeshQuery(wavy);
    for (let i = 0; i < 1000; i++) single.closestPoint(pointAt(row, i));
    expect(together).toBeLessThan(single.nodesVisited);
  });

  test('reports progress and stops when asked', () => {
    const query = new MeshQuery(boxMesh());
    const many = randomPoints(46, 20_000, 2);
    const seen: number[] = [];
    query.closestPoints(many, {}, { onProgress: (fraction) => seen.push(fraction) });
    expect(seen.length).toBeGreaterThan(3);
    const signal = { aborted: true };
    expect(() => query.windingNumbers(many, undefined, { signal })).toThrow(/request/);
    expect(() => query.insidePoints(many, undefined, { signal })).toThrow(/request/);
    expect(() => query.signedDistances(many, undefined, { signal })).toThrow(/request/);
    expect(() => query.closestPoints(many, {}, { signal })).toThrow(/request/);
  });

  test('refuses arrays that do not fit', () => {
    const query = new MeshQuery(boxMesh());
    expect(() => query.windingNumbers(new Float64Array(4))).toThrow(/x, y, z/);
    expect(() => query.signedDistances(points, new Float64Array(499))).toThrow(/499.*500/);
    expect(() => query.closestPoints(points, { points: new Float64Array(500) })).toThrow(/500.*1500/);
    expect(() => query.insidePoints(Float64Array.of(0, Number.NaN, 0))).toThrow(/Point 0/);
  });
});

describe('MeshQuery', () => {
  test('refuses bad meshes, points and options', () => {
    expect(() => new MeshQuery({ positions: new Float64Array(0), indices: new Uint32Array(0) })).toThrow(
      /no triangles/,
    );
    expect(() => new MeshQuery(boxMesh(), { windingAccuracy: -1 })).toThrow(/accuracy/);
    const query = new MeshQuery(boxMesh());
    expect(() => query.isInside([0, Number.NaN, 0])).toThrow(/point is \(0, NaN, 0\)/);
    expect(() => query.windingNumber([0, 0] as unknown as Vec3)).toThrow(/2 numbers/);
    expect(() => query.closestPoint([0, 0, Infinity])).toThrow(/finite/);
    expect(() => query.closestPoint([0, 0, 0], Number.NaN)).toThrow(/distance/);
  });

  test('leaves the mesh alone', () => {
    const mesh = torusGrid(10, 8);
    const before = structuredClone(mesh);
    const query = new MeshQuery(mesh);
    query.signedDistance([0, 0, 0]);
    query.raycast([0, 0, 0], [1, 0, 0]);
    expect(mesh).toEqual(before);
  });

  test('lets two objects answer in turn', () => {
    const a = new MeshQuery(torusGrid(10, 8));
    const b = new MeshQuery(boxMesh());
    const alone = a.closestPoint([1, 2, 3]);
    for (let k = 0; k < 5; k++) {
      b.closestPoint([k, 0, 0]);
      expect(a.closestPoint([1, 2, 3])).toEqual(alone);
      b.signedDistance([0, k, 0]);
    }
  });
});
