// What callers give for a joint, and its checks.
import { assertOptions, nameValue, type OptionNames } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { takeVector } from '../body/body-options.js';
import { BALL, FIXED, HINGE, SLIDER } from './joint.js';

/** What a joint leaves free: a turn about an axis (pin, hinge), a shift along one (slider), any turn (ball), nothing (fixed). */
export type JointType = 'pin' | 'hinge' | 'slider' | 'ball' | 'fixed';

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
  readonly motor?: JointMotor | undefined;
  /** Lowest and highest angle, rad, or displacement, m, counted from where the bodies are now. */
  readonly limits?: readonly [number, number] | undefined;
  /** The two bodies collide with each other all the same. */
  readonly collide?: boolean | undefined;
}

const JOINT_NAMES: OptionNames<JointOptions> = {
  type: true,
  bodyA: true,
  bodyB: true,
  at: true,
  axis: true,
  motor: true,
  limits: true,
  collide: true,
};
const MOTOR_NAMES: OptionNames<JointMotor> = { speed: true, strength: true };
const KINDS: Record<JointType, number> = { pin: HINGE, hinge: HINGE, slider: SLIDER, ball: BALL, fixed: FIXED };

/** The checked parts of a joint. */
export interface JointParts {
  readonly kind: number;
  readonly at: Vec3;
  readonly axis: Vec3;
  readonly motor: { readonly speed: number; readonly strength: number } | null;
  readonly limits: readonly [number, number];
}

/** Checks what a caller says of a joint, but not its bodies. */
export function takeJoint(options: JointOptions): JointParts {
  if (options === null || typeof options !== 'object') {
    throw new NearfieldError('bad-argument', `The joint is ${nameValue(options)}; give at least { type, bodyA, at }.`);
  }
  assertOptions(options, JOINT_NAMES, 'The options of the joint');
  if (!Object.hasOwn(KINDS, options.type)) {
    throw new NearfieldError(
      'bad-argument',
      `The type of the joint is ${nameValue(options.type)}; there are ${Object.keys(KINDS).join(', ')}.`,
    );
  }
  if (options.at === undefined) {
    throw new NearfieldError('bad-argument', 'The joint has no point; give it as at: [x, y, z], in the world.');
  }
  if (options.collide !== undefined && typeof options.collide !== 'boolean') {
    throw new NearfieldError(
      'bad-argument',
      `The option collide is ${nameValue(options.collide)}; give true or false.`,
    );
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
  };
}

/** A motor with its strength. */
export function takeMotor(motor: JointMotor): { readonly speed: number; readonly strength: number } {
  if (motor === null || typeof motor !== 'object') {
    throw new NearfieldError('bad-argument', `The motor is ${nameValue(motor)}; give { speed }.`);
  }
  assertOptions(motor, MOTOR_NAMES, 'The options of the motor');
  const { speed, strength = Infinity } = motor;
  if (!Number.isFinite(speed)) {
    throw new NearfieldError('bad-argument', `The speed of the motor is ${nameValue(speed)}; give a finite number.`);
  }
  if (!(typeof strength === 'number' && strength > 0)) {
    throw new NearfieldError('bad-argument', `The strength of the motor is ${nameValue(strength)}; give one above 0.`);
  }
  return { speed, strength };
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
