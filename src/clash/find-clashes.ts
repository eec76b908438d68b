// Every pair of parts that intersects or comes within a clearance, at once and in this thread.
import { partOfProgress } from '../core/progress.js';
import { runClashJob } from '../proximity/batch/clash-job.js';
import type { AssemblyPart } from './assembly.js';
import { type Clash, type ClashOptions, compareClashes } from './clash.js';
import { ClashCheck } from './clash-check.js';

/** What {@link findClashes} found. */
export interface ClashReport {
  /** Worst first; ties in the order of the parts. */
  readonly clashes: Clash[];
  /** Pairs whose boxes come within the clearance, each decided exactly. */
  readonly pairsTested: number;
  /** Pairs whose boxes come within the clearance, left out because of `ignore`. */
  readonly pairsIgnored: number;
}

/**
 * Every pair of parts that intersects or comes within a clearance, with the distance and the two points. Closed parts
 * are solids; touching counts as intersecting. {@link buildAssembly} makes parts from model files; any named model with
 * a pose is a part. For many parts use {@link streamClashes}, with threads; for moving bodies a {@link Scene}, which keeps
 * its memory from frame to frame.
 * @throws NearfieldError for an invalid clearance, a part without model or pose, or `too-large` when more than 2^25
 * pairs come near.
 */
export function findClashes(parts: readonly AssemblyPart[], options: ClashOptions = {}): ClashReport {
  const check = new ClashCheck(parts, { ...options, ...partOfProgress(options, 0, 0.1) });
  const clashes: Clash[] = [];
  for (let index = 0; index < check.jobCount; index++) {
    const { models, job } = check.job(index);
    const share = partOfProgress(
      options,
      0.1 + (0.9 * index) / check.jobCount,
      0.1 + (0.9 * (index + 1)) / check.jobCount,
    );
    const answer = runClashJob(
      models.map((number) => check.models[number]),
      job,
      share,
    );
    for (const clash of check.clashesOf(index, answer)) clashes.push(clash);
  }
  const { pairsTested, pairsIgnored } = check;
  return { clashes: clashes.sort(compareClashes), pairsTested, pairsIgnored };
}
