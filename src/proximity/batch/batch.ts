// Many independent queries at once, with queries and answers in flat arrays that threads can share.
import { nameValue } from '../../core/check/check-options.js';
import { assertPose } from '../../core/check/check-pose.js';
import { optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { growTo } from '../../core/grow-array.js';
import type { ReadonlyPose } from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { assertLength, assertModel } from '../arguments.js';
import { DISTANCE_OPTIONS, type VolumeChoice } from '../options.js';
import { VOLUME_RULE } from '../pair-option-table.js';
import type { ProximityModel } from '../proximity-model.js';
import type { QueryCounters } from '../result.js';
import { BatchAnswerer } from './batch-answerer.js';

/** Label: kind of a query in a batch: whether the models intersect. */
export const BATCH_INTERSECTS = 0;
/** Label: kind of a query in a batch: whether the models come within a tolerance. */
export const BATCH_WITHIN = 1;
/** Label: kind of a query in a batch: the distance up to a cut-off. */
export const BATCH_DISTANCE = 2;

/** Queries in flat arrays; each may be longer than needed. */
export interface BatchQueries {
  readonly count: number;
  /** `BATCH_INTERSECTS`, `BATCH_WITHIN` or `BATCH_DISTANCE`; one per query. */
  readonly kinds: Uint8Array;
  /** Models A and B as indices into the list of models; two per query. */
  readonly models: Uint32Array;
  /** Poses of A and B; 14 numbers per query. */
  readonly poses: Float64Array;
  /** The tolerance or the cut-off, Infinity without one; one per query, ignored for an intersection. */
  readonly limits: Float64Array;
}

/** Answers in flat arrays, in the order of the queries. */
export interface BatchAnswers {
  /** 1 if the models intersect or, for a tolerance query, are within the tolerance; else 0. */
  readonly hits: Uint8Array;
  /** The distance: Infinity beyond the cut-off, NaN for other kinds of query. */
  readonly distances: Float64Array;
  /** The nearest points, on A then on B, in the world; six numbers per query, NaN where the query has no nearest points. */
  readonly points: Float64Array;
  /** Sums over all queries. */
  readonly counters: QueryCounters;
}

/** The options of a batch. */
export interface BatchOptions extends ProgressOptions {
  /** Default `PROXIMITY_DEFAULTS.statelessVolume`. */
  readonly volume?: VolumeChoice | undefined;
  /** As in `DistanceOptions`, for all distances of the batch. Default 0. */
  readonly absoluteError?: number | undefined;
  readonly relativeError?: number | undefined;
}

const BATCH_OPTIONS = optionTable<BatchOptions>()({
  volume: VOLUME_RULE,
  absoluteError: DISTANCE_OPTIONS.rules.absoluteError,
  relativeError: DISTANCE_OPTIONS.rules.relativeError,
  ...PROGRESS_RULES,
});

/** Chosen: queries between two reports of progress. */
const PROGRESS_STRIDE = 256;

/** Collects queries for {@link runBatch} or a `BatchPool`. Poses are copied. */
export class QueryBatch implements BatchQueries {
  kinds = new Uint8Array(16);
  models = new Uint32Array(2 * 16);
  poses = new Float64Array(14 * 16);
  limits = new Float64Array(16);
  count = 0;

  /** Adds a query whether two models intersect; returns its number. */
  addIntersection(modelA: number, modelB: number, poseA: ReadonlyPose, poseB: ReadonlyPose): number {
    return this.#add(BATCH_INTERSECTS, modelA, modelB, poseA, poseB, 0);
  }

  /** Adds a query whether two models come within the tolerance; returns its number. */
  addWithin(modelA: number, modelB: number, poseA: ReadonlyPose, poseB: ReadonlyPose, tolerance: number): number {
    assertLength(tolerance, 'tolerance');
    return this.#add(BATCH_WITHIN, modelA, modelB, poseA, poseB, tolerance);
  }

  /** Adds a query for the distance between two models; returns its number. */
  addDistance(
    modelA: number,
    modelB: number,
    poseA: ReadonlyPose,
    poseB: ReadonlyPose,
    cutoff: number = Infinity,
  ): number {
    assertLength(cutoff, 'cut-off');
    return this.#add(BATCH_DISTANCE, modelA, modelB, poseA, poseB, cutoff);
  }

  #add(kind: number, a: number, b: number, poseA: ReadonlyPose, poseB: ReadonlyPose, limit: number): number {
    assertPose(poseA, 'A');
    assertPose(poseB, 'B');
    for (const model of [a, b]) {
      if (Number.isInteger(model) && model >= 0 && model <= 0xffffffff) continue;
      throw new NearfieldError('bad-argument', `The model is ${model}; give its place in the list of models, from 0.`);
    }
    const at = this.count++;
    if (at === this.kinds.length) {
      this.kinds = growTo(this.kinds, 2 * at);
      this.models = growTo(this.models, 4 * at);
      this.poses = growTo(this.poses, 28 * at);
      this.limits = growTo(this.limits, 2 * at);
    }
    this.kinds[at] = kind;
    this.models[2 * at] = a;
    this.models[2 * at + 1] = b;
    this.poses.set(poseA, 14 * at);
    this.poses.set(poseB, 14 * at + 7);
    this.limits[at] = limit;
    return at;
  }
}

/**
 * Answers a batch in this thread. Each answer is that of a stateless call; a `BatchPool` with any number of workers
 * gives the same bits.
 */
export function runBatch(
  models: readonly ProximityModel[],
  queries: BatchQueries,
  options: BatchOptions = {},
): BatchAnswers {
  assertBatch(models, queries, options);
  const { count } = queries;
  const answers = {
    hits: new Uint8Array(count),
    distances: new Float64Array(count),
    points: new Float64Array(6 * count),
  };
  const answerer = new BatchAnswerer(models, queries, answers, 0, options);
  for (let from = 0; from < count; from += PROGRESS_STRIDE) {
    reportProgress(options, from / count, 'queries');
    answerer.answer(from, Math.min(count, from + PROGRESS_STRIDE));
  }
  return { ...answers, counters: answerer.counters() };
}

/** Rejects an invalid batch, with the number of the first bad query. */
export function assertBatch(available: readonly ProximityModel[], queries: BatchQueries, options: BatchOptions): void {
  assertModels(available);
  if (queries === null || typeof queries !== 'object') {
    throw new NearfieldError('bad-argument', `The queries are ${nameValue(queries)}; collect them in a QueryBatch.`);
  }
  BATCH_OPTIONS.assert(options);
  const modelCount = available.length;
  const { count, kinds, models, poses, limits } = queries;
  if (!Number.isInteger(count) || count < 0) {
    throw new NearfieldError('bad-argument', `The batch has ${count} queries; give a whole number from 0.`);
  }
  for (const [array, stride, name] of [
    [kinds, 1, 'kinds'],
    [models, 2, 'models'],
    [poses, 14, 'poses'],
    [limits, 1, 'limits'],
  ] as const) {
    if (ArrayBuffer.isView(array) && array.length >= stride * count) continue;
    throw new NearfieldError(
      'bad-argument',
      `The array of ${name} has ${array?.length ?? 'no'} numbers; ${count} queries need ${stride * count}.`,
    );
  }
  for (let i = 0; i < count; i++) {
    if (kinds[i] > BATCH_DISTANCE) {
      throw new NearfieldError('bad-argument', `Query ${i} is of the kind ${kinds[i]}; kinds are 0, 1 and 2.`);
    }
    for (let k = 0; k < 2; k++) {
      if (models[2 * i + k] < modelCount) continue;
      throw new NearfieldError(
        'index-out-of-range',
        `Query ${i} names model ${models[2 * i + k]}, but the list has ${modelCount} models.`,
      );
    }
    assertPose(poses.subarray(14 * i, 14 * i + 7), `A in query ${i}`);
    assertPose(poses.subarray(14 * i + 7, 14 * i + 14), `B in query ${i}`);
    if (kinds[i] !== BATCH_INTERSECTS) assertLength(limits[i], `limit of query ${i}`);
  }
}

/** Rejects a value that is not a list of models. */
export function assertModels(models: readonly ProximityModel[]): void {
  if (!Array.isArray(models)) {
    throw new NearfieldError('bad-argument', `The models are ${nameValue(models)}; give an array of ProximityModel.`);
  }
  for (const [index, model] of models.entries()) assertModel(model, `Model ${index} of the list`);
}
