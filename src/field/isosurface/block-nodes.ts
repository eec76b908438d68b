// The nodes of one block of a sparse field with those of the next blocks that its cells need, and the corners of the cells.
import type { GridSize } from '../grid.js';
import { BLOCK_SIDE } from '../sparse/sparse-field.js';

/** Layout: nodes along a side of a block, including those of the next blocks. */
const SIDE = BLOCK_SIDE + 1;

export class BlockNodes {
  /** The block's first node, and the numbers of nodes along each axis, fewer where the grid ends. */
  readonly first = new Int32Array(3);
  readonly count = new Int32Array(3);
  /** By node, x fastest: the node (i, j, k) after the first is at {@link BlockNodes.index}. */
  readonly values = new Float64Array(SIDE ** 3);

  /** Begins the block with this first node. */
  begin(first: ArrayLike<number>, size: GridSize): void {
    for (let axis = 0; axis < 3; axis++) {
      this.first[axis] = first[axis];
      this.count[axis] = Math.min(SIDE, size[axis] - first[axis]);
    }
  }

  index(i: number, j: number, k: number): number {
    return i + SIDE * (j + SIDE * k);
  }

  /** Writes the values at the eight corners of the cell with lowest node (i, j, k), coded like a corner of a cell. */
  readCell(i: number, j: number, k: number, corners: Float64Array): void {
    const { values } = this;
    const at = i + SIDE * (j + SIDE * k);
    for (let corner = 0; corner < 8; corner++) {
      corners[corner] = values[at + (corner & 1) + SIDE * ((corner >> 1) & 1) + SIDE * SIDE * (corner >> 2)];
    }
  }
}
