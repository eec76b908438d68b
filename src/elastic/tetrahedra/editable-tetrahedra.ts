// A mesh of tetrahedra that can be changed: nodes move, edges and elements are split. A change is made only if
// every element it touches keeps a quality, so that the mesh never holds an inverted element or a sliver.
import { growTo } from '../../core/grow-array.js';
import { ElementQuality } from './element-quality.js';
import { findSurface, type TetrahedralMesh } from './tetrahedral-mesh.js';

/** Label: a node's place: inside, where it may move anywhere. */
export const INNER = 0;
/** Label: a node's place: on the surface, within which it may move. */
export const ON_FACE = 1;
/** Label: a node's place: on a crease, along which it may move. */
export const ON_CREASE = 2;
/** Label: a node's place: at a corner, where it stays. */
export const ON_CORNER = 3;

export class EditableTetrahedra {
  positions: Float64Array;
  /** One of {@link INNER}, {@link ON_FACE}, {@link ON_CREASE}, {@link ON_CORNER}. */
  readonly kinds: number[] = [];
  /** The elements at each node. */
  readonly #stars: number[][] = [];
  /** Four nodes each. */
  #elements: Int32Array;
  #elementCount: number;
  readonly #quality = new ElementQuality();

  constructor({ positions, elements }: TetrahedralMesh) {
    this.positions = positions.slice();
    this.#elements = Int32Array.from(elements);
    this.#elementCount = elements.length / 4;
    for (let node = 0; node < positions.length / 3; node++) {
      this.#stars.push([]);
      this.kinds.push(INNER);
    }
    for (let i = 0; i < elements.length; i++) this.#stars[elements[i]].push(i >> 2);
    for (const node of findSurface({ positions, elements }).faces) this.kinds[node] = ON_FACE;
  }

  get nodeCount(): number {
    return this.kinds.length;
  }

  get elementCount(): number {
    return this.#elementCount;
  }

  /** A corner of an element. */
  corner(element: number, i: number): number {
    return this.#elements[4 * element + i];
  }

  /** The elements at a node. */
  star(node: number): readonly number[] {
    return this.#stars[node];
  }

  qualityOf(element: number): number {
    const e = this.#elements;
    return this.#quality.measure(
      this.positions,
      e[4 * element],
      e[4 * element + 1],
      e[4 * element + 2],
      e[4 * element + 3],
    );
  }

  /** The quality of the worst element at a node; stops once it is below `floor`. */
  starQuality(node: number, floor = -Infinity): number {
    let least = Infinity;
    for (const element of this.#stars[node]) {
      least = Math.min(least, this.qualityOf(element));
      if (least < floor) break;
    }
    return least;
  }

  /** Moves a node if its elements keep the quality; returns whether it did. */
  move(node: number, x: number, y: number, z: number, floor: number): boolean {
    const p = this.positions;
    const [oldX, oldY, oldZ] = [p[3 * node], p[3 * node + 1], p[3 * node + 2]];
    this.place(node, x, y, z);
    if (this.starQuality(node, floor) >= floor) return true;
    this.place(node, oldX, oldY, oldZ);
    return false;
  }

  /** Moves a node, whatever becomes of its elements. */
  place(node: number, x: number, y: number, z: number): void {
    this.positions[3 * node] = x;
    this.positions[3 * node + 1] = y;
    this.positions[3 * node + 2] = z;
  }

  /** The elements that have both nodes. */
  elementsAt(a: number, b: number): number[] {
    const e = this.#elements;
    return this.#stars[a].filter(
      (t) => e[4 * t] === b || e[4 * t + 1] === b || e[4 * t + 2] === b || e[4 * t + 3] === b,
    );
  }

  /** Nodes that share an element with a node. */
  neighbors(node: number): Set<number> {
    const found = new Set<number>();
    for (const t of this.#stars[node]) for (let i = 0; i < 4; i++) found.add(this.#elements[4 * t + i]);
    found.delete(node);
    return found;
  }

  /** Whether an edge lies on the surface: the elements around it form a fan, which has one node more than elements. */
  isSurfaceEdge(a: number, b: number): boolean {
    if (this.kinds[a] === INNER || this.kinds[b] === INNER) return false;
    const around = this.elementsAt(a, b);
    const others = new Set<number>();
    for (const t of around) for (let i = 0; i < 4; i++) others.add(this.#elements[4 * t + i]);
    return others.size - 2 > around.length;
  }

  /**
   * Puts a node on an edge, at any place, if all new elements have the quality.
   * @returns the new node, or -1.
   */
  splitEdge(a: number, b: number, at: ArrayLike<number>, kind: number, floor: number): number {
    const around = this.elementsAt(a, b);
    const node = this.#addNode(at, kind);
    const corners = new Int32Array(4);
    for (const t of around) {
      for (const replaced of [a, b]) {
        this.#copyReplaced(t, replaced, node, corners);
        if (this.#measure(corners) >= floor) continue;
        this.#dropLastNode();
        return -1;
      }
    }
    for (const t of around) {
      this.#copyReplaced(t, a, node, corners);
      this.#addElement(corners);
      this.#replaceCorner(t, b, node);
    }
    return node;
  }

  /** Puts a node into an element, which becomes four, if all have the quality. Returns the new node, or -1. */
  splitElement(element: number, at: ArrayLike<number>, floor: number): number {
    const node = this.#addNode(at, INNER);
    const corners = new Int32Array(4);
    const old = this.#elements.slice(4 * element, 4 * element + 4);
    for (const replaced of old) {
      this.#copyReplaced(element, replaced, node, corners);
      if (this.#measure(corners) >= floor) continue;
      this.#dropLastNode();
      return -1;
    }
    for (let i = 1; i < 4; i++) {
      this.#copyReplaced(element, old[i], node, corners);
      this.#addElement(corners);
    }
    this.#replaceCorner(element, old[0], node);
    return node;
  }

  /** The mesh as it is now, with the same ids. */
  snapshot(): TetrahedralMesh {
    return {
      positions: this.positions.slice(0, 3 * this.nodeCount),
      elements: Uint32Array.from(this.#elements.subarray(0, 4 * this.#elementCount)),
    };
  }

  #measure(corners: Int32Array): number {
    return this.#quality.measure(this.positions, corners[0], corners[1], corners[2], corners[3]);
  }

  #copyReplaced(element: number, old: number, node: number, out: Int32Array): void {
    for (let i = 0; i < 4; i++) {
      const corner = this.#elements[4 * element + i];
      out[i] = corner === old ? node : corner;
    }
  }

  #replaceCorner(element: number, old: number, node: number): void {
    for (let i = 4 * element; i < 4 * element + 4; i++) if (this.#elements[i] === old) this.#elements[i] = node;
    this.#leaveStar(old, element);
    this.#stars[node].push(element);
  }

  #leaveStar(node: number, element: number): void {
    const star = this.#stars[node];
    star.splice(star.indexOf(element), 1);
  }

  #addElement(corners: Int32Array): void {
    const element = this.#elementCount++;
    this.#elements = growTo(this.#elements, 4 * this.#elementCount);
    this.#elements.set(corners, 4 * element);
    for (const node of corners) this.#stars[node].push(element);
  }

  #addNode(at: ArrayLike<number>, kind: number): number {
    const node = this.kinds.push(kind) - 1;
    this.#stars.push([]);
    this.positions = growTo(this.positions, 3 * (node + 1));
    this.place(node, at[0], at[1], at[2]);
    return node;
  }

  #dropLastNode(): void {
    this.kinds.pop();
    this.#stars.pop();
  }
}
