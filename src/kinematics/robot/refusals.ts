// Errors that say which part of a problem is wrong.
import { NearfieldError } from '../../core/errors.js';

export function refuse(what: string): never {
  throw new NearfieldError('bad-argument', `The problem: ${what}.`);
}

/** Runs work whose errors name the part of the problem. */
export function within<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `${name}: ${error.message.replace(/^The problem: /, '')}`, error.location);
  }
}
