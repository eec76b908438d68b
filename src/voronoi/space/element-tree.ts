// The nearest element of a place, with weights and offsets, by a hierarchy of boxes: near-first, parts skipped whose
// least possible distance exceeds the best so far. Ties go to the lowest element.
import { pointBoxDistanceSquared } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import type { ElementDistances } from './element-distances.js';

export class ElementTree {
  /** The answer of the last search: −1, Infinity and zeros if all elements were left out. */
  element = -1;
  value = Infinity;
  /** Without weight and offset. */
  distance = Infinity;
  /** The gradient of the value: away from the nearest point, of length 1 / weight; zeros on the element. */
  gx = 0;
  gy = 0;
  gz = 0;
  nodesVisited = 0;
  readonly #measure: ElementDistances;
  readonly #ids: Int32Array;
  readonly #bvh: Bvh;
  /** By node of the hierarchy: the least 1 / weight and the largest offset below it. */
  readonly #inverse: Float64Array;
  readonly #lowered: Float64Array;
  readonly #waiting: Uint32Array;
  readonly #bounds: Float64Array;
  readonly #slack: number;

  /** @param ids the elements, in ascending order. @param slack a bound on the rounding of distances. */
  constructor(measure: ElementDistances, ids: Int32Array, slack: number) {
    this.#measure = measure;
    this.#ids = ids;
    this.#slack = slack;
    const { corners } = measure.elements;
    const boxes = new Float64Array(6 * ids.length);
    for (let i = 0; i < ids.length; i++) {
      for (let axis = 0; axis < 3; axis++) {
        const at = 9 * ids[i] + axis;
        boxes[6 * i + axis] = Math.min(corners[at], corners[at + 3], corners[at + 6]);
        boxes[6 * i + 3 + axis] = Math.max(corners[at], corners[at + 3], corners[at + 6]);
      }
    }
    this.#bvh = buildBvh(boxes);
    const { nodeCount, nodeLeft, nodeFirst, nodeItems, items, depth } = this.#bvh;
    this.#inverse = new Float64Array(nodeCount).fill(Infinity);
    this.#lowered = new Float64Array(nodeCount).fill(-Infinity);
    for (let node = nodeCount - 1; node >= 0; node--) {
      const left = nodeLeft[node];
      if (left !== 0) {
        this.#inverse[node] = Math.min(this.#inverse[left], this.#inverse[left + 1]);
        this.#lowered[node] = Math.max(this.#lowered[left], this.#lowered[left + 1]);
        continue;
      }
      for (let slot = nodeFirst[node]; slot < nodeFirst[node] + nodeItems[node]; slot++) {
        const element = ids[items[slot]];
        this.#inverse[node] = Math.min(this.#inverse[node], measure.inverse[element]);
        this.#lowered[node] = Math.max(this.#lowered[node], measure.lowered[element]);
      }
    }
    this.#waiting = new Uint32Array(depth + 1);
    this.#bounds = new Float64Array(depth + 1);
  }

  /**
   * Finds the element nearest to the place.
   * @param excluded by object: not 0 to leave its elements out; `null` for none.
   */
  find(x: number, y: number, z: number, excluded: Uint8Array | null): void {
    this.element = -1;
    this.value = Infinity;
    this.distance = Infinity;
    this.gx = 0;
    this.gy = 0;
    this.gz = 0;
    if (this.#bvh.nodeCount === 0) return;
    const { nodeLeft, nodeFirst, nodeItems, items } = this.#bvh;
    const { site, objectOfSite } = this.#measure.elements;
    const ids = this.#ids;
    const waiting = this.#waiting;
    const bounds = this.#bounds;
    const { points } = this.#measure;
    points[0] = x;
    points[1] = y;
    points[2] = z;
    let top = 1;
    waiting[0] = 0;
    bounds[0] = -Infinity;
    while (top > 0) {
      const node = waiting[--top];
      if (bounds[top] > this.value + this.#slack) continue;
      this.nodesVisited++;
      const left = nodeLeft[node];
      if (left === 0) {
        const end = nodeFirst[node] + nodeItems[node];
        for (let slot = nodeFirst[node]; slot < end; slot++) {
          const element = ids[items[slot]];
          if (excluded !== null && excluded[objectOfSite[site[element]]] !== 0) continue;
          this.#try(element);
        }
        continue;
      }
      const leftBound = this.#boundOf(left, x, y, z);
      const rightBound = this.#boundOf(left + 1, x, y, z);
      const leftIsNear = leftBound <= rightBound;
      waiting[top] = leftIsNear ? left + 1 : left;
      bounds[top++] = leftIsNear ? rightBound : leftBound;
      waiting[top] = leftIsNear ? left : left + 1;
      bounds[top++] = leftIsNear ? leftBound : rightBound;
    }
  }

  #boundOf(node: number, x: number, y: number, z: number): number {
    const square = pointBoxDistanceSquared(x, y, z, this.#bvh.nodeBoxes, 6 * node);
    return Math.sqrt(square) * this.#inverse[node] - this.#lowered[node];
  }

  #try(element: number): void {
    const { points, squares, offsets, inverse, lowered } = this.#measure;
    points[3] = Infinity;
    this.#measure.measure(element, 0, 1);
    const d = Math.sqrt(squares[0]);
    const value = d * inverse[element] - lowered[element];
    if (value > this.value || (value === this.value && element > this.element)) return;
    this.value = value;
    this.distance = d;
    this.element = element;
    const scale = d > 0 ? inverse[element] / d : 0;
    this.gx = offsets[0] * scale;
    this.gy = offsets[1] * scale;
    this.gz = offsets[2] * scale;
  }
}
