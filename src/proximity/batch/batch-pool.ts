// A pool of workers that have models: batches of queries spread over all of them, and single tasks.
import type { ProgressOptions } from '../../core/progress.js';
import type { PoolWorker as BatchWorker } from '../../pool/port.js';
import { type PoolOptions as BatchPoolOptions, WorkerPool } from '../../pool/worker-pool.js';
import type { ProximityModel } from '../proximity-model.js';
import type { BatchAnswers, BatchOptions, BatchQueries } from './batch.js';
import { BatchRun } from './batch-run.js';
import { MODEL_KIND } from './model-kind.js';
import type { TaskPool } from './model-pool.js';

/** Answers batches with workers. Each worker's script calls `serveBatches`. */
export class BatchPool implements TaskPool {
  readonly #pool: WorkerPool<ProximityModel>;

  /** @param workers at least one; the pool owns them from now on. */
  constructor(workers: readonly BatchWorker[], options: BatchPoolOptions = {}) {
    this.#pool = new WorkerPool(MODEL_KIND, workers, options);
  }

  /** Whether it shares memory with its workers. */
  get shared(): boolean {
    return this.#pool.shared;
  }

  /** Number of workers not known to be lost. */
  get size(): number {
    return this.#pool.size;
  }

  /**
   * Answers a batch, with the same bits as `runBatch`, for any number of workers. Calls made during a run wait for
   * their turn. Rejects with a NearfieldError when aborted, when a query fails, or when a worker is lost.
   */
  run(models: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions = {}): Promise<BatchAnswers> {
    return this.#pool.runRanges(() => new BatchRun(models, queries, options, this.shared), options);
  }

  /**
   * Runs one task in one worker; tasks wait until a worker is free. The chapters have functions for their own tasks:
   * {@link prepareInPool}, {@link findContactsInPool}, `measurePenetrationInPool`, `computeFieldInPool`.
   * @param name a task that the worker's script gave to `serveBatches`.
   * @param input data that a message can carry: no functions, no devices.
   * @throws NearfieldError as the task does, and as {@link BatchPool.run} does.
   */
  call(
    name: string,
    models: readonly ProximityModel[],
    input: unknown,
    options: ProgressOptions = {},
  ): Promise<unknown> {
    return this.#pool.call(name, models, input, options);
  }

  /** Terminates the workers. The current run and all tasks reject. */
  close(): void {
    this.#pool.close();
  }
}
