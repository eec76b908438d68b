// Groups of dynamic bodies that near pairs and joints connect: union–find with the lowest number as the root.

import { DYNAMIC, type PlaneBodies } from '../plane-bodies.js';
import type { PlaneJoint } from '../plane-joints.js';
import { type ContactSet, SENSING } from './contact-set.js';

export class Islands {
  /** The lowest number of the island of each body; -1 for bodies that are in none. */
  root = new Int32Array(8);

  /** @param onlyTouching leaves out pairs that are near but do not touch. */
  build(bodies: PlaneBodies, contacts: ContactSet, joints: readonly PlaneJoint[], onlyTouching: boolean): void {
    const { count, kind } = bodies;
    if (this.root.length < count) this.root = new Int32Array(2 * count);
    const { root } = this;
    for (let i = 0; i < count; i++) root[i] = kind[i] === DYNAMIC ? i : -1;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] === SENSING) continue;
      if (onlyTouching && !contacts.isTouching(pair)) continue;
      this.#join(contacts.pairA[pair], contacts.pairB[pair]);
    }
    for (const joint of joints) if (!joint.isRemoved && joint.a >= 0) this.#join(joint.a, joint.b);
    for (let i = 0; i < count; i++) if (root[i] >= 0) root[i] = this.#find(i);
  }

  #find(i: number): number {
    const { root } = this;
    let at = i;
    while (root[at] !== at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }

  #join(a: number, b: number): void {
    if (this.root[a] < 0 || this.root[b] < 0) return;
    const p = this.#find(a);
    const q = this.#find(b);
    if (p < q) this.root[q] = p;
    else this.root[p] = q;
  }
}
