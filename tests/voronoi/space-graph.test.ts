// Graphs in space against the diagram of points by brute force, and known cases of other sites.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';
import type { SpaceSite } from '../../src/voronoi/sites/space-site.js';
import { computeSpaceGraph } from '../../src/voronoi/space/compute-space-graph.js';
import type { SpaceVoronoiGraph } from '../../src/voronoi/space/space-graph.js';
import { randomSites } from '../generators/space-sites.js';
import { nearestSite, siteDistance } from '../oracles/brute-force-space-voronoi.js';
import { pointVoronoi } from '../oracles/point-voronoi-space.js';

function boxOf(scale = 1): { min: Vec3; max: Vec3 } {
  return { min: [0, 0, 0], max: [scale, scale, scale] };
}

/** Every vertex and every point of every edge is equally far from its sites, and nearer to none; the indices fit. */
function validate(graph: SpaceVoronoiGraph, sites: readonly SpaceSite[]): void {
  const { min, max } = graph.box;
  const size = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const check = (p: readonly number[], ids: readonly number[], clearance: number): void => {
    const { distance } = nearestSite(sites, p);
    expect(Math.abs(distance - clearance)).toBeLessThan(1e-9 * size);
    for (const id of ids) expect(siteDistance(sites[id], p) - distance).toBeLessThan(1e-9 * size);
  };
  graph.vertices.forEach((vertex, index) => {
    check(vertex.point, vertex.sites, vertex.clearance);
    expect(vertex.sites.length).toBeGreaterThanOrEqual(vertex.kind === 'junction' ? 4 : 3);
    for (const edge of vertex.edges) expect([graph.edges[edge].from, graph.edges[edge].to]).toContain(index);
    if (vertex.kind !== 'junction') expect(vertex.edges).toHaveLength(1);
  });
  graph.edges.forEach((edge, index) => {
    const { points, narrowest } = edge;
    let length = 0;
    let least = Infinity;
    for (let n = 0; n < points.length; n += 3) {
      const p = points.slice(n, n + 3);
      const { distance } = nearestSite(sites, p);
      least = Math.min(least, distance);
      if (edge.sites.length === 3 && graph.box !== null) check(p, [], distance);
      if (n > 0) length += Math.hypot(p[0] - points[n - 3], p[1] - points[n - 2], p[2] - points[n - 1]);
    }
    expect(length).toBeCloseTo(edge.length, 9);
    expect(narrowest.clearance).toBeLessThanOrEqual(least + 1e-9 * size);
    check(narrowest.point, edge.sites, narrowest.clearance);
    for (const [end, at] of [
      [edge.from, 0],
      [edge.to, points.length - 3],
    ]) {
      if (end < 0) continue;
      expect(graph.vertices[end].edges).toContain(index);
      const { point } = graph.vertices[end];
      expect(Math.hypot(point[0] - points[at], point[1] - points[at + 1], point[2] - points[at + 2])).toBeLessThan(
        1e-6 * size,
      );
    }
  });
}

describe('points against all spheres through four of them', () => {
  test.each([
    [5, 1],
    [8, 1],
    [14, 1],
    [20, 1],
    [10, 1e6],
    [10, 1e-6],
  ])('%i points at the scale %f', (count, scale) => {
    for (let seed = 1; seed <= 4; seed++) {
      const sites = randomSites(createRandom(100 * count + seed), { count, kinds: ['point'], scale });
      const points = sites.map((site) => (site.type === 'point' ? site.at : [])) as unknown as Vec3[];
      const { min, max } = boxOf(scale);
      const oracle = pointVoronoi(points, min, max);
      const graph = computeSpaceGraph(sites, { box: { min, max }, resolution: 24 });
      expect(graph.status).toBe('complete');
      validate(graph, sites);
      const inside = oracle.vertices.filter(({ center }) => center.every((x) => x >= 0 && x <= scale));
      const junctions = graph.vertices.filter(({ kind }) => kind === 'junction');
      expect(junctions.map(({ sites: ids }) => ids.join()).sort()).toEqual(inside.map(({ key }) => key).sort());
      for (const { key, center, radius } of inside) {
        const found = junctions.find(({ sites: ids }) => ids.join() === key);
        expect(Math.abs((found?.clearance ?? 0) - radius)).toBeLessThan(1e-9 * scale);
        found?.point.forEach((x, axis) => {
          expect(Math.abs(x - center[axis])).toBeLessThan(1e-7 * scale);
        });
      }
      expect(graph.edges.map(({ sites: ids }) => ids.join()).sort()).toEqual(oracle.edges.map(({ key }) => key).sort());
      for (const { key, from, to } of oracle.edges) {
        const found = graph.edges.find(({ sites: ids }) => ids.join() === key);
        const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        expect(Math.abs((found?.length ?? 0) - length)).toBeLessThan(1e-6 * scale);
      }
    }
  });
});

describe('other sites', () => {
  test.each([
    ['segments', { count: 8, kinds: ['segment'], length: 0.6 }],
    ['triangles', { count: 8, kinds: ['triangle'], length: 0.6 }],
    ['all kinds', { count: 14, length: 0.4 }],
    ['weighted', { count: 10, length: 0.3, weighted: true }],
  ] as const)('%s at random: equally far everywhere, and no dead ends', (_, mix) => {
    let junctions = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const sites = randomSites(createRandom(seed), mix);
      const graph = computeSpaceGraph(sites, { box: boxOf(), resolution: 24 });
      validate(graph, sites);
      expect(graph.counters.lost).toBe(0);
      for (const vertex of graph.vertices) {
        if (vertex.kind === 'junction') expect(vertex.edges.length).toBe(4);
        if (vertex.kind === 'border') {
          expect(vertex.point.some((x) => Math.abs(x) < 1e-9 || Math.abs(x - 1) < 1e-9)).toBe(true);
        }
        if (vertex.kind === 'junction') junctions++;
      }
    }
    expect(junctions).toBeGreaterThan(10);
  });

  test('the corners of a cube meet in its middle, in six edges of four sites', () => {
    const sites: SpaceSite[] = Array.from({ length: 8 }, (_, corner) => ({
      type: 'point',
      at: [corner & 1, (corner >> 1) & 1, corner >> 2],
    }));
    const graph = computeSpaceGraph(sites, { box: { min: [-1, -1, -1], max: [2, 2, 2] }, resolution: 16 });
    validate(graph, sites);
    expect(graph.vertices.filter(({ kind }) => kind === 'junction')).toHaveLength(1);
    expect(graph.vertices.filter(({ kind }) => kind === 'border')).toHaveLength(6);
    expect(graph.edges.map(({ sites: ids }) => ids.length)).toEqual([4, 4, 4, 4, 4, 4]);
    for (const edge of graph.edges) expect(edge.length).toBeCloseTo(1.5, 9);
    expect(graph.edges[0].narrowest.clearance).toBeCloseTo(Math.sqrt(0.5), 9);
  });

  test('a closed edge between two points and a ring', () => {
    const ring: SpaceSite[] = Array.from({ length: 24 }, (_, n) => ({
      type: 'segment',
      a: [Math.cos((n * Math.PI) / 12), Math.sin((n * Math.PI) / 12), 0],
      b: [Math.cos(((n + 1) * Math.PI) / 12), Math.sin(((n + 1) * Math.PI) / 12), 0],
      object: 'ring',
    }));
    const sites: SpaceSite[] = [{ type: 'point', at: [0, 0, 0.3] }, { type: 'point', at: [0, 0, -0.3] }, ...ring];
    const graph = computeSpaceGraph(sites, { box: { min: [-2, -2, -2], max: [2, 2, 2] }, resolution: 40 });
    expect(graph.status).toBe('complete');
    const closed = graph.edges.filter(({ from }) => from < 0);
    // On the circle of radius r in the plane between the points, 1 − r = √(r² + 0.3²) or r − 1 = √(r² + 0.3²).
    expect(closed).toHaveLength(1);
    const radius = (1 - 0.3 ** 2) / 2;
    const { points, length } = closed[0];
    expect(Math.abs(length / (2 * Math.PI * radius) - 1)).toBeLessThan(0.02);
    for (let n = 0; n < points.length; n += 3) {
      expect(Math.abs(points[n + 2])).toBeLessThan(1e-9);
      expect(Math.abs(Math.hypot(points[n], points[n + 1]) - radius)).toBeLessThan(0.01);
    }
  });

  test('edges end where sites touch', () => {
    const sites: SpaceSite[] = [
      { type: 'segment', a: [0, 0, 0], b: [1, 0, 0] },
      { type: 'segment', a: [0, 0, 0], b: [-0.5, 0.8, 0.1] },
      { type: 'segment', a: [0, 0, 0], b: [-0.5, -0.8, 0.1] },
    ];
    const graph = computeSpaceGraph(sites, { box: { min: [-1, -1, -1], max: [1, 1, 1] }, resolution: 24 });
    const ends = graph.vertices.filter(({ kind }) => kind === 'end');
    expect(ends.length).toBeGreaterThan(0);
    for (const { clearance } of ends) expect(clearance).toBeLessThan(1e-6);
  });

  test('fewer than three objects, and sites of one object, have no edges', () => {
    const sites = randomSites(createRandom(1), { count: 12 }).map((site, n) => ({ ...site, object: n % 2 }));
    expect(computeSpaceGraph(sites, { resolution: 12 }).edges).toEqual([]);
    expect(computeSpaceGraph([], { resolution: 4 }).vertices).toEqual([]);
  });

  test('coincident sites end without a hang', () => {
    const sites = randomSites(createRandom(2), { count: 6 });
    const graph = computeSpaceGraph([...sites, ...sites], { box: boxOf(), resolution: 12 });
    expect(graph.vertices.length).toBeGreaterThan(0);
  });
});
