import { NearfieldError } from './errors.js';

/**
 * How a caller watches and stops long work. An `AbortSignal` fits `signal`; so does any object whose `aborted` turns
 * true, such as a flag in shared memory that lets a page stop synchronous work in its worker.
 */
export interface ProgressOptions {
  readonly signal?: { readonly aborted: boolean } | undefined;
  /** Called now and then with the fraction done (0 to 1) and the name of the current stage. */
  readonly onProgress?: ((fraction: number, stage: string) => void) | undefined;
}

/** Reports progress and throws the `aborted` error when the caller has asked to stop. */
export function reportProgress(options: ProgressOptions | undefined, fraction: number, stage: string): void {
  if (options === undefined || options === null) return;
  if (options.signal?.aborted) {
    throw new NearfieldError('aborted', `Stopped at the caller's request during "${stage}".`);
  }
  const { onProgress } = options;
  if (onProgress === undefined) return;
  if (typeof onProgress !== 'function') {
    throw new NearfieldError('bad-argument', 'onProgress is not a function; give one, or leave it out.');
  }
  onProgress(fraction, stage);
}

/** The same options with progress mapped into the interval [from, to]. */
export function partOfProgress(options: ProgressOptions | undefined, from: number, to: number): ProgressOptions {
  const onProgress = options?.onProgress;
  return {
    signal: options?.signal,
    onProgress: onProgress && ((fraction, stage) => onProgress(from + (to - from) * fraction, stage)),
  };
}
