// The form of what a scene says of how a body may move and touch: even motions, when it is let go, locked axes, damping,
// filters, and how it comes apart.

import type { JsonFields, JsonPlace } from '../core/check/json-place.js';
import { LOCKED_AXES, type LockedAxis } from '../dynamics/body/body-options.js';
import { DYNAMICS_DEFAULTS, MAX_SUBSTEPS } from '../dynamics/step-rules.js';
import { COORDINATE, needed, optional, readKeys } from './scene-keys.js';

/** The keys of a body that are read here. */
export const FREEDOM_KEYS = [
  'moves',
  'letGo',
  'locks',
  'staticFriction',
  'damping',
  'group',
  'mask',
  'sensor',
  'split',
  'fracture',
] as const;

/** Those that bodies in the plane do not have. */
const SPACE_ONLY = ['moves', 'letGo', 'locks', 'staticFriction', 'damping', 'split', 'fracture'] as const;

/** Chosen: pieces of a body that breaks; more take minutes. */
const MAX_PIECES = 1000;

/** Chosen: the largest damping, 1/s; exponentials with it stay finite. */
const MAX_DAMPING = 1e9;

/** How a body may move and touch. */
export interface CheckedFreedom {
  readonly moves: CheckedMoves | null;
  /** The time from which a body that is held is simulated; null for one that stays so. */
  readonly letGo: number | null;
  readonly locks: readonly LockedAxis[];
  /** Null for the friction. */
  readonly staticFriction: number | null;
  readonly damping: { readonly linear: number; readonly angular: number };
  readonly group: number;
  readonly mask: number;
  readonly sensor: boolean;
  /** Each connected part of the mesh is a body of its own. */
  readonly split: boolean;
  readonly fracture: CheckedFracture | null;
}

/** An even motion of a body that is not simulated. */
export interface CheckedMoves {
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  /** Null for never. */
  readonly until: number | null;
}

/** How a body breaks. */
export interface CheckedFracture {
  /** N s of contacts in a step. */
  readonly impulse: number;
  readonly pieces: number;
  readonly seed: number;
}

const MOVES_KEYS = {
  velocity: optional([0, 0, 0], (place) => place.numbers(3, COORDINATE, '[x, y, z]')),
  angularVelocity: optional([0, 0, 0], (place) => place.numbers(3, COORDINATE, '[x, y, z]')),
  until: optional(null, (place) => place.number(COORDINATE)),
};
const DAMPING_KEYS = {
  linear: optional(0, (place) => place.number({ min: 0, max: MAX_DAMPING })),
  angular: optional(0, (place) => place.number({ min: 0, max: MAX_DAMPING })),
};
const FRACTURE_KEYS = {
  impulse: needed((place) => place.number({ above: 0, max: Number.MAX_VALUE })),
  pieces: optional(8, (place) => place.number({ min: 2, max: MAX_PIECES, integer: true })),
  seed: optional(1, (place) => place.number({ integer: true })),
};
/** Format: 32 bits, with or without a sign. */
const BITS = { min: -(2 ** 31), max: 2 ** 32 - 1, integer: true };

/** Reads them. @param friction of the body. */
export function checkFreedom(
  fields: JsonFields,
  dimension: 2 | 3,
  { isHeld, isElastic, friction }: { isHeld: boolean; isElastic: boolean; friction: number },
): CheckedFreedom {
  for (const name of SPACE_ONLY) {
    if (!fields.has(name)) continue;
    if (dimension === 2) fields.at(name).refuse('is for scenes in space; leave it out, or set "dimension" to 3');
    if (isElastic) fields.at(name).refuse('is for rigid bodies; leave it out, or leave "elastic" out');
  }
  const moves = fields.take('moves', null, (place) => readKeys(place, MOVES_KEYS).values);
  const letGo = fields.take('letGo', null, (place) => place.number(COORDINATE));
  if (letGo !== null && !isHeld && moves === null) {
    fields.at('letGo').refuse('is for a body that is held until then; add "fixed": true, "path" or "moves"');
  }
  const staticFriction = fields.take('staticFriction', null, (place) => place.number({ min: 0 }));
  if (staticFriction !== null && staticFriction < friction) {
    fields.at('staticFriction').refuse(`is ${staticFriction}, less than the friction ${friction}; give at least that`);
  }
  const split = fields.take('split', false, (place) => place.flag());
  const fracture = fields.take('fracture', null, (place) => readKeys(place, FRACTURE_KEYS).values);
  if (fracture !== null && (split || isHeld || moves !== null)) {
    fields.at('fracture').refuse('is for one body that is free; leave "split", "fixed", "path" and "moves" out');
  }
  return {
    moves,
    letGo,
    locks: fields.take('locks', [], (place) => place.list('axes').map((axis) => axis.choice(LOCKED_AXES))),
    staticFriction,
    damping: fields.take('damping', { linear: 0, angular: 0 }, (place) => readKeys(place, DAMPING_KEYS).values),
    group: fields.take('group', 1, checkBits),
    mask: fields.take('mask', -1, checkBits),
    sensor: fields.take('sensor', false, (place) => place.flag()),
    split,
    fracture,
  };
}

function checkBits(place: JsonPlace): number {
  return place.number(BITS) | 0;
}

/** What two bodies have where they touch each other. */
export interface CheckedSurface {
  readonly place: JsonPlace;
  readonly bodies: readonly [number, number];
  readonly friction: number | undefined;
  readonly staticFriction: number | undefined;
  readonly restitution: number | undefined;
}

const SURFACE_NAMES = ['bodies', 'friction', 'staticFriction', 'restitution'] as const;

/** Reads the surface of a pair. @param find the index of a body that a scene names. */
export function checkSurface(place: JsonPlace, find: (place: JsonPlace) => number): CheckedSurface {
  const fields = place.fields(SURFACE_NAMES, ['bodies']);
  const bodies = fields.at('bodies').list('two bodies');
  if (bodies.length !== 2) fields.at('bodies').refuse(`is a list of ${bodies.length}; give two bodies`);
  const [a, b] = bodies.map(find);
  if (a === b) fields.at('bodies').refuse('names one body twice; give two');
  return {
    place,
    bodies: [a, b],
    friction: fields.take('friction', undefined, (value) => value.number({ min: 0 })),
    staticFriction: fields.take('staticFriction', undefined, (value) => value.number({ min: 0 })),
    restitution: fields.take('restitution', undefined, (value) => value.number({ min: 0, max: 1 })),
  };
}

/** A force or a torque over some time. */
export interface CheckedForce {
  readonly place: JsonPlace;
  readonly body: number;
  readonly force: readonly number[];
  /** One number in the plane. */
  readonly torque: readonly number[];
  /** Where it acts at the start, in the world; it moves along with the body. Null for the center of mass. */
  readonly at: readonly number[] | null;
  readonly from: number;
  /** Infinity where nothing ends it. */
  readonly to: number;
}

const FORCE_NAMES = ['body', 'force', 'torque', 'at', 'from', 'to'] as const;

/** Reads a force. */
export function checkForce(
  place: JsonPlace,
  find: (place: JsonPlace) => number,
  dimension: 2 | 3,
  vectorOf: (place: JsonPlace) => number[],
): CheckedForce {
  const fields = place.fields(FORCE_NAMES, ['body']);
  if (!fields.has('force') && !fields.has('torque')) place.refuse('has no "force" and no "torque"; give one of them');
  const from = fields.take('from', 0, (value) => value.number(COORDINATE));
  const to = fields.take('to', Infinity, (value) => value.number(COORDINATE));
  if (!(to > from)) fields.at('to').refuse(`is ${to}, not after ${from}, when it begins; give a later time`);
  if (fields.has('at') && !fields.has('force')) fields.at('at').refuse('is the point of a force; add the "force"');
  const zeros = new Array<number>(dimension).fill(0);
  return {
    place,
    body: find(fields.at('body')),
    force: fields.take('force', zeros, vectorOf),
    torque: fields.take('torque', dimension === 3 ? zeros : [0], (value) =>
      dimension === 3 ? vectorOf(value) : [value.number(COORDINATE)],
    ),
    at: fields.take('at', null, vectorOf),
    from,
    to,
  };
}

/** The defaults of a body without any of these keys, for bodies that are made of others. */
export const FREE: CheckedFreedom = {
  ...{ moves: null, letGo: null, locks: [], staticFriction: null, damping: { linear: 0, angular: 0 } },
  ...{ group: 1, mask: -1, sensor: false, split: false, fracture: null },
};

/** Reads how many substeps a step has. */
export function checkSubsteps(place: JsonPlace): number {
  return place.number({ min: 1, max: MAX_SUBSTEPS, integer: true });
}

/** The substeps without the key. */
export const DEFAULT_SUBSTEPS = DYNAMICS_DEFAULTS.substeps;
