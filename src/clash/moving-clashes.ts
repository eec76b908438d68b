// Which parts of an assembly meet while it moves, and when; or how far they stay apart. Every answer holds for all times, not for
// the keys only: pairs near whose boxes over the whole motion the others come are proven clear or followed to their first
// impact by `validateMotion`. Pairs that clash at the beginning are not told again.
import { checkedElsewhere, numberWithin, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import type { Pose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { Keyframe } from '../proximity/impact/motion.js';
import { testTolerance, validateMotion } from '../proximity/queries.js';
import { boxesOverlap } from '../spatial/box-relations.js';
import { buildBvh } from '../spatial/build-bvh.js';
import { traverseSelf } from '../spatial/traverse-bvh-self.js';
import type { AssemblyPart } from './assembly.js';
import { assertParts } from './check-parts.js';
import { type IgnoredPair, ignorePairs } from './ignored-pairs.js';

/** Where each part is over time. Between two times it moves evenly, as {@link Keyframe} says. */
export interface AssemblyMotion {
  /** Ascending. */
  readonly times: readonly number[];
  /** By part: its pose at each time; null for one that keeps the pose of the part. */
  readonly poses: readonly (readonly Pose[] | null)[];
}

/** What to look for. */
export interface MovingOptions extends ProgressOptions {
  /** Pairs that come this near clash. Default 0: those that touch. */
  readonly clearance?: number | undefined;
  /** As of {@link findClashes}. */
  readonly ignore?: readonly IgnoredPair[] | undefined;
}

/** Two parts that move relative to each other. */
export interface MovingPair {
  readonly a: number;
  readonly b: number;
  /** 'impact': they come nearer than the clearance; 'clear': proven not to; 'unresolved': not decided. */
  readonly status: 'impact' | 'clear' | 'unresolved';
  /** When they first come nearer than the clearance, or when they are nearest. */
  readonly time: number;
  /** The least distance over the whole motion, as far as it is known: 0 to the clearance for an impact. */
  readonly lower: number;
  readonly upper: number;
  /** The nearest points then, in the world. */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
}

/** What {@link findMovingClashes} found. */
export interface MovingReport {
  /** Pairs that come near while they move: first those that meet, the earliest first; then by the least distance. */
  readonly pairs: readonly MovingPair[];
  /** Pairs that are nearer than the clearance at the beginning already. */
  readonly atRest: number;
  readonly pairsTested: number;
}

const MOVING_TABLE = optionTable<MovingOptions>()({
  clearance: numberWithin(0, MAX_COORDINATE, 0),
  ignore: checkedElsewhere<readonly IgnoredPair[]>([]),
  ...PROGRESS_RULES,
});

/** @throws NearfieldError for a motion that is not one of these parts, or that turns a part by half a turn at once. */
export function findMovingClashes(
  parts: readonly AssemblyPart[],
  motion: AssemblyMotion,
  options: MovingOptions = {},
): MovingReport {
  assertParts(parts);
  const { clearance, ignore } = MOVING_TABLE.read(options);
  assertMotion(parts, motion);
  const isIgnored = ignorePairs(
    parts.map(({ name }) => name),
    ignore,
  );
  const motions = parts.map((part, i): Pose | Keyframe[] => {
    const poses = motion.poses[i];
    return poses === null ? part.pose : motion.times.map((time, k) => ({ time, pose: poses[k] }));
  });
  const near = listNear(parts, motion, clearance).filter(([a, b]) => !isIgnored(a, b));
  const pairs: MovingPair[] = [];
  let atRest = 0;
  for (const [done, [a, b]] of near.entries()) {
    reportProgress(options, done / near.length, 'moving parts');
    const [modelA, modelB] = [parts[a].model, parts[b].model];
    const [first, second] = [a, b].map((part) => motion.poses[part]?.[0] ?? parts[part].pose);
    if (testTolerance(modelA, modelB, first, second, clearance).within) {
      atRest++;
      continue;
    }
    const { status, lower, time, witness, least } = validateMotion(
      modelA,
      modelB,
      { a: motions[a], b: motions[b] },
      { clearance },
    );
    const points = witness ?? least?.witness ?? null;
    pairs.push({
      ...{ a, b, status, time: time ?? least?.time ?? lower },
      lower: least?.lower ?? 0,
      upper: least?.upper ?? clearance,
      pointA: points === null ? null : points.pointA,
      pointB: points === null ? null : points.pointB,
    });
  }
  const rank = ({ status }: MovingPair): number => ['impact', 'unresolved', 'clear'].indexOf(status);
  pairs.sort((p, q) => rank(p) - rank(q) || (p.status === 'clear' ? p.lower - q.lower : p.time - q.time));
  return { pairs, atRest, pairsTested: near.length };
}

/** The pairs that move relative to each other, whose boxes over the whole motion come within the clearance. */
function listNear(parts: readonly AssemblyPart[], motion: AssemblyMotion, clearance: number): [number, number][] {
  const boxes = new Float64Array(6 * parts.length);
  for (const [i, part] of parts.entries()) {
    const { low, high } = sweepBox(part, motion.poses[i], clearance / 2);
    boxes.set(low, 6 * i);
    boxes.set(high, 6 * i + 3);
  }
  const found: [number, number][] = [];
  traverseSelf(buildBvh(boxes), {
    testBoxes: boxesOverlap,
    visitItems: (i, j) => {
      if (motion.poses[i] !== null || motion.poses[j] !== null) found.push([Math.min(i, j), Math.max(i, j)]);
      return undefined;
    },
  });
  return found.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}

/** A box around the ball of a part at all times: between two keys its center leaves the straight way by an arc's rise. */
function sweepBox(part: AssemblyPart, poses: readonly Pose[] | null, margin: number): { low: Vec3; high: Vec3 } {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  const { center, radius } = part.model;
  const reach = vec3.length(center);
  for (const [k, place] of (poses ?? [part.pose]).entries()) {
    const turn = k === 0 || poses === null ? 0 : angleBetween(poses[k - 1], place);
    const grow = (radius + reach * (1 - Math.cos(turn / 2)) + margin) * (1 + 1e-9);
    const at = pose.transformPoint(place, center);
    // The arc is on either side of a key.
    for (const other of k === 0 || poses === null ? [at] : [at, pose.transformPoint(poses[k - 1], center)]) {
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], other[axis] - grow);
        high[axis] = Math.max(high[axis], other[axis] + grow);
      }
    }
  }
  return { low, high };
}

function angleBetween(p: Pose, q: Pose): number {
  const cosine = Math.abs(p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6]);
  return 2 * Math.acos(Math.min(1, cosine));
}

function assertMotion(parts: readonly AssemblyPart[], { times, poses }: AssemblyMotion): void {
  const isOne =
    Array.isArray(times) &&
    Array.isArray(poses) &&
    poses.length === parts.length &&
    times.length > 0 &&
    times.every((time, i) => Number.isFinite(time) && (i === 0 || time > times[i - 1])) &&
    poses.every((list) => list === null || (Array.isArray(list) && list.length === times.length));
  if (isOne) return;
  throw new NearfieldError(
    'bad-argument',
    `The motion is not one of ${parts.length} parts; give ascending times, and for each part a pose for each time or null.`,
  );
}
