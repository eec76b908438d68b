// Preparation and contacts in a worker, so that the thread of a page or a server stays free.

import { assertPose } from '../../core/check/check-pose.js';
import { optionTable, PROGRESS_OPTIONS, PROGRESS_RULES } from '../../core/check/option-table.js';
import type { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { ProgressOptions } from '../../core/progress.js';
import { readHierarchy } from '../../decomposition/hierarchy/hierarchy-file.js';
import { assertPool } from '../../pool/task-pool.js';
import { assertModel } from '../arguments.js';
import { CONTACT_OPTIONS, type ContactOptions } from '../options.js';
import type { ProximityModel } from '../proximity-model.js';
import type { ContactsResult } from '../result.js';
import type { TaskPool } from './model-pool.js';
import { askPairsInPool, assertPosedPairs, type PosedPair } from './posed-pairs.js';

/**
 * Makes a model's hulls in a worker and gives them to the model, as `prepareModel(model, 'hulls')` does in this thread.
 * @throws NearfieldError if the mesh has no hulls, because it is not a surface or intersects itself.
 */
export async function prepareInPool(
  pool: TaskPool,
  model: ProximityModel,
  options: ProgressOptions = {},
): Promise<void> {
  assertPool(pool);
  assertModel(model, 'The model');
  PROGRESS_OPTIONS.assert(options);
  if (model.hullsReady) return;
  const bytes = (await pool.call('proximity/hulls', [model], null, options)) as Uint8Array;
  model.adoptHulls(readHierarchy(bytes));
}

const CONTACTS_OPTIONS = optionTable<ContactOptions & ProgressOptions>()({
  ...CONTACT_OPTIONS.rules,
  ...PROGRESS_RULES,
});

/** As `findContacts`, in a worker. */
export async function findContactsInPool(
  pool: TaskPool,
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ContactOptions & ProgressOptions,
): Promise<ContactsResult> {
  assertPool(pool);
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  assertPose(poseA, 'A');
  assertPose(poseB, 'B');
  CONTACTS_OPTIONS.assert(options);
  const { signal, onProgress, ...rest } = options;
  const input = { poseA: Array.from(poseA), poseB: Array.from(poseB), options: rest };
  return (await pool.call('proximity/contacts', [a, b], input, { signal, onProgress })) as ContactsResult;
}

/**
 * As `findContacts` for many placed pairs, in the workers of a pool, several pairs to a job. The answers are in the order of
 * the pairs. A pair that could not be answered has its error instead.
 */
export async function findContactsOfPairsInPool(
  pool: TaskPool,
  pairs: readonly PosedPair[],
  options: ContactOptions & ProgressOptions,
): Promise<(ContactsResult | NearfieldError)[]> {
  assertPool(pool);
  assertPosedPairs(pairs);
  CONTACTS_OPTIONS.assert(options);
  const { signal, onProgress, ...rest } = options;
  return askPairsInPool(pool, 'proximity/contacts-of-pairs', 'contacts', pairs, rest, { signal, onProgress });
}
