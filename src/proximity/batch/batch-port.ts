// What a batch's two sides send each other, over anything that carries messages: a Worker of the web, a worker of Node's
// worker_threads, or a MessagePort of either. Nothing here imports Node: its objects are known by their shape.
import { type ErrorLocation, NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import type { BatchOptions, BatchQueries } from './batch.js';
import type { AnswerArrays } from './batch-answerer.js';

/** Carries messages: `self` or `parentPort` within a worker, or a MessagePort. One of the two listening calls is needed. */
export interface BatchPort {
  /** Sends a message to the other side. */
  postMessage(message: unknown): void;
  /** As objects of the web listen. */
  addEventListener?(type: string, listener: (event: Event) => void): void;
  /** As objects of Node listen. */
  on?(type: string, listener: (value: unknown) => void): unknown;
  /** A MessagePort needs it. */
  start?(): void;
}

/** A worker seen from outside: the web's `Worker`, Node's, or a MessagePort with the serving side at its other end. */
export interface BatchWorker extends BatchPort {
  /** Ends the worker, where it is one. */
  terminate?(): unknown;
}

/** A model as it is sent: its mesh, in shared memory where that exists, under a number it keeps. */
export interface SentModel {
  readonly number: number;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
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
      /** Shared arrays to write to; null: send the answers. */
      readonly answers: AnswerArrays | null;
      /** Shared; not 0 when the run has been stopped. */
      readonly stop: Int32Array | null;
      readonly options: Pick<BatchOptions, 'volume' | 'absoluteError' | 'relativeError'>;
    }
  | { readonly type: 'range'; readonly run: number; readonly from: number; readonly to: number };

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
  | {
      readonly type: 'failed';
      readonly run: number;
      readonly code: NearfieldErrorCode | null;
      readonly message: string;
      readonly location: ErrorLocation;
    };

/** Has messages, and the news that the other side is gone, brought to the listeners. */
export function listen<Message>(
  port: BatchPort,
  onMessage: (message: Message) => void,
  onLost: (reason: string) => void = () => {},
): void {
  if (port.addEventListener !== undefined) {
    port.addEventListener('message', (event) => onMessage((event as MessageEvent<Message>).data));
    port.addEventListener('messageerror', () => onLost('a message could not be read'));
    port.addEventListener('error', (event) => {
      event.preventDefault?.();
      onLost((event as ErrorEvent).message || 'its script could not be loaded, or it ran out of memory');
    });
    port.addEventListener('close', () => onLost('its port was closed'));
  } else if (port.on !== undefined) {
    port.on('message', (message) => onMessage(message as Message));
    port.on('messageerror', () => onLost('a message could not be read'));
    port.on('error', (error) => onLost(error instanceof Error ? error.message : String(error)));
    port.on('exit', (code) => onLost(`it ended with code ${code}`));
    port.on('close', () => onLost('its port was closed'));
  } else {
    throw new NearfieldError('bad-argument', 'A worker or port must have addEventListener or on, and postMessage.');
  }
  port.start?.();
}
