// An order of elimination with little fill: halves of the nodes first, those that separate them last (George 1973). Halves
// are cut at the median across the longest side, which is near the best cut for meshes in space. O(n log² n).
import type { BlockPattern } from './block-matrix.js';

/** Chosen: subsets with no more nodes than this are not cut further. */
const LEAF = 24;

/** The nodes in the order in which to eliminate them. */
export function nestedDissection({ nodes, rowStart, columns }: BlockPattern, positions: Float64Array): Int32Array {
  const order = new Int32Array(nodes);
  let end = nodes;
  /** The part that each node belongs to; a node in a separator has none. */
  const part = new Int32Array(nodes);
  let parts = 1;
  const stack: { list: Int32Array; id: number }[] = [{ list: Int32Array.from({ length: nodes }, (_, i) => i), id: 0 }];
  // Separators are placed from the end as they are found; each comes after everything below it.
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const { list, id } = task;
    if (list.length <= LEAF) {
      for (const node of list) order[--end] = node;
      continue;
    }
    const axis = longestAxis(list, positions);
    list.sort((a, b) => positions[3 * a + axis] - positions[3 * b + axis] || a - b);
    const half = list.length >> 1;
    const [low, high] = [parts++, parts++];
    for (let i = 0; i < list.length; i++) part[list[i]] = i < half ? low : high;
    const kept: number[] = [];
    for (let i = 0; i < half; i++) {
      const node = list[i];
      let isBetween = false;
      for (let k = rowStart[node]; k < rowStart[node + 1] && !isBetween; k++) isBetween = part[columns[k]] === high;
      if (isBetween) {
        order[--end] = node;
        part[node] = -1 - id;
      } else kept.push(node);
    }
    stack.push({ list: Int32Array.from(kept), id: low }, { list: list.slice(half), id: high });
  }
  return order;
}

function longestAxis(list: Int32Array, p: Float64Array): number {
  let [best, longest] = [0, -1];
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (const node of list) {
      low = Math.min(low, p[3 * node + axis]);
      high = Math.max(high, p[3 * node + axis]);
    }
    if (high - low > longest) [best, longest] = [axis, high - low];
  }
  return best;
}
