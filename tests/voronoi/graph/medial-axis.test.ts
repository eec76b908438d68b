// Medial axes with known answers, and of random polygons against brute force.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { createPolygon } from '../../../src/mesh/polygon/polygon.js';
import { computeMedialAxis } from '../../../src/voronoi/graph/medial-axis.js';
import type { VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import { codeOf } from '../../error-code.js';
import { checkStructure } from './check-graph.js';

/** Junctions, dead ends, vertices on the border, edges. */
function counts(axis: VoronoiGraph): number[] {
  checkStructure(axis);
  const kinds = axis.vertices.map(({ kind }) => kind);
  return [
    ...(['junction', 'end', 'border'] as const).map((kind) => kinds.filter((k) => k === kind).length),
    axis.edges.length,
  ];
}

const rectangle = createPolygon([[0, 0, 4, 0, 4, 2, 0, 2]]);

test('the axis of a rectangle has a ridge and four branches to the corners', () => {
  const axis = computeMedialAxis(rectangle);
  expect(counts(axis)).toEqual([2, 4, 0, 5]);
  const junctions = axis.vertices.filter(({ kind }) => kind === 'junction').map(({ point }) => point);
  const sorted = junctions.sort((a, b) => a[0] - b[0]);
  for (const [i, x] of [1, 3].entries()) {
    expect(sorted[i][0]).toBeCloseTo(x, 12);
    expect(sorted[i][1]).toBeCloseTo(1, 12);
  }
  for (const { kind, clearance } of axis.vertices) expect(clearance).toBeCloseTo(kind === 'end' ? 0 : 1, 12);
  expect(axis.edges.map(({ length }) => length).sort()[4]).toBeCloseTo(2, 12);
});

test.each([
  ['a triangle', [[0, 0, 4, 0, 0, 3]], [1, 3, 0, 3]],
  ['a square', [[0, 0, 1, 0, 1, 1, 0, 1]], [1, 4, 0, 4]],
  ['a square with a point in the middle of a side', [[0, 0, 0.5, 0, 1, 0, 1, 1, 0, 1]], [1, 4, 0, 4]],
  ['an L', [[0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2]], [3, 5, 0, 7]],
  [
    'a square with a square hole',
    [
      [0, 0, 4, 0, 4, 4, 0, 4],
      [1, 1, 1, 3, 3, 3, 3, 1],
    ],
    [4, 4, 0, 8],
  ],
] as [string, number[][], number[]][])('the axis of %s', (_, rings, expected) => {
  expect(counts(computeMedialAxis(createPolygon(rings)))).toEqual(expected);
});

test('the axis of a star has an arm to each tip and one center', () => {
  const star: number[] = [];
  for (let i = 0; i < 10; i++) {
    const radius = i % 2 === 0 ? 1 : 0.4;
    star.push(radius * Math.cos((Math.PI * i) / 5), radius * Math.sin((Math.PI * i) / 5));
  }
  const axis = computeMedialAxis(createPolygon([star]));
  expect(counts(axis)).toEqual([1, 5, 0, 5]);
  const [center] = axis.vertices.filter(({ kind }) => kind === 'junction');
  expect(Math.hypot(center.point[0], center.point[1])).toBeLessThan(1e-11);
  expect(center.clearance).toBeCloseTo(0.4, 12);
});

test('branches at wide corners and short branches are pruned, cycles and the rest stay', () => {
  // The nearest points beside a right corner are seen at a right angle.
  expect(counts(computeMedialAxis(rectangle, { minAngle: 1.5 }))).toEqual([2, 4, 0, 5]);
  expect(counts(computeMedialAxis(rectangle, { minAngle: 1.6 }))).toEqual([0, 2, 0, 1]);
  // A corner reaches √2 − 1 beyond the disc of radius 1.
  expect(counts(computeMedialAxis(rectangle, { minSize: 0.41 }))).toEqual([2, 4, 0, 5]);
  expect(counts(computeMedialAxis(rectangle, { minSize: 0.42 }))[3]).toBe(1);
  const ring = createPolygon([
    [0, 0, 4, 0, 4, 4, 0, 4],
    [1, 1, 1, 3, 3, 3, 3, 1],
  ]);
  const pruned = computeMedialAxis(ring, { minSize: 0.5 });
  expect(pruned.edges.length).toBe(1);
  // Four lines of length 2 and eight arcs of parabolas from the lines to the diagonals.
  const u = Math.SQRT2 - 1;
  expect(pruned.edges[0].length).toBeCloseTo(8 + 4 * (u * Math.hypot(1, u) + Math.asinh(u)), 3);
});

test('the axis outside a square has no edges, that outside an L ends at its reflex corner', () => {
  expect(counts(computeMedialAxis(createPolygon([[0, 0, 1, 0, 1, 1, 0, 1]]), { side: 'outside' }))).toEqual([
    0, 0, 0, 0,
  ]);
  const outside = computeMedialAxis(createPolygon([[0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2]]), { side: 'outside' });
  expect(counts(outside)).toEqual([0, 1, 1, 1]);
  expect(outside.vertices.find(({ kind }) => kind === 'end')?.point).toEqual([1, 1]);
});

test('axes of random polygons are trees whose points have two nearest points on the boundary', () => {
  const random = createRandom(12);
  let checked = 0;
  for (let trial = 0; trial < 24; trial++) {
    const n = 5 + random.integer(14);
    const ring: number[] = [];
    for (let i = 0; i < n; i++) {
      const radius = random.range(0.3, 1);
      ring.push(radius * Math.cos((2 * Math.PI * i) / n), radius * Math.sin((2 * Math.PI * i) / n));
    }
    const polygon = createPolygon([ring]);
    const axis = computeMedialAxis(polygon);
    checkStructure(axis);
    expect(axis.vertices.length - axis.edges.length).toBe(1);
    const { rings } = polygon;
    let convex = 0;
    for (let i = 0; i < n; i++) {
      const [a, b, c] = [0, 1, 2].map((k) => [rings[0][2 * ((i + k) % n)], rings[0][2 * ((i + k) % n) + 1]]);
      if ((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0) convex++;
    }
    expect(axis.vertices.filter(({ kind }) => kind === 'end').length).toBe(convex);
    for (const { points, clearances } of axis.edges) {
      for (let i = 0; i < points.length; i += 2) {
        const feet = nearestPoints(rings[0], points[i], points[i + 1]);
        expect(Math.abs(feet[0].distance - clearances[i / 2])).toBeLessThan(1e-9);
        if (clearances[i / 2] < 1e-6) continue;
        const apart = feet.filter(
          ({ x, y, distance }) => distance < feet[0].distance + 1e-9 && Math.hypot(x - feet[0].x, y - feet[0].y) > 1e-7,
        );
        expect(apart.length).toBeGreaterThan(0);
        checked++;
      }
    }
  }
  expect(checked).toBeGreaterThan(1000);
});

/** The nearest point of each edge of a ring, the nearest first. */
function nearestPoints(ring: ArrayLike<number>, x: number, y: number) {
  const feet: { x: number; y: number; distance: number }[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const [ax, ay] = [ring[i], ring[i + 1]];
    const [dx, dy] = [ring[(i + 2) % ring.length] - ax, ring[(i + 3) % ring.length] - ay];
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    const [px, py] = [ax + t * dx, ay + t * dy];
    feet.push({ x: px, y: py, distance: Math.hypot(px - x, py - y) });
  }
  return feet.sort((a, b) => a.distance - b.distance);
}

test('bad polygons and options are refused', () => {
  expect(codeOf(() => computeMedialAxis({ rings: [] }))).not.toBe('none');
  expect(codeOf(() => computeMedialAxis(rectangle, { minAngle: 4 }))).toBe('bad-argument');
  expect(codeOf(() => computeMedialAxis(rectangle, { side: 'left' as never }))).toBe('bad-argument');
});
