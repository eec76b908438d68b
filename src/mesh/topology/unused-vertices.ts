// Which vertices the faces use. A stray vertex far away must not change a box, nor tolerances relative to its size.
import type { Box } from '../../core/box.js';
import { assertMesh, type Mesh } from '../mesh.js';

/** One byte per vertex: 1 where a face uses it. */
export function findUsedVertices(mesh: Mesh): Uint8Array {
  const used = new Uint8Array(mesh.positions.length / 3);
  for (let i = 0; i < mesh.indices.length; i++) used[mesh.indices[i]] = 1;
  return used;
}

/** The box of the vertices that faces use. */
export function boxOfFaces(mesh: Mesh): Box {
  const { positions, indices } = mesh;
  const result: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (let axis = 0; axis < 3; axis++) {
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < indices.length; i++) {
      const value = positions[3 * indices[i] + axis];
      if (value < min) min = value;
      if (value > max) max = value;
    }
    // −0 becomes 0, so that the box does not depend on the order of vertices.
    result.min[axis] = min + 0;
    result.max[axis] = max + 0;
  }
  return result;
}

/** What {@link dropUnusedVertices} returns. */
export interface DroppedVertices {
  readonly mesh: Mesh;
  readonly droppedVertices: number;
  /** The new id of each old vertex, −1 where it was dropped. */
  readonly vertexMap: Int32Array;
}

/** Drops the vertices that no face uses; the others keep their order. */
export function dropUnusedVertices(mesh: Mesh): DroppedVertices {
  assertMesh(mesh);
  const used = findUsedVertices(mesh);
  const vertexMap = new Int32Array(used.length).fill(-1);
  let kept = 0;
  for (let vertex = 0; vertex < used.length; vertex++) if (used[vertex]) vertexMap[vertex] = kept++;
  const positions = new Float64Array(3 * kept);
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (used[vertex]) positions.set(mesh.positions.subarray(3 * vertex, 3 * vertex + 3), 3 * vertexMap[vertex]);
  }
  const indices = mesh.indices.map((vertex) => vertexMap[vertex]);
  return { mesh: { positions, indices }, droppedVertices: used.length - kept, vertexMap };
}
