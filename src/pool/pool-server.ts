// The worker's side of a pool: answers single tasks and ranges of runs in order of arrival.
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';
import type { ItemKind } from './item-kind.js';
import type { PoolMessage, WorkerMessage } from './messages.js';
import { listen, type Port } from './port.js';
import { toSentError } from './sent-error.js';
import type { RangeAnswerer, RangedTasks, WorkerTasks } from './worker-tasks.js';

/** Chosen: milliseconds between two reports of a task's progress; a progress bar looks alive and messages stay few. */
const PROGRESS_INTERVAL = 50;

/** What a worker serves. */
export interface ServedTasks<Item extends object> {
  readonly kind: ItemKind<Item>;
  readonly tasks: WorkerTasks<Item>;
  readonly ranged: RangedTasks<Item>;
}

/** Makes a worker serve a `WorkerPool` of the same kind of items. Called once with the worker's port to the pool. */
export function serveTasks<Item extends object>(port: Port, served: ServedTasks<Item>): void {
  const server = new PoolServer((message) => port.postMessage(message), served);
  listen<PoolMessage>(port, (message) => server.hear(message));
}

/** The run that the ranges of later messages belong to. */
interface BegunRun {
  readonly run: number;
  /** Begins it when its first range comes. */
  readonly begin: () => RangeAnswerer;
  readonly isStopped: () => boolean;
  answerer: RangeAnswerer | null;
}

class PoolServer<Item extends object> {
  readonly #send: (message: WorkerMessage) => void;
  readonly #served: ServedTasks<Item>;
  readonly #items = new Map<number, Item>();
  /** Why items could not be made, by their numbers. Told with what needs them: a separate message would belong to nothing. */
  readonly #faults = new Map<number, unknown>();
  #begun: BegunRun | null = null;

  constructor(send: (message: WorkerMessage) => void, served: ServedTasks<Item>) {
    this.#send = send;
    this.#served = served;
  }

  hear(message: PoolMessage): void {
    if (message.type === 'hello') this.#send({ type: 'ready' });
    else if (message.type === 'items') this.#takeItems(message);
    else if (message.type === 'begin') this.#begun = this.#prepare(message);
    else if (message.type === 'range') this.#answer(message.run, message.from, message.to);
    else if (message.type === 'task') void this.#runTask(message);
  }

  #takeItems({ items, forget }: PoolMessage & { type: 'items' }): void {
    for (const number of forget) {
      this.#items.delete(number);
      this.#faults.delete(number);
    }
    for (const { number, packed } of items) {
      try {
        this.#items.set(number, this.#served.kind.unpack(packed as never));
      } catch (error) {
        this.#faults.set(number, error);
      }
    }
  }

  #prepare({ run, name, items, input, answers, stop }: PoolMessage & { type: 'begin' }): BegunRun {
    // Taken at once, since the items of tasks that come between its ranges may displace them.
    const place = this.#taken(items);
    return {
      run,
      begin: () => this.#find(this.#served.ranged, name)(place(), input as never, answers as never),
      isStopped: () => stop !== null && Atomics.load(stop, 0) !== 0,
      answerer: null,
    };
  }

  #answer(run: number, from: number, to: number): void {
    const begun = this.#begun;
    if (begun === null || begun.run !== run) return;
    try {
      begun.answerer ??= begun.begin();
      const part = begun.answerer.answer(from, to, begun.isStopped);
      if (!begun.isStopped()) this.#send({ type: 'done', run, from, to, part });
    } catch (error) {
      this.#send({ type: 'failed', run, ...toSentError(error) });
    }
  }

  async #runTask({ task, name, items, input, stop }: PoolMessage & { type: 'task' }): Promise<void> {
    try {
      const work = this.#find(this.#served.tasks, name);
      const result = await work(this.#taken(items)(), input as never, this.#watch(task, stop));
      this.#send({ type: 'task-done', task, result });
    } catch (error) {
      this.#send({ type: 'task-failed', task, ...toSentError(error) });
    }
  }

  /** The items that it has now under these numbers. The function throws if one of them could not be made. */
  #taken(numbers: readonly number[]): () => readonly Item[] {
    const items = numbers.map((number) => this.#items.get(number)!);
    const faulty = numbers.find((number) => this.#faults.has(number));
    const fault = faulty === undefined ? null : { error: this.#faults.get(faulty) };
    return () => {
      if (fault !== null) throw fault.error;
      return items;
    };
  }

  #find<Task>(tasks: Readonly<Record<string, Task>>, name: string): Task {
    if (Object.hasOwn(tasks, name)) return tasks[name];
    throw new NearfieldError(
      'unsupported',
      `The worker does not serve the task '${name}'; its script must give the chapter's tasks to serveBatches.`,
    );
  }

  #watch(task: number, stop: Int32Array | null): ProgressOptions {
    let last = performance.now();
    return {
      signal:
        stop === null
          ? undefined
          : {
              get aborted() {
                return Atomics.load(stop, 0) !== 0;
              },
            },
      onProgress: (fraction, stage) => {
        if (performance.now() - last < PROGRESS_INTERVAL) return;
        last = performance.now();
        this.#send({ type: 'task-progress', task, fraction, stage });
      },
    };
  }
}
