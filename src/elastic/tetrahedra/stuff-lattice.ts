// Tetrahedra that fill a solid, by isosurface stuffing (Labelle and Shewchuk 2007): the tetrahedra of a body-centered
// cubic lattice, with nodes near the surface moved onto it, cut where the surface passes. Cuts keep the distance from
// nodes that the paper asks for, also where a node may not move, so dihedral angles are between 10.7° and 164.8°.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { type BccLattice, NEIGHBORS } from '../../mesh/implicit/bcc-lattice.js';
import { pointsUp, refineShare } from '../../mesh/implicit/lattice-edges.js';
import { INSIDE, ON_SURFACE, SNAP_LONG, SNAP_SHORT, type SnappedNodes } from '../../mesh/implicit/snap-nodes.js';
import { gridNode, gridStates } from './grid-states.js';
import type { TetrahedralMesh } from './tetrahedral-mesh.js';

export function stuffLattice(
  lattice: BccLattice,
  nodes: SnappedNodes,
  progress: ProgressOptions = {},
): TetrahedralMesh {
  return new LatticeStuffing(lattice, nodes).run(progress);
}

class LatticeStuffing {
  readonly #lattice: BccLattice;
  readonly #nodes: SnappedNodes;
  readonly #size: readonly [number, number, number];
  /** State and vertex of every node of the grid: corners first, then centers. */
  readonly #states: Uint8Array;
  readonly #vertices: Int32Array;
  /** The vertex of each cut edge between sampled nodes, by 7 times the node that it points up from. */
  readonly #cuts: Int32Array;
  readonly #positions: number[] = [];
  readonly #elements: number[] = [];
  /** The current tetrahedron: coordinates and dense ids. Edges 0–1 and 2–3 are long. */
  readonly #at = new Int32Array(12);
  readonly #ids = new Int32Array(4);

  constructor(lattice: BccLattice, nodes: SnappedNodes) {
    this.#lattice = lattice;
    this.#nodes = nodes;
    this.#size = lattice.cells;
    const count = 2 * this.#size[0] * this.#size[1] * this.#size[2];
    this.#states = gridStates(lattice, nodes.states);
    this.#vertices = new Int32Array(count).fill(-1);
    this.#cuts = new Int32Array(7 * lattice.nodeCount).fill(-1);
  }

  run(progress: ProgressOptions): TetrahedralMesh {
    const [nx, ny, nz] = this.#size;
    const at = this.#at;
    for (let k = 0; k < nz - 1; k++) {
      reportProgress(progress, k / nz, 'filling with tetrahedra');
      for (let j = 0; j < ny - 1; j++) {
        for (let i = 0; i < nx - 1; i++) {
          at[0] = 2 * i + 1;
          at[1] = 2 * j + 1;
          at[2] = 2 * k + 1;
          for (let axis = 0; axis < 3; axis++) this.#fillAlong(axis);
        }
      }
    }
    return { positions: Float64Array.from(this.#positions), elements: Uint32Array.from(this.#elements) };
  }

  /** The four tetrahedra around the edge from a cell's center to the next along an axis. */
  #fillAlong(axis: number): void {
    const at = this.#at;
    const ids = this.#ids;
    const states = this.#states;
    for (let i = 0; i < 3; i++) at[3 + i] = at[i] + (i === axis ? 2 : 0);
    ids[0] = gridNode(this.#size, at[0], at[1], at[2]);
    ids[1] = gridNode(this.#size, at[3], at[4], at[5]);
    const second = (axis + 1) % 3;
    const third = (axis + 2) % 3;
    for (let turn = 0; turn < 4; turn++) {
      for (let node = 2; node < 4; node++) {
        const corner = (turn + node) & 3;
        at[3 * node + axis] = at[axis] + 1;
        at[3 * node + second] = at[second] + (corner === 1 || corner === 2 ? 1 : -1);
        at[3 * node + third] = at[third] + (corner >= 2 ? 1 : -1);
        ids[node] = gridNode(this.#size, at[3 * node], at[3 * node + 1], at[3 * node + 2]);
      }
      const isInside =
        states[ids[0]] === INSIDE ||
        states[ids[1]] === INSIDE ||
        states[ids[2]] === INSIDE ||
        states[ids[3]] === INSIDE;
      if (isInside) this.#fillTetrahedron();
    }
  }

  /** The part of a tetrahedron inside the solid, for each way the surface can pass. */
  #fillTetrahedron(): void {
    const inside: number[] = [];
    const on: number[] = [];
    const outside: number[] = [];
    for (let node = 0; node < 4; node++) {
      const state = this.#states[this.#ids[node]];
      (state === INSIDE ? inside : state === ON_SURFACE ? on : outside).push(node);
    }
    if (outside.length === 0) {
      this.#add(this.#node(0), this.#node(1), this.#node(2), this.#node(3));
      return;
    }
    const [p, q, r] = inside;
    const [m, n] = outside;
    if (inside.length === 1) {
      const corners = [...on.map((node) => this.#node(node)), ...outside.map((node) => this.#cut(p, node))];
      this.#add(this.#node(p), corners[0], corners[1], corners[2]);
    } else if (inside.length === 3) {
      const near = [p, q, r].map((node) => this.#node(node));
      const far = [p, q, r].map((node) => this.#cut(node, m));
      this.#addPrism(near, far, [
        this.#touchesFirst(p, q, m),
        this.#touchesFirst(q, r, m),
        this.#touchesFirst(r, p, m),
      ]);
    } else if (on.length === 1) {
      const apex = this.#node(on[0]);
      const [a, b, c, d] = [this.#node(p), this.#node(q), this.#cut(q, m), this.#cut(p, m)];
      if (this.#touchesFirst(p, q, m)) {
        this.#add(apex, a, b, c);
        this.#add(apex, a, c, d);
      } else {
        this.#add(apex, b, c, d);
        this.#add(apex, b, d, a);
      }
    } else {
      const near = [this.#node(p), this.#cut(p, m), this.#cut(p, n)];
      const far = [this.#node(q), this.#cut(q, m), this.#cut(q, n)];
      const overM = this.#touchesFirst(p, q, m);
      const overN = this.#touchesFirst(p, q, n);
      // The diagonal on the surface is free, except that the three may not chase each other around the prism.
      const isShort = this.#distanceSquared(near[1], far[2]) <= this.#distanceSquared(near[2], far[1]);
      this.#addPrism(near, far, [overM, overM === overN ? isShort : !overM, !overN]);
    }
  }

  /**
   * The diagonal of the quadrilateral that remains of a face with nodes p and q inside and m outside: whether it runs
   * from p to the cut of the edge q–m. A matter of the face alone, so that both tetrahedra beside it agree.
   */
  #touchesFirst(p: number, q: number, m: number): boolean {
    if (isLong(p, m)) return false;
    if (isLong(q, m)) return true;
    const first = this.#distanceSquared(this.#node(p), this.#cut(q, m));
    const second = this.#distanceSquared(this.#node(q), this.#cut(p, m));
    return first === second ? this.#ids[p] < this.#ids[q] : first < second;
  }

  /**
   * Three tetrahedra of a prism with the triangles a and b. Side i has the corners i and i + 1; its diagonal starts at
   * a[i] where the flag is set, else at a[i + 1].
   */
  #addPrism(a: readonly number[], b: readonly number[], fromFirst: readonly boolean[]): void {
    for (let i = 0; i < 3; i++) {
      const next = (i + 1) % 3;
      const last = (i + 2) % 3;
      // Corner a[i] has the diagonals of both sides at it.
      if (!fromFirst[i] || fromFirst[last]) continue;
      this.#add(a[i], b[0], b[1], b[2]);
      if (fromFirst[next]) {
        this.#add(a[i], a[next], a[last], b[last]);
        this.#add(a[i], a[next], b[last], b[next]);
      } else {
        this.#add(a[i], a[last], a[next], b[next]);
        this.#add(a[i], a[last], b[next], b[last]);
      }
      return;
    }
  }

  #add(a: number, b: number, c: number, d: number): void {
    const p = this.#positions;
    const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
    const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
    const [wx, wy, wz] = [p[3 * d] - p[3 * a], p[3 * d + 1] - p[3 * a + 1], p[3 * d + 2] - p[3 * a + 2]];
    const volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
    if (volume > 0) this.#elements.push(a, b, c, d);
    else this.#elements.push(a, b, d, c);
  }

  /** The vertex of a node of the current tetrahedron. */
  #node(node: number): number {
    const id = this.#ids[node];
    if (this.#vertices[id] >= 0) return this.#vertices[id];
    const at = this.#at;
    let share = 0;
    let direction = 0;
    if (this.#states[id] === ON_SURFACE) {
      const sampled = this.#sampled(node);
      direction = this.#nodes.direction[sampled];
      const refined = refineShare(
        this.#lattice,
        sampled,
        this.#nodes.towards[sampled],
        direction,
        this.#nodes.share[sampled],
      );
      share = Math.min(direction < 6 ? SNAP_LONG : SNAP_SHORT, refined);
    }
    this.#vertices[id] = this.#addVertex(at[3 * node], at[3 * node + 1], at[3 * node + 2], direction, share);
    return this.#vertices[id];
  }

  /** The vertex where the surface cuts the edge between an inner and an outer node of the current tetrahedron. */
  #cut(a: number, b: number): number {
    const at = this.#at;
    const isUp = pointsUp(at, a, b);
    const from = isUp ? a : b;
    const to = isUp ? b : a;
    const dx = at[3 * to] - at[3 * from];
    const dy = at[3 * to + 1] - at[3 * from + 1];
    const isAlong = dx === 0 || dy === 0;
    const axis = dx !== 0 ? 0 : dy !== 0 ? 1 : 2;
    const quadrant = (dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0);
    const node = this.#sampled(from);
    const slot = 7 * node + (isAlong ? axis : 3 + quadrant);
    if (this.#cuts[slot] >= 0) return this.#cuts[slot];
    const { values } = this.#lattice;
    const other = this.#sampled(to);
    const direction = isAlong ? 2 * axis : 10 + quadrant;
    const refined = refineShare(this.#lattice, node, other, direction, values[node] / (values[node] - values[other]));
    const margin = isAlong ? SNAP_LONG : SNAP_SHORT;
    const share = Math.min(1 - margin, Math.max(margin, refined));
    this.#cuts[slot] = this.#addVertex(at[3 * from], at[3 * from + 1], at[3 * from + 2], direction, share);
    return this.#cuts[slot];
  }

  #sampled(node: number): number {
    return this.#lattice.nodeAt(this.#at[3 * node], this.#at[3 * node + 1], this.#at[3 * node + 2]);
  }

  #addVertex(u: number, v: number, w: number, direction: number, share: number): number {
    const { origin, step } = this.#lattice;
    const [du, dv, dw] = NEIGHBORS[direction];
    this.#positions.push(
      origin[0] + step * (u + share * du),
      origin[1] + step * (v + share * dv),
      origin[2] + step * (w + share * dw),
    );
    return this.#positions.length / 3 - 1;
  }

  #distanceSquared(a: number, b: number): number {
    const p = this.#positions;
    return (p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2;
  }
}

function isLong(a: number, b: number): boolean {
  return a >> 1 === b >> 1;
}
