// Hierarchies of boxes, one for each group of items, in Morton order: built from nothing or fitted to new boxes of the
// same items, and traversed in pairs or with themselves. The CPU twin of the hierarchy on a GPU.
import { boxesOverlap } from './box-relations.js';
import { MortonForest, mortonCode } from './morton-forest.js';
import type { PairList } from './pair-list.js';

/** Measured on build and traversal together: items of a leaf. Two take 8 % longer than four, eight 15 %. */
const LEAF_SIZE = 4;
/** Chosen: a fitted hierarchy is built anew when the surface of its nodes has grown by this factor. */
const WORN = 1.5;

/** Trees over groups of boxes. */
export class BoxForest {
  /** Pairs of nodes tested since the last `build` or `fit`. */
  nodesVisited = 0;
  readonly #forest = new MortonForest();
  /** Boxes in the order of the slots, and of the nodes. */
  #slotBoxes = new Float64Array(0);
  #nodeBoxes = new Float64Array(0);
  #roots = new Uint32Array(0);
  #groupCount = 0;
  #builtArea = 0;
  #stack = new Uint32Array(256);

  /** The number of items in all groups. */
  get itemCount(): number {
    return this.#forest.itemCount;
  }

  /**
   * Builds a tree for each group.
   * @param boxes six numbers an item.
   * @param groupStarts the first item of each group, and the number of all. Groups may be empty.
   */
  build(boxes: Float64Array, groupStarts: Uint32Array): void {
    const groups = groupStarts.length - 1;
    const count = groupStarts[groups];
    const forest = this.#forest;
    forest.begin(count);
    for (let group = 0; group < groups; group++) {
      writeCodes(boxes, groupStarts[group], groupStarts[group + 1], forest.codes);
    }
    forest.sort(groupStarts, CODE_BITS);
    if (this.#roots.length < groups) this.#roots = new Uint32Array(2 * groups);
    this.#groupCount = groups;
    for (let group = 0; group < groups; group++) {
      const first = groupStarts[group];
      const end = groupStarts[group + 1];
      this.#roots[group] = first === end ? NONE : forest.addTree(first, end, LEAF_SIZE);
    }
    if (this.#slotBoxes.length < 6 * count) this.#slotBoxes = new Float64Array(Math.ceil(7.5 * count));
    if (this.#nodeBoxes.length < 6 * forest.nodeCount) this.#nodeBoxes = new Float64Array(6 * forest.nodeLeft.length);
    if (this.#stack.length < 4 * (forest.depth + 2)) this.#stack = new Uint32Array(4 * (forest.depth + 2));
    this.#builtArea = this.#fitBoxes(boxes);
    this.nodesVisited = 0;
  }

  /** Fits the trees to new boxes of the same items. False if they are worn and should be built anew. */
  fit(boxes: Float64Array): boolean {
    this.nodesVisited = 0;
    return this.#fitBoxes(boxes) <= WORN * this.#builtArea;
  }

  /** Adds the pairs of items of two groups whose boxes overlap; touching counts. */
  addPairsBetween(a: number, b: number, out: PairList): void {
    if (this.#roots[a] === NONE || this.#roots[b] === NONE) return;
    this.#stack[0] = this.#roots[a];
    this.#stack[1] = this.#roots[b];
    this.#drain(1, out);
  }

  /** Adds the pairs of different items of one group whose boxes overlap. */
  addPairsWithin(group: number, out: PairList): void {
    if (this.#roots[group] === NONE) return;
    const { nodeLeft, nodeFirst, nodeItems, items } = this.#forest;
    const slotBoxes = this.#slotBoxes;
    const end = group + 1 < this.#groupCount ? this.#nextRoot(group) : this.#forest.nodeCount;
    // The nodes of a tree are consecutive. Two children of a node make a pair; so do the items of a leaf.
    for (let node = this.#roots[group]; node < end; node++) {
      const left = nodeLeft[node];
      if (left !== 0) {
        this.#stack[0] = left;
        this.#stack[1] = left + 1;
        this.#drain(1, out);
        continue;
      }
      const last = nodeFirst[node] + nodeItems[node];
      for (let p = nodeFirst[node]; p < last; p++) {
        for (let q = p + 1; q < last; q++) {
          if (boxesOverlap(slotBoxes, 6 * p, slotBoxes, 6 * q)) out.push(items[p], items[q]);
        }
      }
    }
  }

  #nextRoot(group: number): number {
    for (let next = group + 1; next < this.#groupCount; next++) {
      if (this.#roots[next] !== NONE) return this.#roots[next];
    }
    return this.#forest.nodeCount;
  }

  /** Fits all boxes and returns half the surface of the nodes, in squares of the largest node's size. */
  #fitBoxes(boxes: Float64Array): number {
    const { items, itemCount, nodeLeft, nodeFirst, nodeItems, nodeCount } = this.#forest;
    const slotBoxes = this.#slotBoxes;
    const nodeBoxes = this.#nodeBoxes;
    for (let slot = 0, o = 0; slot < itemCount; slot++, o += 6) {
      const from = 6 * items[slot];
      slotBoxes[o] = boxes[from];
      slotBoxes[o + 1] = boxes[from + 1];
      slotBoxes[o + 2] = boxes[from + 2];
      slotBoxes[o + 3] = boxes[from + 3];
      slotBoxes[o + 4] = boxes[from + 4];
      slotBoxes[o + 5] = boxes[from + 5];
    }
    let area = 0;
    let largest = 0;
    // Children come after their parent, so one pass from the end reaches them first.
    for (let node = nodeCount - 1; node >= 0; node--) {
      const left = nodeLeft[node];
      const source = left === 0 ? slotBoxes : nodeBoxes;
      const first = left === 0 ? 6 * nodeFirst[node] : 6 * left;
      const end = left === 0 ? first + 6 * nodeItems[node] : first + 12;
      let minX = source[first];
      let minY = source[first + 1];
      let minZ = source[first + 2];
      let maxX = source[first + 3];
      let maxY = source[first + 4];
      let maxZ = source[first + 5];
      for (let i = first + 6; i < end; i += 6) {
        if (source[i] < minX) minX = source[i];
        if (source[i + 1] < minY) minY = source[i + 1];
        if (source[i + 2] < minZ) minZ = source[i + 2];
        if (source[i + 3] > maxX) maxX = source[i + 3];
        if (source[i + 4] > maxY) maxY = source[i + 4];
        if (source[i + 5] > maxZ) maxZ = source[i + 5];
      }
      const o = 6 * node;
      nodeBoxes[o] = minX;
      nodeBoxes[o + 1] = minY;
      nodeBoxes[o + 2] = minZ;
      nodeBoxes[o + 3] = maxX;
      nodeBoxes[o + 4] = maxY;
      nodeBoxes[o + 5] = maxZ;
      const x = maxX - minX;
      const y = maxY - minY;
      const z = maxZ - minZ;
      const half = x * y + y * z + z * x;
      area += half;
      if (half > largest) largest = half;
    }
    return largest > 0 && largest < Infinity ? area / largest : 0;
  }

  /** Empties the stack of pairs of nodes. Opening a pair replaces it by two, each one level deeper. */
  #drain(top: number, out: PairList): void {
    const { nodeLeft, nodeFirst, nodeItems, items } = this.#forest;
    const nodeBoxes = this.#nodeBoxes;
    const slotBoxes = this.#slotBoxes;
    const stack = this.#stack;
    let visited = 0;
    while (top > 0) {
      top--;
      const m = stack[2 * top];
      const n = stack[2 * top + 1];
      visited++;
      if (!boxesOverlap(nodeBoxes, 6 * m, nodeBoxes, 6 * n)) continue;
      const leftM = nodeLeft[m];
      const leftN = nodeLeft[n];
      if (leftM === 0 && leftN === 0) {
        const endM = nodeFirst[m] + nodeItems[m];
        const endN = nodeFirst[n] + nodeItems[n];
        for (let p = nodeFirst[m]; p < endM; p++) {
          if (!boxesOverlap(slotBoxes, 6 * p, nodeBoxes, 6 * n)) continue;
          for (let q = nodeFirst[n]; q < endN; q++) {
            if (boxesOverlap(slotBoxes, 6 * p, slotBoxes, 6 * q)) out.push(items[p], items[q]);
          }
        }
        continue;
      }
      // The node with more items is opened.
      const opensM = leftN === 0 || (leftM !== 0 && nodeItems[m] >= nodeItems[n]);
      stack[2 * top] = opensM ? leftM + 1 : m;
      stack[2 * top + 1] = opensM ? n : leftN + 1;
      stack[2 * top + 2] = opensM ? leftM : m;
      stack[2 * top + 3] = opensM ? n : leftN;
      top += 2;
    }
    this.nodesVisited += visited;
  }
}

/** Label: the root of a group without items. */
const NONE = 0xffffffff;
/** Chosen: cells along each axis for Morton codes; enough to order the boxes of surfaces. */
const CELLS = 256;
/** Proven: bits of a code of three axes with `CELLS` cells each; they sort in three digits of eight bits. */
const CODE_BITS = 24;

/** The codes of the centers of boxes, in the box of all centers. */
function writeCodes(boxes: Float64Array, first: number, end: number, codes: Uint32Array): void {
  let minX = Infinity;
  let minY = Infinity;
  let minZ = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  let maxZ = -Infinity;
  for (let o = 6 * first; o < 6 * end; o += 6) {
    const x = 0.5 * boxes[o] + 0.5 * boxes[o + 3];
    const y = 0.5 * boxes[o + 1] + 0.5 * boxes[o + 4];
    const z = 0.5 * boxes[o + 2] + 0.5 * boxes[o + 5];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const scaleX = cellsPerLength(minX, maxX);
  const scaleY = cellsPerLength(minY, maxY);
  const scaleZ = cellsPerLength(minZ, maxZ);
  for (let item = first, o = 6 * first; item < end; item++, o += 6) {
    codes[item] = mortonCode(
      cellOf((0.5 * boxes[o] + 0.5 * boxes[o + 3] - minX) * scaleX),
      cellOf((0.5 * boxes[o + 1] + 0.5 * boxes[o + 4] - minY) * scaleY),
      cellOf((0.5 * boxes[o + 2] + 0.5 * boxes[o + 5] - minZ) * scaleZ),
    );
  }
}

function cellsPerLength(min: number, max: number): number {
  const scale = CELLS / (max - min);
  return scale < Infinity ? scale : 0;
}

function cellOf(place: number): number {
  return place < CELLS ? place | 0 : CELLS - 1;
}
