// The page's side of the worker: sends tasks, receives their progress, stops them. A stop sets a flag in shared memory
// that the library's signal reads; if a task does not check it in time, its worker is terminated.
import { NearfieldError } from 'nearfield/core';
import { type Bulk, isBulk, type Reply, type RunMessage, type SentBulk } from './messages.js';
import type { TaskInput, TaskName, TaskOutput } from './tasks.js';

/** How long a stopped task may take to notice before its worker is ended. */
const PATIENCE_MS = 1000;
/** Meshes and files the worker keeps; the least recently used goes first. */
const BULK_KEPT = 8;
const FLAG_COUNT = 1024;

export interface RunOptions {
  readonly onProgress?: (fraction: number, stage: string) => void;
  readonly onPart?: (part: unknown) => void;
  readonly signal?: AbortSignal;
}

interface Job {
  readonly id: number;
  readonly task: TaskName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: RunOptions;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

export class TaskRunner {
  #worker: Worker | null = null;
  #nextId = 0;
  readonly #jobs = new Map<number, Job>();
  readonly #stopFlags = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4 * FLAG_COUNT)) : null;
  readonly #numbers = new WeakMap<Bulk, number>();
  #nextNumber = 0;
  /** Numbers of the meshes and files that the worker has, least recently used first. */
  readonly #sent = new Set<number>();

  run<Name extends TaskName>(task: Name, input: TaskInput<Name>, options: RunOptions = {}): Promise<TaskOutput<Name>> {
    return new Promise((resolve, reject) => {
      const job: Job = {
        id: this.#nextId++,
        task,
        input: input as Readonly<Record<string, unknown>>,
        options,
        resolve: resolve as (output: unknown) => void,
        reject,
      };
      if (options.signal?.aborted) return reject(stoppedError());
      this.#jobs.set(job.id, job);
      options.signal?.addEventListener('abort', () => this.#stop(job), { once: true });
      this.#send(job);
    });
  }

  #send(job: Job): void {
    this.#worker ??= this.#startWorker();
    if (this.#stopFlags) Atomics.store(this.#stopFlags, job.id % FLAG_COUNT, 0);
    const input = Object.fromEntries(
      Object.entries(job.input).map(([name, value]) => [name, isBulk(value) ? this.#sendBulk(value) : value]),
    );
    const forget: number[] = [];
    for (const number of this.#sent) {
      if (this.#sent.size <= BULK_KEPT) break;
      this.#sent.delete(number);
      forget.push(number);
    }
    const message: RunMessage = { id: job.id, task: job.task, input, forget, stopFlags: this.#stopFlags };
    this.#worker.postMessage(message);
  }

  #sendBulk(bulk: Bulk): SentBulk {
    const number = this.#numbers.get(bulk) ?? this.#nextNumber++;
    this.#numbers.set(bulk, number);
    const known = this.#sent.delete(number);
    this.#sent.add(number);
    return { sentBulk: number, bulk: known ? null : bulk };
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./task-worker.ts', import.meta.url), {
      type: 'module',
      name: 'nearfield tasks',
    });
    worker.addEventListener('message', (event: MessageEvent<Reply>) => this.#hear(event.data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      const error = new Error(`The worker failed: ${event.message || 'it could not be started or ran out of memory'}.`);
      const jobs = [...this.#jobs.values()];
      this.#jobs.clear();
      this.#endWorker();
      for (const job of jobs) job.reject(error);
    });
    return worker;
  }

  #hear(reply: Reply): void {
    const job = this.#jobs.get(reply.id);
    if (job === undefined) return;
    if (reply.kind === 'progress') {
      job.options.onProgress?.(reply.fraction, reply.stage);
      return;
    }
    if (reply.kind === 'part') {
      job.options.onPart?.(reply.part);
      return;
    }
    this.#jobs.delete(reply.id);
    // A task may finish without checking the flag; it still counts as stopped.
    if (job.options.signal?.aborted) job.reject(stoppedError());
    else if (reply.kind === 'done') job.resolve(reply.output);
    else {
      const { code, message, location } = reply.error;
      job.reject(code === null ? new Error(message) : new NearfieldError(code, message, location));
    }
  }

  #stop(job: Job): void {
    if (!this.#jobs.has(job.id)) return;
    if (this.#stopFlags) Atomics.store(this.#stopFlags, job.id % FLAG_COUNT, 1);
    const atWork = this.#jobs.keys().next().value === job.id;
    if (atWork) setTimeout(() => this.#endIfDeaf(job), this.#stopFlags ? PATIENCE_MS : 0);
    else {
      // Still in the queue: the worker will find the flag when its turn comes.
      this.#jobs.delete(job.id);
      job.reject(stoppedError());
    }
  }

  #endIfDeaf(job: Job): void {
    if (!this.#jobs.delete(job.id)) return;
    // The tasks that were queued behind it start again in the next worker.
    this.#endWorker();
    for (const waiting of this.#jobs.values()) this.#send(waiting);
    job.reject(stoppedError());
  }

  #endWorker(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#sent.clear();
  }
}

export function stoppedError(): NearfieldError {
  return new NearfieldError('aborted', 'Stopped at your request.');
}
