// Checks the arguments of the public queries.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { VOLUMES, type VolumeChoice } from './options.js';
import { ProximityModel } from './proximity-model.js';

/** Rejects a length, error or tolerance that is negative or not a number. Infinity is allowed. */
export function assertLength(value: number, name: string): void {
  if (typeof value === 'number' && value >= 0) return;
  throw new NearfieldError('bad-argument', `The ${name} is ${nameValue(value)}; give a number from 0.`);
}

/** Rejects anything that is not a model. */
export function assertModel(model: ProximityModel, name: string): void {
  if (model instanceof ProximityModel) return;
  throw new NearfieldError('bad-argument', `${name} is not a ProximityModel; make one with new ProximityModel(mesh).`);
}

/** Rejects anything that is not a bounding volume. */
export function assertVolume(volume: VolumeChoice): void {
  if (VOLUMES.includes(volume)) return;
  throw new NearfieldError(
    'bad-argument',
    `The bounding volume is ${nameValue(volume)}; choose 'auto', 'boxes' or 'hulls'.`,
  );
}
