// The nearest of many configurations under any metric: vantage point trees (Yianilos 1993) whose sizes double, so that
// configurations can be added one by one (Bentley and Saxe 1980). Rotations need no special case: only distances count.
import type { Configurations } from '../search/configurations.js';

/** A distance that obeys the triangle inequality. */
export type Metric = (a: Float64Array, b: Float64Array) => number;

/** Chosen: the most nodes of a leaf, which are searched one by one. */
const LEAF = 12;

/** Chosen: the count of new nodes that are searched one by one before they enter a tree. */
const RECENT = 48;

/**
 * A tree over a list of nodes: the first of each range is its vantage point; the nearer half of the rest follows, then the
 * farther one.
 */
interface VantageTree {
  readonly items: Int32Array;
  /** By the position of the vantage point: the largest distance within the nearer half, and the least in the farther one. */
  readonly inner: Float64Array;
  readonly outer: Float64Array;
}

export class NearestNodes {
  /** Distances computed so far. */
  evaluations = 0;
  /** The nodes of the last answer and their distances, nearest first; of equally near ones the lower node comes first. */
  readonly found: number[] = [];
  readonly distances: number[] = [];
  readonly #nodes: Configurations;
  readonly #metric: Metric;
  readonly #recent: number[] = [];
  #trees: VantageTree[] = [];
  #query: Float64Array = new Float64Array(0);
  #limit = 0;
  #accepts: (node: number) => boolean = () => true;

  constructor(nodes: Configurations, metric: Metric) {
    this.#nodes = nodes;
    this.#metric = metric;
  }

  /** Adds a node; it must not change any more. */
  add(node: number): void {
    this.#recent.push(node);
    if (this.#recent.length < RECENT) return;
    let items = this.#recent.splice(0);
    // A tree is rebuilt together with all that are no larger, so that sizes at least double from one to the next.
    while (this.#trees.length > 0 && this.#trees[this.#trees.length - 1].items.length <= items.length) {
      items = [...this.#trees.pop()!.items, ...items];
    }
    this.#trees.push(this.#build(Int32Array.from(items)));
  }

  /** Finds the nearest nodes, at most `count`, among those accepted; see {@link found}. */
  find(q: Float64Array, count: number, accepts: (node: number) => boolean): void {
    this.#query = q;
    this.#limit = count;
    this.#accepts = accepts;
    this.found.length = this.distances.length = 0;
    if (count < 1) return;
    for (const node of this.#recent) this.#visit(node, this.#distance(node));
    for (const tree of this.#trees) this.#search(tree, 0, tree.items.length);
  }

  #distance(node: number): number {
    this.evaluations++;
    return this.#metric(this.#query, this.#nodes.at(node));
  }

  /** The distance beyond which nothing is of interest. */
  #bound(): number {
    return this.found.length < this.#limit ? Infinity : this.distances[this.#limit - 1];
  }

  #visit(node: number, distance: number): void {
    const { found, distances } = this;
    let at = found.length;
    if (at === this.#limit && !(distance <= distances[at - 1])) return;
    if (!this.#accepts(node)) return;
    while (at > 0 && (distances[at - 1] > distance || (distances[at - 1] === distance && found[at - 1] > node))) at--;
    if (at >= this.#limit) return;
    found.splice(at, 0, node);
    distances.splice(at, 0, distance);
    if (found.length > this.#limit) {
      found.pop();
      distances.pop();
    }
  }

  #search(tree: VantageTree, from: number, to: number): void {
    const { items } = tree;
    if (to - from <= LEAF) {
      for (let i = from; i < to; i++) this.#visit(items[i], this.#distance(items[i]));
      return;
    }
    const distance = this.#distance(items[from]);
    this.#visit(items[from], distance);
    const middle = middleOf(from, to);
    const [inner, outer] = [tree.inner[from], tree.outer[from]];
    if (distance < (inner + outer) / 2) {
      if (distance - inner <= this.#bound()) this.#search(tree, from + 1, middle);
      if (outer - distance <= this.#bound()) this.#search(tree, middle, to);
    } else {
      if (outer - distance <= this.#bound()) this.#search(tree, middle, to);
      if (distance - inner <= this.#bound()) this.#search(tree, from + 1, middle);
    }
  }

  #build(items: Int32Array): VantageTree {
    const tree = { items, inner: new Float64Array(items.length), outer: new Float64Array(items.length) };
    const ranges: [number, number][] = [[0, items.length]];
    for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
      const [from, to] = range;
      if (to - from <= LEAF) continue;
      const vantage = this.#nodes.at(items[from]);
      const rest = Array.from(items.subarray(from + 1, to), (node) => {
        this.evaluations++;
        return { node, distance: this.#metric(vantage, this.#nodes.at(node)) };
      });
      rest.sort((a, b) => a.distance - b.distance || a.node - b.node);
      for (const [i, { node }] of rest.entries()) items[from + 1 + i] = node;
      const middle = middleOf(from, to);
      tree.inner[from] = rest[middle - from - 2].distance;
      tree.outer[from] = rest[middle - from - 1].distance;
      ranges.push([from + 1, middle], [middle, to]);
    }
    return tree;
  }
}

/** Where the farther half of a range begins. */
function middleOf(from: number, to: number): number {
  return (from + 1 + to) >> 1;
}
