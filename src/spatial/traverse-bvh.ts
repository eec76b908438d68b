// Traverses one hierarchy depth-first with a query given as two small callbacks: one for boxes, of nodes and items
// alike, and one for items. One call per node; a traversal that is given a stack allocates nothing.
import type { Bvh } from './bvh.js';
import { TraversalStack } from './traversal-stack.js';

/** A yes-or-no query: which boxes may hold items of interest, and what to do with the items. */
export interface BoxVisitor {
  /**
   * Whether the box of six numbers at `boxes[offset]` may hold anything of interest. Called with `bvh.nodeBoxes` for
   * nodes (then offset / 6 is the node) and with `bvh.slotBoxes` for items.
   */
  testBox(boxes: Float64Array, offset: number): boolean;
  /** Handles an item whose box passed; returning `true` ends the traversal. */
  visitItem(item: number): boolean | undefined;
}

/** A query for the smallest value of something over all items: the nearest, the first along a ray. */
export interface NearestVisitor {
  /** The smallest value found so far; `visitItem` lowers it. Boxes bounded above it are skipped. */
  best: number;
  /** A lower bound on the value of everything in the box; boxes as in {@link BoxVisitor}. */
  boundBox(boxes: Float64Array, offset: number): number;
  /** Handles an item that may lower `best`. */
  visitItem(item: number): void;
}

/** Visits every item whose box, and the boxes of all nodes above it, pass. Returns the number of nodes tested. */
export function traverseBvh(bvh: Bvh, visitor: BoxVisitor, stack = new TraversalStack()): number {
  const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items, slotBoxes } = bvh;
  if (bvh.nodeCount === 0) return 0;
  stack.reserve(bvh.depth + 1);
  const waiting = stack.nodes;
  let top = 0;
  let visited = 0;
  waiting[top++] = 0;
  while (top > 0) {
    const node = waiting[--top];
    visited++;
    if (!visitor.testBox(nodeBoxes, 6 * node)) continue;
    const left = nodeLeft[node];
    if (left !== 0) {
      waiting[top++] = left + 1;
      waiting[top++] = left;
      continue;
    }
    const first = nodeFirst[node];
    const end = first + nodeItems[node];
    for (let slot = first; slot < end; slot++) {
      // The box of a single item is the box of its leaf.
      if (end - first > 1 && !visitor.testBox(slotBoxes, 6 * slot)) continue;
      if (visitor.visitItem(items[slot]) === true) return visited;
    }
  }
  return visited;
}

/**
 * Visits near items first: of two children the one with the lower bound goes first. Boxes bounded above `visitor.best`
 * are skipped; boxes bounded equal to it are visited, so that ties can be broken by item. Returns the number of
 * nodes tested.
 */
export function traverseNearest(bvh: Bvh, visitor: NearestVisitor, stack = new TraversalStack()): number {
  const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items, slotBoxes } = bvh;
  if (bvh.nodeCount === 0) return 0;
  stack.reserve(bvh.depth + 1);
  const waiting = stack.nodes;
  const bounds = stack.bounds;
  let top = 0;
  let visited = 1;
  waiting[top] = 0;
  bounds[top++] = visitor.boundBox(nodeBoxes, 0);
  while (top > 0) {
    const node = waiting[--top];
    if (bounds[top] > visitor.best) continue;
    const left = nodeLeft[node];
    if (left !== 0) {
      visited += 2;
      const leftBound = visitor.boundBox(nodeBoxes, 6 * left);
      const rightBound = visitor.boundBox(nodeBoxes, 6 * left + 6);
      const leftFirst = leftBound <= rightBound;
      waiting[top] = leftFirst ? left + 1 : left;
      bounds[top++] = leftFirst ? rightBound : leftBound;
      waiting[top] = leftFirst ? left : left + 1;
      bounds[top++] = leftFirst ? leftBound : rightBound;
      continue;
    }
    const first = nodeFirst[node];
    const end = first + nodeItems[node];
    for (let slot = first; slot < end; slot++) {
      if (end - first > 1 && visitor.boundBox(slotBoxes, 6 * slot) > visitor.best) continue;
      visitor.visitItem(items[slot]);
    }
  }
  return visited;
}
