// Whether a trajectory that some planner made keeps a clearance, proven for all times and not only where it is sampled. The
// verdict on each segment is a proof, or a time at which it is violated.
import { numberFrom, numberWithin, oneOf, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { Deadline } from '../../core/deadline.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import { type BuiltTimedMotion, buildTimedMotion } from './build-timed-motion.js';
import { describePlace } from './describe-place.js';
import { type BrokenLimit, findBrokenLimits } from './joint-limits.js';
import type { MotionProblem } from './motion-problem.js';
import { INTERPOLATIONS, type Interpolation, type MotionTrajectory } from './motion-trajectory.js';
import { SegmentProver, type SegmentState } from './segment-proof.js';

/** What is proven: the wanted clearance holds, or it does not. 'undecided': neither, within the budget or beyond rounding. */
export type ClearanceVerdict = 'holds' | 'violated' | 'undecided';

/** How {@link certifyTrajectory} works. */
export interface CertifyOptions extends ProgressOptions {
  /** The least distance wanted everywhere, in meters. Default: that of the problem, else 0: never touch. */
  readonly clearance?: number | undefined;
  /** Default 'auto': by what the points have. */
  readonly interpolation?: Interpolation | undefined;
  /** How wide the interval of the least clearance may be, as a share of it. Default 0.01. */
  readonly relativeError?: number | undefined;
  /** How wide the interval of each segment may be, as a share of its least clearance. Default 0.5: narrower costs more. */
  readonly segmentError?: number | undefined;
  /** In seconds of processor time; what is not decided by then is 'undecided'. Default: no limit. */
  readonly maxSeconds?: number | undefined;
}

/** One stretch between waypoints. */
export interface CertifiedSegment {
  /** In seconds. */
  readonly from: number;
  readonly to: number;
  readonly verdict: ClearanceVerdict;
  /** Nothing comes nearer in the segment. */
  readonly lower: number;
  /** Had at `time`, of the bodies `a` and `b`, between these points; 0 where they meet. Null where nothing can come near. */
  readonly upper: number | null;
  readonly time: number;
  readonly a: string | null;
  readonly b: string | null;
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  /** How deep two solids overlap at `time`, as an interval; null for others, where they do not meet, and where the time was over. */
  readonly depth: { readonly lower: number; readonly upper: number } | null;
}

/** What a trajectory keeps. */
export interface CertifyResult {
  /** That of the clearance: 'violated' if it is so in one segment, 'holds' if it does in all. */
  readonly verdict: ClearanceVerdict;
  /** The clearance that was wanted. */
  readonly wanted: number;
  /** The least of all: proven to be at least `lower`; `upper` is had at `time`. Null where nothing can come near. */
  readonly clearance: { readonly lower: number; readonly upper: number; readonly time: number } | null;
  readonly segments: readonly CertifiedSegment[];
  /** Limits of joints, and bounds and speeds of rigid robots, that the trajectory breaks. */
  readonly limits: readonly BrokenLimit[];
  /** What is proven along the way, finer than segments: stretches in order of time. */
  readonly proven: readonly { readonly from: number; readonly to: number; readonly lower: number }[];
  /** In seconds. */
  readonly duration: number;
  /** What was assumed of the trajectory and done to meshes, a sentence each. */
  readonly notes: readonly string[];
  /** Distances measured and proofs tried. */
  readonly queries: number;
  readonly milliseconds: number;
}

/** Chosen: the share of a segment on each side of its nearest place in which a nearer one is looked for. */
const AROUND = 0.5;

/** Chosen: the most rounds in which the least clearance is closed in on. */
const MAX_ROUNDS = 30;

const OPTIONS = optionTable<CertifyOptions>()({
  clearance: numberFrom(0),
  interpolation: oneOf(INTERPOLATIONS, 'auto'),
  relativeError: numberWithin(1e-6, 0.9, 0.01),
  segmentError: numberWithin(1e-6, 0.9, 0.5),
  maxSeconds: numberFrom(0, Infinity),
  ...PROGRESS_RULES,
});

/**
 * Proves what clearance a trajectory keeps between all bodies that must stay apart, or finds where it does not. A problem of
 * `planMotion` will do; its starts and goals do not matter.
 * @param trajectory one, or several of different robots on one clock.
 */
export function certifyTrajectory(
  problem: MotionProblem,
  trajectory: MotionTrajectory | readonly MotionTrajectory[],
  options: CertifyOptions = {},
): CertifyResult {
  const start = performance.now();
  const { clearance, interpolation, relativeError, segmentError, maxSeconds } = OPTIONS.read(options);
  const wanted = clearance ?? problem?.clearance ?? 0;
  OPTIONS.assert({ clearance: wanted });
  const list = Array.isArray(trajectory)
    ? (trajectory as readonly MotionTrajectory[])
    : [trajectory as MotionTrajectory];
  const built = buildTimedMotion(problem, list, wanted, interpolation);
  const deadline = maxSeconds === Infinity ? null : new Deadline(maxSeconds);
  const errors = { segment: Math.max(segmentError, relativeError), least: relativeError };
  const prover = new SegmentProver(built.motion, built.scenes, wanted, errors, deadline);
  const states = proveSegments(built, prover, relativeError, options);
  const segments = states.map((state) => describeSegment(built, state, deadline));
  const limits = findBrokenLimits(problem, built.names, built.assignment);
  const { times } = built.motion;
  const nearest = states.reduce((a, b) => (b.least.distance < a.least.distance ? b : a));
  const { distance: upper, time } = nearest.least;
  const lower = segments.reduce((least, segment) => Math.min(least, segment.lower), upper);
  return {
    verdict: joinVerdicts(segments),
    wanted,
    clearance: upper === Infinity ? null : { lower, upper, time },
    segments,
    limits,
    proven: states.flatMap(({ stretches }) => [...stretches].sort((a, b) => a.from - b.from)),
    duration: times[times.length - 1] - times[0],
    notes: built.notes,
    queries: prover.queries,
    milliseconds: performance.now() - start,
  };
}

function proveSegments(
  { motion, scenes }: BuiltTimedMotion,
  prover: SegmentProver,
  error: number,
  options: CertifyOptions,
): SegmentState[] {
  const count = motion.segments;
  const [first, second] = [partOfProgress(options, 0, 0.2), partOfProgress(options, 0.2, 1)];
  const states: SegmentState[] = [];
  for (let i = 0; i < count; i++) {
    reportProgress(first, i / count, 'Measuring');
    states.push(prover.begin(i));
  }
  if (scenes.every(({ bodyPairs }) => bodyPairs.length === 0)) {
    for (const state of states) {
      state.verdict = 'holds';
      state.stretches = state.stretches.map(({ from, to }) => ({ from, to, lower: Infinity }));
    }
    return states;
  }
  let least = nearestOf(states);
  for (const [i, state] of states.entries()) {
    reportProgress(second, (0.8 * i) / count, 'Proving');
    prover.prove(state, (1 - error) * least.least.distance);
  }
  // The least of all, closed in on: each round proves what is below it, and may find something nearer.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    least = nearestOf(states);
    prover.descend(least, AROUND);
    least = nearestOf(states);
    const enough = (1 - error) * least.least.distance;
    const open = states.filter((state) => lowerOf(state) < enough);
    if (open.length === 0) break;
    for (const [i, state] of open.entries()) {
      reportProgress(second, 0.8 + (0.2 * i) / open.length, 'Closing in');
      prover.prove(state, enough);
    }
    if (open.every((state) => state.verdict !== 'holds' && lowerOf(state) < enough)) break;
  }
  return states;
}

function nearestOf(states: readonly SegmentState[]): SegmentState {
  return states.reduce((a, b) => (b.least.distance < a.least.distance ? b : a));
}

/** What is proven of a segment: nothing where bodies meet. */
function lowerOf({ stretches, least }: SegmentState): number {
  if (least.distance === 0 || stretches.length === 0) return 0;
  return stretches.reduce((lower, stretch) => Math.min(lower, stretch.lower), Infinity);
}

function describeSegment(built: BuiltTimedMotion, state: SegmentState, deadline: Deadline | null): CertifiedSegment {
  const { times } = built.motion;
  const { index, verdict, least } = state;
  const to = times[Math.min(index + 1, times.length - 1)];
  const place = describePlace(built, state, deadline);
  const upper = least.distance === Infinity ? null : least.distance;
  return { from: times[index], to, verdict, lower: Math.min(lowerOf(state), least.distance), upper, ...place };
}

function joinVerdicts(segments: readonly CertifiedSegment[]): ClearanceVerdict {
  if (segments.some(({ verdict }) => verdict === 'violated')) return 'violated';
  return segments.every(({ verdict }) => verdict === 'holds') ? 'holds' : 'undecided';
}
