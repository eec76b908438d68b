import { describe, expect, test } from 'vitest';
import { type AssemblyPart, buildAssembly } from '../../src/clash/assembly.js';
import { findClashes } from '../../src/clash/find-clashes.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { type ModelFile, type ModelPart, mergeModel } from '../../src/io/model/model-file.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { boxMesh, mapPoints, sheet, sphereGrid, torusGrid } from '../generators/surfaces.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const here = pose.identity();

/** Rigid, scaled, mirrored and sheared instances of a few shapes, one of them open, thrown about. */
function scatter(seed: number, count: number, scale = 1): ModelFile {
  const random = createRandom(seed);
  const shapes = [boxMesh(), sphereGrid(3, 0.6), torusGrid(9, 6), sheet(2), findModel('letter-e').build()];
  const meshes = shapes.map((mesh, i) => ({ name: `shape ${i}`, mesh: resized(mesh, scale) }));
  const parts = Array.from({ length: count }, (_, i): ModelPart => {
    const place = [0, 0, 0].map(() => random.range(-3, 3) * scale) as [number, number, number];
    const transform = pose.toMatrix4(pose.create(place, random.rotation()));
    const kind = i % 4;
    for (let row = 0; row < 3; row++) {
      const [x, y, z] = transform.subarray(4 * row, 4 * row + 3);
      if (kind === 1) transform.set([0.7 * x, 0.7 * y, 0.7 * z], 4 * row);
      if (kind === 2) transform.set([-x, 1.3 * y, z], 4 * row);
      if (kind === 3) transform.set([x, y + 0.4 * x, z], 4 * row);
    }
    return { name: `part ${i}`, meshIndex: random.integer(meshes.length), transform };
  });
  return { format: 'glb', meshes, parts };
}

/** Of a size near 1, times the scale. */
function resized(mesh: Mesh, scale: number): Mesh {
  const size = Math.max(...mesh.positions.map(Math.abs));
  return mapPoints(mesh, (point) => point.map((value) => (value / size) * scale));
}

/** Every part worked into a mesh of its own, every pair measured. */
function measureAll(file: ModelFile, clearance: number): { a: number; b: number; distance: number }[] {
  const models = file.parts.map((part) => new ProximityModel(mergeModel({ ...file, parts: [part] })));
  return models.flatMap((model, a) =>
    models.slice(a + 1).flatMap((other, k) => {
      const pair = new Pair(model, other, { volume: 'boxes', coherence: false });
      const distance = pair.distance(here, here).distance!;
      return distance <= clearance ? [{ a, b: a + 1 + k, distance }] : [];
    }),
  );
}

describe('against all pairs', () => {
  test.each([1, 1e-6, 1e6])('scattered instances at scale %d', (scale) => {
    let intersecting = 0;
    let all = 0;
    for (let run = 0; run < 3 * SOAK; run++) {
      const file = scatter(run + 1, 24, scale);
      const clearance = 0.25 * scale;
      const parts = buildAssembly(file);
      const { clashes, pairsTested } = findClashes(parts, { clearance });
      const expected = measureAll(file, clearance);
      const byPair = [...clashes].sort((p, q) => p.a - q.a || p.b - q.b);
      expect(byPair.map(({ a, b }) => [a, b])).toEqual(expected.map(({ a, b }) => [a, b]));
      for (const [i, clash] of byPair.entries()) {
        expect(Math.abs(clash.distance - expected[i].distance)).toBeLessThan(1e-12 * scale);
        expect(clash.intersects).toBe(clash.distance === 0);
        checkPoints(clash, parts, scale);
        all++;
        if (clash.intersects) intersecting++;
      }
      const distances = clashes.map(({ distance }) => distance);
      expect(distances).toEqual([...distances].sort((p, q) => p - q));
      // The broad phase leaves few pairs that do not clash: of 276 in all.
      expect(pairsTested).toBeGreaterThanOrEqual(clashes.length);
      expect(pairsTested).toBeLessThan(140);
    }
    expect(intersecting / all).toBeGreaterThan(0.3);
    expect(intersecting / all).toBeLessThan(0.7);
  });

  function checkPoints(clash: ReturnType<typeof findClashes>['clashes'][number], parts: AssemblyPart[], scale: number) {
    const { a, b, pointA, pointB, distance, normal, intersects } = clash;
    const gap = pointB.map((value, k) => value - pointA[k]);
    expect(Math.abs(Math.hypot(...gap) - distance)).toBeLessThan(1e-12 * scale);
    for (const [part, point] of [
      [parts[a], pointA],
      [parts[b], pointB],
    ] as const) {
      const local = pose.transformPoint(pose.invert(part.pose), point);
      expect(part.model.signedDistance(local)).toBeLessThan(1e-11 * scale);
    }
    if (intersects) expect(normal).toBeNull();
    else for (let k = 0; k < 3; k++) expect(normal![k] * distance).toBeCloseTo(gap[k], 9 - Math.log10(scale));
  }

  test('hulls find what boxes find', () => {
    const parts = buildAssembly(scatter(9, 18));
    const boxes = findClashes(parts, { clearance: 0.3, volume: 'boxes' });
    const hulls = findClashes(parts, { clearance: 0.3, volume: 'hulls' });
    const key = ({ clashes }: typeof boxes) => clashes.map(({ a, b, distance }) => [a, b, distance.toFixed(12)]);
    expect(boxes.clashes.length).toBeGreaterThan(5);
    expect(key(hulls)).toEqual(key(boxes));
    expect(hulls.pairsTested).toBe(boxes.pairsTested);
  });
});

describe('worked examples', () => {
  const cubes = (...xs: number[]): AssemblyPart[] => {
    const model = new ProximityModel(boxMesh());
    return xs.map((x, i) => ({ name: `cube ${i}`, model, pose: [x, 0, 0, 0, 0, 0, 1] }));
  };

  test('a row of cubes: gap, touch, overlap, far', () => {
    const row = cubes(0, 1.25, 2.25, 3, 9);
    expect(findClashes(row, { clearance: 0.3 })).toMatchObject({
      pairsTested: 3,
      clashes: [
        { a: 1, b: 2, intersects: true, distance: 0, normal: null },
        { a: 2, b: 3, intersects: true, distance: 0, normal: null },
        { a: 0, b: 1, intersects: false, distance: 0.25, normal: [1, 0, 0] },
      ],
    });
    expect(findClashes(row).clashes.map(({ a, b }) => [a, b])).toEqual([
      [1, 2],
      [2, 3],
    ]);
    // The clearance is met exactly.
    expect(findClashes(row, { clearance: 0.75 }).clashes.at(-1)).toMatchObject({ a: 1, b: 3, distance: 0.75 });
    expect(findClashes(row, { clearance: 0.75 - 2 ** -50 }).clashes).toHaveLength(3);
  });

  test('a solid inside another clashes; nothing and one part do not', () => {
    const inner = new ProximityModel(mapPoints(boxMesh(), (point) => point.map((value) => 0.25 * value + 0.375)));
    const parts = [...cubes(0), { name: 'inner', model: inner, pose: here }];
    expect(findClashes(parts).clashes).toMatchObject([{ intersects: true }]);
    expect(findClashes(parts.slice(1))).toEqual({ clashes: [], pairsTested: 0, pairsIgnored: 0 });
    expect(findClashes([])).toEqual({ clashes: [], pairsTested: 0, pairsIgnored: 0 });
  });

  test('refuses bad input and stops when asked to', () => {
    const two = cubes(0, 1);
    for (const clearance of [-1, Number.NaN, Infinity, '1' as unknown as number]) {
      expect(() => findClashes(two, { clearance })).toThrow(/clearance is/);
    }
    expect(() => findClashes([{ ...two[0], model: {} as ProximityModel }])).toThrow(/model of part 0/);
    expect(() => findClashes([two[0], { ...two[1], pose: [0, 0, 0, 0, 0, 0, 2] }])).toThrow(/part 1/);
    expect(() => findClashes(two, { signal: { aborted: true } })).toThrow(/request/);
  });
});
