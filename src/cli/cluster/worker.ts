import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { CLUSTER_DEFAULTS } from '../../cluster/defaults.js';
import { startClusterWorker } from '../../cluster/worker.js';
import { NearfieldError } from '../../core/errors.js';
import { takeNumber, takePositionals, takeString } from '../arguments.js';
import { BATCH_SCRIPT } from '../open-pool.js';
import { readable } from '../table.js';
import type { Verb } from '../verb.js';

/** Definition: bytes of a MiB. */
const MEBIBYTE = 2 ** 20;

export const worker: Verb = {
  name: 'worker',
  summary: 'serves a cluster: runs the jobs of a queue that machines share, until it is stopped',
  usage: 'worker --cluster URL [--concurrency N] [--memory MIB]',
  help: `Takes jobs of clash, field, replay, plan and simulate (with --cluster there) off the queue at URL, a Redis or Valkey server, and runs
them in threads. Ctrl+C or SIGTERM finishes the jobs under way; if it is killed, others take them over.
  --cluster URL        redis://user:password@host:6379, or rediss:// for TLS
  --queue NAME         the queue's name there (default ${CLUSTER_DEFAULTS.name})
  --concurrency N      jobs at the same time, each in a thread (default: one on each core)
  --memory MIB         MiB of meshes kept for further jobs (default ${CLUSTER_DEFAULTS.memory / MEBIBYTE})
  --lease S            seconds after which the jobs of a worker that is silent go to others (default ${CLUSTER_DEFAULTS.lease / 1000})
  --jobs N             leave after N jobs (default: never)

  nearfield worker --cluster redis://queue.local:6379 --concurrency 8`,
  options: {
    cluster: { type: 'string' },
    queue: { type: 'string' },
    concurrency: { type: 'string' },
    memory: { type: 'string' },
    lease: { type: 'string' },
    jobs: { type: 'string' },
  },
  async run(input) {
    takePositionals(input, 'worker', []);
    const connection = takeString(input, 'cluster');
    if (connection === null) {
      throw new NearfieldError('bad-argument', 'worker needs --cluster URL, such as redis://host:6379');
    }
    const concurrency = takeNumber(input, 'concurrency', availableParallelism(), { min: 1, max: 256, integer: true });
    const memory = MEBIBYTE * takeNumber(input, 'memory', CLUSTER_DEFAULTS.memory / MEBIBYTE, { min: 1 });
    const lease = 1000 * takeNumber(input, 'lease', CLUSTER_DEFAULTS.lease / 1000, { min: 0.5 });
    const jobs = takeNumber(input, 'jobs', Infinity, { min: 1 });
    let stop = (): void => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    let ended = 0;
    const served = await startClusterWorker({
      ...{ connection, concurrency, memory, lease },
      name: takeString(input, 'queue') ?? undefined,
      makeThread: () => new Worker(BATCH_SCRIPT),
      onJob: ({ task, milliseconds, error }) => {
        if (error !== null)
          process.stderr.write(`nearfield: ${task} failed after ${milliseconds.toFixed(0)} ms: ${error}\n`);
        if (++ended >= jobs) stop();
      },
    });
    process.stderr.write(`nearfield: serving ${served.server} with ${concurrency} threads; Ctrl+C to leave\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    await stopped;
    await served.close();
    const { answered, failed, cancelled, fetched } = served.counters;
    return {
      json: { server: served.server, concurrency, ...served.counters },
      text: `${readable(answered)} jobs answered, ${readable(failed)} failed, ${readable(cancelled)} cancelled, ${readable(fetched)} meshes fetched`,
    };
  },
};
