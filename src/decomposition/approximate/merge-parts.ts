// Joins parts again where the hull of two is near to both: the pair that differs least first, as CoACD does (Wei et al.
// 2022), as long as the result passes, and below a given number of parts whatever it is. O(parts² log parts) hulls.
import { IndexedHeap } from '../../core/heap.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Target } from './hull-overshoot.js';
import { HulledPart } from './hulled-part.js';

/** How parts are joined. */
export interface MergeRules {
  readonly target: Target;
  /** The most parts. */
  readonly most: number;
  /** No pair that surely differs by more than this passes. */
  readonly limit: number;
  /** Whether a pair may be joined. */
  passes(part: HulledPart): boolean;
  /** When the time is over, by `performance.now()`: from then on pairs are joined only for their number. */
  readonly deadline: number;
}

/** Fewer parts: pairs that pass while there are any, then others until there are at most `rules.most`. */
export function mergeParts(given: readonly HulledPart[], rules: MergeRules, options?: ProgressOptions): HulledPart[] {
  const parts: (HulledPart | null)[] = [...given];
  let count = parts.length;
  const pairs: { readonly a: number; readonly b: number; joined: HulledPart | null }[] = [];
  /** Pairs that may pass, and pairs that do not, for when there are too many parts; by how much they differ. */
  const open = new IndexedHeap();
  const refused = new IndexedHeap();
  const isLate = (): boolean => performance.now() >= rules.deadline;
  const offer = (a: number, b: number): void => {
    const [first, second] = [parts[a]!, parts[b]!];
    if (!boxesMeet(first.box, second.box)) return;
    const joined = new HulledPart(first, second);
    const estimate = joined.estimate(rules.target);
    const isOpen = estimate <= rules.limit;
    pairs.push({ a, b, joined: isOpen ? joined : null });
    (isOpen ? open : refused).set(pairs.length - 1, estimate);
  };
  const join = (a: number, b: number, joined: HulledPart): void => {
    parts[a] = parts[b] = null;
    parts.push(joined);
    count--;
    for (let other = 0; other < parts.length - 1 && !isLate(); other++) {
      if (parts[other] !== null) offer(other, parts.length - 1);
    }
  };
  const isAlive = ({ a, b }: { a: number; b: number }): boolean => parts[a] !== null && parts[b] !== null;
  for (let b = 1; b < parts.length && !isLate(); b++) {
    reportProgress(options, 0, 'merging');
    for (let a = 0; a < b; a++) offer(a, b);
  }
  while (!isLate()) {
    reportProgress(options, 1 - count / given.length, 'merging');
    if (open.size > 0) {
      const id = open.pop();
      const pair = pairs[id];
      const joined = pair.joined!;
      pair.joined = null;
      if (!isAlive(pair)) continue;
      if (rules.passes(joined)) join(pair.a, pair.b, joined);
      else refused.set(id, rules.limit);
    } else if (count > rules.most && refused.size > 0) {
      const pair = pairs[refused.pop()];
      if (isAlive(pair)) join(pair.a, pair.b, new HulledPart(parts[pair.a]!, parts[pair.b]!));
    } else {
      break;
    }
  }
  const left = parts.filter((part) => part !== null);
  while (left.length > rules.most) joinSmallest(left);
  return left;
}

/** Joins the two parts with the smallest common box: for parts that lie apart, and when the time is over. */
function joinSmallest(parts: HulledPart[]): void {
  let [first, second, least] = [0, 1, Infinity];
  for (let b = 1; b < parts.length; b++) {
    for (let a = 0; a < b; a++) {
      let size = 0;
      for (let axis = 0; axis < 3; axis++) {
        const low = Math.min(parts[a].box[axis], parts[b].box[axis]);
        size += Math.max(parts[a].box[axis + 3], parts[b].box[axis + 3]) - low;
      }
      if (size < least) [first, second, least] = [a, b, size];
    }
  }
  parts[first] = new HulledPart(parts[first], parts[second]);
  parts.splice(second, 1);
}

function boxesMeet(a: Float64Array, b: Float64Array): boolean {
  const slack = 1e-9 * Math.max(a[3] - a[0], a[4] - a[1], a[5] - a[2]);
  return [0, 1, 2].every((axis) => a[axis] <= b[axis + 3] + slack && b[axis] <= a[axis + 3] + slack);
}
