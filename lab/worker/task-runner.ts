// The page's side of the worker: sends tasks, receives their progress, stops them. A stopped task counts as ended at once.
// A flag in shared memory, which the library's signal reads, tells the worker; if the task at work there does not check it
// in time, its worker is terminated.
import { NearfieldError } from 'nearfield/core';
import { type Bulk, isBulk, type Reply, type RunMessage, type SentBulk } from './messages.js';
import type { TaskInput, TaskName, TaskOutput } from './tasks.js';

/** How long a stopped task that the worker has begun may take to notice before its worker is ended. */
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
  /** Sent to the worker and not answered yet, in the order of their turns; stopped ones too. */
  readonly #jobs = new Map<number, Job>();
  /** The job that the worker has begun last; null before the first. It is at work until the answer comes. */
  #begun: Job | null = null;
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
    const isStopped = job.options.signal?.aborted === true;
    if (reply.kind === 'begun') {
      this.#begun = job;
      if (isStopped) this.#awaitEnd(job);
      return;
    }
    if (reply.kind === 'progress') {
      if (!isStopped) job.options.onProgress?.(reply.fraction, reply.stage);
      return;
    }
    if (reply.kind === 'part') {
      if (!isStopped) job.options.onPart?.(reply.part);
      return;
    }
    this.#jobs.delete(reply.id);
    if (isStopped) return;
    if (reply.kind === 'done') job.resolve(reply.output);
    else {
      const { code, message, location } = reply.error;
      job.reject(code === null ? new Error(message) : new NearfieldError(code, message, location));
    }
  }

  #stop(job: Job): void {
    if (!this.#jobs.has(job.id)) return;
    if (this.#stopFlags) Atomics.store(this.#stopFlags, job.id % FLAG_COUNT, 1);
    // In the queue the worker finds the flag when its turn comes. One that is still loading has begun nothing: to end it
    // would only make it load again.
    if (this.#begun === job) this.#awaitEnd(job);
    job.reject(stoppedError());
  }

  #awaitEnd(job: Job): void {
    setTimeout(() => this.#endIfDeaf(job), this.#stopFlags ? PATIENCE_MS : 0);
  }

  #endIfDeaf(job: Job): void {
    if (!this.#jobs.has(job.id)) return;
    // The tasks that were queued behind it start again in the next worker.
    this.#endWorker();
    for (const waiting of [...this.#jobs.values()]) {
      if (waiting.options.signal?.aborted) this.#jobs.delete(waiting.id);
      else this.#send(waiting);
    }
  }

  #endWorker(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#begun = null;
    this.#sent.clear();
  }
}

export function stoppedError(): NearfieldError {
  return new NearfieldError('aborted', 'Stopped at your request.');
}
