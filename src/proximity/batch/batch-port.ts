// The messages between a batch pool and its workers, over any channel: a web Worker, a worker of Node's worker_threads,
// or a MessagePort of either. Nothing here imports Node: its objects are recognized by their shape.
import { type ErrorLocation, NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import type { TreeArrays } from '../boxes/box-tree.js';
import type { BatchOptions, BatchQueries } from './batch.js';
import type { AnswerArrays } from './batch-answerer.js';

/** Carries messages: `self` or `parentPort` in a worker, or a MessagePort. One of the two ways to listen is required. */
export interface BatchPort {
  /** Sends a message to the other side. */
  postMessage(message: unknown): void;
  /** The listener interface of the web. */
  addEventListener?(type: string, listener: (event: Event) => void): void;
  /** The listener interface of Node. */
  on?(type: string, listener: (value: unknown) => void): unknown;
  /** Required by a MessagePort. */
  start?(): void;
}

/** A worker seen from outside: the web's `Worker`, Node's, or a MessagePort whose other end serves. */
export interface BatchWorker extends BatchPort {
  /** Terminates the worker, if it is one. */
  terminate?(): unknown;
}

/** A model as it is sent: its mesh, in shared memory if available, and its permanent id. */
export interface SentModel {
  readonly number: number;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Its complete tree of boxes, in shared memory; absent if there is none: the worker then makes what it needs. */
  readonly tree?: TreeArrays | undefined;
}

/** An error as a message carries it; `code` is null for one that is not a NearfieldError. */
export interface SentError {
  readonly code: NearfieldErrorCode | null;
  readonly message: string;
  readonly location: ErrorLocation;
}

/** What a pool sends to its workers. */
export type PoolMessage =
  | { readonly type: 'hello' }
  | { readonly type: 'models'; readonly models: readonly SentModel[]; readonly forget: readonly number[] }
  | {
      readonly type: 'begin';
      readonly run: number;
      readonly models: readonly number[];
      readonly queries: BatchQueries;
      /** Shared arrays to write to; null: send the answers back. */
      readonly answers: AnswerArrays | null;
      /** Shared; nonzero when the run has been aborted. */
      readonly stop: Int32Array | null;
      readonly options: Pick<BatchOptions, 'volume' | 'absoluteError' | 'relativeError'>;
    }
  | { readonly type: 'range'; readonly run: number; readonly from: number; readonly to: number }
  | {
      readonly type: 'task';
      readonly task: number;
      readonly name: string;
      readonly models: readonly number[];
      readonly input: unknown;
      /** As of 'begin'. */
      readonly stop: Int32Array | null;
    };

/** What a worker sends to its pool. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'done';
      readonly run: number;
      readonly from: number;
      readonly to: number;
      readonly sums: Float64Array;
      readonly answers: AnswerArrays | null;
    }
  | ({ readonly type: 'failed'; readonly run: number } & SentError)
  | { readonly type: 'task-progress'; readonly task: number; readonly fraction: number; readonly stage: string }
  | { readonly type: 'task-done'; readonly task: number; readonly result: unknown }
  | ({ readonly type: 'task-failed'; readonly task: number } & SentError);

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

/** Delivers messages, and the notice that the other side is gone, to the listeners. */
export function listen<Message>(
  port: BatchPort,
  onMessage: (message: Message) => void,
  onLost: (reason: string) => void = () => {},
): void {
  if (typeof port?.postMessage !== 'function') throw noPort();
  if (typeof port.addEventListener === 'function') {
    port.addEventListener('message', (event) => onMessage((event as MessageEvent<Message>).data));
    port.addEventListener('messageerror', () => onLost('a message could not be read'));
    port.addEventListener('error', (event) => {
      event.preventDefault?.();
      onLost((event as ErrorEvent).message || 'its script could not be loaded, or it ran out of memory');
    });
    port.addEventListener('close', () => onLost('its port was closed'));
  } else if (typeof port.on === 'function') {
    port.on('message', (message) => onMessage(message as Message));
    port.on('messageerror', () => onLost('a message could not be read'));
    port.on('error', (error) => onLost(error instanceof Error ? error.message : String(error)));
    port.on('exit', (code) => onLost(`it ended with code ${code}`));
    port.on('close', () => onLost('its port was closed'));
  } else {
    throw noPort();
  }
  port.start?.();
}

function noPort(): NearfieldError {
  return new NearfieldError('bad-argument', 'A worker or port must have addEventListener or on, and postMessage.');
}
