// Every pair of parts that intersects or comes within a clearance. A hierarchy over the parts' boxes, each grown by
// half the clearance, is tested against itself; each remaining pair gets an exact distance, cut off at the clearance.
import { assertOptions, type OptionNames, PROGRESS_NAMES } from '../../core/check-options.js';
import { takePose } from '../../core/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Vec3 } from '../../core/vec3.js';
import { boxesOverlap } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import { traverseSelf } from '../../spatial/traverse-bvh-self.js';
import { PROXIMITY_DEFAULTS } from '../defaults.js';
import type { VolumeChoice } from '../options.js';
import { Pair } from '../pair.js';
import type { AssemblyPart } from './assembly.js';
import { assertParts } from './check-parts.js';
import { type IgnoredPair, ignorePairs } from './ignored-pairs.js';

/** Two parts, by index, a before b, that intersect or are no farther apart than the clearance. */
export interface Clash {
  readonly a: number;
  readonly b: number;
  readonly intersects: boolean;
  /** 0 when they intersect. */
  readonly distance: number;
  /** In the world frame; the same common point twice when they intersect. */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** Unit, from A to B; null when they intersect. */
  readonly normal: Vec3 | null;
}

/** What {@link findClashes} found. */
export interface ClashReport {
  /** Worst first; ties in the order of the parts. */
  readonly clashes: Clash[];
  /** Pairs whose boxes come within the clearance, each measured exactly. */
  readonly pairsTested: number;
  /** Pairs whose boxes come within the clearance, left out because of `ignore`. */
  readonly pairsIgnored: number;
}

/** What {@link findClashes} looks for. */
export interface ClashOptions extends ProgressOptions {
  /** Default `PROXIMITY_DEFAULTS.statelessVolume`. */
  readonly volume?: VolumeChoice | undefined;
  /** Pairs at this distance or less clash. Default 0: only those that intersect. */
  readonly clearance?: number | undefined;
  /** Pairs of parts that are meant to meet, by name or by pattern; they are not tested. */
  readonly ignore?: readonly IgnoredPair[] | undefined;
}

const CLASH_NAMES: OptionNames<ClashOptions> = { volume: true, clearance: true, ignore: true, ...PROGRESS_NAMES };

/** Box sides are rounded by a few units in the last place of the coordinates they come from. */
const BOX_ROUNDING = 16 * Number.EPSILON;
/** More pairs than this would take hours, and so many clashes are of no use. */
const MAX_PAIRS = 2 ** 25;

/**
 * Every pair of parts that intersects or comes within a clearance, with the distance and the two points. Closed parts
 * are solids; touching counts as intersecting. {@link buildAssembly} makes parts from model files; any named model with
 * a pose is a part. For moving bodies use a {@link Scene}, which keeps its memory from frame to frame.
 * @throws NearfieldError for an invalid clearance, a part without model or pose, or `too-large` when more than 2^25
 * pairs come near.
 */
export function findClashes(given: readonly AssemblyPart[], options: ClashOptions = {}): ClashReport {
  assertParts(given);
  assertOptions(options, CLASH_NAMES);
  const { clearance = 0, volume = PROXIMITY_DEFAULTS.statelessVolume, ignore = [] } = options;
  if (!(typeof clearance === 'number' && clearance >= 0 && clearance <= MAX_COORDINATE)) {
    throw new NearfieldError(
      'bad-argument',
      `The clearance is ${clearance}; give a number from 0 to ${MAX_COORDINATE}.`,
    );
  }
  const parts = given.map((part, index) => ({ ...part, pose: takePose(part.pose, `part ${index}`) }));
  const isIgnored = ignorePairs(
    parts.map(({ name }) => name),
    ignore,
  );
  const near = findNearPairs(parts, clearance, options);
  const pairs = ignore.length === 0 ? near : near.filter(({ a, b }) => !isIgnored(a, b));
  const clashes: Clash[] = [];
  for (const [index, { a, b }] of pairs.entries()) {
    if (index % 16 === 0) reportProgress(options, 0.1 + (0.9 * index) / pairs.length, 'pairs of parts');
    const pair = new Pair(parts[a].model, parts[b].model, { volume, coherence: false });
    const { intersects, distance, witness } = pair.distance(parts[a].pose, parts[b].pose, { cutoff: clearance });
    if (distance === null || witness === null) continue;
    const { pointA, pointB, normal } = witness;
    clashes.push({ a, b, intersects, distance, pointA, pointB, normal });
  }
  clashes.sort((p, q) => p.distance - q.distance || p.a - q.a || p.b - q.b);
  return { clashes, pairsTested: pairs.length, pairsIgnored: near.length - pairs.length };
}

function findNearPairs(
  parts: readonly AssemblyPart[],
  clearance: number,
  progress: ProgressOptions,
): { a: number; b: number }[] {
  const boxes = new Float64Array(6 * parts.length);
  for (const [index, part] of parts.entries()) {
    if (index % 64 === 0) reportProgress(progress, (0.1 * index) / parts.length, 'boxes of parts');
    placeBox(part, clearance / 2, boxes, 6 * index);
  }
  const pairs: { a: number; b: number }[] = [];
  traverseSelf(buildBvh(boxes), {
    testBoxes: boxesOverlap,
    visitItems: (i, j) => {
      if (pairs.length === MAX_PAIRS) {
        throw new NearfieldError(
          'too-large',
          `more than ${MAX_PAIRS} pairs of parts come within ${clearance}; give a smaller clearance or fewer parts`,
        );
      }
      pairs.push(i < j ? { a: i, b: j } : { a: j, b: i });
      return undefined;
    },
  });
  return pairs.sort((p, q) => p.a - q.a || p.b - q.b);
}

/** The box of a placed part, grown by a margin. */
function placeBox({ model, pose: placement }: AssemblyPart, margin: number, boxes: Float64Array, o: number): void {
  const m = pose.toMatrix4(placement);
  const { positions } = model.mesh;
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z, t] = m.subarray(4 * axis, 4 * axis + 4);
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      const value = x * positions[i] + y * positions[i + 1] + z * positions[i + 2] + t;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const slack = margin + BOX_ROUNDING * (Math.abs(min) + Math.abs(max) + Math.abs(t) + margin);
    boxes[o + axis] = min - slack;
    boxes[o + 3 + axis] = max + slack;
  }
}
