// Inverse kinematics: joint values that bring a link of a chain to a place. Damped least squares from the values given, then
// from random ones. What is out of reach by the lengths of the chain is proven so; otherwise nothing found claims nothing.
import { assertOptions, nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, numberWithin, optionTable, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { createRandom, type Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { buildChain, readJointValues } from '../robot/build-chain.js';
import type { ChainPlanRobot, JointValues, LinkGoal } from '../robot/chain-description.js';
import type { ChainRobot } from '../robot/chain-robot.js';
import { soundModel } from '../robot/sound-model.js';
import { CollisionScene } from '../validity/collision-scene.js';
import type { PlanObstacle } from '../validity/obstacle-description.js';
import { LinkSolver, type LinkTarget } from './link-solver.js';
import { reachOf } from './reach.js';

/** How joint values are looked for. */
export interface InverseKinematicsOptions {
  /** Where the search begins; solutions near it come first. Default: 0, or the limit next to it, for each joint. */
  readonly from?: ArrayLike<number> | JointValues | undefined;
  /** The most distinct solutions to return. Default 8. */
  readonly solutions?: number | undefined;
  /** The most starts of the search. Default 100. */
  readonly starts?: number | undefined;
  /** Obstacles at rest. With them, or with a clearance, it is tested which solutions are free of collisions, also of links with each other. */
  readonly environment?: readonly PlanObstacle[] | undefined;
  /** The least distance wanted. Default 0: never touch. */
  readonly clearance?: number | undefined;
  /** The same seed gives the same solutions. Default 1. */
  readonly seed?: number | undefined;
}

/** Joint values that bring the link to its goal. */
export interface InverseKinematicsSolution {
  /** Numbers in the order of the joints that move. */
  readonly values: readonly number[];
  /** Whether nothing touches there; null where that was not asked. */
  readonly isFree: boolean | null;
}

/** What was found. */
export interface InverseKinematicsResult {
  /** 'unreachable' is proven; 'not-found' claims nothing. */
  readonly status: 'found' | 'not-found' | 'unreachable';
  /** Those free of collisions first, then those near to where the search began. */
  readonly solutions: readonly InverseKinematicsSolution[];
  /** Where nothing was found: the nearest that was, and how far it is off, in meters and radians; null if it is unreachable. */
  readonly nearest: { readonly values: readonly number[]; readonly position: number; readonly angle: number } | null;
  /** Why it is unreachable: the place is `distance` from `center`, but what has to be there is between `least` and `most`. */
  readonly proof: {
    readonly center: Vec3;
    readonly distance: number;
    readonly least: number;
    readonly most: number;
  } | null;
  /** Starts of the search, and steps of all of them. */
  readonly starts: number;
  readonly steps: number;
}

/** Chosen: the most solutions that are returned where the caller names no number. */
const DEFAULT_SOLUTIONS = 8;

/** Chosen: the count of random starts of the search where the caller names no number. */
const DEFAULT_STARTS = 100;

const OPTIONS = optionTable<InverseKinematicsOptions>()({
  from: checkedElsewhere<NonNullable<InverseKinematicsOptions['from']>>({}),
  solutions: wholeNumber(1, Number.MAX_SAFE_INTEGER, DEFAULT_SOLUTIONS),
  starts: wholeNumber(1, Number.MAX_SAFE_INTEGER, DEFAULT_STARTS),
  environment: checkedElsewhere<NonNullable<InverseKinematicsOptions['environment']>>(),
  clearance: numberWithin(0, Number.MAX_VALUE),
  seed: wholeNumber(0, 2 ** 32 - 1, 1),
});

/** Chosen: how far a position (meters) and an orientation (radians) may be off where the goal names no tolerance. */
const GOAL_TOLERANCE = 1e-9;

const GOAL_TOLERANCE_RULE = {
  expects: 'a number from 0',
  accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value < Infinity,
  fallback: GOAL_TOLERANCE as number,
};
const LINK_GOAL = optionTable<LinkGoal>('Goals of links')({
  link: checkedElsewhere<string>(),
  pose: checkedElsewhere<NonNullable<LinkGoal['pose']>>(),
  position: checkedElsewhere<NonNullable<LinkGoal['position']>>(),
  point: checkedElsewhere<NonNullable<LinkGoal['point']>>(),
  tolerance: GOAL_TOLERANCE_RULE,
  angleTolerance: GOAL_TOLERANCE_RULE,
});

/** Chosen: the most steps of the search from one start. */
const STEPS = 120;

/** Chosen: two solutions are the same if no point of the robot moves by more than this share of its reach. */
const SAME = 1e-4;

/**
 * Joint values that bring a link to a pose, or one of its points to a position, within the limits of the joints.
 * @throws NearfieldError for an invalid robot or goal.
 */
export function solveInverseKinematics(
  robot: ChainPlanRobot,
  goal: LinkGoal,
  options: InverseKinematicsOptions = {},
): InverseKinematicsResult {
  const { environment, clearance, from, seed, solutions, starts } = OPTIONS.read(options);
  const isTested = environment !== undefined || clearance !== undefined;
  const chain = buildChain(robot, robot?.name ?? 'robot', 0, isTested);
  const first = Float64Array.from(readJointValues(robot, from, 'from'));
  let isFree: ((q: Float64Array) => boolean) | null = null;
  if (isTested) {
    const obstacles = (environment ?? []).map(({ mesh, pose: at, motion }, i) => {
      if (motion !== undefined) {
        throw new NearfieldError('unsupported', `environment[${i}] moves; give obstacles at rest.`);
      }
      const placed = at === undefined ? pose.identity() : pose.parse(at, `environment[${i}]`);
      return { name: `environment ${i + 1}`, model: soundModel(mesh, `environment ${i + 1}`, [], false), pose: placed };
    });
    const scene = new CollisionScene([chain], obstacles, clearance ?? 0);
    isFree = (q) => scene.isFree(q);
  }
  return reachGoal(chain, goal, first, { random: createRandom(seed), solutions, starts, isFree });
}

/** The pose of each link of a chain, by name. */
export function forwardKinematics(
  robot: ChainPlanRobot,
  configuration: ArrayLike<number> | JointValues,
): Map<string, pose.Pose> {
  const chain = buildChain(robot, robot?.name ?? 'robot', 0, false);
  const q = Float64Array.from(readJointValues(robot, configuration, 'configuration'));
  return new Map(chain.linkNames.map((name, link) => [name, [...chain.frameAt(q, link)] as pose.Pose]));
}

/** Whether a goal is where a link is to be. */
export function isLinkGoal(goal: unknown): goal is LinkGoal {
  return typeof (goal as LinkGoal | undefined)?.link === 'string';
}

/** How a goal is looked for, with a robot that is built. */
export interface ReachOptions {
  readonly random: Random;
  readonly solutions: number;
  readonly starts: number;
  /** Null where it does not matter. It sees configurations with all numbers of `from`. */
  readonly isFree: ((q: Float64Array) => boolean) | null;
}

/** Looks for joint values, from a configuration that may have other robots' numbers too. */
export function reachGoal(
  robot: ChainRobot,
  goal: LinkGoal,
  from: Float64Array,
  { random, solutions, starts, isFree }: ReachOptions,
): InverseKinematicsResult {
  const link = linkOf(robot, goal);
  const target = readTarget(goal);
  const proof = proveUnreachable(robot, link, target);
  if (proof !== null) {
    return { status: 'unreachable', solutions: [], nearest: null, proof, starts: 0, steps: 0 };
  }
  const solver = new LinkSolver(robot, link);
  const found: { readonly q: Float64Array; readonly isFree: boolean | null; readonly way: number }[] = [];
  const extent = meanReach(robot);
  let nearest: { q: Float64Array; position: number; angle: number; sum: number } | null = null;
  let start = 0;
  for (; start < starts; start++) {
    if (found.filter((one) => one.isFree !== false).length >= solutions) break;
    const q = from.slice();
    if (start > 0) robot.sample(random, q);
    const { position, angle } = solver.solve(q, target, STEPS);
    if (position > 0 || angle > 0) {
      const sum = position + angle * extent;
      if (nearest === null || sum < nearest.sum) nearest = { q, position, angle, sum };
      continue;
    }
    turnNear(robot, q, from);
    if (found.some((other) => robot.distance(other.q, q) <= SAME * extent)) continue;
    found.push({ q, isFree: isFree === null ? null : isFree(q), way: robot.distance(from, q) });
  }
  const rank = ({ isFree: free, way }: { isFree: boolean | null; way: number }): number =>
    free === false ? Infinity : way;
  found.sort((a, b) => rank(a) - rank(b) || a.way - b.way);
  const valuesOf = (q: Float64Array): number[] => [...q.subarray(robot.offset, robot.offset + robot.size)];
  const isFound = found.length > 0;
  return {
    status: isFound ? 'found' : 'not-found',
    solutions: found.slice(0, solutions).map(({ q, isFree: free }) => ({ values: valuesOf(q), isFree: free })),
    nearest:
      isFound || nearest === null
        ? null
        : { values: valuesOf(nearest.q), position: nearest.position, angle: nearest.angle },
    proof: null,
    starts: start,
    steps: solver.steps,
  };
}

/** Turns hinges by whole turns, where their limits allow it, to be near to where they were. */
function turnNear(robot: ChainRobot, q: Float64Array, from: Float64Array): void {
  for (const [j, joint] of robot.joints.entries()) {
    if (joint.type !== 'revolute' || joint.mimic !== undefined) continue;
    const at = robot.offset + robot.valueOf(j).value;
    const turns = Math.round((from[at] - q[at]) / (2 * Math.PI));
    // What mimics it would have to turn by whole turns too.
    if (turns === 0 || robot.joints.some(({ mimic }) => mimic?.joint === j)) continue;
    const turned = q[at] + 2 * Math.PI * turns;
    if (turned >= joint.limits[0] && turned <= joint.limits[1]) q[at] = turned;
  }
}

function meanReach(robot: ChainRobot): number {
  let most = 0;
  for (let value = 0; value < robot.size; value++) most = Math.max(most, robot.reachOf(value));
  return most > 0 ? most : 1;
}

function linkOf(robot: ChainRobot, goal: LinkGoal): number {
  if (!isLinkGoal(goal)) {
    throw new NearfieldError(
      'bad-argument',
      `The goal is ${nameValue(goal)}; give { link, pose } or { link, position }.`,
    );
  }
  assertOptions(goal, LINK_GOAL.names, 'Goals of links');
  const link = robot.linkNames.indexOf(goal.link);
  if (link >= 0) return link;
  const names = robot.linkNames.join(', ');
  throw new NearfieldError('bad-argument', `The goal is of the link '${goal.link}'; the links are ${names}.`);
}

function readTarget(goal: LinkGoal): LinkTarget {
  const { pose: wanted, position, point, tolerance, angleTolerance } = LINK_GOAL.read(goal, 'the goal');
  if ((wanted === undefined) === (position === undefined)) {
    throw new NearfieldError('bad-argument', `The goal of ${goal.link} needs a pose or a position; give one of them.`);
  }
  const own = point === undefined ? ([0, 0, 0] as Vec3) : readVector(point, 'point');
  if (wanted === undefined) {
    const at = readVector(position!, 'position');
    return { point: own, position: at, orientation: null, alignment: null, tolerance, angleTolerance };
  }
  if (point !== undefined) {
    throw new NearfieldError('bad-argument', 'The goal has a pose and a point; a point goes with a position.');
  }
  const parsed = pose.parse(wanted, `goal of ${goal.link}`);
  return {
    point: own,
    position: [parsed[0], parsed[1], parsed[2]],
    orientation: [parsed[3], parsed[4], parsed[5], parsed[6]],
    alignment: null,
    tolerance,
    angleTolerance,
  };
}

function readVector(given: ArrayLike<number>, name: string): Vec3 {
  const values = Array.from(given ?? []);
  if (values.length === 3 && values.every(Number.isFinite)) return values as Vec3;
  throw new NearfieldError(
    'bad-argument',
    `The ${name} of the goal is ${nameValue(given)}; give three finite numbers.`,
  );
}

/** A proof by lengths that no joint values reach a target. With an orientation, the place of the last hinge is known too. */
function proveUnreachable(robot: ChainRobot, link: number, target: LinkTarget): InverseKinematicsResult['proof'] {
  const isOut = (center: Vec3, at: Readonly<Vec3>, least: number, most: number, slack: number) => {
    const distance = vec3.distance(center, at);
    const rounding = 1e-12 * (most + vec3.length(center) + vec3.length(at));
    const isBeyond = distance > most + slack + rounding || distance < least - slack - rounding;
    return isBeyond ? { center, distance, least, most } : null;
  };
  const { center, least, most } = reachOf(robot, link, target.point);
  const found = isOut(center, target.position, least, most, target.tolerance);
  if (found !== null || target.orientation === null) return found;
  const joints = robot.jointsOf(link);
  const last = joints.findIndex((j) => robot.joints[j].type !== 'fixed');
  if (last < 0 || robot.joints[joints[last]].type !== 'revolute') return null;
  // The fixed way from the last hinge to the link.
  let way: pose.Pose = pose.identity();
  for (const j of joints.slice(0, last).reverse()) way = pose.multiply(way, robot.joints[j].origin);
  const wanted = pose.create(target.position, target.orientation);
  const hinge = pose.multiply(wanted, pose.invert(way));
  const wrist = reachOf(robot, robot.joints[joints[last]].child, [0, 0, 0]);
  const slack = target.tolerance + target.angleTolerance * Math.hypot(way[0], way[1], way[2]);
  return isOut(wrist.center, [hinge[0], hinge[1], hinge[2]], wrist.least, wrist.most, slack);
}
