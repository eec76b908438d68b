// Gives equal points one vertex id, in order of first appearance: a hash table with linear probing over the bits of
// the coordinates. Equal means ===, so −0 equals 0 (stored as 0). Expected O(1) per point.
import { PositionList } from './growing-lists.js';

export class ExactWelder {
  readonly #positions: PositionList;
  /** Vertex id + 1, 0 for a free slot; the length is a power of two. */
  #slots: Uint32Array;
  readonly #bits = new Float64Array(3);
  readonly #words = new Uint32Array(this.#bits.buffer);

  constructor(expectedVertices = 512) {
    this.#positions = new PositionList(expectedVertices);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * Math.max(8, expectedVertices))));
  }

  get count(): number {
    return this.#positions.count;
  }

  /** The id of the point; a new id if no equal point was added before. */
  add(x: number, y: number, z: number): number {
    // Adding zero turns −0 into 0 and changes nothing else.
    x += 0;
    y += 0;
    z += 0;
    const positions = this.#positions;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = this.#hash(x, y, z) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const first = 3 * (slots[slot] - 1);
      if (positions.at(first) === x && positions.at(first + 1) === y && positions.at(first + 2) === z) {
        return slots[slot] - 1;
      }
    }
    const id = positions.count;
    positions.push(x, y, z);
    slots[slot] = id + 1;
    if (2 * (id + 1) > slots.length) this.#grow();
    return id;
  }

  toPositions(): Float64Array {
    return this.#positions.toArray();
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#positions.count; id++) {
      const first = 3 * id;
      let slot =
        this.#hash(this.#positions.at(first), this.#positions.at(first + 1), this.#positions.at(first + 2)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }

  #hash(x: number, y: number, z: number): number {
    this.#bits[0] = x;
    this.#bits[1] = y;
    this.#bits[2] = z;
    let hash = 0x9e3779b9;
    for (let i = 0; i < 6; i++) {
      hash = Math.imul(hash ^ this.#words[i], 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    return Math.imul(hash, 0xc2b2ae35) ^ (hash >>> 13);
  }
}
