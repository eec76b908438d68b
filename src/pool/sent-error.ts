// Errors as plain data: structured cloning would lose the code and the location of a NearfieldError.
import { type ErrorLocation, NearfieldError, type NearfieldErrorCode } from '../core/errors.js';

/** An error as a message carries it; `code` is null for one that is not a NearfieldError. */
export interface SentError {
  readonly code: NearfieldErrorCode | null;
  readonly message: string;
  readonly location: ErrorLocation;
}

export function toSentError(error: unknown): SentError {
  const known = error instanceof NearfieldError;
  return {
    code: known ? error.code : null,
    message: error instanceof Error ? error.message : String(error),
    location: known ? error.location : {},
  };
}

export function fromSentError({ code, message, location }: SentError): Error {
  return code === null ? new Error(message) : new NearfieldError(code, message, location);
}
