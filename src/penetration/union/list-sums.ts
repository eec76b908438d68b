// All relevant sums of a level as one list, for rays and walks that test the balls around sums themselves.
import type { SegmentSums } from './boundary-walk.js';
import type { LevelUnion } from './descent.js';

/** The sums of a level that lie within the bound. */
export function listSums({ union, distances }: LevelUnion): SegmentSums & { gather(): number } {
  const list = new Int32Array(union.sums.count);
  let count = 0;
  for (let i = 0; i < union.sums.count; i++) if (distances[i] < Infinity) list[count++] = i;
  return { list, gather: () => count };
}
