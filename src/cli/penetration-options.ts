// The options of a penetration query, for one pose or for every frame of a replay.
import { NearfieldError } from '../core/errors.js';
import {
  MAX_PENETRATION_RESOLUTION,
  PENETRATION_DEFAULTS,
  PENETRATION_DESCENTS,
  PENETRATION_METHODS,
  type PenetrationDescent,
  type PenetrationImageQuery,
  type PenetrationMethod,
  type PenetrationOptions,
} from '../penetration/options.js';
import { takeChoice, takeNumber, takeString } from './arguments.js';
import type { Verb, VerbInput } from './verb.js';

/** Chosen: the widest interval that can be asked for, as a share of the depth; a gap of 1 would let any interval pass. */
const MAX_RELATIVE_GAP = 0.999;

/** Options of one method only. All other options are accepted with both methods. */
const CERTIFICATE_OPTIONS = ['relative-gap', 'max-cells', 'max-milliseconds'];
const IMAGE_OPTIONS = ['coarse-resolution', 'descent', 'no-acceleration'];

export const PENETRATION_OPTIONS: Verb['options'] = {
  method: { type: 'string' },
  'relative-gap': { type: 'string' },
  'max-cells': { type: 'string' },
  'max-milliseconds': { type: 'string' },
  resolution: { type: 'string' },
  'coarse-resolution': { type: 'string' },
  descent: { type: 'string' },
  'no-acceleration': { type: 'boolean' },
};
export const PENETRATION_HELP = `  --method M           certified (default): an interval proven to contain the depth; image-space: an upper estimate
                       from six rendered views. An option that only image-space has selects that method
for --method certified:
  --relative-gap G     stop when the interval is at most G times the depth wide (default ${PENETRATION_DEFAULTS.relativeGap})
  --max-cells N        examine at most N cells of directions (default ${PENETRATION_DEFAULTS.maxCells.toLocaleString('en-US')}); the interval may then be wider
  --max-milliseconds T  stop after T milliseconds; the answer then depends on the machine
for --method image-space:
  --resolution N       pixels along each side of the six views (default ${PENETRATION_DEFAULTS.resolution}); no effect on certified
  --coarse-resolution N  pixels at all levels but the last, with --descent levels (default ${PENETRATION_DEFAULTS.coarseResolution})
  --descent D          probes (default): a few rays, then one query of the pieces within reach; levels (default with
                       --query windows): the hierarchies level by level; none: all pairs of pieces, slow, for comparison
  --no-acceleration    the same as --descent none`;

/** What the verb's own options say about images. */
export interface AskedImages {
  readonly query: PenetrationImageQuery;
  /** The verb's own options that were given and that only image-space has. */
  readonly given: readonly string[];
}

export type AskedPenetration = PenetrationOptions & { readonly method: PenetrationMethod };

export function takePenetrationOptions(
  input: VerbInput,
  { query, given }: AskedImages = { query: 'rays', given: [] },
  usualGap: number = PENETRATION_DEFAULTS.relativeGap,
): AskedPenetration {
  const pixels = { min: 1, max: MAX_PENETRATION_RESOLUTION, integer: true };
  const resolution = takeNumber(input, 'resolution', PENETRATION_DEFAULTS.resolution, pixels);
  const coarseResolution = takeNumber(input, 'coarse-resolution', PENETRATION_DEFAULTS.coarseResolution, pixels);
  const descent = takeDescent(input, query === 'windows' ? 'levels' : 'probes');
  const relativeGap = takeNumber(input, 'relative-gap', usualGap, { min: 1e-15, max: MAX_RELATIVE_GAP });
  const maxCells = takeNumber(input, 'max-cells', PENETRATION_DEFAULTS.maxCells, { min: 0, integer: true });
  const maxMilliseconds = takeNumber(input, 'max-milliseconds', Infinity, { min: 0 });
  const method = takeMethod(input, [...IMAGE_OPTIONS.filter((name) => isGiven(input, name)).map(dashed), ...given]);
  return method === 'certified'
    ? { method, relativeGap, maxCells, maxMilliseconds }
    : { method, resolution, coarseResolution, descent };
}

/** The requested method, or the one whose options were given. `imageOptions` are those that only image-space has. */
function takeMethod(input: VerbInput, imageOptions: readonly string[]): PenetrationMethod {
  const usual = imageOptions.length > 0 ? 'image-space' : PENETRATION_DEFAULTS.method;
  const method = takeChoice(input, 'method', [usual, ...PENETRATION_METHODS.filter((name) => name !== usual)]);
  const others =
    method === 'certified' ? imageOptions : CERTIFICATE_OPTIONS.filter((name) => isGiven(input, name)).map(dashed);
  if (others.length > 0) {
    const why = isGiven(input, 'method') || imageOptions.length === 0 ? '' : `, selected by ${imageOptions[0]}`;
    const other = method === 'certified' ? 'image-space' : 'certified';
    throw new NearfieldError(
      'bad-argument',
      `${others[0]} is for --method ${other}, but the method is ${method}${why}; leave one of them out`,
    );
  }
  return method;
}

function takeDescent(input: VerbInput, usual: PenetrationDescent): PenetrationDescent {
  const asked = takeString(input, 'descent');
  if (!input.values['no-acceleration']) {
    return takeChoice(input, 'descent', [usual, ...PENETRATION_DESCENTS.filter((descent) => descent !== usual)]);
  }
  if (asked !== null && asked !== 'none') {
    throw new NearfieldError(
      'bad-argument',
      `--no-acceleration means --descent none, but --descent is "${asked}"; give only one of them`,
    );
  }
  return 'none';
}

/** Throws if options of a penetration query are given with another query. */
export function refusePenetrationOptions(input: VerbInput): void {
  for (const name of Object.keys(PENETRATION_OPTIONS)) {
    if (isGiven(input, name)) {
      throw new NearfieldError('bad-argument', `--${name} is for --query penetration; leave it out`);
    }
  }
}

/** Whether --method, or an option that only certified has, was given. */
export function asksCertificate(input: VerbInput): boolean {
  return ['method', ...CERTIFICATE_OPTIONS].some((name) => isGiven(input, name));
}

/** The width of the interval divided by its upper bound, from 0 to 1. */
export function relativeGapOf({ lower, upper }: { readonly lower: number; readonly upper: number }): number {
  return upper > 0 ? (upper - lower) / upper : 0;
}

function isGiven(input: VerbInput, name: string): boolean {
  return input.values[name] !== undefined;
}

function dashed(name: string): string {
  return `--${name}`;
}
