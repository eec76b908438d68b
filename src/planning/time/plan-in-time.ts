// Plans among obstacles that move. Obstacles at rest come first: a path among them, or the proof that no path exists, which
// holds for all times. Then a roadmap is searched for the earliest arrival, and grows, in turns with trees in space and time.

import type { Pose } from '../../core/pose.js';
import { type SpeedLimit, SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import { Clock } from '../../kinematics/validity/clock.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { MovingObstacle } from '../../kinematics/validity/obstacle.js';
import type { FoundPath, PlanTask } from '../planners/planner.js';
import { searchPath } from '../planners/search-path.js';
import type { PlannerName } from '../problem/plan-problem.js';
import { shortenPath } from '../search/shorten.js';
import { clockTraffic } from './safe-intervals.js';
import { SpaceTimeTrees } from './space-time-trees.js';
import { TimedRoadmap } from './timed-roadmap.js';

/** What a problem says of time. */
export interface TimedPart {
  readonly moving: readonly MovingObstacle[];
  /** The last time allowed, or Infinity. */
  readonly horizon: number;
  /** Of each robot. */
  readonly limits: readonly (SpeedLimit | undefined)[];
}

/** Chosen: the share of the time for a path among obstacles at rest. */
const REST_TIME = 0.4;

/** Chosen: the share of the time for a path among all obstacles as they are at one time. */
const FROZEN_TIME = 0.1;

/** Chosen: the count of samples of the first turn; each turn has twice as many as the one before. */
const FIRST_SAMPLES = 40;

/** Chosen: the count of trials to connect of the first turn; each turn has twice as many as the one before. */
const FIRST_EDGES = 200;

/** Chosen: a robot without a limit of speed first crosses its space in this share of the time. */
const CROSSING = 0.25;

/** Chosen: the factor by which it gets faster each turn. */
const HURRY = 2;

/** Chosen: without a horizon, robots have this count of crossings of their space after the last key. */
const LATEST = 8;

/** Robots, obstacles at rest and obstacles that move. */
export class TimedScene {
  /** Watches everything. Its configurations end with the time. */
  readonly scene: CollisionScene;
  /** Watches obstacles that move, and nothing else. */
  readonly moving: CollisionScene;
  readonly clock: Clock;
  readonly limits: SpeedLimits;
  /** In which a robot without a speed limit crosses its space at first. */
  readonly seconds: number;

  constructor(rest: CollisionScene, { moving, horizon, limits }: TimedPart) {
    const last = Math.max(0, ...moving.map(({ keys }) => keys[keys.length - 1].time));
    const span = horizon < Infinity ? horizon : last;
    this.seconds = CROSSING * (span > 0 ? span : 1);
    this.limits = new SpeedLimits(rest.robots, limits, this.seconds);
    const end = horizon < Infinity ? horizon : last + LATEST * this.limits.crossing;
    this.clock = new Clock(rest.size, moving, end, this.limits);
    const robots = [...rest.robots, this.clock];
    const { counters } = rest;
    this.scene = new CollisionScene(robots, rest.obstacles, rest.clearance, { counters });
    this.moving = new CollisionScene(robots, [], rest.clearance, { counters, watched: 'timed' });
  }

  /**
   * The same path as fast as the robots may go, where no obstacle moves: its edges are then proven at any speed. Waits of all robots
   * are left out.
   */
  hasten(path: readonly Float64Array[]): readonly Float64Array[] {
    if (this.clock.links.length > 0) return path;
    const fast = [this.at(path[0], 0)];
    for (const q of path.slice(1)) {
      const last = fast[fast.length - 1];
      const duration = this.limits.duration(last, q);
      if (duration > 0) fast.push(this.at(q, last[this.clock.offset] + duration));
    }
    return fast.length > 1 ? fast : path;
  }

  /** A configuration at a time. */
  at(q: Float64Array, time: number): Float64Array {
    const timed = new Float64Array(this.scene.size);
    timed.set(q.subarray(0, this.clock.offset));
    timed[this.clock.offset] = time;
    return timed;
  }
}

/** Searches a path in time; start and goal are free among obstacles at rest, the start at time 0 too. */
export function planInTime(planner: PlannerName, task: PlanTask, timed: TimedScene): FoundPath {
  const { scene: rest, start, goal, random, deadline, timeLimit } = task;
  const { clock, limits, moving } = timed;
  let used = planner;
  const isOver = (): boolean => deadline.isOver('Planning in time');
  const roadmap = new TimedRoadmap(rest, clockTraffic(moving, clock, isOver), limits);
  const [from, to] = [roadmap.add(start), roadmap.add(goal)];
  let path = roadmap.search(from, to, isOver);
  if (path !== null) return { planner, path, proof: null };
  const found = searchPath(planner, { ...task, deadline: deadline.within(REST_TIME * timeLimit) });
  if (found.proof !== null) return found;
  used = found.planner;
  if (found.path !== null) {
    const short = shortenPath(rest, found.path, random, deadline, FIRST_SAMPLES);
    roadmap.addPath(divide(rest, short), from, to);
    path = roadmap.search(from, to, isOver);
  }
  if (path === null) {
    addFrozen(task, timed, roadmap, from, to, clock.horizon);
    path = roadmap.search(from, to, isOver);
  }
  const trees = new SpaceTimeTrees(timed.scene, clock, limits, random, timed.at(start, 0), timed.at(goal, 0));
  const q = new Float64Array(rest.size);
  for (let turn = 0; path === null && !isOver(); turn++) {
    for (let i = 0; i < FIRST_SAMPLES * 2 ** turn && !isOver(); i++) {
      for (const robot of rest.robots) robot.sample(random, q);
      rest.counters.samples++;
      if (rest.isFree(q)) roadmap.add(q);
    }
    path = roadmap.search(from, to, isOver) ?? trees.grow(FIRST_EDGES * 2 ** turn, isOver);
    limits.hurry(HURRY);
    if (path === null) addFrozen(task, timed, roadmap, from, to, random.range(0, clock.horizon));
  }
  return { planner: used, path, proof: null };
}

/**
 * Adds a path among all obstacles as they are at one time, if there is one: other passages may be open at that time than
 * among obstacles at rest alone.
 */
function addFrozen(
  task: PlanTask,
  timed: TimedScene,
  roadmap: TimedRoadmap,
  from: number,
  to: number,
  time: number,
): void {
  const { scene: rest, start, goal, timeLimit, random } = task;
  const { clock } = timed;
  const poses = new Float64Array(7 * clock.links.length);
  clock.place(timed.at(start, time), poses);
  const frozen = clock.links.map(({ name, model }, i) => {
    return { name, model, pose: [...poses.subarray(7 * i, 7 * i + 7)] as Pose };
  });
  const { clearance, counters } = rest;
  const scene = new CollisionScene(rest.robots, [...rest.obstacles, ...frozen], clearance, { counters });
  if (!scene.isFree(start) || !scene.isFree(goal)) return;
  const deadline = task.deadline.within(FROZEN_TIME * timeLimit);
  const { path } = searchPath('auto', { ...task, scene, timed: null, deadline });
  if (path === null) return;
  const short = shortenPath(scene, path, random, deadline, FIRST_SAMPLES);
  roadmap.addPath(divide(rest, short), from, to);
}

/** Cuts long edges, so that robots can wait on the way. */
function divide(scene: CollisionScene, path: readonly Float64Array[]): Float64Array[] {
  const total = path.slice(1).reduce((sum, q, i) => sum + scene.separation(path[i], q), 0);
  const most = Math.max(total / 16, 1e-12);
  const divided = [path[0]];
  for (let i = 1; i < path.length; i++) {
    const parts = Math.ceil(scene.separation(path[i - 1], path[i]) / most);
    for (let k = 1; k < parts; k++) {
      const q = new Float64Array(scene.size);
      scene.interpolate(path[i - 1], path[i], k / parts, q);
      divided.push(q);
    }
    divided.push(path[i]);
  }
  return divided;
}
