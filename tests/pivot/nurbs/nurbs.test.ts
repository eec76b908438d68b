// NURBS surfaces against closed forms and the recursive definition of B-splines.
import { describe, expect, test } from 'vitest';
import { organsAt } from '../../../bench/scenarios/organs.js';
import { createRandom } from '../../../src/core/random.js';
import { findOutwardSurface } from '../../../src/mesh/repair/outward-surface.js';
import { bezierPatches } from '../../../src/pivot/nurbs/bezier-patches.js';
import { findNearNurbs } from '../../../src/pivot/nurbs/near-nurbs.js';
import { evaluateNurbs, type NurbsSurface } from '../../../src/pivot/nurbs/nurbs-surface.js';
import { tessellateNurbs } from '../../../src/pivot/nurbs/tessellate-nurbs.js';
import { SpacePivot } from '../../../src/pivot/space/space-pivot.js';
import { codeOf } from '../../error-code.js';
import { distanceToMesh } from '../../oracles/point-mesh-distance.js';

type Point = [number, number, number];

/** The sphere as a surface of revolution of a half circle, of degree 2: exact. */
function sphere(radius: number, center: Point = [0, 0, 0]): NurbsSurface {
  const r = Math.SQRT1_2;
  const circle = [
    [1, 0, 1],
    [1, 1, r],
    [0, 1, 1],
    [-1, 1, r],
    [-1, 0, 1],
    [-1, -1, r],
    [0, -1, 1],
    [1, -1, r],
    [1, 0, 1],
  ];
  const half = [
    [0, -1, 1],
    [1, -1, r],
    [1, 0, 1],
    [1, 1, r],
    [0, 1, 1],
  ];
  const points: number[] = [];
  const weights: number[] = [];
  for (const [ring, height, v] of half) {
    for (const [x, z, w] of circle) {
      points.push(center[0] + radius * ring * x, center[1] + radius * height, center[2] + radius * ring * z);
      weights.push(v * w);
    }
  }
  return {
    degreeU: 2,
    degreeV: 2,
    knotsU: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4],
    knotsV: [0, 0, 0, 1, 1, 2, 2, 2],
    points: Float64Array.from(points),
    weights: Float64Array.from(weights),
  };
}

function randomSurface(seed: number): NurbsSurface {
  const random = createRandom(seed);
  const [degreeU, degreeV] = [1 + random.integer(4), 1 + random.integer(4)];
  const [countU, countV] = [degreeU + 1 + random.integer(4), degreeV + 1 + random.integer(4)];
  const knots = (degree: number, count: number): number[] => {
    let at = 0;
    // Steps of 0 repeat knots, at most as often as the degree.
    let repeated = 0;
    return Array.from({ length: count + degree + 1 }, (_, n) => {
      const still = random.next() < 0.3 && repeated < degree - 1 && n !== degree + 1;
      repeated = still ? repeated + 1 : 0;
      at += still ? 0 : 0.2 + random.next();
      return at;
    });
  };
  const points = Float64Array.from({ length: 3 * countU * countV }, () => random.next() - 0.5);
  const weights = Float64Array.from({ length: countU * countV }, () => 0.5 + random.next());
  const isRational = random.next() < 0.5;
  return {
    degreeU,
    degreeV,
    knotsU: knots(degreeU, countU),
    knotsV: knots(degreeV, countV),
    points,
    weights: isRational ? weights : undefined,
  };
}

/** The basis function by its definition (Cox 1972, de Boor 1972). */
function basis(knots: ArrayLike<number>, n: number, degree: number, t: number): number {
  if (degree === 0) return t >= knots[n] && t < knots[n + 1] ? 1 : 0;
  const share = (a: number, b: number): number => (b > 0 ? a / b : 0);
  return (
    share(t - knots[n], knots[n + degree] - knots[n]) * basis(knots, n, degree - 1, t) +
    share(knots[n + degree + 1] - t, knots[n + degree + 1] - knots[n + 1]) * basis(knots, n + 1, degree - 1, t)
  );
}

function byDefinition(surface: NurbsSurface, u: number, v: number): number[] {
  const { degreeU, degreeV, knotsU, knotsV, points, weights } = surface;
  const countU = knotsU.length - degreeU - 1;
  const sum = [0, 0, 0, 0];
  for (let point = 0; point < points.length / 3; point++) {
    const share =
      basis(knotsU, point % countU, degreeU, u) *
      basis(knotsV, Math.floor(point / countU), degreeV, v) *
      (weights?.[point] ?? 1);
    for (let axis = 0; axis < 3; axis++) sum[axis] += share * points[3 * point + axis];
    sum[3] += share;
  }
  return sum.slice(0, 3).map((x) => x / sum[3]);
}

function randomParameters({ degreeU, degreeV, knotsU, knotsV }: NurbsSurface, next: () => number): [number, number] {
  const from = (knots: ArrayLike<number>, degree: number): number =>
    knots[degree] + next() * (knots[knots.length - degree - 1] - knots[degree]);
  return [from(knotsU, degreeU), from(knotsV, degreeV)];
}

describe('a surface', () => {
  test('is evaluated as defined, and its patches hold it', () => {
    for (let seed = 0; seed < 40; seed++) {
      const surface = randomSurface(seed);
      const random = createRandom(seed);
      const patches = bezierPatches(surface);
      for (let trial = 0; trial < 10; trial++) {
        const [u, v] = randomParameters(surface, () => random.next());
        const point = evaluateNurbs(surface, u, v);
        const expected = byDefinition(surface, u, v);
        for (let axis = 0; axis < 3; axis++) expect(point[axis]).toBeCloseTo(expected[axis], 10);
        const { knotsU, knotsV } = surface;
        const patch = patches.find(
          ({ spanU, spanV }) =>
            u >= knotsU[spanU] && u < knotsU[spanU + 1] && v >= knotsV[spanV] && v < knotsV[spanV + 1],
        )!;
        for (let axis = 0; axis < 3; axis++) {
          const coordinates = Array.from(
            { length: patch.net.length / 4 },
            (_, n) => patch.net[4 * n + axis] / patch.net[4 * n + 3],
          );
          expect(point[axis]).toBeGreaterThanOrEqual(Math.min(...coordinates) - 1e-10);
          expect(point[axis]).toBeLessThanOrEqual(Math.max(...coordinates) + 1e-10);
        }
      }
    }
  });

  test('of a sphere is round', () => {
    const surface = sphere(2);
    const random = createRandom(5);
    for (let trial = 0; trial < 50; trial++) {
      expect(Math.hypot(...evaluateNurbs(surface, 4 * random.next(), 2 * random.next()))).toBeCloseTo(2, 12);
    }
  });

  test('that is not valid is refused', () => {
    const good = sphere(1);
    const bad: [Partial<NurbsSurface>, string][] = [
      [{ degreeU: 0 }, 'bad-argument'],
      [{ degreeV: 40 }, 'bad-argument'],
      [{ knotsU: [0, 0, 0, 2, 1, 3, 3, 3, 3, 4, 4, 4] }, 'bad-argument'],
      [{ knotsV: [0, 0, 0, 0, 0, 0, 0, 0] }, 'bad-argument'],
      [{ points: new Float64Array(9) }, 'bad-argument'],
      [{ points: good.points.map((x, n) => (n === 7 ? Number.NaN : x)) }, 'non-finite'],
      [{ weights: good.weights!.map(() => 0) }, 'bad-argument'],
      [{ weights: new Float64Array(3) }, 'bad-argument'],
    ];
    for (const [change, code] of bad) {
      expect(codeOf(() => evaluateNurbs({ ...good, ...change }, 0, 0))).toBe(code);
      expect(codeOf(() => tessellateNurbs({ ...good, ...change }, { error: 0.1 }))).toBe(code);
    }
    expect(codeOf(() => tessellateNurbs(good, { error: 0 }))).toBe('bad-argument');
    expect(codeOf(() => tessellateNurbs(good, { error: 1e-15 }))).toBe('too-large');
    expect(codeOf(() => findNearNurbs([good], Number.NaN))).toBe('bad-argument');
  });
});

describe('a tessellation', () => {
  test('of a sphere is closed and within the error, with triangles by its inverse', () => {
    const counts = [0.1, 0.03, 0.01].map((error) => {
      const mesh = tessellateNurbs(sphere(1), { error });
      expect(findOutwardSurface(mesh).outward).toBe(true);
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const middle = [0, 1, 2].map((axis) =>
          [0, 1, 2].reduce((sum, k) => sum + mesh.positions[3 * mesh.indices[i + k] + axis] / 3, 0),
        );
        expect(Math.abs(Math.hypot(...middle) - 1)).toBeLessThanOrEqual(error);
      }
      return mesh.indices.length / 3;
    });
    expect(counts[0]).toBeLessThan(1500);
    expect(counts[2] / counts[1]).toBeLessThan(3.6);
    expect(counts[2] / counts[1]).toBeGreaterThan(2.4);
  });

  test('of any surface is within the error of its points', () => {
    for (let seed = 0; seed < 12; seed++) {
      const surface = randomSurface(seed);
      const random = createRandom(seed);
      const error = 0.02;
      const { positions, indices } = tessellateNurbs(surface, { error });
      for (let trial = 0; trial < 25; trial++) {
        const point = evaluateNurbs(surface, ...randomParameters(surface, () => random.next()));
        expect(distanceToMesh(positions, indices, point)).toBeLessThanOrEqual(error);
      }
    }
  });
});

describe('organs', () => {
  test('are closed at all times, and the chambers stay in the heart', () => {
    const pivot = new SpacePivot({ error: 0.003 });
    for (const time of [0, 1.3, 2.5, 4]) {
      const organs = organsAt(time);
      const meshes = organs.map(({ surface }) => tessellateNurbs(surface, { error: 0.0005 }));
      const at = (name: string) => meshes[organs.findIndex((organ) => organ.name === name)];
      for (const mesh of meshes) expect(findOutwardSurface(mesh).closed).toBe(true);
      for (const chamber of ['left ventricle', 'right ventricle', 'left atrium', 'right atrium']) {
        const { a, b } = pivot.penetrationSync(at(chamber), at('heart'));
        expect(a.count).toBeGreaterThan(50);
        expect(b.count).toBe(0);
      }
    }
  });

  test('that touch are among the near pairs, and few others', () => {
    const organs = organsAt(0);
    const surfaces = organs.map(({ surface }) => surface);
    const { pairs, patches, patchPairs } = findNearNurbs(surfaces, 0.002);
    expect(patches).toBe(9 * 40);
    const found = new Set<string>();
    for (let n = 0; n < pairs.length; n += 2) found.add(`${pairs[n]} ${pairs[n + 1]}`);
    expect(found.size).toBeLessThan(25);
    expect(patchPairs).toBeGreaterThan(found.size);
    const meshes = surfaces.map((surface) => tessellateNurbs(surface, { error: 0.0005 }));
    const pivot = new SpacePivot({ error: 0.002 });
    let near = 0;
    for (let i = 0; i < meshes.length; i++) {
      for (let j = i + 1; j < meshes.length; j++) {
        if (pivot.contactsSync(meshes[i], meshes[j], 0).count === 0) continue;
        const { distances } = pivot.contactsSync(meshes[i], meshes[j], 0);
        if (!distances.some((distance) => Math.abs(distance) < 0.0005)) continue;
        near++;
        expect(found.has(`${i} ${j}`)).toBe(true);
      }
    }
    expect(near).toBeGreaterThan(3);
  });
});
