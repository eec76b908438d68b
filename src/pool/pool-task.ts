// One task of a pool, from the call to its end.
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { PoolMessage, TaskMessage } from './messages.js';
import { fromSentError } from './sent-error.js';

/** What a task is asked to do. */
export interface TaskRequest<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly input: unknown;
  readonly progress: ProgressOptions;
}

export class PoolTask<Item> {
  readonly number: number;
  readonly #request: TaskRequest<Item>;
  /** Shared; tells the worker to stop. Without shared memory it works to the end, and its result is dropped. */
  readonly #stop: Int32Array | null;
  readonly #end: { resolve(result: unknown): void; reject(error: unknown): void };
  #settled = false;

  constructor(
    number: number,
    request: TaskRequest<Item>,
    shared: boolean,
    end: { resolve(result: unknown): void; reject(error: unknown): void },
  ) {
    this.number = number;
    this.#request = request;
    this.#stop = shared ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.#end = end;
    this.#signal?.addEventListener?.('abort', this.#onAbort, { once: true });
  }

  get name(): string {
    return this.#request.name;
  }

  get items(): readonly Item[] {
    return this.#request.items;
  }

  /** Whether the caller has its answer, or the reason why it gets no answer. */
  get settled(): boolean {
    return this.#settled;
  }

  /** @param items the numbers of its items. */
  message(items: readonly number[]): PoolMessage {
    const { name, input } = this.#request;
    return { type: 'task', task: this.number, name, items, input, stop: this.#stop };
  }

  /** Returns whether the worker is done with the task. */
  hear(message: TaskMessage): boolean {
    if (message.type === 'task-progress') {
      try {
        if (!this.#settled) reportProgress(this.#request.progress, message.fraction, message.stage);
      } catch (error) {
        this.fail(error);
      }
      return false;
    }
    if (message.type === 'task-failed') this.fail(fromSentError(message));
    else if (message.type === 'task-done') this.#settle(() => this.#end.resolve(message.result));
    return true;
  }

  fail(error: unknown): void {
    if (this.#stop !== null) Atomics.store(this.#stop, 0, 1);
    this.#settle(() => this.#end.reject(error));
  }

  get #signal(): Partial<AbortSignal> | undefined {
    return this.#request.progress.signal as Partial<AbortSignal> | undefined;
  }

  readonly #onAbort = (): void => this.fail(new NearfieldError('aborted', "Stopped at the caller's request."));

  #settle(tell: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#signal?.removeEventListener?.('abort', this.#onAbort);
    tell();
  }
}
