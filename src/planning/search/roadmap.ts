// Free configurations and the edges between them that are proven free. Parts that no edge joins are components.
import { IndexedHeap } from '../../core/heap.js';
import type { CollisionScene } from '../validity/collision-scene.js';
import { Configurations } from './configurations.js';

export class RoadmapGraph {
  readonly nodes: Configurations;
  /** By node: trees grow from it towards samples that are no farther than this. */
  readonly domains: number[] = [];
  readonly #scene: CollisionScene;
  readonly #edges: { readonly to: number; readonly length: number }[][] = [];
  /** The parent of each node in the tree of its component (Tarjan 1975). */
  readonly #parents: number[] = [];

  constructor(scene: CollisionScene) {
    this.#scene = scene;
    this.nodes = new Configurations();
  }

  /** Adds a free configuration; returns its node. */
  add(q: Float64Array): number {
    this.#edges.push([]);
    this.domains.push(Infinity);
    this.#scene.counters.vertices++;
    const node = this.nodes.add(q);
    this.#parents.push(node);
    return node;
  }

  /** Joins two nodes by an edge that is proven free. */
  join(a: number, b: number): void {
    const length = this.#scene.separation(this.nodes.at(a), this.nodes.at(b));
    this.#scene.counters.edges++;
    this.#edges[a].push({ to: b, length });
    this.#edges[b].push({ to: a, length });
    this.#parents[this.component(b)] = this.component(a);
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

  /** The nearest node of another component, or of a given one; −1 if there is none. */
  nearestIn(q: Float64Array, component: number): number {
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.nodes.count; i++) {
      if (this.component(i) !== component) continue;
      const distance = this.#scene.separation(this.nodes.at(i), q);
      if (distance >= least) continue;
      least = distance;
      best = i;
    }
    return best;
  }

  /** All components, by the nodes that stand for them. */
  components(): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.nodes.count; i++) if (this.#parents[i] === i) found.push(i);
    return found;
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
