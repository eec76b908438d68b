// Which trajectory moves which values of which robot, checked: times ascend, names are known, nothing is moved twice.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { movingJoints, readJointValues } from '../../kinematics/robot/build-chain.js';
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import { refuse } from '../../kinematics/robot/refusals.js';
import type { MotionBody, MotionProblem, MotionRobot } from './motion-problem.js';
import type {
  BodyTrajectory,
  Interpolation,
  JointTrajectory,
  JointWaypoint,
  MotionTrajectory,
  PathTrajectory,
} from './motion-trajectory.js';
import { ValueTrack } from './value-track.js';

/** A joint that has a value, of a robot by index. */
export interface AssignedJoint {
  readonly robot: number;
  readonly joint: string;
}

/** Joints that a track moves, in the order of its values. */
export interface AssignedTrack {
  readonly joints: readonly AssignedJoint[];
  readonly track: ValueTrack;
}

/** Poses of a rigid robot over time. */
export interface AssignedBody {
  readonly robot: number;
  readonly times: Float64Array;
  readonly poses: readonly pose.Pose[];
}

/** What all trajectories together say. */
export interface Assignment {
  readonly tracks: readonly AssignedTrack[];
  readonly bodies: readonly AssignedBody[];
  /** By robot: the values of its joints, or its pose, where nothing moves them. */
  readonly rest: readonly (readonly number[])[];
  /** What was assumed, a sentence each. */
  readonly notes: readonly string[];
}

export function assignTrajectories(
  { robots }: MotionProblem,
  names: readonly string[],
  trajectories: readonly MotionTrajectory[],
  interpolation: Interpolation,
): Assignment {
  const assigner = new Assigner(robots, names, interpolation);
  for (const [i, trajectory] of trajectories.entries()) {
    assigner.add(trajectory, trajectories.length > 1 ? `trajectory ${i + 1}` : 'the trajectory');
  }
  return assigner.finish();
}

class Assigner {
  readonly #robots: readonly MotionRobot[];
  readonly #names: readonly string[];
  readonly #interpolation: Interpolation;
  readonly #tracks: AssignedTrack[] = [];
  readonly #bodies: AssignedBody[] = [];
  readonly #notes: string[] = [];
  /** What a trajectory moves already: joints as robot and name, bodies as robots. */
  readonly #moved = new Set<string>();
  /** Values of joints that stay, by robot. */
  readonly #stays: Record<string, number>[];

  constructor(robots: readonly MotionRobot[], names: readonly string[], interpolation: Interpolation) {
    this.#robots = robots;
    this.#names = names;
    this.#interpolation = interpolation;
    this.#stays = robots.map(() => ({}));
  }

  add(trajectory: MotionTrajectory, where: string): void {
    const isObject = trajectory !== null && typeof trajectory === 'object';
    if (isObject && 'paths' in trajectory) this.#addPath(trajectory, where);
    else if (isObject && 'joints' in trajectory) this.#addJoints(trajectory, where);
    else if (isObject && 'points' in trajectory) this.#addBody(trajectory, where);
    else fail(`${where} is ${nameValue(trajectory)}; give { joints, points }, { body, points } or { paths, times }`);
  }

  #addPath({ paths, times }: PathTrajectory, where: string): void {
    if (!Array.isArray(paths) || paths.length === 0) fail(`${where} has no paths; give a solved answer of planMotion`);
    const parts: PathTrajectory['paths'] =
      paths.length === 1 && paths[0].robot === undefined ? this.#divide(paths[0].poses, where) : paths;
    for (const [i, { robot, poses }] of parts.entries()) {
      const index = robot === undefined || !this.#names.includes(robot) ? i : this.#names.indexOf(robot);
      const own = this.#robots[index];
      if (own === undefined) fail(`${where} has ${paths.length} paths, and the problem ${this.#robots.length} robots`);
      const timed = Array.from(poses, (values, k) => ({ time: times?.[k], values }));
      const name = this.#names[index];
      if (own.type !== 'chain') {
        const points = timed.map(({ time, values }) => ({ time, pose: values }));
        this.#addBody({ body: name, points }, where);
        continue;
      }
      const joints = movingJoints(own.joints).map((joint) => `${name}/${joint.name}`);
      const points = timed.map(({ time, values }) => ({ time, positions: values }));
      this.#addJoints({ joints, points }, where);
    }
  }

  /** States that hold the numbers of all robots, one after the other: a robot in a plane has x, y and its angle, or a pose. */
  #divide(states: readonly ArrayLike<number>[], where: string): PathTrajectory['paths'] {
    const size = states[0]?.length ?? 0;
    const others = this.#robots.filter(({ type }) => type !== 'planar');
    const known = others.reduce(
      (sum, robot) => sum + (robot.type === 'chain' ? movingJoints(robot.joints).length : 7),
      0,
    );
    const planar = this.#robots.length - others.length;
    const ofPlanar = planar === 0 ? 0 : (size - known) / planar;
    if (known + planar * ofPlanar !== size || (planar > 0 && ofPlanar !== 3 && ofPlanar !== 7)) {
      fail(`${where} has ${size} numbers in a state, and the robots of the problem have ${known + 3 * planar}`);
    }
    let at = 0;
    return this.#robots.map((robot, i) => {
      const from = at;
      at += robot.type === 'chain' ? movingJoints(robot.joints).length : robot.type === 'planar' ? ofPlanar : 7;
      const own = states.map((state) => Array.from(state).slice(from, at));
      if (robot.type !== 'planar' || ofPlanar === 7) return { robot: this.#names[i], poses: own };
      return { robot: this.#names[i], poses: own.map((state) => planarPose(robot, state)) };
    });
  }

  #addJoints(trajectory: JointTrajectory, where: string): void {
    const { joints, points } = trajectory;
    if (!Array.isArray(joints) || joints.length === 0) fail(`${where} names no joints; give their names`);
    if (!Array.isArray(points) || points.length === 0) fail(`${where} has no points; give at least one`);
    const found = joints.map((name) => this.#find(name, where));
    const kept = found.flatMap((joint, column) => (joint === null ? [] : [{ joint, column }]));
    for (const [name, value] of Object.entries(trajectory.start ?? {})) {
      const joint = this.#find(name, where, true);
      if (joint !== null && !joints.includes(name)) this.#stays[joint.robot][joint.joint] = value;
    }
    if (kept.length === 0) fail(`${where} moves no joint that has a value`);
    for (const { joint } of kept) this.#claim(`${joint.robot}/${joint.joint}`, `the joint ${joint.joint}`, where);
    const columns = kept.map(({ column }) => column);
    const take = (values: ArrayLike<number> | undefined, what: string, i: number): number[] | null => {
      // Messages of ROS have empty lists for what is not said.
      if (values === undefined || values === null || (values.length === 0 && what !== 'positions')) return null;
      const list = Array.from(values);
      if (list.length === joints.length && list.every(Number.isFinite)) return columns.map((column) => list[column]);
      return fail(
        `${where}: point ${i + 1} has the ${what} ${nameValue(values)}; give ${joints.length} finite numbers`,
      );
    };
    const read = points.map((point: JointWaypoint, i) => ({
      time: point?.time,
      values: take(point?.positions, 'positions', i) ?? fail(`${where}: point ${i + 1} has no positions`),
      velocities: take(point?.velocities, 'velocities', i),
      accelerations: take(point?.accelerations, 'accelerations', i),
    }));
    const before = this.#before(trajectory, read[0], columns);
    const timed = inTime(before === null ? read : [before, ...read], where, this.#notes);
    const track = new ValueTrack(
      {
        times: timed.map(({ time }) => time),
        positions: timed.map(({ point }) => point.values),
        velocities: timed.map(({ point }) => point.velocities),
        accelerations: timed.map(({ point }) => point.accelerations),
      },
      this.#interpolation,
    );
    this.#tracks.push({ joints: kept.map(({ joint }) => joint), track });
  }

  /** The point at time 0 from which a controller goes to a first point that is later; null where nothing is known of it. */
  #before(
    { joints, start }: JointTrajectory,
    first: { readonly time: number | undefined; readonly velocities: unknown; readonly accelerations: unknown },
    columns: readonly number[],
  ) {
    if (start === undefined || !(first.time !== undefined && first.time > 0)) return null;
    const values = columns.map((column) => start[joints[column]]);
    if (!values.every((value) => Number.isFinite(value))) return null;
    const still = values.map(() => 0);
    return {
      time: 0,
      values,
      velocities: first.velocities === null ? null : still,
      accelerations: first.accelerations === null ? null : still,
    };
  }

  #addBody({ body, points }: BodyTrajectory, where: string): void {
    const rigid = this.#robots.flatMap((robot, i) => (robot.type === 'chain' ? [] : [i]));
    const index = body === undefined && rigid.length === 1 ? rigid[0] : this.#names.indexOf(body ?? '');
    if (index < 0) {
      const known = rigid.map((i) => this.#names[i]).join(', ');
      fail(`${where} moves the body ${nameValue(body)}; the rigid robots are ${known === '' ? 'none' : known}`);
    }
    if (this.#robots[index].type === 'chain') fail(`${where} has poses for ${this.#names[index]}, which is a chain`);
    if (!Array.isArray(points) || points.length === 0) fail(`${where} has no points; give at least one`);
    this.#claim(`${index}`, this.#names[index], where);
    const timed = inTime(
      points.map(({ time, pose: values }, i) => ({
        time,
        values: pose.parse(values as pose.ReadonlyPose, `${where}: point ${i + 1}`),
      })),
      where,
      this.#notes,
    );
    this.#bodies.push({
      robot: index,
      times: Float64Array.from(timed, ({ time }) => time),
      poses: timed.map(({ point }) => point.values),
    });
  }

  #claim(key: string, what: string, where: string): void {
    if (this.#moved.has(key)) fail(`${where} moves ${what}, which moves already; name it once`);
    this.#moved.add(key);
  }

  /** The joint of a name; null for one that has no value of its own, and for an unknown one where that does not matter. */
  #find(name: string, where: string, isAnyName = false): AssignedJoint | null {
    const matches = this.#robots.flatMap((robot, index) => {
      if (robot.type !== 'chain') return [];
      const own = robot.joints.find((joint) => joint.name === name || `${this.#names[index]}/${joint.name}` === name);
      return own === undefined ? [] : [{ index, joint: own }];
    });
    if (matches.length > 1) {
      fail(`${where} names the joint ${nameValue(name)}, which several robots have; give robot/joint`);
    }
    if (matches.length === 0) {
      if (isAnyName) return null;
      const known = this.#robots.flatMap((robot) => (robot.type === 'chain' ? movingJoints(robot.joints) : []));
      const list = known.map((joint) => joint.name).join(', ');
      return fail(`${where} names the joint ${nameValue(name)}, which no robot has; those that move are ${list}`);
    }
    const [{ index, joint }] = matches;
    if (joint.type !== 'fixed' && joint.mimic === undefined) return { robot: index, joint: joint.name };
    const why = joint.mimic === undefined ? 'is fixed in the robot' : `follows ${joint.mimic.joint}`;
    if (!isAnyName) this.#notes.push(`The values of ${name} are not used: the joint ${why}.`);
    return null;
  }

  finish(): Assignment {
    if (this.#moved.size === 0) fail('There is no trajectory; give one or several');
    const rest = this.#robots.map((robot, i) => {
      if (robot.type === 'chain') return this.#restOf(robot, i);
      if (this.#moved.has(`${i}`)) return [...pose.identity()];
      if (robot.start === undefined) refuse(`${this.#names[i]} has no trajectory and no start; give one of them`);
      return [...pose.parse(robot.start as pose.ReadonlyPose, `start of ${this.#names[i]}`)];
    });
    return { tracks: this.#tracks, bodies: this.#bodies, rest, notes: [...new Set(this.#notes)] };
  }

  #restOf(robot: ChainPlanRobot, index: number): number[] {
    const hasStart = robot.start !== undefined;
    const values = readJointValues(robot, hasStart ? robot.start : {}, 'start');
    const still: string[] = [];
    for (const [k, { name }] of movingJoints(robot.joints).entries()) {
      if (this.#moved.has(`${index}/${name}`)) continue;
      const said = this.#stays[index][name];
      if (said !== undefined) values[k] = said;
      else if (!hasStart) still.push(`${name} at ${values[k]}`);
    }
    if (still.length > 0)
      this.#notes.push(`${this.#names[index]}: nothing is said of these joints; they stay: ${still.join(', ')}.`);
    return values;
  }
}

/** The pose of a robot in its plane, at the height at which it starts. */
function planarPose({ plane = 'xy', start }: MotionBody, [x, y, angle]: readonly number[]): number[] {
  const axes = [0, 1, 2].filter((k) => plane.includes('xyz'[k]));
  const normal = 3 - axes[0] - axes[1];
  const placed = [0, 0, 0, 0, 0, 0, Math.cos(angle / 2)];
  placed[axes[0]] = x;
  placed[axes[1]] = y;
  placed[normal] = start?.[normal] ?? 0;
  // From the first axis to the second one; about y that is the other way round.
  placed[3 + normal] = (normal === 1 ? -1 : 1) * Math.sin(angle / 2);
  return placed;
}

/** Points with times that ascend. A point that repeats the one before it, at the same time, is left out. */
function inTime<T extends { readonly time: number | undefined; readonly values: ArrayLike<number> }>(
  points: readonly T[],
  where: string,
  notes: string[],
): { readonly time: number; readonly point: T }[] {
  const times = points.map(({ time }) => time ?? null);
  const areEqual = points.length > 1 && times.every((time) => time === times[0]);
  if (areEqual) {
    notes.push('The points have no times; each counts as a second after the one before it.');
    return points.map((point, i) => ({ time: i, point }));
  }
  const kept: { readonly time: number; readonly point: T }[] = [];
  for (const [i, point] of points.entries()) {
    const time = points.length === 1 ? (times[0] ?? 0) : times[i];
    if (time === null || !Number.isFinite(time)) {
      fail(`${where}: point ${i + 1} has the time ${nameValue(time)}; give seconds for all points, or for none`);
    }
    const before = kept[kept.length - 1];
    if (before !== undefined && time === before.time && isSame(point.values, before.point.values)) continue;
    if (before !== undefined && !(time > before.time)) {
      fail(`${where}: point ${i + 1} is at ${time} s, not after ${before.time} s; give points in order of time`);
    }
    kept.push({ time, point });
  }
  return kept;
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

function fail(what: string): never {
  throw new NearfieldError('bad-argument', `${what[0].toUpperCase()}${what.slice(1)}.`);
}
