// What callers give for a body in space and in the plane alike, and its checks.
import { nameValue } from '../../core/check/check-options.js';
import {
  flag,
  labelled,
  numberAbove,
  numberWithin,
  type OptionRule,
  type OptionRules,
} from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { DYNAMICS_DEFAULTS } from '../step-rules.js';

/** What bodies in space and in the plane have in common. */
export interface BodyProperties {
  /** kg, in place of the density. */
  readonly mass?: number | undefined;
  /** Coulomb's coefficient; a pair has the geometric mean. */
  readonly friction?: number | undefined;
  /** 0 to 1; a pair has the larger. */
  readonly restitution?: number | undefined;
  /** Never moves. Of an elastic body: its rest shape never moves. */
  readonly fixed?: boolean | undefined;
  /** Bits of the groups it belongs to; 1 if left out. */
  readonly group?: number | undefined;
  /** Bits of the groups it collides with; all if left out. Two bodies collide if each accepts the other. */
  readonly mask?: number | undefined;
  /** Is reported when touched, but pushes nothing. */
  readonly sensor?: boolean | undefined;
  /** For messages. */
  readonly name?: string | undefined;
}

export function assertBodyObject(options: object): void {
  if (options !== null && typeof options === 'object') return;
  throw new NearfieldError('bad-argument', `The body is ${nameValue(options)}; give at least { shape }.`);
}

/** A finite number of at least 0. */
export const NOT_NEGATIVE: OptionRule<number> = {
  expects: 'a number of 0 or more',
  accepts: (value) => typeof value === 'number' && value >= 0 && value < Infinity,
};

const BITS: OptionRule<number> = {
  expects: '32 bits as a whole number, for instance 1 << 3',
  accepts: (value) => typeof value === 'number' && (value | 0) === value,
};

/** The rows of {@link BodyProperties} and of the density, which bodies in space and in the plane have. */
export const BODY_RULES = {
  density: numberAbove(0, DYNAMICS_DEFAULTS.density),
  mass: numberAbove(0),
  friction: { ...NOT_NEGATIVE, fallback: DYNAMICS_DEFAULTS.friction },
  restitution: numberWithin(0, 1, DYNAMICS_DEFAULTS.restitution),
  fixed: labelled('option fixed', flag()),
  group: BITS,
  mask: BITS,
  sensor: labelled('option sensor', flag()),
  name: { expects: 'a string', accepts: (value) => typeof value === 'string' },
} satisfies OptionRules<BodyProperties & { readonly density?: number | undefined }>;

/**
 * Refuses properties that contradict each other.
 * @param owner the body in messages, for instance 'the body "lid"'.
 */
export function assertBodyProperties(
  options: BodyProperties & { readonly density?: number | undefined; readonly path?: unknown },
  owner: string,
): void {
  if (options.density !== undefined && options.mass !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} has a density and a mass; give one of them.`);
  }
  if (options.fixed === true && options.path !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} is fixed and has a path; leave one of them out.`);
  }
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
