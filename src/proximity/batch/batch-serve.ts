// The worker's side of a batch pool: answers ranges of queries and single tasks in order of arrival.
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import { BoxTree } from '../boxes/box-tree.js';
import { BOXES } from '../model-parts.js';
import { ProximityModel } from '../proximity-model.js';
import { BatchAnswerer } from './batch-answerer.js';
import { type BatchPort, listen, type PoolMessage, toSentError, type WorkerMessage } from './batch-port.js';
import { PROXIMITY_TASKS, type WorkerTasks } from './worker-tasks.js';

/** Milliseconds between two reports of a task's progress. */
const PROGRESS_INTERVAL = 50;

/**
 * Makes a worker serve a `BatchPool`. The worker's script calls it once with its port to the pool: `self` in a web
 * worker, `parentPort` in a worker of Node.
 * @param tasks what `BatchPool.call` may ask for besides the tasks of this chapter, such as `PENETRATION_TASKS`.
 */
export function serveBatches(port: BatchPort, tasks: WorkerTasks = {}): void {
  const server = new BatchServer((message) => port.postMessage(message), { ...PROXIMITY_TASKS, ...tasks });
  listen<PoolMessage>(port, (message) => server.hear(message));
}

class BatchServer {
  readonly #send: (message: WorkerMessage) => void;
  readonly #tasks: WorkerTasks;
  readonly #models = new Map<number, ProximityModel>();
  #begun: (PoolMessage & { type: 'begin' }) | null = null;
  #shared: BatchAnswerer | null = null;
  #modelFault: unknown = null;

  constructor(send: (message: WorkerMessage) => void, tasks: WorkerTasks) {
    this.#send = send;
    this.#tasks = tasks;
  }

  hear(message: PoolMessage): void {
    if (message.type === 'hello') this.#send({ type: 'ready' });
    else if (message.type === 'models') this.#takeModels(message);
    else if (message.type === 'begin') {
      this.#begun = message;
      this.#shared = null;
    } else if (message.type === 'range') this.#answer(message.run, message.from, message.to);
    else if (message.type === 'task') void this.#runTask(message);
  }

  #takeModels({ models, forget }: PoolMessage & { type: 'models' }): void {
    this.#modelFault = null;
    for (const number of forget) this.#models.delete(number);
    try {
      for (const { number, positions, indices, tree } of models) {
        const model = new ProximityModel({ positions, indices });
        if (tree !== undefined) model.parts.set(BOXES, new BoxTree(model.mesh, tree));
        this.#models.set(number, model);
      }
    } catch (error) {
      // Reported with the first range that needs the models: a separate message would belong to no run.
      this.#modelFault = error;
    }
  }

  #answer(run: number, from: number, to: number): void {
    const begun = this.#begun;
    if (begun === null || begun.run !== run) return;
    try {
      if (this.#modelFault !== null) throw this.#modelFault;
      const models = begun.models.map((number) => this.#models.get(number)!);
      const own = {
        hits: new Uint8Array(begun.answers === null ? to - from : 0),
        distances: new Float64Array(begun.answers === null ? to - from : 0),
        points: new Float64Array(begun.answers === null ? 6 * (to - from) : 0),
      };
      const answerer =
        begun.answers === null
          ? new BatchAnswerer(models, begun.queries, own, from, begun.options)
          : (this.#shared ??= new BatchAnswerer(models, begun.queries, begun.answers, 0, begun.options));
      answerer.sums.fill(0);
      for (let i = from; i < to; i++) {
        if (begun.stop !== null && Atomics.load(begun.stop, 0) !== 0) return;
        answerer.answer(i, i + 1);
      }
      const sums = answerer.sums.slice();
      this.#send({ type: 'done', run, from, to, sums, answers: begun.answers === null ? own : null });
    } catch (error) {
      this.#send({ type: 'failed', run, ...toSentError(error) });
    }
  }

  async #runTask({ task, name, models, input, stop }: PoolMessage & { type: 'task' }): Promise<void> {
    try {
      if (this.#modelFault !== null) throw this.#modelFault;
      if (!Object.hasOwn(this.#tasks, name)) {
        throw new NearfieldError(
          'unsupported',
          `The worker does not serve the task '${name}'; its script must give the chapter's tasks to serveBatches.`,
        );
      }
      const placed = models.map((number) => this.#models.get(number)!);
      const result = await this.#tasks[name](placed, input as never, this.#watch(task, stop));
      this.#send({ type: 'task-done', task, result });
    } catch (error) {
      this.#send({ type: 'task-failed', task, ...toSentError(error) });
    }
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
