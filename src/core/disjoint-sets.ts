// Disjoint sets of integers in one typed array: the root of a set is its lowest member, so results do not depend on the
// order of unions. Path halving (Tarjan and van Leeuwen 1984); O(log n) amortized per operation.

export class DisjointSets {
  #parent = new Uint32Array(0);

  constructor(count: number) {
    this.reset(count);
  }

  /** Begins anew with `count` sets of one member each. */
  reset(count: number): void {
    if (this.#parent.length < count) this.#parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parent[i] = i;
  }

  /** The lowest member of the set that holds `item`. */
  find(item: number): number {
    const parent = this.#parent;
    while (parent[item] !== item) {
      parent[item] = parent[parent[item]];
      item = parent[item];
    }
    return item;
  }

  /** Unites two sets; returns false when they were one already. */
  unite(a: number, b: number): boolean {
    const rootA = this.find(a);
    const rootB = this.find(b);
    if (rootA === rootB) return false;
    if (rootA < rootB) this.#parent[rootB] = rootA;
    else this.#parent[rootA] = rootB;
    return true;
  }
}
