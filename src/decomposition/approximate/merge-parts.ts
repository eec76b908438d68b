// Joins parts again where the hull of two leaves little more than their own: the pair with the least added volume first,
// as long as the result passes, and below a given number of parts whatever it is. O(parts² log parts) hulls.
import { IndexedHeap } from '../../core/heap.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { HulledPart } from './hulled-part.js';
import { joinParts } from './part.js';

/** Fewer parts: pairs that `passes` accepts while there are any, then others until there are at most `most`. */
export function mergeParts(
  given: readonly HulledPart[],
  isClosed: boolean,
  most: number,
  passes: (part: HulledPart) => boolean,
  options?: ProgressOptions,
): HulledPart[] {
  const parts: (HulledPart | null)[] = [...given];
  let count = parts.length;
  const pairs: { a: number; b: number }[] = [];
  const heap = new IndexedHeap();
  /** Pairs that do not pass, for when there are too many parts. */
  const refused: { pair: number; added: number }[] = [];
  const offer = (a: number, b: number): void => {
    const [first, second] = [parts[a]!, parts[b]!];
    if (!boxesMeet(first.box, second.box)) return;
    const joined = new HulledPart({ ...EMPTY, positions: cornersOf(first, second) }, false);
    pairs.push({ a, b });
    heap.set(pairs.length - 1, joined.hullVolume - first.hullVolume - second.hullVolume);
  };
  for (let b = 1; b < parts.length; b++) {
    reportProgress(options, 0, 'merging');
    for (let a = 0; a < b; a++) offer(a, b);
  }
  const merge = (pair: number, isForced: boolean, added: number): void => {
    const { a, b } = pairs[pair];
    const [first, second] = [parts[a], parts[b]];
    if (first === null || second === null) return;
    const joined = new HulledPart(joinParts(first.part, second.part), isClosed, first.volume + second.volume);
    if (!isForced && !passes(joined)) {
      refused.push({ pair, added });
      return;
    }
    parts[a] = parts[b] = null;
    parts.push(joined);
    count--;
    for (let other = 0; other < parts.length - 1; other++) if (parts[other] !== null) offer(other, parts.length - 1);
  };
  const mergeAll = (): void => {
    while (heap.size > 0) {
      reportProgress(options, 1 - count / given.length, 'merging');
      const added = heap.minKey();
      merge(heap.pop(), false, added);
    }
  };
  mergeAll();
  while (count > most) {
    reportProgress(options, 1 - count / given.length, 'merging');
    refused.sort((x, y) => x.added - y.added || x.pair - y.pair);
    const next = refused.findIndex(({ pair }) => parts[pairs[pair].a] !== null && parts[pairs[pair].b] !== null);
    if (next >= 0) {
      const [{ pair, added }] = refused.splice(next, 1);
      merge(pair, true, added);
    } else {
      // What is left lies apart: join the first two.
      const [a, b] = parts.flatMap((part, i) => (part === null ? [] : [i]));
      pairs.push({ a, b });
      merge(pairs.length - 1, true, 0);
    }
    mergeAll();
  }
  return parts.filter((part) => part !== null);
}

const EMPTY = { indices: new Uint32Array(0), isSurface: new Uint8Array(0) };

/** The vertices of two hulls. */
function cornersOf(...parts: readonly HulledPart[]): Float64Array {
  return Float64Array.from(
    parts.flatMap(({ part, hull }) =>
      Array.from(hull.vertices).flatMap((v) => [...part.positions.subarray(3 * v, 3 * v + 3)]),
    ),
  );
}

function boxesMeet(a: Float64Array, b: Float64Array): boolean {
  const slack = 1e-9 * Math.max(a[3] - a[0], a[4] - a[1], a[5] - a[2]);
  return [0, 1, 2].every((axis) => a[axis] <= b[axis + 3] + slack && b[axis] <= a[axis + 3] + slack);
}
