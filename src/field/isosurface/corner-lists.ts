// The corners (3 · face + 0, 1 or 2) of each vertex of a mesh as linked lists, for surfaces that lose faces one by one.
import type { Mesh } from '../../mesh/mesh.js';

export class CornerLists {
  /** By vertex: its first corner, −1 without any. */
  readonly first: Int32Array;
  /** By corner: the next one of the same vertex, −1 after the last. */
  readonly next: Int32Array;

  constructor({ positions, indices }: Mesh) {
    this.first = new Int32Array(positions.length / 3).fill(-1);
    this.next = new Int32Array(indices.length);
    for (let corner = indices.length - 1; corner >= 0; corner--) this.add(indices[corner], corner);
  }

  /** Puts a corner at the front of a vertex's list. */
  add(vertex: number, corner: number): void {
    this.next[corner] = this.first[vertex];
    this.first[vertex] = corner;
  }

  /** Takes a corner out of the list of its vertex. */
  remove(vertex: number, corner: number): void {
    const { first, next } = this;
    if (first[vertex] === corner) {
      first[vertex] = next[corner];
      return;
    }
    let before = first[vertex];
    // A corner is in the list of its vertex, which ends with −1.
    while (before >= 0 && next[before] !== corner) before = next[before];
    if (before >= 0) next[before] = next[corner];
  }
}
