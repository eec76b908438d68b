// The messages between a pool and its workers. Items go ahead of the work that uses them; work names them by number.
import type { SentError } from './sent-error.js';

/** What a pool sends to its workers. */
export type PoolMessage =
  | { readonly type: 'hello' }
  | { readonly type: 'items'; readonly items: readonly PackedItem[]; readonly forget: readonly number[] }
  | {
      readonly type: 'begin';
      readonly run: number;
      /** The ranged task that answers. */
      readonly name: string;
      /** The numbers of the items. */
      readonly items: readonly number[];
      readonly input: unknown;
      /** Shared arrays to write to; null: send the answers back. */
      readonly answers: unknown;
      /** Shared; nonzero when the run has been aborted. */
      readonly stop: Int32Array | null;
    }
  | { readonly type: 'range'; readonly run: number; readonly from: number; readonly to: number }
  | {
      readonly type: 'task';
      readonly task: number;
      readonly name: string;
      /** The numbers of the items. */
      readonly items: readonly number[];
      readonly input: unknown;
      /** Shared; nonzero when the task has been aborted. */
      readonly stop: Int32Array | null;
    };

/** An item as it is sent, with its permanent number. */
export interface PackedItem {
  readonly number: number;
  readonly packed: unknown;
}

/** What a worker sends to its pool. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | ({ readonly type: 'done'; readonly part: unknown } & RangeOfRun)
  | ({ readonly type: 'failed'; readonly run: number } & SentError)
  | { readonly type: 'task-progress'; readonly task: number; readonly fraction: number; readonly stage: string }
  | { readonly type: 'task-done'; readonly task: number; readonly result: unknown }
  | ({ readonly type: 'task-failed'; readonly task: number } & SentError);

/** Elements of a run from `from` up to, but not including, `to`. */
export interface RangeOfRun {
  readonly run: number;
  readonly from: number;
  readonly to: number;
}

/** A message about a run. */
export type RunMessage = WorkerMessage & { readonly type: 'done' | 'failed' };

/** A message about a task. */
export type TaskMessage = WorkerMessage & { readonly task: number };
