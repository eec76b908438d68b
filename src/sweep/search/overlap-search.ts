// Whether two parts that may overlap up to a depth never overlap deeper: where a translation shorter than that depth takes them
// apart by a gap, it does so in a whole box of joint values if these cannot close the gap.
import type { Deadline } from '../../core/deadline.js';
import type { Pose } from '../../core/pose.js';
import { Pair } from '../../proximity/pair.js';
import { ballGap, type SweptMotion, type SweptPair } from '../motion/swept-motion.js';
import { solidDepth } from './solid-depth.js';

/** Chosen: the accuracy of depths, which a proof needs only roughly. */
const RELATIVE_GAP = 0.2;

/** Chosen: cells of the proof of one depth. */
const MAX_CELLS = 3000;

/** Chosen: the most boxes of a search. */
const MAX_BOXES = 20_000;

/** Chosen: the smallest box, as a share of the range of each axis. */
const SMALLEST = 1 / 2187;

/** What is known of the overlap of a pair over the whole motion. */
export interface OverlapFinding {
  readonly verdict: 'holds' | 'violated' | 'undecided';
  /** Where the deepest overlap was measured, and how deep it is; null where none was. */
  readonly at: Float64Array;
  readonly depth: { readonly lower: number; readonly upper: number } | null;
}

/** A box, and a translation of A that takes the parts apart near it. */
interface OverlapBox {
  readonly middle: Float64Array;
  readonly widths: Float64Array;
  readonly way: readonly [number, number, number] | null;
}

export function searchOverlap(motion: SweptMotion, pair: SweptPair, deadline: Deadline | null): OverlapFinding {
  const [a, b] = [motion.bodies[pair.a].model, motion.bodies[pair.b].model];
  const query = new Pair(a, b, { volume: 'boxes' });
  const axes = motion.axesOf(pair);
  const middle = Float64Array.from(motion.axes, ({ low, high }) => (low + high) / 2);
  const widths = new Float64Array(motion.axes.length);
  for (const axis of axes) widths[axis] = (motion.axes[axis].high - motion.axes[axis].low) / 2;
  const open: OverlapBox[] = [{ middle, widths, way: null }];
  let deepest: Omit<OverlapFinding, 'verdict'> = { at: middle, depth: null };
  const gapAfter = (way: readonly [number, number, number]): number => {
    const poseA = motion.poseOf(pair.a, [0, 0, 0, 0, 0, 0, 1]);
    for (let k = 0; k < 3; k++) poseA[k] += way[k];
    return query.distance(poseA, motion.poseOf(pair.b, [0, 0, 0, 0, 0, 0, 1])).distance ?? Infinity;
  };
  for (let step = 0; open.length > 0; step++) {
    if (step > MAX_BOXES || deadline?.isOver('Sweeping pairs')) return { verdict: 'undecided', ...deepest };
    const box = open.pop()!;
    motion.place(box.middle);
    const reach = motion.reach(pair, box.widths);
    if (ballGap(motion, pair) > reach) continue;
    let { way } = box;
    if (gapAfter([0, 0, 0]) > reach) continue;
    if (way !== null && gapAfter(way) > reach) continue;
    const poses = [pair.a, pair.b].map((body) => motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1])) as [Pose, Pose];
    const found = solidDepth(a, b, ...poses, RELATIVE_GAP, MAX_CELLS);
    if (found === null) return { verdict: 'undecided', ...deepest };
    if (found.upper > (deepest.depth?.upper ?? 0))
      deepest = { at: box.middle.slice(), depth: { lower: found.lower, upper: found.upper } };
    if (found.lower > pair.allowedDepth) return { verdict: 'violated', ...deepest };
    if (found.upper > 0 && found.upper < pair.allowedDepth) {
      // The longest translation that is allowed leaves the largest gap.
      const scale = (pair.allowedDepth * (1 - 1e-12)) / found.upper;
      way = [found.vector[0] * scale, found.vector[1] * scale, found.vector[2] * scale];
      if (gapAfter(way) > reach) continue;
    }
    const longest = longestOf(motion, axes, box.widths);
    if (box.widths[longest] * 2 <= SMALLEST * (motion.axes[longest].high - motion.axes[longest].low))
      return { verdict: 'undecided', ...deepest };
    for (const side of [1, -1]) {
      const part = { middle: box.middle.slice(), widths: box.widths.slice(), way };
      part.widths[longest] /= 2;
      part.middle[longest] += side * part.widths[longest];
      open.push(part);
    }
  }
  return { verdict: 'holds', ...deepest };
}

function longestOf(motion: SweptMotion, axes: readonly number[], widths: Float64Array): number {
  const share = (axis: number): number => widths[axis] / (motion.axes[axis].high - motion.axes[axis].low);
  return axes.reduce((best, axis) => (share(axis) > share(best) ? axis : best), axes[0]);
}
