// A binary min-heap of integer items with number keys, in typed arrays that double when full; keys can be changed in
// place because each item knows its slot (Williams 1964). O(log n) per push, pop or update; allocates only to grow.

/** A min-heap of whole numbers whose keys can be changed. */
export class IndexedHeap {
  #keys: Float64Array;
  #items: Int32Array;
  #slotOf: Int32Array;
  #size = 0;

  /** Items are the integers 0 to itemCount − 1; the heap grows when a larger one is added. */
  constructor(itemCount = 16) {
    this.#keys = new Float64Array(16);
    this.#items = new Int32Array(16);
    this.#slotOf = new Int32Array(Math.max(1, itemCount)).fill(-1);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the item is in the heap. */
  has(item: number): boolean {
    return item < this.#slotOf.length && this.#slotOf[item] >= 0;
  }

  /** The smallest key; infinity when empty. */
  minKey(): number {
    return this.#size > 0 ? this.#keys[0] : Infinity;
  }

  /** The item with the smallest key, -1 when empty; ties go to the lower item, so history does not matter. */
  minItem(): number {
    return this.#size > 0 ? this.#items[0] : -1;
  }

  /** The key of an item; infinity when it is not in the heap. */
  keyOf(item: number): number {
    return this.has(item) ? this.#keys[this.#slotOf[item]] : Infinity;
  }

  /** Inserts the item or changes its key, which may be any number but NaN. */
  set(item: number, key: number): void {
    if (item >= this.#slotOf.length) {
      const grown = new Int32Array(Math.max(item + 1, 2 * this.#slotOf.length)).fill(-1);
      grown.set(this.#slotOf);
      this.#slotOf = grown;
    }
    let slot = this.#slotOf[item];
    if (slot < 0) {
      if (this.#size === this.#keys.length) this.#grow();
      slot = this.#size++;
      this.#place(slot, item, key);
      this.#up(slot);
    } else {
      this.#keys[slot] = key;
      this.#up(slot);
      this.#down(this.#slotOf[item]);
    }
  }

  /** Removes and returns the item with the smallest key, -1 when empty. */
  pop(): number {
    if (this.#size === 0) return -1;
    const item = this.#items[0];
    this.remove(item);
    return item;
  }

  /** Removes an item; returns false when it was not in the heap. */
  remove(item: number): boolean {
    if (!this.has(item)) return false;
    const slot = this.#slotOf[item];
    this.#slotOf[item] = -1;
    const last = --this.#size;
    if (slot !== last) {
      const moved = this.#items[last];
      this.#place(slot, moved, this.#keys[last]);
      this.#up(slot);
      this.#down(this.#slotOf[moved]);
    }
    return true;
  }

  /** Removes every item; the memory is kept. */
  clear(): void {
    for (let slot = 0; slot < this.#size; slot++) this.#slotOf[this.#items[slot]] = -1;
    this.#size = 0;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
    const items = new Int32Array(2 * this.#items.length);
    items.set(this.#items);
    this.#items = items;
  }

  #place(slot: number, item: number, key: number): void {
    this.#keys[slot] = key;
    this.#items[slot] = item;
    this.#slotOf[item] = slot;
  }

  #up(slot: number): void {
    const keys = this.#keys;
    const items = this.#items;
    const key = keys[slot];
    const item = items[slot];
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (keys[parent] < key || (keys[parent] === key && items[parent] < item)) break;
      this.#place(slot, items[parent], keys[parent]);
      slot = parent;
    }
    this.#place(slot, item, key);
  }

  #down(slot: number): void {
    const keys = this.#keys;
    const items = this.#items;
    const size = this.#size;
    const key = keys[slot];
    const item = items[slot];
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && (keys[right] < keys[child] || (keys[right] === keys[child] && items[right] < items[child]))) {
        child = right;
      }
      if (key < keys[child] || (key === keys[child] && item < items[child])) break;
      this.#place(slot, items[child], keys[child]);
      slot = child;
    }
    this.#place(slot, item, key);
  }
}
