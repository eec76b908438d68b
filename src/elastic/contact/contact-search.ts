// Finds what may touch: nodes in elements of other bodies and of their own, nodes in rigid bodies, corners of rigid bodies in
// elements, and crossing edges. What is just outside is found too, so that the solver sees it enter.
import { boxesOverlap } from '../../spatial/box-relations.js';
import { PointsInElements } from '../kernel/points-in-elements.js';
import { type ContactBody, writeDepths } from './contact-body.js';
import { type ContactSet, EDGES, IN_ELEMENT, IN_RIGID, NODES, VALUES } from './contact-set.js';
import { EdgePair } from './edge-contacts.js';
import { ElementSearch, holds } from './element-search.js';
import type { RigidObstacle } from './rigid-obstacle.js';

/** Chosen: surfaces with edges shorter than this share of a ball's radius count as fine. */
const FINE = 0.5;

export class ContactSearch {
  readonly #bodies: readonly ContactBody[];
  readonly #obstacles: readonly RigidObstacle[];
  readonly #elements: ElementSearch;
  readonly #edges = new EdgePair();
  /**
   * For each rigid body, made when it is first near: where each node was in its frame when it was last measured outside, and
   * how far it may go from there without coming within reach.
   */
  readonly #clearances: (Float64Array | undefined)[];
  /** The body and element in which each node was last. */
  readonly #lastBody: Int32Array;
  readonly #lastElement: Int32Array;
  readonly #box = new Float64Array(6);
  readonly #local = new Float64Array(3);
  readonly #first = new Float64Array(12);
  readonly #second = new Float64Array(12);
  /** Null for few elements, or where there is no WebAssembly: then hierarchies are used. */
  readonly #points: PointsInElements | null;
  /** Nodes that are looked for in a body: their bodies, numbers, and the best element so far with its score. */
  readonly #askedBody: Int32Array;
  readonly #asked: Int32Array;
  readonly #best: Int32Array;
  readonly #bestScore: Float64Array;
  /** Clusters that a cluster may touch, and their number. */
  #clusters = new Int32Array(16);
  #clusterCount = 0;

  constructor(bodies: readonly ContactBody[], obstacles: readonly RigidObstacle[]) {
    this.#bodies = bodies;
    this.#obstacles = obstacles;
    let [all, largest] = [0, 0];
    for (const { mesh, firstNode } of bodies) {
      all = Math.max(all, firstNode + mesh.positions.length / 3);
      largest = Math.max(largest, mesh.positions.length / 3);
    }
    this.#elements = new ElementSearch(largest);
    this.#clearances = obstacles.map(() => undefined);
    this.#lastBody = new Int32Array(all).fill(-1);
    this.#lastElement = new Int32Array(all).fill(-1);
    this.#points = PointsInElements.create(bodies);
    this.#askedBody = new Int32Array(all);
    this.#asked = new Int32Array(all);
    this.#best = new Int32Array(all);
    this.#bestScore = new Float64Array(all);
  }

  /**
   * Writes all contacts at x. Rigid bodies must have been placed.
   * @param sticky how far (barycentric) a node may leave its last element before another is looked for.
   */
  find(x: Float64Array, out: ContactSet, sticky: number): void {
    out.count = 0;
    const bodies = this.#bodies;
    for (const body of bodies) body.fit(x);
    this.#points?.place(x);
    for (let b = 0; b < bodies.length; b++) {
      if (this.#points !== null) this.#findInBody(x, b, this.#points, out, sticky);
      for (let a = 0; a < bodies.length; a++) {
        if (!this.#mayMeet(a, b)) continue;
        if (this.#points === null) this.#findByClusters(x, a, b, out, sticky);
        this.#findSharpEdges(x, a, b, out);
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

  #mayMeet(a: number, b: number): boolean {
    const [first, second] = [this.#bodies[a], this.#bodies[b]];
    return a === b ? first.constants.selfCollision : boxesOverlap(first.box, 0, second.box, 0);
  }

  /** Nodes of all bodies in elements of one. */
  #findInBody(x: Float64Array, b: number, points: PointsInElements, out: ContactSet, sticky: number): void {
    const body = this.#bodies[b];
    const [asked, askedBody, best, bestScore] = [this.#asked, this.#askedBody, this.#best, this.#bestScore];
    const search = this.#elements;
    let count = 0;
    for (let a = 0; a < this.#bodies.length; a++) {
      if (!this.#mayMeet(a, b)) continue;
      const { surfaceNodes, firstNode } = this.#bodies[a];
      for (let i = 0; i < surfaceNodes.length; i++) {
        const node = firstNode + surfaceNodes[i];
        const px = x[3 * node];
        const py = x[3 * node + 1];
        const pz = x[3 * node + 2];
        if (a !== b && !holds(body.box, 0, px, py, pz)) {
          if (this.#lastBody[node] === b) this.#lastBody[node] = -1;
          continue;
        }
        if (this.#lastBody[node] === b) {
          if (search.keeps(body, x, px, py, pz, this.#lastElement[node], sticky)) {
            this.#addInElement(this.#bodies[a], body, surfaceNodes[i], this.#lastElement[node], out);
            continue;
          }
          this.#lastBody[node] = -1;
        }
        asked[count] = node;
        askedBody[count] = a;
        best[count] = -1;
        bestScore[count] = -1;
        count++;
      }
    }
    points.find(b, asked, count, body.size, body.reach, (place, element) => {
      const node = asked[place];
      if (askedBody[place] === b) {
        search.mark(body, node - body.firstNode);
        if (search.isNear(body, element)) return;
      }
      const score = search.score(body, x, x[3 * node], x[3 * node + 1], x[3 * node + 2], element);
      if (score < 0 || score < bestScore[place] || (score === bestScore[place] && element > best[place])) return;
      best[place] = element;
      bestScore[place] = score;
    });
    for (let i = 0; i < count; i++) {
      if (best[i] < 0) continue;
      const node = asked[i];
      this.#lastBody[node] = b;
      this.#lastElement[node] = best[i];
      // Writes the weights that the contact is added with.
      search.keeps(body, x, x[3 * node], x[3 * node + 1], x[3 * node + 2], best[i], Infinity);
      const intruder = this.#bodies[askedBody[i]];
      this.#addInElement(intruder, body, node - intruder.firstNode, best[i], out);
    }
  }

  /** Nodes of body a in elements of body b, cluster by cluster. */
  #findByClusters(x: Float64Array, a: number, b: number, out: ContactSet, sticky: number): void {
    const [first, second] = [this.#bodies[a], this.#bodies[b]];
    for (let cluster = 0; cluster < first.clusters.count; cluster++) {
      if (first.clusterNodes.start[cluster] === first.clusterNodes.start[cluster + 1]) continue;
      this.#findClusters(first, cluster, second);
      this.#findNodes(x, a, b, cluster, out, sticky);
    }
  }

  /** Sharp edges of body a across edges of body b, cluster by cluster. */
  #findSharpEdges(x: Float64Array, a: number, b: number, out: ContactSet): void {
    const [first, second] = [this.#bodies[a], this.#bodies[b]];
    if (first.sharpEdges.length === 0) return;
    for (let cluster = 0; cluster < first.clusters.count; cluster++) {
      if (first.clusterSharpEdges.start[cluster] === first.clusterSharpEdges.start[cluster + 1]) continue;
      this.#findClusters(first, cluster, second);
      this.#findEdges(x, a, b, cluster, out);
    }
  }

  /** Clusters of the second body that overlap one of the first. */
  #findClusters(first: ContactBody, cluster: number, second: ContactBody): void {
    const { boxes, count } = second.clusters;
    if (this.#clusters.length < count) this.#clusters = new Int32Array(count);
    this.#clusterCount = 0;
    for (let other = 0; other < count; other++) {
      if (!boxesOverlap(first.clusters.boxes, 6 * cluster, boxes, 6 * other)) continue;
      this.#clusters[this.#clusterCount++] = other;
    }
  }

  #findNodes(x: Float64Array, a: number, b: number, cluster: number, out: ContactSet, sticky: number): void {
    const [intruder, body] = [this.#bodies[a], this.#bodies[b]];
    const { start, items } = intruder.clusterNodes;
    for (let k = start[cluster]; k < start[cluster + 1]; k++) {
      const own = items[k];
      const node = intruder.firstNode + own;
      const last = this.#lastBody[node] === b ? this.#lastElement[node] : -1;
      const [px, py, pz] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
      const element = this.#elements.findAmong(
        body,
        x,
        px,
        py,
        pz,
        a === b ? own : -1,
        this.#clusters,
        this.#clusterCount,
        last,
        sticky,
      );
      if (element < 0) {
        if (last >= 0) this.#lastBody[node] = -1;
        continue;
      }
      this.#lastBody[node] = b;
      this.#lastElement[node] = element;
      this.#addInElement(intruder, body, own, element, out);
    }
  }

  #addInElement(intruder: ContactBody, body: ContactBody, own: number, element: number, out: ContactSet): void {
    const { mesh, firstNode } = body;
    const friction = pairFriction(intruder.constants.friction, body.constants.friction);
    // Both bodies intrude into each other: each way counts half.
    const weight = (pairStiffness(intruder, body) * intruder.areas[own]) / 2;
    const contact = out.add(IN_ELEMENT, -1, weight, friction);
    out.nodes[NODES * contact] = intruder.firstNode + own;
    for (let k = 0; k < 4; k++) {
      out.nodes[NODES * contact + 1 + k] = firstNode + mesh.elements[4 * element + k];
    }
    writeDepths(body, element, this.#elements.weights, out.values, VALUES * contact);
  }

  /**
   * Sharp edges of a cluster of body a across edges of body b. Two sharp ones are found from the body, or edge, of
   * lower number.
   */
  #findEdges(x: Float64Array, a: number, b: number, cluster: number, out: ContactSet): void {
    const [first, second] = [this.#bodies[a], this.#bodies[b]];
    const reach = Math.min(first.reach, second.reach);
    const { start, items } = first.clusterSharpEdges;
    const { clusterEdges } = second;
    for (let k = start[cluster]; k < start[cluster + 1]; k++) {
      const e = items[k];
      this.#writeCorners(x, first, e, this.#first);
      this.#writeEdgeBox(this.#first, reach);
      for (let c = 0; c < this.#clusterCount; c++) {
        const other = this.#clusters[c];
        if (!boxesOverlap(this.#box, 0, second.clusters.boxes, 6 * other)) continue;
        for (let i = clusterEdges.start[other]; i < clusterEdges.start[other + 1]; i++) {
          const f = clusterEdges.items[i];
          if (second.isSharp[f] === 1 && (a > b || (a === b && e >= f))) continue;
          this.#addEdges(x, first, second, e, f, reach, out);
        }
      }
    }
  }

  /** Adds a contact between two edges, if there is one. The first has been written, and its box. */
  #addEdges(
    x: Float64Array,
    first: ContactBody,
    second: ContactBody,
    e: number,
    f: number,
    reach: number,
    out: ContactSet,
  ): void {
    if (!this.#meetsBox(x, second, f)) return;
    if (first === second && areEdgesNear(first, e, f)) return;
    this.#writeCorners(x, second, f, this.#second);
    if (!this.#edges.test(this.#first, this.#second, reach)) return;
    const area = Math.min(first.edges.areas[e], second.edges.areas[f]);
    const friction = pairFriction(first.constants.friction, second.constants.friction);
    const contact = out.add(EDGES, -1, pairStiffness(first, second) * area, friction);
    for (let k = 0; k < 2; k++) {
      out.nodes[NODES * contact + k] = first.firstNode + first.edges.vertices[2 * e + k];
      out.nodes[NODES * contact + 2 + k] = second.firstNode + second.edges.vertices[2 * f + k];
    }
    out.values[VALUES * contact] = this.#edges.sign;
  }

  /** Whether the box of an edge meets the box that was written last. */
  #meetsBox(x: Float64Array, { edges, firstNode }: ContactBody, f: number): boolean {
    const a = 3 * (firstNode + edges.vertices[2 * f]);
    const b = 3 * (firstNode + edges.vertices[2 * f + 1]);
    const box = this.#box;
    for (let k = 0; k < 3; k++) {
      const p = x[a + k];
      const q = x[b + k];
      if (Math.min(p, q) > box[3 + k] || Math.max(p, q) < box[k]) return false;
    }
    return true;
  }

  #findInRigid(x: Float64Array, body: ContactBody, r: number, out: ContactSet): void {
    const obstacle = this.#obstacles[r];
    const { solid } = obstacle;
    const friction = pairFriction(body.constants.friction, obstacle.friction);
    const box = this.#box;
    this.#clearances[r] ??= new Float64Array(4 * this.#lastBody.length);
    const clear = this.#clearances[r];
    const local = this.#local;
    for (let i = 0; i < body.surfaceNodes.length; i++) {
      const own = body.surfaceNodes[i];
      const node = body.firstNode + own;
      const [px, py, pz] = [x[3 * node], x[3 * node + 1], x[3 * node + 2]];
      if (px < box[0] || py < box[1] || pz < box[2] || px > box[3] || py > box[4] || pz > box[5]) continue;
      obstacle.writeLocal(px, py, pz, local);
      const dx = local[0] - clear[4 * node];
      const dy = local[1] - clear[4 * node + 1];
      const dz = local[2] - clear[4 * node + 2];
      const way = clear[4 * node + 3];
      if (way > 0 && dx * dx + dy * dy + dz * dz < way * way) continue;
      clear[4 * node + 3] = 0;
      if (!solid.measure(local[0], local[1], local[2], body.reach)) {
        if (!(solid.distance > body.reach)) continue;
        clear.set(local, 4 * node);
        // A little less, for rounding.
        clear[4 * node + 3] = 0.999 * (solid.distance - body.reach);
        continue;
      }
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
    const { points: vertices, pointAreas: areas, radius } = obstacle.solid;
    // The nodes of a fine surface find a ball by themselves; between those of a coarse one it would slip through.
    if (body.size < FINE * radius) return;
    const friction = pairFriction(body.constants.friction, obstacle.friction);
    const { box, mesh, firstNode } = body;
    const p = this.#local;
    // A corner of large faces stands for no more than a node of the body does.
    const most = (body.size * body.size) / 2;
    for (let v = 0; v < areas.length; v++) {
      obstacle.writePoint(obstacle.frame, vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2], p, 0);
      if (p[0] < box[0] || p[1] < box[1] || p[2] < box[2] || p[0] > box[3] || p[1] > box[4] || p[2] > box[5]) continue;
      const element = this.#elements.find(body, x, p[0], p[1], p[2], -1);
      if (element < 0) continue;
      const weight = body.constants.stiffness * Math.min(areas[v], most);
      const contact = out.add(IN_ELEMENT, r, weight, friction);
      for (let k = 0; k < 4; k++) {
        out.nodes[NODES * contact + 1 + k] = firstNode + mesh.elements[4 * element + k];
      }
      writeDepths(body, element, this.#elements.weights, out.values, VALUES * contact);
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
      this.#writeEdgeBox(this.#second, body.reach);
      if (!boxesOverlap(this.#box, 0, body.box, 0)) continue;
      for (let cluster = 0; cluster < body.clusters.count; cluster++) {
        if (!boxesOverlap(this.#box, 0, body.clusters.boxes, 6 * cluster)) continue;
        const { start, items } = body.clusterEdges;
        for (let i = start[cluster]; i < start[cluster + 1]; i++)
          this.#addRigidEdges(x, body, r, e, items[i], friction, out);
      }
    }
  }

  /**
   * Adds a contact between an edge of a body and one of a rigid body, if there is one. The latter has been written, and
   * its box.
   */
  #addRigidEdges(
    x: Float64Array,
    body: ContactBody,
    r: number,
    e: number,
    f: number,
    friction: number,
    out: ContactSet,
  ): void {
    if (!this.#meetsBox(x, body, f)) return;
    this.#writeCorners(x, body, f, this.#first);
    if (!this.#edges.test(this.#first, this.#second, body.reach)) return;
    const { vertices, edges } = this.#obstacles[r].solid;
    const contact = out.add(EDGES, r, body.constants.stiffness * body.edges.areas[f], friction);
    for (let k = 0; k < 2; k++) {
      out.nodes[NODES * contact + k] = body.firstNode + body.edges.vertices[2 * f + k];
      const v = 3 * edges.vertices[2 * e + k];
      for (let axis = 0; axis < 3; axis++) out.values[VALUES * contact + 1 + 3 * k + axis] = vertices[v + axis];
    }
    out.values[VALUES * contact] = this.#edges.sign;
  }

  /** Writes the box of an edge, grown. */
  #writeEdgeBox(corners: Float64Array, reach: number): void {
    for (let k = 0; k < 3; k++) {
      this.#box[k] = Math.min(corners[k], corners[3 + k]) - reach;
      this.#box[3 + k] = Math.max(corners[k], corners[3 + k]) + reach;
    }
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
function areEdgesNear(body: ContactBody, e: number, f: number): boolean {
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
