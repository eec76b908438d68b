// Surfaces between regions, as triangles: the cells of a grid are cut into six tetrahedra each, and those into the parts of
// their labels (Nielson and Franke 1997): a vertex on every side whose ends differ, one in every face with three labels, one
// in every tetrahedron with four. Exact distances place them. A side on which a third region shows is halved first, in all
// tetrahedra around it; the longest goes first, so that neighbors agree.
import type { Vec3 } from '../../core/vec3.js';
import type { GridFrame } from '../../field/grid.js';
import { EquidistantSolver } from './equidistant.js';
import type { SpaceSearch } from './space-search.js';

/** The six tetrahedra of a cell: the corners on the ways from the first to the last along the axes in any order. */
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

/** The six sides of a tetrahedron, by its corners. */
const SIDES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

/** Label: stands for a vertex that this pass does not make. */
const LEFT_OUT = -1;
/** Label: stands for a vertex: the middle at which the side is halved. */
const HALVED = -2;

/** Chosen: evaluations to find the place of equal distances on a side. */
const ROOT_ROUNDS = 80;

/** Chosen: other objects that a vertex is moved to meet. */
const MAX_JOINED = 4;

/** Layout: nodes are numbered below this, so that two of them make one number. */
const MAX_NODES = 2 ** 26;

/** The triangles between two objects, the lower one behind them. */
export interface RawSheet {
  readonly objects: readonly [number, number];
  /** Vertices of the extractor, three per triangle. */
  readonly corners: number[];
}

export class SheetExtractor {
  /** x, y, z and the distance of each vertex. */
  readonly vertices: number[] = [];
  readonly sheets = new Map<number, RawSheet>();
  /** Sides halved, and sides at the limit on which another region shows. */
  halved = 0;
  ambiguous = 0;
  again = false;
  #isLast = true;
  readonly #search: SpaceSearch;
  readonly #solver: EquidistantSolver;
  readonly #frame: GridFrame;
  readonly #labels: Int32Array;
  readonly #unit: number;
  readonly #tolerance: number;
  /** Nodes that tetrahedra have used: place in units of the finest grid, label. */
  readonly #nodeIds = new Map<number, number>();
  readonly #nodes: number[] = [];
  readonly #sides = new Map<number, number>();
  readonly #faces = new Map<string, number>();
  /** Vertices that are not equally far from all of their objects, or nearer to others. */
  readonly #rough = new Set<number>();

  /** @param depth how often a side may be halved. */
  constructor(search: SpaceSearch, frame: GridFrame, labels: Int32Array, size: number, depth: number) {
    this.#search = search;
    this.#frame = frame;
    this.#labels = labels;
    this.#unit = 2 ** depth;
    this.#tolerance = 1e-13 * size;
    this.#solver = new EquidistantSolver(search, 1e-12 * size);
  }

  /**
   * Begins a pass over all cells. A face or tetrahedron whose regions do not meet near it gets its longest side halved in
   * the next pass, while `again` says so; in the last pass nothing changes.
   */
  begin(isLast: boolean): void {
    this.sheets.clear();
    this.#isLast = isLast;
    this.again = false;
  }

  /** Vertices of the sheets that are not equally far from all of their objects, or nearer to others. */
  countRough(): number {
    const used = new Set<number>();
    for (const { corners } of this.sheets.values()) {
      for (const vertex of corners) if (this.#rough.has(vertex)) used.add(vertex);
    }
    return used.size;
  }

  /** Adds the triangles of a cell. */
  addCell(i: number, j: number, k: number): void {
    const ids: number[] = [];
    for (let corner = 0; corner < 8; corner++) {
      ids.push(
        this.#node(
          (i + (corner & 1)) * this.#unit,
          (j + ((corner >> 1) & 1)) * this.#unit,
          (k + (corner >> 2)) * this.#unit,
        ),
      );
    }
    for (const [a, b, c, d] of TETRAHEDRA) this.#addTetrahedron([ids[a], ids[b], ids[c], ids[d]]);
  }

  #addTetrahedron(ids: readonly number[]): void {
    const nodes = this.#nodes;
    const labels = ids.map((id) => nodes[4 * id + 3]);
    if (labels.every((label) => label === labels[0])) return;
    let longest = -1;
    let first = 0;
    let second = 0;
    for (const [p, q] of SIDES) {
      if (labels[p] === labels[q] || this.#sideVertex(ids[p], ids[q]) !== HALVED) continue;
      const a = 4 * ids[p];
      const b = 4 * ids[q];
      const square =
        (nodes[a] - nodes[b]) ** 2 + (nodes[a + 1] - nodes[b + 1]) ** 2 + (nodes[a + 2] - nodes[b + 2]) ** 2;
      // Equal lengths in the order of their numbers, the same in all tetrahedra.
      if (square < longest || (square === longest && sideKey(ids[p], ids[q]) > sideKey(ids[first], ids[second])))
        continue;
      longest = square;
      first = p;
      second = q;
    }
    if (longest < 0) {
      this.#addParts(ids, labels);
      return;
    }
    const a = 4 * ids[first];
    const b = 4 * ids[second];
    const middle = this.#node(
      (nodes[a] + nodes[b]) / 2,
      (nodes[a + 1] + nodes[b + 1]) / 2,
      (nodes[a + 2] + nodes[b + 2]) / 2,
    );
    this.#addTetrahedron(ids.map((id, n) => (n === second ? middle : id)));
    this.#addTetrahedron(ids.map((id, n) => (n === first ? middle : id)));
  }

  /** The surfaces in a tetrahedron with two, three or four labels. */
  #addParts(ids: readonly number[], labels: readonly number[]): void {
    const kinds = [...new Set(labels)];
    if (kinds.length === 2) this.#addTwo(ids, labels);
    else if (kinds.length === 3) this.#addThree(ids, labels);
    else this.#addFour(ids, labels);
  }

  #addTwo(ids: readonly number[], labels: readonly number[]): void {
    const low = [0, 1, 2, 3].filter((n) => labels[n] === labels[0]);
    const high = [0, 1, 2, 3].filter((n) => labels[n] !== labels[0]);
    const side = (p: number, q: number): number => this.#sideVertex(ids[p], ids[q]);
    if (low.length === 2) {
      const [a, b] = low;
      const [c, d] = high;
      this.#addPolygon(ids[a], ids[c], [side(a, c), side(a, d), side(b, d), side(b, c)]);
    } else if (low.length === 1)
      this.#addPolygon(
        ids[low[0]],
        ids[high[0]],
        high.map((n) => side(low[0], n)),
      );
    else
      this.#addPolygon(
        ids[low[0]],
        ids[high[0]],
        low.map((n) => side(n, high[0])),
      );
  }

  #addThree(ids: readonly number[], labels: readonly number[]): void {
    const twice = labels.find((label, n) => labels.indexOf(label) !== n) as number;
    const [a, b] = [0, 1, 2, 3].filter((n) => labels[n] === twice);
    const [c, d] = [0, 1, 2, 3].filter((n) => labels[n] !== twice);
    const first = this.#faceVertex(ids[a], ids[c], ids[d]);
    const last = this.#faceVertex(ids[b], ids[c], ids[d]);
    this.#addPolygon(ids[c], ids[d], [this.#sideVertex(ids[c], ids[d]), first, last]);
    for (const n of [c, d]) {
      this.#addPolygon(ids[a], ids[n], [
        this.#sideVertex(ids[a], ids[n]),
        this.#sideVertex(ids[b], ids[n]),
        last,
        first,
      ]);
    }
  }

  #addFour(ids: readonly number[], labels: readonly number[]): void {
    const faces = [0, 1, 2, 3].map((n) => {
      const [a, b, c] = ids.filter((_, m) => m !== n);
      return this.#faceVertex(a, b, c);
    });
    const middle = faces.includes(LEFT_OUT) ? LEFT_OUT : this.#meet(faces, labels, ids);
    for (const [p, q] of SIDES) {
      const [r, s] = [0, 1, 2, 3].filter((n) => n !== p && n !== q);
      this.#addPolygon(ids[p], ids[q], [this.#sideVertex(ids[p], ids[q]), faces[r], middle, faces[s]]);
    }
  }

  /** Adds a polygon between the regions of two nodes, unless a corner is left to the next pass. */
  #addPolygon(from: number, to: number, corners: readonly number[]): void {
    if (corners.includes(LEFT_OUT)) return;
    const a = this.#nodes[4 * from + 3];
    const b = this.#nodes[4 * to + 3];
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    const key = low * MAX_NODES + high;
    let sheet = this.sheets.get(key);
    if (sheet === undefined) {
      sheet = { objects: [low, high], corners: [] };
      this.sheets.set(key, sheet);
    }
    const towards = a < b ? 1 : -1;
    for (let n = 2; n < corners.length; n++) {
      const [p, q, r] = [corners[0], corners[n - 1], corners[n]];
      if (p === q || q === r || r === p) continue;
      if (towards * this.#facing(p, q, r, from, to) >= 0) sheet.corners.push(p, q, r);
      else sheet.corners.push(p, r, q);
    }
  }

  /** Positive if the triangle faces the node `to` from `from`. */
  #facing(p: number, q: number, r: number, from: number, to: number): number {
    const v = this.vertices;
    const n = this.#nodes;
    const [ux, uy, uz] = [v[4 * q] - v[4 * p], v[4 * q + 1] - v[4 * p + 1], v[4 * q + 2] - v[4 * p + 2]];
    const [wx, wy, wz] = [v[4 * r] - v[4 * p], v[4 * r + 1] - v[4 * p + 1], v[4 * r + 2] - v[4 * p + 2]];
    return (
      (uy * wz - uz * wy) * (n[4 * to] - n[4 * from]) +
      (uz * wx - ux * wz) * (n[4 * to + 1] - n[4 * from + 1]) +
      (ux * wy - uy * wx) * (n[4 * to + 2] - n[4 * from + 2])
    );
  }

  /** The vertex on a side whose ends differ, or HALVED. */
  #sideVertex(p: number, q: number): number {
    const key = sideKey(p, q);
    const known = this.#sides.get(key);
    if (known !== undefined) return known;
    const made = this.#makeSideVertex(Math.min(p, q), Math.max(p, q));
    this.#sides.set(key, made);
    return made;
  }

  #makeSideVertex(p: number, q: number): number {
    const from = this.#place(p);
    const to = this.#place(q);
    const a = this.#nodes[4 * p + 3];
    const b = this.#nodes[4 * q + 3];
    const share = this.#equalShare(a, b, from, to);
    const x = from[0] + share * (to[0] - from[0]);
    const y = from[1] + share * (to[1] - from[1]);
    const z = from[2] + share * (to[2] - from[2]);
    const { value } = this.#search.measure(a, x, y, z);
    if (this.#search.nearestExcept([a, b], x, y, z).value < value - this.#search.tie) {
      if (this.#canHalve(p, q)) {
        this.halved++;
        return HALVED;
      }
      this.ambiguous++;
    }
    const vertex = this.#addVertex(x, y, z, value);
    if (!this.#settle(vertex, [a, b])) this.#rough.add(vertex);
    return vertex;
  }

  /** Where on a side the distances to both objects are equal: the Illinois method, which keeps the root between its ends. */
  #equalShare(a: number, b: number, from: Readonly<Vec3>, to: Readonly<Vec3>): number {
    const search = this.#search;
    const difference = (t: number): number => {
      const x = from[0] + t * (to[0] - from[0]);
      const y = from[1] + t * (to[1] - from[1]);
      const z = from[2] + t * (to[2] - from[2]);
      return search.measure(a, x, y, z).value - search.measure(b, x, y, z).value;
    };
    let low = 0;
    let high = 1;
    let lowValue = difference(0);
    let highValue = difference(1);
    if (lowValue >= 0) return 0;
    if (highValue <= 0) return 1;
    let last = 0;
    for (let round = 0; round < ROOT_ROUNDS; round++) {
      const t = (low * highValue - high * lowValue) / (highValue - lowValue);
      const value = difference(t);
      if (Math.abs(value) <= this.#tolerance) return t;
      if (value < 0) {
        low = t;
        lowValue = value;
        if (last < 0) highValue /= 2;
      } else {
        high = t;
        highValue = value;
        if (last > 0) lowValue /= 2;
      }
      last = value;
    }
    return (low + high) / 2;
  }

  /** The vertex of a face with three labels. */
  #faceVertex(p: number, q: number, r: number): number {
    const ids = [p, q, r].sort((a, b) => a - b);
    const key = ids.join();
    const known = this.#faces.get(key);
    if (known !== undefined) return known;
    const sides = [
      this.#sideVertex(ids[0], ids[1]),
      this.#sideVertex(ids[1], ids[2]),
      this.#sideVertex(ids[0], ids[2]),
    ];
    const labels = ids.map((id) => this.#nodes[4 * id + 3]);
    const made = sides.some((side) => side < 0) ? LEFT_OUT : this.#meet(sides, labels, ids);
    if (made !== LEFT_OUT || !this.again) this.#faces.set(key, made);
    return made;
  }

  /** A vertex equally far from the objects of all nodes, near the middle of others. */
  #meet(vertices: readonly number[], objects: readonly number[], ids: readonly number[]): number {
    const v = this.vertices;
    let x = 0;
    let y = 0;
    let z = 0;
    for (const vertex of vertices) {
      x += v[4 * vertex] / vertices.length;
      y += v[4 * vertex + 1] / vertices.length;
      z += v[4 * vertex + 2] / vertices.length;
    }
    const reach = this.#frame.spacing;
    let solved = this.#solver.solve(objects, x, y, z, reach);
    for (let n = 0; n < vertices.length && !solved; n++) {
      const at = 4 * vertices[n];
      solved = this.#solver.solve(objects, v[at], v[at + 1], v[at + 2], reach);
    }
    let vertex = -1;
    if (solved) {
      const { point, value } = this.#solver;
      vertex = this.#addVertex(point[0], point[1], point[2], value);
      if (this.#settle(vertex, objects)) return vertex;
    }
    if (!this.#isLast && this.#halveLongest(ids)) {
      this.again = true;
      return LEFT_OUT;
    }
    if (vertex < 0) vertex = this.#addVertex(x, y, z, this.#search.nearestExcept([], x, y, z).value);
    this.#rough.add(vertex);
    return vertex;
  }

  /** Moves a vertex to which other objects are nearer to where they are equally near; returns whether that is in reach. */
  #settle(vertex: number, objects: readonly number[]): boolean {
    const v = this.vertices;
    const at = 4 * vertex;
    let all = objects;
    for (let round = 0; round < MAX_JOINED; round++) {
      const next = this.#search.nearestExcept(all, v[at], v[at + 1], v[at + 2]);
      if (!(next.value < v[at + 3] - this.#search.tie)) return true;
      all = [...all, this.#search.objectOf(next.element)];
      if (!this.#solver.solve(all, v[at], v[at + 1], v[at + 2], this.#frame.spacing)) return false;
      for (let axis = 0; axis < 3; axis++) v[at + axis] = this.#solver.point[axis];
      v[at + 3] = this.#solver.value;
    }
    return false;
  }

  #addVertex(x: number, y: number, z: number, value: number): number {
    return this.vertices.push(x, y, z, value) / 4 - 1;
  }

  #halveLongest(ids: readonly number[]): boolean {
    const nodes = this.#nodes;
    let longest = -1;
    let key = -1;
    for (const p of ids) {
      for (const q of ids) {
        if (p >= q || !this.#canHalve(p, q)) continue;
        const square =
          (nodes[4 * p] - nodes[4 * q]) ** 2 +
          (nodes[4 * p + 1] - nodes[4 * q + 1]) ** 2 +
          (nodes[4 * p + 2] - nodes[4 * q + 2]) ** 2;
        if (square <= longest) continue;
        longest = square;
        key = sideKey(p, q);
      }
    }
    if (longest < 0) return false;
    this.#sides.set(key, HALVED);
    this.halved++;
    return true;
  }

  #canHalve(p: number, q: number): boolean {
    for (let axis = 0; axis < 3; axis++) {
      if ((this.#nodes[4 * p + axis] + this.#nodes[4 * q + axis]) % 2 !== 0) return false;
    }
    return true;
  }

  /** The number of a node of the finest grid. */
  #node(x: number, y: number, z: number): number {
    const { size } = this.#frame;
    const unit = this.#unit;
    const key = x + size[0] * unit * (y + size[1] * unit * z);
    const known = this.#nodeIds.get(key);
    if (known !== undefined) return known;
    const id = this.#nodes.length / 4;
    this.#nodeIds.set(key, id);
    this.#nodes.push(x, y, z, 0);
    if (x % unit === 0 && y % unit === 0 && z % unit === 0) {
      this.#nodes[4 * id + 3] = this.#labels[x / unit + size[0] * (y / unit + (size[1] * z) / unit)];
    } else {
      const place = this.#place(id);
      const { element } = this.#search.nearestExcept([], place[0], place[1], place[2]);
      this.#nodes[4 * id + 3] = this.#search.objectOf(element);
    }
    return id;
  }

  #place(id: number): Vec3 {
    const { origin, spacing } = this.#frame;
    const at = (axis: number): number => origin[axis] + (spacing * this.#nodes[4 * id + axis]) / this.#unit;
    return [at(0), at(1), at(2)];
  }
}

function sideKey(p: number, q: number): number {
  return p < q ? p * MAX_NODES + q : q * MAX_NODES + p;
}
