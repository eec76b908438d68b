// The hybrid planner for one chain: the tool along the Voronoi graph, trees for the rest.
import { ChainSearch } from '../chain/chain-search.js';
import type { ChainRobot } from '../robot/chain-robot.js';
import { growTrees } from '../search/grow-trees.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { type FoundPath, type PlanTask, uniformSampler } from './planner.js';

/** Samples of trees before space is looked at: where there is room, they find a path soon. */
const QUICK_TURNS = 60;

/** Rounds of ways and trees in turn, and the samples of trees in the first; each round has twice as many. */
const ROUNDS = 12;
const FIRST_TURNS = 100;

export function planHybridChain({ scene, start, goal, random, deadline }: PlanTask, robot: ChainRobot): FoundPath {
  const planner = 'hybrid';
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  const isFound = (): FoundPath => ({ planner, path: roadmap.path(from, to), proof: null });
  let sample = uniformSampler(scene);
  if (growTrees(scene, roadmap, from, to, random, deadline, sample, QUICK_TURNS)) return isFound();
  if (scene.obstacles.length > 0 && !deadline.isOver('Following ways')) {
    const search = new ChainSearch(scene, robot, random);
    for (let round = 0; round < ROUNDS && !deadline.isOver('Following ways'); round++) {
      if (search.join(roadmap, from, to, deadline)) return isFound();
      sample = search.sampler();
      if (growTrees(scene, roadmap, from, to, random, deadline, sample, FIRST_TURNS * 2 ** round)) return isFound();
    }
  }
  const isJoined = growTrees(scene, roadmap, from, to, random, deadline, sample);
  return isJoined ? isFound() : { planner, path: null, proof: null };
}
