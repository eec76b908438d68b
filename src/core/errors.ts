/**
 * What went wrong, as a code for programs. The message of a {@link NearfieldError} is for people.
 */
export type NearfieldErrorCode =
  | 'bad-argument'
  | 'empty-mesh'
  | 'non-finite'
  | 'index-out-of-range'
  | 'open-mesh'
  | 'non-manifold'
  | 'not-oriented'
  | 'self-intersecting'
  | 'degenerate'
  | 'file-not-found'
  | 'file-format'
  | 'file-truncated'
  | 'unsupported'
  | 'too-large'
  | 'aborted'
  | 'no-gpu'
  | 'device-lost'
  | 'job-failed';

/** Where in the input the fault is; only known fields are set. */
export interface ErrorLocation {
  readonly file?: string;
  /** 1-based line of a text file. */
  readonly line?: number;
  /** 0-based byte offset in a binary file. */
  readonly byte?: number;
  readonly vertex?: number;
  readonly face?: number;
}

/**
 * The only error type of the library. Public entry points throw it for input they cannot handle; the message says
 * what is wrong, where, and what to do about it.
 */
export class NearfieldError extends Error {
  override readonly name = 'NearfieldError';

  constructor(
    readonly code: NearfieldErrorCode,
    message: string,
    readonly location: ErrorLocation = {},
  ) {
    super(message);
  }

  /**
   * Whether a value is a NearfieldError, of this or another copy of the library: a process may hold both its ES modules
   * and its CommonJS files.
   */
  static override [Symbol.hasInstance](value: unknown): value is NearfieldError {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method and is asked in the usual way.
    if (this !== NearfieldError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return (
      typeof value === 'object' &&
      value !== null &&
      'code' in value &&
      'name' in value &&
      value.name === 'NearfieldError'
    );
  }
}
