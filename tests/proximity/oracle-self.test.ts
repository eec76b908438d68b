// Tests the oracles of the proximity queries against closed forms, against each other and against exact fractions,
// before other tests rely on them.
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { boxMesh, join, mapPoints, reversed, sphereGrid, tetrahedron, torusGrid } from '../generators/surfaces.js';
import { collectFeatures, findContactsByEnumeration } from '../oracles/contacts.js';
import { measureByBruteForce, placeInFrame, prepareOracle, windingByRay } from '../oracles/mesh-distance.js';
import { nearest, triangleDistanceSquared } from '../oracles/triangle-distance-oracle.js';
import { meetExactly } from '../oracles/triangle-intersection.js';
import { trianglesMeet } from '../oracles/triangles-meet.js';
import { windingNumberBySum } from '../oracles/winding-number.js';
import { EXAMPLE_POSES, EXAMPLES } from './contact/contact-examples.js';

const CORNERS = [0, 3, 6];

function randomTriangle(random: Random, range: number, whole: boolean): Float64Array {
  return Float64Array.from({ length: 9 }, () =>
    whole ? random.integer(2 * range + 1) - range : random.range(-range, range),
  );
}

const rows = (t: Float64Array) => [0, 3, 6].map((i) => Array.from(t.subarray(i, i + 3)));
const hasArea = (t: Float64Array) => {
  const [a, b, c] = rows(t);
  const u = b.map((x, k) => x - a[k]);
  const v = c.map((x, k) => x - a[k]);
  return u[1] * v[2] !== u[2] * v[1] || u[2] * v[0] !== u[0] * v[2] || u[0] * v[1] !== u[1] * v[0];
};

describe('the exact meeting of triangles', () => {
  test('agrees with clipping in fractions on whole coordinates, where touching and degenerate ones abound', () => {
    const random = createRandom(11);
    let meetings = 0;
    let count = 0;
    while (count < 4000) {
      const a = randomTriangle(random, 2, true);
      const b = randomTriangle(random, 2, true);
      if (!hasArea(b)) continue;
      count++;
      const truth = meetExactly(rows(a), rows(b));
      if (truth) meetings++;
      expect(trianglesMeet(a, 0, 3, 6, b, 0, 3, 6), `${a} | ${b}`).toBe(truth);
      expect(trianglesMeet(b, 3, 6, 0, a, 6, 3, 0), `${a} | ${b}`).toBe(truth);
    }
    expect(meetings / count).toBeGreaterThan(0.3);
    expect(meetings / count).toBeLessThan(0.7);
  });
});

describe('the distance of triangles by feature pairs', () => {
  test('is what projected descent over both triangles finds', () => {
    const random = createRandom(12);
    for (let i = 0; i < 300; i++) {
      const a = randomTriangle(random, 1, false);
      const b = randomTriangle(random, 1, false);
      for (let k = 0; k < 9; k += 3) b[k] += 2.5;
      if (i % 3 === 0) for (let k = 0; k < 9; k++) b[k] = a[k] + (k % 3 === 0 ? 3 : 0) + 1e-9 * random.range(-1, 1);
      const found = Math.sqrt(triangleDistanceSquared(a, CORNERS, b, CORNERS));
      // Frank and Wolfe's descent: the gap bounds how far the value is from the least, from below.
      const { upper, lower } = descend(rows(a), rows(b));
      expect(found).toBeLessThanOrEqual(upper + 1e-12);
      expect(found).toBeGreaterThanOrEqual(lower - 1e-12);
      expect(upper - lower).toBeLessThan(1e-2);
    }
  });
  test('finds the crossing of nearly parallel edges', () => {
    for (const angle of [1e-4, 1e-6, 1e-8, 1e-10]) {
      const a = Float64Array.of(-1, 0, 0, 1, 0, 0, 0, -1, 0);
      const b = Float64Array.of(-1, -angle, 1, 1, angle, 1, 0, 1, 3);
      expect(Math.abs(Math.sqrt(triangleDistanceSquared(a, CORNERS, b, CORNERS)) - 1)).toBeLessThan(1e-12);
      b[2] = b[5] = 1e-3 * angle;
      expect(Math.sqrt(triangleDistanceSquared(a, CORNERS, b, CORNERS))).toBeLessThan(1.1e-3 * angle + 1e-12);
    }
  });
});

/** Bounds on the distance of two convex hulls of points. */
function descend(a: number[][], b: number[][]): { upper: number; lower: number } {
  const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  let x = a[0].map((value, k) => b[0][k] - value);
  let lower = 0;
  for (let step = 0; step < 3000; step++) {
    const far = [...a].sort((u, v) => dot(v, x) - dot(u, x))[0];
    const near = [...b].sort((u, v) => dot(u, x) - dot(v, x))[0];
    const target = near.map((value, k) => value - far[k]);
    lower = Math.max(lower, dot(target, x) / Math.hypot(...x));
    const move = target.map((value, k) => value - x[k]);
    const square = dot(move, move);
    if (square === 0) break;
    const t = Math.min(1, Math.max(0, -dot(x, move) / square));
    x = x.map((value, k) => value + t * move[k]);
  }
  return { upper: Math.hypot(...x), lower };
}

describe('the distance of meshes by brute force', () => {
  test('is the same with and without leaving out blocks', () => {
    const random = createRandom(13);
    const meshes = [torusGrid(8, 6), sphereGrid(6), boxMesh(), join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1]))];
    const prepared = meshes.map((m) => prepareOracle(m.positions, m.indices));
    let hits = 0;
    for (let i = 0; i < 120; i++) {
      const [a, b] = [prepared[random.integer(4)], prepared[random.integer(4)]];
      const q = Array.from({ length: 4 }, () => random.range(-1, 1));
      const length = Math.hypot(...q);
      const pose = [...Array.from({ length: 3 }, () => random.range(-2, 2)), ...q.map((x) => x / length)];
      const placed = placeInFrame(b.positions, [0, 0, 0, 0, 0, 0, 1], pose);
      const quick = measureByBruteForce(a, b, placed);
      const full = measureByBruteForce(a, b, placed, true);
      expect(quick.intersects).toBe(full.intersects);
      expect(quick.surfaceDistance).toBe(full.surfaceDistance);
      if (full.intersects) hits++;
    }
    expect(hits).toBeGreaterThan(36);
    expect(hits).toBeLessThan(84);
  });
  test('knows what lies within solids, cavities and open shells', () => {
    const solid = join(boxMesh([-2, -2, -2], [2, 2, 2]), reversed(boxMesh([-1, -1, -1], [1, 1, 1])));
    const hollow = prepareOracle(solid.positions, solid.indices);
    const place = (center: number[], half: number) => {
      const box = boxMesh([-half, -half, -half], [half, half, half]);
      return measureByBruteForce(
        hollow,
        prepareOracle(box.positions, box.indices),
        placeInFrame(box.positions, [0, 0, 0, 0, 0, 0, 1], [...center, 0, 0, 0, 1]),
      );
    };
    expect(place([0, 0, 0], 0.5)).toMatchObject({ intersects: false, distance: 0.5 });
    expect(place([0, 0, 1.5], 0.25)).toMatchObject({ intersects: true, surfacesMeet: false, distance: 0 });
    expect(place([0, 0, 0], 1.5)).toMatchObject({ intersects: true, surfacesMeet: false });
    expect(place([0, 0, 0], 1)).toMatchObject({ intersects: true, surfacesMeet: true });
    expect(place([0, 0, 0], 3)).toMatchObject({ intersects: true, surfacesMeet: false });
    expect(place([0, 0, 4], 1)).toMatchObject({ intersects: false, distance: 1 });
  });
  test('counts rays as the sum of solid angles does', () => {
    const random = createRandom(14);
    const shape = join(torusGrid(9, 7), reversed(sphereGrid(5, 0.1, [1, 0, 0])), sphereGrid(4, 0.7, [0.3, 0.2, 2]));
    for (let i = 0; i < 400; i++) {
      // Half of the points share coordinates with vertices, so that rays go through edges and corners.
      const at = [0, 1, 2].map((k) =>
        k === 0 || i % 2 === 0
          ? random.range(-2, 3)
          : shape.positions[3 * random.integer(shape.positions.length / 3) + k],
      );
      const sum = windingNumberBySum(shape.positions, shape.indices, at);
      if (Math.abs(sum - Math.round(sum)) > 1e-6) continue;
      expect(windingByRay(shape.positions, shape.indices, at[0], at[1], at[2]), String(at)).toBe(Math.round(sum) + 0);
    }
  });
});

describe('contacts by enumeration', () => {
  test.each(EXAMPLES)('of $name are as expected', ({ a, b, tolerance, distances }) => {
    for (const pose of EXAMPLE_POSES) {
      const [p, q] = [a, b].map((shape) => {
        const { closed } = prepareOracle(shape.positions, shape.indices);
        return collectFeatures(placeInFrame(shape.positions, [0, 0, 0, 0, 0, 0, 1], pose), shape.indices, closed);
      });
      const found = findContactsByEnumeration(p, q, tolerance, 4).filter(({ open }) => !open);
      expect(found.map(({ distance }) => Number(distance.toFixed(9)))).toEqual(distances);
    }
  });

  test('are where a random descent on both surfaces ends', () => {
    const random = createRandom(15);
    const shapes: [Mesh, Mesh][] = [
      [torusGrid(7, 5), boxMesh([-4, -4, 1.2], [4, 4, 1.7])],
      [torusGrid(6, 5), mapPoints(torusGrid(6, 5), ([x, y, z]) => [x + 2, -z, y])],
      [join(tetrahedron(), boxMesh([2, 0, 0], [3, 1, 0.7])), boxMesh([-1, -1, 1.3], [4, 2, 2])],
      [sphereGrid(3), mapPoints(sphereGrid(3), ([x, y, z]) => [x + 2.3, y + 0.4, z + 0.3])],
    ];
    const found = shapes.map(() => new Set<number>());
    shapes.forEach(([a, b], n) => {
      const truth = findContactsByEnumeration(
        collectFeatures(a.positions, a.indices, true),
        collectFeatures(b.positions, b.indices, true),
        Infinity,
        8,
      );
      for (let start = 0; start < 12; start++) {
        const end = descendOnSurfaces(a, b, random);
        // A descent may also end where the segment starts into a solid; those are no contacts of solids.
        if (end === null) continue;
        const match = truth.findIndex(({ distance }) => Math.abs(distance - end) < 2e-4);
        expect(match, `an end at ${end} among ${truth.map(({ distance }) => distance)}`).toBeGreaterThanOrEqual(0);
        found[n].add(match);
      }
    });
    expect(
      found.reduce((sum, set) => sum + set.size, 0),
      'different minima found',
    ).toBeGreaterThan(6);
  });
});

/** The point of a mesh nearest to a point. */
function project({ positions, indices }: Mesh, point: number[]): number[] {
  const at = Float64Array.from([...point, ...point, ...point]);
  let best = Infinity;
  let foot: number[] = point;
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const square = triangleDistanceSquared(at, CORNERS, positions, corners);
    if (square < best) {
      best = square;
      foot = [...nearest.pointB];
    }
  }
  return foot;
}

/** The distance at which small random steps on both surfaces no longer bring two points nearer to each other. */
function descendOnSurfaces(a: Mesh, b: Mesh, random: Random): number | null {
  const start = ({ positions }: Mesh) => {
    const v = 3 * random.integer(positions.length / 3);
    return [positions[v], positions[v + 1], positions[v + 2]].map((x) => x + 0.3 * random.range(-1, 1));
  };
  let [x, y] = [project(a, start(a)), project(b, start(b))];
  const gap = (p: number[], q: number[]) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  for (let radius = 0.1, failures = 0; radius > 1e-6; ) {
    const near = (p: number[], q: number[]) =>
      p.map((value, k) => value + radius * (random.range(-1, 1) + (q[k] - value) / gap(p, q)));
    const [u, v] = [random.next() < 0.7 ? project(a, near(x, y)) : x, random.next() < 0.7 ? project(b, near(y, x)) : y];
    if (gap(u, v) < gap(x, y) - 1e-9 * radius) {
      [x, y] = [u, v];
      failures = Math.max(0, failures - 1);
    } else if (++failures > 25) {
      radius *= 0.6;
      failures = 0;
    }
  }
  const away = gap(x, y);
  const outside = (shape: Mesh, p: number[], q: number[]) =>
    windingByRay(
      shape.positions,
      shape.indices,
      ...(p.map((value, k) => value + (1e-3 * (q[k] - value)) / away) as [number, number, number]),
    ) === 0;
  return outside(a, x, y) && outside(b, y, x) ? away : null;
}
