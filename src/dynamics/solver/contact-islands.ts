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
