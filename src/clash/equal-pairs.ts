// Pairs of parts that are the same question: the same two shapes in the same relative pose, to the bit. Rows of equal bolts,
// copied bays and repeated floors ask one question many times. Questions are sorted by their shapes, so that one that follows
// another searches the same trees. Linear in time.
import { groupByKey, sortByKey } from '../core/counting-sort.js';
import * as pose from '../core/pose.js';
import type { AssemblyPart } from './assembly.js';

/** Pairs gathered into groups. */
export interface EqualPairs {
  readonly count: number;
  /** Pairs by group: those of group g are at `starts[g]` up to before `starts[g + 1]`, in the order of the pairs. */
  readonly members: Uint32Array;
  readonly starts: Uint32Array;
}

/** Label: a free place of the hash table. */
const EMPTY = 0xffffffff;

/** The relative poses of pairs of parts. The part whose shape comes first is A, so that a pair has one pose either way. */
export class RelativePoses {
  readonly #parts: readonly AssemblyPart[];
  readonly #shapeOf: Uint32Array;
  readonly #pairs: Uint32Array;

  /** @param shapeOf the number of the shape of each part; @param pairs two parts a pair. */
  constructor(parts: readonly AssemblyPart[], shapeOf: Uint32Array, pairs: Uint32Array) {
    this.#parts = parts;
    this.#shapeOf = shapeOf;
    this.#pairs = pairs;
  }

  get count(): number {
    return this.#pairs.length / 2;
  }

  /** Whether A is the second part of the pair. */
  isSwapped(pair: number): boolean {
    return this.#shapeOf[this.#pairs[2 * pair]] > this.#shapeOf[this.#pairs[2 * pair + 1]];
  }

  /** The part that is A (0) or B (1). */
  partOf(pair: number, which: 0 | 1): number {
    return this.#pairs[2 * pair + (this.isSwapped(pair) ? 1 - which : which)];
  }

  shapeOf(pair: number, which: 0 | 1): number {
    return this.#shapeOf[this.partOf(pair, which)];
  }

  /** Writes B's pose in A's frame. Of a quaternion and its negative, which are one rotation, it is always the same one. */
  write(pair: number, out: Float64Array, at: number): void {
    const a = this.#parts[this.partOf(pair, 0)].pose;
    const b = this.#parts[this.partOf(pair, 1)].pose;
    const relative = pose.bInA(a, b);
    let sign = 0;
    for (let k = 6; sign === 0 && k >= 3; k--) sign = Math.sign(relative[k]);
    // Adding 0 makes a zero positive.
    for (let k = 0; k < 7; k++) out[at + k] = (k < 3 ? relative[k] : sign * relative[k]) + 0;
  }
}

/** Gathers equal pairs. Groups are sorted by the shapes of A and B, then by their first pair. */
export function gatherEqualPairs(poses: RelativePoses, shapeCount: number): EqualPairs {
  const { groupOf, firsts } = numberGroups(poses);
  const byB = sortByKey(
    Uint32Array.from(firsts.keys()),
    firsts.map((pair) => poses.shapeOf(pair, 1)),
    shapeCount,
  );
  const order = sortByKey(
    byB,
    firsts.map((pair) => poses.shapeOf(pair, 0)),
    shapeCount,
  );
  const rank = new Uint32Array(firsts.length);
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  const { start, items } = groupByKey(
    groupOf.map((group) => rank[group]),
    firsts.length,
  );
  return { count: firsts.length, members: items, starts: start };
}

/** The group of each pair and the first pair of each group, by a hash table with open addresses. */
function numberGroups(poses: RelativePoses): { groupOf: Uint32Array; firsts: Uint32Array } {
  const { count } = poses;
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
  const table = new Uint32Array(size).fill(EMPTY);
  const groupOf = new Uint32Array(count);
  const firsts = new Uint32Array(count);
  const [mine, other] = [new Float64Array(7), new Float64Array(7)];
  const words = new Uint32Array(mine.buffer);
  let groups = 0;
  for (let pair = 0; pair < count; pair++) {
    poses.write(pair, mine, 0);
    let hash = Math.imul(poses.shapeOf(pair, 0), 0x9e3779b1) ^ Math.imul(poses.shapeOf(pair, 1), 0x85ebca77);
    for (const word of words) {
      hash = Math.imul(hash ^ word, 0x01000193);
      hash ^= hash >>> 15;
    }
    let at = (hash >>> 0) & (size - 1);
    while (table[at] !== EMPTY && !isEqual(poses, firsts[table[at]], pair, mine, other)) at = (at + 1) & (size - 1);
    if (table[at] === EMPTY) {
      firsts[groups] = pair;
      table[at] = groups++;
    }
    groupOf[pair] = table[at];
  }
  return { groupOf, firsts: firsts.slice(0, groups) };
}

function isEqual(
  poses: RelativePoses,
  first: number,
  pair: number,
  poseOfPair: Float64Array,
  scratch: Float64Array,
): boolean {
  if (poses.shapeOf(first, 0) !== poses.shapeOf(pair, 0) || poses.shapeOf(first, 1) !== poses.shapeOf(pair, 1)) {
    return false;
  }
  poses.write(first, scratch, 0);
  for (let k = 0; k < 7; k++) if (scratch[k] !== poseOfPair[k]) return false;
  return true;
}
