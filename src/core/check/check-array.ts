// Checks of arrays given by callers.

import { NearfieldError } from '../errors.js';
import { nameValue } from './check-options.js';

/** Refuses a value that is not the bytes of a file. */
export function assertBytes(bytes: Uint8Array): void {
  if (bytes instanceof Uint8Array) return;
  throw new NearfieldError('bad-argument', `The bytes of the file are ${nameValue(bytes)}; give a Uint8Array.`);
}

/** Refuses a value that is not a list of at least `count` numbers. */
export function assertNumbers(values: ArrayLike<number>, count: number, what: string): void {
  const length: unknown = values === null || typeof values !== 'object' ? undefined : values.length;
  if (typeof length === 'number' && length >= count) return;
  throw new NearfieldError('bad-argument', `The ${what} are ${nameValue(values)}; give an array of ${count} numbers.`);
}
