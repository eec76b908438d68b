// Checks of the arguments of penetration queries.
import { assertOptions } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { SOLIDIFY_OPTIONS } from '../field/solid/solidify.js';
import { assertBackend } from '../gpu/choose-backend.js';
import { PENETRATION_DEFAULTS } from './defaults.js';
import {
  MAX_PENETRATION_RESOLUTION,
  PENETRATION_DESCENTS,
  PENETRATION_IMAGE_QUERIES,
  PENETRATION_METHODS,
  PENETRATION_NAMES,
  type PenetrationOptions,
} from './options.js';

/** Throws for options out of range. */
export function assertPenetrationOptions(options: PenetrationOptions): void {
  assertOptions(options, PENETRATION_NAMES);
  const { method = PENETRATION_DEFAULTS.method, query = 'rays', backend } = options;
  if (!PENETRATION_METHODS.includes(method)) {
    throw new NearfieldError('bad-argument', `The method is '${method}'; choose ${PENETRATION_METHODS.join(', ')}.`);
  }
  if (!PENETRATION_IMAGE_QUERIES.includes(query)) {
    throw new NearfieldError(
      'bad-argument',
      `The query is '${query}'; choose ${PENETRATION_IMAGE_QUERIES.join(' or ')}.`,
    );
  }
  if (method === 'certified' && query === 'windows') {
    throw new NearfieldError(
      'bad-argument',
      "Windows belong to the method 'image-space', which gives an upper estimate: name it, or leave out the query.",
    );
  }
  if (!PENETRATION_DESCENTS.includes(options.descent ?? 'probes')) {
    throw new NearfieldError(
      'bad-argument',
      `The descent is '${options.descent}'; choose ${PENETRATION_DESCENTS.join(', ')}.`,
    );
  }
  assertBackend(backend);
  const { solidify = false } = options;
  if (typeof solidify !== 'boolean' && (typeof solidify !== 'object' || solidify === null)) {
    throw new NearfieldError('bad-argument', `solidify is ${String(solidify)}; give true, or the options of solidify.`);
  }
  if (typeof solidify === 'object') assertOptions(solidify, SOLIDIFY_OPTIONS.names, 'The options of solidify');
  for (const name of ['resolution', 'coarseResolution'] as const) {
    const value = options[name] === undefined ? 1 : options[name];
    if (!Number.isInteger(value) || value < 1 || value > MAX_PENETRATION_RESOLUTION) {
      throw new NearfieldError(
        'bad-argument',
        `The ${name} is ${value}; give a whole number of pixels from 1 to ${MAX_PENETRATION_RESOLUTION}.`,
      );
    }
  }
  for (const name of ['onProgress', 'onCells', 'trace'] as const) {
    if (options[name] === undefined || typeof options[name] === 'function') continue;
    throw new NearfieldError('bad-argument', `${name} is ${options[name]}; give a function, or leave it out.`);
  }
  const {
    relativeGap = PENETRATION_DEFAULTS.relativeGap,
    maxCells = PENETRATION_DEFAULTS.maxCells,
    maxMilliseconds = Infinity,
  } = options;
  if (!(relativeGap > 0 && relativeGap < 1)) {
    throw new NearfieldError('bad-argument', `The relative gap is ${relativeGap}; give a number between 0 and 1.`);
  }
  if (!(maxCells >= 0) || !(maxMilliseconds >= 0)) {
    throw new NearfieldError(
      'bad-argument',
      `The budget is ${maxCells} cells and ${maxMilliseconds} milliseconds; give numbers from 0 on.`,
    );
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
