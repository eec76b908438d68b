import { NearfieldError } from '../core/errors.js';
import { assertBoxes } from './build-bvh.js';
import type { Bvh } from './bvh.js';

/**
 * Fits the boxes of a hierarchy to new boxes of the same items and keeps the tree: O(n), several times faster than a
 * build. Correct for any motion; queries stay fast while neighbors stay neighbors. Rebuild when items have mixed.
 * Changes `bvh` in place: no traversal of it may be running.
 * @param boxes six numbers per item, in the caller's order, as for `buildBvh`.
 */
export function refitBvh(bvh: Bvh, boxes: Float64Array): void {
  if (boxes.length !== 6 * bvh.itemCount) {
    throw new NearfieldError(
      'bad-argument',
      `The hierarchy has ${bvh.itemCount} items and needs ${6 * bvh.itemCount} numbers; got ${boxes.length}.`,
    );
  }
  assertBoxes(boxes);
  const { items, slotBoxes, nodeBoxes, nodeLeft, nodeFirst, nodeItems } = bvh;
  for (let slot = 0; slot < items.length; slot++) {
    for (let k = 0; k < 6; k++) slotBoxes[6 * slot + k] = boxes[6 * items[slot] + k];
  }
  // Children come after their parent, so one pass from the end reaches them first.
  for (let node = bvh.nodeCount - 1; node >= 0; node--) {
    const left = nodeLeft[node];
    if (left === 0) uniteBoxes(slotBoxes, nodeFirst[node], nodeItems[node], nodeBoxes, 6 * node);
    else uniteBoxes(nodeBoxes, left, 2, nodeBoxes, 6 * node);
  }
}

/** Writes the union of `count` consecutive boxes from number `first`. */
export function uniteBoxes(boxes: Float64Array, first: number, count: number, out: Float64Array, o: number): void {
  for (let axis = 0; axis < 3; axis++) {
    let min = boxes[6 * first + axis];
    let max = boxes[6 * first + axis + 3];
    for (let i = 6 * (first + 1) + axis; i < 6 * (first + count); i += 6) {
      if (boxes[i] < min) min = boxes[i];
      if (boxes[i + 3] > max) max = boxes[i + 3];
    }
    out[o + axis] = min;
    out[o + axis + 3] = max;
  }
}
