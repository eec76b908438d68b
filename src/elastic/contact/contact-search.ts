// Finds what may touch: nodes in elements of other bodies and of their own, nodes in rigid bodies, corners of rigid bodies in
// elements, and crossing edges. What is just outside is found too, so that the solver sees it enter.
import { boxesOverlap } from '../../spatial/box-relations.js';
import type { ContactBody } from './contact-body.js';
import { type ContactSet, EDGES, IN_ELEMENT, IN_RIGID, NODES, VALUES } from './contact-set.js';
import { EdgePair, itemsInBox } from './edge-contacts.js';
import { ElementSearch } from './element-search.js';
import type { RigidObstacle } from './rigid-obstacle.js';

export class ContactSearch {
  readonly #bodies: readonly ContactBody[];
  readonly #obstacles: readonly RigidObstacle[];
  readonly #elements: ElementSearch;
  readonly #edges = new EdgePair();
  /** The body and element in which each node was last. */
  readonly #lastBody: Int32Array;
  readonly #lastElement: Int32Array;
  readonly #box = new Float64Array(6);
  readonly #local = new Float64Array(3);
  readonly #first = new Float64Array(12);
  readonly #second = new Float64Array(12);
  readonly #found = { list: new Int32Array(64) };

  constructor(bodies: readonly ContactBody[], obstacles: readonly RigidObstacle[]) {
    this.#bodies = bodies;
    this.#obstacles = obstacles;
    let [all, largest] = [0, 0];
    for (const { mesh, firstNode } of bodies) {
      all = Math.max(all, firstNode + mesh.positions.length / 3);
      largest = Math.max(largest, mesh.positions.length / 3);
    }
    this.#elements = new ElementSearch(largest);
    this.#lastBody = new Int32Array(all).fill(-1);
    this.#lastElement = new Int32Array(all).fill(-1);
  }

  /**
   * Writes all contacts at x. Rigid bodies must have been placed.
   * @param sticky how far (barycentric) a node may leave its last element before another is looked for.
   */
  find(x: Float64Array, out: ContactSet, sticky: number): void {
    out.count = 0;
    const bodies = this.#bodies;
    for (const body of bodies) body.fit(x);
    for (let a = 0; a < bodies.length; a++) {
      for (let b = 0; b < bodies.length; b++) {
        if (a === b ? !bodies[a].constants.selfCollision : !boxesOverlap(bodies[a].box, 0, bodies[b].box, 0)) continue;
        this.#findNodes(x, a, b, out, sticky);
        this.#findEdges(x, a, b, out);
      }
    }
    for (let r = 0; r < this.#obstacles.length; r++) {
      for (const body of bodies) {
        this.#writeWorldBox(this.#obstacles[r], body.reach);
        if (!boxesOverlap(this.#box, 0, body.box, 0)) continue;
        this.#findInRigid(x, body, r, out);
        this.#findCorners(x, body, r, out);
        this.#findRigidEdges(x, body, r, out);
      }
    }
  }

  /** Nodes of body a in elements of body b. */
  #findNodes(x: Float64Array, a: number, b: number, out: ContactSet, sticky: number): void {
    const [intruder, body] = [this.#bodies[a], this.#bodies[b]];
    const { box, mesh, depths, firstNode } = body;
    const stiffness = pairStiffness(intruder, body);
    const friction = pairFriction(intruder.constants.friction, body.constants.friction);
    for (let i = 0; i < intruder.surfaceNodes.length; i++) {
      const own = intruder.surfaceNodes[i];
      const node = intruder.firstNode + own;
      const [px, py, pz] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
      if (px < box[0] || py < box[1] || pz < box[2] || px > box[3] || py > box[4] || pz > box[5]) continue;
      const last = this.#lastBody[node] === b ? this.#lastElement[node] : -1;
      const element = this.#elements.find(body, x, px, py, pz, a === b ? own : -1, last, sticky);
      if (element < 0) {
        if (last >= 0) this.#lastBody[node] = -1;
        continue;
      }
      this.#lastBody[node] = b;
      this.#lastElement[node] = element;
      // Both bodies intrude into each other: each way counts half.
      const contact = out.add(IN_ELEMENT, -1, (stiffness * intruder.areas[own]) / 2, friction);
      out.nodes[NODES * contact] = node;
      for (let k = 0; k < 4; k++) {
        const corner = mesh.elements[4 * element + k];
        out.nodes[NODES * contact + 1 + k] = firstNode + corner;
        out.values[VALUES * contact + k] = depths[corner];
      }
    }
  }

  /** Sharp edges of body a across edges of body b. Two sharp ones are found from the body, or edge, of lower number. */
  #findEdges(x: Float64Array, a: number, b: number, out: ContactSet): void {
    const [first, second] = [this.#bodies[a], this.#bodies[b]];
    if (first.sharpEdges.length === 0) return;
    const stiffness = pairStiffness(first, second);
    const friction = pairFriction(first.constants.friction, second.constants.friction);
    const reach = Math.min(first.reach, second.reach);
    for (const e of first.sharpEdges) {
      this.#writeCorners(x, first, e, this.#first);
      if (!this.#writeEdgeBox(this.#first, reach, second.box)) continue;
      const count = itemsInBox(second.edgeTree(), this.#box, this.#found);
      for (let i = 0; i < count; i++) {
        const f = this.#found.list[i];
        if (second.isSharp[f] === 1 && (a > b || (a === b && e >= f))) continue;
        if (a === b && areNear(first, e, f)) continue;
        this.#writeCorners(x, second, f, this.#second);
        if (!this.#edges.test(this.#first, this.#second, reach)) continue;
        const area = Math.min(first.edges.areas[e], second.edges.areas[f]);
        const contact = out.add(EDGES, -1, stiffness * area, friction);
        for (let k = 0; k < 2; k++) {
          out.nodes[NODES * contact + k] = first.firstNode + first.edges.vertices[2 * e + k];
          out.nodes[NODES * contact + 2 + k] = second.firstNode + second.edges.vertices[2 * f + k];
        }
        out.values[VALUES * contact] = this.#edges.sign;
      }
    }
  }

  #findInRigid(x: Float64Array, body: ContactBody, r: number, out: ContactSet): void {
    const obstacle = this.#obstacles[r];
    const { solid } = obstacle;
    const friction = pairFriction(body.constants.friction, obstacle.friction);
    const box = this.#box;
    for (let i = 0; i < body.surfaceNodes.length; i++) {
      const own = body.surfaceNodes[i];
      const node = body.firstNode + own;
      const [px, py, pz] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
      if (px < box[0] || py < box[1] || pz < box[2] || px > box[3] || py > box[4] || pz > box[5]) continue;
      obstacle.writeLocal(px, py, pz, this.#local);
      if (!solid.measure(this.#local[0], this.#local[1], this.#local[2], body.reach)) continue;
      const contact = out.add(IN_RIGID, r, body.constants.stiffness * body.areas[own], friction);
      out.nodes[NODES * contact] = node;
      let offset = 0;
      for (let k = 0; k < 3; k++) {
        out.values[VALUES * contact + k] = solid.normal[k];
        offset += solid.normal[k] * solid.point[k];
      }
      out.values[VALUES * contact + 3] = offset;
    }
  }

  /** Corners of a rigid body in elements. */
  #findCorners(x: Float64Array, body: ContactBody, r: number, out: ContactSet): void {
    const obstacle = this.#obstacles[r];
    const { vertices, areas } = obstacle.solid;
    const friction = pairFriction(body.constants.friction, obstacle.friction);
    const { box, mesh, depths, firstNode } = body;
    const p = this.#local;
    // A corner of large faces stands for no more than a node of the body does.
    const most = (body.size * body.size) / 2;
    for (let v = 0; v < areas.length; v++) {
      obstacle.writePoint(obstacle.frame, vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2], p, 0);
      if (p[0] < box[0] || p[1] < box[1] || p[2] < box[2] || p[0] > box[3] || p[1] > box[4] || p[2] > box[5]) continue;
      const element = this.#elements.find(body, x, p[0], p[1], p[2], -1, -1, 0);
      if (element < 0) continue;
      const weight = body.constants.stiffness * Math.min(areas[v], most);
      const contact = out.add(IN_ELEMENT, r, weight, friction);
      for (let k = 0; k < 4; k++) {
        const corner = mesh.elements[4 * element + k];
        out.nodes[NODES * contact + 1 + k] = firstNode + corner;
        out.values[VALUES * contact + k] = depths[corner];
      }
      for (let k = 0; k < 3; k++) out.values[VALUES * contact + 4 + k] = vertices[3 * v + k];
    }
  }

  /** Edges of a body across sharp edges of a rigid one. */
  #findRigidEdges(x: Float64Array, body: ContactBody, r: number, out: ContactSet): void {
    const obstacle = this.#obstacles[r];
    const { vertices, edges } = obstacle.solid;
    const friction = pairFriction(body.constants.friction, obstacle.friction);
    for (let e = 0; e < edges.areas.length; e++) {
      for (let k = 0; k < 4; k++) {
        const v = 3 * (k < 2 ? edges.vertices[2 * e + k] : edges.opposite[2 * e + k - 2]);
        obstacle.writePoint(obstacle.frame, vertices[v], vertices[v + 1], vertices[v + 2], this.#second, 3 * k);
      }
      if (!this.#writeEdgeBox(this.#second, body.reach, body.box)) continue;
      const count = itemsInBox(body.edgeTree(), this.#box, this.#found);
      for (let i = 0; i < count; i++) {
        const f = this.#found.list[i];
        this.#writeCorners(x, body, f, this.#first);
        if (!this.#edges.test(this.#first, this.#second, body.reach)) continue;
        const contact = out.add(EDGES, r, body.constants.stiffness * body.edges.areas[f], friction);
        for (let k = 0; k < 2; k++) {
          out.nodes[NODES * contact + k] = body.firstNode + body.edges.vertices[2 * f + k];
          const v = 3 * edges.vertices[2 * e + k];
          for (let axis = 0; axis < 3; axis++) {
            out.values[VALUES * contact + 1 + 3 * k + axis] = vertices[v + axis];
          }
        }
        out.values[VALUES * contact] = this.#edges.sign;
      }
    }
  }

  /** The box of an edge, grown; false where it does not meet the other box. */
  #writeEdgeBox(corners: Float64Array, reach: number, other: Float64Array): boolean {
    for (let k = 0; k < 3; k++) {
      this.#box[k] = Math.min(corners[k], corners[3 + k]) - reach;
      this.#box[3 + k] = Math.max(corners[k], corners[3 + k]) + reach;
    }
    return boxesOverlap(this.#box, 0, other, 0);
  }

  #writeCorners(x: Float64Array, body: ContactBody, edge: number, out: Float64Array): void {
    const { vertices, opposite } = body.edges;
    for (let k = 0; k < 4; k++) {
      const node = 3 * (body.firstNode + (k < 2 ? vertices[2 * edge + k] : opposite[2 * edge + k - 2]));
      for (let axis = 0; axis < 3; axis++) out[3 * k + axis] = x[node + axis];
    }
  }

  #writeWorldBox({ frame, solid }: RigidObstacle, reach: number): void {
    for (let i = 0; i < 3; i++) {
      let [low, high] = [frame[4 * i + 3] - reach, frame[4 * i + 3] + reach];
      for (let j = 0; j < 3; j++) {
        const [p, q] = [frame[4 * i + j] * solid.box[j], frame[4 * i + j] * solid.box[3 + j]];
        low += Math.min(p, q);
        high += Math.max(p, q);
      }
      this.#box[i] = low;
      this.#box[3 + i] = high;
    }
  }
}

/** Of two bodies in series; that of a body with itself is its own. */
function pairStiffness(a: ContactBody, b: ContactBody): number {
  const [p, q] = [a.constants.stiffness, b.constants.stiffness];
  return (2 * p * q) / (p + q);
}

function pairFriction(a: number, b: number): number {
  return Math.sqrt(a * b);
}

/** Whether two edges of a body share a node, or an element has nodes of both. */
function areNear(body: ContactBody, e: number, f: number): boolean {
  const { vertices } = body.edges;
  for (let i = 0; i < 2; i++) {
    const node = vertices[2 * e + i];
    for (let k = body.ringStart[node]; k < body.ringStart[node + 1]; k++) {
      const other = body.ringNodes[k];
      if (other === vertices[2 * f] || other === vertices[2 * f + 1]) return true;
    }
  }
  return false;
}
