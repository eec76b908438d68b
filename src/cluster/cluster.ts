// The client's side of a cluster: a pool whose tasks run on machines that share a queue (BullMQ on Redis or Valkey). Every
// question is stored by its content, so that asking it twice costs once. Events announce answers; the client also looks for
// them now and then, since events, jobs and content may be lost while a server restarts.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_OPTIONS, wholeNumber } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { Mesh } from '../mesh/mesh.js';
import { fromSentError } from '../pool/sent-error.js';
import { assertModels, type BatchAnswers, type BatchOptions, type BatchQueries } from '../proximity/batch/batch.js';
import { runBatchInPool } from '../proximity/batch/batch-in-pool.js';
import type { TaskPool } from '../proximity/batch/model-pool.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { decode, encode } from './codec.js';
import { assertReachable, assertUrl, duplicate, loadPeers, nameServer, openConnection } from './connection.js';
import { CLUSTER_DEFAULTS, MAX_COUNT } from './defaults.js';
import { readFailure } from './failure.js';
import { type ClusterJob, hashBytes, type JobProgress, nameJob, PROTOCOL, readProgress } from './job.js';
import { ClusterStore, whenRoom } from './store.js';

/** How to reach a cluster. */
export interface ClusterOptions {
  /** The address of Redis or Valkey, with user and password if it wants them: `redis://host:6379`, `rediss://` for TLS. */
  readonly connection: string;
  /** The name of the queue, and the beginning of all keys. Default `CLUSTER_DEFAULTS.name`. */
  readonly name?: string | undefined;
  /** Jobs of this client on the queue at the same time. Default `CLUSTER_DEFAULTS.parallel`. */
  readonly parallel?: number | undefined;
  /** Attempts at a job that ends without an answer. Default `CLUSTER_DEFAULTS.attempts`. */
  readonly attempts?: number | undefined;
}

const OPTIONS = optionTable<ClusterOptions>()({
  // Checked by assertUrl, which shows no password, and by assertName.
  connection: checkedElsewhere(),
  name: checkedElsewhere(CLUSTER_DEFAULTS.name as string),
  parallel: wholeNumber(1, MAX_COUNT, CLUSTER_DEFAULTS.parallel),
  attempts: wholeNumber(1, MAX_COUNT, CLUSTER_DEFAULTS.attempts),
});

/** Chosen: milliseconds between two looks for answers whose events may have been lost. */
const LOOK_INTERVAL = 1000;
/**
 * Chosen: the longest time between two looks at one job, in milliseconds. The looks come ever later, so that long jobs cost
 * few commands.
 */
const MAX_LOOK_INTERVAL = 5000;
/** Chosen: milliseconds that a server has to answer when a cluster is left. */
const CLOSE_PATIENCE = 2000;
/** Chosen: a job is put on the queue again this often if a server has dropped its content, or someone else cancelled it. */
const MAX_RESTORES = 20;
/** Chosen: milliseconds for which stored content is believed to be there; a worker that misses it says so. */
const STORED_FOR = 3_600_000;

/** A call that waits for the answer to a question. */
interface Caller {
  readonly options: ProgressOptions;
  readonly answered: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A question that is on the queue. */
interface Asked {
  readonly id: string;
  readonly job: ClusterJob;
  readonly content: ReadonlyMap<string, () => Uint8Array>;
  /** Equal calls at the same time share one job. */
  readonly callers: Set<Caller>;
  readonly since: number;
  /** When to look at it next, without an event. */
  lookAt: number;
  restores: number;
  /** Whether a look at it is under way. */
  busy: boolean;
}

/**
 * Joins a cluster as a client.
 * @throws NearfieldError if the address is invalid or does not answer, or bullmq and ioredis are not installed.
 */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  const { connection, name, parallel, attempts } = OPTIONS.read(options);
  assertUrl(connection);
  assertName(name);
  const redis = await openConnection(connection);
  await assertReachable(redis, connection);
  const { bullmq } = await loadPeers();
  const queue = new bullmq.Queue(name, { connection: redis as never, prefix: name });
  const listener = duplicate(redis);
  const events = new bullmq.QueueEvents(name, { connection: listener as never, prefix: name });
  const parts = { redis, listener, queue, events, name, parallel, attempts, server: nameServer(connection) };
  const cluster = new Cluster(parts);
  try {
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** Where tasks run on other machines. Made by {@link createCluster}; takes the place of a `BatchPool`. */
export class Cluster implements TaskPool {
  readonly shared = false;
  /** The address of the queue, without its password. */
  readonly server: string;
  readonly #redis: Redis;
  /** The connection of the events. */
  readonly #listener: Redis;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #store: ClusterStore;
  readonly #name: string;
  readonly #parallel: number;
  readonly #attempts: number;
  readonly #asked = new Map<string, Asked>();
  readonly #meshHashes = new WeakMap<Mesh, string>();
  /** When content was stored. */
  readonly #stored = new Map<string, number>();
  /** Calls that wait for others to be answered. */
  readonly #waiting: Caller[] = [];
  #underWay = 0;
  #looking = false;
  #closed = false;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @internal */
  constructor(parts: {
    redis: Redis;
    listener: Redis;
    queue: Queue;
    events: QueueEvents;
    name: string;
    parallel: number;
    attempts: number;
    server: string;
  }) {
    this.server = parts.server;
    this.#redis = parts.redis;
    this.#listener = parts.listener;
    this.#queue = parts.queue;
    this.#events = parts.events;
    this.#name = parts.name;
    this.#parallel = parts.parallel;
    this.#attempts = parts.attempts;
    this.#store = new ClusterStore(parts.redis, parts.name);
    // Connections come back by themselves; without listeners an error would end the process.
    this.#queue.on('error', () => {});
    this.#events.on('error', () => {});
    this.#events.on('completed', ({ jobId }) => void this.#look(jobId));
    this.#events.on('failed', ({ jobId }) => void this.#look(jobId));
    // Events were lost while the connection was.
    parts.listener.on('ready', () => {
      for (const asked of this.#asked.values()) asked.lookAt = 0;
    });
    this.#events.on('progress', ({ jobId, data }) => this.#report(jobId, data));
    this.#timer = setInterval(() => void this.#lookForAll(), LOOK_INTERVAL);
  }

  /** Number of tasks that may be under way at once. */
  get size(): number {
    return this.#parallel;
  }

  /** Number of workers connected to the queue, each with its own concurrency. */
  async countWorkers(): Promise<number> {
    return this.#queue.getWorkersCount();
  }

  /**
   * Runs a task on one of the machines, as `BatchPool.call` does in a thread, with the same bits.
   * @throws NearfieldError as the task does; 'job-failed' if every attempt ended without an answer.
   */
  async call(
    name: string,
    models: readonly ProximityModel[],
    input: unknown,
    options: ProgressOptions = {},
  ): Promise<unknown> {
    if (this.#closed) throw new NearfieldError('bad-argument', 'The cluster has been closed; make a new one.');
    assertModels(models);
    PROGRESS_OPTIONS.assert(options);
    reportProgress(options, 0, name);
    await this.#turn(options);
    try {
      // It may have been aborted or closed meanwhile.
      reportProgress(options, 0, name);
      if (this.#closed) throw closedError();
      const answer = await this.#ask(name, models, encode(input), options);
      reportProgress(options, 1, name);
      return answer;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next.answered(undefined);
    }
  }

  /** Answers a batch on the machines, as `BatchPool.run` does in threads, with the same bits. */
  run(models: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions = {}): Promise<BatchAnswers> {
    return runBatchInPool(this, models, queries, options);
  }

  /** Leaves the cluster. Calls that are under way are rejected; jobs that a worker has begun are finished and forgotten. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    const error = closedError();
    for (const waiting of this.#waiting.splice(0)) waiting.failed(error);
    for (const asked of [...this.#asked.values()]) this.#fail(asked, error);
    const closed = Promise.allSettled([this.#queue.close(), this.#events.close()]);
    // A server that is gone must not keep it here.
    await Promise.race([closed, sleep(CLOSE_PATIENCE, undefined, { ref: false })]);
    // The queue leaves the connections open that it was given.
    this.#listener.disconnect();
    this.#redis.disconnect();
  }

  /** Waits until fewer calls than `parallel` are under way. */
  async #turn(options: ProgressOptions): Promise<void> {
    if (this.#underWay < this.#parallel) {
      this.#underWay++;
      return;
    }
    await this.#wait(options, (caller) => {
      this.#waiting.push(caller);
      return () => {
        const place = this.#waiting.indexOf(caller);
        if (place >= 0) this.#waiting.splice(place, 1);
      };
    });
  }

  async #ask(
    task: string,
    models: readonly ProximityModel[],
    input: Uint8Array,
    options: ProgressOptions,
  ): Promise<unknown> {
    const content = new Map<string, () => Uint8Array>();
    const hashes = models.map(({ mesh }) => {
      const hash = this.#hashOf(mesh);
      content.set(hash, () => encodeMesh(mesh));
      return hash;
    });
    const inputHash = hashBytes(input);
    content.set(inputHash, () => input);
    const job: ClusterJob = { protocol: PROTOCOL, task, models: hashes, input: inputHash };
    const id = nameJob(job);
    return this.#wait(options, (caller) => {
      const same = this.#asked.get(id);
      const since = Date.now();
      const lookAt = since + LOOK_INTERVAL;
      const asked = same ?? { id, job, content, callers: new Set(), since, lookAt, restores: 0, busy: false };
      asked.callers.add(caller);
      this.#asked.set(id, asked);
      if (same === undefined) this.#put(asked).catch((error) => this.#fail(asked, error));
      return () => {
        asked.callers.delete(caller);
        if (asked.callers.size > 0 || this.#asked.get(id) !== asked) return;
        // Nobody waits any more for a job that has not ended.
        this.#asked.delete(id);
        void this.#cancel(id);
      };
    });
  }

  /** Waits until a call is answered, fails or is aborted; `enter` registers it and returns the function that removes it. */
  async #wait(options: ProgressOptions, enter: (caller: Caller) => () => void): Promise<unknown> {
    const signal = options.signal as Partial<AbortSignal> | undefined;
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        let leave = (): void => {};
        // It leaves at once, so that nothing is handed to a call that has ended.
        const end = (): void => {
          leave();
          leave = () => {};
        };
        const failed = (error: unknown): void => {
          end();
          reject(error);
        };
        const answered = (value: unknown): void => {
          end();
          resolve(value);
        };
        onAbort = () => failed(new NearfieldError('aborted', "Stopped at the caller's request."));
        signal?.addEventListener?.('abort', onAbort, { once: true });
        leave = enter({ options, answered, failed });
      });
    } finally {
      signal?.removeEventListener?.('abort', onAbort);
    }
  }

  /** Stores what a job needs and puts it on the queue, unless its answer is there. */
  async #put(asked: Asked): Promise<void> {
    const { id, job, content } = asked;
    if (await this.#store.hasAnswer(id)) return this.#look(id);
    for (const [hash, bytes] of content) {
      if (Date.now() - (this.#stored.get(hash) ?? 0) < STORED_FOR) continue;
      await this.#store.put(hash, bytes);
      // Inputs are stored for one job only.
      if (hash !== job.input) this.#stored.set(hash, Date.now());
    }
    if (this.#asked.get(id) !== asked) return;
    await whenRoom(() =>
      this.#queue.add(job.task, job, {
        jobId: id,
        attempts: this.#attempts,
        backoff: { type: 'exponential', delay: 500 },
        removeOnComplete: true,
        removeOnFail: { age: 3600 },
      }),
    );
    // The call may have been cancelled meanwhile.
    if (!this.#asked.has(id)) await this.#cancel(id);
  }

  /** Makes up for lost events, lost jobs and lost content. */
  async #lookForAll(): Promise<void> {
    if (this.#looking || this.#closed) return;
    this.#looking = true;
    try {
      // Signals without events are looked at too.
      const callers = [...this.#asked.values()].flatMap((asked) => [...asked.callers]);
      for (const caller of [...this.#waiting, ...callers]) report(caller, null);
      const now = Date.now();
      for (const asked of [...this.#asked.values()].filter(({ lookAt }) => lookAt <= now)) {
        asked.lookAt = now + Math.min(MAX_LOOK_INTERVAL, now - asked.since);
        await this.#look(asked.id);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** Looks at the state of a job: takes its answer or its failure, or puts it on the queue again if it is gone. */
  async #look(id: string): Promise<void> {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.busy || this.#closed) return;
    asked.busy = true;
    try {
      const bytes = await this.#store.answer(id);
      if (bytes !== null) {
        const answers = [...asked.callers].map((caller) => ({ caller, value: decode(bytes) }));
        this.#asked.delete(id);
        for (const { caller, value } of answers) caller.answered(value);
        await this.#store.forget(id, asked.job.input);
        return;
      }
      const job = await this.#queue.getJob(id);
      if (job === undefined) await this.#put(asked);
      else if (await job.isFailed()) await this.#takeFailure(asked, job.failedReason ?? '', () => job.remove());
    } catch (error) {
      if (error instanceof NearfieldError) this.#fail(asked, error);
      // Other errors are those of the connection, which comes back; the next look tries again.
    } finally {
      asked.busy = false;
    }
  }

  async #takeFailure(asked: Asked, reason: string, remove: () => Promise<unknown>): Promise<void> {
    const failure = readFailure(reason);
    await remove();
    // A server with little memory may drop what is stored; and another client may have cancelled the same job.
    const isLost = failure.kind === 'missing' || (failure.kind === 'task' && failure.error.code === 'aborted');
    if (isLost && asked.restores < MAX_RESTORES) {
      asked.restores++;
      for (const hash of asked.content.keys()) this.#stored.delete(hash);
      await this.#put(asked);
      return;
    }
    if (failure.kind === 'task') return this.#fail(asked, fromSentError(failure.error));
    const said = failure.kind === 'other' ? failure.message : 'the server drops what is stored; give it more memory';
    this.#fail(
      asked,
      new NearfieldError(
        'job-failed',
        `The task '${asked.job.task}' has no answer after ${this.#attempts} attempts: ${said}`,
      ),
    );
  }

  #fail(asked: Asked, error: unknown): void {
    this.#asked.delete(asked.id);
    for (const { failed } of [...asked.callers]) failed(error);
  }

  /** Passes on a worker's progress. */
  #report(id: string, data: unknown): void {
    for (const caller of [...(this.#asked.get(id)?.callers ?? [])]) report(caller, readProgress(data));
  }

  async #cancel(id: string): Promise<void> {
    try {
      await this.#redis.publish(`${this.#name}:cancel`, id);
      await (await this.#queue.getJob(id))?.remove();
    } catch {
      // A job that a worker holds cannot be removed; the worker was told.
    }
  }

  #hashOf(mesh: Mesh): string {
    let hash = this.#meshHashes.get(mesh);
    if (hash === undefined) {
      hash = hashBytes(encodeMesh(mesh));
      this.#meshHashes.set(mesh, hash);
    }
    return hash;
  }
}

/** Tells a caller the progress of its job, if it is known. Ends the call if it was aborted or its own callback throws. */
function report({ options, failed }: Caller, progress: JobProgress | null): void {
  try {
    const { fraction = 0, stage = '' } = progress ?? {};
    reportProgress(progress === null ? { signal: options.signal } : options, fraction, stage);
  } catch (error) {
    failed(error);
  }
}

function closedError(): NearfieldError {
  return new NearfieldError('aborted', 'The cluster was closed while a task was running.');
}

function encodeMesh({ positions, indices }: Mesh): Uint8Array {
  return encode({ positions, indices });
}

export function assertName(name: unknown): void {
  if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) return;
  throw new NearfieldError(
    'bad-argument',
    `The name of the queue is ${nameValue(name)}; give 1 to 64 letters, digits, _ and -.`,
  );
}
