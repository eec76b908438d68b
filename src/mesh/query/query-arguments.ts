// Checks of the arguments of MeshQuery.
import { assertNumbers } from '../../core/check/check-array.js';
import { NearfieldError } from '../../core/errors.js';

/** Throws unless the argument is a point or a vector. */
export function assertVector(vector: ArrayLike<number>, name: string): void {
  if (vector?.length !== 3) {
    const found = typeof vector?.length === 'number' ? `has ${vector.length} numbers` : 'is not an array';
    throw new NearfieldError('bad-argument', `The ${name} ${found}; give [x, y, z], as vector.toArray() of three.js.`);
  }
  if (!Number.isFinite(vector[0]) || !Number.isFinite(vector[1]) || !Number.isFinite(vector[2])) {
    throw new NearfieldError(
      'non-finite',
      `The ${name} is (${vector[0]}, ${vector[1]}, ${vector[2]}); give three finite numbers.`,
    );
  }
}

/** Throws for a direction of length zero. */
export function assertDirection(direction: ArrayLike<number>): void {
  assertVector(direction, 'direction of the ray');
  if (direction[0] === 0 && direction[1] === 0 && direction[2] === 0) {
    throw new NearfieldError('bad-argument', 'The direction of the ray is zero; give a vector of any other length.');
  }
}

export function assertMaxDistance(maxDistance: number): void {
  if (!(maxDistance >= 0)) {
    throw new NearfieldError('bad-argument', `The largest distance is ${maxDistance}; give a number from 0.`);
  }
}

/** Throws unless the array is a list of points; returns their number. */
export function countPoints(points: Float64Array): number {
  if (!(points instanceof Float64Array) || points.length % 3 !== 0) {
    throw new NearfieldError('bad-argument', 'Points are a Float64Array with x, y, z per point.');
  }
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) {
      throw new NearfieldError('non-finite', `Point ${Math.floor(i / 3)} has the coordinate ${points[i]}.`);
    }
  }
  return points.length / 3;
}

/** Throws when an array is too short for the results. */
export function assertRoom(out: ArrayLike<number> | undefined, needed: number): void {
  if (out !== undefined) assertNumbers(out, needed, 'places for the results');
}
