// Batches spread over workers. Ranges of queries go to workers as they become free. With shared memory, workers read
// the queries and write the answers in place. The caller makes the workers, so the same code runs in Node and browsers.
import { assertOptions, nameValue, type OptionNames, PROGRESS_NAMES } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { triangleCount } from '../../mesh/mesh.js';
import { BOXES } from '../model-parts.js';
import type { ProximityModel } from '../proximity-model.js';
import { assertBatch, assertModels, type BatchAnswers, type BatchOptions, type BatchQueries } from './batch.js';
import { toCounters } from './batch-answerer.js';
import {
  type BatchWorker,
  fromSentError,
  listen,
  type PoolMessage,
  type SentModel,
  type WorkerMessage,
} from './batch-port.js';
import { PoolTask } from './pool-task.js';
import type { TaskPool } from './task-pool.js';

/** The options of a {@link BatchPool}. */
export interface BatchPoolOptions {
  /**
   * Whether meshes, queries and answers are in shared memory; otherwise they are copied to and from each worker.
   * Default: true if shared memory exists. In a browser it needs the headers that isolate the page (COOP and COEP).
   */
  readonly shared?: boolean | undefined;
  /** How long a worker may take to answer for the first time, in milliseconds. Default 30,000. */
  readonly startTimeout?: number | undefined;
}

const POOL_NAMES: OptionNames<BatchPoolOptions> = { shared: true, startTimeout: true };

interface Member {
  readonly worker: BatchWorker;
  readonly ready: Promise<void>;
  /** Ids of the models it has, the longest unused first, with their triangles. */
  readonly models: Map<number, number>;
  hear(message: WorkerMessage): void;
  lost: string | null;
  /** Waits no longer for its first answer. */
  stopWaiting(): void;
  /** The task it works on. */
  task: PoolTask | null;
}

/** The current run. */
interface Run {
  readonly number: number;
  hear(member: Member, message: WorkerMessage & { type: 'done' | 'failed' }): void;
  fail(error: Error): void;
}

const DEFAULT_START_TIMEOUT = 30_000;
/** Approximate number of ranges per worker and batch: enough that all workers end at nearly the same time. */
const RANGES_PER_WORKER = 16;
/** The most queries in a range, so that progress reports and aborts are timely. */
const MAX_RANGE = 512;
/** Ranges queued at a worker, so that it never waits for a message. */
const RANGES_AHEAD = 2;

/**
 * Models that a worker keeps with what tasks have derived from them: so many in any case, and more while they have no more
 * triangles than this together. A batch drops all that it does not use.
 */
const MODELS_KEPT = 64;
const TRIANGLES_KEPT = 2 ** 20;

/** Answers batches with workers. Each worker's script calls `serveBatches`. */
export class BatchPool implements TaskPool {
  readonly #members: Member[] = [];
  readonly #shares: boolean;
  readonly #numbers = new WeakMap<ProximityModel, number>();
  readonly #meshes = new WeakMap<ProximityModel, Omit<SentModel, 'number'>>();
  #nextNumber = 0;
  #nextRun = 0;
  #run: Run | null = null;
  #nextTask = 0;
  /** Tasks that wait for a worker, the oldest first. */
  readonly #waiting: PoolTask[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param workers at least one; the pool owns them from now on. */
  constructor(workers: readonly BatchWorker[], options: BatchPoolOptions = {}) {
    assertOptions(options, POOL_NAMES);
    if (!Array.isArray(workers)) {
      throw new NearfieldError('bad-argument', `The workers are ${nameValue(workers)}; give an array of workers.`);
    }
    const canShare = typeof SharedArrayBuffer !== 'undefined';
    const { shared = canShare, startTimeout = DEFAULT_START_TIMEOUT } = options;
    if (workers.length === 0) throw new NearfieldError('bad-argument', 'The pool has no workers; give at least one.');
    if (shared && !canShare) {
      throw new NearfieldError(
        'unsupported',
        'There is no shared memory here; in a page it needs the headers COOP and COEP. Leave out `shared` to copy instead.',
      );
    }
    this.#shares = shared;
    for (const worker of workers) this.#members.push(this.#join(worker, startTimeout));
  }

  /** Whether it shares memory with its workers. */
  get shared(): boolean {
    return this.#shares;
  }

  /** Number of workers not known to be lost. */
  get size(): number {
    return this.#members.filter(({ lost }) => lost === null).length;
  }

  /**
   * Answers a batch, with the same bits as `runBatch`, for any number of workers. Calls made during a run wait for
   * their turn. Rejects with a NearfieldError when aborted, when a query fails, or when a worker is lost.
   */
  run(models: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions = {}): Promise<BatchAnswers> {
    const turn = this.#queue.then(() => this.#start(models, queries, options));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /**
   * Runs one task in one worker; tasks wait until a worker is free. The chapters have functions for their own tasks:
   * {@link prepareInPool}, {@link findContactsInPool}, `measurePenetrationInPool`, `computeFieldInPool`.
   * @param name a task that the worker's script gave to `serveBatches`.
   * @param input data that a message can carry: no functions, no devices.
   * @throws NearfieldError as the task does, and as {@link BatchPool.run} does.
   */
  async call(
    name: string,
    models: readonly ProximityModel[],
    input: unknown,
    options: ProgressOptions = {},
  ): Promise<unknown> {
    if (this.#closed) throw new NearfieldError('bad-argument', 'The pool has been closed; make a new one.');
    assertModels(models);
    assertOptions(options, PROGRESS_NAMES);
    reportProgress(options, 0, name);
    await Promise.any(this.#members.map(({ ready }) => ready)).catch(() => {});
    return new Promise((resolve, reject) => {
      const task = new PoolTask(this.#nextTask++, { name, models, input }, options, this.#shares, { resolve, reject });
      this.#waiting.push(task);
      this.#handOutTasks();
    });
  }

  /** Terminates the workers. The current run and all tasks reject. */
  close(): void {
    this.#closed = true;
    const error = new NearfieldError('aborted', 'The pool was closed while a task was running.');
    for (const task of this.#waiting.splice(0)) task.fail(error);
    for (const { task } of this.#members) task?.fail(error);
    this.#run?.fail(new NearfieldError('aborted', 'The pool was closed while a batch was running.'));
    for (const { worker, stopWaiting } of this.#members) {
      // A timer would keep the process alive.
      stopWaiting();
      worker.terminate?.();
    }
  }

  #join(worker: BatchWorker, startTimeout: number): Member {
    let welcome = (): void => {};
    let refuse = (_: Error): void => {};
    const ready = new Promise<void>((resolve, reject) => {
      welcome = resolve;
      refuse = reject;
    });
    ready.catch(() => {});
    const member: Member = {
      worker,
      ready,
      models: new Map(),
      lost: null,
      task: null,
      stopWaiting: () => clearTimeout(timer),
      hear: (message) => {
        if (message.type === 'ready') {
          clearTimeout(timer);
          welcome();
        } else if ('task' in message) {
          if (message.task !== member.task?.number || !member.task.hear(message)) return;
          member.task = null;
          this.#handOutTasks();
        } else if (message.run === this.#run?.number) this.#run.hear(member, message);
      },
    };
    const lose = (reason: string): void => {
      if (member.lost !== null || this.#closed) return;
      member.lost = reason;
      clearTimeout(timer);
      const error = lostError(reason);
      refuse(error);
      this.#run?.fail(error);
      member.task?.fail(error);
      if (this.size === 0) for (const task of this.#waiting.splice(0)) task.fail(error);
    };
    const timer = setTimeout(
      () => lose(`no answer within ${startTimeout} ms; its script must call serveBatches`),
      startTimeout,
    );
    listen<WorkerMessage>(worker, (message) => member.hear(message), lose);
    send(worker, { type: 'hello' });
    return member;
  }

  async #start(models: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions): Promise<BatchAnswers> {
    if (this.#closed) throw new NearfieldError('bad-argument', 'The pool has been closed; make a new one.');
    assertBatch(models, queries, options);
    reportProgress(options, 0, 'queries');
    const members = this.#members.filter(({ lost }) => lost === null);
    if (members.length === 0) throw lostError(this.#members[0].lost ?? 'unknown reason');
    await Promise.all(members.map(({ ready }) => ready));
    const gone = members.find(({ lost }) => lost !== null);
    if (gone !== undefined) throw lostError(gone.lost!);
    const { volume, absoluteError, relativeError } = options;
    const { count } = queries;
    const shared = this.#shares;
    const answers = {
      hits: makeBytes(count, shared),
      distances: makeNumbers(count, shared),
      points: makeNumbers(6 * count, shared),
    };
    const sums = new Float64Array(6);
    const stop = shared ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const number = this.#nextRun++;
    const begin: PoolMessage = {
      type: 'begin',
      run: number,
      models: models.map((model) => this.#numberOf(model)),
      queries: this.#sendable(queries),
      answers: shared ? answers : null,
      stop,
      options: { volume, absoluteError, relativeError },
    };
    const size = Math.max(1, Math.min(MAX_RANGE, Math.ceil(count / (members.length * RANGES_PER_WORKER))));
    let handedOut = 0;
    let done = 0;
    const handOut = ({ worker }: Member): void => {
      if (handedOut >= count) return;
      const from = handedOut;
      handedOut = Math.min(count, from + size);
      send(worker, { type: 'range', run: number, from, to: handedOut });
    };
    const onAbort = (): void => this.#run?.fail(new NearfieldError('aborted', "Stopped at the caller's request."));
    const signal = options.signal as Partial<AbortSignal> | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#run = {
          number,
          fail: reject,
          hear: (member, message) => {
            if (message.type === 'failed') {
              reject(fromSentError(message));
              return;
            }
            if (message.answers !== null) {
              answers.hits.set(message.answers.hits, message.from);
              answers.distances.set(message.answers.distances, message.from);
              answers.points.set(message.answers.points, 6 * message.from);
            }
            for (let k = 0; k < sums.length; k++) sums[k] += message.sums[k];
            done += message.to - message.from;
            try {
              reportProgress(options, done / count, 'queries');
            } catch (error) {
              reject(error);
              return;
            }
            if (done === count) resolve();
            else handOut(member);
          },
        };
        signal?.addEventListener?.('abort', onAbort, { once: true });
        for (const member of members) {
          this.#sendModels(member, models, false);
          send(member.worker, begin);
        }
        for (let k = 0; k < RANGES_AHEAD; k++) for (const member of members) handOut(member);
        if (count === 0) resolve();
      });
    } finally {
      if (stop !== null) Atomics.store(stop, 0, 1);
      signal?.removeEventListener?.('abort', onAbort);
      this.#run = null;
    }
    // Copies, because a worker could still write to the originals.
    return {
      hits: answers.hits.slice(),
      distances: answers.distances.slice(),
      points: answers.points.slice(),
      counters: toCounters(sums),
    };
  }

  /** Gives waiting tasks to free workers, where possible to one that has the task's models. */
  #handOutTasks(): void {
    if (this.size === 0 && this.#waiting.length > 0) {
      const error = lostError(this.#members[0].lost ?? 'unknown reason');
      for (const task of this.#waiting.splice(0)) task.fail(error);
    }
    while (this.#waiting.length > 0) {
      if (this.#waiting[0].settled) {
        this.#waiting.shift();
        continue;
      }
      const free = this.#members.filter(({ lost, task }) => lost === null && task === null);
      if (free.length === 0) return;
      const task = this.#waiting.shift()!;
      const numbers = task.models.map((model) => this.#numberOf(model));
      const member = free.find(({ models }) => numbers.every((number) => models.has(number))) ?? free[0];
      this.#sendModels(member, task.models, true);
      try {
        send(member.worker, task.message(numbers));
        member.task = task;
      } catch (error) {
        task.fail(
          new NearfieldError(
            'bad-argument',
            `The input of the task '${task.name}' cannot be sent to a worker (${(error as Error).message}); leave out ` +
              'functions and devices.',
          ),
        );
      }
    }
  }

  /** Sends the models that the worker lacks, and tells it to drop others: the longest unused, or all it does not keep. */
  #sendModels(member: Member, models: readonly ProximityModel[], keeps: boolean): void {
    const wanted = new Map(models.map((model) => [this.#numberOf(model), model]));
    const missing = [...wanted].filter(([number]) => !member.models.has(number));
    // In the order of their last use, the latest last.
    for (const number of wanted.keys()) member.models.delete(number);
    const forget: number[] = [];
    let count = member.models.size + wanted.size;
    let triangles = 0;
    for (const model of wanted.values()) triangles += triangleCount(model.mesh);
    for (const size of member.models.values()) triangles += size;
    for (const [number, size] of member.models) {
      if (keeps && (count <= MODELS_KEPT || triangles <= TRIANGLES_KEPT)) break;
      forget.push(number);
      count--;
      triangles -= size;
    }
    for (const number of forget) member.models.delete(number);
    for (const [number, model] of wanted) member.models.set(number, triangleCount(model.mesh));
    if (forget.length === 0 && missing.length === 0) return;
    send(member.worker, {
      type: 'models',
      models: missing.map(([number, model]) => ({ number, ...this.#meshOf(model) })),
      forget,
    });
  }

  #numberOf(model: ProximityModel): number {
    let number = this.#numbers.get(model);
    if (number === undefined) {
      number = this.#nextNumber++;
      this.#numbers.set(model, number);
    }
    return number;
  }

  #meshOf(model: ProximityModel): Omit<SentModel, 'number'> {
    const { positions, indices } = model.mesh;
    if (!this.#shares) return { positions, indices };
    let sent = this.#meshes.get(model);
    if (sent === undefined) {
      const tree = model.parts.peek(BOXES);
      const { buffer } = tree?.boxes ?? positions;
      const isShared = tree?.isComplete === true && buffer instanceof SharedArrayBuffer;
      sent = {
        positions: shareNumbers(positions),
        indices: shareIds(indices),
        tree: isShared ? { boxes: tree.boxes, links: tree.links } : undefined,
      };
      this.#meshes.set(model, sent);
    }
    return sent;
  }

  /** The queries with arrays cut to size, in shared memory if possible. */
  #sendable({ count, kinds, models, poses, limits }: BatchQueries): BatchQueries {
    const parts = {
      kinds: kinds.subarray(0, count),
      models: models.subarray(0, 2 * count),
      poses: poses.subarray(0, 14 * count),
      limits: limits.subarray(0, count),
    };
    if (!this.#shares) {
      // Posting a view would send its whole buffer.
      return { count, ...mapValues(parts) };
    }
    const bytes = makeBytes(count, true);
    bytes.set(parts.kinds);
    return {
      count,
      kinds: bytes,
      models: shareIds(parts.models),
      poses: shareNumbers(parts.poses),
      limits: shareNumbers(parts.limits),
    };
  }
}

type QueryArrays = Omit<BatchQueries, 'count'>;

function mapValues({ kinds, models, poses, limits }: QueryArrays): QueryArrays {
  return { kinds: kinds.slice(), models: models.slice(), poses: poses.slice(), limits: limits.slice() };
}

function makeNumbers(length: number, shared: boolean): Float64Array {
  return shared ? new Float64Array(new SharedArrayBuffer(8 * length)) : new Float64Array(length);
}

function makeBytes(length: number, shared: boolean): Uint8Array {
  return shared ? new Uint8Array(new SharedArrayBuffer(length)) : new Uint8Array(length);
}

/** The array itself if its memory is shared already, otherwise a shared copy. */
function shareNumbers(values: Float64Array): Float64Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = makeNumbers(values.length, true);
  copy.set(values);
  return copy;
}

function shareIds(values: Uint32Array): Uint32Array {
  if (values.buffer instanceof SharedArrayBuffer) return values;
  const copy = new Uint32Array(new SharedArrayBuffer(4 * values.length));
  copy.set(values);
  return copy;
}

function send(worker: BatchWorker, message: PoolMessage): void {
  worker.postMessage(message);
}

function lostError(reason: string): NearfieldError {
  return new NearfieldError(
    'device-lost',
    `A worker of the pool is lost: ${reason}. Its queries have no answers; run the batch again with a new worker.`,
  );
}
