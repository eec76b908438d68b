// RRT-Connect (Kuffner and LaValle 2000): trees from start and goal, and nothing else, for any robots.
import { growTrees } from '../search/grow-trees.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { type FoundPath, type PlanTask, uniformSampler } from './planner.js';

export function planRrtConnect({ scene, start, goal, random, deadline }: PlanTask): FoundPath {
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  const isJoined = growTrees(scene, roadmap, [from, to], random, deadline, uniformSampler(scene));
  return { planner: 'rrt-connect', path: isJoined ? roadmap.path(from, to) : null, proof: null };
}
