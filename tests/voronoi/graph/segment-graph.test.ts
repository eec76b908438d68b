// Graphs of disjoint segments against exact diagrams by Boost.Polygon; tests/fixtures/voronoi has the program.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';

interface ExactDiagram {
  readonly segments: readonly (readonly [number, number, number, number])[];
  /** x, y, and the segments that are nearest. */
  readonly junctions: readonly (readonly number[])[];
  readonly pairs: readonly (readonly [number, number])[];
}

const diagrams = JSON.parse(
  readFileSync(new URL('../../fixtures/voronoi/segment-diagrams.json', import.meta.url), 'utf8'),
) as ExactDiagram[];

test.each(diagrams.map((diagram) => [diagram.segments.length, diagram] as const))(
  'the graph of %i segments has the junctions and the pairs of neighbors of the exact diagram',
  (_, { segments, junctions, pairs }) => {
    const sites = segments.map(([ax, ay, bx, by]): PlaneSite => ({ type: 'segment', a: [ax, ay], b: [bx, by] }));
    const size = 10000;
    const graph = computeVoronoiGraph(sites, { box: [0, 0, size, size] });
    const found = graph.vertices.filter(({ kind }) => kind === 'junction');
    expect(found.length).toBe(junctions.length);
    const unused = new Set(found);
    for (const [x, y, ...nearest] of junctions) {
      const match = [...unused].find(({ point }) => Math.hypot(point[0] - x, point[1] - y) < 1e-8 * size);
      expect(match?.sites).toEqual(nearest);
      unused.delete(match as (typeof found)[number]);
    }
    const neighbors = new Set(graph.edges.map(({ sites: [a, b] }) => `${Math.min(a, b)} ${Math.max(a, b)}`));
    for (const [a, b] of pairs) expect(neighbors).toContain(`${a} ${b}`);
    // Boundaries that only cross the box, without a vertex in it, are not in the fixture.
    const crossing = graph.edges.filter(({ from, to }) =>
      [from, to].every((end) => graph.vertices[end].kind === 'border'),
    );
    expect(neighbors.size).toBeLessThanOrEqual(pairs.length + crossing.length);
  },
);
