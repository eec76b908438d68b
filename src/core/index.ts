/**
 * Vectors, poses, boxes, seeded random numbers, a heap, errors and progress.
 * @module core
 */

export type { Box } from './box.js';
export * as box from './box.js';
export { type ErrorLocation, NearfieldError, type NearfieldErrorCode } from './errors.js';

export type { Pose, ReadonlyPose } from './pose.js';
export * as pose from './pose.js';
export { type ProgressOptions, partOfProgress, reportProgress } from './progress.js';
export type { Quat, ReadonlyQuat } from './quat.js';
export * as quat from './quat.js';
export { createRandom, type Random } from './random.js';
export * as tolerances from './tolerances.js';
export type { ReadonlyVec3, Vec3 } from './vec3.js';
export * as vec3 from './vec3.js';
