// Graphs of sites that coincide, cross, overlap, touch, are nested or of no length.
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import type { VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { siteDistance } from '../site-distance.js';
import { distanceToEdges, type LabelOf } from './check-graph.js';
import { graphDefects } from './graph-defects.js';
import { latticeCurves, latticeScene } from './lattice-scene.js';

const ownLabel = (site: number): number => site;

/** Where the label changes along random lines there is an edge. Places that are equally far from sites are the lowest's. */
function checkCrossings(
  graph: VoronoiGraph,
  sites: readonly PlaneSite[],
  labelOf: LabelOf,
  random: Random,
  lines: number,
): number {
  const [x0, y0, x1, y1] = graph.box;
  const size = Math.max(x1 - x0, y1 - y0);
  let changes = 0;
  for (let line = 0; line < lines; line++) {
    const [ax, ay, bx, by] = [random.range(x0, x1), random.range(y0, y1), random.range(x0, x1), random.range(y0, y1)];
    const labelAt = (t: number): number | string => {
      const all = sites.map((site) => siteDistance(site, ax + t * (bx - ax), ay + t * (by - ay)));
      const least = Math.min(...all);
      return labelOf(all.findIndex((distance) => distance <= least + 1e-12 * size));
    };
    for (let i = 0; i < 40; i++) {
      let [low, high] = [i / 40, (i + 1) / 40];
      const start = labelAt(low);
      if (start === labelAt(high)) continue;
      for (let k = 0; k < 40; k++) {
        const middle = (low + high) / 2;
        if (labelAt(middle) === start) low = middle;
        else high = middle;
      }
      changes++;
      const gap = distanceToEdges(graph, ax + low * (bx - ax), ay + low * (by - ay));
      expect(gap).toBeLessThan(graph.error + 1e-9 * size);
    }
  }
  return changes;
}

test.each([
  ['objects', 'corners on a lattice', 300, 20, latticeScene],
  ['sites', 'corners on a lattice', 80, 20, latticeScene],
  ['features', 'corners on a lattice', 80, 20, latticeScene],
  ['objects', 'circles and arcs that touch', 120, 12, latticeCurves],
  ['features', 'circles and arcs that touch', 120, 12, latticeCurves],
] as const)('no number of a graph between %s with %s is wrong', (between, _, scenes, edgesOfScene, makeScene) => {
  const random = createRandom(scenes);
  const lines = createRandom(1);
  let edges = 0;
  let changes = 0;
  for (let scene = 0; scene < scenes; scene++) {
    const sites = makeScene(random);
    const objectOf = (site: number): number | string => sites[site].object ?? `site ${site}`;
    const labelOf = between === 'features' ? null : between === 'sites' ? ownLabel : objectOf;
    const graph = computeVoronoiGraph(sites, { between });
    expect(graph.status).toBe('complete');
    expect(graph.counters.cells).toBeLessThan(2000);
    expect(graphDefects(graph, sites, labelOf)).toEqual([]);
    edges += graph.edges.length;
    if (labelOf !== null && scene % 5 === 0) changes += checkCrossings(graph, sites, labelOf, lines, 4);
  }
  expect(edges).toBeGreaterThan(edgesOfScene * scenes);
  if (between !== 'features') expect(changes).toBeGreaterThan(scenes);
});

const fixtures: readonly (readonly [string, readonly number[], readonly PlaneSite[]])[] = [
  [
    'a side of a cell close to a crossing, where the nearest feature took turns without end',
    [-0.45, -0.45, 8.45, 9.45],
    [
      { type: 'segment', a: [2, 3], b: [0, 5] },
      { type: 'segment', a: [1, 3], b: [6, 5] },
    ],
  ],
  [
    'a side of a cell along which two collinear pieces tie',
    [-0.5, -0.5, 6.5, 10.5],
    [
      { type: 'segment', a: [1, 3], b: [5, 1], object: 2 },
      {
        type: 'polyline',
        points: [
          [6, 1],
          [0, 3],
          [4, 2],
        ],
        object: 0,
      },
    ],
  ],
  [
    'two sites that meet in a crossing beside the boundary between them',
    [-0.15, -0.15, 3.15, 2.15],
    [
      {
        type: 'polyline',
        points: [
          [1, 1],
          [1, 0],
          [0, 0],
          [1, 1],
        ],
      },
      { type: 'segment', a: [1, 0], b: [0, 1] },
      { type: 'segment', a: [2, 1], b: [0, 1] },
      {
        type: 'polyline',
        points: [
          [1, 0],
          [3, 0],
          [1, 2],
          [1, 0],
        ],
      },
    ],
  ],
  [
    'a boundary that runs into a corner and back beside a segment',
    [-0.15, -0.15, 3.15, 3.15],
    [
      {
        type: 'polyline',
        points: [
          [3, 3],
          [1, 1],
          [3, 1],
          [3, 3],
        ],
      },
      { type: 'segment', a: [3, 3], b: [2, 0] },
      { type: 'segment', a: [2, 0], b: [3, 2] },
    ],
  ],
  [
    'three regions that meet on the border of the box',
    [-0.25, -0.25, 5.25, 2.25],
    [
      { type: 'point', at: [0, 0] },
      { type: 'segment', a: [2, 1], b: [1, 0] },
      { type: 'segment', a: [1, 0], b: [0, 2] },
    ],
  ],
  [
    'a boundary beyond an end that two sites share, on the line where the end takes over from a segment',
    [0.8, -0.2, 4.2, 4.2],
    [
      {
        type: 'polygon',
        rings: [
          [
            [2, 1],
            [1, 2],
            [1, 2],
          ],
        ],
      },
      { type: 'segment', a: [4, 0], b: [1, 2] },
    ],
  ],
  [
    'a circle that touches another from inside, beside which distances differ by little for long',
    [-1.85, -0.85, 5.85, 6.85],
    [
      { type: 'circle', center: [1, 3], radius: 2.5 },
      { type: 'circle', center: [2, 3], radius: 3.5 },
    ],
  ],
  [
    'an arc and a circle that tie along the normal of where they touch',
    [-1.65, -1.65, 1.65, 1.65],
    [
      { type: 'point', at: [0, 0] },
      { type: 'arc', center: [1, 1], radius: 0.5, from: Math.PI, to: 2 * Math.PI },
      { type: 'circle', center: [1, 0], radius: 0.5 },
    ],
  ],
  [
    'two arcs that end in one point in one direction',
    [-1.225, -2.225, 3.225, 2.725],
    [
      { type: 'arc', center: [1, 0], radius: 0.5, from: Math.PI, to: 1.5 * Math.PI },
      { type: 'arc', center: [1, 1], radius: 1.5, from: 0, to: 1.5 * Math.PI },
    ],
  ],
];

test.each(fixtures)('the graph is sound with %s', (_, box, sites) => {
  const labelOf = (site: number): number | string => sites[site].object ?? `site ${site}`;
  const graph = computeVoronoiGraph(sites, { box });
  expect(graphDefects(graph, sites, labelOf)).toEqual([]);
  expect(checkCrossings(graph, sites, labelOf, createRandom(1), 60)).toBeGreaterThan(30);
  for (const between of ['objects', 'features'] as const) {
    const { counters, edges } = computeVoronoiGraph(sites, { box, between });
    expect(counters.cells).toBeLessThan(400);
    if (between === 'objects') expect(counters.merged).toBe(0);
    for (const { points } of edges) expect(points.length).toBeLessThan(800);
  }
});

test.each<readonly [string, PlaneSite]>([
  ['a circle outside', { type: 'circle', center: [3, 0], radius: 2 }],
  ['a circle around', { type: 'circle', center: [-1, 0], radius: 2 }],
  ['a line', { type: 'segment', a: [1, -3], b: [1, 2] }],
  ['an arc', { type: 'arc', center: [2, 0], radius: 1, from: 2, to: 5 }],
  ['the end of an arc', { type: 'arc', center: [2, 0], radius: 1, from: Math.PI, to: 5 }],
])('the boundary between a circle and %s passes the place where they touch', (_, other) => {
  const sites: readonly PlaneSite[] = [{ type: 'circle', center: [0, 0], radius: 1 }, other];
  const graph = computeVoronoiGraph(sites, { box: [-4, -3.9, 4.1, 4] });
  const zero = graph.edges.filter(({ narrowest }) => narrowest.clearance < 1e-12);
  expect(zero.length).toBe(1);
  expect(Math.hypot(zero[0].narrowest.point[0] - 1, zero[0].narrowest.point[1])).toBeLessThan(1e-12);
  expect(graph.counters.cells).toBeLessThan(200);
});

test.each([11216, 12015])('the graph of lattice scene %i is sound beyond an end that two sites share', (seed) => {
  const sites = latticeScene(createRandom(seed));
  const labelOf = (site: number): number | string => sites[site].object ?? `site ${site}`;
  expect(graphDefects(computeVoronoiGraph(sites), sites, labelOf)).toEqual([]);
});

test('an edge that is narrowest in the center of an arc has nearest points on the arc', () => {
  const sites = latticeCurves(createRandom(5336));
  const { edges } = computeVoronoiGraph(sites);
  const { center } = sites[3] as PlaneSite & { type: 'arc' };
  const places = edges.map(({ narrowest: { point } }) => Math.hypot(point[0] - center[0], point[1] - center[1]));
  expect(Math.min(...places)).toBeLessThan(1e-12);
  expect(graphDefects(computeVoronoiGraph(sites), sites, ownLabel)).toEqual([]);
});

test('a boundary that runs into a corner and back passes the corner', () => {
  const [, box, sites] = fixtures[3];
  const { edges } = computeVoronoiGraph(sites, { box });
  const through = edges.filter(({ points }) => points.some((x, i) => i % 2 === 0 && x === 3 && points[i + 1] === 3));
  expect(through.map(({ narrowest }) => narrowest.clearance)).toEqual([0]);
});

test('a graph with the limit of cells reached says so, and keeps to it', () => {
  const [, box, sites] = fixtures[3];
  const { cells } = computeVoronoiGraph(sites, { box }).counters;
  for (const maxCells of [1, 5, 21, cells - 4]) {
    const { counters, status } = computeVoronoiGraph(sites, { box, maxCells });
    expect(counters.cells).toBeLessThan(maxCells + 4);
    expect(status).toBe('limit');
  }
});

test.each([
  ['corners on a lattice', latticeScene],
  ['circles and arcs that touch', latticeCurves],
])('no number of a graph with %s and too few cells is wrong', (_, makeScene) => {
  const random = createRandom(3);
  let ends = 0;
  let edges = 0;
  for (let scene = 0; scene < 60; scene++) {
    const sites = makeScene(random);
    const labelOf = (site: number): number | string => sites[site].object ?? `site ${site}`;
    const { counters } = computeVoronoiGraph(sites);
    if (counters.cells < 10) continue;
    const graph = computeVoronoiGraph(sites, { maxCells: 1 + random.integer(counters.cells - 5) });
    expect(graph.status).toBe('limit');
    expect(graphDefects(graph, sites, labelOf)).toEqual([]);
    ends += graph.vertices.filter(({ kind }) => kind === 'end').length;
    edges += graph.edges.length;
  }
  expect(ends).toBeGreaterThan(60);
  expect(edges).toBeGreaterThan(200);
});
