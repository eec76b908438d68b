// Rigid placements: seven numbers, translation then unit quaternion xyzw. x_world = rotation·x_local + translation.
import { assertNumbers } from './check/check-array.js';
import { assertPoseNumbers, assertTurn, toUnit } from './check/check-pose.js';
import { NearfieldError } from './errors.js';
import * as quat from './quat.js';
import { RIGID_TOLERANCE } from './tolerances.js';
import type { ReadonlyVec3, Vec3 } from './vec3.js';

/** tx, ty, tz, qx, qy, qz, qw. */
export type Pose = [number, number, number, number, number, number, number];
/** Anything seven numbers can be read from: an array, a typed array. */
export type ReadonlyPose = ArrayLike<number>;

/** No motion. */
export function identity(): Pose {
  return [0, 0, 0, 0, 0, 0, 1];
}

/** A pose from its parts; the quaternion is normalized. */
export function create(translation: ReadonlyVec3, rotation: quat.ReadonlyQuat = [0, 0, 0, 1]): Pose {
  assertNumbers(translation, 3, 'numbers of the translation');
  assertNumbers(rotation, 4, 'numbers of the rotation');
  return parse([translation[0], translation[1], translation[2], rotation[0], rotation[1], rotation[2], rotation[3]]);
}

/**
 * A pose from seven untrusted numbers: normalizes the quaternion and refuses numbers that are not a pose. `name` says in the
 * message whose pose it is.
 */
export function parse(values: ArrayLike<number>, name?: string): Pose {
  assertPoseNumbers(values, name);
  assertTurn(values, name);
  return toUnit(values);
}

/** The pose that applies `b` first, then `a`. */
export function multiply(a: ReadonlyPose, b: ReadonlyPose, out: Pose = identity()): Pose {
  const t = transformPoint(a, [b[0], b[1], b[2]]);
  const q = quat.multiply([a[3], a[4], a[5], a[6]], [b[3], b[4], b[5], b[6]]);
  return set(t, q, out);
}

/** The pose that undoes `a`. */
export function invert(a: ReadonlyPose, out: Pose = identity()): Pose {
  const q = quat.conjugate([a[3], a[4], a[5], a[6]]);
  const t = quat.rotate(q, [-a[0], -a[1], -a[2]]);
  return set(t, q, out);
}

/**
 * B's pose seen from A: what a pair query works with. Translations are subtracted before they are turned, so that two
 * bodies far from the origin keep the digits of what lies between them.
 */
export function bInA(a: ReadonlyPose, b: ReadonlyPose, out: Pose = identity()): Pose {
  const back = quat.conjugate([a[3], a[4], a[5], a[6]]);
  const t = quat.rotate(back, [b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
  return set(t, quat.multiply(back, [b[3], b[4], b[5], b[6]]), out);
}

/** A point carried by the pose. */
export function transformPoint(a: ReadonlyPose, point: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  quat.rotate([a[3], a[4], a[5], a[6]], point, out);
  out[0] += a[0];
  out[1] += a[1];
  out[2] += a[2];
  return out;
}

/** A direction carried by the pose: rotated, not translated. */
export function transformVector(a: ReadonlyPose, vector: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  return quat.rotate([a[3], a[4], a[5], a[6]], vector, out);
}

/** The 4×4 matrix of the pose, row-major: translation at 3, 7, 11. For WebGL and three.js see {@link toColumnMajor}. */
export function toMatrix4(a: ReadonlyPose, out: Float64Array = new Float64Array(16)): Float64Array {
  const m = quat.toMatrix3([a[3], a[4], a[5], a[6]]);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) out[row * 4 + column] = m[row * 3 + column];
    out[row * 4 + 3] = a[row];
    out[12 + row] = 0;
  }
  out[15] = 1;
  return out;
}

/** The 4×4 matrix of the pose, column-major as WebGL and three.js have it: translation at 12, 13, 14. */
export function toColumnMajor(a: ReadonlyPose, out: Float64Array = new Float64Array(16)): Float64Array {
  const m = toMatrix4(a);
  for (let i = 0; i < 16; i++) out[i] = m[4 * (i % 4) + (i >> 2)];
  return out;
}

/**
 * The pose of a 4×4 matrix that is column-major, as the `elements` of three.js and the matrices of WebGL and glTF are:
 * translation at 12, 13, 14. As {@link fromMatrix4} otherwise.
 */
export function fromColumnMajor(m: ArrayLike<number>): Pose {
  assertMatrix(m);
  return fromRows(
    Array.from({ length: 16 }, (_, i) => m[4 * (i % 4) + (i >> 2)]),
    'pose.fromMatrix4 reads row-major ones',
    'column-major, translation at 12, 13, 14',
  );
}

/**
 * The pose of a 4×4 matrix that is row-major: translation at 3, 7, 11. Those of WebGL and three.js are not: see
 * {@link fromColumnMajor}. The rotation may be off by `RIGID_TOLERANCE`, as in single precision, and is made
 * orthonormal; scale, shear and mirror images are refused.
 */
export function fromMatrix4(m: ArrayLike<number>): Pose {
  assertMatrix(m);
  return fromRows(
    m,
    'pose.fromColumnMajor reads column-major ones, as of three.js',
    'row-major, translation at 3, 7, 11',
  );
}

function assertMatrix(m: ArrayLike<number>): void {
  if (m?.length !== 16) {
    const got = m?.length === undefined ? '' : `; got ${m.length}`;
    throw new NearfieldError('bad-argument', `A matrix is 16 numbers${got}.`);
  }
  for (let i = 0; i < 16; i++) {
    if (!Number.isFinite(m[i])) throw new NearfieldError('non-finite', `Entry ${i} of the matrix is ${m[i]}.`);
  }
}

function fromRows(m: ArrayLike<number>, other: string, layout: string): Pose {
  const r = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  let worst = Math.max(Math.abs(m[12]), Math.abs(m[13]), Math.abs(m[14]), Math.abs(m[15] - 1));
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      const product = r[i] * r[j] + r[i + 3] * r[j + 3] + r[i + 6] * r[j + 6];
      worst = Math.max(worst, Math.abs(product - (i === j ? 1 : 0)));
    }
  }
  const determinant =
    r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) + r[2] * (r[3] * r[7] - r[4] * r[6]);
  if (!(worst <= RIGID_TOLERANCE) || determinant < 0) {
    const isTransposed = m[3] === 0 && m[7] === 0 && m[11] === 0 && (m[12] !== 0 || m[13] !== 0 || m[14] !== 0);
    throw new NearfieldError(
      'bad-argument',
      `The matrix is not a rigid motion (${layout}): ` +
        (isTransposed
          ? `it has its translation where that of the other order is; ${other}.`
          : 'scale, shear and mirroring are refused. Bake them into the mesh: multiply its vertices by the matrix, ' +
            'then give a pose without them.'),
    );
  }
  return set([m[3], m[7], m[11]], quat.fromMatrix3(r), identity());
}

function set(t: Vec3, q: quat.Quat, out: Pose): Pose {
  out[0] = t[0];
  out[1] = t[1];
  out[2] = t[2];
  out[3] = q[0];
  out[4] = q[1];
  out[5] = q[2];
  out[6] = q[3];
  return out;
}
