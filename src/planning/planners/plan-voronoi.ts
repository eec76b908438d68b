// The Voronoi planner by name, for one query. When the ways of the graph are exhausted, it looks for a proof that there is no
// path, and then samples near the first way.
import { VoronoiSearch } from '../guide/voronoi-search.js';
import type { InfeasibilityProof } from '../problem/plan-problem.js';
import { growTrees } from '../search/grow-trees.js';
import { PassagePlanner } from '../search/passage-planner.js';
import { RoadmapGraph } from '../search/roadmap.js';
import type { FoundPath, PlanTask } from './planner.js';

/** Chosen: the radius of the ball of a proof, as a share of that of the ball inside the robot. */
const PROOF_BALL = 0.9;

/** Chosen: the size of the smallest cells of its search, as a share of its radius. */
const FINEST = 1 / 16;

export function planVoronoi(task: PlanTask): FoundPath {
  const search = makeSearch(task);
  return search === null ? { planner: 'voronoi', path: null, proof: null } : searchOnce(search, task);
}

/** The diagram takes long where obstacles have many triangles: null when the time is over before. */
function makeSearch({ scene, deadline }: PlanTask): VoronoiSearch | null {
  const over = new Error('The time is over.');
  const onProgress = (): void => {
    if (deadline.isOver('Finding the Voronoi diagram')) throw over;
  };
  try {
    onProgress();
    return new VoronoiSearch(scene, { onProgress });
  } catch (error) {
    if (error === over) return null;
    throw error;
  }
}

/** Searches a path with a search that may have been used before. */
export function searchOnce(search: VoronoiSearch, task: PlanTask): FoundPath {
  const { scene, start, goal, random, deadline } = task;
  const planner = 'voronoi';
  const found = search.findPath(start, goal, deadline);
  if (found !== null) return { planner, path: [start, ...found.map(({ b }) => b)], proof: null };
  const proof = proveBlocked(search, task);
  if (proof !== null) return { planner, path: null, proof };
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  const isJoined = growTrees(scene, roadmap, [from, to], random, deadline, search.sampler());
  return { planner, path: isJoined ? roadmap.path(from, to) : null, proof: null };
}

/** A ball inside of the robot that cannot pass; null if none is found. */
function proveBlocked(search: VoronoiSearch, task: PlanTask): InfeasibilityProof | null {
  const { scene, names, start, goal, deadline } = task;
  const { ball, body } = search.task;
  if (ball === null || deadline.isOver('Finding a proof')) return null;
  const passages = new PassagePlanner(scene, body.robot, ball);
  const { status } = passages.findWay(start, goal, PROOF_BALL, FINEST * ball.radius, deadline);
  if (status !== 'blocked') return null;
  return { kind: 'ball', robot: names[0], center: ball.center, radius: PROOF_BALL * ball.radius };
}
