// How two bodies move: at rest, from one pose to another, or through keyframes. Between two keys the origin of a body
// moves evenly on a straight line, and the body turns evenly the shorter way (slerp). A motion is cut at the keys of both
// bodies into segments, in which both move evenly.
import { takePose } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';

/** Where a body is at a time. */
export interface Keyframe {
  readonly time: number;
  readonly pose: ReadonlyPose;
}

/**
 * The motion of one body: a pose for a body at rest, two poses for a motion from time 0 to time 1, or keyframes in
 * ascending order of time. Before its first key and after its last a body is at rest.
 */
export type BodyMotion =
  | ReadonlyPose
  | { readonly from: ReadonlyPose; readonly to: ReadonlyPose }
  | readonly Keyframe[];

/** The motions of two bodies, in the same time. */
export interface Motion {
  readonly a: BodyMotion;
  readonly b: BodyMotion;
}

/**
 * Rounding: a turn is by 180 degrees if the real part of its quaternion is smaller than this: both ways are equally
 * short, and rounding would choose.
 */
const HALF_TURN = 1e-9;

/** A body's even motion over one segment, for s from 0 to 1: q(s) = turn(s · angle about axis) · from. */
export interface EvenMotion {
  /** The way of the pivot. */
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  /** The point of the body, in its frame, that moves straight while the body turns about it. Default: its origin. */
  readonly pivot?: readonly [number, number, number] | undefined;
  readonly rotation: quat.Quat;
  /** Unit, in the world. */
  readonly axis: readonly [number, number, number];
  readonly angle: number;
}

/** A time interval in which both bodies move evenly. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly a: EvenMotion;
  readonly b: EvenMotion;
}

/**
 * The segments of a motion between two times, in order; at least one.
 * @throws NearfieldError for invalid poses, times or intervals, and for turns by 180 degrees.
 */
export function cutMotion(motion: Motion, start?: number, end?: number): Segment[] {
  if (motion === null || typeof motion !== 'object') {
    throw new NearfieldError('bad-argument', `The motion is ${motion}; give { a, b }, the motions of the two models.`);
  }
  const a = readKeys(motion.a, 'A');
  const b = readKeys(motion.b, 'B');
  const moving = [a, b].filter((keys) => keys.length > 1);
  const keys = moving.length > 0 ? moving : [a, b];
  const from = takeTime(start, Math.min(...keys.map((list) => list[0].time)), 'start');
  const to = takeTime(end, Math.max(...keys.map((list) => list[list.length - 1].time)), 'end');
  if (from > to) {
    throw new NearfieldError('bad-argument', `The motion starts at ${from} and ends before, at ${to}; exchange them.`);
  }
  const cuts = [a, b].flatMap((list) => list.map(({ time }) => time)).filter((time) => time > from && time < to);
  const times = [...new Set([from, ...cuts, to])].sort((s, t) => s - t);
  if (times.length === 1) times.push(to);
  const legsA = new Legs(a, 'A');
  const legsB = new Legs(b, 'B');
  return times.slice(1).map((time, i) => {
    return { start: times[i], end: time, a: legsA.between(times[i], time), b: legsB.between(times[i], time) };
  });
}

/** Writes the pose at s, from 0 to 1. */
export function poseAt(motion: EvenMotion, s: number, out: Pose): Pose {
  const { from, to, rotation, axis, angle, pivot } = motion;
  for (let k = 0; k < 3; k++) out[k] = from[k] * (1 - s) + to[k] * s;
  const half = (angle * s) / 2;
  const sin = Math.sin(half);
  const turned = quat.multiply([axis[0] * sin, axis[1] * sin, axis[2] * sin, Math.cos(half)], rotation);
  for (let k = 0; k < 4; k++) out[3 + k] = turned[k];
  if (pivot !== undefined) {
    const arm = quat.rotate(turned, [...pivot]);
    for (let k = 0; k < 3; k++) out[k] -= arm[k];
  }
  return out;
}

interface Key {
  readonly time: number;
  readonly pose: Pose;
}

function readKeys(motion: BodyMotion, name: string): Key[] {
  const pose = (value: ReadonlyPose, what: string): Pose => {
    return takePose(value, `${name}${what}`);
  };
  if (motion === null || typeof motion !== 'object') {
    throw new NearfieldError(
      'bad-argument',
      `The motion of ${name} is ${motion}; give a pose, { from, to } or a list of keyframes.`,
    );
  }
  if ('from' in motion && 'to' in motion) {
    return [
      { time: 0, pose: pose(motion.from, ' at the start') },
      { time: 1, pose: pose(motion.to, ' at the end') },
    ];
  }
  const list = motion as readonly (Keyframe | number)[];
  if (!(list.length > 0)) {
    throw new NearfieldError(
      'bad-argument',
      `The motion of ${name} is empty; give a pose, { from, to } or a list of keyframes { time, pose }.`,
    );
  }
  if (typeof list[0] !== 'object') return [{ time: 0, pose: pose(motion as ReadonlyPose, '') }];
  return (list as readonly Keyframe[]).map((key, i) => {
    const time = key?.time;
    if (typeof time !== 'number' || !Number.isFinite(time)) {
      throw new NearfieldError('bad-argument', `The time of keyframe ${i} of ${name} is ${time}; give a number.`);
    }
    const last = i > 0 ? (list[i - 1] as Keyframe).time : -Infinity;
    if (time <= last) {
      throw new NearfieldError(
        'bad-argument',
        `Keyframe ${i} of ${name} is at ${time}, not after ${last}; give keyframes in order of time.`,
      );
    }
    return { time, pose: pose(key.pose, ` at keyframe ${i}`) };
  });
}

function takeTime(value: number | undefined, fallback: number, name: string): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new NearfieldError('bad-argument', `The ${name} of the motion is ${value}; give a time.`);
}

/** The even motions of one body, asked in order of time. */
class Legs {
  readonly #keys: readonly Key[];
  readonly #legs: (EvenMotion | undefined)[] = [];
  readonly #name: string;
  #at = 0;

  constructor(keys: readonly Key[], name: string) {
    this.#keys = keys;
    this.#name = name;
  }

  /** The motion between two times with no key between them. */
  between(start: number, end: number): EvenMotion {
    const keys = this.#keys;
    const last = keys.length - 1;
    if (end <= keys[0].time) return rest(keys[0].pose);
    while (this.#at < last && keys[this.#at + 1].time <= start) this.#at++;
    const i = this.#at;
    if (i === last) return rest(keys[last].pose);
    this.#legs[i] ??= this.#turn(i);
    const leg = this.#legs[i];
    const length = keys[i + 1].time - keys[i].time;
    const s0 = Math.max(0, (start - keys[i].time) / length);
    const s1 = Math.min(1, (end - keys[i].time) / length);
    if (s0 === 0 && s1 === 1) return leg;
    const first = poseAt(leg, s0, [0, 0, 0, 0, 0, 0, 1]);
    const second = poseAt(leg, s1, [0, 0, 0, 0, 0, 0, 1]);
    return {
      from: [first[0], first[1], first[2]],
      to: [second[0], second[1], second[2]],
      rotation: [first[3], first[4], first[5], first[6]],
      axis: leg.axis,
      angle: leg.angle * (s1 - s0),
    };
  }

  #turn(i: number): EvenMotion {
    const { pose: p, time } = this.#keys[i];
    const { pose: q, time: next } = this.#keys[i + 1];
    const rotation: quat.Quat = [p[3], p[4], p[5], p[6]];
    const turn = quat.multiply([q[3], q[4], q[5], q[6]], quat.conjugate(rotation));
    if (Math.abs(turn[3]) < HALF_TURN) {
      throw new NearfieldError(
        'bad-argument',
        `${this.#name} turns by 180 degrees from time ${time} to ${next}, so no way is shorter; give a keyframe between.`,
      );
    }
    const sign = turn[3] < 0 ? -1 : 1;
    const length = Math.hypot(turn[0], turn[1], turn[2]);
    const scale = length > 0 ? sign / length : 0;
    return {
      from: [p[0], p[1], p[2]],
      to: [q[0], q[1], q[2]],
      rotation,
      axis: length > 0 ? [turn[0] * scale, turn[1] * scale, turn[2] * scale] : [0, 0, 1],
      angle: 2 * Math.atan2(length, Math.abs(turn[3])),
    };
  }
}

function rest(p: Pose): EvenMotion {
  return {
    from: [p[0], p[1], p[2]],
    to: [p[0], p[1], p[2]],
    rotation: [p[3], p[4], p[5], p[6]],
    axis: [0, 0, 1],
    angle: 0,
  };
}
