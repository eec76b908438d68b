// The hybrid planner for one chain: the tool along the Voronoi graph, trees for the rest. Proves that there is no path where a ball
// inside of a link has none, or where no value of the first joints gets by.

import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { ChainSearch } from '../chain/chain-search.js';
import { proveByJoints } from '../chain/joint-proof.js';
import { proveByLinks } from '../chain/link-proof.js';
import { searchRoomy } from '../chain/roomy-search.js';
import { PLANNING_DEFAULTS } from '../problem/problem-settings.js';
import { growTrees } from '../search/grow-trees.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { type FoundPath, type PlanTask, uniformSampler } from './planner.js';

/**
 * Chosen: the count of samples of trees before space is looked at, for a chain of three freedoms: where there is
 * room, they soon find a path.
 */
const QUICK_TURNS = 25;

/** Chosen: each further freedom makes the graph tell less, and multiplies that count by this. */
const TURNS_BY_FREEDOM = 3;

/** Chosen: the most samples before space is looked at. */
const MAX_QUICK = 1000;

/** Chosen: the count of rounds of ways and trees in turn. */
const ROUNDS = 12;

/** Chosen: the count of samples of trees in the first round; each round has twice as many. */
const FIRST_TURNS = 100;

export function planHybridChain(task: PlanTask, robot: ChainRobot): FoundPath {
  const { scene, names, start, goal, random, deadline } = task;
  const { preferred = PLANNING_DEFAULTS.preferredShare * scene.scale } = task;
  const planner = 'hybrid';
  const roomy = searchRoomy(scene, start, goal, preferred, random, deadline, uniformSampler(scene));
  if (roomy !== null) return { planner, path: roomy.path, proof: null, isShort: true };
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  const isFound = (): FoundPath => ({ planner, path: roadmap.path(from, to), proof: null });
  let sample = uniformSampler(scene);
  const quick = Math.min(MAX_QUICK, QUICK_TURNS * TURNS_BY_FREEDOM ** Math.max(0, robot.freedoms - 3));
  if (growTrees(scene, roadmap, [from, to], random, deadline, sample, quick)) return isFound();
  if (scene.obstacles.length > 0 && !deadline.isOver('Following ways')) {
    const search = new ChainSearch(scene, robot, random);
    for (let round = 0; round < ROUNDS && !deadline.isOver('Following ways'); round++) {
      if (search.join(roadmap, from, to, deadline)) return isFound();
      sample = search.sampler();
      if (growTrees(scene, roadmap, [from, to], random, deadline, sample, FIRST_TURNS * 2 ** round)) return isFound();
      if (round > 0) continue;
      const errand = { scene, robot, name: names[0], map: search.map, start, goal, deadline };
      const proof = proveByJoints(errand) ?? proveByLinks(errand);
      if (proof !== null) return { planner, path: null, proof };
    }
  }
  const isJoined = growTrees(scene, roadmap, [from, to], random, deadline, sample);
  return isJoined ? isFound() : { planner, path: null, proof: null };
}
