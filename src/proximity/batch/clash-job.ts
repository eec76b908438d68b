// A part of a clash check: questions about pairs of shapes and their answers, as plain data for threads and other machines.
// An answer depends on its job only, to the bit: a job may run anywhere, and twice.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, needed, numberFrom, optionTable, PROGRESS_OPTIONS } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { BoxKernel } from '../boxes/box-kernel.js';
import type { VolumeChoice } from '../options.js';
import { VOLUME_RULE } from '../pair-option-table.js';
import { PairQueries } from '../pair-queries.js';
import { PairSearches } from '../pair-searches.js';
import type { ProximityModel } from '../proximity-model.js';
import { ForgetfulBoxes } from '../search-choice.js';
import { assertModels } from './batch.js';

/** Questions about pairs of models. The list of models goes with it. */
export interface ClashJob {
  /** Pairs at this distance or less are in the answer. */
  readonly clearance: number;
  readonly volume: VolumeChoice;
  /** Models A and B as places in the list of models; two per question. */
  readonly models: Uint32Array;
  /** B's pose in A's frame; seven numbers per question. */
  readonly poses: Float64Array;
}

/** Layout: numbers of an answer to one question. */
export const ANSWER_STRIDE = 10;

/** The answers to the questions of a job that have one within the clearance. */
export interface ClashAnswer {
  /** Places of these questions in the job, ascending. */
  readonly questions: Uint32Array;
  /**
   * Ten numbers for each: the distance, 0 if the models intersect; the point on A and that on B; the normal from A to B, zero
   * if they intersect. In A's frame.
   */
  readonly values: Float64Array;
}

/** Chosen: questions between two reports of progress. */
const REPORT_INTERVAL = 64;

/**
 * Answers the questions of a job.
 * @param models those that the job refers to, in its order.
 * @throws NearfieldError for a value that is not a job of these models.
 */
export function runClashJob(
  models: readonly ProximityModel[],
  job: ClashJob,
  progress: ProgressOptions = {},
): ClashAnswer {
  assertModels(models);
  assertJob(job, models.length);
  PROGRESS_OPTIONS.assert(progress);
  const { clearance, volume, models: places, poses } = job;
  const here = pose.identity();
  // One kernel for all models: each model's own would hold copies of all its partners.
  const kernel = new BoxKernel();
  const makePair = (a: ProximityModel, b: ProximityModel): PairQueries => {
    const searches =
      volume === 'boxes' ? new ForgetfulBoxes(a, b, kernel) : new PairSearches(a, b, { volume, coherence: false });
    return new PairQueries(a, b, searches, false);
  };
  const count = places.length / 2;
  const questions: number[] = [];
  const values: number[] = [];
  let pair: PairQueries | null = null;
  for (let i = 0; i < count; i++) {
    if (i % REPORT_INTERVAL === 0) reportProgress(progress, i / count, 'pairs of parts');
    const a = models[places[2 * i]];
    const b = models[places[2 * i + 1]];
    // Questions are sorted by their models.
    if (pair === null || pair.a !== a || pair.b !== b) pair = makePair(a, b);
    const { distance, witness } = pair.measureDistance(here, poses.subarray(7 * i, 7 * i + 7), { cutoff: clearance });
    if (distance === null || witness === null) continue;
    questions.push(i);
    values.push(distance, ...witness.pointA, ...witness.pointB, ...(witness.normal ?? [0, 0, 0]));
  }
  return { questions: Uint32Array.from(questions), values: Float64Array.from(values) };
}

/** Models and poses are checked together. */
const JOB = optionTable<ClashJob>('The fields of the job')({
  clearance: needed(numberFrom(0)),
  volume: VOLUME_RULE,
  models: checkedElsewhere<Uint32Array>(),
  poses: checkedElsewhere<Float64Array>(),
});

/** Refuses a value that is not a job of `modelCount` models. Poses are checked with their questions. */
function assertJob(job: ClashJob, modelCount: number): void {
  if (job === null || typeof job !== 'object') {
    throw new NearfieldError('bad-argument', `The job is ${nameValue(job)}; give one that ClashCheck.job made.`);
  }
  JOB.assert(job);
  const { models, poses } = job;
  if (
    !(models instanceof Uint32Array && poses instanceof Float64Array) ||
    models.length % 2 !== 0 ||
    2 * poses.length !== 7 * models.length
  ) {
    throw new NearfieldError(
      'bad-argument',
      'The job does not have two models (Uint32Array) and a pose of seven numbers (Float64Array) for each question.',
    );
  }
  const wrong = models.findIndex((model) => model >= modelCount);
  if (wrong < 0) return;
  throw new NearfieldError(
    'index-out-of-range',
    `Question ${wrong >> 1} of the job names model ${models[wrong]}, but there are ${modelCount} models.`,
  );
}
