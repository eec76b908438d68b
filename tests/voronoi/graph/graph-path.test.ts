// Paths on Voronoi graphs: known choices, and random ones against an exhaustive relaxation.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import { findGraphPath } from '../../../src/voronoi/graph/graph-path.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { codeOf } from '../../error-code.js';
import { nearestSite } from '../site-distance.js';

const box = [0, 0, 10, 6];
// A wall with a narrow gap near the bottom and a wide one near the top, and a frame around.
const walls: PlaneSite[] = [
  {
    type: 'polygon',
    rings: [
      [
        [0.1, 0.1],
        [9.9, 0.1],
        [9.9, 5.9],
        [0.1, 5.9],
      ],
    ],
  },
  { type: 'segment', a: [5, 0.1], b: [5, 1] },
  { type: 'segment', a: [5, 1.4], b: [5, 3.5] },
  { type: 'segment', a: [5, 5], b: [5, 5.9] },
];
const graph = computeVoronoiGraph(walls, { box, between: 'features' });

/** The least distance to a site along the path, sampled. */
function sampledClearance(points: readonly number[]): number {
  let least = Infinity;
  for (let i = 0; i + 3 < points.length; i += 2) {
    for (let k = 0; k <= 50; k++) {
      const x = points[i] + (k / 50) * (points[i + 2] - points[i]);
      const y = points[i + 1] + (k / 50) * (points[i + 3] - points[i + 1]);
      least = Math.min(least, nearestSite(walls, x, y).distance);
    }
  }
  return least;
}

/** The integral of 1 + weight / clearance along the path, sampled. */
function sampledCost(points: readonly number[], weight: number): number {
  let cost = 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const step = Math.hypot(points[i + 2] - points[i], points[i + 3] - points[i + 1]) / 50;
    for (let k = 0; k < 50; k++) {
      const x = points[i] + ((k + 0.5) / 50) * (points[i + 2] - points[i]);
      const y = points[i + 1] + ((k + 0.5) / 50) * (points[i + 3] - points[i + 1]);
      cost += step * (1 + weight / nearestSite(walls, x, y).distance);
    }
  }
  return cost;
}

test('the shortest path takes the narrow gap, the widest and a required clearance the wide one', () => {
  const [start, goal] = [
    [3, 1],
    [7.2, 1],
  ];
  const by = (options: Parameters<typeof findGraphPath>[4]) => {
    const path = findGraphPath(graph, walls, start, goal, options);
    expect(path.status).toBe('found');
    expect(path.points.slice(0, 2)).toEqual(start);
    expect(path.points.slice(-2)).toEqual(goal);
    expect(Math.abs(sampledClearance(path.points) - path.leastClearance)).toBeLessThan(2e-3);
    let length = 0;
    for (let i = 2; i < path.points.length; i += 2) {
      length += Math.hypot(path.points[i] - path.points[i - 2], path.points[i + 1] - path.points[i - 1]);
    }
    expect(path.length).toBeCloseTo(length, 10);
    return path;
  };
  const shortest = by({ by: 'length' });
  expect(shortest.leastClearance).toBeCloseTo(0.2, 6);
  const widest = by({ by: 'clearance' });
  expect(widest.leastClearance).toBeCloseTo(0.75, 6);
  expect(widest.length).toBeGreaterThan(shortest.length);
  const safe = by({ minClearance: 0.3 });
  expect(safe.leastClearance).toBeCloseTo(0.75, 6);
  expect(safe.length).toBeLessThanOrEqual(widest.length + 1e-9);
  expect(by({ by: 'both', clearanceWeight: 0 }).length).toBeCloseTo(shortest.length, 9);
  for (const clearanceWeight of [0.3, 5]) {
    const both = sampledCost(by({ by: 'both', clearanceWeight }).points, clearanceWeight);
    for (const other of [shortest, widest])
      expect(both).toBeLessThan(1.01 * sampledCost(other.points, clearanceWeight));
  }
});

test('without a path the status says why', () => {
  const path = (start: number[], goal: number[], minClearance = 0) =>
    findGraphPath(graph, walls, start, goal, { minClearance });
  expect(path([3, 1], [7, 1], 0.8).status).toBe('disconnected');
  expect(path([3, 0.2], [7, 1], 0.3).status).toBe('start-blocked');
  expect(path([3, 1], [7, 0.2], 0.3)).toEqual({
    status: 'goal-blocked',
    points: [],
    length: 0,
    leastClearance: 0,
    edges: [],
  });
  expect(findGraphPath(computeVoronoiGraph([], { box }), [], [1, 1], [2, 2]).status).toBe('start-blocked');
  expect(codeOf(() => path([-1, 0], [1, 1]))).toBe('bad-argument');
  expect(codeOf(() => findGraphPath(graph, walls, [1, 1], [2, 2], { by: 'time' as never }))).toBe('bad-argument');
});

test('paths between places on one edge and around a closed curve', () => {
  const pair: PlaneSite[] = [
    { type: 'point', at: [2, 3] },
    { type: 'point', at: [8, 3] },
  ];
  const line = findGraphPath(computeVoronoiGraph(pair, { box }), pair, [4, 3], [5.5, 5]);
  expect(line.points.slice(0, 4)).toEqual([4, 3, 5, 3]);
  expect(line.edges).toEqual([0]);
  const ring: PlaneSite[] = [
    { type: 'circle', center: [5, 3], radius: 2.5 },
    { type: 'circle', center: [5, 3], radius: 0.5 },
  ];
  const around = findGraphPath(computeVoronoiGraph(ring, { box }), ring, [6.4, 3.1], [6.4, 2.9]);
  expect(around.status).toBe('found');
  expect(around.length).toBeLessThan(0.6);
});

test('shortest and widest paths between vertices agree with a relaxation over all pairs', () => {
  const random = createRandom(21);
  const sites = Array.from({ length: 25 }, (): PlaneSite => {
    const [x, y] = [random.range(0, 10), random.range(0, 6)];
    return { type: 'segment', a: [x, y], b: [x + random.range(-1, 1), y + random.range(-1, 1)] };
  });
  const roadmap = computeVoronoiGraph(sites, { box });
  const n = roadmap.vertices.length;
  const length = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (__, j) => (i === j ? 0 : Infinity)),
  );
  const width = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (__, j) => (i === j ? Infinity : -1)),
  );
  for (const edge of roadmap.edges) {
    // Where two sites cross there is no way through.
    if (edge.narrowest.clearance < 1e-8) continue;
    for (const [a, b] of [
      [edge.from, edge.to],
      [edge.to, edge.from],
    ]) {
      length[a][b] = Math.min(length[a][b], edge.length);
      width[a][b] = Math.max(width[a][b], edge.narrowest.clearance);
    }
  }
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        length[i][j] = Math.min(length[i][j], length[i][k] + length[k][j]);
        width[i][j] = Math.max(width[i][j], Math.min(width[i][k], width[k][j]));
      }
    }
  }
  let found = 0;
  for (let trial = 0; trial < 60; trial++) {
    const [a, b] = [random.integer(n), random.integer(n)];
    const [start, goal] = [roadmap.vertices[a].point, roadmap.vertices[b].point];
    if (Math.min(roadmap.vertices[a].clearance, roadmap.vertices[b].clearance) < 1e-6) continue;
    const shortest = findGraphPath(roadmap, sites, start, goal);
    if (length[a][b] === Infinity) {
      expect(shortest.status).toBe('disconnected');
      continue;
    }
    found++;
    expect(Math.abs(shortest.length - length[a][b])).toBeLessThan(1e-6);
    const widest = findGraphPath(roadmap, sites, start, goal, { by: 'clearance' });
    const ends = Math.min(roadmap.vertices[a].clearance, roadmap.vertices[b].clearance);
    expect(Math.abs(widest.leastClearance - Math.min(width[a][b], ends))).toBeLessThan(1e-6);
    expect(widest.length).toBeGreaterThan(shortest.length - 1e-9);
  }
  expect(found).toBeGreaterThan(30);
});
