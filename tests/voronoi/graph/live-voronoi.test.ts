// Graphs that follow their sites against graphs from scratch.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import { LiveVoronoi } from '../../../src/voronoi/graph/live-voronoi.js';
import type { VoronoiGraph } from '../../../src/voronoi/graph/voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { codeOf } from '../../error-code.js';
import { checkEquidistance, checkStructure } from './check-graph.js';
import { graphDefects } from './graph-defects.js';
import { latticeSite } from './lattice-scene.js';

const box = [0, 0, 1, 1];

/** The same vertices, and edges between the same vertices and sites, with the same lengths and narrowest places. */
function expectSameGraph(live: VoronoiGraph, fresh: VoronoiGraph): void {
  expect(live.vertices.length).toBe(fresh.vertices.length);
  expect(live.edges.length).toBe(fresh.edges.length);
  const nearest = live.vertices.map(({ point, kind, clearance }) => {
    let best = -1;
    let least = 1e-8;
    fresh.vertices.forEach((other, i) => {
      const distance = Math.hypot(other.point[0] - point[0], other.point[1] - point[1]);
      if (distance < least && other.kind === kind) {
        least = distance;
        best = i;
      }
    });
    expect(best).toBeGreaterThanOrEqual(0);
    expect(clearance).toBeCloseTo(fresh.vertices[best].clearance, 8);
    return best;
  });
  expect(new Set(nearest).size).toBe(nearest.length);
  const rest = fresh.edges.map((edge) => edge);
  for (const edge of live.edges) {
    const [from, to] = edge.from < 0 ? [-1, -1] : [nearest[edge.from], nearest[edge.to]];
    const at = rest.findIndex(
      (other) =>
        ((other.from === from && other.to === to) || (other.from === to && other.to === from)) &&
        Math.abs(other.length - edge.length) < 1e-3 &&
        Math.abs(other.narrowest.clearance - edge.narrowest.clearance) < 1e-8,
    );
    expect(at).toBeGreaterThanOrEqual(0);
    rest.splice(at, 1);
  }
}

test('after random changes the graph is that of the sites from scratch', () => {
  const random = createRandom(5);
  const place = () => [random.next(), random.next()];
  const randomSite = (): PlaneSite => {
    const [x, y] = place();
    const near = () => [x + random.range(-0.1, 0.1), y + random.range(-0.1, 0.1)];
    const object = random.next() < 0.3 ? 'one' : undefined;
    switch (random.integer(4)) {
      case 0:
        return { type: 'point', at: [x, y], object };
      case 1:
        return { type: 'segment', a: near(), b: near(), object };
      case 2:
        return { type: 'polygon', rings: [[near(), near(), near()]], object };
      default:
        return { type: 'circle', center: [x, y], radius: 0.05, object };
    }
  };
  for (const between of ['objects', 'sites', 'features'] as const) {
    const live = new LiveVoronoi(
      Array.from({ length: 25 }, () => randomSite()),
      { box, between },
    );
    for (let step = 0; step < 25; step++) {
      const present = live.sites.flatMap((site, i) => (site === null ? [] : [i]));
      const chosen = present[random.integer(present.length)];
      const what = random.next();
      if (what < 0.6) live.replace(chosen, randomSite());
      else if (what < 0.8) live.add(randomSite());
      else live.remove(chosen);
      const sites = live.sites.filter((site) => site !== null);
      checkStructure(live.graph);
      expectSameGraph(live.graph, computeVoronoiGraph(sites, { box, between }));
      if (between === 'sites' && step % 5 === 0) {
        const places = live.sites.map((site) => site ?? ({ type: 'point', at: [1e6, 1e6] } as const));
        checkEquidistance(live.graph, places, (site) => site);
      }
    }
  }
});

test('a site that moves back leaves the graph as it was', () => {
  const sites = Array.from(
    { length: 9 },
    (_, i): PlaneSite => ({
      type: 'point',
      at: [0.2 + 0.3 * (i % 3), 0.2 + 0.3 * Math.floor(i / 3)],
    }),
  );
  const live = new LiveVoronoi(sites, { box });
  const before = JSON.stringify(sortedPoints(live.graph));
  live.replace(4, { type: 'point', at: [0.55, 0.45] });
  expect(live.graph.vertices.filter(({ kind }) => kind === 'junction').length).toBe(8);
  live.replace(4, sites[4]);
  expect(JSON.stringify(sortedPoints(live.graph))).toBe(before);
  expect(live.graph.vertices.filter(({ kind }) => kind === 'junction').length).toBe(4);
});

function sortedPoints(graph: VoronoiGraph): string[] {
  return graph.vertices.map(({ point }) => point.map((value) => value.toFixed(12)).join(' ')).sort();
}

test('a move among many sites touches few cells and edges', () => {
  const random = createRandom(6);
  const sites = Array.from({ length: 400 }, (): PlaneSite => {
    const [x, y] = [random.range(0.05, 0.95), random.range(0.05, 0.95)];
    return { type: 'segment', a: [x, y], b: [x + random.range(-0.03, 0.03), y + random.range(-0.03, 0.03)] };
  });
  const live = new LiveVoronoi(sites, { box });
  const before = live.graph.counters;
  const kept = new Set(live.graph.edges);
  const site = sites[200] as PlaneSite & { type: 'segment' };
  live.replace(200, { ...site, a: [site.a[0] + 0.002, site.a[1]] });
  const after = live.graph.counters;
  expect(after.newtonSteps - before.newtonSteps).toBeLessThan(before.newtonSteps / 10);
  expect(after.walkSteps - before.walkSteps).toBeLessThan(before.walkSteps / 5);
  expect(live.graph.edges.filter((edge) => kept.has(edge)).length).toBeGreaterThan(0.95 * kept.size);
});

test('sites can all go and come back', () => {
  const live = new LiveVoronoi([{ type: 'point', at: [0.2, 0.2] }], { box });
  live.remove(0);
  expect(live.graph.edges).toEqual([]);
  expect(live.add({ type: 'point', at: [0.3, 0.5] })).toBe(1);
  live.replace(0, { type: 'point', at: [0.7, 0.5] });
  expect(live.graph.edges.length).toBe(1);
  expect(live.graph.edges[0].narrowest.clearance).toBeCloseTo(0.2, 12);
  expect(codeOf(() => live.remove(2))).toBe('bad-argument');
  expect(codeOf(() => live.replace(0, { type: 'point', at: [Number.NaN, 0] }))).toBe('bad-argument');
  expect(live.graph.edges.length).toBe(1);
});

test('polygons replaced by segments that cross others, and more degenerate changes, leave the graph from scratch', () => {
  const random = createRandom(9);
  const lattice = 5;
  const crossing = (): PlaneSite => ({
    type: 'segment',
    a: [0, random.integer(lattice)],
    b: [lattice - 1, random.integer(lattice)],
  });
  for (const between of ['objects', 'sites', 'features'] as const) {
    const first = Array.from({ length: 8 }, () => latticeSite(random, lattice));
    const live = new LiveVoronoi(first, { box: [-1, -1, 10, 10], between });
    for (let step = 0; step < 30; step++) {
      const present = live.sites.flatMap((site, i) => (site === null ? [] : [i]));
      const polygons = present.filter((i) => live.sites[i]?.type === 'polygon');
      const chosen = present[random.integer(present.length)];
      const what = random.next();
      if (what < 0.4 && polygons.length > 0) live.replace(polygons[random.integer(polygons.length)], crossing());
      else if (what < 0.6) live.replace(chosen, latticeSite(random, lattice));
      else if (what < 0.85 || present.length < 4) live.add(latticeSite(random, lattice));
      else live.remove(chosen);
      const sites = live.sites.filter((site) => site !== null);
      // Both take the lowest site of several that tie, and removed ones keep the order of the rest.
      const fresh = computeVoronoiGraph(sites, { box: [-1, -1, 10, 10], between });
      expectSameGraph(live.graph, fresh);
      expect(graphDefects(fresh, sites, between === 'features' ? null : (site) => site)).toEqual([]);
    }
  }
});
