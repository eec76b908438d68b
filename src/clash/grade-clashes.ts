// How bad each clash of an assembly is: parts that merely touch, parts that overlap and by how much, and parts that are
// too close. The depth of an overlap is the certified penetration depth of the two solids.
import { Deadline } from '../core/deadline.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { reportProgress } from '../core/progress.js';
import { measurePenetrationSync } from '../penetration/measure-on-cpu.js';
import type { PenetrationOptions } from '../penetration/options.js';
import type { PenetrationResult } from '../penetration/result.js';
import type { AssemblyPart } from './assembly.js';
import type { Clash } from './clash.js';
import { ClashGrader, DEPTH_STAGE, type GradeOptions, type Overlap } from './clash-grader.js';
import type { GradedClash } from './graded-clash.js';

/**
 * Chosen: a depth may take this multiple of the time left on the clock in processor time, as the process may wait for others.
 */
const CLOCK_PER_PROCESSOR = 4;

/**
 * Adds to each clash whether its parts touch, interfere or are too close, and how deep they interfere. Worst first: by
 * depth, then by distance. Parts that bound no solid have no depth; the clash says why.
 * @throws NearfieldError for options out of range.
 */
export function gradeClashes(
  parts: readonly AssemblyPart[],
  clashes: readonly Clash[],
  options: GradeOptions = {},
): GradedClash[] {
  const grader = new ClashGrader(parts, clashes, options);
  const { maxMilliseconds, pairMilliseconds, relativeGap, solidify, signal } = grader.options;
  const { overlaps } = grader;
  const rounds = grader.rounds();
  const deadline = new Deadline(maxMilliseconds / 1000);
  for (let round = rounds.next(); round !== null; round = rounds.next()) {
    const { maxCells } = round;
    for (const [done, overlap] of round.overlaps.entries()) {
      reportProgress(options, done / round.overlaps.length, DEPTH_STAGE);
      const left = maxMilliseconds - deadline.elapsed;
      if (left <= 0) return grader.grade(rounds.depths);
      const limit = Math.min(pairMilliseconds, CLOCK_PER_PROCESSOR * left);
      rounds.take(
        overlap,
        measureDepth(overlaps[overlap], { relativeGap, maxCells, maxMilliseconds: limit, solidify, signal }),
      );
    }
  }
  return grader.grade(rounds.depths);
}

function measureDepth({ a, b, relative }: Overlap, options: PenetrationOptions): PenetrationResult | NearfieldError {
  try {
    return measurePenetrationSync(a, b, pose.identity(), relative, options);
  } catch (error) {
    // The caller's signal ends the whole call, not this depth.
    if (!(error instanceof NearfieldError) || options.signal?.aborted) throw error;
    return error;
  }
}
