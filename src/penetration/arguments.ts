// Checks of the arguments of penetration queries.
import { assertOptions, nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { SOLIDIFY_OPTIONS } from '../field/solid/solidify.js';
import { PENETRATION_DEFAULTS, PENETRATION_TABLE, type PenetrationOptions } from './options.js';

/** Throws for invalid options. */
export function assertPenetrationOptions(options: PenetrationOptions): void {
  PENETRATION_TABLE.assert(options);
  const { method = PENETRATION_DEFAULTS.method, query = 'rays', solidify = false } = options;
  if (method === 'certified' && query === 'windows') {
    throw new NearfieldError(
      'bad-argument',
      "Windows belong to the method 'image-space', which gives an upper estimate: name it, or leave out the query.",
    );
  }
  if (typeof solidify !== 'boolean' && (typeof solidify !== 'object' || solidify === null)) {
    throw new NearfieldError(
      'bad-argument',
      `solidify is ${nameValue(solidify)}; give true, or the options of solidify.`,
    );
  }
  if (typeof solidify === 'object') assertOptions(solidify, SOLIDIFY_OPTIONS.names, 'The options of solidify');
  for (const name of ['onProgress', 'onCells', 'trace'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new NearfieldError('bad-argument', `${name} is ${options[name]}; give a function, or leave it out.`);
  }
}

/** Throws for options that only the asynchronous query supports. */
export function assertWithoutPromise({ query, backend }: PenetrationOptions): void {
  if (query !== 'windows' && backend !== 'webgpu') return;
  throw new NearfieldError(
    'bad-argument',
    "This answers without a promise, on the CPU: leave out query 'windows' and backend 'webgpu', or call measurePenetration.",
  );
}
