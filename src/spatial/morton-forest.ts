// Trees over items in the order of a space-filling curve: Morton codes sorted digit by digit, and every node split where
// the highest bit of its codes changes (Lauterbach et al. 2009): the tree of Karras 2012, top-down. O(n). Without boxes.
// One forest holds a tree for each range of slots and keeps its memory from one build to the next.

/** Proven: bits of a code along each axis; three axes fit in 32 bits. */
const AXIS_BITS = 10;
/** Layout: cells along each axis; a place is from 0 to this, exclusive. */
export const MORTON_CELLS = 2 ** AXIS_BITS;
/**
 * Chosen: codes are sorted by digits of this many bits; with more, the places written to leave the cache of one
 * core.
 */
const DIGIT_BITS = 8;
/** Layout: different digits. */
const DIGITS = 2 ** DIGIT_BITS;

/** The Morton code of a cell: bits of x, y and z in turn, x lowest; 30 bits. */
export function mortonCode(x: number, y: number, z: number): number {
  return spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
}

/** Ten bits, each followed by two zeros. */
function spreadBits(value: number): number {
  let x = value;
  x = (x | (x << 16)) & 0x030000ff;
  x = (x | (x << 8)) & 0x0300f00f;
  x = (x | (x << 4)) & 0x030c30c3;
  return (x | (x << 2)) & 0x09249249;
}

/** Sorted codes and the trees over them. Children are adjacent and come after their parent. */
export class MortonForest {
  itemCount = 0;
  nodeCount = 0;
  /** Nodes on the longest path from a root to a leaf. */
  depth = 0;
  /** Codes: by item before `sort`, by slot after it. */
  codes = new Uint32Array(0);
  /** Item in each slot, after `sort`. */
  items = new Uint32Array(0);
  /** Left child of each node, 0 for a leaf; the right child is the next node. */
  nodeLeft = new Uint32Array(0);
  nodeFirst = new Uint32Array(0);
  nodeItems = new Uint32Array(0);

  #nextCodes = new Uint32Array(0);
  #nextItems = new Uint32Array(0);
  readonly #starts = new Uint32Array(DIGITS);
  readonly #pending: number[] = [];

  /** Forgets all trees and makes room for items, whose `codes` the caller writes next. */
  begin(itemCount: number): void {
    this.itemCount = itemCount;
    this.nodeCount = 0;
    this.depth = 0;
    if (this.codes.length >= Math.max(1, itemCount)) return;
    const room = 1 + Math.ceil(1.25 * itemCount);
    this.codes = new Uint32Array(room);
    this.items = new Uint32Array(room);
    this.#nextCodes = new Uint32Array(room);
    this.#nextItems = new Uint32Array(room);
    this.nodeLeft = new Uint32Array(2 * room);
    this.nodeFirst = new Uint32Array(2 * room);
    this.nodeItems = new Uint32Array(2 * room);
  }

  /**
   * Sorts the items by code; equal ones keep their order.
   * @param groupStarts if given, group g has the items from groupStarts[g] to groupStarts[g + 1] − 1, and the slots too.
   * @param bits codes have at most this many.
   */
  sort(groupStarts: Uint32Array | null = null, bits = 3 * AXIS_BITS): void {
    const count = this.itemCount;
    const starts = this.#starts;
    for (let item = 0; item < count; item++) this.items[item] = item;
    for (let shift = 0; shift < bits; shift += DIGIT_BITS) {
      const codes = this.codes;
      starts.fill(0);
      for (let slot = 0; slot < count; slot++) starts[(codes[slot] >>> shift) & (DIGITS - 1)]++;
      for (let digit = 0, sum = 0; digit < DIGITS; digit++) {
        const held = starts[digit];
        starts[digit] = sum;
        sum += held;
      }
      this.#scatter(shift, starts, null);
    }
    if (groupStarts !== null && groupStarts.length > 2) this.#gatherGroups(groupStarts);
  }

  /** Adds a tree over a range of slots, which must not be empty, and returns its root. */
  addTree(first: number, end: number, leafSize: number): number {
    const { nodeLeft, nodeFirst, nodeItems, codes } = this;
    const pending = this.#pending;
    const root = this.nodeCount++;
    nodeLeft[root] = 0;
    nodeFirst[root] = first;
    nodeItems[root] = end - first;
    pending.length = 0;
    pending.push(root, 1);
    while (pending.length > 0) {
      const level = pending.pop()!;
      const node = pending.pop()!;
      if (level > this.depth) this.depth = level;
      if (nodeItems[node] <= leafSize) continue;
      const from = nodeFirst[node];
      const to = from + nodeItems[node];
      const middle = findCut(codes, from, to);
      const left = this.nodeCount;
      this.nodeCount += 2;
      nodeLeft[node] = left;
      nodeLeft[left] = 0;
      nodeLeft[left + 1] = 0;
      nodeFirst[left] = from;
      nodeItems[left] = middle - from;
      nodeFirst[left + 1] = middle;
      nodeItems[left + 1] = to - middle;
      pending.push(left + 1, level + 1, left, level + 1);
    }
    return root;
  }

  /** Moves items to the next place of their digit, or of their group. */
  #scatter(shift: number, starts: Uint32Array, groupOf: Uint32Array | null): void {
    const { codes, items, itemCount } = this;
    const nextCodes = this.#nextCodes;
    const nextItems = this.#nextItems;
    for (let slot = 0; slot < itemCount; slot++) {
      const digit = groupOf === null ? (codes[slot] >>> shift) & (DIGITS - 1) : groupOf[items[slot]];
      const place = starts[digit]++;
      nextCodes[place] = codes[slot];
      nextItems[place] = items[slot];
    }
    this.codes = nextCodes;
    this.items = nextItems;
    this.#nextCodes = codes;
    this.#nextItems = items;
  }

  #gatherGroups(groupStarts: Uint32Array): void {
    const groupOf = new Uint32Array(this.itemCount);
    for (let group = 0; group + 1 < groupStarts.length; group++) {
      groupOf.fill(group, groupStarts[group], groupStarts[group + 1]);
    }
    this.#scatter(0, groupStarts.slice(), groupOf);
  }
}

/** The first slot where the highest changing bit of the codes is set; the middle if none changes. */
function findCut(codes: Uint32Array, first: number, end: number): number {
  const change = codes[first] ^ codes[end - 1];
  if (change === 0) return (first + end) >> 1;
  const bit = 31 - Math.clz32(change);
  const least = (codes[end - 1] >>> bit) << bit;
  let low = first;
  let high = end - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codes[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
