// What a clash check looks for and what it finds.
import { assertOptions, type OptionNames, PROGRESS_NAMES } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import type { Vec3 } from '../core/vec3.js';
import { assertVolume } from '../proximity/arguments.js';
import type { VolumeChoice } from '../proximity/options.js';
import type { IgnoredPair } from './ignored-pairs.js';

/** Two parts, by index, a before b, that intersect or are no farther apart than the clearance. */
export interface Clash {
  readonly a: number;
  readonly b: number;
  readonly intersects: boolean;
  /** 0 when they intersect. */
  readonly distance: number;
  /** In the world frame; the same common point twice when they intersect. */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** Unit, from A to B; null when they intersect. */
  readonly normal: Vec3 | null;
}

/** What a clash check looks for. */
export interface ClashOptions extends ProgressOptions {
  /** Default `PROXIMITY_DEFAULTS.statelessVolume`. */
  readonly volume?: VolumeChoice | undefined;
  /** Pairs at this distance or less clash. Default 0: only those that intersect. */
  readonly clearance?: number | undefined;
  /** Pairs of parts that are meant to meet, by name or by pattern; they are not tested. */
  readonly ignore?: readonly IgnoredPair[] | undefined;
}

const CLASH_NAMES: OptionNames<ClashOptions> = { volume: true, clearance: true, ignore: true, ...PROGRESS_NAMES };

export function assertClashOptions(options: ClashOptions): void {
  assertOptions(options, CLASH_NAMES);
  const { clearance = 0, volume } = options;
  if (volume !== undefined) assertVolume(volume);
  if (typeof clearance === 'number' && clearance >= 0 && clearance <= MAX_COORDINATE) return;
  throw new NearfieldError('bad-argument', `The clearance is ${clearance}; give a number from 0 to ${MAX_COORDINATE}.`);
}
