// What a worker can be asked: tasks, each one call, and ranged tasks, which answer long lists range by range.
import type { ProgressOptions } from '../core/progress.js';

/** One task: its input and its result must be data that a message can carry. */
export type WorkerTask<Item = unknown> = (items: readonly Item[], input: never, progress: ProgressOptions) => unknown;

/** Tasks by name. */
export type WorkerTasks<Item = unknown> = Readonly<Record<string, WorkerTask<Item>>>;

/** Begins a run. Called once in each worker that takes part, with the `input` and the `answers` of a {@link RangedRun}. */
export type RangedTask<Item = unknown> = (items: readonly Item[], input: never, answers: never) => RangeAnswerer;

/** Ranged tasks by name. */
export type RangedTasks<Item = unknown> = Readonly<Record<string, RangedTask<Item>>>;

/** The worker's side of a run. */
export interface RangeAnswerer {
  /**
   * Answers the elements from `from` up to, but not including, `to`, and returns what the pool's side takes. Where it
   * finds that the run is stopped it ends early; what it returns then is dropped.
   */
  answer(from: number, to: number, isStopped: () => boolean): unknown;
}

/** The pool's side of a run: what is asked, and what collects the answers. */
export interface RangedRun<Item, Answers> {
  /** The ranged task that answers. */
  readonly name: string;
  readonly items: readonly Item[];
  /** Number of elements. */
  readonly count: number;
  /** What progress reports call the elements. */
  readonly stage: string;
  /** Data that a message can carry. */
  readonly input: unknown;
  /** Arrays in shared memory that workers write to; null: they send their answers back. */
  readonly sharedAnswers: unknown;
  /** Takes what a worker returned for the range that begins at `from`. */
  take(part: never, from: number): void;
  /** Called when all ranges are taken. */
  finish(): Answers;
}
