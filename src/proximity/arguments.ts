// Checks the arguments of the public queries.
import { assertOptions, nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { COHERENCE_NAMES, PAIR_NAMES, type PairOptions, VOLUMES, type VolumeChoice } from './options.js';
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

/** Rejects invalid options of a pair. */
export function assertPairOptions(options: PairOptions): void {
  assertOptions(options, PAIR_NAMES);
  const { volume, coherence, queueSize, frontSize } = options;
  if (volume !== undefined) assertVolume(volume);
  assertCount(queueSize, 'queueSize');
  assertCount(frontSize, 'frontSize');
  if (coherence === undefined || typeof coherence === 'boolean') return;
  if (coherence === null || typeof coherence !== 'object') {
    throw new NearfieldError(
      'bad-argument',
      `coherence is ${nameValue(coherence)}; give true, false or an object of switches.`,
    );
  }
  assertOptions(coherence, COHERENCE_NAMES, 'The switches of coherence');
  for (const [name, value] of Object.entries(coherence)) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new NearfieldError('bad-argument', `coherence.${name} is ${nameValue(value)}; give true or false.`);
  }
}

function assertCount(value: number | undefined, name: string): void {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return;
  throw new NearfieldError('bad-argument', `${name} is ${nameValue(value)}; give a whole number from 1.`);
}
