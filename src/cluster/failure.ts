// Why a job failed, as the text that the queue keeps with it.
import type { NearfieldError } from '../core/errors.js';
import { type SentError, toSentError } from '../pool/sent-error.js';

/** The task's own error; content that the store has lost; or anything else, with what it said. */
export type Failure =
  | { readonly kind: 'task'; readonly error: SentError }
  | { readonly kind: 'missing'; readonly hash: string }
  | { readonly kind: 'other'; readonly message: string };

export function writeFailure(failure: Failure): string {
  return JSON.stringify(failure);
}

/** The failure of a task by its own error, which would be the same on every machine. */
export function taskFailure(error: NearfieldError): string {
  return writeFailure({ kind: 'task', error: toSentError(error) });
}

/** Reads what {@link writeFailure} wrote; other texts come from the queue itself. */
export function readFailure(text: string): Failure {
  try {
    const failure = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    if (failure?.kind === 'missing') return { kind: 'missing', hash: String(failure.hash) };
    const error = failure?.kind === 'task' ? (failure.error as Partial<SentError> | undefined) : undefined;
    if (typeof error?.message === 'string') {
      return {
        kind: 'task',
        error: { code: error.code ?? null, message: error.message, location: error.location ?? {} },
      };
    }
  } catch {
    // The text is not one of ours.
  }
  return { kind: 'other', message: text || 'no reason given' };
}
