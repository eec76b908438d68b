// Whether a motion keeps the limits of joints: values, velocities, accelerations and jerks are polynomials on each piece, whose
// ranges are bounded by their Bernstein coefficients, so that nothing between waypoints is missed.
import { angleBetween } from '../../core/turns.js';
import { limitsOf, movingJoints } from '../../kinematics/robot/build-chain.js';
import { type JointRates, readJointRates } from '../../kinematics/robot/joint-rates.js';
import { within } from '../../kinematics/robot/refusals.js';
import type { Assignment } from './assign-trajectories.js';
import { differentiate, largestValue, NET } from './bernstein.js';
import type { MotionBody, MotionProblem } from './motion-problem.js';
import type { ValueTrack } from './value-track.js';

/** What limits are of; 'linear' and 'angular' are the speeds of a rigid robot. */
export type LimitKind = 'position' | 'velocity' | 'acceleration' | 'jerk' | 'linear' | 'angular';

/** A limit that a motion breaks: where it does so most. */
export interface BrokenLimit {
  readonly robot: string;
  /** Null for a rigid robot. */
  readonly joint: string | null;
  readonly kind: LimitKind;
  readonly limit: number;
  /** The farthest beyond the limit. */
  readonly value: number;
  readonly time: number;
}

/**
 * Chosen: a limit is broken by more than this share of it, or of the range of a joint. Times of files are whole nanoseconds, and
 * their numbers often have six digits.
 */
const SLACK = 1e-4;

/** Chosen: values and rates are bounded this near, as a share of the limit. */
const ERROR = 1e-6;

/** All limits that are broken, each once, in the order of robots and joints. */
export function findBrokenLimits(
  { robots }: MotionProblem,
  names: readonly string[],
  assignment: Assignment,
): BrokenLimit[] {
  const broken: BrokenLimit[] = [];
  for (const [i, robot] of robots.entries()) {
    if (robot.type !== 'chain') {
      broken.push(...ofBody(robot, names[i], i, assignment));
      continue;
    }
    const rates = within(names[i], () => readJointRates(robot));
    for (const joint of movingJoints(robot.joints)) {
      const limits = joint.type === 'continuous' && joint.limits === undefined ? undefined : limitsOf(joint);
      for (const { joints, track } of assignment.tracks) {
        const column = joints.findIndex((own) => own.robot === i && own.joint === joint.name);
        if (column < 0) continue;
        broken.push(...ofJoint(track, column, names[i], joint.name, limits, rates.get(joint.name) ?? {}));
      }
    }
  }
  return broken;
}

function ofJoint(
  track: ValueTrack,
  column: number,
  robot: string,
  joint: string,
  limits: readonly [number, number] | undefined,
  rates: JointRates,
): BrokenLimit[] {
  const broken: BrokenLimit[] = [];
  const check = (kind: LimitKind, order: number, low: number, high: number): void => {
    const slack = SLACK * (order === 0 ? high - low : high);
    const over = farthest(track, column, order, 1, high, slack);
    const under = farthest(track, column, order, -1, -low, slack);
    if (over !== null) broken.push({ robot, joint, kind, limit: high, ...over });
    if (under !== null) broken.push({ robot, joint, kind, limit: low, value: -under.value, time: under.time });
  };
  if (limits !== undefined) check('position', 0, limits[0], limits[1]);
  const { velocity, acceleration, jerk } = rates;
  if (velocity !== undefined) check('velocity', 1, -velocity, velocity);
  if (acceleration !== undefined) check('acceleration', 2, -acceleration, acceleration);
  if (jerk !== undefined) check('jerk', 3, -jerk, jerk);
  return broken;
}

/** The farthest that a derivative, or its negative, is beyond a limit; null where it is not. */
function farthest(
  { times, degrees, nets, size, first, last }: ValueTrack,
  column: number,
  order: number,
  sign: 1 | -1,
  limit: number,
  slack: number,
): { readonly value: number; readonly time: number } | null {
  let worst: { readonly value: number; readonly time: number } | null = null;
  const note = (value: number, time: number): void => {
    if (value > limit + slack && (worst === null || value > worst.value)) worst = { value, time };
  };
  if (order === 0) {
    note(sign * first[column], times[0]);
    note(sign * last[column], times[times.length - 1]);
  }
  const net = new Float64Array(NET);
  for (let piece = 0; piece < degrees.length; piece++) {
    let degree = degrees[piece];
    // Straight pieces meet at corners, whose acceleration is for the controller to smooth.
    if (order > 1 && degree === 1) continue;
    const at = NET * (size * piece + column);
    for (let i = 0; i <= degree; i++) net[i] = nets[at + i];
    const length = times[piece + 1] - times[piece];
    for (let k = 0; k < order && degree > 0; k++) differentiate(net, 0, degree--, length, net, 0);
    // Most pieces are far from their limits, as their coefficients tell.
    let most = -Infinity;
    for (let i = 0; i <= degree; i++) most = Math.max(most, sign * net[i]);
    if (most <= limit) continue;
    const { value, s } = largestValue(net, 0, degree, sign, ERROR * slack);
    note(value, times[piece] + s * length);
  }
  return worst;
}

function ofBody({ bounds, speed }: MotionBody, robot: string, index: number, { bodies }: Assignment): BrokenLimit[] {
  const broken = new Map<string, BrokenLimit>();
  const note = (kind: LimitKind, value: number, limit: number, beyond: number, time: number): void => {
    const key = `${kind} ${limit}`;
    const before = broken.get(key);
    if (before !== undefined && Math.abs(before.value - limit) >= beyond) return;
    broken.set(key, { robot, joint: null, kind, limit, value, time });
  };
  for (const { robot: owner, times, poses } of bodies) {
    if (owner !== index) continue;
    for (const [i, place] of poses.entries()) {
      for (let k = 0; k < 3 && bounds !== undefined; k++) {
        const [low, high] = [bounds.min[k], bounds.max[k]];
        const beyond = Math.max(low - place[k], place[k] - high);
        if (beyond > SLACK * (high - low)) note('position', place[k], place[k] < low ? low : high, beyond, times[i]);
      }
      if (i === 0) continue;
      const from = poses[i - 1];
      const seconds = times[i] - times[i - 1];
      const way = Math.hypot(place[0] - from[0], place[1] - from[1], place[2] - from[2]) / seconds;
      const turn = angleBetween(Float64Array.from(from), 3, Float64Array.from(place), 3) / seconds;
      const { linear = Infinity, angular = Infinity } = speed ?? {};
      if (way > (1 + SLACK) * linear) note('linear', way, linear, way - linear, times[i - 1]);
      if (turn > (1 + SLACK) * angular) note('angular', turn, angular, turn - angular, times[i - 1]);
    }
  }
  return [...broken.values()];
}
