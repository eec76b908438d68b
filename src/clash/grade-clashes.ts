// How bad each clash of an assembly is: parts that merely touch, parts that overlap and by how much, and parts that are
// too close. The depth of an overlap is the certified penetration depth of the two solids.
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { reportProgress } from '../core/progress.js';
import { measurePenetrationSync } from '../penetration/measure-on-cpu.js';
import type { PenetrationOptions } from '../penetration/options.js';
import type { AssemblyPart } from './assembly.js';
import type { Clash } from './clash.js';
import {
  ClashGrader,
  DEPTH_STAGE,
  type Depth,
  depthFrom,
  type GradeOptions,
  type Overlap,
  TIME_OVER,
} from './clash-grader.js';
import type { GradedClash } from './graded-clash.js';

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
  const { maxMilliseconds, pairMilliseconds, relativeGap, signal } = grader.options;
  const deadline = performance.now() + maxMilliseconds;
  const { overlaps } = grader;
  const depths = overlaps.map((overlap, index): Depth => {
    reportProgress(options, index / overlaps.length, DEPTH_STAGE);
    const left = deadline - performance.now();
    if (left <= 0) return TIME_OVER;
    return measureDepth(overlap, { relativeGap, maxMilliseconds: Math.min(pairMilliseconds, left), signal });
  });
  return grader.grade(depths);
}

function measureDepth({ a, b, relative }: Overlap, options: PenetrationOptions): Depth {
  try {
    return depthFrom(measurePenetrationSync(a, b, pose.identity(), relative, options));
  } catch (error) {
    // The caller's signal ends the whole call, not this depth.
    if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
    return depthFrom(error);
  }
}
