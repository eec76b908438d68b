// Where an object of three.js is, as a rigid pose: the rotation and translation of its world matrix. Scale, shear and
// mirroring are no part of a pose; modelFrom applies them to the vertices.
import type { Object3D } from 'three';
import { transposeMatrix } from '../core/affine.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose } from '../core/pose.js';
import { splitPlacement } from '../core/split-placement.js';
import { assertObject3D, describeObject } from './describe-object.js';

/**
 * The rigid part of an object's world matrix, which is brought up to date first: translation and rotation by polar
 * decomposition. The models of {@link modelFrom} are in this frame, so that the scale of the object and of its parents
 * is in the model and never in the pose.
 * @throws NearfieldError for a matrix that is not affine or not finite.
 */
export function poseFrom(object: Object3D): Pose {
  assertObject3D(object, 'The first argument of poseFrom');
  object.updateWorldMatrix(true, false);
  return rigidPose(object);
}

/** The pose of the world matrix as it is. */
export function rigidPose(object: Object3D): Pose {
  const { elements } = object.matrixWorld;
  for (let i = 0; i < 16; i++) {
    if (Number.isFinite(elements[i])) continue;
    throw new NearfieldError(
      'non-finite',
      `Entry ${i} of the world matrix of ${describeObject(object)} is ${elements[i]}; check the positions, rotations and ` +
        'scales of it and its parents.',
    );
  }
  if (elements[3] !== 0 || elements[7] !== 0 || elements[11] !== 0 || elements[15] !== 1) {
    throw new NearfieldError(
      'bad-argument',
      `The world matrix of ${describeObject(object)} is not affine: its last row is not 0, 0, 0, 1.`,
    );
  }
  return splitPlacement(transposeMatrix(elements)).pose;
}
