// What callers give for a body in space and in the plane alike, and its checks.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';

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

/** @param owner the body in messages, for instance 'the body "lid"'. */
export function assertBodyProperties(
  options: BodyProperties & { readonly density?: number | undefined; readonly path?: unknown },
  owner: string,
): void {
  assertPositive(options.density, `density of ${owner}`);
  assertPositive(options.mass, `mass of ${owner}`);
  if (options.density !== undefined && options.mass !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} has a density and a mass; give one of them.`);
  }
  assertInRange(options.friction, Infinity, `friction of ${owner}`);
  assertInRange(options.restitution, 1, `restitution of ${owner}`);
  assertBoolean(options.fixed, `option fixed of ${owner}`);
  assertBoolean(options.sensor, `option sensor of ${owner}`);
  assertBits(options.group, `group of ${owner}`);
  assertBits(options.mask, `mask of ${owner}`);
  if (options.fixed === true && options.path !== undefined) {
    throw new NearfieldError('bad-argument', `${capital(owner)} is fixed and has a path; leave one of them out.`);
  }
  if (options.name !== undefined && typeof options.name !== 'string') {
    throw new NearfieldError('bad-argument', `The name of a body is ${nameValue(options.name)}; give a string.`);
  }
}

export function assertPositive(value: number | undefined, what: string): void {
  if (value === undefined || (typeof value === 'number' && value > 0 && Number.isFinite(value))) return;
  throw new NearfieldError('bad-argument', `The ${what} is ${nameValue(value)}; give a positive number.`);
}

export function assertInRange(value: number | undefined, most: number, what: string): void {
  if (value === undefined) return;
  if (typeof value === 'number' && value >= 0 && value <= most && Number.isFinite(value)) return;
  const range = most === Infinity ? 'a number of 0 or more' : `a number from 0 to ${most}`;
  throw new NearfieldError('bad-argument', `The ${what} is ${nameValue(value)}; give ${range}.`);
}

export function assertBoolean(value: boolean | undefined, what: string): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new NearfieldError('bad-argument', `The ${what} is ${nameValue(value)}; give true or false.`);
}

function assertBits(value: number | undefined, what: string): void {
  if (value === undefined || (value | 0) === value) return;
  throw new NearfieldError(
    'bad-argument',
    `The ${what} is ${nameValue(value)}; give 32 bits as a whole number, for instance 1 << 3.`,
  );
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
