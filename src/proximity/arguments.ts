// Checks of what the public queries are given.
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import { MAX_COORDINATE } from '../mesh/mesh.js';
import { type PairOptions, VOLUMES } from './options.js';
import { ProximityModel } from './proximity-model.js';

/** How far from 1 the length of a pose's quaternion may be: twelve digits written out and read again are within it. */
const UNIT_TOLERANCE = 1e-9;

/** Refuses a length, error or tolerance that is negative or not a number. Infinity is a length. */
export function assertLength(value: number, name: string): void {
  if (typeof value === 'number' && value >= 0) return;
  throw new NearfieldError('bad-argument', `The ${name} is ${value}; give a number from 0.`);
}

/** Refuses what is not seven finite numbers with a unit quaternion. */
export function assertPose(pose: ReadonlyPose, name: string): void {
  if (pose?.length !== 7) {
    throw new NearfieldError('bad-argument', `The pose of ${name} is not 7 numbers tx,ty,tz,qx,qy,qz,qw.`);
  }
  for (let i = 0; i < 7; i++) {
    if (Number.isFinite(pose[i])) continue;
    throw new NearfieldError('non-finite', `Number ${i} of the pose of ${name} is ${pose[i]}; give finite numbers.`);
  }
  if (Math.max(Math.abs(pose[0]), Math.abs(pose[1]), Math.abs(pose[2])) > MAX_COORDINATE) {
    throw new NearfieldError(
      'bad-argument',
      `The translation of the pose of ${name} is beyond ${MAX_COORDINATE}; bring the model nearer.`,
    );
  }
  const squared = pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6];
  if (Math.abs(squared - 1) <= UNIT_TOLERANCE) return;
  throw new NearfieldError(
    'bad-argument',
    `The quaternion of the pose of ${name} has length ${Math.sqrt(squared)}; make it 1, for instance by pose.parse.`,
  );
}

/** Refuses what is not a model. */
export function assertModel(model: ProximityModel, name: string): void {
  if (model instanceof ProximityModel) return;
  throw new NearfieldError(
    'bad-argument',
    `${name} is not a ProximityModel; make one of its mesh by new ProximityModel(mesh).`,
  );
}

/** Refuses options of a pair that are not what they say. */
export function assertPairOptions(options: PairOptions): void {
  const { volume, coherence, queueSize, frontSize } = options;
  if (volume !== undefined && !VOLUMES.includes(volume)) {
    throw new NearfieldError('bad-argument', `The bounding volume is '${volume}'; choose 'auto', 'boxes' or 'hulls'.`);
  }
  assertCount(queueSize, 'queueSize');
  assertCount(frontSize, 'frontSize');
  if (coherence === undefined || typeof coherence === 'boolean') return;
  if (coherence === null || typeof coherence !== 'object') {
    throw new NearfieldError('bad-argument', `coherence is ${coherence}; give true, false or an object of switches.`);
  }
  for (const [name, value] of Object.entries(coherence)) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new NearfieldError('bad-argument', `coherence.${name} is ${value}; give true or false.`);
  }
}

function assertCount(value: number | undefined, name: string): void {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return;
  throw new NearfieldError('bad-argument', `${name} is ${value}; give a whole number from 1.`);
}
