// Where a clash check runs: on a cluster, in threads that start when there is enough to do, or in the command's own thread.
import { availableParallelism } from 'node:os';
import type { Cluster } from '../../cluster/cluster.js';
import type { BatchPool } from '../../proximity/batch/batch-pool.js';
import type { TaskPool } from '../../proximity/batch/model-pool.js';
import { openPool } from '../open-pool.js';

export class ClashMachines {
  readonly #cluster: Cluster | null;
  readonly #workers: number;
  #threads: BatchPool | null = null;

  /** @param workers threads; null for one on each core. */
  constructor(cluster: Cluster | null, workers: number | null) {
    this.#cluster = cluster;
    this.#workers = workers ?? availableParallelism();
  }

  /** The pool to use; undefined: the command's own thread. @param isLong whether the work is worth starting threads. */
  pool(isLong: boolean): TaskPool | undefined {
    if (this.#cluster !== null) return this.#cluster;
    if (isLong) this.#threads ??= openPool(this.#workers);
    return this.#threads ?? undefined;
  }

  async close(): Promise<void> {
    this.#threads?.close();
    await this.#cluster?.close();
  }
}
