// Which contact points act on each other: those on bodies that a chain of contacts joins. What is fixed or moved joins nothing.
import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';
import type { ContactBuffer } from './contact-buffer.js';

export class ContactIslands {
  /** The island of each point. */
  ofPoint = new Int32Array(0);
  /** The island of each body; −1 for what is fixed or moved, or touches nothing. */
  ofBody = new Int32Array(0);
  /** Number of islands. */
  count = 0;
  /** The points, island after island, in each as they are in the buffer. */
  order = new Int32Array(0);
  /** Where each island begins in the order, and where the last one ends. */
  first = new Int32Array(1);
  #parent = new Int32Array(0);

  /** Finds the islands of the points in a buffer. */
  find({ count: bodies, inverseMass }: Bodies, { count, bodyA, bodyB }: ContactBuffer): void {
    const parent = (this.#parent = growTo(this.#parent, bodies));
    const label = (this.ofBody = growTo(this.ofBody, bodies));
    this.ofPoint = growTo(this.ofPoint, count);
    for (let i = 0; i < bodies; i++) {
      parent[i] = i;
      label[i] = -1;
    }
    for (let i = 0; i < count; i++) {
      if (inverseMass[bodyA[i]] === 0 || inverseMass[bodyB[i]] === 0) continue;
      const a = this.#root(bodyA[i]);
      const b = this.#root(bodyB[i]);
      parent[Math.max(a, b)] = Math.min(a, b);
    }
    this.count = 0;
    for (let i = 0; i < count; i++) {
      const root = this.#root(inverseMass[bodyA[i]] === 0 ? bodyB[i] : bodyA[i]);
      if (label[root] < 0) label[root] = this.count++;
      this.ofPoint[i] = label[root];
    }
    for (let i = 0; i < bodies; i++) if (parent[i] !== i) label[i] = label[this.#root(i)];
    this.#sort(count);
  }

  /** Orders the points by their islands: by counting. */
  #sort(count: number): void {
    const order = (this.order = growTo(this.order, count));
    const first = (this.first = growTo(this.first, this.count + 2));
    first.fill(0, 0, this.count + 2);
    // One place further on than at the end: the second loop moves each beginning to the next island's.
    for (let i = 0; i < count; i++) first[this.ofPoint[i] + 2]++;
    for (let k = 2; k <= this.count; k++) first[k] += first[k - 1];
    for (let i = 0; i < count; i++) order[first[this.ofPoint[i] + 1]++] = i;
  }

  #root(body: number): number {
    const parent = this.#parent;
    while (parent[body] !== body) {
      parent[body] = parent[parent[body]];
      body = parent[body];
    }
    return body;
  }
}
