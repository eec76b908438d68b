// A bounding volume hierarchy as flat arrays, so that it can be sent to a worker or a GPU as it is. Node 0 is the root;
// the two children of a node lie next to each other and after it; the items of a node, inner or leaf, are consecutive
// slots, and `items` gives the caller's item in each slot. The caller's own arrays are never reordered.

/** A hierarchy of axis-aligned boxes over items 0 to itemCount − 1. Made by `buildBvh`, moved by `refitBvh`. */
export interface Bvh {
  readonly itemCount: number;
  /** 0 for no items, otherwise at least 1 and at most 2 × itemCount − 1. */
  readonly nodeCount: number;
  /** Number of nodes on the longest path from the root to a leaf; it bounds the stack of every traversal. */
  readonly depth: number;
  /** Box of each node: min x, y, z, max x, y, z; length 6 × nodeCount. */
  readonly nodeBoxes: Float64Array;
  /** Left child of each node, 0 for a leaf; the right child is the next node. */
  readonly nodeLeft: Uint32Array;
  /** First slot of each node's items. */
  readonly nodeFirst: Uint32Array;
  /** Number of items below each node. */
  readonly nodeItems: Uint32Array;
  /** Item in each slot: a permutation of 0 to itemCount − 1. */
  readonly items: Uint32Array;
  /** Box of the item in each slot: six numbers, as for a node. */
  readonly slotBoxes: Float64Array;
}

/** Whether a node has items instead of children. */
export function isLeaf(bvh: Bvh, node: number): boolean {
  return bvh.nodeLeft[node] === 0;
}

/** The left child of an inner node; the right child is `rightChild`. */
export function leftChild(bvh: Bvh, node: number): number {
  return bvh.nodeLeft[node];
}

/** The right child of an inner node. */
export function rightChild(bvh: Bvh, node: number): number {
  return bvh.nodeLeft[node] + 1;
}

/** First slot of the items below a node; `bvh.items[slot]` is the item. */
export function firstSlot(bvh: Bvh, node: number): number {
  return bvh.nodeFirst[node];
}

/** The slot after the last one below a node. */
export function endSlot(bvh: Bvh, node: number): number {
  return bvh.nodeFirst[node] + bvh.nodeItems[node];
}

/** Where the box of a node begins in `bvh.nodeBoxes`. */
export function boxOffset(node: number): number {
  return 6 * node;
}
