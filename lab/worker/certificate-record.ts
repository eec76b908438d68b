// The way of a certificate from its first interval to its last: some of the states that the certifier tells of, with the
// cells that were open then. When there are too many, every other goes and from then on every other is left out.
import type { Pose, ProgressOptions } from 'nearfield/core';
import {
  type CertificateState,
  measurePenetration,
  type OpenCell,
  type PenetrationOptions,
  type PenetrationResult,
} from 'nearfield/penetration';
import type { ProximityModel } from 'nearfield/proximity';

/** Where a certificate stood. */
export interface CertificateStep {
  readonly lower: number;
  readonly upper: number;
  readonly cells: number;
  /** Since the query began. */
  readonly milliseconds: number;
  /** View, left, bottom, width and reach of each open cell. */
  readonly open: Float64Array;
}

/** A step without its cells, sent while the search goes on. */
export type IntervalPart = Omit<CertificateStep, 'open'>;

export interface CertificateRecord {
  readonly result: PenetrationResult;
  /** The first is before any cell was looked at, the last is the result; only the last where there was nothing to search. */
  readonly steps: readonly CertificateStep[];
}

/** Numbers of a cell in {@link CertificateStep.open}. */
export const CELL_STRIDE = 5;
const MAX_STEPS = 60;
const PART_EVERY_MS = 30;

/** Certifies a pair and keeps the steps. */
export async function recordCertificate(
  models: readonly [ProximityModel, ProximityModel],
  poses: readonly [Pose, Pose],
  relativeGap: number,
  { signal, onProgress }: ProgressOptions,
  onPart: (part: IntervalPart) => void,
): Promise<CertificateRecord> {
  const ask = (options: PenetrationOptions) =>
    measurePenetration(...models, ...poses, { method: 'certified', relativeGap, signal, ...options });
  const before = await ask({ maxCells: 0 });
  if (before.status !== 'budget') return { result: before, steps: [stepOf(before, before.milliseconds, [])] };
  // All directions are open, as the six sides of the cube.
  const sides = [0, 1, 2, 3, 4, 5].map((view) => ({ view, left: -1, bottom: -1, width: 2, reach: 0 }));
  const steps = [stepOf(before, before.milliseconds, sides)];
  let [stride, heard, toldAt] = [1, 0, 0];
  const began = performance.now();
  const hear = (state: CertificateState): void => {
    const now = performance.now();
    if (now - toldAt >= PART_EVERY_MS) {
      toldAt = now;
      const { lower, upper, cells } = state;
      onPart({ lower, upper, cells, milliseconds: now - began });
      onProgress?.(shareDone(state, relativeGap), `certified from ${lower.toPrecision(5)} to ${upper.toPrecision(5)}`);
    }
    if (heard++ % stride !== 0) return;
    // Cells that were left before the upper bound came down may be covered far enough by now.
    const wanted = (1 - relativeGap) * state.upper;
    const left = state.open.filter(({ reach }) => reach < wanted);
    steps.push(stepOf(state, now - began, left));
    if (steps.length < MAX_STEPS) return;
    steps.splice(1, steps.length, ...steps.slice(1).filter((_, i) => i % 2 === 0));
    stride *= 2;
  };
  const result = await ask({ onCells: hear });
  const open = result.status === 'certified' ? new Float64Array(0) : steps[steps.length - 1].open;
  steps.push({ ...stepOf(result, result.milliseconds, []), open });
  return { result, steps };
}

function stepOf(
  { lower, upper, cells }: Pick<CertificateState, 'lower' | 'upper' | 'cells'>,
  milliseconds: number,
  open: readonly Omit<OpenCell, 'list'>[],
): CertificateStep {
  const flat = open.flatMap(({ view, left, bottom, width, reach }) => [view, left, bottom, width, reach]);
  return { lower, upper, cells, milliseconds, open: Float64Array.from(flat) };
}

/** How far the gap has come from 1 to what is wanted, in ratios. */
function shareDone({ lower, upper }: CertificateState, wanted: number): number {
  const gap = (upper - lower) / upper;
  return Math.min(1, Math.max(0, Math.log(gap) / Math.log(wanted)));
}
