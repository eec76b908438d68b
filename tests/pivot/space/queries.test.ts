// Contacts, separation, intersection and fields in space against brute force, and what is refused.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { sampleField, sampleGradient } from '../../../src/field/read/sample-field.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { SpacePivot } from '../../../src/pivot/space/space-pivot.js';
import { codeOf } from '../../error-code.js';
import { moved, randomSolid, surfacePoints } from '../../generators/deforming-solids.js';
import { boxMesh, flipFaces, join, mesh, openCube, reversed, sheet, sphereGrid } from '../../generators/surfaces.js';
import { measureByBruteForce, prepareOracle, windingByRay } from '../../oracles/mesh-distance.js';
import { distanceToMesh } from '../../oracles/point-mesh-distance.js';

type Point = [number, number, number];

const pointOf = (points: Float64Array, n: number): Point => [points[3 * n], points[3 * n + 1], points[3 * n + 2]];
const oracle = ({ positions, indices }: Mesh) => prepareOracle(positions, indices);
const toSurface = ({ positions, indices }: Mesh, point: Point): number => distanceToMesh(positions, indices, point);
const isIn = ({ positions, indices }: Mesh, [x, y, z]: Point): boolean => windingByRay(positions, indices, x, y, z) > 0;

function randomPair(seed: number, reach: number): [Mesh, Mesh] {
  const random = createRandom(seed);
  const a = randomSolid(random);
  return [a, moved(randomSolid(random), [reach * (random.next() - 0.3), random.next() - 0.5, random.next() - 0.5])];
}

/** Where an edge of A passes through B's surface, if its ends are on different sides; by bisection. */
function crossingOn(a: Mesh, edge: number, b: Mesh): Point | null {
  let inside = pointOf(a.positions, a.indices[edge]);
  let outside = pointOf(a.positions, a.indices[edge + 1]);
  if (isIn(b, inside) === isIn(b, outside)) return null;
  if (!isIn(b, inside)) [inside, outside] = [outside, inside];
  for (let round = 0; round < 45; round++) {
    const middle = inside.map((x, axis) => (x + outside[axis]) / 2) as Point;
    if (isIn(b, middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

describe('separation', () => {
  test('is within the error of brute force, and exact on request', () => {
    let apart = 0;
    for (let seed = 0; seed < 60; seed++) {
      const [a, b] = randomPair(seed, 5.5);
      const truth = measureByBruteForce(oracle(a), oracle(b));
      for (const error of [0.2, 0.05]) {
        const pivot = new SpacePivot({ error });
        const sampled = pivot.separationSync(a, b);
        expect(sampled.intersects).toBe(truth.intersects);
        const exact = pivot.separationSync(a, b, { exact: true });
        expect(exact.intersects).toBe(truth.intersects);
        if (truth.intersects) {
          expect([exact.distance, exact.pointA, exact.pointB, exact.direction]).toEqual([0, null, null, null]);
          continue;
        }
        apart++;
        expect(Math.abs(sampled.distance - truth.distance)).toBeLessThanOrEqual(error);
        expect(toSurface(a, sampled.pointA!)).toBeLessThan(1e-9);
        expect(toSurface(b, sampled.pointB!)).toBeLessThan(1e-9);
        const gap = Math.hypot(...sampled.pointA!.map((x, axis) => sampled.pointB![axis] - x));
        expect(gap).toBeLessThanOrEqual(sampled.distance + error);
        expect(exact.distance).toBeCloseTo(truth.distance, 12);
        const foot = exact.pointA!.map((x, axis) => x + exact.distance * exact.direction![axis]);
        for (let axis = 0; axis < 3; axis++) expect(foot[axis]).toBeCloseTo(exact.pointB![axis], 9);
      }
    }
    expect(apart).toBeGreaterThan(40);
    expect(apart).toBeLessThan(105);
  });

  test('knows a part inside, without surfaces that meet', () => {
    const inner = join(boxMesh([5, 5, 5], [6, 6, 6]), boxMesh([-0.01, 0, 0], [0.01, 0.02, 0.02]));
    const pivot = new SpacePivot({ error: 0.5 });
    expect(pivot.separationSync(inner, boxMesh([-1, -1, -1], [1, 1, 1])).intersects).toBe(true);
    expect(pivot.separationSync(boxMesh([-1, -1, -1], [1, 1, 1]), inner).intersects).toBe(true);
    const hollow = join(boxMesh([-2, -2, -2], [2, 2, 2]), reversed(boxMesh([-1, -1, -1], [1, 1, 1])));
    const between = pivot.separationSync(boxMesh([-0.5, -0.5, -0.5], [0.25, 0.5, 0.5]), hollow, { exact: true });
    expect([between.intersects, between.distance]).toEqual([false, 0.5]);
    expect(pivot.separationSync(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1])).intersects).toBe(true);
  });
});

describe('contacts', () => {
  test('are all points of A within the threshold of B, up to the error', () => {
    let near = 0;
    let reported = 0;
    for (let seed = 100; seed < 140; seed++) {
      const [a, b] = randomPair(seed, 2.6);
      const random = createRandom(seed);
      const error = [0.2, 0.1, 0.05][seed % 3];
      const threshold = [0, 0.1, 0.3][seed % 2 === 0 ? 1 : seed % 3];
      const contacts = new SpacePivot({ error }).contactsSync(a, b, threshold);
      reported += contacts.count;
      for (let n = 0; n < contacts.count; n++) {
        if (random.next() > 12 / contacts.count) continue;
        const point = pointOf(contacts.points, n);
        expect(toSurface(a, point)).toBeLessThanOrEqual(error);
        const distance = toSurface(b, point);
        expect(distance).toBeLessThanOrEqual(threshold + error);
        const signed = isIn(b, point) ? -distance : distance;
        expect(Math.abs(contacts.distances[n] - signed)).toBeLessThan(1e-12);
        const normal = pointOf(contacts.normals, n);
        expect(toSurface(b, point.map((x, axis) => x + signed * normal[axis]) as Point)).toBeLessThan(1e-9);
      }
      for (const point of surfacePoints(a, random, 20)) {
        if (toSurface(b, point) > threshold) continue;
        near++;
        let least = Infinity;
        for (let n = 0; n < contacts.count; n++) {
          least = Math.min(least, Math.hypot(...pointOf(contacts.points, n).map((x, axis) => x - point[axis])));
        }
        expect(least).toBeLessThanOrEqual(error);
      }
    }
    expect(near).toBeGreaterThan(60);
    expect(reported).toBeGreaterThan(1000);
  });

  test('have normals from A to B, also where the surfaces touch', () => {
    const contacts = new SpacePivot({ error: 0.05 }).contactsSync(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1]), 0.01);
    expect(contacts.count).toBeGreaterThan(100);
    let along = 0;
    for (let n = 0; n < contacts.count; n++) if (contacts.normals[3 * n] > 0.99) along++;
    expect(along / contacts.count).toBeGreaterThan(0.6);
  });
});

describe('intersection', () => {
  test('is the samples in both solids, and those near where the surfaces meet', () => {
    let crossings = 0;
    for (let seed = 200; seed < 212; seed++) {
      const [a, b] = randomPair(seed, 1.5);
      const random = createRandom(seed);
      const { frame, inside, count, boundary, volume, spacing, error } = new SpacePivot({
        error: 0.07,
      }).intersectionSync(a, b);
      if (frame === null) continue;
      expect(inside.reduce((sum, is) => sum + is, 0)).toBe(count);
      expect(volume).toBeCloseTo(count * spacing ** 3, 12);
      for (let trial = 0; trial < 60; trial++) {
        const node = random.integer(inside.length);
        const [nx, ny] = frame.size;
        const place = [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
        const point = place.map((i, axis) => frame.origin[axis] + frame.spacing * i) as Point;
        expect(inside[node] === 1).toBe(isIn(a, point) && isIn(b, point));
      }
      for (let n = 0; n < boundary.length / 3; n++) {
        if (random.next() > 0.2) continue;
        expect(toSurface(a, pointOf(boundary, n))).toBeLessThanOrEqual(error);
        expect(toSurface(b, pointOf(boundary, n))).toBeLessThanOrEqual(error);
      }
      for (let edge = 0; edge < a.indices.length; edge += 3) {
        const crossing = crossingOn(a, edge, b);
        if (crossing === null) continue;
        crossings++;
        let nearest = Infinity;
        for (let n = 0; n < boundary.length / 3; n++) {
          nearest = Math.min(nearest, Math.hypot(...pointOf(boundary, n).map((x, axis) => x - crossing[axis])));
        }
        expect(nearest).toBeLessThanOrEqual(error);
      }
    }
    expect(crossings).toBeGreaterThan(60);
  });

  test('has the volume of the overlap of two boxes up to the error', () => {
    const pivot = new SpacePivot({ error: 0.02 });
    const { volume, error } = pivot.intersectionSync(boxMesh(), boxMesh([0.5, 0.25, -1], [2, 2, 2]));
    expect(Math.abs(volume - 0.375)).toBeLessThan(error * 2 * (0.375 + 0.75 + 0.5));
    expect(pivot.intersectionSync(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1])).frame).toBe(null);
  });
});

describe('the field', () => {
  test('is within the error everywhere in the box, between samples too', async () => {
    const solid = randomSolid(createRandom(8));
    const random = createRandom(9);
    const pivot = new SpacePivot({ error: 0.1 });
    const box = { min: [-0.5, -0.4, -0.6] as Point, max: [0.9, 0.6, 0.5] as Point };
    const field = await pivot.field(solid, box);
    expect(pivot.fieldSync(solid, box).values).toEqual(field.values);
    for (let trial = 0; trial < 200; trial++) {
      const point = box.min.map((low, axis) => low + random.next() * (box.max[axis] - low)) as Point;
      const truth = toSurface(solid, point) * (isIn(solid, point) ? -1 : 1);
      expect(Math.abs(sampleField(field, point) - truth)).toBeLessThanOrEqual(0.1);
      expect(sampleGradient(field, point).every(Number.isFinite)).toBe(true);
    }
  });
});

describe('what is refused', () => {
  const pivot = new SpacePivot({ error: 0.1 });
  const flat = mesh(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    [
      [0, 1, 2],
      [0, 2, 1],
    ],
  );
  const nan = boxMesh();
  nan.positions[4] = Number.NaN;

  test.each([
    ['an open cube', openCube(), 'open-mesh'],
    ['a sheet', sheet(3), 'open-mesh'],
    ['a solid without volume', flat, 'degenerate'],
    ['a coordinate that is no number', nan, 'non-finite'],
    ['no triangles', { positions: new Float64Array(0), indices: new Uint32Array(0) }, 'empty-mesh'],
    ['a missing mesh', undefined as unknown as Mesh, 'bad-argument'],
  ])('%s', (_, bad, code) => {
    const queries = [
      (a: Mesh, b: Mesh) => pivot.penetrationSync(a, b),
      (a: Mesh, b: Mesh) => pivot.contactsSync(a, b, 0.1),
      (a: Mesh, b: Mesh) => pivot.separationSync(a, b),
      (a: Mesh, b: Mesh) => pivot.intersectionSync(a, b),
    ];
    for (const query of queries) {
      expect(codeOf(() => query(bad, boxMesh()))).toBe(code);
      expect(codeOf(() => query(boxMesh(), bad))).toBe(code);
    }
  });

  test('errors, thresholds and options that make no sense', () => {
    for (const error of [0, -1, Number.NaN, Infinity, '1' as unknown as number]) {
      expect(codeOf(() => new SpacePivot({ error }))).toBe('bad-argument');
    }
    expect(codeOf(() => new SpacePivot({ tolerance: 1 } as object))).toBe('bad-argument');
    expect(codeOf(() => new SpacePivot({ error: 1e-12 }).penetrationSync(boxMesh(), boxMesh()))).toBe('bad-argument');
    expect(codeOf(() => new SpacePivot({ error: 1e-6 }).penetrationSync(boxMesh(), boxMesh()))).toBe('too-large');
    const far = { min: [1e12, 0, 0], max: [1e12 + 1, 1, 1] } as const;
    expect(codeOf(() => new SpacePivot({ error: 0.1 }).fieldSync(boxMesh(), far as never))).toBe('bad-argument');
    for (const threshold of [-1, Number.NaN, Infinity]) {
      expect(codeOf(() => pivot.contactsSync(boxMesh(), boxMesh(), threshold))).toBe('bad-argument');
    }
  });

  test('but not faces that disagree where they can be turned, nor degenerate triangles', () => {
    const box = boxMesh([0.5, 0.2, 0.1], [2, 0.8, 0.9]);
    const answer = pivot.penetrationSync(box, boxMesh());
    expect(answer.a.count).toBeGreaterThan(10);
    const mixed = pivot.penetrationSync(
      flipFaces(box, (face) => face % 3 === 0),
      boxMesh(),
    );
    expect(mixed.a.depths).toEqual(answer.a.depths);
    const vertex = box.indices[0];
    const needles = { positions: box.positions, indices: Uint32Array.from([...box.indices, vertex, vertex, vertex]) };
    expect(pivot.penetrationSync(needles, boxMesh()).a.depths).toEqual(answer.a.depths);
    const pieces = join(sphereGrid(3, 0.4), moved(sphereGrid(3, 0.4), [0.3, 0, 0]));
    expect(pivot.penetrationSync(pieces, boxMesh()).intersects).toBe(true);
  });
});
