// Distances of the nodes of a body from its own surface: what the deformed distance field interpolates (Fisher and Lin 2001).
import * as box from '../../core/box.js';
import { computeFieldSync } from '../../field/compute-field.js';
import { gridOverBox } from '../../field/grid.js';
import { FieldSampler } from '../../field/read/field-sampler.js';
import type { Mesh } from '../../mesh/mesh.js';
import { ClosestPointSearch } from '../../mesh/query/closest-point-search.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { createTriangleTable } from '../../mesh/triangle/triangle-table.js';
import { buildBvh } from '../../spatial/build-bvh.js';

/** Chosen: cells along the longest side of the grid that is marched over. */
const MARCHED_CELLS = 64;

/** The distance of each node from a surface, from all triangles: exact. */
export function exactDistances(surface: Mesh, positions: Float64Array, nodes: ArrayLike<number>): Float64Array {
  const bvh = buildBvh(triangleBoxes(surface));
  const search = new ClosestPointSearch(bvh, createTriangleTable(surface, bvh));
  const distances = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const at = 3 * nodes[i];
    search.find(positions[at], positions[at + 1], positions[at + 2], Infinity, search.slot);
    distances[i] = Math.sqrt(search.best.distanceSquared);
  }
  return distances;
}

/** The same by fast marching over a grid, as published: first the grid's error, then that of its interpolation. */
export function marchedDistances(surface: Mesh, positions: Float64Array, nodes: ArrayLike<number>): Float64Array {
  const frame = gridOverBox(box.ofPositions(surface.positions), MARCHED_CELLS);
  const sampler = new FieldSampler(computeFieldSync(surface, frame, { method: 'fast-marching' }), { outside: 'clamp' });
  const distances = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const at = 3 * nodes[i];
    distances[i] = Math.max(0, -sampler.value(positions[at], positions[at + 1], positions[at + 2]));
  }
  return distances;
}
