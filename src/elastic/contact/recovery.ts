// How deep overlaps end: slowly. A step need not push a node out by more than a speed allows; what it was deeper at the start
// stores no energy. Overlaps of loads are far below that, and deep ones come from starts and failures.
import { type ContactSet, IN_ELEMENT, IN_RIGID, NODES } from './contact-set.js';

export class Recovery {
  /** For each node, how deep it may be in elements and in rigid bodies. */
  readonly #inElement: Float64Array;
  readonly #inRigid: Float64Array;
  #any = false;

  constructor(nodeCount: number) {
    this.#inElement = new Float64Array(nodeCount);
    this.#inRigid = new Float64Array(nodeCount);
  }

  /** Whether contacts were deep at the start of the step. */
  get isActive(): boolean {
    return this.#any;
  }

  /** Begins a step: nodes may be anywhere outside. */
  begin(): void {
    if (this.#any) {
      this.#inElement.fill(0);
      this.#inRigid.fill(0);
    }
    this.#any = false;
  }

  /** Notes a contact that is deep at the start of the step. */
  note(set: ContactSet, contact: number, allowed: number): void {
    const node = set.nodes[NODES * contact];
    if (!(allowed > 0) || node < 0) return;
    const kind = set.kind[contact];
    const depths = kind === IN_ELEMENT ? this.#inElement : kind === IN_RIGID ? this.#inRigid : null;
    if (depths === null) return;
    depths[node] = Math.max(depths[node], allowed);
    this.#any = true;
  }

  /** Writes the depths that contacts may have. */
  apply(set: ContactSet): void {
    if (!this.#any) return;
    for (let i = 0; i < set.count; i++) {
      const node = set.nodes[NODES * i];
      if (node < 0) continue;
      if (set.kind[i] === IN_ELEMENT) set.allowed[i] = this.#inElement[node];
      else if (set.kind[i] === IN_RIGID) set.allowed[i] = this.#inRigid[node];
    }
  }
}
