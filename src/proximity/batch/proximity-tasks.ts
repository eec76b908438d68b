// The tasks of this chapter that a pool hands to one worker. Higher chapters have lists of their own.
import type { ReadonlyPose } from '../../core/pose.js';
import { writeHierarchy } from '../../decomposition/hierarchy/hierarchy-file.js';
import { hullsOf } from '../hulls/model-hulls.js';
import type { ContactOptions } from '../options.js';
import { findContacts } from '../queries.js';
import { runBatch } from './batch.js';
import type { BatchInput } from './batch-in-pool.js';
import { type ClashJob, runClashJob } from './clash-job.js';
import type { WorkerTasks } from './model-pool.js';
import { answerPairs, type PosedPairsInput } from './posed-pairs.js';

/** The input of tasks about two placed models. */
export interface PairInput<Options> {
  readonly poseA: ReadonlyPose;
  readonly poseB: ReadonlyPose;
  readonly options: Options;
}

/** The tasks that every worker serves. */
export const PROXIMITY_TASKS = {
  'proximity/hulls': ([model], _: null, progress) => writeHierarchy(hullsOf(model, progress)),
  'proximity/contacts': ([a, b], { poseA, poseB, options }: PairInput<ContactOptions>) =>
    findContacts(a, b, poseA, poseB, options),
  'proximity/contacts-of-pairs': (models, input: PosedPairsInput<ContactOptions>, progress) =>
    answerPairs(
      models,
      input,
      ({ a, b, poseA, poseB }, options) => findContacts(a, b, poseA, poseB, options),
      progress,
    ),
  'proximity/batch': (models, { queries, options }: BatchInput, progress) =>
    runBatch(models, queries, { ...options, ...progress }),
  'proximity/clashes': (models, job: ClashJob, progress) => runClashJob(models, job, progress),
} satisfies WorkerTasks;
