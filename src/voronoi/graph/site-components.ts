// The connected parts of sites: features of one label whose regions touch, with the box of each part. A cell that holds a
// whole part must show it on its border.
import { CURVE, END_A, END_B, type FeatureArrays, FIRST, SECOND, SIZE, STRIDE, VERTEX } from './feature-arrays.js';
import type { BoundaryKind, FeatureNode } from './feature-node.js';

/** Parts of sites that come and go. */
export class SiteComponents {
  /** By component: its box, or null if it is not in use. */
  readonly boxes: (Float64Array | null)[] = [];
  readonly #arrays: FeatureArrays;
  readonly #nodes: readonly (FeatureNode | null)[];
  readonly #between: BoundaryKind;
  readonly #free: number[] = [];

  constructor(arrays: FeatureArrays, nodes: readonly (FeatureNode | null)[], between: BoundaryKind) {
    this.#arrays = arrays;
    this.#nodes = nodes;
    this.#between = between;
  }

  /** Finds the components of the new features and of all that are connected with a touched node. */
  assign(removed: readonly number[], added: readonly number[], touched: readonly number[]): void {
    const { component } = this.#arrays;
    const old = new Set<number>();
    for (const feature of removed) old.add(component[feature]);
    const start = new Set<number>(added);
    for (const index of touched) {
      const node = this.#nodes[index];
      if (node !== null) for (const end of node.ends) start.add(end >> 1);
    }
    const gone = new Set(removed);
    const done = new Set<number>();
    for (const first of start) if (!done.has(first)) this.#flood(first, old, done);
    // Features cut off from a component, at a node where labels meet now, may be connected with no touched node.
    old.delete(-1);
    for (let before = -1; before !== done.size && old.size > 0; ) {
      before = done.size;
      for (let feature = 0; feature < this.#arrays.end; feature++) {
        if (old.has(component[feature]) && !done.has(feature) && !gone.has(feature)) this.#flood(feature, old, done);
      }
      old.delete(-1);
    }
    for (const id of old) {
      this.boxes[id] = null;
      this.#free.push(id);
    }
  }

  /** Gives a new component to all that is connected with a feature, and adds those it had. */
  #flood(first: number, old: Set<number>, done: Set<number>): void {
    const { component } = this.#arrays;
    const id = this.#free.pop() ?? this.boxes.length;
    const box = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity);
    const stack = [first];
    done.add(first);
    while (stack.length > 0) {
      const feature = stack.pop() as number;
      old.add(component[feature]);
      component[feature] = id;
      this.#growBox(box, feature);
      for (const next of this.#connected(feature)) {
        if (done.has(next)) continue;
        done.add(next);
        stack.push(next);
      }
    }
    this.boxes[id] = box;
  }

  /**
   * The features whose regions touch that of the feature beside a common node, of the same label. Where labels meet in a
   * node, their regions alternate around it: only a vertex and its neighbors are then certain to touch.
   */
  *#connected(feature: number): Generator<number> {
    const arrays = this.#arrays;
    const { label, neighborA, neighborB } = arrays;
    const own = label[feature];
    if (arrays.kind[feature] === VERTEX) {
      for (const open of [neighborA[feature], neighborB[feature]]) {
        if (open < 0) continue;
        if (label[open] === own) yield open;
        for (const end of [neighborA[open], neighborB[open]]) {
          const node = this.#nodes[end] as FeatureNode;
          if (node.vertex === feature && !this.#isMixed(node)) for (const other of node.ends) yield other >> 1;
        }
      }
      return;
    }
    for (const end of [neighborA[feature], neighborB[feature]]) {
      const node = this.#nodes[end] as FeatureNode;
      if (this.#nodeLabel(node) !== own) continue;
      const { vertex } = node;
      const mixed = this.#isMixed(node);
      if (vertex >= 0 && (!mixed || neighborA[vertex] === feature || neighborB[vertex] === feature)) yield vertex;
      if (!mixed) for (const other of node.ends) yield other >> 1;
    }
  }

  /** Whether open features of different labels end in the node. */
  #isMixed({ ends }: FeatureNode): boolean {
    const { label } = this.#arrays;
    for (let i = 1; i < ends.length; i++) if (label[ends[i] >> 1] !== label[ends[0] >> 1]) return true;
    return false;
  }

  /** The label of the point itself: that of its vertex or, without one, of the lowest site there. */
  #nodeLabel(node: FeatureNode): number {
    const arrays = this.#arrays;
    if (node.vertex >= 0) return arrays.label[node.vertex];
    let lowest = node.ends[0] >> 1;
    for (const end of node.ends) if (arrays.site[end >> 1] < arrays.site[lowest]) lowest = end >> 1;
    if (this.#between !== 'features') return arrays.label[lowest];
    return node.ends.every((end) => arrays.label[end >> 1] === arrays.label[lowest]) ? arrays.label[lowest] : -1;
  }

  #growBox(box: Float64Array, feature: number): void {
    const { data, kind } = this.#arrays;
    const at = STRIDE * feature;
    const add = (x: number, y: number): void => {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    };
    if (kind[feature] === VERTEX) {
      add(data[at], data[at + 1]);
      return;
    }
    add(data[at + END_A], data[at + END_A + 1]);
    add(data[at + END_B], data[at + END_B + 1]);
    if (kind[feature] !== CURVE) return;
    const radius = data[at + SIZE];
    for (const [dx, dy] of [
      [radius, 0],
      [-radius, 0],
      [0, radius],
      [0, -radius],
    ]) {
      const x = data[at] + dx;
      const y = data[at + 1] + dy;
      if (
        data[at + FIRST] * x + data[at + FIRST + 1] * y >= data[at + FIRST + 2] &&
        data[at + SECOND] * x + data[at + SECOND + 1] * y >= data[at + SECOND + 2]
      ) {
        add(x, y);
      }
    }
  }
}
