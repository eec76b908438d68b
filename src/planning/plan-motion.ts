// Finds a path for the robots of a problem, or a proof that no path exists.
import { assertOptions, PROGRESS_NAMES } from '../core/check/check-options.js';
import { Deadline } from '../core/deadline.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import { createRandom } from '../core/random.js';
import type { CollisionScene, PlanningCounters } from '../kinematics/validity/collision-scene.js';
import { measurePathClearance } from '../kinematics/validity/path-clearance.js';
import { PLANNING_DEFAULTS } from './defaults.js';
import { simulatePath } from './planners/plan-constraint.js';
import type { FoundPath, PlanTask } from './planners/planner.js';
import { searchPath } from './planners/search-path.js';
import { buildScene, type PlanScene } from './problem/build-scene.js';
import { describePath } from './problem/describe-path.js';
import { explainCollision, explainHorizon } from './problem/explain.js';
import { reachLinkGoals } from './problem/link-goals.js';
import type { PlannerName, PlanProblem, PlanResult } from './problem/plan-problem.js';
import { type ProblemSettings, problemSettings } from './problem/problem-settings.js';
import { shortenPath } from './search/shorten.js';
import { planTeam } from './team/plan-team.js';
import { planInTime, TimedScene } from './time/plan-in-time.js';

/**
 * Plans a motion. Every edge of the path is proven free of collisions by distances and bounds of motions, not sampled.
 * @throws NearfieldError for an invalid problem: meshes, poses, bounds, joints or limits that are missing or wrong.
 */
export function planMotion(problem: PlanProblem, options: ProgressOptions = {}): PlanResult {
  assertOptions(options, PROGRESS_NAMES);
  const settings = problemSettings(problem);
  if (problem.queries !== undefined) {
    throw new NearfieldError('bad-argument', 'The problem has queries; planQueries answers them.');
  }
  const deadline = new Deadline(settings.timeLimit, options);
  const built = buildScene(problem, settings.clearance);
  built.scene.prepare();
  return answerPlan(built, { ...settings, ...problemWishes(problem), preprocessMs: deadline.elapsed }, deadline);
}

/** What a problem says of how it is to be planned that has no default for all robots. */
export function problemWishes({
  sampler,
  preferredClearance,
}: PlanProblem): Omit<PlanSettings, keyof ProblemSettings | 'preprocessMs'> {
  return { sampler, preferredClearance };
}

/** What is asked of a scene besides start and goal. */
export interface PlanSettings extends ProblemSettings {
  readonly sampler: PlanProblem['sampler'];
  readonly preferredClearance: PlanProblem['preferredClearance'];
  /** What robots and obstacles took to prepare for this answer. */
  readonly preprocessMs: number;
}

/** Plans a motion in a scene that is prepared. */
export function answerPlan(built: PlanScene, settings: PlanSettings, deadline: Deadline): PlanResult {
  const { planner, timeLimit, seed, sampler, preferredClearance, preprocessMs } = settings;
  const { scene, start, goal } = built;
  const before = { ...scene.counters };
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
    counters: countersSince(scene, before),
    proof: null,
    reason: null,
    collision: null,
    notes: built.notes,
    ...found,
  });
  const timed = built.timed === null ? null : new TimedScene(scene, built.timed);
  const refuse = (status: 'invalid-start' | 'invalid-goal', where: CollisionScene, q: Float64Array): PlanResult => {
    return answer(status, explainCollision(where, q));
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
  if (found.path === null) return answer('timeout', { planner: found.planner });
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
