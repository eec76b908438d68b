// Traverses two hierarchies together, or one with itself, depth-first. Of two nodes the one with the larger surface is
// opened, the left one on a tie. Callbacks as in traverse-bvh.ts; one call per pair of nodes.
import type { Bvh } from './bvh.js';
import { TraversalStack } from './traversal-stack.js';

/** A yes-or-no query on pairs. The frames of the two trees may differ: only these callbacks compare boxes. */
export interface PairVisitor {
  /**
   * Whether box `i` of `a` and box `j` of `b` may hold a pair of interest. Boxes are six numbers, of nodes or of items;
   * `i` and `j` are offsets: the box of `a` begins at `a[i]`.
   */
  testBoxes(a: Float64Array, i: number, b: Float64Array, j: number): boolean;
  /** Handles two items whose boxes passed; returning `true` ends the traversal. */
  visitItems(itemA: number, itemB: number): boolean | undefined;
}

/** A query on the pairs of one tree, which can also report progress. */
export interface SelfPairVisitor extends PairVisitor {
  /** Called after each leaf with the number of items in the leaves done so far. */
  itemsDone?(count: number): void;
}

/** A query for the smallest value over all pairs of items. */
export interface NearestPairVisitor {
  /** The smallest value found so far; `visitItems` lowers it. Pairs bounded above it are skipped. */
  best: number;
  /** A lower bound on the value of every pair of items in the two boxes; boxes as in {@link PairVisitor}. */
  boundBoxes(a: Float64Array, i: number, b: Float64Array, j: number): number;
  /** Handles a pair of items that may lower `best`. */
  visitItems(itemA: number, itemB: number): void;
}

/** Visits every pair of an item of `a` and an item of `b` whose boxes pass. Returns the number of node pairs tested. */
export function traversePair(a: Bvh, b: Bvh, visitor: PairVisitor, stack = new TraversalStack()): number {
  if (a.nodeCount === 0 || b.nodeCount === 0) return 0;
  stack.reserve(a.depth + b.depth + 1);
  stack.nodes[0] = 0;
  stack.nodes[1] = 0;
  return drainPairs(a, b, visitor, stack, 1).visited;
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
      const drained = drainPairs(bvh, bvh, visitor, stack, 1);
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

/**
 * Visits near pairs first: of two pairs of nodes the one with the lower bound goes first. Pairs bounded above
 * `visitor.best` are skipped, pairs bounded equal to it are visited. Returns the number of node pairs tested.
 */
export function traverseNearestPair(a: Bvh, b: Bvh, visitor: NearestPairVisitor, stack = new TraversalStack()): number {
  if (a.nodeCount === 0 || b.nodeCount === 0) return 0;
  stack.reserve(a.depth + b.depth + 1);
  const waiting = stack.nodes;
  const bounds = stack.bounds;
  let visited = 1;
  let top = 0;
  waiting[0] = 0;
  waiting[1] = 0;
  bounds[top++] = visitor.boundBoxes(a.nodeBoxes, 0, b.nodeBoxes, 0);
  while (top > 0) {
    top--;
    const m = waiting[2 * top];
    const n = waiting[2 * top + 1];
    if (bounds[top] > visitor.best) continue;
    if (a.nodeLeft[m] === 0 && b.nodeLeft[n] === 0) {
      visitNearestLeaves(a, m, b, n, visitor);
      continue;
    }
    visited += 2;
    const opensA = opensFirst(a, m, b, n);
    const m0 = opensA ? a.nodeLeft[m] : m;
    const m1 = opensA ? m0 + 1 : m;
    const n0 = opensA ? n : b.nodeLeft[n];
    const n1 = opensA ? n : n0 + 1;
    const bound0 = visitor.boundBoxes(a.nodeBoxes, 6 * m0, b.nodeBoxes, 6 * n0);
    const bound1 = visitor.boundBoxes(a.nodeBoxes, 6 * m1, b.nodeBoxes, 6 * n1);
    const firstIsNear = bound0 <= bound1;
    waiting[2 * top] = firstIsNear ? m1 : m0;
    waiting[2 * top + 1] = firstIsNear ? n1 : n0;
    bounds[top++] = firstIsNear ? bound1 : bound0;
    waiting[2 * top] = firstIsNear ? m0 : m1;
    waiting[2 * top + 1] = firstIsNear ? n0 : n1;
    bounds[top++] = firstIsNear ? bound0 : bound1;
  }
  return visited;
}

/** Processes the `top` pairs on the stack. Opening a pair replaces it by two, each one level deeper. */
function drainPairs(
  a: Bvh,
  b: Bvh,
  visitor: PairVisitor,
  stack: TraversalStack,
  top: number,
): { visited: number; stopped: boolean } {
  const waiting = stack.nodes;
  let visited = 0;
  while (top > 0) {
    top--;
    const m = waiting[2 * top];
    const n = waiting[2 * top + 1];
    visited++;
    if (!visitor.testBoxes(a.nodeBoxes, 6 * m, b.nodeBoxes, 6 * n)) continue;
    if (a.nodeLeft[m] === 0 && b.nodeLeft[n] === 0) {
      if (visitLeaves(a, m, b, n, visitor)) return { visited, stopped: true };
      continue;
    }
    const opensA = opensFirst(a, m, b, n);
    const m0 = opensA ? a.nodeLeft[m] : m;
    const n0 = opensA ? n : b.nodeLeft[n];
    waiting[2 * top] = opensA ? m0 + 1 : m;
    waiting[2 * top + 1] = opensA ? n : n0 + 1;
    top++;
    waiting[2 * top] = m0;
    waiting[2 * top + 1] = n0;
    top++;
  }
  return { visited, stopped: false };
}

function visitLeaves(a: Bvh, m: number, b: Bvh, n: number, visitor: PairVisitor): boolean {
  const endA = a.nodeFirst[m] + a.nodeItems[m];
  const endB = b.nodeFirst[n] + b.nodeItems[n];
  for (let p = a.nodeFirst[m]; p < endA; p++) {
    for (let q = b.nodeFirst[n]; q < endB; q++) {
      if (!visitor.testBoxes(a.slotBoxes, 6 * p, b.slotBoxes, 6 * q)) continue;
      if (visitor.visitItems(a.items[p], b.items[q]) === true) return true;
    }
  }
  return false;
}

function visitNearestLeaves(a: Bvh, m: number, b: Bvh, n: number, visitor: NearestPairVisitor): void {
  const endA = a.nodeFirst[m] + a.nodeItems[m];
  const endB = b.nodeFirst[n] + b.nodeItems[n];
  for (let p = a.nodeFirst[m]; p < endA; p++) {
    for (let q = b.nodeFirst[n]; q < endB; q++) {
      if (visitor.boundBoxes(a.slotBoxes, 6 * p, b.slotBoxes, 6 * q) > visitor.best) continue;
      visitor.visitItems(a.items[p], b.items[q]);
    }
  }
}

/** Whether to open node `m` of `a` rather than node `n` of `b`: `m` has children and is larger, or `n` is a leaf. */
function opensFirst(a: Bvh, m: number, b: Bvh, n: number): boolean {
  if (a.nodeLeft[m] === 0) return false;
  if (b.nodeLeft[n] === 0) return true;
  return halfArea(a.nodeBoxes, 6 * m) >= halfArea(b.nodeBoxes, 6 * n);
}

function halfArea(boxes: Float64Array, o: number): number {
  const x = boxes[o + 3] - boxes[o];
  const y = boxes[o + 4] - boxes[o + 1];
  const z = boxes[o + 5] - boxes[o + 2];
  return x * y + y * z + z * x;
}
