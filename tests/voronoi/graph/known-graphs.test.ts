// Graphs with known answers: symmetric, crossing, touching, coincident and nested sites; scaled, turned and permuted.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import type { VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { codeOf } from '../../error-code.js';
import { checkEquidistance, checkStructure, facesByEuler } from './check-graph.js';

const box = [0, 0, 1, 1];
const point = (x: number, y: number, object?: number): PlaneSite => ({ type: 'point', at: [x, y], object });
const segment = (ax: number, ay: number, bx: number, by: number): PlaneSite => ({
  type: 'segment',
  a: [ax, ay],
  b: [bx, by],
});
const square = (half: number): PlaneSite => ({
  type: 'polygon',
  rings: [
    [
      [0.5 - half, 0.5 - half],
      [0.5 + half, 0.5 - half],
      [0.5 + half, 0.5 + half],
      [0.5 - half, 0.5 + half],
    ],
  ],
});

/** Junctions, vertices on the border, edges, closed curves. */
function counts(graph: VoronoiGraph): number[] {
  checkStructure(graph);
  return [
    graph.vertices.filter(({ kind }) => kind === 'junction').length,
    graph.vertices.filter(({ kind }) => kind === 'border').length,
    graph.edges.length,
    graph.edges.filter(({ from }) => from < 0).length,
  ];
}

test.each([
  ['one site', [point(0.3, 0.3)], [0, 0, 0, 0]],
  ['two points', [point(0.2, 0.3), point(0.7, 0.8)], [0, 2, 1, 0]],
  ['coincident points', [point(0.3, 0.3), point(0.3, 0.3), point(0.6, 0.6)], [0, 2, 1, 0]],
  ['coincident segments', [segment(0.2, 0.2, 0.4, 0.6), segment(0.4, 0.6, 0.2, 0.2), point(0.8, 0.5)], [0, 2, 1, 0]],
  [
    'four points of a square',
    [0, 1, 2, 3].map((i) => point(0.25 + 0.5 * (i & 1), 0.25 + 0.25 * (i & 2))),
    [1, 4, 4, 0],
  ],
  [
    'opposite corners of one object',
    [point(0.25, 0.25, 1), point(0.75, 0.25, 2), point(0.75, 0.75, 1), point(0.25, 0.75, 2)],
    [1, 4, 4, 0],
  ],
  ['a point in a circle', [{ type: 'circle', center: [0.5, 0.5], radius: 0.3 }, point(0.55, 0.5)], [0, 0, 1, 1]],
  [
    'concentric circles',
    [0.4, 0.3, 0.1].map((radius) => ({ type: 'circle', center: [0.5, 0.5], radius }) as const),
    [0, 0, 2, 2],
  ],
  ['a square in a square', [square(0.4), square(0.1)], [0, 0, 1, 1]],
  ['crossing segments', [segment(0.2, 0.2, 0.8, 0.8), segment(0.2, 0.8, 0.8, 0.2)], [1, 4, 4, 0]],
  [
    'three segments through one point',
    [segment(0.2, 0.5, 0.8, 0.5), segment(0.3, 0.2, 0.7, 0.8), segment(0.3, 0.8, 0.7, 0.2)],
    [1, 6, 6, 0],
  ],
  ['a segment that ends on another', [segment(0.2, 0.2, 0.8, 0.2), segment(0.5, 0.2, 0.5, 0.8)], [0, 2, 1, 0]],
  ['segments with a common end', [segment(0.2, 0.2, 0.5, 0.5), segment(0.5, 0.5, 0.8, 0.2)], [0, 2, 1, 0]],
  ['overlapping segments', [segment(0.1, 0.5, 0.6, 0.5), segment(0.4, 0.5, 0.9, 0.5)], [0, 2, 1, 0]],
  ['a segment within another', [segment(0.1, 0.5, 0.9, 0.5), segment(0.4, 0.5, 0.6, 0.5)], [0, 0, 0, 0]],
  ['sites outside the box', [point(-1, 0.5), point(2, 0.5), point(0.5, 9)], [0, 2, 1, 0]],
  ['a boundary along the border of the box', [point(0.5, -0.3), point(0.5, 0.3)], [0, 2, 1, 0]],
  [
    'a heavy site around a light one',
    [
      { ...point(0.4, 0.5), weight: 1 },
      { ...point(0.6, 0.5), weight: 3 },
    ],
    [0, 0, 1, 1],
  ],
  [
    'a disc in a disc',
    [
      { ...point(0.5, 0.5), offset: 0.3 },
      { ...point(0.55, 0.5), offset: 0.1 },
    ],
    [0, 0, 0, 0],
  ],
] as [string, PlaneSite[], number[]][])('%s', (_, sites, expected) => {
  expect(counts(computeVoronoiGraph(sites, { box }))).toEqual(expected);
});

test('grids have one vertex of four edges between four points, at any cost of symmetry', () => {
  const n = 16;
  const sites = Array.from({ length: n * n }, (_, i) => point(((i % n) + 0.5) / n, (Math.floor(i / n) + 0.5) / n));
  const graph = computeVoronoiGraph(sites, { box });
  expect(counts(graph)).toEqual([(n - 1) ** 2, 4 * (n - 1), 2 * n * (n - 1), 0]);
  expect(facesByEuler(graph)).toBe(n * n);
  for (const { kind, edges } of graph.vertices) expect(edges.length).toBe(kind === 'border' ? 1 : 4);
  expect(graph.counters.merged).toBe(0);
  expect(graph.counters.leaves).toBeLessThan(4 * n * n);
});

test.each([
  [0, 1],
  [1, 0],
])('a segment that pokes into a square leaves a loop where it crosses, whichever is first: %i, %i', (poking, other) => {
  const sites: PlaneSite[] = [];
  sites[poking] = segment(0.1, 0.51, 0.27, 0.51);
  sites[other] = square(0.24);
  const graph = computeVoronoiGraph(sites, { box });
  checkStructure(graph);
  checkEquidistance(graph, sites, (site) => site);
  const [crossing] = graph.vertices.filter(({ kind }) => kind === 'junction');
  expect(counts(graph)).toEqual([1, 2, 3, 0]);
  expect(crossing.edges.length).toBe(4);
  expect(new Set(crossing.edges).size).toBe(3);
  expect(Math.hypot(crossing.point[0] - 0.26, crossing.point[1] - 0.51)).toBeLessThan(1e-12);
  expect(facesByEuler(graph)).toBe(3);
});

test('one cell is enough for a strip with vertices on both sides', () => {
  // A long segment crosses the box, with points above and below it.
  const above = [0.2, 0.4, 0.6, 0.8].map((x) => point(x, 0.7));
  const below = [0.3, 0.5, 0.7].map((x) => point(x, 0.3));
  const sites = [segment(-9, 0.5, 9, 0.51), ...above, ...below];
  const graph = computeVoronoiGraph(sites, { box });
  checkStructure(graph);
  checkEquidistance(graph, sites, (site) => site);
  expect(facesByEuler(graph)).toBe(sites.length);
  expect(graph.counters.cells).toBeLessThan(40);
});

test.each([3, 5, 8, 24])('the corners of a regular polygon of %i points meet in its center', (n) => {
  const sites = Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n + 0.1;
    return point(0.5 + 0.3 * Math.cos(angle), 0.5 + 0.3 * Math.sin(angle));
  });
  const graph = computeVoronoiGraph(sites, { box });
  expect(counts(graph)).toEqual([1, n, n, 0]);
  const [center] = graph.vertices.filter(({ kind }) => kind === 'junction');
  expect(Math.hypot(center.point[0] - 0.5, center.point[1] - 0.5)).toBeLessThan(1e-12);
  expect(center.clearance).toBeCloseTo(0.3, 12);
  expect(center.sites).toEqual(sites.map((_, i) => i));
});

test('parabolas, lines and circles are where they should be', () => {
  const parabola = computeVoronoiGraph([point(0.5, 0.5), segment(-9, 0.1, 9, 0.1)], { box, error: 1e-6 });
  const { points, narrowest } = parabola.edges[0];
  for (let i = 0; i < points.length; i += 2) {
    expect(points[i + 1]).toBeCloseTo(0.3 + (points[i] - 0.5) ** 2 / 0.8, 11);
  }
  expect(narrowest.clearance).toBeCloseTo(0.2, 12);
  expect(narrowest.point[0]).toBeCloseTo(0.5, 5);
  const ring = computeVoronoiGraph([{ type: 'circle', center: [0.5, 0.5], radius: 0.3 }, point(0.5, 0.5)], { box });
  expect(ring.edges[0].length).toBeCloseTo(2 * Math.PI * 0.15, 3);
  expect(ring.edges[0].narrowest.clearance).toBeCloseTo(0.15, 12);
  const crossing = computeVoronoiGraph([segment(0.2, 0.2, 0.8, 0.8), segment(0.2, 0.8, 0.8, 0.2)], { box });
  const [cross] = crossing.vertices.filter(({ kind }) => kind === 'junction');
  expect(cross.point[0]).toBeCloseTo(0.5, 14);
  expect(cross.clearance).toBeLessThan(1e-14);
  const touch = computeVoronoiGraph([segment(0.2, 0.2, 0.8, 0.2), segment(0.45, 0.2, 0.5, 0.8)], { box });
  expect(touch.edges[0].narrowest.clearance).toBeLessThan(1e-9);
  expect(touch.edges[0].narrowest.point[0]).toBeCloseTo(0.45, 8);
});

test('scaled, moved, turned and permuted sites have the same graph', () => {
  const random = createRandom(9);
  const lines = Array.from({ length: 14 }, () => [random.next(), random.next(), random.next(), random.next()]);
  const sites = lines.map(([ax, ay, bx, by]) => segment(ax, ay, ax + 0.3 * (bx - 0.5), ay + 0.3 * (by - 0.5)));
  const map = (f: (x: number, y: number) => [number, number]): PlaneSite[] =>
    sites.map((site) => {
      const { a, b } = site as PlaneSite & { type: 'segment' };
      return { type: 'segment', a: f(a[0], a[1]), b: f(b[0], b[1]) };
    });
  const reference = counts(computeVoronoiGraph(sites, { box }));
  expect(reference[0]).toBeGreaterThan(15);
  for (const scale of [1e-6, 1e6]) {
    const scaled = computeVoronoiGraph(
      map((x, y) => [scale * x, scale * y]),
      { box: box.map((value) => scale * value) },
    );
    expect(counts(scaled)).toEqual(reference);
  }
  const moved = computeVoronoiGraph(
    map((x, y) => [x + 4096, y - 8192]),
    { box: [4096, -8192, 4097, -8191] },
  );
  expect(counts(moved)).toEqual(reference);
  for (const turned of [
    map((x, y) => [1 - y, x]),
    map((x, y) => [1 - x, 1 - y]),
    map((x, y) => [y, x]),
    [...sites].reverse(),
  ]) {
    expect(counts(computeVoronoiGraph(turned, { box }))).toEqual(reference);
  }
});

test('a floor plan of rooms with doors, symmetric in both axes', () => {
  const rooms: PlaneSite[] = [];
  for (const at of [0.25, 0.5, 0.75]) {
    for (const [from, to] of [
      [0.02, 0.1],
      [0.15, 0.35],
      [0.4, 0.6],
      [0.65, 0.85],
      [0.9, 0.98],
    ]) {
      rooms.push(segment(at, from, at, to), segment(from, at, to, at));
    }
  }
  const graph = computeVoronoiGraph(rooms, { box });
  checkStructure(graph);
  checkEquidistance(graph, rooms, (site) => site);
  expect(graph.counters.merged).toBe(0);
  expect(graph.counters.leaves).toBeLessThan(2000);
});

test('limits and bad input', () => {
  const random = createRandom(10);
  const sites = Array.from({ length: 200 }, () => point(random.next(), random.next()));
  const limited = computeVoronoiGraph(sites, { box, maxCells: 40 });
  expect(limited.status).toBe('limit');
  expect(JSON.parse(JSON.stringify(limited)).edges.length).toBe(limited.edges.length);
  expect(computeVoronoiGraph([], { box }).edges).toEqual([]);
  for (const bad of [
    () => computeVoronoiGraph([]),
    () => computeVoronoiGraph(sites, { box: [0, 0, 0, 1] }),
    () => computeVoronoiGraph(sites, { box, error: -1 }),
    () => computeVoronoiGraph(sites, { box, between: 'colors' as never }),
    () => computeVoronoiGraph(sites, { box, maxCells: 0 }),
    () => computeVoronoiGraph([point(Number.NaN, 0)], { box }),
  ]) {
    expect(codeOf(bad)).toBe('bad-argument');
  }
});
