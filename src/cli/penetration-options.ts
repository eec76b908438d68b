// What people can tell a penetration query, on its own or for every frame of a replay.
import { NearfieldError } from '../core/errors.js';
import {
  DEFAULT_COARSE_RESOLUTION,
  DEFAULT_RESOLUTION,
  DESCENTS,
  type Descent,
  type ImageQuery,
  MAX_RESOLUTION,
  PENETRATION_METHODS,
  type PenetrationOptions,
} from '../penetration/options.js';
import { takeChoice, takeNumber, takeString } from './arguments.js';
import type { Verb, VerbInput } from './verb.js';

export const PENETRATION_OPTIONS: Verb['options'] = {
  method: { type: 'string' },
  'relative-gap': { type: 'string' },
  resolution: { type: 'string' },
  'coarse-resolution': { type: 'string' },
  descent: { type: 'string' },
  'no-acceleration': { type: 'boolean' },
};
export const PENETRATION_HELP = `  --method M           ${PENETRATION_METHODS.join(', ')}: an upper estimate, confirmed by an exact test
  --resolution N       pixels along each side of the six views (default ${DEFAULT_RESOLUTION})
  --coarse-resolution N  the same at the levels before the last, with --descent levels (default ${DEFAULT_COARSE_RESOLUTION})
  --descent D          probes (default): a few rays, then one look at the pieces within reach; levels (default with
                       windows): down the hierarchies level by level; none: all pairs of pieces, slow, for comparison
  --no-acceleration    the same as --descent none`;

export function takePenetrationOptions(
  input: VerbInput,
  query: ImageQuery = 'rays',
): PenetrationOptions & { readonly descent: Descent } {
  const method = takeChoice(input, 'method', PENETRATION_METHODS);
  if (takeString(input, 'relative-gap') !== null) {
    throw new NearfieldError(
      'bad-argument',
      `--relative-gap needs a method that also bounds the depth from below; ${method} gives an upper estimate only: leave it out`,
    );
  }
  const pixels = { min: 1, max: MAX_RESOLUTION, integer: true };
  return {
    method,
    resolution: takeNumber(input, 'resolution', DEFAULT_RESOLUTION, pixels),
    coarseResolution: takeNumber(input, 'coarse-resolution', DEFAULT_COARSE_RESOLUTION, pixels),
    descent: takeDescent(input, query === 'windows' ? 'levels' : 'probes'),
  };
}

function takeDescent(input: VerbInput, usual: Descent): Descent {
  const asked = takeString(input, 'descent');
  if (!input.values['no-acceleration']) {
    return takeChoice(input, 'descent', [usual, ...DESCENTS.filter((descent) => descent !== usual)]);
  }
  if (asked !== null && asked !== 'none') {
    throw new NearfieldError(
      'bad-argument',
      `--no-acceleration is --descent none, but --descent is "${asked}"; give one`,
    );
  }
  return 'none';
}

/** Refuses options of a penetration query where another query is asked. */
export function refusePenetrationOptions(input: VerbInput): void {
  for (const name of Object.keys(PENETRATION_OPTIONS)) {
    if (input.values[name] !== undefined) {
      throw new NearfieldError('bad-argument', `--${name} is for --query penetration; leave it out`);
    }
  }
}
