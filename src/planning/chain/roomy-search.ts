// Paths of chains that keep a clearance they would like to have, by quick tests alone. Where a start or a goal has less room, a
// short edge that is proven exactly leads to a place with room; only there the path may come nearer. Trees grow between (Kuffner
// and LaValle 2000); the path is shortened within its room.
import type { Deadline } from '../../core/deadline.js';
import type { Random } from '../../core/random.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { RoomyScene } from '../../kinematics/validity/search-scene.js';
import { growTrees, type Sampler } from '../search/grow-trees.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { shortenPath } from '../search/shorten.js';

/** Chosen: the clearances that are tried, as shares of the preferred one, and the samples of trees for each. */
const LEVELS = [
  { share: 1, turns: 80 },
  { share: 0.25, turns: 800 },
  { share: 0, turns: 1200 },
] as const;

/** Chosen: the count of places around an end that are looked at for room. */
const EXIT_TRIALS = 300;

/** Chosen: the most exits of an end. */
const MAX_EXITS = 3;

/** Chosen: the least distance of exits from an end, in sizes of the robot. */
const NEAREST_EXIT = 0.1;

/** Chosen: the largest distance of exits from an end, in sizes of the robot. */
const FARTHEST_EXIT = 4;

/** Chosen: the count of trials to lead an end to a later place of the path. */
const END_TRIALS = 30;

/** A path with room, but for its ends. */
export interface RoomyPath {
  readonly path: Float64Array[];
  /** What the path keeps between its ends' exits. */
  readonly clearance: number;
}

interface Exit {
  readonly q: Float64Array;
  /** How far it is from the end. */
  readonly length: number;
}

/** Null where no path is found that has room. */
export function searchRoomy(
  scene: CollisionScene,
  start: Float64Array,
  goal: Float64Array,
  preferred: number,
  random: Random,
  deadline: Deadline,
  sample: Sampler,
): RoomyPath | null {
  for (const { share, turns } of LEVELS) {
    const roomy = new RoomyScene(scene, scene.clearance + share * preferred);
    const exits = [start, goal].map((q) => findExits(scene, roomy, q, random, deadline));
    if (exits.some((own) => own.length === 0)) continue;
    const roadmap = new RoadmapGraph(roomy);
    const ends = [start, goal].map((q) => roadmap.add(q));
    for (const [i, own] of exits.entries()) {
      for (const { q, length } of own) if (length > 0) roadmap.addWay(ends[i], [q]);
    }
    if (!growTrees(roomy, roadmap, [ends[0], ends[1]], random, deadline, sample, turns)) {
      if (deadline.isOver('Growing trees')) return null;
      continue;
    }
    const found = roadmap.path(ends[0], ends[1]);
    const first = exits[0][0].length > 0 ? 1 : 0;
    const last = found.length - 1 - (exits[1][0].length > 0 ? 1 : 0);
    let middle: Float64Array[] = found.slice(first, last + 1);
    middle = shortenPath(roomy, middle, random, deadline, 200);
    if (first > 0) middle = leadEnd(scene, roomy, start, middle, random);
    middle.reverse();
    if (last < found.length - 1) middle = leadEnd(scene, roomy, goal, middle, random);
    return { path: middle.reverse(), clearance: roomy.clearance };
  }
  return null;
}

/** Places with room that a proven edge leads to; the end itself if it has room. */
function findExits(
  scene: CollisionScene,
  roomy: RoomyScene,
  end: Float64Array,
  random: Random,
  deadline: Deadline,
): Exit[] {
  if (roomy.isFree(end)) return [{ q: end, length: 0 }];
  const exits: Exit[] = [];
  const q = end.slice();
  for (let i = 0; i < EXIT_TRIALS && exits.length < MAX_EXITS && !deadline.isOver('Leaving an end'); i++) {
    const reach = scene.scale * NEAREST_EXIT * (FARTHEST_EXIT / NEAREST_EXIT) ** (i / EXIT_TRIALS);
    for (const { chain } of scene.robots) {
      if (chain === null) continue;
      for (let value = 0; value < chain.size; value++) {
        const at = chain.offset + value;
        const [low, high] = chain.limits[value];
        const moved = end[at] + (random.normal() * reach) / (chain.reachOf(value) * Math.sqrt(chain.size));
        q[at] = Math.min(high, Math.max(low, moved));
      }
    }
    if (!roomy.isFree(q) || !scene.proves(end, q)) continue;
    exits.push({ q: q.slice(), length: scene.separation(end, q) });
  }
  return exits;
}

/** A path from an end without room over a path with room: straight to a late place of it, with room after as long a way as the exit has. */
function leadEnd(
  scene: CollisionScene,
  roomy: RoomyScene,
  end: Float64Array,
  path: readonly Float64Array[],
  random: Random,
): Float64Array[] {
  let best = [end, ...path];
  let shortest = lengthOf(scene, best);
  const exit = scene.separation(end, path[0]);
  const out = end.slice();
  const place = end.slice();
  for (let i = 0; i < END_TRIALS; i++) {
    const segment = Math.min(path.length - 2, Math.floor(random.range(0, Math.min(path.length - 1, 3))));
    if (segment < 0) break;
    scene.interpolate(path[segment], path[segment + 1], i < path.length - 1 ? 1 : random.next(), place);
    const trial = [end, place.slice(), ...path.slice(segment + 1)];
    const length = lengthOf(scene, trial);
    if (!(length < (1 - 1e-3) * shortest)) continue;
    const way = scene.separation(end, place);
    scene.interpolate(end, place, Math.min(1, exit / way), out);
    if (!roomy.isFree(out) || !roomy.proves(out, place) || !scene.proves(end, out)) continue;
    best = trial;
    shortest = length;
  }
  return best;
}

function lengthOf(scene: CollisionScene, path: readonly Float64Array[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += scene.separation(path[i - 1], path[i]);
  return sum;
}
