import type { BoxVisitor } from './traverse-bvh.js';

/** A query for the items whose boxes overlap `box`, six numbers that may change between traversals; touching counts. */
export function overlapVisitor(box: Float64Array, visitItem: BoxVisitor['visitItem']): BoxVisitor {
  return {
    testBox: (boxes, o) =>
      boxes[o] <= box[3] &&
      boxes[o + 3] >= box[0] &&
      boxes[o + 1] <= box[4] &&
      boxes[o + 4] >= box[1] &&
      boxes[o + 2] <= box[5] &&
      boxes[o + 5] >= box[2],
    visitItem,
  };
}
