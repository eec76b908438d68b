// The codes of what calls refuse. An error that is not the library's own goes on to the test.
import { NearfieldError } from '../src/core/errors.js';

/** The code of what a call throws, 'none' when it throws nothing. */
export function codeOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return codeIn(error);
  }
  return 'none';
}

/** The code of what a call throws, at once or later. */
export async function laterCodeOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return codeIn(error);
  }
  return 'none';
}

function codeIn(error: unknown): string {
  if (error instanceof NearfieldError) return error.code;
  throw error;
}
