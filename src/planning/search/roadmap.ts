// Free configurations and the edges between them that are proven free. Parts that no edge joins are components.
import { IndexedHeap } from '../../core/heap.js';
import type { SearchScene } from '../../kinematics/validity/search-scene.js';
import { Configurations } from './configurations.js';

/** Nodes that edges join. */
export interface Component {
  readonly nodes: number[];
  /** The least and the largest of each number of its configurations. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** How far edges of a growing tree go at present; 0 before the first. */
  step: number;
}

export class RoadmapGraph {
  readonly nodes: Configurations;
  readonly #scene: SearchScene;
  readonly #edges: { readonly to: number; readonly length: number }[][] = [];
  /** The parent of each node in the tree of its component (Tarjan 1975). */
  readonly #parents: number[] = [];
  /** By the node that stands for it. */
  readonly #components = new Map<number, Component>();

  constructor(scene: SearchScene) {
    this.#scene = scene;
    this.nodes = new Configurations();
  }

  /** Adds a free configuration; returns its node. */
  add(q: Float64Array): number {
    this.#edges.push([]);
    this.#scene.counters.vertices++;
    const node = this.nodes.add(q);
    this.#parents.push(node);
    this.#components.set(node, { nodes: [node], low: q.slice(), high: q.slice(), step: 0 });
    return node;
  }

  /** Joins two nodes by an edge that is proven free. */
  join(a: number, b: number): void {
    const length = this.#scene.separation(this.nodes.at(a), this.nodes.at(b));
    this.#scene.counters.edges++;
    this.#edges[a].push({ to: b, length });
    this.#edges[b].push({ to: a, length });
    const [root, other] = [this.component(a), this.component(b)];
    if (root !== other) this.#unite(root, other);
  }

  /** Makes the nodes of one component part of another one, which keeps what stands for it. */
  #unite(root: number, other: number): void {
    const [into, from] = [this.#components.get(root)!, this.#components.get(other)!];
    this.#parents[other] = root;
    for (const node of from.nodes) into.nodes.push(node);
    for (let k = 0; k < into.low.length; k++) {
      into.low[k] = Math.min(into.low[k], from.low[k]);
      into.high[k] = Math.max(into.high[k], from.high[k]);
    }
    this.#components.delete(other);
  }

  /** Adds configurations that proven edges lead to one after another, from a node on; returns the last node. */
  addWay(from: number, way: readonly Float64Array[]): number {
    let last = from;
    for (const q of way) {
      const node = this.add(q);
      this.join(last, node);
      last = node;
    }
    return last;
  }

  /** The node that stands for the component of a node. */
  component(node: number): number {
    let at = node;
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at]];
      at = this.#parents[at];
    }
    return at;
  }

  /** The nearest node of a component. */
  nearestIn(q: Float64Array, component: number): number {
    let best = -1;
    let least = Infinity;
    for (const node of this.part(component).nodes) {
      const distance = this.#scene.separation(this.nodes.at(node), q);
      if (distance >= least) continue;
      least = distance;
      best = node;
    }
    return best;
  }

  /** What is known of the component that a node stands for. */
  part(component: number): Component {
    return this.#components.get(component)!;
  }

  /** All components, by the nodes that stand for them. */
  components(): number[] {
    return [...this.#components.keys()];
  }

  /** The shortest way between two nodes of a component (Dijkstra 1959). */
  path(from: number, to: number): Float64Array[] {
    const costs = new Float64Array(this.nodes.count).fill(Infinity);
    const before = new Int32Array(this.nodes.count).fill(-1);
    const heap = new IndexedHeap(this.nodes.count);
    costs[from] = 0;
    heap.set(from, 0);
    while (heap.size > 0) {
      const node = heap.pop();
      if (node === to) break;
      for (const edge of this.#edges[node]) {
        const cost = costs[node] + edge.length;
        if (!(cost < costs[edge.to])) continue;
        costs[edge.to] = cost;
        before[edge.to] = node;
        heap.set(edge.to, cost);
      }
    }
    const way: Float64Array[] = [];
    for (let at = to; at >= 0; at = before[at]) way.push(this.nodes.at(at).slice());
    return way.reverse();
  }
}
