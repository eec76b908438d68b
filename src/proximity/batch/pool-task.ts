// One task of a pool, from the call to its end.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { ProximityModel } from '../proximity-model.js';
import { fromSentError, type PoolMessage, type WorkerMessage } from './batch-port.js';

type TaskMessage = WorkerMessage & { readonly task: number };

export class PoolTask {
  readonly number: number;
  readonly name: string;
  readonly models: readonly ProximityModel[];
  readonly #input: unknown;
  readonly #progress: ProgressOptions;
  readonly #end: { resolve(result: unknown): void; reject(error: unknown): void };
  /** Shared; tells the worker to stop. Without shared memory it works to the end, and its result is dropped. */
  readonly #stop: Int32Array | null;
  #settled = false;

  constructor(
    number: number,
    { name, models, input }: { name: string; models: readonly ProximityModel[]; input: unknown },
    progress: ProgressOptions,
    shares: boolean,
    end: { resolve(result: unknown): void; reject(error: unknown): void },
  ) {
    this.number = number;
    this.name = name;
    this.models = models;
    this.#input = input;
    this.#progress = progress;
    this.#end = end;
    this.#stop = shares ? new Int32Array(new SharedArrayBuffer(4)) : null;
    (progress.signal as Partial<AbortSignal> | undefined)?.addEventListener?.('abort', this.#onAbort, { once: true });
  }

  /** Whether the caller has its answer, or the reason why there is none. */
  get settled(): boolean {
    return this.#settled;
  }

  message(models: readonly number[]): PoolMessage {
    return { type: 'task', task: this.number, name: this.name, models, input: this.#input, stop: this.#stop };
  }

  /** Returns whether the worker is done with the task. */
  hear(message: TaskMessage): boolean {
    if (message.type === 'task-progress') {
      try {
        if (!this.#settled) reportProgress(this.#progress, message.fraction, message.stage);
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

  readonly #onAbort = (): void => this.fail(new NearfieldError('aborted', "Stopped at the caller's request."));

  #settle(tell: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    (this.#progress.signal as Partial<AbortSignal> | undefined)?.removeEventListener?.('abort', this.#onAbort);
    tell();
  }
}
