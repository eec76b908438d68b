// The hybrid planner for one rigid body: the way of a ball inside of it, the body fitted into narrow places, trees for the
// rest. Proves that there is no path where the ball has none.

import { NearfieldError } from '../../core/errors.js';
import type { InfeasibilityProof } from '../problem/plan-problem.js';
import { growTrees } from '../search/grow-trees.js';
import { PassagePlanner } from '../search/passage-planner.js';
import { RoadmapGraph } from '../search/roadmap.js';
import { findGuideBall } from '../workspace/inner-ball.js';
import { planHybridChain } from './plan-hybrid-chain.js';
import { type FoundPath, type PlanTask, singleBody, uniformSampler } from './planner.js';

/** Chosen: the radius of the ball of the estimate, as a share of that of the ball inside the robot. */
const ESTIMATE = 0.9;

/** Chosen: the size of the smallest cells of the search for its way, as a share of its radius. */
const FINEST = 1 / 16;

/** Chosen: the size of the smallest cells when the full ball is searched for a proof. */
const FINEST_PROOF = 1 / 64;

/** Chosen: the share of the time for that search. */
const PROOF_TIME = 0.3;

/**
 * Chosen: the count of samples of trees before space is looked at: where there is room, they find a path in a few
 * milliseconds.
 */
const QUICK_TURNS = 300;

/** Chosen: the count of samples of trees where the ball has room all the way: what it does not see holds the robot. */
const CAUGHT_TURNS = 30_000;

/** Chosen: the count of rounds of fitting and trees in turn. */
const ROUNDS = 12;

/** Chosen: the count of samples of trees in the first round; each round has twice as many. */
const FIRST_TURNS = 100;

export function planHybrid(task: PlanTask): FoundPath {
  const { scene, names, start, goal, random, deadline, timeLimit } = task;
  const planner = 'hybrid';
  const robot = singleBody(scene);
  const [{ chain }] = scene.robots;
  if (scene.robots.length === 1 && chain !== null) return planHybridChain(task, chain);
  if (robot === null) {
    throw new NearfieldError(
      'unsupported',
      'The planner hybrid is for one robot; give auto, prioritized or rrt-connect.',
    );
  }
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  const anywhere = uniformSampler(scene);
  if (growTrees(scene, roadmap, [from, to], random, deadline, anywhere, QUICK_TURNS)) {
    return { planner, path: roadmap.path(from, to), proof: null };
  }
  const ball = deadline.isOver('Finding a way') ? null : findGuideBall(robot.links[0].model);
  if (ball !== null) {
    const passages = new PassagePlanner(scene, robot, ball);
    const proofOf = (share: number): InfeasibilityProof => {
      return { kind: 'ball', robot: names[0], center: ball.center, radius: share * ball.radius };
    };
    const way = passages.findWay(start, goal, ESTIMATE, FINEST * ball.radius, deadline);
    if (way.status === 'blocked' && ball.isProven) return { planner, path: null, proof: proofOf(ESTIMATE) };
    if (way.status === 'found') {
      passages.setWay(way);
      const narrowest = Math.min(...passages.way!.clearances);
      const nearWay = passages.sampler();
      for (let round = 1; round <= ROUNDS && !deadline.isOver('Fitting in'); round++) {
        passages.addPassages(roadmap, from, to, round, random, deadline);
        const isJoined = roadmap.component(from) === roadmap.component(to);
        if (!isJoined && round === 1 && ball.isProven && narrowest < ball.radius + scene.clearance) {
          const limit = deadline.within(PROOF_TIME * timeLimit);
          const full = passages.findWay(start, goal, 1, FINEST_PROOF * ball.radius, limit);
          if (full.status === 'blocked') return { planner, path: null, proof: proofOf(1) };
        }
        const turns = (passages.isWide ? CAUGHT_TURNS : FIRST_TURNS) * 2 ** (round - 1);
        const sample = passages.isWide ? anywhere : nearWay;
        if (isJoined || growTrees(scene, roadmap, [from, to], random, deadline, sample, turns)) {
          return { planner, path: roadmap.path(from, to), proof: null };
        }
      }
    }
  }
  const isJoined = growTrees(scene, roadmap, [from, to], random, deadline, anywhere);
  return { planner, path: isJoined ? roadmap.path(from, to) : null, proof: null };
}
