// Keeps deformed distance fields near to distances. Where the gradient of the depth in an element of contact is below 1/2 or
// above 2, the values in the box around these contacts are found anew on the deformed shape (Fisher and Lin 2001, section 4.4).
// They are taken over in thirds, step by step, because a jump in them would be a jump of energy.
import type { ContactBody } from './contact-body.js';
import { ContactRows } from './contact-rows.js';
import { IN_ELEMENT, NODES } from './contact-set.js';
import type { ContactTerm } from './contact-term.js';
import { exactDistances } from './rest-distances.js';

/** Chosen: the depth is found anew where its gradient is below this; a distance field has 1. */
const MIN_GRADIENT = 0.5;

/** Chosen: the depth is found anew where its gradient is above this. */
const MAX_GRADIENT = 2;

/** Chosen: the count of steps over which new values are taken over. */
const BLEND_STEPS = 3;

/**
 * Chosen: nodes inside are not less deep than this share of the mean edge; a depth of 0 would make them nodes of the
 * surface.
 */
const MIN_DEPTH = 1e-6;

/** Values that are being taken over. */
interface Change {
  readonly nodes: Uint32Array;
  readonly values: Float64Array;
  stepsLeft: number;
}

export class FieldUpdate {
  readonly #bodies: readonly ContactBody[];
  readonly #rows = new ContactRows([]);
  readonly #changes: (Change | null)[];

  constructor(bodies: readonly ContactBody[]) {
    this.#bodies = bodies;
    this.#changes = bodies.map(() => null);
  }

  /**
   * Looks at the contacts of a term at x, and changes depths of bodies where it must; returns the nodes being changed.
   */
  update(term: ContactTerm, x: Float64Array): number {
    const boxes = this.#bodies.map(() => [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    const { contacts } = term;
    term.writeRows(x, this.#rows, (_, contact, __, g) => {
      if (contacts.kind[contact] !== IN_ELEMENT) return;
      const steepness = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
      if (steepness >= MIN_GRADIENT && steepness <= MAX_GRADIENT) return;
      const first = NODES * contact + 1;
      const body = this.#bodyOf(contacts.nodes[first]);
      for (let k = first; k < first + 4; k++) grow(boxes[body], x, 3 * contacts.nodes[k]);
    });
    let changing = 0;
    this.#bodies.forEach((body, i) => {
      if (this.#changes[i] === null && boxes[i][0] <= boxes[i][3]) this.#changes[i] = measure(body, x, boxes[i]);
      changing += this.#takeOver(i);
    });
    return changing;
  }

  #takeOver(i: number): number {
    const change = this.#changes[i];
    if (change === null) return 0;
    const { depths } = this.#bodies[i];
    change.nodes.forEach((node, k) => {
      depths[node] += (change.values[k] - depths[node]) / change.stepsLeft;
    });
    change.stepsLeft--;
    if (change.stepsLeft === 0) this.#changes[i] = null;
    return change.nodes.length;
  }

  #bodyOf(node: number): number {
    let body = this.#bodies.length - 1;
    while (this.#bodies[body].firstNode > node) body--;
    return body;
  }
}

/** Distances of the nodes in a box, which is made wider by an edge, from the deformed surface. */
function measure(body: ContactBody, x: Float64Array, box: readonly number[]): Change {
  const { firstNode, depths, size } = body;
  const positions = x.subarray(3 * firstNode, 3 * firstNode + body.mesh.positions.length);
  const nodes = Uint32Array.from(depths.keys()).filter((node) => {
    if (depths[node] === 0) return false;
    for (let k = 0; k < 3; k++) {
      const at = positions[3 * node + k];
      if (at < box[k] - size || at > box[3 + k] + size) return false;
    }
    return true;
  });
  const values = exactDistances({ positions, indices: body.faces }, positions, nodes);
  // A node on the deformed surface, as where a body overlaps itself, would count as one of the surface.
  for (let i = 0; i < values.length; i++) values[i] = Math.max(values[i], MIN_DEPTH * size);
  return { nodes, values, stepsLeft: BLEND_STEPS };
}

function grow(box: number[], x: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(box[k], x[at + k]);
    box[3 + k] = Math.max(box[3 + k], x[at + k]);
  }
}
