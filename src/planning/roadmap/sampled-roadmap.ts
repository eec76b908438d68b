// A roadmap of free configurations joined by proven edges (Kavraki, Svestka, Latombe and Overmars 1996). An edge that joins
// two components is proven at once; one within a component is proven when a path wants it (Bohlin and Kavraki 2000). Nodes
// and edges that an obstacle blocks are kept with its number, so that they return when it moves away.

import type { Deadline } from '../../core/deadline.js';
import { IndexedHeap } from '../../core/heap.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { Configurations } from '../search/configurations.js';
import { EdgeList, FAILED, PROVEN, UNKNOWN } from './edge-list.js';
import { NearestNodes } from './nearest-nodes.js';
import { NearbySampler } from './random-samplers.js';
import { BLOCKED, type ConfigurationSampler } from './sampler.js';
import { BOX, boxGap, boxOfObstacle, SweptBoxes } from './swept-box.js';

/** Chosen: the count of neighbors that a new node is joined to. */
const NEIGHBORS = 12;

/** Chosen: a component of no more than this count of nodes gets samples of its own near them. */
const SMALL_COMPONENT = 8;

/** Chosen: blocked samples are kept for repairs up to this multiple of the free ones. */
const KEPT_BLOCKED = 4;

/** Chosen: the count of blocked samples that are kept in any case. */
const KEPT_FIRST = 1000;

/** Chosen: edges to companions that end at an obstacle are cut back to this share. */
const CUT_BACK = 0.9;

/** Chosen: edges shorter than this share of the scale are not added. */
const MIN_EDGE = 0.05;

/** Chosen: after this count of failed edges of shortest paths only proven edges count. */
const LAZY_FAILURES = 40;

/** What the repair of a roadmap has done. */
export interface RoadmapRepair {
  /** Nodes and edges that were tested again against the obstacle that moved. */
  readonly nodesTested: number;
  readonly edgesTested: number;
  readonly nodesLost: number;
  readonly edgesLost: number;
  /** Blocked samples that are nodes now. */
  readonly nodesFound: number;
}

export class SampledRoadmap {
  readonly scene: CollisionScene;
  readonly nodes = new Configurations();
  readonly edges = new EdgeList();
  /** Edges proven by the clearances known at their ends, without a query. */
  covered = 0;
  sampler: ConfigurationSampler;
  /** Of each node: whether it is free, the obstacle that blocks it, how far everything is known to be away from it. */
  readonly free: boolean[] = [];
  readonly blockers: number[] = [];
  readonly clearances: number[] = [];
  readonly nearest: NearestNodes;
  readonly #isListed: boolean[] = [];
  /** Whether a node was found to be free here, and not only in a file. */
  readonly #isTested: boolean[] = [];
  /** The parent of each node in the tree of its component (Tarjan 1975), and the sizes of components. */
  #parents: number[] = [];
  #sizes: number[] = [];
  #freeCount = 0;
  readonly #near: NearbySampler;
  readonly #boxes: SweptBoxes;
  readonly #q: Float64Array;

  constructor(scene: CollisionScene, sampler: ConfigurationSampler) {
    this.scene = scene;
    this.sampler = sampler;
    this.nearest = new NearestNodes(this.nodes, (a, b) => scene.separation(a, b));
    this.#near = new NearbySampler(scene);
    this.#boxes = new SweptBoxes(scene);
    this.#q = new Float64Array(scene.size);
  }

  get freeCount(): number {
    return this.#freeCount;
  }

  /** Edges that are proven, or said to be. */
  get heldEdges(): number {
    let count = 0;
    for (let edge = 0; edge < this.edges.count; edge++) if (this.edges.isHeld(edge)) count++;
    return count;
  }

  /** Adds a free configuration and joins it to its neighbors; returns its node, an old one where that is the same. */
  insert(q: Float64Array, clearance = 0): number {
    this.nearest.find(q, 1, (node) => this.free[node]);
    if (this.nearest.distances[0] === 0) return this.nearest.found[0];
    const node = this.append(q, -1, clearance);
    this.#connect(node);
    return node;
  }

  /** Adds a path whose edges are proven. */
  addPath(path: readonly Float64Array[]): void {
    let last = -1;
    for (const q of path) {
      const node = this.insert(q);
      if (last >= 0 && last !== node) {
        let edge = this.edges.find(last, node);
        if (edge < 0) edge = this.edges.add(last, node, this.scene.separation(this.nodes.at(last), q));
        if (this.edges.states[edge] !== PROVEN) this.#hold(edge);
      }
      last = node;
    }
  }

  /**
   * Adds a configuration without edges; `blocker` is −1 for a free one.
   * @param isTested whether it was found to be free here.
   */
  append(q: Float64Array, blocker: number, clearance: number, isTested = true): number {
    const node = this.nodes.add(q);
    this.edges.addNode();
    this.blockers.push(blocker);
    this.clearances.push(clearance);
    this.free.push(false);
    this.#isListed.push(false);
    this.#isTested.push(isTested);
    this.#parents.push(node);
    this.#sizes.push(1);
    if (blocker < 0) this.#setFree(node);
    return node;
  }

  /** Draws a number of samples, or until the time is over. */
  grow(samples: number, random: Random, deadline: Deadline): void {
    for (let i = 0; i < samples && !deadline.isOver('Sampling'); i++) this.#sample(random);
  }

  /** Samples until two nodes are in one component; false when the time is over, or after the count of samples given. */
  join(a: number, b: number, random: Random, deadline: Deadline, samples = Infinity): boolean {
    for (let turn = 0; this.component(a) !== this.component(b); turn++) {
      if (turn >= samples || deadline.isOver('Sampling')) return false;
      const end = turn % 8 === 0 ? a : turn % 8 === 4 ? b : -1;
      if (end >= 0 && this.#sizes[this.component(end)] < SMALL_COMPONENT) this.#sampleNear(end, random);
      else this.#sample(random);
    }
    return true;
  }

  /** The node that stands for the component of a node. */
  component(node: number): number {
    let at = node;
    while (this.#parents[at] !== at) {
      this.#parents[at] = this.#parents[this.#parents[at]];
      at = this.#parents[at];
    }
    return at;
  }

  /**
   * A short path of proven edges between two nodes of a component (Hart, Nilsson and Raphael 1968). Edges that are not
   * decided yet are proven on the way. Null if what a file said did not hold and there is no other path.
   */
  path(from: number, to: number): Float64Array[] | null {
    for (let failures = 0; ; ) {
      const way = this.#shortest(from, to, failures < LAZY_FAILURES);
      if (way === null) {
        if (failures >= LAZY_FAILURES) return null;
        failures = LAZY_FAILURES;
        continue;
      }
      let holds = true;
      for (const edge of way.edges) {
        const wasHeld = this.edges.isHeld(edge);
        if (this.edges.states[edge] === PROVEN || this.#prove(edge)) continue;
        failures++;
        holds = false;
        if (wasHeld) this.#findComponents();
        break;
      }
      if (holds) return way.nodes.map((node) => this.nodes.at(node).slice());
    }
  }

  /** Moves an obstacle. What it does not reach keeps its proof, the rest is tested against it alone. */
  repair(index: number, pose: ReadonlyPose, random: Random): RoadmapRepair {
    const { scene, edges } = this;
    const before = boxOfObstacle(scene.obstacles[index]);
    scene.moveObstacle(index, pose);
    const after = boxOfObstacle(scene.obstacles[index]);
    const counts = { nodesTested: 0, edgesTested: 0, nodesLost: 0, edgesLost: 0, nodesFound: 0 };
    const boxes = this.#nodeBoxes();
    const boxOf = (node: number): Float64Array => boxes.subarray(BOX * node, BOX * node + BOX);
    const found: number[] = [];
    for (let node = 0; node < this.nodes.count; node++) {
      const q = this.nodes.at(node);
      if (this.free[node]) {
        const gap = boxGap(boxOf(node), after);
        this.clearances[node] = Math.min(this.clearances[node], gap);
        if (gap > scene.clearance) continue;
        counts.nodesTested++;
        if (scene.isFree(q, index)) continue;
        this.#lose(node, index);
        counts.nodesLost++;
      } else if (this.blockers[node] === index) {
        counts.nodesTested++;
        if (scene.isFree(q)) found.push(node);
        else if (scene.blocker >= 0) this.blockers[node] = scene.blocker;
      }
    }
    const box = new Float64Array(BOX);
    const undecided: number[] = [];
    for (let edge = 0; edge < edges.count; edge++) {
      const [a, b] = [edges.from[edge], edges.to[edge]];
      if (edges.isHeld(edge)) {
        this.#boxes.ofEdge(this.nodes.at(a), this.nodes.at(b), boxOf(a), boxOf(b), box);
        if (boxGap(box, after) > scene.clearance) continue;
        counts.edgesTested++;
        if (scene.advance(this.nodes.at(a), this.nodes.at(b), scene.clearance, index) === 1) continue;
        this.#fail(edge, index);
        counts.edgesLost++;
      } else if (edges.states[edge] === FAILED && edges.blockers[edge] === index) {
        edges.states[edge] = UNKNOWN;
        undecided.push(edge);
      }
    }
    for (const node of found) {
      this.#isTested[node] = true;
      this.#setFree(node);
    }
    counts.nodesFound = found.length;
    this.#findComponents();
    for (const edge of undecided) this.#proveBetween(edge);
    for (const node of found) this.#connect(node);
    this.sampler.obstacleMoved(index, before, after);
    // As many samples as were lost, where the obstacle was and is if the sampler knows.
    for (let i = 0; i < counts.nodesLost; i++) this.#sample(random);
    return counts;
  }

  /** Brings components up to date after edges were added as they are. */
  refresh(): void {
    this.#findComponents();
  }

  #sample(random: Random): void {
    this.scene.counters.samples++;
    const clearance = this.sampler.draw(random, this.#q);
    if (clearance >= 0) this.#addSample(clearance);
    else if (clearance === BLOCKED) this.#keepBlocked(this.#q);
  }

  /** Adds the last sample and what its companions reach, then joins all to their neighbors. */
  #addSample(clearance: number): void {
    const { scene } = this;
    const node = this.append(this.#q, -1, clearance);
    const added = [node];
    const q = this.nodes.at(node);
    for (const target of this.sampler.companions) {
      const share = scene.advance(q, target);
      const length = scene.separation(q, target);
      if (!(share * length > MIN_EDGE * scene.scale)) continue;
      if (share < 1) scene.interpolate(q, target, CUT_BACK * share, target);
      const end = this.append(target, -1, 0);
      this.#hold(this.edges.add(node, end, scene.separation(q, target)));
      added.push(end);
    }
    for (const other of added) this.#connect(other);
  }

  #keepBlocked(q: Float64Array): void {
    const { blocker } = this.scene;
    const blocked = this.nodes.count - this.#freeCount;
    if (blocker >= 0 && blocked < KEPT_BLOCKED * this.#freeCount + KEPT_FIRST) this.append(q, blocker, 0);
  }

  /** A sample around a node of a small component. */
  #sampleNear(node: number, random: Random): void {
    this.scene.counters.samples++;
    this.#near.draw(random, this.nodes.at(node), this.scene.scale * random.next(), this.#q);
    if (this.scene.isFree(this.#q)) this.#connect(this.append(this.#q, -1, 0));
  }

  #connect(node: number): void {
    const q = this.nodes.at(node);
    this.nearest.find(q, NEIGHBORS, (other) => other !== node && this.free[other]);
    const { found, distances } = this.nearest;
    for (let i = 0; i < found.length; i++) {
      let edge = this.edges.find(node, found[i]);
      if (edge < 0) edge = this.edges.add(node, found[i], distances[i]);
      this.#proveBetween(edge);
    }
  }

  /** Proves an edge whose ends are in two components. */
  #proveBetween(edge: number): void {
    const [a, b] = [this.edges.from[edge], this.edges.to[edge]];
    if (this.edges.states[edge] !== UNKNOWN || !this.free[a] || !this.free[b]) return;
    if (this.component(a) !== this.component(b)) this.#prove(edge);
  }

  #prove(edge: number): boolean {
    const { scene, edges } = this;
    const [a, b] = [edges.from[edge], edges.to[edge]];
    const [from, to] = [this.nodes.at(a), this.nodes.at(b)];
    // No point moves farther than the edge is long: distances at its ends cover it where they reach each other.
    const reach = this.clearances[a] + this.clearances[b] - 2 * scene.clearance;
    for (const node of [a, b]) {
      if (this.#isTested[node]) continue;
      this.#isTested[node] = true;
      if (scene.isFree(this.nodes.at(node))) continue;
      // A file said that it is free.
      this.#lose(node, scene.blocker);
      this.#findComponents();
      return false;
    }
    const isCovered =
      reach * (1 - 1e-12) > edges.lengths[edge] && scene.robots.every((robot) => robot.hasWay(from, to));
    if (isCovered) this.covered++;
    else if (!scene.proves(from, to)) {
      this.#fail(edge, scene.blocker);
      return false;
    }
    this.#hold(edge);
    return true;
  }

  #hold(edge: number): void {
    this.edges.states[edge] = PROVEN;
    this.scene.counters.edges++;
    this.#unite(this.edges.from[edge], this.edges.to[edge]);
  }

  #lose(node: number, blocker: number): void {
    this.free[node] = false;
    this.blockers[node] = blocker;
    this.#freeCount--;
    for (const edge of this.edges.ofNode[node]) this.#fail(edge, blocker);
  }

  #fail(edge: number, blocker: number): void {
    this.edges.states[edge] = FAILED;
    this.edges.blockers[edge] = blocker;
  }

  #setFree(node: number): void {
    this.free[node] = true;
    this.blockers[node] = -1;
    this.#freeCount++;
    this.scene.counters.vertices++;
    if (this.#isListed[node]) return;
    this.#isListed[node] = true;
    this.nearest.add(node);
  }

  #unite(a: number, b: number): void {
    const [to, from] = [this.component(a), this.component(b)];
    if (to === from) return;
    this.#parents[from] = to;
    this.#sizes[to] += this.#sizes[from];
  }

  #findComponents(): void {
    this.#parents = Array.from({ length: this.nodes.count }, (_, node) => node);
    this.#sizes = this.#parents.map(() => 1);
    for (let edge = 0; edge < this.edges.count; edge++) {
      if (this.edges.isHeld(edge)) this.#unite(this.edges.from[edge], this.edges.to[edge]);
    }
  }

  #nodeBoxes(): Float64Array {
    const boxes = new Float64Array(BOX * this.nodes.count);
    for (let node = 0; node < this.nodes.count; node++) {
      this.#boxes.ofConfiguration(this.nodes.at(node), boxes.subarray(BOX * node, BOX * node + BOX));
    }
    return boxes;
  }

  #shortest(from: number, to: number, isLazy: boolean): { readonly nodes: number[]; readonly edges: number[] } | null {
    const { edges, scene } = this;
    const goal = this.nodes.at(to);
    const costs = new Float64Array(this.nodes.count).fill(Infinity);
    const by = new Int32Array(this.nodes.count).fill(-1);
    const heap = new IndexedHeap(this.nodes.count);
    costs[from] = 0;
    heap.set(from, 0);
    while (heap.size > 0) {
      const node = heap.pop();
      if (node === to) break;
      for (const edge of edges.ofNode[node]) {
        const state = edges.states[edge];
        if (state === FAILED || (state === UNKNOWN && !isLazy)) continue;
        const other = edges.otherEnd(edge, node);
        const cost = costs[node] + edges.lengths[edge];
        if (!this.free[other] || !(cost < costs[other])) continue;
        costs[other] = cost;
        by[other] = edge;
        heap.set(other, cost + scene.separation(this.nodes.at(other), goal));
      }
    }
    if (costs[to] === Infinity) return null;
    const [nodes, way]: [number[], number[]] = [[to], []];
    for (let at = to; at !== from; ) {
      way.push(by[at]);
      at = edges.otherEnd(by[at], at);
      nodes.push(at);
    }
    return { nodes: nodes.reverse(), edges: way.reverse() };
  }
}
