// A batch of queries as tasks of a pool: for pools whose workers share no memory, such as the machines of a cluster.

import { cutByCost, runJobs } from '../../pool/run-jobs.js';
import { assertPool } from '../../pool/task-pool.js';
import type { ProximityModel } from '../proximity-model.js';
import type { QueryCounters } from '../result.js';
import {
  assertBatch,
  BATCH_INTERSECTS,
  BATCH_WITHIN,
  type BatchAnswers,
  type BatchOptions,
  type BatchQueries,
} from './batch.js';
import { addCounters } from './batch-answerer.js';
import type { TaskPool } from './model-pool.js';
import { pairSize, QUESTION_COSTS } from './question-costs.js';

/** The input of the task that answers a part of a batch. */
export interface BatchInput {
  readonly queries: BatchQueries;
  readonly options: Omit<BatchOptions, 'signal' | 'onProgress'>;
}

/** As `runBatch`, with the same bits, in jobs of about equal cost. */
export async function runBatchInPool(
  pool: TaskPool,
  models: readonly ProximityModel[],
  queries: BatchQueries,
  options: BatchOptions = {},
): Promise<BatchAnswers> {
  assertPool(pool);
  assertBatch(models, queries, options);
  const { signal, onProgress, ...rest } = options;
  const { count, kinds } = queries;
  const starts = cutByCost(count, (i) => {
    const kind = kinds[i];
    const cost = kind === BATCH_INTERSECTS ? 'intersects' : kind === BATCH_WITHIN ? 'within' : 'distance';
    return QUESTION_COSTS[cost] * pairSize(models[queries.models[2 * i]], models[queries.models[2 * i + 1]]);
  });
  const hits = new Uint8Array(count);
  const distances = new Float64Array(count);
  const points = new Float64Array(6 * count);
  const counters: QueryCounters[] = [];
  await runJobs(
    pool,
    starts.length - 1,
    (job, stop) => {
      const { used, part } = partOf(queries, starts[job], starts[job + 1]);
      const input: BatchInput = { queries: part, options: rest };
      const asked = used.map((number) => models[number]);
      return pool.call('proximity/batch', asked, input, { signal: stop }) as Promise<BatchAnswers>;
    },
    (job, answers) => {
      hits.set(answers.hits, starts[job]);
      distances.set(answers.distances, starts[job]);
      points.set(answers.points, 6 * starts[job]);
      counters[job] = answers.counters;
    },
    { signal, onProgress },
    'queries',
  );
  return { hits, distances, points, counters: addCounters(counters) };
}

/** The queries from `from` up to, but not including, `to`, with the models that they use, numbered anew. */
function partOf(queries: BatchQueries, from: number, to: number): { used: number[]; part: BatchQueries } {
  const { used, places } = numberModels(queries.models.subarray(2 * from, 2 * to));
  return {
    used,
    part: {
      count: to - from,
      kinds: queries.kinds.slice(from, to),
      models: places,
      poses: queries.poses.slice(14 * from, 14 * to),
      limits: queries.limits.slice(from, to),
    },
  };
}

/** The different values of a list, and for each entry its place among them. */
function numberModels(models: Uint32Array): { used: number[]; places: Uint32Array } {
  const numbers = new Map<number, number>();
  const places = models.map((model) => {
    const place = numbers.get(model) ?? numbers.size;
    numbers.set(model, place);
    return place;
  });
  return { used: [...numbers.keys()], places };
}
