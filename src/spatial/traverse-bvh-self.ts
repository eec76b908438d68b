// Traverses one hierarchy with itself, depth-first: pairs of items. Of two nodes the one with the larger surface is opened,
// the left one on a tie. Callbacks as in traverse-bvh.ts; one call per pair of nodes.
import type { Bvh } from './bvh.js';
import { TraversalStack } from './traversal-stack.js';

/** A yes-or-no query on pairs of items of one tree. */
export interface SelfPairVisitor {
  /**
   * Whether two boxes may hold a pair of interest. Boxes are six numbers, of nodes or of items, and begin at `a[i]` and
   * `b[j]`.
   */
  testBoxes(a: Float64Array, i: number, b: Float64Array, j: number): boolean;
  /** Handles two items whose boxes passed; returning `true` ends the traversal. */
  visitItems(itemA: number, itemB: number): boolean | undefined;
  /** Called after each leaf with the number of items in the leaves done so far. */
  itemsDone?(count: number): void;
}

/** Visits each pair of different items of one tree whose boxes pass once. Returns the number of node pairs tested. */
export function traverseSelf(bvh: Bvh, visitor: SelfPairVisitor, stack = new TraversalStack()): number {
  if (bvh.nodeCount === 0) return 0;
  const { nodeLeft, nodeFirst, nodeItems, items, slotBoxes } = bvh;
  stack.reserve(2 * bvh.depth + 1);
  const own = [0];
  let visited = 0;
  let done = 0;
  while (own.length > 0) {
    const node = own.pop()!;
    const left = nodeLeft[node];
    if (left !== 0) {
      own.push(left + 1, left);
      stack.nodes[0] = left;
      stack.nodes[1] = left + 1;
      const drained = drainPairs(bvh, visitor, stack);
      visited += drained.visited;
      if (drained.stopped) return visited;
      continue;
    }
    const end = nodeFirst[node] + nodeItems[node];
    for (let p = nodeFirst[node]; p < end; p++) {
      for (let q = p + 1; q < end; q++) {
        if (!visitor.testBoxes(slotBoxes, 6 * p, slotBoxes, 6 * q)) continue;
        if (visitor.visitItems(items[p], items[q]) === true) return visited;
      }
    }
    done += nodeItems[node];
    visitor.itemsDone?.(done);
  }
  return visited;
}

/** Processes the pair on the stack. Opening a pair replaces it by two, each one level deeper. */
function drainPairs(bvh: Bvh, visitor: SelfPairVisitor, stack: TraversalStack): { visited: number; stopped: boolean } {
  const { nodeBoxes, nodeLeft } = bvh;
  const waiting = stack.nodes;
  let visited = 0;
  let top = 1;
  while (top > 0) {
    top--;
    const m = waiting[2 * top];
    const n = waiting[2 * top + 1];
    visited++;
    if (!visitor.testBoxes(nodeBoxes, 6 * m, nodeBoxes, 6 * n)) continue;
    if (nodeLeft[m] === 0 && nodeLeft[n] === 0) {
      if (visitLeaves(bvh, m, n, visitor)) return { visited, stopped: true };
      continue;
    }
    const opensM = opensFirst(bvh, m, n);
    const m0 = opensM ? nodeLeft[m] : m;
    const n0 = opensM ? n : nodeLeft[n];
    waiting[2 * top] = opensM ? m0 + 1 : m;
    waiting[2 * top + 1] = opensM ? n : n0 + 1;
    top++;
    waiting[2 * top] = m0;
    waiting[2 * top + 1] = n0;
    top++;
  }
  return { visited, stopped: false };
}

function visitLeaves(bvh: Bvh, m: number, n: number, visitor: SelfPairVisitor): boolean {
  const { nodeFirst, nodeItems, slotBoxes, items } = bvh;
  const endM = nodeFirst[m] + nodeItems[m];
  const endN = nodeFirst[n] + nodeItems[n];
  for (let p = nodeFirst[m]; p < endM; p++) {
    for (let q = nodeFirst[n]; q < endN; q++) {
      if (!visitor.testBoxes(slotBoxes, 6 * p, slotBoxes, 6 * q)) continue;
      if (visitor.visitItems(items[p], items[q]) === true) return true;
    }
  }
  return false;
}

/** Whether to open node `m` rather than node `n`: `m` has children and is larger, or `n` is a leaf. */
function opensFirst({ nodeBoxes, nodeLeft }: Bvh, m: number, n: number): boolean {
  if (nodeLeft[m] === 0) return false;
  if (nodeLeft[n] === 0) return true;
  return halfArea(nodeBoxes, 6 * m) >= halfArea(nodeBoxes, 6 * n);
}

function halfArea(boxes: Float64Array, o: number): number {
  const x = boxes[o + 3] - boxes[o];
  const y = boxes[o + 4] - boxes[o + 1];
  const z = boxes[o + 5] - boxes[o + 2];
  return x * y + y * z + z * x;
}
