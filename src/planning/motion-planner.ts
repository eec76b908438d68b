// A planner that stays: what depends on robots and obstacles alone is prepared once, and many questions are asked of it.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { Deadline } from '../core/deadline.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import type { ProgressOptions } from '../core/progress.js';
import { answerPlan, problemWishes } from './plan-motion.js';
import { buildScene, type PlanScene } from './problem/build-scene.js';
import { meshBytes } from './problem/memory.js';
import type { PlanProblem, PlanResult, RobotsConfiguration } from './problem/plan-problem.js';
import { PreparedParts } from './problem/prepared-parts.js';
import { type ProblemSettings, problemSettings } from './problem/problem-settings.js';
import { readConfiguration, withEnds } from './roadmap/query-ends.js';
import { type TimePathOptions, type Trajectory, timeInScene } from './trajectory/time-path.js';

/** How a `MotionPlanner` is made. */
export interface MotionPlannerOptions {
  /** A planner whose prepared models are used where the meshes are the same objects: for other obstacles around the same robots. */
  readonly reuse?: MotionPlanner | undefined;
}

/** How one question to a `MotionPlanner` is answered. */
export interface MotionQuery extends ProgressOptions {
  /** In seconds. Default: that of the problem. */
  readonly timeLimit?: number | undefined;
  /** Default: that of the problem. */
  readonly seed?: number | undefined;
}

const PLANNER_OPTIONS = optionTable<MotionPlannerOptions>()({ reuse: checkedElsewhere<MotionPlanner>() });
/** Checked with the settings of the problem, in whose place they are. */
const QUERY_OPTIONS = optionTable<MotionQuery>()({
  ...PROGRESS_RULES,
  timeLimit: checkedElsewhere<number>(),
  seed: checkedElsewhere<number>(),
});

/** Robots among obstacles, prepared for many plans. Each answer is that of `planMotion`, whatever was asked before. */
export class MotionPlanner {
  /** What it took to prepare robots and obstacles, counted as `PlanResult.milliseconds` is. */
  readonly preprocessMs: number;
  readonly #problem: PlanProblem;
  readonly #settings: ProblemSettings;
  readonly #prepared: PreparedParts;
  readonly #built: PlanScene;
  /** About what robots and obstacles take in memory, in bytes. */
  readonly #meshes: number;

  /**
   * @param problem its robots need no start and no goal where questions have them.
   * @throws NearfieldError for an invalid problem, as `planMotion` does.
   */
  constructor(problem: PlanProblem, options: MotionPlannerOptions = {}) {
    PLANNER_OPTIONS.assert(options);
    const settings = problemSettings(problem);
    if (problem.queries !== undefined) {
      throw new NearfieldError('bad-argument', 'The problem has queries; ask a planner by plan(start, goal).');
    }
    [this.#problem, this.#settings, this.#meshes] = [problem, settings, meshBytes(problem)];
    const deadline = new Deadline(settings.timeLimit);
    const { reuse } = options;
    this.#prepared = new PreparedParts(reuse === undefined ? undefined : reuse.#prepared);
    this.#built = buildScene(withEnds(problem), settings.clearance, this.#prepared);
    const { scene } = this.#built;
    scene.prepare();
    const used = new Set([...scene.robots.flatMap(({ links }) => links), ...scene.obstacles].map(({ model }) => model));
    this.#prepared.keep(used, new Set(scene.robots.flatMap(({ chain }) => chain ?? [])));
    this.preprocessMs = deadline.elapsed;
  }

  /**
   * A path from a start to a goal: poses, or joint values; for several robots a list with one for each. Those left out are
   * those of the robots.
   */
  plan(start?: RobotsConfiguration, goal?: RobotsConfiguration, options: MotionQuery = {}): PlanResult {
    QUERY_OPTIONS.assert(options);
    const { timeLimit = this.#settings.timeLimit, seed = this.#settings.seed } = options;
    problemSettings({ ...this.#problem, timeLimit, seed });
    const deadline = new Deadline(timeLimit, options);
    const built = this.#built;
    const ends = [start, goal].map((given, i) => {
      const what = i === 0 ? 'start' : 'goal';
      if (given !== undefined) return readConfiguration(built, given, what);
      const bare = this.#problem.robots.find((robot) => robot[what] === undefined);
      if (bare === undefined) return built[what].slice();
      throw new NearfieldError(
        'bad-argument',
        `No ${what} is given, and a robot has none; give plan a start and a goal.`,
      );
    });
    const asked: PlanScene = {
      ...built,
      start: ends[0],
      goal: ends[1],
      linkGoals: goal === undefined ? built.linkGoals : [],
    };
    const settings = {
      ...this.#settings,
      timeLimit,
      seed,
      ...problemWishes(this.#problem),
      preprocessMs: 0,
      meshes: this.#meshes,
    };
    return answerPlan(asked, settings, deadline);
  }

  /** As `timePath`, for an answer of this planner. */
  time(result: PlanResult, options: TimePathOptions = {}): Trajectory {
    return timeInScene(this.#built, result, options, new Deadline(this.#settings.timeLimit));
  }

  /** Moves an obstacle at rest, by its index among those of the environment that have no motion. */
  moveObstacle(index: number, to: pose.ReadonlyPose): void {
    const { scene } = this.#built;
    if (!Number.isInteger(index) || index < 0 || index >= scene.obstacles.length) {
      const what = `The obstacle is ${nameValue(index)}; give the index of one of the ${scene.obstacles.length} at rest.`;
      throw new NearfieldError('bad-argument', what);
    }
    scene.moveObstacle(index, pose.parse(to, 'obstacle'));
  }
}
