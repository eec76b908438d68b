// A batch as a run of a pool: what is sent to the workers, how each answers its ranges, and where the answers are collected.

import { makeBytes, makeNumbers, shareIds, shareNumbers } from '../../pool/shared-arrays.js';
import type { RangeAnswerer, RangedRun } from '../../pool/worker-tasks.js';
import type { ProximityModel } from '../proximity-model.js';
import { assertBatch, type BatchAnswers, type BatchOptions, type BatchQueries } from './batch.js';
import { type AnswerArrays, BatchAnswerer, COUNTER_COUNT, toCounters } from './batch-answerer.js';

/** What the workers are told of a batch. */
interface BatchRunInput {
  readonly queries: BatchQueries;
  readonly options: Pick<BatchOptions, 'volume' | 'absoluteError' | 'relativeError'>;
}

/** A worker's answers to a range. */
interface BatchPart {
  /** See `BatchAnswerer.sums`. */
  readonly sums: Float64Array;
  /** Null: they are in shared memory. */
  readonly answers: AnswerArrays | null;
}

/** The ranged task that answers batches. */
export const BATCH_RUN = 'proximity/batch';

/** The pool's side. */
export class BatchRun implements RangedRun<ProximityModel, BatchAnswers> {
  readonly name = BATCH_RUN;
  readonly stage = 'queries';
  readonly items: readonly ProximityModel[];
  readonly count: number;
  readonly input: BatchRunInput;
  readonly sharedAnswers: AnswerArrays | null;
  readonly #answers: AnswerArrays;
  readonly #sums = new Float64Array(COUNTER_COUNT);

  /** @throws NearfieldError for an invalid batch. */
  constructor(models: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions, shared: boolean) {
    assertBatch(models, queries, options);
    const { volume, absoluteError, relativeError } = options;
    this.items = models;
    this.count = queries.count;
    this.input = { queries: sendable(queries, shared), options: { volume, absoluteError, relativeError } };
    this.#answers = makeAnswers(queries.count, shared);
    this.sharedAnswers = shared ? this.#answers : null;
  }

  take({ sums, answers }: BatchPart, from: number): void {
    if (answers !== null) {
      this.#answers.hits.set(answers.hits, from);
      this.#answers.distances.set(answers.distances, from);
      this.#answers.points.set(answers.points, 6 * from);
    }
    for (let k = 0; k < sums.length; k++) this.#sums[k] += sums[k];
  }

  finish(): BatchAnswers {
    const { hits, distances, points } = this.#answers;
    // Copies, because a worker could still write to the originals.
    return {
      hits: hits.slice(),
      distances: distances.slice(),
      points: points.slice(),
      counters: toCounters(this.#sums),
    };
  }
}

/** The worker's side. */
export function beginBatch(
  models: readonly ProximityModel[],
  { queries, options }: BatchRunInput,
  shared: AnswerArrays | null,
): RangeAnswerer {
  const common = shared === null ? null : new BatchAnswerer(models, queries, shared, 0, options);
  return {
    answer(from, to, isStopped): BatchPart {
      const own = common === null ? makeAnswers(to - from, false) : null;
      const answerer = common ?? new BatchAnswerer(models, queries, own!, from, options);
      answerer.sums.fill(0);
      for (let i = from; i < to && !isStopped(); i++) answerer.answer(i, i + 1);
      return { sums: answerer.sums.slice(), answers: own };
    },
  };
}

function makeAnswers(count: number, shared: boolean): AnswerArrays {
  return {
    hits: makeBytes(count, shared),
    distances: makeNumbers(count, shared),
    points: makeNumbers(6 * count, shared),
  };
}

/** The queries with arrays cut to size, in shared memory if asked. */
function sendable({ count, kinds, models, poses, limits }: BatchQueries, shared: boolean): BatchQueries {
  if (!shared) {
    // Copies: posting a view would send its whole buffer.
    return {
      count,
      kinds: kinds.slice(0, count),
      models: models.slice(0, 2 * count),
      poses: poses.slice(0, 14 * count),
      limits: limits.slice(0, count),
    };
  }
  const bytes = makeBytes(count, true);
  bytes.set(kinds.subarray(0, count));
  return {
    count,
    kinds: bytes,
    models: shareIds(models.subarray(0, 2 * count)),
    poses: shareNumbers(poses.subarray(0, 14 * count)),
    limits: shareNumbers(limits.subarray(0, count)),
  };
}
