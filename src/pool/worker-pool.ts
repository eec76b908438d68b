// Work spread over workers: single tasks, each for one worker, and runs, whose ranges go to all workers as they become
// free. The caller makes the workers, so the same code runs in Node and in browsers.
import { nameValue } from '../core/check/check-options.js';
import { flag, numberAbove, optionTable, PROGRESS_OPTIONS } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { ItemKind } from './item-kind.js';
import { ItemShelf } from './item-shelf.js';
import type { WorkerMessage } from './messages.js';
import { lostError, PoolMember } from './pool-member.js';
import { PoolTask } from './pool-task.js';
import type { PoolWorker } from './port.js';
import { RangeDealer } from './range-dealer.js';
import type { TaskPool } from './task-pool.js';
import type { RangedRun } from './worker-tasks.js';

/** The options of a pool. */
export interface PoolOptions {
  /**
   * Whether items, queries and answers are in shared memory; otherwise they are copied to and from each worker.
   * Default: true if shared memory exists. In a browser it needs the headers that isolate the page (COOP and COEP).
   */
  readonly shared?: boolean | undefined;
  /** How long a worker may take to answer for the first time, in milliseconds. Default 30,000. */
  readonly startTimeout?: number | undefined;
}

/** Chosen: milliseconds until a worker must have answered for the first time; a script that does not serve never does. */
const START_TIMEOUT = 30_000;

const OPTIONS = optionTable<PoolOptions>()({
  shared: flag(),
  startTimeout: numberAbove(0, START_TIMEOUT),
});

/** A pool of workers, each of which serves tasks by `serveTasks`. */
export class WorkerPool<Item extends object> implements TaskPool<Item> {
  readonly #shared: boolean;
  readonly #shelf: ItemShelf<Item>;
  readonly #members: readonly PoolMember<Item>[];
  /** Tasks that wait for a worker, the oldest first. */
  readonly #waiting: PoolTask<Item>[] = [];
  #nextTask = 0;
  /** The run under way; others wait for their turn. */
  #run: RangeDealer<Item> | null = null;
  #nextRun = 0;
  #turns: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** @param workers at least one; the pool owns them from now on. */
  constructor(kind: ItemKind<Item>, workers: readonly PoolWorker[], options: PoolOptions = {}) {
    const canShare = typeof SharedArrayBuffer !== 'undefined';
    const { shared = canShare, startTimeout } = OPTIONS.read(options);
    if (!Array.isArray(workers)) {
      throw new NearfieldError('bad-argument', `The workers are ${nameValue(workers)}; give an array of workers.`);
    }
    if (workers.length === 0) throw new NearfieldError('bad-argument', 'The pool has no workers; give at least one.');
    if (shared && !canShare) {
      throw new NearfieldError(
        'unsupported',
        'Shared memory does not exist here; in a page it needs the headers COOP and COEP. Leave out `shared` to copy instead.',
      );
    }
    this.#shared = shared;
    this.#shelf = new ItemShelf(kind, shared);
    const events = {
      heard: (member: PoolMember<Item>, message: WorkerMessage): void => this.#hear(member, message),
      lost: (member: PoolMember<Item>, error: NearfieldError): void => this.#lose(member, error),
    };
    this.#members = workers.map((worker) => new PoolMember(worker, this.#shelf, startTimeout, events));
  }

  get shared(): boolean {
    return this.#shared;
  }

  /** Number of workers not known to be lost. */
  get size(): number {
    return this.#members.filter(({ lost }) => lost === null).length;
  }

  /**
   * Runs one task in one worker; tasks wait until a worker is free.
   * @param name a task that the worker's script serves.
   * @param input data that a message can carry: no functions, no devices.
   * @throws NearfieldError as the task does, and when aborted, or when the worker is lost.
   */
  async call(name: string, items: readonly Item[], input: unknown, progress: ProgressOptions = {}): Promise<unknown> {
    this.#assertOpen();
    this.#shelf.kind.assertItems(items);
    PROGRESS_OPTIONS.assert(progress);
    reportProgress(progress, 0, name);
    await Promise.any(this.#members.map(({ ready }) => ready)).catch(() => {});
    return new Promise((resolve, reject) => {
      const request = { name, items, input, progress };
      this.#waiting.push(new PoolTask(this.#nextTask++, request, this.#shared, { resolve, reject }));
      this.#handOutTasks();
    });
  }

  /**
   * Answers the elements of a run in all workers. Calls made during a run wait for their turn.
   * @param makeRun called when it is this run's turn; what it throws is passed on.
   * @throws NearfieldError when aborted, when an answer fails, or when a worker is lost.
   */
  runRanges<Answers>(makeRun: () => RangedRun<Item, Answers>, progress: ProgressOptions): Promise<Answers> {
    const turn = this.#turns.then(() => this.#runNow(makeRun, progress));
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /** Terminates the workers. The current run and all tasks reject. */
  close(): void {
    this.#closed = true;
    const error = new NearfieldError('aborted', 'The pool was closed while a task was running.');
    for (const task of this.#waiting.splice(0)) task.fail(error);
    for (const { task } of this.#members) task?.fail(error);
    this.#run?.fail(new NearfieldError('aborted', 'The pool was closed while a batch was running.'));
    for (const member of this.#members) member.terminate();
  }

  async #runNow<Answers>(makeRun: () => RangedRun<Item, Answers>, progress: ProgressOptions): Promise<Answers> {
    this.#assertOpen();
    const run = makeRun();
    reportProgress(progress, 0, run.stage);
    const members = this.#members.filter(({ lost }) => lost === null);
    if (members.length === 0) throw this.#allLost();
    await Promise.all(members.map(({ ready }) => ready));
    const gone = members.find(({ lost }) => lost !== null);
    if (gone !== undefined) throw lostError(gone.lost!);
    const dealer = new RangeDealer(this.#nextRun++, run, members, this.#shared, progress);
    this.#run = dealer;
    try {
      await dealer.finish(run.items.map((item) => this.#shelf.numberOf(item)));
    } finally {
      this.#run = null;
    }
    return run.finish();
  }

  #hear(member: PoolMember<Item>, message: WorkerMessage): void {
    if ('task' in message) {
      if (message.task !== member.task?.number || !member.task.hear(message)) return;
      member.task = null;
      this.#handOutTasks();
    } else if (message.type !== 'ready' && message.run === this.#run?.number) this.#run.hear(member, message);
  }

  #lose(member: PoolMember<Item>, error: NearfieldError): void {
    this.#run?.fail(error);
    member.task?.fail(error);
    if (this.size === 0) for (const task of this.#waiting.splice(0)) task.fail(error);
  }

  /** Gives waiting tasks to free workers, where possible to one that has the task's items. */
  #handOutTasks(): void {
    if (this.size === 0 && this.#waiting.length > 0) {
      const error = this.#allLost();
      for (const task of this.#waiting.splice(0)) task.fail(error);
    }
    while (this.#waiting.length > 0) {
      if (this.#waiting[0].settled) {
        this.#waiting.shift();
        continue;
      }
      const free = this.#members.filter(({ lost, task }) => lost === null && task === null);
      if (free.length === 0) return;
      this.#handOut(this.#waiting.shift()!, free);
    }
  }

  #handOut(task: PoolTask<Item>, free: readonly PoolMember<Item>[]): void {
    const numbers = task.items.map((item) => this.#shelf.numberOf(item));
    const member = free.find((one) => numbers.every((number) => one.hasItem(number))) ?? free[0];
    member.sendItems(task.items, true);
    try {
      member.send(task.message(numbers));
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

  #assertOpen(): void {
    if (this.#closed) throw new NearfieldError('bad-argument', 'The pool has been closed; make a new one.');
  }

  #allLost(): NearfieldError {
    return lostError(this.#members[0].lost ?? 'unknown reason');
  }
}
