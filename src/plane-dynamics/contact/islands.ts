// Groups of dynamic bodies that near pairs and joints connect.
import { DisjointSets } from '../../core/disjoint-sets.js';
import { DYNAMIC, type PlaneBodies } from '../body/plane-bodies.js';
import type { PlaneJoint } from '../joint/plane-joint.js';
import type { ContactSet } from './contact-set.js';
import { SENSING } from './near-pairs.js';

export class Islands {
  /** The lowest number of the island of each body; -1 for a body that is not dynamic. */
  root = new Int32Array(8);
  readonly #sets = new DisjointSets(0);

  /** @param onlyTouching leaves out pairs that are near but do not touch. */
  build(bodies: PlaneBodies, contacts: ContactSet, joints: readonly PlaneJoint[], onlyTouching: boolean): void {
    const { count, kind } = bodies;
    const { pairs } = contacts;
    if (this.root.length < count) this.root = new Int32Array(2 * count);
    const sets = this.#sets;
    sets.reset(count);
    const join = (a: number, b: number): void => {
      if (kind[a] === DYNAMIC && kind[b] === DYNAMIC) sets.unite(a, b);
    };
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.mode[pair] === SENSING) continue;
      if (onlyTouching && !contacts.isTouching(pair)) continue;
      join(pairs.a[pair], pairs.b[pair]);
    }
    for (const joint of joints) if (!joint.isRemoved && joint.a >= 0) join(joint.a, joint.b);
    for (let i = 0; i < count; i++) this.root[i] = kind[i] === DYNAMIC ? sets.find(i) : -1;
  }
}
