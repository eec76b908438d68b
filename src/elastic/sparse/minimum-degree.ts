// An order of elimination with little fill: always a node with about the fewest neighbors next. Neighbors are kept as lists of
// nodes and of cliques that earlier nodes left (quotient graph), degrees are bounded from above, and nodes with the same
// neighbors go together (approximate minimum degree; Amestoy, Davis and Duff 1996).
import type { BlockPattern } from './block-matrix.js';

/** The nodes in the order in which to eliminate them. */
export function minimumDegree(pattern: BlockPattern): Int32Array {
  return new QuotientGraph(pattern).order();
}

class QuotientGraph {
  readonly #count: number;
  /** Nodes that each node neighbors without a clique, and the cliques it is in. */
  readonly #nodes: Int32Array[] = [];
  readonly #nodeCount: Int32Array;
  readonly #cliques: number[][] = [];
  /**
   * The nodes of a clique, by the node that left it; null for a node that has no clique, or whose clique belongs to
   * another.
   */
  readonly #members: (Int32Array | null)[];
  /** How many nodes a node stands for; 0 for those that another stands for, or that are eliminated. */
  readonly #weight: Int32Array;
  readonly #weightOfClique: Int32Array;
  /** Nodes that go after a node, one after the other. */
  readonly #follower: Int32Array;
  readonly #lastFollower: Int32Array;
  readonly #degree: Int32Array;
  /** Nodes by degree, in lists with two directions. */
  readonly #head: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #mark: Int32Array;
  #stamp = 0;
  /** Of cliques: their nodes outside of the new one, with the pivot for which that was counted. */
  readonly #outside: Int32Array;
  readonly #countedFor: Int32Array;

  constructor({ nodes, rowStart, columns }: BlockPattern) {
    this.#count = nodes;
    this.#nodeCount = new Int32Array(nodes);
    this.#members = new Array<Int32Array | null>(nodes).fill(null);
    this.#weight = new Int32Array(nodes).fill(1);
    this.#weightOfClique = new Int32Array(nodes);
    this.#follower = new Int32Array(nodes).fill(-1);
    this.#lastFollower = Int32Array.from({ length: nodes }, (_, node) => node);
    this.#degree = new Int32Array(nodes);
    this.#head = new Int32Array(nodes + 1).fill(-1);
    this.#next = new Int32Array(nodes);
    this.#previous = new Int32Array(nodes);
    this.#mark = new Int32Array(nodes);
    this.#outside = new Int32Array(nodes);
    this.#countedFor = new Int32Array(nodes).fill(-1);
    for (let node = nodes - 1; node >= 0; node--) {
      const own = columns.slice(rowStart[node], rowStart[node + 1]).filter((other) => other !== node);
      this.#nodes[node] = own;
      this.#nodeCount[node] = own.length;
      this.#cliques[node] = [];
      this.#enlist(node, own.length);
    }
  }

  order(): Int32Array {
    const n = this.#count;
    const order = new Int32Array(n);
    for (let done = 0, least = 0; done < n; ) {
      while (this.#head[least] < 0) least++;
      const pivot = this.#head[least];
      this.#unlist(pivot);
      const clique = this.#gather(pivot);
      done = this.#place(pivot, order, done);
      this.#countOutside(pivot, clique);
      for (const node of clique) this.#shorten(pivot, node);
      for (const node of clique) {
        if (this.#weight[node] > 0 && this.#nodeCount[node] === 0 && this.#cliques[node].length === 1) {
          // All its neighbors are in the clique: it is eliminated with the pivot, at no cost.
          this.#unlist(node);
          done = this.#place(node, order, done);
        }
      }
      this.#joinTwins(clique);
      const left = clique.filter((node) => this.#weight[node] > 0);
      this.#members[pivot] = left;
      this.#weightOfClique[pivot] = left.reduce((sum, node) => sum + this.#weight[node], 0);
      for (const node of left) {
        this.#unlist(node);
        this.#enlist(node, this.#boundDegree(pivot, node, n - done));
        least = Math.min(least, this.#degree[node]);
      }
      if (left.length === 0) this.#members[pivot] = null;
    }
    return order;
  }

  /** The nodes that a pivot neighbors; its cliques become part of the one it leaves. */
  #gather(pivot: number): Int32Array {
    const stamp = ++this.#stamp;
    const [mark, weight] = [this.#mark, this.#weight];
    mark[pivot] = stamp;
    const found: number[] = [];
    const take = (list: Int32Array, count: number): void => {
      for (let k = 0; k < count; k++) {
        const node = list[k];
        if (mark[node] === stamp || weight[node] === 0) continue;
        mark[node] = stamp;
        found.push(node);
      }
    };
    take(this.#nodes[pivot], this.#nodeCount[pivot]);
    for (const clique of this.#cliques[pivot]) {
      const members = this.#members[clique];
      if (members === null) continue;
      take(members, members.length);
      this.#members[clique] = null;
    }
    return Int32Array.from(found);
  }

  /** Puts a node and those it stands for next into the order; returns how many are there. */
  #place(node: number, order: Int32Array, done: number): number {
    let at = done;
    for (let own = node; own >= 0; own = this.#follower[own]) order[at++] = own;
    this.#weight[node] = 0;
    return at;
  }

  /** Counts the nodes of all touched cliques that are not in the new one. */
  #countOutside(pivot: number, clique: Int32Array): void {
    for (const node of clique) {
      for (const other of this.#cliques[node]) {
        if (this.#members[other] === null) continue;
        if (this.#countedFor[other] !== pivot) {
          this.#countedFor[other] = pivot;
          this.#outside[other] = this.#weightOfClique[other];
        }
        this.#outside[other] -= this.#weight[node];
      }
    }
  }

  /**
   * Takes from the lists of a node what the new clique covers. Cliques without nodes outside of the new one are part of
   * it.
   */
  #shorten(pivot: number, node: number): void {
    const cliques = this.#cliques[node];
    let kept = 0;
    for (const other of cliques) {
      if (this.#members[other] === null) continue;
      if (this.#outside[other] <= 0) this.#members[other] = null;
      else cliques[kept++] = other;
    }
    cliques.length = kept;
    cliques.push(pivot);
    const list = this.#nodes[node];
    let count = 0;
    for (let k = 0; k < this.#nodeCount[node]; k++) {
      const other = list[k];
      if (this.#weight[other] > 0 && this.#mark[other] !== this.#stamp) list[count++] = other;
    }
    this.#nodeCount[node] = count;
  }

  /** Lets one node stand for others of the clique with the same neighbors. */
  #joinTwins(clique: Int32Array): void {
    const byHash = new Map<number, number[]>();
    for (const node of clique) {
      if (this.#weight[node] === 0) continue;
      let hash = 0;
      for (const other of this.#cliques[node]) hash += other;
      for (let k = 0; k < this.#nodeCount[node]; k++) hash += this.#nodes[node][k];
      const same = byHash.get(hash);
      if (same === undefined) {
        byHash.set(hash, [node]);
        continue;
      }
      const twin = same.find((other) => this.#areTwins(other, node));
      if (twin === undefined) same.push(node);
      else this.#join(twin, node);
    }
  }

  #areTwins(a: number, b: number): boolean {
    if (this.#nodeCount[a] !== this.#nodeCount[b] || this.#cliques[a].length !== this.#cliques[b].length) return false;
    const stamp = ++this.#stamp;
    const mark = this.#mark;
    for (let k = 0; k < this.#nodeCount[a]; k++) mark[this.#nodes[a][k]] = stamp;
    for (const clique of this.#cliques[a]) mark[clique] = stamp;
    for (let k = 0; k < this.#nodeCount[b]; k++) if (mark[this.#nodes[b][k]] !== stamp) return false;
    return this.#cliques[b].every((clique) => mark[clique] === stamp);
  }

  #join(twin: number, node: number): void {
    this.#unlist(node);
    this.#weight[twin] += this.#weight[node];
    this.#weight[node] = 0;
    this.#follower[this.#lastFollower[twin]] = node;
    this.#lastFollower[twin] = this.#lastFollower[node];
  }

  #boundDegree(pivot: number, node: number, left: number): number {
    const rest = this.#weightOfClique[pivot] - this.#weight[node];
    let degree = rest;
    for (const clique of this.#cliques[node]) if (clique !== pivot) degree += this.#outside[clique];
    for (let k = 0; k < this.#nodeCount[node]; k++) degree += this.#weight[this.#nodes[node][k]];
    return Math.max(0, Math.min(degree, this.#degree[node] + rest, left - this.#weight[node]));
  }

  #enlist(node: number, degree: number): void {
    this.#degree[node] = degree;
    const first = this.#head[degree];
    this.#next[node] = first;
    this.#previous[node] = -1;
    if (first >= 0) this.#previous[first] = node;
    this.#head[degree] = node;
  }

  #unlist(node: number): void {
    const [before, after] = [this.#previous[node], this.#next[node]];
    if (before >= 0) this.#next[before] = after;
    else this.#head[this.#degree[node]] = after;
    if (after >= 0) this.#previous[after] = before;
  }
}
