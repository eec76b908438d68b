// Finds a path for the robots of a problem, or a proof that there is none.
import { assertOptions, nameValue, type OptionNames, PROGRESS_NAMES } from '../core/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import { createRandom, type Random } from '../core/random.js';
import { PLANNING_DEFAULTS } from './defaults.js';
import { buildScene, describeConfiguration, type PlanScene } from './problem/build-scene.js';
import {
  type InfeasibilityProof,
  PLANNERS,
  type PlannerName,
  type PlanProblem,
  type PlanResult,
} from './problem/plan-problem.js';
import { PlanarRobot } from './robot/planar-robot.js';
import { RigidRobot } from './robot/rigid-robot.js';
import { Deadline } from './search/deadline.js';
import { growTrees, type Sampler } from './search/grow-trees.js';
import { PassagePlanner } from './search/passage-planner.js';
import { RoadmapGraph } from './search/roadmap.js';
import { shortenPath } from './search/shorten.js';
import { measurePathClearance } from './validity/path-clearance.js';
import { findInnerBall } from './workspace/inner-ball.js';

const PROBLEM_NAMES: OptionNames<PlanProblem> = {
  name: true,
  robots: true,
  environment: true,
  clearance: true,
  planner: true,
  timeLimit: true,
  seed: true,
};

/** The ball of the estimate has this share of the radius of the ball inside of the robot. */
const ESTIMATE = 0.9;

/** Cells of the search for its way have at least this share of its radius. */
const FINEST = 1 / 16;

/** The full ball is searched this finely for a proof, and for this share of the time. */
const FINEST_PROOF = 1 / 64;
const PROOF_TIME = 0.3;

/** What a search has found: a path, a proof, or neither. */
interface Found {
  readonly planner: PlannerName;
  readonly path: readonly Float64Array[] | null;
  readonly proof: InfeasibilityProof | null;
}

/**
 * Plans a motion. Every edge of the path is proven free of collisions by distances and bounds of motions, not sampled.
 * @throws NearfieldError for a problem that is none: meshes, poses, bounds, joints or limits that are missing or wrong.
 */
export function planMotion(problem: PlanProblem, options: ProgressOptions = {}): PlanResult {
  assertOptions(options, PROGRESS_NAMES);
  if (problem === undefined) throw new NearfieldError('bad-argument', 'The problem is undefined; give { robots, … }.');
  assertOptions(problem, PROBLEM_NAMES, 'Problems');
  const { clearance = PLANNING_DEFAULTS.clearance, planner = PLANNING_DEFAULTS.planner } = problem;
  const { timeLimit = PLANNING_DEFAULTS.timeLimit, seed = PLANNING_DEFAULTS.seed } = problem;
  assertNumber('clearance', clearance, 0, Number.MAX_VALUE);
  assertNumber('timeLimit', timeLimit, 0, 1e9);
  assertNumber('seed', seed, 0, 2 ** 32 - 1);
  if (!PLANNERS.includes(planner)) {
    throw new NearfieldError('bad-argument', `The planner is ${nameValue(planner)}; give ${PLANNERS.join(', ')}.`);
  }
  const deadline = new Deadline(timeLimit, options);
  const built = buildScene(problem, clearance);
  const { scene, start, goal } = built;
  const preprocessMs = deadline.elapsed;
  const answer = (status: PlanResult['status'], found: Partial<PlanResult>): PlanResult => ({
    status,
    planner,
    seed,
    paths: [],
    times: null,
    length: 0,
    turning: 0,
    clearance: null,
    certified: false,
    milliseconds: deadline.elapsed,
    preprocessMs,
    counters: { ...scene.counters },
    proof: null,
    ...found,
  });
  if (!scene.isFree(start)) return answer('invalid-start', {});
  if (!scene.isFree(goal)) return answer('invalid-goal', {});
  const random = createRandom(seed);
  const found = search(built, planner, random, deadline, timeLimit);
  if (found.proof !== null) return answer('infeasible', { planner: found.planner, proof: found.proof });
  if (found.path === null) return answer('timeout', { planner: found.planner });
  const path = shortenPath(scene, found.path, random, deadline, PLANNING_DEFAULTS.shortenTrials);
  return answer('solved', {
    planner: found.planner,
    ...describePath(built, path),
    clearance: measurePathClearance(scene, path, PLANNING_DEFAULTS.clearanceError),
    certified: true,
    milliseconds: deadline.elapsed,
    counters: { ...scene.counters },
  });
}

function search(
  { scene, names, start, goal }: PlanScene,
  planner: PlannerName,
  random: Random,
  deadline: Deadline,
  timeLimit: number,
): Found {
  const roadmap = new RoadmapGraph(scene);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  if (scene.advance(start, goal) === 1) return { planner, path: [start, goal], proof: null };
  let sample: Sampler = (source, out) => {
    for (const robot of scene.robots) robot.sample(source, out);
  };
  let used = planner;
  const [robot] = scene.robots;
  const isSingle = scene.robots.length === 1 && (robot instanceof RigidRobot || robot instanceof PlanarRobot);
  if (planner === 'hybrid' && !isSingle) {
    throw new NearfieldError('unsupported', 'The planner hybrid is for one rigid or planar robot; give auto or trees.');
  }
  const ball = isSingle && planner !== 'trees' ? findInnerBall(robot.links[0].model) : null;
  if (isSingle && ball !== null) {
    used = 'hybrid';
    const passages = new PassagePlanner(scene, robot, ball);
    const proofOf = (share: number): InfeasibilityProof => {
      return { kind: 'ball', robot: names[0], center: ball.center, radius: share * ball.radius };
    };
    const way = passages.findWay(start, goal, ESTIMATE, FINEST * ball.radius, deadline);
    if (way.status === 'blocked') return { planner: used, path: null, proof: proofOf(ESTIMATE) };
    if (way.status === 'found') {
      passages.addPassages(roadmap, from, to, way, random, deadline);
      const narrowest = Math.min(...passages.way!.clearances);
      if (roadmap.component(from) !== roadmap.component(to) && narrowest < ball.radius + scene.clearance) {
        const limit = new Deadline(PROOF_TIME * timeLimit);
        const full = passages.findWay(start, goal, 1, FINEST_PROOF * ball.radius, limit);
        if (full.status === 'blocked') return { planner: used, path: null, proof: proofOf(1) };
      }
    }
    sample = passages.sampler();
  } else if (planner === 'auto') used = 'trees';
  const isJoined = growTrees(scene, roadmap, from, to, random, deadline, sample);
  return { planner: used, path: isJoined ? roadmap.path(from, to) : null, proof: null };
}

function describePath({ scene, names }: PlanScene, path: readonly Float64Array[]): Partial<PlanResult> {
  let [length, turning] = [0, 0];
  for (const robot of scene.robots) {
    for (let i = 1; i < path.length; i++) {
      const way = robot.measure(path[i - 1], path[i]);
      length += way.length;
      turning += way.turning;
    }
  }
  const paths = scene.robots.map((robot, r) => {
    return { robot: names[r], poses: path.map((q) => describeConfiguration(robot, q)) };
  });
  return { paths, length, turning };
}

function assertNumber(name: keyof PlanProblem, value: unknown, min: number, max: number): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  throw new NearfieldError('bad-argument', `${name} is ${nameValue(value)}; give a number from ${min} to ${max}.`);
}
