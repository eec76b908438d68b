// A cluster seen by who asks: a pool whose tasks run on the machines that share a queue (BullMQ on Redis or Valkey). Every
// question is stored by its content, so that asking it twice costs once; its answer is waited for by events, and looked for
// now and then, since events, jobs and content may be lost while a server restarts.
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { assertOptions, nameValue, type OptionNames, PROGRESS_NAMES } from '../core/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { Mesh } from '../mesh/mesh.js';
import { assertModels } from '../proximity/batch/batch.js';
import { fromSentError } from '../proximity/batch/batch-port.js';
import type { TaskPool } from '../proximity/batch/task-pool.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { decode, encode } from './codec.js';
import { assertReachable, assertUrl, duplicate, loadPeers, nameServer, openConnection } from './connection.js';
import { CLUSTER_DEFAULTS } from './defaults.js';
import { readFailure } from './failure.js';
import { type ClusterJob, hashBytes, nameJob, PROTOCOL } from './job.js';
import { ClusterStore, whenRoom } from './store.js';

/** How to reach a cluster. */
export interface ClusterOptions {
  /** The address of Redis or Valkey, with user and password if it wants them: `redis://host:6379`, `rediss://` for TLS. */
  readonly connection: string;
  /** The name of the queue, and the beginning of all keys. Default `CLUSTER_DEFAULTS.name`. */
  readonly name?: string | undefined;
  /** The most jobs of this client on the queue. Default `CLUSTER_DEFAULTS.parallel`. */
  readonly parallel?: number | undefined;
  /** How often a job is tried that ends without an answer. Default `CLUSTER_DEFAULTS.attempts`. */
  readonly attempts?: number | undefined;
}

const CLUSTER_NAMES: OptionNames<ClusterOptions> = { connection: true, name: true, parallel: true, attempts: true };

/** Milliseconds between two looks for answers whose events may have been lost. */
const LOOK_INTERVAL = 1000;
/** Milliseconds that a server has to answer when a cluster is made. */
const REACH_PATIENCE = 10_000;
/** How often content is stored again that a server has dropped. */
const RESTORES = 20;

/** A question that is on the queue. */
interface Asked {
  readonly id: string;
  readonly job: ClusterJob;
  readonly content: ReadonlyMap<string, () => Uint8Array>;
  readonly answered: (value: unknown) => void;
  readonly failed: (error: Error) => void;
  readonly since: number;
  restores: number;
  /** Whether someone is looking at it now. */
  busy: boolean;
}

/**
 * Joins a cluster as one who asks.
 * @throws NearfieldError if the address is none or does not answer, or bullmq and ioredis are not installed.
 */
export async function createCluster(options: ClusterOptions): Promise<Cluster> {
  assertOptions(options, CLUSTER_NAMES);
  const { connection, name = CLUSTER_DEFAULTS.name } = options;
  const { parallel = CLUSTER_DEFAULTS.parallel, attempts = CLUSTER_DEFAULTS.attempts } = options;
  assertUrl(connection);
  assertName(name);
  assertCount(parallel, 'parallel');
  assertCount(attempts, 'attempts');
  const redis = await openConnection(connection);
  await assertReachable(redis, connection, REACH_PATIENCE);
  const { bullmq } = await loadPeers();
  const queue = new bullmq.Queue(name, { connection: redis as never, prefix: name });
  const listener = duplicate(redis);
  const events = new bullmq.QueueEvents(name, { connection: listener as never, prefix: name });
  return new Cluster({ redis, listener, queue, events, name, parallel, attempts, server: nameServer(connection) });
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
  /** Calls that wait for others to be answered. */
  readonly #waiting: (() => void)[] = [];
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
    this.#timer = setInterval(() => void this.#lookForAll(), LOOK_INTERVAL);
  }

  /** How many tasks may be under way at once. */
  get size(): number {
    return this.#parallel;
  }

  /** How many workers are connected to the queue, each with its own concurrency. */
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
    assertOptions(options, PROGRESS_NAMES);
    reportProgress(options, 0, name);
    await this.#turn();
    try {
      const answer = await this.#ask(name, models, encode(input), options);
      reportProgress(options, 1, name);
      return answer;
    } finally {
      this.#underWay--;
      this.#waiting.shift()?.();
    }
  }

  /** Leaves the cluster. Calls that are under way are rejected; jobs that a worker has begun are finished and forgotten. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    const error = new NearfieldError('aborted', 'The cluster was closed while a task was running.');
    for (const asked of [...this.#asked.values()]) asked.failed(error);
    await Promise.allSettled([this.#queue.close(), this.#events.close()]);
    // The queue leaves connections open that it was given.
    this.#listener.disconnect();
    this.#redis.disconnect();
  }

  async #turn(): Promise<void> {
    if (this.#underWay >= this.#parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay++;
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
    const signal = options.signal as Partial<AbortSignal> | undefined;
    let onAbort = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        // Equal calls at the same time share one job.
        const before = this.#asked.get(id);
        const asked: Asked = {
          ...{ id, job, content, since: Date.now(), restores: 0, busy: false },
          answered: (value) => {
            before?.answered(value);
            resolve(value);
          },
          failed: (error) => {
            before?.failed(error);
            reject(error);
          },
        };
        this.#asked.set(id, asked);
        onAbort = () => {
          reject(new NearfieldError('aborted', "Stopped at the caller's request."));
          void this.#cancel(id);
        };
        signal?.addEventListener?.('abort', onAbort, { once: true });
        this.#put(asked).catch(reject);
      });
    } finally {
      signal?.removeEventListener?.('abort', onAbort);
      this.#asked.delete(id);
    }
  }

  /** Stores what a job needs and puts it on the queue, unless its answer is there. */
  async #put(asked: Asked): Promise<void> {
    const { id, job, content } = asked;
    if (await this.#store.hasAnswer(id)) return this.#look(id);
    for (const [hash, bytes] of content) await this.#store.put(hash, bytes);
    await whenRoom(() =>
      this.#queue.add(job.task, job, {
        jobId: id,
        attempts: this.#attempts,
        backoff: { type: 'exponential', delay: 500 },
        removeOnComplete: true,
        removeOnFail: { age: 3600 },
      }),
    );
  }

  /** Answers lost events, lost jobs and lost content. */
  async #lookForAll(): Promise<void> {
    if (this.#looking || this.#closed) return;
    this.#looking = true;
    try {
      const late = [...this.#asked.values()].filter(({ since }) => Date.now() - since > LOOK_INTERVAL);
      for (const { id } of late) await this.#look(id);
    } finally {
      this.#looking = false;
    }
  }

  /** Looks how a job stands: takes its answer or its failure, or puts it on the queue again if it is gone. */
  async #look(id: string): Promise<void> {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.busy || this.#closed) return;
    asked.busy = true;
    try {
      const bytes = await this.#store.answer(id);
      if (bytes !== null) {
        asked.answered(decode(bytes));
        await this.#store.forgetAnswer(id);
        await this.#store.forget(asked.job.input);
        return;
      }
      const job = await this.#queue.getJob(id);
      if (job === undefined) await this.#put(asked);
      else if (await job.isFailed()) await this.#takeFailure(asked, job.failedReason ?? '', () => job.remove());
    } catch (error) {
      if (error instanceof NearfieldError) asked.failed(error);
      // Others are those of the connection, which comes back; the next look tries again.
    } finally {
      asked.busy = false;
    }
  }

  async #takeFailure(asked: Asked, reason: string, remove: () => Promise<unknown>): Promise<void> {
    const failure = readFailure(reason);
    if (failure.kind === 'missing' && asked.restores < RESTORES) {
      // A server with little memory may drop what is stored.
      asked.restores++;
      await remove();
      await this.#put(asked);
      return;
    }
    await remove();
    if (failure.kind === 'task') return asked.failed(fromSentError(failure.error));
    const said = failure.kind === 'other' ? failure.message : 'the server drops what is stored; give it more memory';
    asked.failed(
      new NearfieldError(
        'job-failed',
        `The task '${asked.job.task}' has no answer after ${this.#attempts} attempts: ${said}`,
      ),
    );
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

function encodeMesh({ positions, indices }: Mesh): Uint8Array {
  return encode({ positions, indices });
}

export function assertName(name: unknown): void {
  if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) return;
  throw new NearfieldError(
    'bad-argument',
    `The name of the queue is ${nameValue(name)}; give letters, digits, _ and -, at most 64.`,
  );
}

export function assertCount(value: unknown, what: string): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 4096) return;
  throw new NearfieldError('bad-argument', `${what} is ${nameValue(value)}; give a whole number from 1 to 4096.`);
}
