// What callers give for a joint, and its checks.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, flag, needed, numberAbove, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { takeVector } from '../body/body-options.js';
import { NOT_NEGATIVE } from '../body/body-properties.js';
import { BALL, DISTANCE, FIXED, HINGE, SLIDER, SPRING } from './joint.js';

/**
 * What a joint leaves free: a turn about an axis (pin, hinge), a shift along one (slider), any turn
 * (ball), nothing (fixed). A distance keeps a point of each apart as they are, a spring pulls them to its length.
 */
export type JointType = 'pin' | 'hinge' | 'slider' | 'ball' | 'fixed' | 'distance' | 'spring';

/** Drives the free axis of a joint. */
export interface JointMotor {
  /** rad/s of a hinge, m/s of a slider; of `bodyA` relative to `bodyB` or the world. */
  readonly speed: number;
  /** The largest torque, N m, or force, N; without limit if left out. */
  readonly strength?: number | undefined;
}

/** A joint of a {@link RigidWorld}, with the bodies where they are when it is added. */
export interface JointOptions {
  readonly type: JointType;
  readonly bodyA: number;
  /** The other body; the world if left out. */
  readonly bodyB?: number | undefined;
  /** The point that both hold, in the world. */
  readonly at: ReadonlyVec3;
  /** Of pins, hinges and sliders, in the world; z if left out. */
  readonly axis?: ReadonlyVec3 | undefined;
  /** Of distances and springs: the point of `bodyB`, in the world; `at` is that of `bodyA`. */
  readonly to?: ReadonlyVec3 | undefined;
  /** Of springs: N/m, N s/m (0 if left out), and the length without force, m (that at the start if left out). */
  readonly stiffness?: number | undefined;
  readonly damping?: number | undefined;
  readonly length?: number | undefined;
  readonly motor?: JointMotor | undefined;
  /** Lowest and highest angle, rad, or displacement, m, counted from where the bodies are now. */
  readonly limits?: readonly [number, number] | undefined;
  /** The two bodies collide with each other all the same. */
  readonly collide?: boolean | undefined;
}

/** Which of these a joint has depends on its type. */
const JOINT_OPTIONS = optionTable<JointOptions>()({
  type: checkedElsewhere<JointType>(),
  bodyA: checkedElsewhere<number>(),
  bodyB: checkedElsewhere<number>(),
  at: checkedElsewhere<ReadonlyVec3>(),
  axis: checkedElsewhere<ReadonlyVec3>(),
  to: checkedElsewhere<ReadonlyVec3>(),
  stiffness: checkedElsewhere<number>(),
  damping: checkedElsewhere<number>(),
  length: checkedElsewhere<number>(),
  motor: checkedElsewhere<JointMotor>(),
  limits: checkedElsewhere<readonly [number, number]>(),
  collide: flag(false),
});
const SPRING_OPTIONS = optionTable<Pick<JointOptions, 'stiffness' | 'damping' | 'length'>>()({
  stiffness: needed(numberAbove(0)),
  damping: NOT_NEGATIVE,
  length: NOT_NEGATIVE,
});
const MOTOR_OPTIONS = optionTable<JointMotor>()({
  speed: needed({ expects: 'a finite number', accepts: Number.isFinite }),
  strength: { expects: 'one above 0', accepts: (value) => typeof value === 'number' && value > 0, fallback: Infinity },
});
const KINDS: Record<JointType, number> = {
  pin: HINGE,
  hinge: HINGE,
  slider: SLIDER,
  ball: BALL,
  fixed: FIXED,
  distance: DISTANCE,
  spring: SPRING,
};

/** The checked parts of a joint. */
export interface JointParts {
  readonly kind: number;
  readonly at: Vec3;
  readonly axis: Vec3;
  readonly motor: { readonly speed: number; readonly strength: number } | null;
  readonly limits: readonly [number, number];
  readonly line: JointLine | null;
}

/** The line of a distance or a spring. */
export interface JointLine {
  readonly to: Vec3;
  readonly stiffness: number;
  readonly damping: number;
  /** Null for that at the start. */
  readonly length: number | null;
}

/** Checks what a caller says of a joint, but not its bodies. */
export function takeJoint(options: JointOptions): JointParts {
  if (options === null || typeof options !== 'object') {
    throw new NearfieldError('bad-argument', `The joint is ${nameValue(options)}; give at least { type, bodyA, at }.`);
  }
  JOINT_OPTIONS.assert(options, 'the joint');
  if (!Object.hasOwn(KINDS, options.type)) {
    throw new NearfieldError(
      'bad-argument',
      `The type of the joint is ${nameValue(options.type)}; there are ${Object.keys(KINDS).join(', ')}.`,
    );
  }
  if (options.at === undefined) {
    throw new NearfieldError('bad-argument', 'The joint has no point; give it as at: [x, y, z], in the world.');
  }
  const kind = KINDS[options.type];
  const hasAxis = kind === HINGE || kind === SLIDER;
  if (!hasAxis && (options.motor !== undefined || options.limits !== undefined)) {
    throw new NearfieldError(
      'bad-argument',
      `A joint of type '${options.type}' has no free axis for a motor or limits; pin, hinge and slider have one.`,
    );
  }
  return {
    kind,
    at: takeVector(options.at, 'point of the joint'),
    axis: takeAxis(options.axis),
    motor: options.motor === undefined ? null : takeMotor(options.motor),
    limits: options.limits === undefined ? [-Infinity, Infinity] : takeLimits(options.limits),
    line: takeLine(options),
  };
}

function takeLine({ type, at, to, stiffness, damping, length }: JointOptions): JointLine | null {
  if (type !== 'distance' && type !== 'spring') {
    for (const [name, value] of Object.entries({ to, stiffness, damping, length })) {
      if (value === undefined) continue;
      throw new NearfieldError(
        'bad-argument',
        `The option ${name} is not for a joint of type '${type}'; leave it out.`,
      );
    }
    return null;
  }
  if (to === undefined) {
    throw new NearfieldError('bad-argument', `The ${type} has one point only; give the other as to: [x, y, z].`);
  }
  const other = takeVector(to, 'other point of the joint');
  const from = takeVector(at, 'point of the joint');
  if (type === 'distance') {
    for (const [name, value] of Object.entries({ stiffness, damping, length })) {
      if (value === undefined) continue;
      throw new NearfieldError('bad-argument', `The option ${name} is for springs; leave it out of a distance.`);
    }
    if (from.every((value, k) => value === other[k])) {
      throw new NearfieldError(
        'bad-argument',
        "The points of the distance coincide; a joint of type 'ball' holds those.",
      );
    }
    return { to: other, stiffness: 0, damping: 0, length: null };
  }
  SPRING_OPTIONS.assert({ stiffness, damping, length }, 'the spring');
  return { to: other, stiffness: stiffness!, damping: damping ?? 0, length: length ?? null };
}

/** A motor with its strength. */
export function takeMotor(motor: JointMotor): { readonly speed: number; readonly strength: number } {
  if (motor === null || typeof motor !== 'object') {
    throw new NearfieldError('bad-argument', `The motor is ${nameValue(motor)}; give { speed }.`);
  }
  return MOTOR_OPTIONS.read(motor, 'the motor');
}

function takeAxis(axis: ReadonlyVec3 | undefined): Vec3 {
  if (axis === undefined) return [0, 0, 1];
  const [x, y, z] = takeVector(axis, 'axis of the joint');
  const length = Math.hypot(x, y, z);
  if (!(length > 0 && Number.isFinite(length))) {
    throw new NearfieldError('bad-argument', `The axis of the joint has length ${length}; give a direction.`);
  }
  return [x / length, y / length, z / length];
}

function takeLimits(limits: readonly [number, number]): readonly [number, number] {
  const isPair = limits !== null && typeof limits === 'object' && limits.length === 2;
  const [low, high] = isPair ? limits : [NaN, NaN];
  if (typeof low === 'number' && typeof high === 'number' && low <= 0 && high >= 0) return [low, high];
  throw new NearfieldError(
    'bad-argument',
    `The limits of the joint are ${isPair ? `${low} and ${high}` : nameValue(limits)}; give [low, high] with low ≤ 0 ≤ high: the bodies are at 0 now.`,
  );
}
