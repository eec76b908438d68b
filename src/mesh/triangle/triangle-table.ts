// The triangles of a mesh copied into the slot order of a hierarchy, so that a query reads memory in sequence. Each
// has its corners sorted by coordinates: triangles that share an edge then compute its closest point from the same
// numbers in the same order, get the same bits, and a tie between them is a true tie, in soups without shared ids too.
import type { Bvh } from '../../spatial/bvh.js';
import type { Mesh } from '../mesh.js';

export interface TriangleTable {
  /** Sorted corners, nine numbers per slot. */
  readonly corners: Float64Array;
  /** Vertex ids of the sorted corners, three per slot. */
  readonly vertices: Uint32Array;
  /** 1 where the sorted corners run as in the mesh, -1 where they run backwards. */
  readonly turns: Int8Array;
}

export function createTriangleTable(mesh: Mesh, bvh: Bvh): TriangleTable {
  const { positions, indices } = mesh;
  const count = bvh.itemCount;
  const corners = new Float64Array(9 * count);
  const vertices = new Uint32Array(3 * count);
  const turns = new Int8Array(count);
  for (let slot = 0; slot < count; slot++) {
    const first = 3 * bvh.items[slot];
    let a = indices[first];
    let b = indices[first + 1];
    let c = indices[first + 2];
    let turn = 1;
    let held = 0;
    if (isAfter(positions, a, b)) {
      held = a;
      a = b;
      b = held;
      turn = -turn;
    }
    if (isAfter(positions, b, c)) {
      held = b;
      b = c;
      c = held;
      turn = -turn;
    }
    if (isAfter(positions, a, b)) {
      held = a;
      a = b;
      b = held;
      turn = -turn;
    }
    vertices[3 * slot] = a;
    vertices[3 * slot + 1] = b;
    vertices[3 * slot + 2] = c;
    turns[slot] = turn;
    for (let axis = 0; axis < 3; axis++) {
      corners[9 * slot + axis] = positions[3 * a + axis];
      corners[9 * slot + 3 + axis] = positions[3 * b + axis];
      corners[9 * slot + 6 + axis] = positions[3 * c + axis];
    }
  }
  return { corners, vertices, turns };
}

/** Whether vertex `a` comes after `b` by x, then y, then z. */
function isAfter(positions: Float64Array, a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const p = positions[3 * a + axis];
    const q = positions[3 * b + axis];
    if (p !== q) return p > q;
  }
  return false;
}
