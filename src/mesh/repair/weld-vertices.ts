// Welding: vertices within a tolerance of each other become one.

import * as box from '../../core/box.js';
import { optionTable } from '../../core/check/option-table.js';
import { WELD_TOLERANCE } from '../../core/tolerances.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { findEqualVertices, findNearVertices } from '../topology/coincident-vertices.js';
import { boxOfFaces, findUsedVertices } from '../topology/unused-vertices.js';

/** How near vertices must be to become one. */
export interface WeldOptions {
  /**
   * Vertices at most this share of the box diagonal apart become one; 0 welds only equal coordinates.
   * Default {@link WELD_TOLERANCE}.
   */
  readonly tolerance?: number | undefined;
}

const OPTIONS = optionTable<WeldOptions>()({
  tolerance: {
    expects: "a share of the model's box diagonal, from 0 to below 1",
    accepts: (value) => typeof value === 'number' && value >= 0 && value < 1,
    fallback: WELD_TOLERANCE,
  },
});

/** What {@link weldVertices} returns. */
export interface WeldedVertices {
  readonly mesh: Mesh;
  readonly mergedVertices: number;
  /** The new id of each old vertex. */
  readonly vertexMap: Uint32Array;
}

/**
 * Merges vertices that lie within a tolerance of each other, directly or through a chain of others. The vertex with the
 * lowest id keeps its position; the order of vertices and faces is kept. Vertices that no face uses are ignored.
 * Faces that become degenerate stay: `dropDegenerateFaces` removes them.
 */
export function weldVertices(mesh: Mesh, options: WeldOptions = {}): WeldedVertices {
  assertMesh(mesh);
  const { tolerance } = OPTIONS.read(options);
  const bounds = boxOfFaces(mesh);
  const reach = tolerance * box.diagonal(bounds);
  const used = findUsedVertices(mesh);
  const lowest =
    reach > 0 ? findNearVertices(mesh.positions, used, bounds, reach) : findEqualVertices(mesh.positions, used);
  const vertexMap = new Uint32Array(used.length);
  let kept = 0;
  for (let vertex = 0; vertex < used.length; vertex++) {
    vertexMap[vertex] = lowest[vertex] === vertex ? kept++ : vertexMap[lowest[vertex]];
  }
  const positions = new Float64Array(3 * kept);
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (lowest[vertex] !== vertex) continue;
    positions.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * vertexMap[vertex]);
  }
  const indices = mesh.indices.map((vertex) => vertexMap[vertex]);
  return { mesh: { positions, indices }, mergedVertices: used.length - kept, vertexMap };
}
