// Marching tetrahedra over a sampled body-centered cubic lattice, with some nodes moved onto the surface. Each polygon
// lies in its own tetrahedron and meets its neighbors in shared faces, so the surface has no self-intersections.

import type { Mesh } from '../mesh.js';
import { type BccLattice, NEIGHBORS, NODES_PER_BLOCK } from './bcc-lattice.js';
import { pointsUp, refineShare } from './lattice-edges.js';
import { NO_SAMPLE, OUTSIDE, SNAP_LONG, SNAP_SHORT, type SnappedNodes } from './snap-nodes.js';
import { TETRAHEDRON_EDGES, tetrahedronCases } from './tetrahedron-cases.js';

/**
 * Chosen: cuts stay at least this fraction of their edge away from its ends. They come this close only where a node
 * may not move; there the surface is off by less than a tenth of a cell, and angles stay at about four degrees or
 * more.
 */
const CUT_MARGIN = 0.1;

export function marchTetrahedra(lattice: BccLattice, nodes: SnappedNodes): Mesh {
  return new TetrahedraMarch(lattice, nodes).run();
}

class TetrahedraMarch {
  readonly #lattice: BccLattice;
  readonly #nodes: SnappedNodes;
  readonly #cases = tetrahedronCases();
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];
  /** The vertex of each moved node, and of each of the 7 edges that point up from a node; -1 until made. */
  readonly #nodeVertex: Int32Array;
  readonly #edgeVertex: Int32Array;
  /** The current tetrahedron: the ids and coordinates of its nodes, then the vertices of its polygon. */
  readonly #ids = new Int32Array(4);
  readonly #at = new Int32Array(12);
  /** The corners of the current cell, x first: bit 0 is +x, bit 1 +y, bit 2 +z, as in `NEIGHBORS`. */
  readonly #cellIds = new Int32Array(8);
  readonly #corners = new Int32Array(4);

  constructor(lattice: BccLattice, nodes: SnappedNodes) {
    this.#lattice = lattice;
    this.#nodes = nodes;
    this.#nodeVertex = new Int32Array(nodes.states.length).fill(-1);
    this.#edgeVertex = new Int32Array(7 * nodes.states.length).fill(-1);
  }

  run(): Mesh {
    const { states } = this.#nodes;
    for (let block = 0; block < states.length; block += NODES_PER_BLOCK) {
      for (let center = block + NODES_PER_BLOCK / 2; center < block + NODES_PER_BLOCK; center++) {
        if (states[center] !== NO_SAMPLE) this.#marchAround(center);
      }
    }
    return { positions: Float64Array.from(this.#positions), indices: Uint32Array.from(this.#indices) };
  }

  /** The 12 tetrahedra on the edges from a cell's center to the next centers along x, y and z: 4 around each edge. */
  #marchAround(center: number): void {
    const lattice = this.#lattice;
    const { states } = this.#nodes;
    const at = this.#at;
    const ids = this.#ids;
    const cellIds = this.#cellIds;
    ids[0] = center;
    for (let axis = 0; axis < 3; axis++) at[axis] = lattice.coordinate(center, axis);
    let isMixed = false;
    for (let corner = 0; corner < 8; corner++) {
      const [du, dv, dw] = NEIGHBORS[6 + corner];
      cellIds[corner] = lattice.nodeAt(at[0] + du, at[1] + dv, at[2] + dw);
      isMixed ||= states[cellIds[corner]] !== states[center];
    }
    for (let axis = 0; axis < 3; axis++) {
      for (let i = 0; i < 3; i++) at[3 + i] = at[i] + (i === axis ? 2 : 0);
      ids[1] = lattice.nodeAt(at[3], at[4], at[5]);
      if (ids[1] < 0 || states[ids[1]] === NO_SAMPLE) continue;
      if (!isMixed && states[ids[1]] === states[center]) continue;
      const second = (axis + 1) % 3;
      const third = (axis + 2) % 3;
      for (let turn = 0; turn < 4; turn++) {
        // Two corners of the common face, counter-clockwise seen along the axis: all tetrahedra turn the same way.
        for (let node = 2; node < 4; node++) {
          const corner = (turn + node) & 3;
          const isFar = corner === 1 || corner === 2;
          const isHigh = corner >= 2;
          at[3 * node + axis] = at[axis] + 1;
          at[3 * node + second] = at[second] + (isFar ? 1 : -1);
          at[3 * node + third] = at[third] + (isHigh ? 1 : -1);
          ids[node] = cellIds[(1 << axis) | (isFar ? 1 << second : 0) | (isHigh ? 1 << third : 0)];
        }
        this.#marchTetrahedron();
      }
    }
  }

  #marchTetrahedron(): void {
    const { states } = this.#nodes;
    const ids = this.#ids;
    const corners = this.#corners;
    const polygon = this.#cases[27 * states[ids[0]] + 9 * states[ids[1]] + 3 * states[ids[2]] + states[ids[3]]];
    const count = polygon.length;
    if (count === 0) return;
    const onNodes = polygon[0] < 4 && polygon[1] < 4 && polygon[2] < 4;
    if (onNodes && !this.#isOutsideBeyond(6 - polygon[0] - polygon[1] - polygon[2])) return;
    for (let i = 0; i < count; i++) {
      corners[i] = polygon[i] < 4 ? this.#vertexOfNode(ids[polygon[i]]) : this.#vertexOfEdge(polygon[i] - 4);
    }
    const [a, b, c, d] = corners;
    if (count === 3) this.#indices.push(a, b, c);
    else if (this.#distanceSquared(a, c) <= this.#distanceSquared(b, d)) this.#indices.push(a, b, c, a, c, d);
    else this.#indices.push(b, c, d, b, d, a);
  }

  /**
   * Three nodes on the surface and `apex` inside: their triangle is part of the surface when the node on its other side
   * is outside. That node is the reflection of the apex in the midpoint of the triangle's long edge.
   */
  #isOutsideBeyond(apex: number): boolean {
    const at = this.#at;
    const start = apex < 2 ? 6 : 0;
    const opposite = this.#lattice.nodeAt(
      at[start] + at[start + 3] - at[3 * apex],
      at[start + 1] + at[start + 4] - at[3 * apex + 1],
      at[start + 2] + at[start + 5] - at[3 * apex + 2],
    );
    return opposite >= 0 && this.#nodes.states[opposite] === OUTSIDE;
  }

  #vertexOfNode(node: number): number {
    if (this.#nodeVertex[node] < 0) {
      const { direction, towards, share } = this.#nodes;
      const refined = refineShare(this.#lattice, node, towards[node], direction[node], share[node]);
      const limit = direction[node] < 6 ? SNAP_LONG : SNAP_SHORT;
      this.#nodeVertex[node] = this.#addVertex(node, direction[node], Math.min(limit, refined));
    }
    return this.#nodeVertex[node];
  }

  #vertexOfEdge(edge: number): number {
    const at = this.#at;
    let [from, to] = TETRAHEDRON_EDGES[edge];
    if (!pointsUp(at, from, to)) {
      from = to;
      to = TETRAHEDRON_EDGES[edge][0];
    }
    const dx = at[3 * to] - at[3 * from];
    const dy = at[3 * to + 1] - at[3 * from + 1];
    const isLong = dx === 0 || dy === 0;
    const axis = dx !== 0 ? 0 : dy !== 0 ? 1 : 2;
    const quadrant = (dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0);
    const node = this.#ids[from];
    const slot = 7 * node + (isLong ? axis : 3 + quadrant);
    if (this.#edgeVertex[slot] < 0) {
      const { values } = this.#lattice;
      const other = this.#ids[to];
      const direction = isLong ? 2 * axis : 10 + quadrant;
      const refined = refineShare(this.#lattice, node, other, direction, values[node] / (values[node] - values[other]));
      const share = Math.min(1 - CUT_MARGIN, Math.max(CUT_MARGIN, refined));
      this.#edgeVertex[slot] = this.#addVertex(node, direction, share);
    }
    return this.#edgeVertex[slot];
  }

  #addVertex(node: number, direction: number, share: number): number {
    const { origin, step } = this.#lattice;
    const offset = NEIGHBORS[direction];
    for (let axis = 0; axis < 3; axis++) {
      this.#positions.push(origin[axis] + step * (this.#lattice.coordinate(node, axis) + share * offset[axis]));
    }
    return this.#positions.length / 3 - 1;
  }

  #distanceSquared(a: number, b: number): number {
    const p = this.#positions;
    return (p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2;
  }
}
