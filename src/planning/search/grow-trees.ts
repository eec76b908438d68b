// Joins the components of a roadmap by trees that grow towards random configurations, and towards each other (Kuffner and
// LaValle 2000, for any number of trees). Edges go as far as they are proven free, so that there is no step size to choose.
// With domains, nodes that met an obstacle grow towards near samples only (Yershova, Jaillet, Simeon and LaValle 2005): two
// bent nails come apart sooner, but a robot in a long corridor comes on slower.
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../validity/collision-scene.js';
import type { Deadline } from './deadline.js';
import type { RoadmapGraph } from './roadmap.js';

/** Edges that end at an obstacle are cut back to this share, so that the next edge begins with some clearance. */
const CUT_BACK = 0.9;

/** Edges towards a sample are no longer than this share of the mean distance of configurations. */
const RANGE = 0.2;

/** With domains, edges may be this long, and nodes that met an obstacle grow towards samples that are no farther than this. */
const DOMAIN = 0.4;

/** Edges shorter than this share of the scale are not added. */
const LEAST_EDGE = 1e-3;

/** Besides those of start and goal, at most this many components are tried from each new node. */
const MOST_OTHERS = 3;

/** Writes where the next edge is to lead. */
export type Sampler = (random: Random, out: Float64Array) => void;

/**
 * Grows the components of start and goal, and tries all others, until start and goal are one; false when time is over.
 * @param turns samples after which it is given up.
 * @param hasDomains whether nodes that met an obstacle grow towards near samples only.
 */
export function growTrees(
  scene: CollisionScene,
  roadmap: RoadmapGraph,
  start: number,
  goal: number,
  random: Random,
  deadline: Deadline,
  sample: Sampler,
  turns = Infinity,
  hasDomains = false,
): boolean {
  const range = (hasDomains ? DOMAIN : RANGE) * meanDistance(scene, random);
  const q = new Float64Array(scene.size);
  const end = new Float64Array(scene.size);
  for (let turn = 0; roadmap.component(start) !== roadmap.component(goal); turn++) {
    if (turn >= turns || deadline.isOver('Growing trees')) return false;
    const own = roadmap.component(turn % 2 === 0 ? start : goal);
    scene.counters.samples++;
    sample(random, q);
    const near = roadmap.nearestIn(q, own);
    if (hasDomains && scene.separation(roadmap.nodes.at(near), q) > roadmap.domains[near]) continue;
    const grown = extend(scene, roadmap, near, q, range, end, hasDomains ? range : Infinity);
    if (grown < 0) continue;
    const others = roadmap.components();
    const first = others.length > MOST_OTHERS ? random.integer(others.length) : 0;
    for (let i = -2; i < Math.min(others.length, MOST_OTHERS); i++) {
      const other = i === -2 ? start : i === -1 ? goal : others[(first + i) % others.length];
      // Start and goal come first, and a component may have been joined since the list was made.
      if (roadmap.component(other) === roadmap.component(grown)) continue;
      const target = roadmap.nodes.at(grown).slice();
      const meeting = roadmap.nearestIn(target, roadmap.component(other));
      const met = extend(scene, roadmap, meeting, target, Infinity, end);
      if (met >= 0 && scene.separation(roadmap.nodes.at(met), target) === 0) roadmap.join(met, grown);
    }
  }
  return true;
}

/** Grows a node towards q, by at most the range; one that meets an obstacle gets the domain. Returns the new node, −1 if there is none. */
function extend(
  scene: CollisionScene,
  roadmap: RoadmapGraph,
  near: number,
  q: Float64Array,
  range: number,
  end: Float64Array,
  domain = Infinity,
): number {
  const from = roadmap.nodes.at(near);
  const way = scene.separation(from, q);
  if (way > range) scene.interpolate(from, q, range / way, end);
  else end.set(q);
  const share = scene.advance(from, end);
  if (share < 1) {
    roadmap.domains[near] = Math.min(roadmap.domains[near], domain);
    if (!(CUT_BACK * share * Math.min(way, range) > LEAST_EDGE * scene.scale)) return -1;
    scene.interpolate(from, end, CUT_BACK * share, end);
  }
  const node = roadmap.add(end);
  roadmap.join(near, node);
  return node;
}

/** The mean distance of random configurations. */
function meanDistance(scene: CollisionScene, random: Random): number {
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
