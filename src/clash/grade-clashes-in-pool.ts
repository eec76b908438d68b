// The depths of clashes in the threads of a pool or on the machines of a cluster.

import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { PENETRATION_DEFAULTS } from '../penetration/defaults.js';
import type { PenetrationResult } from '../penetration/result.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool } from '../proximity/batch/model-pool.js';
import { askPairsInPool } from '../proximity/batch/posed-pairs.js';
import type { AssemblyPart } from './assembly.js';
import type { Clash } from './find-clashes.js';
import {
  ClashGrader,
  DEPTH_STAGE,
  type Depth,
  type GradedClash,
  type GradeOptions,
  TIME_OVER,
} from './grade-clashes.js';

const { grading } = PENETRATION_DEFAULTS;

/**
 * As `gradeClashes`, with the depths measured in a pool. The same grades, to the bit, where no depth runs out of time; with more
 * workers more of them are done in `maxMilliseconds`.
 */
export async function gradeClashesInPool(
  pool: TaskPool,
  parts: readonly AssemblyPart[],
  clashes: readonly Clash[],
  options: GradeOptions = {},
): Promise<GradedClash[]> {
  assertPool(pool);
  const grader = new ClashGrader(parts, clashes, options);
  const { maxMilliseconds = Infinity, pairMilliseconds = grading.pairMilliseconds } = options;
  const { relativeGap = grading.relativeGap, signal, onProgress } = options;
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
  return grader.grade(
    answers.map((answer): Depth => {
      if (answer instanceof NearfieldError) return answer.code === 'aborted' ? TIME_OVER : { unknown: answer.message };
      const { lower, upper, vector } = answer;
      return { lower, upper, vector };
    }),
  );
}
