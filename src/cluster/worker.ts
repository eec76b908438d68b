// A machine of a cluster: takes jobs off the queue and runs them in its threads. The thread that talks to the queue computes
// nothing, so that its jobs are known to be alive; if the process dies, the queue gives them to others.
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, numberAbove, optionTable, wholeNumber } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import type { PoolWorker as BatchWorker } from '../pool/port.js';
import { BatchPool } from '../proximity/batch/batch-pool.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertName } from './cluster.js';
import { decode, encode } from './codec.js';
import { assertReachable, assertUrl, duplicate, loadPeers, nameServer, openConnection } from './connection.js';
import { CLUSTER_DEFAULTS, MAX_COUNT } from './defaults.js';
import { taskFailure, writeFailure } from './failure.js';
import { checkJob, type JobProgress, nameJob } from './job.js';
import { MissingContent, ModelCache } from './model-cache.js';
import { ClusterStore } from './store.js';
import { CLUSTER_TASKS } from './tasks.js';

/** The options of a worker. */
export interface ClusterWorkerOptions {
  /** See {@link ClusterOptions}. */
  readonly connection: string;
  readonly name?: string | undefined;
  /** Makes a thread that serves tasks: `() => new Worker(new URL(import.meta.resolve('nearfield/batch-worker')))`. */
  readonly makeThread: () => BatchWorker;
  /** Jobs at the same time, each in a thread. Default 1. */
  readonly concurrency?: number | undefined;
  /** Bytes of meshes that are kept for further jobs. Default `CLUSTER_DEFAULTS.memory`. */
  readonly memory?: number | undefined;
  /** Milliseconds after which the jobs of a worker that is silent go to others. Default `CLUSTER_DEFAULTS.lease`. */
  readonly lease?: number | undefined;
  /** Called when a job has ended. */
  readonly onJob?: ((event: ClusterJobEvent) => void) | undefined;
}

const OPTIONS = optionTable<ClusterWorkerOptions>()({
  // Checked by assertUrl, which shows no password, and by assertName.
  connection: checkedElsewhere(),
  name: checkedElsewhere(CLUSTER_DEFAULTS.name as string),
  makeThread: checkedElsewhere(),
  concurrency: wholeNumber(1, MAX_COUNT, 1),
  memory: numberAbove(0, CLUSTER_DEFAULTS.memory),
  lease: numberAbove(0, CLUSTER_DEFAULTS.lease),
  onJob: checkedElsewhere(),
});

/** A job that has ended. */
export interface ClusterJobEvent {
  readonly task: string;
  readonly milliseconds: number;
  /** What went wrong; null for an answer. */
  readonly error: string | null;
}

/** Chosen: a job is given up when more workers than this have died with it, since the job may be what kills them. */
const MAX_DEATHS = 8;
/** Chosen: milliseconds between two reports of a job's progress; each takes a command of the server. */
const PROGRESS_INTERVAL = 1000;

/**
 * Serves a cluster until it is closed.
 * @throws NearfieldError if the address is invalid or does not answer, or bullmq and ioredis are not installed.
 */
export async function startClusterWorker(options: ClusterWorkerOptions): Promise<ClusterWorker> {
  const { connection, name, concurrency, makeThread, memory, lease, onJob } = OPTIONS.read(options);
  assertUrl(connection);
  assertName(name);
  if (typeof makeThread !== 'function') {
    throw new NearfieldError(
      'bad-argument',
      `makeThread is ${nameValue(makeThread)}; give a function that makes a worker.`,
    );
  }
  const redis = await openConnection(connection);
  await assertReachable(redis, connection);
  const { bullmq } = await loadPeers();
  const made = new ClusterWorker(redis, { name, concurrency, memory, makeThread, onJob }, bullmq);
  const taker = duplicate(redis);
  const worker = new bullmq.Worker(name, (job) => made.process(job), {
    connection: taker as never,
    prefix: name,
    concurrency,
    lockDuration: lease,
    stalledInterval: Math.max(1000, lease / 2),
    maxStalledCount: MAX_DEATHS,
  });
  try {
    await made.serve(worker, taker, nameServer(connection));
    return made;
  } catch (error) {
    await made.close();
    throw error;
  }
}

/** A worker that serves a cluster. Made by {@link startClusterWorker}. */
export class ClusterWorker {
  /** The address of the queue, without its password. */
  server = '';
  /** Jobs answered, jobs without an answer, jobs that were cancelled, and meshes fetched since it began. */
  readonly counters = { answered: 0, failed: 0, cancelled: 0, fetched: 0 };
  readonly #redis: Redis;
  readonly #store: ClusterStore;
  readonly #models: ModelCache;
  readonly #name: string;
  readonly #concurrency: number;
  readonly #makeThread: () => BatchWorker;
  readonly #onJob: ((event: ClusterJobEvent) => void) | undefined;
  readonly #bullmq: typeof import('bullmq');
  readonly #running = new Map<string, AbortController>();
  #pool: { readonly threads: BatchPool; jobs: number } | null = null;
  #worker: Worker | null = null;
  /** The connections of the queue, which leaves them open, and of cancellations. */
  #taker: Redis | null = null;
  #listener: Redis | null = null;

  /** @internal */
  constructor(
    redis: Redis,
    options: {
      name: string;
      concurrency: number;
      memory: number;
      makeThread: () => BatchWorker;
      onJob: ((event: ClusterJobEvent) => void) | undefined;
    },
    bullmq: typeof import('bullmq'),
  ) {
    this.#redis = redis;
    this.#store = new ClusterStore(redis, options.name);
    this.#models = new ModelCache(this.#store, options.memory);
    this.#name = options.name;
    this.#concurrency = options.concurrency;
    this.#makeThread = options.makeThread;
    this.#onJob = options.onJob;
    this.#bullmq = bullmq;
  }

  /** @internal */
  async serve(worker: Worker, taker: Redis, server: string): Promise<void> {
    this.server = server;
    this.#taker = taker;
    this.#worker = worker;
    // Connections come back by themselves; without a listener an error would end the process.
    worker.on('error', () => {});
    this.#listener = duplicate(this.#redis);
    this.#listener.on('message', (_, id: string) => this.#running.get(id)?.abort());
    await this.#listener.subscribe(`${this.#name}:cancel`);
    await worker.waitUntilReady();
  }

  /** Finishes the jobs that it has begun, and leaves. */
  async close(): Promise<void> {
    await this.#worker?.close();
    this.#pool?.threads.close();
    this.#taker?.disconnect();
    this.#listener?.disconnect();
    this.#redis.disconnect();
  }

  /** @internal */
  async process(job: Job): Promise<void> {
    const start = performance.now();
    const end = (what: 'answered' | 'failed' | 'cancelled', error: string | null): void => {
      this.counters[what]++;
      this.counters.fetched = this.#models.fetches;
      this.#onJob?.({ task: String(job.name), milliseconds: performance.now() - start, error });
    };
    try {
      await this.#answer(job);
      end('answered', null);
    } catch (error) {
      const isCancelled = error instanceof NearfieldError && error.code === 'aborted';
      end(isCancelled ? 'cancelled' : 'failed', (error as Error).message);
      // These errors would be the same on every machine, or only the client can mend them: another attempt is of no use.
      if (error instanceof MissingContent) {
        throw new this.#bullmq.UnrecoverableError(writeFailure({ kind: 'missing', hash: error.hash }));
      }
      if (error instanceof NearfieldError && error.code !== 'device-lost') {
        throw new this.#bullmq.UnrecoverableError(taskFailure(error));
      }
      throw error;
    }
  }

  async #answer(asked: Job): Promise<void> {
    const job = checkJob(asked.data, CLUSTER_TASKS);
    const name = nameJob(job);
    if (asked.id !== name) {
      throw new NearfieldError('file-format', 'The name of the job does not fit its content.');
    }
    const stop = new AbortController();
    this.#running.set(name, stop);
    try {
      // A worker may have stored the answer and died before it could say so.
      if (await this.#store.hasAnswer(name)) return;
      const models = await Promise.all(job.models.map((hash) => this.#models.take(hash)));
      const input = await this.#store.get(job.input);
      if (input === null) throw new MissingContent(job.input);
      const how = { signal: stop.signal, onProgress: reportTo(asked) };
      const answer = await this.#compute(job.task, models, decode(input), how);
      await this.#store.putAnswer(name, encode(answer));
    } finally {
      this.#running.delete(name);
    }
  }

  async #compute(
    task: string,
    models: readonly ProximityModel[],
    input: unknown,
    options: ProgressOptions,
  ): Promise<unknown> {
    const pool = this.#threads();
    pool.jobs++;
    try {
      return await pool.threads.call(task, models, input, options);
    } finally {
      pool.jobs--;
      if (pool !== this.#pool && pool.jobs === 0) pool.threads.close();
    }
  }

  /** The threads; new ones if one was lost. The old ones finish their jobs. */
  #threads(): { readonly threads: BatchPool; jobs: number } {
    if (this.#pool !== null && this.#pool.threads.size === this.#concurrency) return this.#pool;
    if (this.#pool?.jobs === 0) this.#pool.threads.close();
    this.#pool = { threads: new BatchPool(Array.from({ length: this.#concurrency }, this.#makeThread)), jobs: 0 };
    return this.#pool;
  }
}

/** Reports the progress of a long job to the client, through the queue. */
function reportTo(job: Job): (fraction: number, stage: string) => void {
  let last = performance.now();
  return (fraction, stage) => {
    if (performance.now() - last < PROGRESS_INTERVAL) return;
    last = performance.now();
    const progress: JobProgress = { fraction, stage };
    // Progress that is lost with a connection is not sent again.
    job.updateProgress({ ...progress }).catch(() => {});
  };
}
