// Configurations by number, each in an array of its own: reading one costs nothing, and it stays where it is.

export class Configurations {
  readonly #items: Float64Array[] = [];

  get count(): number {
    return this.#items.length;
  }

  /** Adds a copy; returns its index. */
  add(q: Float64Array): number {
    return this.#items.push(q.slice()) - 1;
  }

  /** One of them; not to be changed. */
  at(index: number): Float64Array {
    return this.#items[index];
  }
}
