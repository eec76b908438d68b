// The faces of a hierarchy under construction: growing records, the faces and twins of each finished node, and a table
// of the pieces' faces by their corners.

import { exactSide } from '../../core/exact/orientation.js';
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import { doubled } from '../../core/grow-array.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import type { Decomposition } from '../decomposition.js';
import { FREE } from './hierarchy.js';

/** Growing lists; nodes are finished in descending order. */
export class HierarchyFaces {
  /** Three vertex ids per record: first the triangles of the pieces in their order, then the free faces. */
  vertices: Int32Array;
  /** Records from here on are free. */
  readonly freeStart: number;
  recordCount: number;
  /** The record of each node face, and its three twins, counted from the node's first half-edge. */
  nodeFaces: Int32Array;
  twins: Int32Array;
  faceCount = 0;
  /** Where the faces of each node start, and their number. */
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly flat: Uint8Array;
  readonly #decomposition: Decomposition;
  /** The first half-edge in a list of those that leave a vertex, used while a leaf is linked. */
  readonly #leaving: Int32Array;
  #listed = new Int32Array(64);
  #sides = new Int8Array(64);

  constructor(decomposition: Decomposition, nodes: number) {
    const { triangles, sources } = decomposition.pieces;
    this.#decomposition = decomposition;
    this.freeStart = this.recordCount = sources.length;
    this.vertices = new Int32Array(2 * triangles.length);
    this.vertices.set(triangles);
    this.nodeFaces = new Int32Array(2 * sources.length);
    this.twins = new Int32Array(6 * sources.length);
    this.starts = new Int32Array(nodes);
    this.counts = new Int32Array(nodes);
    this.flat = new Uint8Array(nodes);
    this.#leaving = new Int32Array(decomposition.mesh.positions.length / 3).fill(-1);
  }

  classOf(record: number): number {
    return record >= this.freeStart ? FREE : this.#decomposition.pieces.sources[record] >= 0 ? 0 : 1;
  }

  /** A new free face. */
  addFree(a: number, b: number, c: number): number {
    if (3 * this.recordCount === this.vertices.length) {
      this.vertices = doubled(this.vertices);
    }
    const record = this.recordCount++;
    this.vertices[3 * record] = a;
    this.vertices[3 * record + 1] = b;
    this.vertices[3 * record + 2] = c;
    return record;
  }

  /** Opens a node with this many faces and returns where they go. */
  openNode(node: number, count: number, isFlat: boolean): number {
    while (this.faceCount + count > this.nodeFaces.length) {
      this.nodeFaces = doubled(this.nodeFaces);
      this.twins = doubled(this.twins);
    }
    const start = this.faceCount;
    this.faceCount += count;
    this.starts[node] = start;
    this.counts[node] = count;
    this.flat[node] = isFlat ? 1 : 0;
    return start;
  }

  /** A leaf: the triangles of a piece, joined along their edges. */
  addLeaf(node: number, piece: number): void {
    const { triangleStart } = this.#decomposition.pieces;
    const first = triangleStart[piece];
    const count = triangleStart[piece + 1] - first;
    const axis = this.#findFlatAxis(first, count);
    const start = this.openNode(node, count, axis >= 0);
    for (let i = 0; i < count; i++) this.nodeFaces[start + i] = first + i;
    this.#linkPiece(first, count, 3 * start, axis);
  }

  /** The axis along which a flat piece projects to a nonzero area; −1 for a solid one. */
  #findFlatAxis(first: number, count: number): number {
    const p = this.#decomposition.mesh.positions;
    const v = this.vertices;
    const [a, b, c] = [3 * v[3 * first], 3 * v[3 * first + 1], 3 * v[3 * first + 2]];
    for (let i = 3 * first + 3; i < 3 * (first + count); i++) {
      const d = 3 * v[i];
      if (d === a || d === b || d === c) continue;
      const side = exactSide(
        p[a],
        p[a + 1],
        p[a + 2],
        p[b],
        p[b + 1],
        p[b + 2],
        p[c],
        p[c + 1],
        p[c + 2],
        p[d],
        p[d + 1],
        p[d + 2],
      );
      if (side !== 0) return -1;
    }
    return findShadowAxis(p, a / 3, b / 3, c / 3);
  }

  /** On a flat piece a diagonal may be on both sides: twins are looked up on the same side first. */
  #linkPiece(first: number, count: number, base: number, axis: number): void {
    const v = this.vertices;
    const { positions } = this.#decomposition.mesh;
    const leaving = this.#leaving;
    if (3 * count > this.#listed.length) {
      this.#listed = new Int32Array(6 * count);
      this.#sides = new Int8Array(2 * count);
    }
    const listed = this.#listed;
    const sides = this.#sides;
    for (let h = 0; h < 3 * count; h++) {
      const vertex = v[3 * first + h];
      listed[h] = leaving[vertex];
      leaving[vertex] = h;
    }
    if (axis >= 0) {
      for (let i = 0; i < count; i++) {
        const t = 3 * (first + i);
        sides[i] = exactTurnAlong(positions, axis, v[t], v[t + 1], v[t + 2]) > 0 ? 1 : -1;
      }
    }
    for (let h = 0; h < 3 * count; h++) {
      const from = v[3 * first + h];
      let twin = -1;
      for (let other = leaving[v[3 * first + nextHalfEdge(h)]]; other >= 0; other = listed[other]) {
        if (v[3 * first + nextHalfEdge(other)] !== from) continue;
        twin = other;
        if (axis < 0 || sides[(other / 3) | 0] === sides[(h / 3) | 0]) break;
      }
      this.twins[base + h] = twin;
    }
    for (let h = 0; h < 3 * count; h++) leaving[v[3 * first + h]] = -1;
  }
}

/** The faces of all pieces by their corners: linear probing, at most a quarter full. */
export class PieceFaceTable {
  readonly #slots: Int32Array;
  readonly #vertices: Int32Array;
  readonly #mask: number;

  constructor(vertices: Int32Array, sources: Int32Array) {
    let size = 16;
    while (size < 4 * sources.length) size *= 2;
    this.#slots = new Int32Array(size);
    this.#mask = size - 1;
    this.#vertices = vertices;
    // Faces of the surface first, so that they are found first.
    for (let face = 0; face < sources.length; face++) if (sources[face] >= 0) this.#add(face);
    for (let face = 0; face < sources.length; face++) if (sources[face] < 0) this.#add(face);
  }

  /** The first face with these corners, in this cyclic order, that the test accepts; −1 for none. */
  find(a: number, b: number, c: number, accepts: (face: number) => boolean): number {
    const v = this.#vertices;
    for (let slot = this.#hash(a, b, c); this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const face = this.#slots[slot] - 1;
      const i = 3 * face;
      const k = v[i] === a ? 0 : v[i + 1] === a ? 1 : 2;
      if (v[i + k] === a && v[i + ((k + 1) % 3)] === b && v[i + ((k + 2) % 3)] === c && accepts(face)) return face;
    }
    return -1;
  }

  #add(face: number): void {
    const v = this.#vertices;
    let slot = this.#hash(v[3 * face], v[3 * face + 1], v[3 * face + 2]);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = face + 1;
  }

  #hash(a: number, b: number, c: number): number {
    return hashCorners(a, b, c) & this.#mask;
  }
}

/** The faces of one node at a time by their corners; memory is reused. */
export class NodeFaceTable {
  readonly #faces: HierarchyFaces;
  #node = -1;
  /** One plus the index of a face among those of the node, 0 for none: linear probing, at most half full. */
  #slots = new Int32Array(64);
  #mask = 63;

  constructor(faces: HierarchyFaces) {
    this.#faces = faces;
  }

  /** The record of the node's face with these corners, in this cyclic order; −1 for none. */
  find(node: number, a: number, b: number, c: number): number {
    if (node !== this.#node) this.#fill(node);
    const { starts, nodeFaces, vertices: v } = this.#faces;
    for (let slot = hashCorners(a, b, c) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const record = nodeFaces[starts[node] + this.#slots[slot] - 1];
      const i = 3 * record;
      const k = v[i] === a ? 0 : v[i + 1] === a ? 1 : 2;
      if (v[i + k] === a && v[i + ((k + 1) % 3)] === b && v[i + ((k + 2) % 3)] === c) return record;
    }
    return -1;
  }

  #fill(node: number): void {
    const { starts, counts, nodeFaces, vertices: v } = this.#faces;
    let size = 64;
    while (size < 2 * counts[node]) size *= 2;
    if (size > this.#slots.length) this.#slots = new Int32Array(size);
    else this.#slots.fill(0, 0, size);
    this.#mask = size - 1;
    this.#node = node;
    for (let i = 0; i < counts[node]; i++) {
      const record = nodeFaces[starts[node] + i];
      let slot = hashCorners(v[3 * record], v[3 * record + 1], v[3 * record + 2]) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = i + 1;
    }
  }
}

/** Independent of the order of the corners. */
function hashCorners(a: number, b: number, c: number): number {
  const sum = Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x9e3779b1) + Math.imul(c, 0x9e3779b1);
  const mix = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) ^ Math.imul(a ^ b ^ c, 0xc2b2ae35);
  return mix ^ (mix >>> 13);
}
