// Finds a path for the robots of a problem, or a proof that no path exists.
import { PROGRESS_OPTIONS } from '../core/check/option-table.js';
import { Deadline } from '../core/deadline.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import { createRandom } from '../core/random.js';
import type { CollisionScene, PlanningCounters } from '../kinematics/validity/collision-scene.js';
import { measurePathClearance } from '../kinematics/validity/path-clearance.js';
import { simulatePath } from './planners/plan-constraint.js';
import type { FoundPath, PlanTask } from './planners/planner.js';
import { searchPath } from './planners/search-path.js';
import { buildScene, type PlanScene } from './problem/build-scene.js';
import { describePath } from './problem/describe-path.js';
import { EMPTY_ANSWER } from './problem/empty-answer.js';
import { explainCollision, explainHorizon } from './problem/explain.js';
import { reachLinkGoals } from './problem/link-goals.js';
import { explainMemory, limitOf, meshBytes } from './problem/memory.js';
import type { PlannerName, PlanProblem, PlanResult } from './problem/plan-problem.js';
import { PLANNING_DEFAULTS, type ProblemSettings, problemSettings } from './problem/problem-settings.js';
import { shortenPath } from './search/shorten.js';
import { planTeam } from './team/plan-team.js';
import { planInTime, TimedScene } from './time/plan-in-time.js';

/**
 * Plans a motion. Every edge of the path is proven free of collisions by distances and bounds of motions, not sampled.
 * @throws NearfieldError for an invalid problem: meshes, poses, bounds, joints or limits that are missing or wrong.
 */
export function planMotion(problem: PlanProblem, options: ProgressOptions = {}): PlanResult {
  PROGRESS_OPTIONS.assert(options);
  const settings = problemSettings(problem);
  if (problem.queries !== undefined) {
    throw new NearfieldError('bad-argument', 'The problem has queries; planQueries answers them.');
  }
  const deadline = new Deadline(settings.timeLimit, options);
  const meshes = meshBytes(problem);
  if (meshes > settings.maxMemory) return refuseMeshes(settings, meshes, deadline);
  const built = buildScene(problem, settings.clearance);
  built.scene.prepare();
  const wishes = { ...settings, ...problemWishes(problem), preprocessMs: deadline.elapsed, meshes };
  return answerPlan(built, wishes, deadline);
}

/** The answer where the meshes alone take more memory than there may be: nothing is prepared. */
function refuseMeshes({ planner, seed, maxMemory }: ProblemSettings, meshes: number, deadline: Deadline): PlanResult {
  return {
    ...EMPTY_ANSWER,
    status: 'memory-limit',
    planner,
    seed,
    milliseconds: deadline.elapsed,
    preprocessMs: 0,
    counters: { samples: 0, configurationsTested: 0, edgesTested: 0, distanceQueries: 0, vertices: 0, edges: 0 },
    reason: explainMemory(maxMemory, meshes),
    notes: [],
  };
}

/** What a problem says of how it is to be planned that has no default for all robots. */
export function problemWishes({
  sampler,
  preferredClearance,
}: PlanProblem): Omit<PlanSettings, keyof ProblemSettings | 'preprocessMs' | 'meshes'> {
  return { sampler, preferredClearance };
}

/** What is asked of a scene besides start and goal. */
export interface PlanSettings extends ProblemSettings {
  readonly sampler: PlanProblem['sampler'];
  readonly preferredClearance: PlanProblem['preferredClearance'];
  /** What robots and obstacles took to prepare for this answer. */
  readonly preprocessMs: number;
  /** About what robots and obstacles take in memory, in bytes. */
  readonly meshes: number;
}

/** Plans a motion in a scene that is prepared. */
export function answerPlan(built: PlanScene, settings: PlanSettings, deadline: Deadline): PlanResult {
  const { planner, timeLimit, maxMemory, seed, sampler, preferredClearance, preprocessMs, meshes } = settings;
  const { scene, start, goal } = built;
  const before = { ...scene.counters };
  deadline.limitMemory(limitOf(scene, maxMemory, meshes, before));
  const answer = (status: PlanResult['status'], found: Partial<PlanResult>): PlanResult => ({
    status,
    planner,
    seed,
    ...EMPTY_ANSWER,
    milliseconds: deadline.elapsed,
    preprocessMs,
    counters: countersSince(scene, before),
    notes: built.notes,
    ...found,
  });
  const timed = built.timed === null ? null : new TimedScene(scene, built.timed);
  const refuse = (status: 'invalid-start' | 'invalid-goal', where: CollisionScene, q: Float64Array): PlanResult => {
    return answer(status, explainCollision(where, q, deadline));
  };
  if (!scene.isFree(start)) return refuse('invalid-start', scene, start);
  if (timed !== null && !timed.moving.isFree(timed.at(start, 0))) {
    return refuse('invalid-start', timed.moving, timed.at(start, 0));
  }
  const random = createRandom(seed);
  const unreached = reachLinkGoals(built, random);
  if (unreached !== null) return answer('invalid-goal', { reason: unreached });
  if (!scene.isFree(goal)) return refuse('invalid-goal', scene, goal);
  const late = built.timed === null ? null : explainHorizon(scene, built.timed, start, goal);
  if (late !== null) return answer('timeout', { reason: late });
  const task = { ...built, random, deadline, timeLimit, sampler, preferred: preferredClearance };
  const found = timed === null ? searchPath(planner, task) : planTimed(planner, task, timed);
  if (found.proof !== null) return answer('infeasible', { planner: found.planner, proof: found.proof });
  if (found.path === null && deadline.isFull) {
    return answer('memory-limit', { planner: found.planner, reason: explainMemory(maxMemory, meshes) });
  }
  if (found.path === null) return answer('timeout', { planner: found.planner });
  // What follows holds no more than the path.
  deadline.limitMemory(null);
  const whole = timed?.scene ?? scene;
  const isShort = found.isShort === true;
  const short = isShort
    ? found.path
    : shortenPath(whole, found.path, random, deadline, PLANNING_DEFAULTS.shortenTrials);
  const path = timed?.hasten(short) ?? short;
  return answer('solved', {
    planner: found.planner,
    ...describePath(built, path),
    times: timed === null ? null : path.map((q) => q[timed.clock.offset]),
    clearance: measurePathClearance(whole, path, PLANNING_DEFAULTS.clearanceError, deadline),
    certified: true,
    milliseconds: deadline.elapsed,
    counters: countersSince(scene, before),
  });
}

/** What was counted since. */
function countersSince({ counters }: CollisionScene, before: PlanningCounters): PlanningCounters {
  const since = { ...counters };
  for (const key of Object.keys(since) as (keyof PlanningCounters)[]) since[key] -= before[key];
  return since;
}

/** Several robots by their priorities first. */
function planTimed(planner: PlannerName, task: PlanTask, timed: TimedScene): FoundPath {
  if (planner === 'constraint') return simulatePath(task, timed);
  const isTeam = task.scene.robots.length > 1 && (planner === 'auto' || planner === 'prioritized');
  if (!isTeam) return planInTime(planner, task, timed);
  const { moving, limits } = task.timed!;
  const found = planTeam(task, timed, (alone, r) => {
    if (moving.length === 0) return searchPath('auto', alone);
    const own = new TimedScene(alone.scene, { moving, horizon: timed.clock.horizon, limits: [limits[r]] });
    return planInTime('auto', alone, own);
  });
  if (found.path !== null || found.proof !== null || task.deadline.isOver('Planning in time')) return found;
  return planInTime('rrt-connect', task, timed);
}
