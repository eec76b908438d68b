// Graphs of random sites of every kind against brute force.
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { checkCrossings, checkEquidistance, checkStructure, facesByEuler, facesByFlood } from './check-graph.js';

const kinds = ['point', 'segment', 'polyline', 'polygon', 'circle', 'arc'] as const;

function randomSite(random: Random, kind: (typeof kinds)[number], size: number): PlaneSite {
  const at = () => [random.next(), random.next()];
  const center = at();
  const near = () => [center[0] + size * random.range(-1, 1), center[1] + size * random.range(-1, 1)];
  switch (kind) {
    case 'point':
      return { type: 'point', at: center };
    case 'segment':
      return { type: 'segment', a: near(), b: near() };
    case 'polyline':
      return { type: 'polyline', points: [near(), near(), near()] };
    case 'polygon':
      return { type: 'polygon', rings: [[near(), near(), near(), near()]] };
    case 'circle':
      return { type: 'circle', center, radius: size * random.range(0.2, 1) };
    case 'arc':
      return {
        type: 'arc',
        center,
        radius: size * random.range(0.2, 1),
        from: random.range(0, 6),
        to: random.range(0, 6),
      };
  }
}

test.each([
  ['points and segments', ['point', 'segment'], 0.15],
  ['polylines and polygons', ['polyline', 'polygon'], 0.12],
  ['circles and arcs', ['circle', 'arc', 'point'], 0.12],
  ['all kinds', kinds, 0.15],
  ['long lines that cross', ['segment', 'polyline'], 0.6],
] as const)('graphs of %s are equidistant, complete and sound', (_, some, size) => {
  const random = createRandom(size * 1000 + some.length);
  let points = 0;
  let changes = 0;
  for (let trial = 0; trial < 12; trial++) {
    const count = 2 + random.integer(12);
    const sites = Array.from({ length: count }, () => randomSite(random, some[random.integer(some.length)], size));
    const graph = computeVoronoiGraph(sites, { box: [0, 0, 1, 1] });
    checkStructure(graph);
    points += checkEquidistance(graph, sites, (site) => site);
    changes += checkCrossings(graph, sites, (site) => site, random, 8);
  }
  expect(points).toBeGreaterThan(500);
  expect(changes).toBeGreaterThan(100);
});

test('graphs of objects have no boundary between sites of one object', () => {
  const random = createRandom(77);
  let changes = 0;
  for (let trial = 0; trial < 12; trial++) {
    const sites = Array.from({ length: 12 }, () => ({
      ...randomSite(random, kinds[random.integer(3)], 0.1),
      object: random.integer(4),
    }));
    const labelOf = (site: number) => sites[site].object;
    const graph = computeVoronoiGraph(sites, { box: [0, 0, 1, 1] });
    checkStructure(graph);
    checkEquidistance(graph, sites, labelOf);
    changes += checkCrossings(graph, sites, labelOf, random, 6);
    for (const {
      sites: [a, b],
    } of graph.edges)
      expect(labelOf(a)).not.toBe(labelOf(b));
  }
  expect(changes).toBeGreaterThan(60);
});

test('graphs of sites with offsets are sound', () => {
  const random = createRandom(78);
  let changes = 0;
  for (let trial = 0; trial < 12; trial++) {
    const sites = Array.from({ length: 8 }, () => ({
      ...randomSite(random, kinds[random.integer(2)], 0.1),
      offset: random.range(-0.05, 0.05),
    }));
    const graph = computeVoronoiGraph(sites, { box: [0, 0, 1, 1] });
    checkStructure(graph);
    checkEquidistance(graph, sites, (site) => site);
    changes += checkCrossings(graph, sites, (site) => site, random, 8);
  }
  expect(changes).toBeGreaterThan(60);
});

test('graphs of weighted sites are sound', () => {
  const random = createRandom(79);
  let changes = 0;
  for (let trial = 0; trial < 6; trial++) {
    const sites = Array.from({ length: 6 }, () => ({
      ...randomSite(random, kinds[random.integer(2)], 0.1),
      weight: random.range(0.5, 2),
    }));
    const graph = computeVoronoiGraph(sites, { box: [0, 0, 1, 1] });
    checkStructure(graph);
    checkEquidistance(graph, sites, (site) => site);
    changes += checkCrossings(graph, sites, (site) => site, random, 8);
  }
  expect(changes).toBeGreaterThan(30);
});

test("Euler's relation gives as many faces as a flood fill of labels counts", () => {
  const random = createRandom(80);
  const counts = new Set<number>();
  for (let trial = 0; trial < 10; trial++) {
    const sites = Array.from({ length: 3 + trial }, () => ({
      ...randomSite(random, kinds[random.integer(5)], 0.1),
      object: random.integer(4),
    }));
    const labelOf = (site: number) => sites[site].object;
    const box = [0, 0, 1, 1];
    const [coarse, fine] = [160, 240].map((steps) => facesByFlood(sites, box, labelOf, steps));
    // A face thinner than a sample is lost or torn; two samplings that agree are taken as right.
    if (coarse !== fine) continue;
    expect(facesByEuler(computeVoronoiGraph(sites, { box }))).toBe(fine);
    counts.add(fine);
  }
  expect(counts.size).toBeGreaterThan(2);
});
