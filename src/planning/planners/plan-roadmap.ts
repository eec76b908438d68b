// Roadmaps by sampling until start and goal are joined: PRM with a choice of samplers (Kavraki, Svestka, Latombe and
// Overmars 1996), and the one that samples by the Voronoi diagram (Pisula, Hoff, Lin and Manocha 2000).
import type { PlannerName } from '../problem/plan-problem.js';
import { makeSampler } from '../roadmap/make-sampler.js';
import { SampledRoadmap } from '../roadmap/sampled-roadmap.js';
import type { SamplerName } from '../roadmap/sampler.js';
import type { FoundPath, PlanTask } from './planner.js';

export function planPrm(task: PlanTask): FoundPath {
  return sampleUntilJoined('prm', task, task.sampler ?? 'uniform');
}

/** For robots without a Voronoi diagram in space, such as chains, samples are uniform. */
export function planRoadmap(task: PlanTask): FoundPath {
  return sampleUntilJoined('roadmap', task, task.sampler);
}

function sampleUntilJoined(
  planner: PlannerName,
  { scene, start, goal, random, deadline }: PlanTask,
  sampler: SamplerName | undefined,
): FoundPath {
  const roadmap = new SampledRoadmap(scene, makeSampler(scene, sampler));
  const [from, to] = [roadmap.insert(start), roadmap.insert(goal)];
  const isJoined = roadmap.join(from, to, random, deadline);
  return { planner, path: isJoined ? roadmap.path(from, to) : null, proof: null };
}
