// Joins the components of a roadmap by trees that grow towards random configurations, and towards each other (Kuffner and
// LaValle 2000, for any number of trees). The smaller of the two trees of start and goal grows, so that one that is held
// gets the samples, and half of these are from around it: samples far off all lead to the same few nodes at its rim. Edges
// are whole steps or nothing, since nodes at obstacles are nearest to most samples and lead nowhere. How long steps are
// follows from how many are free.

import type { Deadline } from '../../core/deadline.js';
import type { Random } from '../../core/random.js';
import type { SearchScene } from '../../kinematics/validity/search-scene.js';
import type { RoadmapGraph } from './roadmap.js';

/** Chosen: the length of the first step, as a share of the mean distance of configurations. */
const FIRST_STEP = 0.06;

/** Chosen: the longest step, as a share of the mean distance of configurations. */
const LONGEST_STEP = 0.4;

/** Chosen: the shortest step, as a share of the scale. */
const SHORTEST_STEP = 1e-3;

/** Chosen: a free step makes the next ones longer by this factor. */
const LONGER = 1.1;

/** Chosen: the length of steps stays as it is if this share of them is free. */
const FREE_SHARE = 0.02;

/** Proven: a step that is not free makes the next ones shorter by this factor, so that lengths stay at that share. */
const SHORTER = LONGER ** (-FREE_SHARE / (1 - FREE_SHARE));

/** Chosen: the share of samples from around the tree that grows. */
const AROUND = 0.5;

/** Chosen: how far these samples may be from the tree, in steps. */
const AROUND_REACH = 1.5;

/** Chosen: the most components, besides those of start and goal, that are tried from each new node. */
const MAX_OTHERS = 3;

/** Writes where the next edge is to lead. */
export type Sampler = (random: Random, out: Float64Array) => void;

/**
 * Grows the components of start and goal, and tries all others, until start and goal are one; false when time is over.
 * @param turns samples after which it is given up.
 */
export function growTrees(
  scene: SearchScene,
  roadmap: RoadmapGraph,
  [start, goal]: readonly [number, number],
  random: Random,
  deadline: Deadline,
  sample: Sampler,
  turns = Infinity,
): boolean {
  const trees = new Trees(scene, roadmap, meanDistance(scene, random), deadline);
  const q = new Float64Array(scene.size);
  for (let turn = 0; roadmap.component(start) !== roadmap.component(goal); turn++) {
    if (turn >= turns || deadline.isOver('Growing trees')) return false;
    const [one, two] = [roadmap.component(start), roadmap.component(goal)];
    const own = roadmap.part(one).nodes.length <= roadmap.part(two).nodes.length ? one : two;
    scene.counters.samples++;
    sample(random, q);
    if (random.next() < AROUND) trees.moveNear(own, random, q);
    const grown = trees.extend(own, q);
    if (grown < 0) continue;
    const others = roadmap.components();
    const first = others.length > MAX_OTHERS ? random.integer(others.length) : 0;
    for (let i = -2; i < Math.min(others.length, MAX_OTHERS); i++) {
      const other = i === -2 ? start : i === -1 ? goal : others[(first + i) % others.length];
      // Start and goal come first, and a component may have been joined since the list was made.
      if (roadmap.component(other) !== roadmap.component(grown)) trees.connect(roadmap.component(other), grown);
    }
  }
  return true;
}

class Trees {
  readonly #scene: SearchScene;
  readonly #roadmap: RoadmapGraph;
  readonly #mean: number;
  readonly #deadline: Deadline;
  readonly #end: Float64Array;
  /** By number of a configuration that has limits: how far apart configurations are that differ by 1 in it. */
  readonly #weights: Float64Array;

  constructor(scene: SearchScene, roadmap: RoadmapGraph, mean: number, deadline: Deadline) {
    this.#scene = scene;
    this.#roadmap = roadmap;
    this.#mean = mean;
    this.#deadline = deadline;
    this.#end = new Float64Array(scene.size);
    this.#weights = weightsOf(scene, roadmap.nodes.at(0));
  }

  /** Moves a sample into the box around a tree; its orientations stay. */
  moveNear(tree: number, random: Random, q: Float64Array): void {
    const { low, high } = this.#roadmap.part(tree);
    const reach = AROUND_REACH * this.#stepOf(tree);
    for (const { offset, limits } of this.#scene.robots) {
      for (const [k, [least, most]] of limits.entries()) {
        const at = offset + k;
        const margin = reach / this.#weights[at];
        q[at] = random.range(Math.max(least, low[at] - margin), Math.min(most, high[at] + margin));
      }
    }
  }

  /** Grows a tree by a step towards q; returns the new node, or −1. */
  extend(tree: number, q: Float64Array): number {
    const near = this.#roadmap.nearestIn(q, tree);
    const step = this.#stepOf(tree);
    const node = this.#grow(near, q, step);
    this.#roadmap.part(tree).step =
      node < 0
        ? Math.max(step * SHORTER, SHORTEST_STEP * this.#scene.scale)
        : Math.min(step * LONGER, LONGEST_STEP * this.#mean);
    return node;
  }

  /** Grows a tree towards a node of another one, step by step, as far as that goes; joins them if it goes all the way. */
  connect(tree: number, node: number): void {
    const target = this.#roadmap.nodes.at(node);
    const step = this.#stepOf(tree);
    let at = this.#roadmap.nearestIn(target, tree);
    while (this.#scene.separation(this.#roadmap.nodes.at(at), target) > step) {
      at = this.#grow(at, target, step);
      if (at < 0 || this.#deadline.isOver('Growing trees')) return;
    }
    if (this.#scene.proves(this.#roadmap.nodes.at(at), target)) this.#roadmap.join(at, node);
  }

  #stepOf(tree: number): number {
    const { step } = this.#roadmap.part(tree);
    return step > 0 ? step : FIRST_STEP * this.#mean;
  }

  #grow(near: number, q: Float64Array, step: number): number {
    const from = this.#roadmap.nodes.at(near);
    const way = this.#scene.separation(from, q);
    if (way > step) this.#scene.interpolate(from, q, step / way, this.#end);
    else this.#end.set(q);
    if (!this.#scene.isFree(this.#end) || !this.#scene.proves(from, this.#end)) return -1;
    const node = this.#roadmap.add(this.#end);
    this.#roadmap.join(near, node);
    return node;
  }
}

/** What a change of each number with limits adds to how far configurations are apart; it is the same everywhere. */
function weightsOf(scene: SearchScene, q: Float64Array): Float64Array {
  const weights = new Float64Array(scene.size);
  const changed = q.slice();
  for (const { offset, limits } of scene.robots) {
    for (let at = offset; at < offset + limits.length; at++) {
      changed[at] = q[at] + 1;
      weights[at] = scene.separation(q, changed);
      changed[at] = q[at];
    }
  }
  return weights;
}

/** The mean distance of random configurations. */
function meanDistance(scene: SearchScene, random: Random): number {
  const [a, b] = [new Float64Array(scene.size), new Float64Array(scene.size)];
  let sum = 0;
  for (let i = 0; i < 32; i++) {
    for (const robot of scene.robots) {
      robot.sample(random, a);
      robot.sample(random, b);
    }
    sum += scene.separation(a, b);
  }
  return sum / 32;
}
