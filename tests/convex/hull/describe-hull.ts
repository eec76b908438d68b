import { type Hull, mergeFacets } from '../../../src/convex/index.js';
import type { ExactHull } from '../../oracles/convex-hull.js';

/** A hull in the oracle's terms. */
export function describeHull(hull: Hull): ExactHull {
  const { starts, loops, count } = mergeFacets(hull);
  const facets = Array.from({ length: hull.dimension === 3 ? count : 0 }, (_, facet) =>
    [...loops.subarray(starts[facet], starts[facet + 1])].sort((a, b) => a - b),
  );
  facets.sort((a, b) => (a.join() < b.join() ? -1 : 1));
  return { dimension: hull.dimension, vertices: [...hull.vertices], facets };
}

/** What is true of a hull whatever the ids of its points: its vertices and its facets by their coordinates, as text. */
export function describePlaces(hull: Hull): string {
  const place = (id: number) => `(${hull.points.subarray(3 * id, 3 * id + 3).join()})`;
  const { dimension, vertices, facets } = describeHull(hull);
  const loops = facets.map((facet) => facet.map(place).sort().join(''));
  return [`dimension ${dimension}`, vertices.map(place).sort().join(''), ...loops.sort()].join('\n');
}

/** The triangles by their coordinates, as text: the same whatever the order of the points. */
export function describeTriangles(hull: Hull): string {
  const place = (id: number) => `(${hull.points.subarray(3 * id, 3 * id + 3).join()})`;
  const triangles = Array.from({ length: hull.triangles.length / 3 }, (_, i) => {
    const corners = Array.from(hull.triangles.subarray(3 * i, 3 * i + 3), place);
    const first = corners.indexOf([...corners].sort()[0]);
    return [0, 1, 2].map((k) => corners[(first + k) % 3]).join('');
  });
  return triangles.sort().join('\n');
}
