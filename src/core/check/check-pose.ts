// What a pose given by a caller must be, with one set of messages for all queries, and its one normalization.
import { NearfieldError } from '../errors.js';
import * as quat from '../quat.js';
import { MAX_COORDINATE, UNIT_TOLERANCE } from '../tolerances.js';

/** Rounding: a squared length of a quaternion that differs from 1 by less than this is 1 up to its last bits. */
const UNIT_ROUNDING = 1e-15;

/**
 * Refuses a value that is not seven finite numbers with a translation below the limit and a quaternion whose length is 1
 * within {@link UNIT_TOLERANCE}.
 */
export function assertPose(values: ArrayLike<number>, name?: string): void {
  assertPoseNumbers(values, name);
  assertNear(values, name);
  const length = Math.sqrt(
    values[3] * values[3] + values[4] * values[4] + values[5] * values[5] + values[6] * values[6],
  );
  if (Math.abs(length - 1) <= UNIT_TOLERANCE) return;
  throw new NearfieldError(
    'bad-argument',
    `The quaternion of the pose${ofName(name)} has length ${length}; make it 1, for instance by pose.parse.`,
  );
}

/** The pose that a caller gave, checked by {@link assertPose}, with its quaternion made unit. */
export function takePose(
  values: ArrayLike<number>,
  name?: string,
): [number, number, number, number, number, number, number] {
  assertPose(values, name);
  return toUnit(values);
}

/** Refuses a translation so far away that squares would overflow. */
export function assertNear(values: ArrayLike<number>, name?: string): void {
  if (Math.max(Math.abs(values[0]), Math.abs(values[1]), Math.abs(values[2])) <= MAX_COORDINATE) return;
  throw new NearfieldError(
    'bad-argument',
    `The translation of the pose${ofName(name)} is beyond ${MAX_COORDINATE}; bring the model nearer.`,
  );
}

/** Refuses a quaternion of zero. */
export function assertTurn(values: ArrayLike<number>, name?: string): void {
  if (values[3] === 0 && values[4] === 0 && values[5] === 0 && values[6] === 0) {
    throw new NearfieldError(
      'bad-argument',
      `The quaternion of the pose${ofName(name)} is zero; no rotation is 0,0,0,1.`,
    );
  }
}

/** A copy whose quaternion, which is not zero, has unit length. A quaternion whose length is 1 up to rounding keeps its bits. */
export function toUnit(p: ArrayLike<number>): [number, number, number, number, number, number, number] {
  const excess = p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6] - 1;
  if (Math.abs(excess) < UNIT_ROUNDING) return [p[0], p[1], p[2], p[3], p[4], p[5], p[6]];
  return [p[0], p[1], p[2], ...quat.normalize([p[3], p[4], p[5], p[6]])];
}

/** Refuses a value that is not seven finite numbers. */
export function assertPoseNumbers(values: ArrayLike<number>, name?: string): void {
  if (values?.length !== 7) {
    const got = values?.length === undefined ? '' : `; got ${values.length}`;
    throw new NearfieldError('bad-argument', `The pose${ofName(name)} is not 7 numbers tx,ty,tz,qx,qy,qz,qw${got}.`);
  }
  for (let i = 0; i < 7; i++) {
    if (Number.isFinite(values[i])) continue;
    throw new NearfieldError(
      'non-finite',
      `Number ${i} of the pose${ofName(name)} is ${values[i]}; give seven finite numbers.`,
    );
  }
}

function ofName(name: string | undefined): string {
  return name === undefined ? '' : ` of ${name}`;
}
