// Joins the components of a roadmap by trees that grow towards random configurations, and towards each other (Kuffner and
// LaValle 2000, for any number of trees). Edges go as far as they are proven free, so that there is no step size to choose.
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../validity/collision-scene.js';
import type { Deadline } from './deadline.js';
import type { RoadmapGraph } from './roadmap.js';

/** Edges that end at an obstacle are cut back to this share, so that the next edge begins with some clearance. */
const CUT_BACK = 0.9;

/** Edges towards a sample are no longer than this share of the space's extent. */
const RANGE = 0.2;

/** Edges shorter than this share of the scale are not added. */
const LEAST_EDGE = 1e-3;

/** Writes where the next edge is to lead. */
export type Sampler = (random: Random, out: Float64Array) => void;

/** Grows the components of start and goal, and tries all others, until start and goal are one; false when time is over. */
export function growTrees(
  scene: CollisionScene,
  roadmap: RoadmapGraph,
  start: number,
  goal: number,
  random: Random,
  deadline: Deadline,
  sample: Sampler,
): boolean {
  const range = RANGE * meanDistance(scene, random);
  const q = new Float64Array(scene.size);
  const end = new Float64Array(scene.size);
  for (let turn = 0; roadmap.component(start) !== roadmap.component(goal); turn++) {
    if (deadline.isOver('Growing trees')) return false;
    const own = roadmap.component(turn % 2 === 0 ? start : goal);
    scene.counters.samples++;
    sample(random, q);
    const grown = extend(scene, roadmap, own, q, range, end);
    if (grown < 0) continue;
    for (const other of roadmap.components()) {
      // A component may have been joined since the list was made.
      if (roadmap.component(other) === roadmap.component(grown)) continue;
      const target = roadmap.nodes.at(grown).slice();
      const met = extend(scene, roadmap, roadmap.component(other), target, Infinity, end);
      if (met >= 0 && scene.separation(roadmap.nodes.at(met), target) === 0) roadmap.join(met, grown);
    }
  }
  return true;
}

/** Grows a component from its nearest node towards q, by at most the range. Returns the new node, −1 if there is none. */
function extend(
  scene: CollisionScene,
  roadmap: RoadmapGraph,
  component: number,
  q: Float64Array,
  range: number,
  end: Float64Array,
): number {
  const near = roadmap.nearestIn(q, component);
  const from = roadmap.nodes.at(near);
  const way = scene.separation(from, q);
  if (way > range) scene.interpolate(from, q, range / way, end);
  else end.set(q);
  const share = scene.advance(from, end);
  if (share < 1) {
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
