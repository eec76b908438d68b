// What may touch, as it was found last: flat arrays, one entry a contact. The energy of each is a function of positions with
// the element, the plane or the pair of edges held fixed, so that a step of the solver sees a smooth function.
import { growTo } from '../../core/grow-array.js';

/** Label, a kind: a node, or a corner of a rigid body, in an element. */
export const IN_ELEMENT = 0;
/** Label, a kind: a node in a rigid body. */
export const IN_RIGID = 1;
/** Label, a kind: two edges that cross. */
export const EDGES = 2;

/** Layout: the count of nodes of a contact. */
export const NODES = 5;
/** Layout: the count of numbers of a contact. */
export const VALUES = 7;

export class ContactSet {
  count = 0;
  kind = new Int32Array(64);
  /**
   * Nodes over all bodies, −1 for none. IN_ELEMENT: the node (−1: a corner of the rigid body), then the four of the
   * element. IN_RIGID: the node. EDGES: two of the first edge, two of the second (−1: of the rigid body).
   */
  nodes = new Int32Array(64 * NODES);
  /** The rigid body, −1 for none. */
  rigid = new Int32Array(64);
  /**
   * IN_ELEMENT: four depths, then the corner of the rigid body in its frame. IN_RIGID: unit normal and offset of a plane in
   * the frame of the rigid body. EDGES: 1 or −1, which way the normal goes; then both ends of the rigid body's edge.
   */
  values = new Float64Array(64 * VALUES);
  /** Stiffness times area: the energy for a depth of 1 m. */
  weight = new Float64Array(64);
  /** Coulomb's coefficient. */
  friction = new Float64Array(64);
  /** The depth up to which nothing pushes: what is left of an overlap that a step does not have to end. */
  allowed = new Float64Array(64);

  add(kind: number, rigid: number, weight: number, friction: number): number {
    const i = this.count++;
    this.kind = growTo(this.kind, this.count);
    this.nodes = growTo(this.nodes, NODES * this.count);
    this.rigid = growTo(this.rigid, this.count);
    this.values = growTo(this.values, VALUES * this.count);
    this.weight = growTo(this.weight, this.count);
    this.friction = growTo(this.friction, this.count);
    this.allowed = growTo(this.allowed, this.count);
    this.kind[i] = kind;
    this.rigid[i] = rigid;
    this.weight[i] = weight;
    this.friction[i] = friction;
    this.allowed[i] = 0;
    this.nodes.fill(-1, NODES * i, NODES * (i + 1));
    return i;
  }
}
