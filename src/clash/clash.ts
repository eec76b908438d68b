// What a clash check looks for and what it finds.
import { checkedElsewhere, numberWithin, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import type { ProgressOptions } from '../core/progress.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import type { Vec3 } from '../core/vec3.js';
import { assertVolume } from '../proximity/arguments.js';
import type { VolumeChoice } from '../proximity/options.js';
import { PROXIMITY_DEFAULTS } from '../proximity/options.js';
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

const CLASH_TABLE = optionTable<ClashOptions>()({
  // The messages about these two name more than the value.
  volume: checkedElsewhere<VolumeChoice>(PROXIMITY_DEFAULTS.statelessVolume),
  ignore: checkedElsewhere<readonly IgnoredPair[]>([]),
  clearance: numberWithin(0, MAX_COORDINATE, 0),
  ...PROGRESS_RULES,
});

/** The options of a clash check with the values of those left out. @throws NearfieldError for an invalid one. */
export function readClashOptions(options: ClashOptions): ReturnType<typeof CLASH_TABLE.read> {
  const read = CLASH_TABLE.read(options);
  assertVolume(read.volume);
  return read;
}

/** Worst first; ties in the order of the parts. */
export function compareClashes(p: Clash, q: Clash): number {
  return p.distance - q.distance || p.a - q.a || p.b - q.b;
}
