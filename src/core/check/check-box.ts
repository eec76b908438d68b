// What a box given by a caller must be.
import type { Box } from '../box.js';
import { NearfieldError } from '../errors.js';
import { nameValue } from './check-options.js';

/** Refuses a value without two corners of three numbers each. The caller checks their order and whether they are finite. */
export function assertBox(box: Box): void {
  for (const corner of ['min', 'max'] as const) {
    const point: unknown = box?.[corner];
    const numbers = point as ArrayLike<unknown> | null | undefined;
    if (numbers?.length === 3 && [0, 1, 2].every((axis) => typeof numbers[axis] === 'number')) continue;
    const hint =
      typeof point === 'object' && point !== null && 'x' in point
        ? '{ min: box.min.toArray(), max: box.max.toArray() } for a Box3 of three.js'
        : '{ min: [x, y, z], max: [x, y, z] }';
    const what =
      box === null || typeof box !== 'object'
        ? `The box is ${nameValue(box)}`
        : `The box has no ${corner} of three numbers`;
    throw new NearfieldError('bad-argument', `${what}; give ${hint}.`);
  }
}
