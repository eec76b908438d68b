// Euler's relation of diagrams of points in a box. The open box is divided into junctions, edges, sheets and regions, all
// convex and open, so that their numbers, with alternating signs, give the Euler characteristic of an open ball: −1.
import { expect, test } from 'vitest';
import type { Box } from '../../src/core/box.js';
import { createRandom } from '../../src/core/random.js';
import type { SpaceSite } from '../../src/voronoi/sites/space-site.js';
import { computeSpaceGraph } from '../../src/voronoi/space/compute-space-graph.js';
import { computeSpaceSheets } from '../../src/voronoi/space/compute-space-sheets.js';

type Points = readonly (readonly [number, number, number])[];

function areaOf(positions: ArrayLike<number>, indices: ArrayLike<number>): number {
  let area = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const side = (to: number, axis: number): number =>
      positions[3 * indices[i + to] + axis] - positions[3 * indices[i] + axis];
    const cross = [0, 1, 2].map((axis) => {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      return side(1, u) * side(2, v) - side(1, v) * side(2, u);
    });
    area += Math.hypot(...cross) / 2;
  }
  return area;
}

/** Junctions, edges, sheets by their two sites, border vertices. */
function count(points: Points, size: number, resolution: number) {
  const sites = points.map((at): SpaceSite => ({ type: 'point', at: [...at] }));
  const box: Box = { min: [0, 0, 0], max: [size, size, size] };
  const graph = computeSpaceGraph(sites, { box, resolution });
  expect(graph.status).toBe('complete');
  const { sheets } = computeSpaceSheets(sites, { box, resolution });
  // Regions that meet only in an edge may have a sheet without area.
  const real = sheets.filter(({ positions, indices }) => areaOf(positions, indices) > 1e-12 * size * size);
  const pairs = new Set(real.map(({ sites: [a, b] }) => `${a} ${b}`));
  const kinds = graph.vertices.map(({ kind }) => kind);
  return {
    graph,
    pairs,
    junctions: kinds.filter((kind) => kind === 'junction').length,
    borders: kinds.filter((kind) => kind === 'border').length,
    edges: graph.edges.length,
  };
}

test('four points have one vertex, four edges to the sides of the box, and six sheets', () => {
  const corners = [
    [1, 1, 1],
    [3, 3, 1],
    [3, 1, 3],
    [1, 3, 3],
  ] as const;
  const { graph, junctions, borders, edges, pairs } = count(corners, 4, 24);
  expect([junctions, borders, edges, pairs.size]).toEqual([1, 4, 4, 6]);
  const junction = graph.vertices.findIndex(({ kind }) => kind === 'junction');
  for (const { from, to } of graph.edges) expect([from, to]).toContain(junction);
  for (let axis = 0; axis < 3; axis++) expect(graph.vertices[junction].point[axis]).toBeCloseTo(2, 9);
  expect(junctions - edges + pairs.size - corners.length).toBe(-1);
});

test('a lattice of points has the lattice between them', () => {
  const n = 3;
  const lattice = Array.from(
    { length: n ** 3 },
    (_, i) => [(i % n) + 0.5, (Math.floor(i / n) % n) + 0.5, Math.floor(i / n ** 2) + 0.5] as const,
  );
  const { graph, junctions, borders, edges, pairs } = count(lattice, n, 26);
  expect([junctions, borders, edges, pairs.size]).toEqual([
    (n - 1) ** 3,
    6 * (n - 1) ** 2,
    3 * n * (n - 1) ** 2,
    3 * n ** 2 * (n - 1),
  ]);
  for (const { kind, edges: own, sites } of graph.vertices) {
    expect([own.length, sites.length]).toEqual(kind === 'junction' ? [6, 8] : [1, 4]);
  }
  expect(junctions - edges + pairs.size - n ** 3).toBe(-1);
});

test.each([1, 2, 3, 4])('random points satisfy the relation: %i', (seed) => {
  const random = createRandom(seed);
  const points = Array.from(
    { length: 14 },
    () => [random.range(0.1, 0.9), random.range(0.1, 0.9), random.range(0.1, 0.9)] as const,
  );
  const { graph, junctions, edges, borders, pairs } = count(points, 1, 32);
  // A sheet too small for the grid is still between the edges around it.
  for (const { sites } of graph.edges) {
    for (const a of sites) for (const b of sites) if (a < b) pairs.add(`${a} ${b}`);
  }
  expect(junctions - edges + pairs.size - points.length).toBe(-1);
  // Every edge has two ends: four at a junction, one at the border.
  expect(4 * junctions + borders).toBe(2 * edges);
});
