// The vertex on each cut edge of a grid too large for an array over all edges: a hash table in typed arrays, open
// addressing with linear probing. A Map would box keys beyond 2³¹ and is limited to 2²⁴ entries.

/** Label: marks a free slot in place of a key. */
const EMPTY = -1;

export class EdgeVertices {
  #keys = new Float64Array(4096).fill(EMPTY);
  #vertices = new Int32Array(4096);
  #count = 0;

  /** The slot that holds a key or where it belongs; valid until the next `set`. Keys are integers from 0 to 2⁵³. */
  find(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let place = hash(key) & mask;
    while (keys[place] !== key && keys[place] !== EMPTY) place = (place + 1) & mask;
    return place;
  }

  /** The vertex at a slot, or −1 before one is set. */
  get(place: number): number {
    return this.#keys[place] === EMPTY ? -1 : this.#vertices[place];
  }

  /** Stores a new key in the slot that {@link find} returned. */
  set(place: number, key: number, vertex: number): void {
    this.#keys[place] = key;
    this.#vertices[place] = vertex;
    if (2 * ++this.#count > this.#keys.length) this.#grow();
  }

  #grow(): void {
    const keys = this.#keys;
    const vertices = this.#vertices;
    this.#keys = new Float64Array(2 * keys.length).fill(EMPTY);
    this.#vertices = new Int32Array(2 * keys.length);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === EMPTY) continue;
      const place = this.find(keys[i]);
      this.#keys[place] = keys[i];
      this.#vertices[place] = vertices[i];
    }
  }
}

function hash(key: number): number {
  const high = Math.floor(key / 0x100000000);
  let bits = Math.imul((key - high * 0x100000000) | 0, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return bits ^ (bits >>> 13);
}
