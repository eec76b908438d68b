// Tasks of the chapter Convex.
import { buildHull, hullToMesh, measureHull, mergeFacets } from 'nearfield/convex';
import type { ProgressOptions } from 'nearfield/core';
import { inspectMesh, type Mesh } from 'nearfield/mesh';

export interface HullAnswer {
  readonly vertices: number;
  readonly faces: number;
  readonly facets: number;
  readonly volume: number;
  /** The part of the hull's volume that the model fills; null for a model without volume. */
  readonly share: number | null;
  readonly milliseconds: number;
  /** Null where the hull is a segment or a point. */
  readonly mesh: Mesh | null;
  /** The edges between facets: segments, six numbers each. */
  readonly edges: Float64Array;
}

export const convexTasks = {
  buildHull({ mesh }: { mesh: Mesh }, options: ProgressOptions): HullAnswer {
    const start = performance.now();
    const hull = buildHull(mesh.positions, options);
    const milliseconds = performance.now() - start;
    const { count, starts, loops } = mergeFacets(hull);
    const segments: number[] = [];
    for (let facet = 0; facet < count; facet++) {
      for (let i = starts[facet]; i < starts[facet + 1]; i++) {
        const a = loops[i];
        const b = loops[i + 1 < starts[facet + 1] ? i + 1 : starts[facet]];
        if (a > b) continue;
        for (const vertex of [a, b]) segments.push(...mesh.positions.subarray(3 * vertex, 3 * vertex + 3));
      }
    }
    const { volume } = measureHull(hull);
    const solid = inspectMesh(mesh, { selfIntersections: false }).volume;
    return {
      vertices: hull.vertices.length,
      faces: hull.triangles.length / 3,
      facets: count,
      volume,
      share: solid === null || volume === 0 ? null : solid / volume,
      milliseconds,
      mesh: hull.dimension < 2 ? null : hullToMesh(hull),
      edges: Float64Array.from(segments),
    };
  },
};
