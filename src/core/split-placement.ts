// An affine placement as a stretch followed by a rigid motion: the polar decomposition.

import { isIdentity, linearDeterminant } from './affine.js';
import * as pose from './pose.js';
import * as quat from './quat.js';
import { symmetricEigen } from './symmetric-eigen.js';

/** Rounding: a placement that stretches an axis by less than this fraction has no well-defined rotation. */
const FLAT_STRETCH = 1e-9;

/** The identity stretch. */
export const UNSTRETCHED = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/**
 * The stretch is a row-major matrix without translation, which may mirror. It is the rotation's inverse times the
 * linear part, so that the two together equal the placement up to rounding, however far from a rotation it is.
 */
export function splitPlacement(m: Float64Array): { pose: pose.Pose; stretch: Float64Array } {
  if (isIdentity(m)) return { pose: pose.identity(), stretch: UNSTRETCHED };
  const rotation = nearestRotation(m);
  const inverse = quat.conjugate(rotation);
  const stretch = new Float64Array(16);
  for (let column = 0; column < 3; column++) {
    const turned = quat.rotate(inverse, [m[column], m[4 + column], m[8 + column]]);
    for (let row = 0; row < 3; row++) stretch[4 * row + column] = turned[row];
  }
  stretch[15] = 1;
  return { pose: [m[3], m[7], m[11], ...rotation], stretch };
}

/** The rotation of the polar decomposition, from the eigenvectors of LᵀL; the identity if the placement flattens. */
function nearestRotation(m: Float64Array): quat.Quat {
  // Relative to the largest entry, so that squares neither overflow nor underflow.
  const size = Math.max(...[0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => Math.abs(m[i])));
  if (!(size > 0)) return quat.identity();
  const l = (row: number, column: number): number => m[4 * row + column] / size;
  const gram = (i: number, j: number): number => l(0, i) * l(0, j) + l(1, i) * l(1, j) + l(2, i) * l(2, j);
  const { values, vectors } = symmetricEigen(gram(0, 0), gram(0, 1), gram(0, 2), gram(1, 1), gram(1, 2), gram(2, 2));
  if (!(values[2] > FLAT_STRETCH * FLAT_STRETCH * values[0])) return quat.identity();
  const sign = linearDeterminant(m) < 0 ? -1 : 1;
  const r = new Float64Array(9);
  for (const [k, v] of vectors.entries()) {
    const factor = sign / Math.sqrt(values[k]);
    for (let row = 0; row < 3; row++) {
      const image = factor * (l(row, 0) * v[0] + l(row, 1) * v[1] + l(row, 2) * v[2]);
      for (let column = 0; column < 3; column++) r[3 * row + column] += image * v[column];
    }
  }
  return quat.normalize(quat.fromMatrix3(r));
}
