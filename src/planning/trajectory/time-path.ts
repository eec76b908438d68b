// A path of chains as a trajectory: joint values over time within limits of velocity, acceleration and jerk. Corners are
// rounded where the rounded motion is proven to keep the clearance, piece by piece: on a short piece the joints deviate from
// even motion by at most h²/8 times their largest acceleration, and no point of a link by more than the reach of the joints
// times that. Where no proof is found, the robot slows down more at the corner, in the end to rest: then it stays on the path.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { Deadline } from '../../core/deadline.js';
import { NearfieldError } from '../../core/errors.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { buildScene, type PlanScene } from '../problem/build-scene.js';
import type { PlanProblem, PlanResult } from '../problem/plan-problem.js';
import { problemSettings } from '../problem/problem-settings.js';
import { readPath } from '../problem/sample-path.js';
import { FilteredPolyline, type JointLimits } from './filtered-polyline.js';

/** What all joints may do, or each by its name. */
export type JointLimit = number | Readonly<Record<string, number>>;

/** Limits of a trajectory, in radians or meters and seconds; those of joints come first, then the defaults. */
export interface TimePathOptions {
  /** Default: that of the joint; the `speed` of the robot; 1. */
  readonly velocity?: JointLimit | undefined;
  /** Default: that of the joint; otherwise the velocity is reached in `TIMING_DEFAULTS.speedingUp` seconds. */
  readonly acceleration?: JointLimit | undefined;
  /** Default: that of the joint; otherwise the acceleration is reached in `TIMING_DEFAULTS.pushing` seconds. */
  readonly jerk?: JointLimit | undefined;
  /** Whether corners are rounded; otherwise the robot stops at each waypoint. Default true. */
  readonly rounded?: boolean | undefined;
}

/** What trajectories assume where nothing is said. */
export const TIMING_DEFAULTS = {
  /** Radians or meters a second. */
  velocity: 1,
  /** Seconds in which a joint reaches its velocity. */
  speedingUp: 0.5,
  /** Seconds in which a joint reaches its acceleration. */
  pushing: 0.1,
} as const;

/** Where the joints are at a time, and how fast they and their speeds change. */
export interface TrajectoryPoint {
  /** In seconds from the start. */
  readonly time: number;
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
  readonly accelerations: readonly number[];
}

/** Joint values over time. Between two points each is the polynomial of degree 5 that both ends determine; it is cubic. */
export interface Trajectory {
  /** The joints in the order of the values; with the robot's name in front where two robots have a joint of the same name. */
  readonly joints: readonly string[];
  readonly points: readonly TrajectoryPoint[];
  /** In seconds. */
  readonly duration: number;
  /** The distance that all of the motion is proven to keep: that of the problem. */
  readonly clearance: number;
  /** The count of waypoints at which the robot comes to rest, besides its ends. */
  readonly stops: number;
  readonly certified: true;
}

/** Limits are checked joint by joint. */
const TIMING_OPTIONS = optionTable<TimePathOptions>()({
  velocity: checkedElsewhere<JointLimit>(),
  acceleration: checkedElsewhere<JointLimit>(),
  jerk: checkedElsewhere<JointLimit>(),
  rounded: checkedElsewhere<boolean>(true),
});

/** Chosen: the shares of the filters' widths that are rested at a corner, one after the other. At the last one the robot stops. */
const RESTS = [0, 0.35, 0.65, 1] as const;

/** Chosen: a piece is halved this often before its corner counts as not proven. */
const MAX_HALVINGS = 6;

/** Chosen: the most waypoints of a path whose corners are rounded; the robot stops at each of a longer one. */
const MAX_WAYPOINTS = 1000;

/**
 * Times a solved path of chains.
 * @throws NearfieldError for paths of other robots, paths that have times already, and limits that are not above 0.
 */
export function timePath(problem: PlanProblem, result: PlanResult, options: TimePathOptions = {}): Trajectory {
  const { clearance, timeLimit } = problemSettings(problem);
  const built = buildScene(problem, clearance);
  return timeInScene(built, result, options, new Deadline(timeLimit));
}

/** As {@link timePath}, in a scene that is prepared. Where the time is over, the robot stops at the waypoints that are left. */
export function timeInScene(
  built: PlanScene,
  result: PlanResult,
  options: TimePathOptions,
  deadline: Deadline,
): Trajectory {
  TIMING_OPTIONS.assert(options);
  const { scene, names } = built;
  if (built.timed !== null) {
    throw new NearfieldError('bad-argument', 'The path has times already, as obstacles move or there is a horizon.');
  }
  const chains = scene.robots.map((robot, r) => {
    if (robot.chain !== null) return robot.chain;
    throw new NearfieldError('bad-argument', `A trajectory is of joints, and ${names[r]} has none; sample its path.`);
  });
  const path = withoutRepeats(readPath(built, result).path);
  const joints = jointNames(chains, names);
  const limits = jointLimits(built, chains, joints, options);
  if (path.length === 1) return atRest(joints, path[0], scene.clearance);
  const stopsOnly = options.rounded === false || path.length > MAX_WAYPOINTS;
  const rests = new Int32Array(Math.max(0, path.length - 2)).fill(stopsOnly ? RESTS.length - 1 : 0);
  const filtered = (): FilteredPolyline =>
    new FilteredPolyline(
      path,
      limits,
      Array.from(rests, (rest) => RESTS[rest]),
    );
  let motion = filtered();
  while (!stopsOnly) {
    if (deadline.isOver('Rounding corners')) rests.fill(RESTS.length - 1);
    const corners = tightCorners(scene, motion, rests);
    for (const corner of corners) rests[corner]++;
    motion = filtered();
    if (corners.length === 0) break;
  }
  return describe(joints, motion, scene.clearance, rests.filter((rest) => RESTS[rest] === 1).length);
}

/** The corners at which the motion is not proven, and could be slower. */
function tightCorners(scene: CollisionScene, motion: FilteredPolyline, rests: Int32Array): number[] {
  const found = new Set<number>();
  const times = motion.breakpoints();
  for (let i = 1; i < times.length; i++) {
    const { first, last } = motion.edgesWithin(times[i - 1], times[i]);
    // On a single edge the motion is on the path.
    if (last <= first) continue;
    const slower = [];
    for (let corner = first; corner < last; corner++) if (rests[corner] < RESTS.length - 1) slower.push(corner);
    if (slower.length === 0 || slower.every((corner) => found.has(corner))) continue;
    if (!provesPiece(scene, motion, times[i - 1], times[i], 0)) for (const corner of slower) found.add(corner);
  }
  return [...found];
}

/** Whether the motion between two times, which breakpoints do not part, is proven to keep the clearance. */
function provesPiece(
  scene: CollisionScene,
  motion: FilteredPolyline,
  from: number,
  to: number,
  level: number,
): boolean {
  const [a, b] = [motion.at(from), motion.at(to)];
  const zero = new Float64Array(scene.size);
  // Accelerations change evenly, so that the largest is at an end.
  const off = a.accelerations.map((value, k) => {
    return (Math.max(Math.abs(value), Math.abs(b.accelerations[k])) * (to - from) ** 2 * (1 + 1e-9)) / 8;
  });
  // Links on two branches that follow one value may move towards each other.
  const sides = scene.robots.some(({ chain }) => chain?.joints.some(({ mimic }) => mimic !== undefined)) ? 2 : 1;
  const deviation = sides * scene.separation(zero, off);
  const wanted = scene.clearance + deviation;
  if (scene.proves(a.positions, b.positions, wanted)) return true;
  if (level >= MAX_HALVINGS) return false;
  const middle = (from + to) / 2;
  return provesPiece(scene, motion, from, middle, level + 1) && provesPiece(scene, motion, middle, to, level + 1);
}

function withoutRepeats(path: readonly Float64Array[]): Float64Array[] {
  return path.filter((q, i) => i === 0 || q.some((value, k) => value !== path[i - 1][k]));
}

function jointNames(chains: readonly ChainRobot[], names: readonly string[]): string[] {
  const all = chains.flatMap(({ valueNames }) => valueNames);
  return chains.flatMap(({ valueNames }, r) => {
    return valueNames.map((name) => (all.filter((other) => other === name).length > 1 ? `${names[r]}/${name}` : name));
  });
}

function jointLimits(
  { rates }: PlanScene,
  chains: readonly ChainRobot[],
  joints: readonly string[],
  options: TimePathOptions,
): JointLimits {
  const own = chains.flatMap((chain, r) => chain.valueNames.map((name) => rates[r]?.get(name) ?? {}));
  const take = (key: 'velocity' | 'acceleration' | 'jerk', fallback: (k: number) => number): number[] => {
    const given = options[key];
    if (typeof given === 'object' && given !== null) {
      const unknown = Object.keys(given).find((name) => !joints.includes(name));
      if (unknown !== undefined) {
        throw new NearfieldError(
          'bad-argument',
          `${key} names the joint ${nameValue(unknown)}, which has no value; those that move are ${joints.join(', ')}.`,
        );
      }
    }
    return joints.map((name, k) => {
      const value = (typeof given === 'object' ? given?.[name] : given) ?? own[k][key] ?? fallback(k);
      if (typeof value === 'number' && value > 0 && value < Infinity) return value;
      throw new NearfieldError(
        'bad-argument',
        `${key} of the joint ${name} is ${nameValue(value)}; give a finite number above 0.`,
      );
    });
  };
  const velocities = take('velocity', () => TIMING_DEFAULTS.velocity);
  const accelerations = take('acceleration', (k) => velocities[k] / TIMING_DEFAULTS.speedingUp);
  return { velocities, accelerations, jerks: take('jerk', (k) => accelerations[k] / TIMING_DEFAULTS.pushing) };
}

function atRest(joints: readonly string[], q: Float64Array, clearance: number): Trajectory {
  const still = joints.map(() => 0);
  const point = { time: 0, positions: [...q], velocities: still, accelerations: still };
  return { joints, points: [point], duration: 0, clearance, stops: 0, certified: true };
}

function describe(joints: readonly string[], motion: FilteredPolyline, clearance: number, stops: number): Trajectory {
  const points = motion.breakpoints().map((time): TrajectoryPoint => {
    const { positions, velocities, accelerations } = motion.at(time);
    return { time, positions: [...positions], velocities: [...velocities], accelerations: [...accelerations] };
  });
  return { joints, points, duration: motion.duration, clearance, stops, certified: true };
}
