// Searches over two hierarchies of hulls (Ehmann and Lin 2001, sections 6 and 7): pairs of hulls are tested by Voronoi
// marching and pruned, settled by the classes of their closest features, or split; with piece caching, priority
// directed search and generalized front tracking. Near zero, and near a limit, the triangles themselves decide.
import { IndexedHeap } from '../../core/heap.js';
import { FACE_REGION } from '../../mesh/triangle/triangle-region.js';
import { type Coherence, resolveCoherence } from '../coherence.js';
import { HullCones } from '../contact/contact-hull-cones.js';
import type { PairOptions } from '../options.js';
import { createOutcome, type SurfaceSearch, type TrianglePairSink } from '../surface-search.js';
import { HullFront } from './hull-front.js';
import { HullPairTest, PRUNED, SETTLED, SPLIT_A, SPLIT_B, TRIANGLES } from './hull-pair-test.js';
import type { HullSurface } from './hull-surface.js';
import { HullTriangles } from './hull-triangles.js';

/**
 * Rounding: a march is off by less than this share of the largest coordinates; smaller differences of distances are
 * ignored.
 */
const HULL_ROUNDING = 1e-12;
/** Rounding: one sum of motions is off by less than this share of the size, up to {@link MOTION_SPAN} sizes. */
const MOTION_ROUNDING = 4e-15;
/**
 * Chosen: the sum of motions restarts from zero at this many sizes, so that it rounds by less than {@link
 * MOTION_ROUNDING}.
 */
const MOTION_SPAN = 16;

/** Label: the kind of a search for triangles that cross. */
const INTERSECTION = 0;
/** Label: the kind of a search for triangles within a tolerance. */
const TOLERANCE = 1;
/** Label: the kind of a search for the nearest triangles. */
const DISTANCE = 2;
/** Label: the kind of a search for all triangles within a tolerance that may carry a contact. */
const CONTACTS = 3;

/** Searches two surfaces by their hierarchies of hulls. */
export class HullSearch implements SurfaceSearch {
  readonly outcome = createOutcome();
  readonly #coherence: Coherence;
  readonly #front = new HullFront();
  readonly #queue = new IndexedHeap();
  readonly #pairs: HullPairTest;
  readonly #triangles: HullTriangles;
  readonly #cones: HullCones;
  /** The number of the query; marks visited nodes. */
  #query = 0;
  /** The total motion that the bounds of the front refer to. */
  #motion = 0;
  #slack = 0;

  #kind = INTERSECTION;
  #limit = 0;
  #absoluteError = 0;
  #relativeError = 0;
  /** Pieces whose triangles will be offered once it is known that nothing crosses. */
  readonly #contactsA: number[] = [];
  readonly #contactsB: number[] = [];
  #usesCones = false;
  /** Pairs at least this far apart are pruned. */
  #threshold = 0;
  /** The smallest distance found between the surfaces, and its triangles; −1 if found without triangles. */
  #best = Infinity;
  #bestA = -1;
  #bestB = -1;
  /** The smallest distance found on CONTAINED faces: the surfaces come nearer, but the triangles are unknown. */
  #assured = Infinity;
  /** The smallest bound that was pruned. */
  #lowest = Infinity;
  /** The search is complete. */
  #ended = false;
  /** Two pieces overlap at the outcome's point. */
  #overlapping = false;
  #skipped = 0;
  /** Number of pairs at distance zero queued so far. */
  #queued = 0;

  /** The pieces that decided the last query, a bound on their distance (as in the front), and their closest features. */
  #cachedA = -1;
  #cachedB = -1;
  #cachedReach = -Infinity;
  #cachedSeedA = -1;
  #cachedSeedB = -1;
  /** The pieces that were tested first in this query, and the result. */
  #firstA = -1;
  #firstB = -1;
  #firstDistance = 0;
  readonly #a: HullSurface;
  readonly #b: HullSurface;
  readonly #closedA: boolean;
  readonly #closedB: boolean;

  constructor(a: HullSurface, b: HullSurface, closedA: boolean, closedB: boolean, options: PairOptions = {}) {
    this.#a = a;
    this.#b = b;
    this.#closedA = closedA;
    this.#closedB = closedB;
    this.#coherence = resolveCoherence(options);
    this.#pairs = new HullPairTest(a, b);
    this.#triangles = new HullTriangles(a, b);
    this.#cones = new HullCones(a, b);
  }

  get bytes(): number {
    return this.#front.bytes + this.#triangles.bytes;
  }

  reset(): void {
    this.#front.reset();
    this.#motion = 0;
    this.#cachedA = -1;
    this.#cachedB = -1;
  }

  testIntersection(placement: Float64Array, motion: number): boolean {
    this.#begin(INTERSECTION, placement, motion, 0);
    this.#search();
    return this.#finish();
  }

  testTolerance(placement: Float64Array, motion: number, tolerance: number): boolean {
    this.#begin(TOLERANCE, placement, motion, tolerance);
    this.#search();
    return this.#finish();
  }

  measureDistance(
    placement: Float64Array,
    motion: number,
    cutoff: number,
    absoluteError: number,
    relativeError: number,
  ): boolean {
    this.#absoluteError = absoluteError;
    this.#relativeError = relativeError;
    this.#begin(DISTANCE, placement, motion, cutoff);
    this.#search();
    return this.#finish();
  }

  findContacts(placement: Float64Array, motion: number, tolerance: number, sink: TrianglePairSink): boolean {
    this.#contactsA.length = 0;
    this.#contactsB.length = 0;
    this.#begin(CONTACTS, placement, motion, tolerance);
    if (sink.surfaces) {
      this.#usesCones = true;
      this.#cones.place(placement, this.#slack, sink.surfaces);
    }
    this.#search();
    const crosses = this.#finish();
    if (!crosses) this.#offerTriangles(sink);
    return !crosses;
  }

  #begin(kind: number, placement: Float64Array, motion: number, limit: number): void {
    this.#kind = kind;
    this.#limit = limit;
    this.#usesCones = false;
    this.#pairs.place(placement);
    this.#triangles.place(placement);
    const travel = Math.abs(placement[3]) + Math.abs(placement[7]) + Math.abs(placement[11]);
    this.#slack = HULL_ROUNDING * (this.#a.extent + this.#b.extent + travel);
    this.#threshold = limit + this.#slack;
    this.#best = Infinity;
    this.#bestA = -1;
    this.#bestB = -1;
    this.#assured = Infinity;
    this.#lowest = Infinity;
    this.#overlapping = false;
    this.#skipped = 0;
    this.#addMotion(motion);
  }

  #addMotion(motion: number): void {
    const size = this.#a.extent + this.#b.extent;
    if (motion > 0) this.#motion += motion + MOTION_ROUNDING * size;
    if (motion === Infinity || Number.isNaN(motion)) {
      this.#front.forgetDistances();
      this.#cachedReach = -Infinity;
      this.#motion = 0;
    } else if (this.#motion > MOTION_SPAN * size) {
      this.#front.rebase(this.#motion);
      this.#cachedReach -= this.#motion;
      this.#motion = MOTION_ROUNDING * size;
    }
  }

  #search(): void {
    this.#traverse(this.#closedA, this.#closedB);
    // CONTAINED faces may have shown that an answer exists although its triangles have not been found. This is rare: it
    // happens where a patch meets the rest of its piece.
    if (!this.#overlapping && this.#assured + this.#slack < this.#best) this.#traverse(false, false);
  }

  #traverse(containedA: boolean, containedB: boolean): void {
    const coherence = this.#coherence;
    const front = this.#front;
    this.#pairs.trust(containedA, containedB);
    this.#query++;
    this.#ended = false;
    this.#firstA = -1;
    this.#queued = 0;
    if (!coherence.frontTracking) front.reset();
    if (coherence.pieceCaching) this.#tryCached();
    if (!this.#ended) {
      if (coherence.prioritySearch && this.#kind === DISTANCE) this.#searchByPriority();
      else this.#walk(0, false);
    }
    if (coherence.frontTracking) this.#settleFront();
  }

  // ---- pairs -----------------------------------------------------------------------------------------------------------

  /** Tests the hulls of a pair; returns the next step. */
  #test(node: number): number {
    const front = this.#front;
    const pairs = this.#pairs;
    const nodeA = front.nodeA[node];
    const nodeB = front.nodeB[node];
    let distance = 0;
    if (nodeA === this.#firstA && nodeB === this.#firstB) {
      distance = this.#firstDistance;
      front.action[node] = PRUNED;
      front.seedA[node] = this.#cachedSeedA;
      front.seedB[node] = this.#cachedSeedB;
    } else {
      distance = this.#clamp(pairs.run(nodeA, nodeB, front.seedA[node], front.seedB[node]));
      front.seedA[node] = pairs.march.featureA;
      front.seedB[node] = pairs.march.featureB;
      const isFar = this.#prunes(distance) || this.#facesAway(node, distance);
      front.action[node] = isFar ? PRUNED : pairs.decide(nodeA, nodeB, this.#needsTriangles(distance));
    }
    front.distance[node] = distance;
    front.tested[node] = this.#query;
    const reach = distance + this.#motion;
    if (reach > front.reach[node] || !this.#coherence.motionBounds) front.reach[node] = reach;
    return front.action[node];
  }

  /** Whether normals show that a pair at distance `bound` or more holds no contact; nothing crosses below it then. */
  #facesAway(node: number, bound: number): boolean {
    const front = this.#front;
    const cones = this.#cones;
    return this.#usesCones && bound > this.#slack && !cones.hullsFace(front.nodeA[node], front.nodeB[node]);
  }

  /** Distances that rounding cannot distinguish from zero become zero, so that nothing prunes them. */
  #clamp(distance: number): number {
    return distance < this.#slack ? 0 : distance;
  }

  #prunes(bound: number): boolean {
    if (bound < this.#threshold) return false;
    if (bound < this.#lowest) this.#lowest = bound;
    return true;
  }

  #needsTriangles(distance: number): boolean {
    return this.#kind === CONTACTS || distance === 0 || Math.abs(distance - this.#limit) < this.#slack;
  }

  /** Splits a pair as its test requires; returns the first of the two new ones. */
  #split(node: number): number {
    const front = this.#front;
    const nodeA = front.nodeA[node];
    const nodeB = front.nodeB[node];
    const splitsA = front.action[node] === SPLIT_A;
    const children = splitsA ? this.#a.hierarchy.children : this.#b.hierarchy.children;
    const at = splitsA ? 2 * nodeA : 2 * nodeB;
    const first = splitsA
      ? front.split(node, children[at], nodeB, children[at + 1], nodeB, this.#query)
      : front.split(node, nodeA, children[at], nodeA, children[at + 1], this.#query);
    const reach = front.distance[node] + this.#motion;
    front.reach[first] = reach;
    front.reach[first + 1] = reach;
    front.visited[first] = this.#query;
    front.visited[first + 1] = this.#query;
    return first;
  }

  /** Records the distance of hulls whose closest features are parts of the surfaces, or of the solids. */
  #takeSettled(distance: number): void {
    const pairs = this.#pairs;
    const triangleA = pairs.triangleA();
    const triangleB = pairs.triangleB();
    if (triangleA >= 0 && triangleB >= 0) {
      this.#take(triangleA, triangleB, distance);
      return;
    }
    if (distance > this.#limit || distance >= this.#assured) return;
    this.#assured = distance;
    // The triangles have not been found yet, so no error is allowed here, and rounding must not prune them.
    if (this.#kind === DISTANCE) this.#threshold = Math.min(this.#threshold, distance + 2 * this.#slack);
  }

  /** Records a distance that two triangles have, exactly or nearly. */
  #take(triangleA: number, triangleB: number, distance: number): void {
    if (distance > this.#limit || (this.#bestA >= 0 && distance >= this.#best)) return;
    this.#best = distance;
    this.#bestA = triangleA;
    this.#bestB = triangleB;
    this.#ended = this.#kind !== DISTANCE || distance === 0;
    const threshold = Math.min(distance - this.#absoluteError, distance / (1 + this.#relativeError));
    // An allowed error never hides an intersection: pairs at distance zero stay.
    if (threshold < this.#threshold) this.#threshold = Math.max(threshold, Number.MIN_VALUE);
  }

  /** Searches the triangles of two pieces that were just tested. */
  #lookAtTriangles(nodeA: number, nodeB: number, distance: number): void {
    if (distance === 0 && this.#closedA && this.#closedB && this.#pairs.overlapClearly(nodeA, nodeB, this.#slack)) {
      this.outcome.pointA.set(this.#pairs.march.pointA);
      this.#overlapping = true;
      this.#ended = true;
      this.#remember(nodeA, nodeB);
      return;
    }
    const triangles = this.#triangles;
    const kind = this.#kind;
    const crossing = kind === INTERSECTION || kind === CONTACTS;
    if (kind === CONTACTS && distance > 0) return;
    triangles.gather(nodeA, nodeB, crossing ? this.#slack : this.#threshold);
    for (let i = 0; i < triangles.countA; i++) {
      const triangleA = triangles.nearA[i];
      for (let j = 0; j < triangles.countB; j++) {
        const triangleB = triangles.nearB[j];
        // Each nearer pair lowers the threshold; otherwise large patches would test all their pairs.
        if (triangles.areApart(triangleA, triangleB, crossing ? this.#slack : this.#threshold)) continue;
        if (crossing) {
          if (triangles.cross(triangleA, triangleB)) this.#take(triangleA, triangleB, 0);
        } else this.#take(triangleA, triangleB, triangles.measure(triangleA, triangleB));
        if (this.#ended) return;
      }
    }
    this.#lowest = Math.min(this.#lowest, this.#threshold);
  }

  /** Offers the triangles of the pieces that were postponed until it was known that nothing crosses. */
  #offerTriangles(sink: TrianglePairSink): void {
    const triangles = this.#triangles;
    const cones = this.#cones;
    const contactsA = this.#contactsA;
    const contactsB = this.#contactsB;
    for (let pair = 0; pair < contactsA.length; pair++) {
      const nodeA = contactsA[pair];
      const nodeB = contactsB[pair];
      triangles.gather(nodeA, nodeB, this.#threshold);
      if (this.#usesCones) {
        triangles.countA = cones.filterA(triangles.nearA, triangles.countA, nodeB);
        triangles.countB = cones.filterB(triangles.nearB, triangles.countB, nodeA);
      }
      for (let i = 0; i < triangles.countA; i++) {
        for (let j = 0; j < triangles.countB; j++) sink.offer(triangles.nearA[i], triangles.nearB[j]);
      }
    }
  }

  // ---- order -----------------------------------------------------------------------------------------------------------

  /** Tests the pieces that decided the last query before all others (section 7.1). */
  #tryCached(): void {
    const pairs = this.#pairs;
    const kind = this.#kind;
    const nodeA = this.#cachedA;
    const nodeB = this.#cachedB;
    if (nodeA < 0 || this.#cachedReach - this.#motion >= this.#threshold) return;
    const distance = this.#clamp(pairs.run(nodeA, nodeB, this.#cachedSeedA, this.#cachedSeedB));
    this.#cachedSeedA = pairs.march.featureA;
    this.#cachedSeedB = pairs.march.featureB;
    this.#cachedReach = distance + this.#motion;
    // Contacts need every pair of pieces anyway: this one is only tested for a crossing.
    this.#firstA = kind === CONTACTS ? -1 : nodeA;
    this.#firstB = nodeB;
    this.#firstDistance = distance;
    if (this.#prunes(distance)) return;
    const action = pairs.decide(nodeA, nodeB, this.#needsTriangles(distance));
    if (action === SETTLED) this.#takeSettled(distance);
    else this.#lookAtTriangles(nodeA, nodeB, distance);
  }

  /** Whether all pairs below a node are known to be too far apart to matter, without a test. */
  #isLeftAlone(node: number): boolean {
    const front = this.#front;
    const isNew = front.visited[node] === this.#query;
    if (!isNew && !this.#coherence.motionBounds) return false;
    if (this.#facesAway(node, front.reach[node] - this.#motion)) return true;
    if (!this.#prunes(front.reach[node] - this.#motion)) return false;
    if (!isNew) this.#skipped += front.leaves[node];
    return true;
  }

  /**
   * Visits the pairs below a node of the tree in order, splitting leaves where needed (algorithm 2), or queues them to
   * begin a search by priority.
   */
  #walk(top: number, queueing: boolean): void {
    const front = this.#front;
    const query = this.#query;
    const keeps = this.#coherence.frontTracking;
    let node = top;
    for (;;) {
      const leftAlone = this.#isLeftAlone(node);
      front.visited[node] = query;
      if (!leftAlone) {
        let next = front.child[node];
        if (next === 0) {
          if (queueing) this.#enqueueLeaf(node);
          else next = this.#resolve(node);
          if (this.#ended) return;
        }
        if (next !== 0) {
          node = next;
          continue;
        }
      }
      // On to the sibling, or up until there is one.
      while (node !== top && (node & 1) === 0) {
        node = front.parent[node];
        if (!queueing && (!keeps || this.#isFrontFull())) front.join(node, query);
      }
      if (node === top) return;
      node++;
    }
  }

  /** Tests a pair and takes the next step; returns its first child if it was split, otherwise 0. */
  #resolve(node: number): number {
    const front = this.#front;
    const action = front.tested[node] === this.#query ? front.action[node] : this.#test(node);
    if (action === SPLIT_A || action === SPLIT_B) return this.#split(node);
    if (action === SETTLED) this.#takeSettled(front.distance[node]);
    else if (action === TRIANGLES) {
      this.#lookAtTriangles(front.nodeA[node], front.nodeB[node], front.distance[node]);
      if (this.#kind === CONTACTS) {
        this.#contactsA.push(front.nodeA[node]);
        this.#contactsB.push(front.nodeB[node]);
      }
    }
    return 0;
  }

  /** Nearest pair first, by the best known bound before its test and by its distance after it (section 7.2). */
  #searchByPriority(): void {
    const front = this.#front;
    const queue = this.#queue;
    this.#walk(0, true);
    while (!this.#ended && queue.size > 0 && !this.#prunes(Math.max(0, queue.minKey()))) {
      const node = queue.pop();
      if (front.tested[node] !== this.#query && !this.#testQueued(node)) continue;
      if (front.action[node] === TRIANGLES) {
        this.#lookAtTriangles(front.nodeA[node], front.nodeB[node], front.distance[node]);
        continue;
      }
      const first = this.#split(node);
      this.#enqueue(first, front.distance[node]);
      if (!this.#ended) this.#enqueue(first + 1, front.distance[node]);
    }
    queue.clear();
  }

  /** Tests a pair from the queue; false when it is finished, or back in the queue behind others. */
  #testQueued(node: number): boolean {
    const action = this.#test(node);
    const distance = this.#front.distance[node];
    if (action === SETTLED) this.#takeSettled(distance);
    if (action === SETTLED || action === PRUNED) return false;
    if (distance === 0 || distance <= this.#queue.minKey()) return true;
    this.#queue.set(node, distance);
    return false;
  }

  /** Queues a leaf of the front; without motion bounds nothing is known about it, so it is tested. */
  #enqueueLeaf(node: number): void {
    if (this.#coherence.motionBounds) {
      this.#enqueue(node, Math.max(0, this.#front.reach[node] - this.#motion));
      return;
    }
    const action = this.#test(node);
    const distance = this.#front.distance[node];
    if (action === SETTLED) this.#takeSettled(distance);
    else if (action !== PRUNED) this.#enqueue(node, distance);
  }

  /** Queues a pair, or searches it at once when the queue is full. */
  #enqueue(node: number, bound: number): void {
    if (this.#queue.size >= this.#coherence.queueSize) this.#walk(node, false);
    // Of pairs that intersect the latest comes first: depth-first search finds a crossing sooner than breadth-first.
    else this.#queue.set(node, bound > 0 ? bound : -++this.#queued);
  }

  // ---- front -----------------------------------------------------------------------------------------------------------

  #isFrontFull(): boolean {
    return this.#front.exceeds(this.#coherence.frontSize);
  }

  #settleFront(): void {
    const nearest = this.#overlapping ? 0 : this.#best;
    const far = this.#slack + (this.#kind === DISTANCE ? Math.min(nearest, this.#limit) : this.#limit);
    this.#front.settle(this.#query, this.#motion + far, this.#coherence.frontSize);
    this.outcome.frontSize = this.#front.leaves[0];
  }

  // ---- answer ----------------------------------------------------------------------------------------------------------

  /** Writes the outcome; returns whether an answer was found. */
  #finish(): boolean {
    const { outcome } = this;
    const triangles = this.#triangles;
    let found = this.#overlapping;
    outcome.triangleA = -1;
    outcome.triangleB = -1;
    outcome.regionA = FACE_REGION;
    outcome.regionB = FACE_REGION;
    outcome.distance = found ? 0 : Infinity;
    if (found) outcome.pointB.set(outcome.pointA);
    else if (this.#bestA >= 0) {
      const distance = triangles.measure(this.#bestA, this.#bestB);
      found = distance <= this.#limit;
      if (found) {
        outcome.triangleA = this.#bestA;
        outcome.triangleB = this.#bestB;
        outcome.distance = distance;
        outcome.pointA.set(triangles.distance.pointA);
        outcome.pointB.set(triangles.distance.pointB);
        outcome.regionA = triangles.distance.regionA;
        outcome.regionB = triangles.distance.regionB;
        this.#remember(this.#a.leafOfTriangle[this.#bestA], this.#b.leafOfTriangle[this.#bestB]);
      }
    }
    // A search that ended early has not visited everything.
    outcome.lowerBound = found && this.#kind !== DISTANCE ? 0 : Math.min(this.#lowest, outcome.distance);
    outcome.volumePairs = this.#pairs.count;
    outcome.marchSteps = this.#pairs.steps;
    outcome.trianglePairs = triangles.count;
    outcome.frontSkipped = this.#skipped;
    if (!this.#coherence.frontTracking) outcome.frontSize = 0;
    return found;
  }

  #remember(nodeA: number, nodeB: number): void {
    if (nodeA === this.#cachedA && nodeB === this.#cachedB) return;
    this.#cachedA = nodeA;
    this.#cachedB = nodeB;
    this.#cachedReach = -Infinity;
    this.#cachedSeedA = -1;
    this.#cachedSeedB = -1;
  }
}
