// The depths of clashes in the threads of a pool or on the machines of a cluster.
import * as pose from '../core/pose.js';
import type { PenetrationResult } from '../penetration/result.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool } from '../proximity/batch/model-pool.js';
import { askPairsInPool } from '../proximity/batch/posed-pairs.js';
import type { AssemblyPart } from './assembly.js';
import type { Clash } from './clash.js';
import { ClashGrader, DEPTH_STAGE, depthFrom, type GradeOptions } from './clash-grader.js';
import type { GradedClash } from './graded-clash.js';

/**
 * As `gradeClashes`, with the depths measured in a pool. The grades are the same, to the bit, where no depth runs out of
 * time; more workers measure more depths in `maxMilliseconds`.
 */
export async function gradeClashesInPool(
  pool: TaskPool,
  parts: readonly AssemblyPart[],
  clashes: readonly Clash[],
  options: GradeOptions = {},
): Promise<GradedClash[]> {
  assertPool(pool);
  const grader = new ClashGrader(parts, clashes, options);
  const { maxMilliseconds, pairMilliseconds, relativeGap, signal, onProgress } = grader.options;
  const here = pose.identity();
  const pairs = grader.overlaps.map(({ a, b, relative }) => ({ a, b, poseA: here, poseB: relative }));
  const answers = await askPairsInPool<PenetrationResult>(
    pool,
    'penetration/measure-pairs',
    'depth',
    pairs,
    { relativeGap, maxMilliseconds: pairMilliseconds },
    { signal, onProgress: onProgress && ((fraction) => onProgress(fraction, DEPTH_STAGE)) },
    maxMilliseconds,
  );
  return grader.grade(answers.map(depthFrom));
}
