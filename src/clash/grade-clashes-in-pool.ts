// The depths of clashes in the threads of a pool or on the machines of a cluster.
import { Deadline } from '../core/deadline.js';
import * as pose from '../core/pose.js';
import type { PenetrationResult } from '../penetration/result.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool } from '../proximity/batch/model-pool.js';
import { askPairsInPool } from '../proximity/batch/posed-pairs.js';
import type { AssemblyPart } from './assembly.js';
import type { Clash } from './clash.js';
import { ClashGrader, DEPTH_STAGE, type GradeOptions } from './clash-grader.js';
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
  const { maxMilliseconds, pairMilliseconds, relativeGap, solidify, signal, onProgress } = grader.options;
  const here = pose.identity();
  const rounds = grader.rounds();
  const deadline = new Deadline(maxMilliseconds / 1000);
  for (let round = rounds.next(); round !== null; round = rounds.next()) {
    const left = maxMilliseconds - deadline.elapsed;
    if (left <= 0) break;
    const { overlaps, maxCells } = round;
    const pairs = overlaps.map((overlap) => {
      const { a, b, relative } = grader.overlaps[overlap];
      return { a, b, poseA: here, poseB: relative };
    });
    const answers = await askPairsInPool<PenetrationResult>(
      pool,
      'penetration/measure-pairs',
      'depth',
      pairs,
      { relativeGap, maxCells, maxMilliseconds: Math.min(pairMilliseconds, left), solidify },
      { signal, onProgress: onProgress && ((fraction) => onProgress(fraction, DEPTH_STAGE)) },
      left,
    );
    for (const [i, answer] of answers.entries()) rounds.take(overlaps[i], answer);
  }
  return grader.grade(rounds.depths);
}
