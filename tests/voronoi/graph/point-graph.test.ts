// Graphs of points against the exact Delaunay-based diagram of d3-delaunay.
import { Delaunay } from 'd3-delaunay';
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { computeVoronoiGraph } from '../../../src/voronoi/graph/compute-voronoi-graph.js';

test.each([2, 3, 7, 40, 300])(
  'graphs of %i random points have the vertices and edges of the Delaunay diagram',
  (count) => {
    const random = createRandom(count);
    let junctions = 0;
    for (let trial = 0; trial < Math.max(2, 60 / count); trial++) {
      const places = Array.from({ length: count }, () => [random.next(), random.next()] as [number, number]);
      const graph = computeVoronoiGraph(
        places.map((at) => ({ type: 'point', at })),
        { box: [0, 0, 1, 1] },
      );
      const delaunay = Delaunay.from(places);
      const exact = delaunay.voronoi([0, 0, 1, 1]);
      const centers: [number, number][] = [];
      for (let i = 0; i < exact.circumcenters.length; i += 2) {
        const [x, y] = [exact.circumcenters[i], exact.circumcenters[i + 1]];
        // Two points are a triangle without area there.
        if (x > 0 && x < 1 && y > 0 && y < 1 && count > 2) centers.push([x, y]);
      }
      const found = graph.vertices.filter(({ kind }) => kind === 'junction');
      expect(found.length).toBe(centers.length);
      junctions += found.length;
      for (const [x, y] of centers) {
        const near = Math.min(...found.map(({ point }) => Math.hypot(point[0] - x, point[1] - y)));
        expect(near).toBeLessThan(1e-9);
      }
      const pairs = new Set<string>();
      for (let i = 0; i < count; i++)
        for (const j of exact.neighbors(i)) pairs.add(`${Math.min(i, j)} ${Math.max(i, j)}`);
      const ours = graph.edges.map(({ sites: [a, b] }) => `${Math.min(a, b)} ${Math.max(a, b)}`);
      expect(ours.length).toBe(new Set(ours).size);
      expect(ours.sort()).toEqual([...pairs].sort());
    }
    if (count > 3) expect(junctions).toBeGreaterThan(count);
  },
);
