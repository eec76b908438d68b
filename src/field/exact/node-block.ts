// A block of nodes and its eight parts, for searches that pass candidates on from a block to its parts.
import type { Vec3 } from '../../core/vec3.js';

/** The nodes from (i, j, k) to (l, m, n), both included. Searches keep one block for each level and overwrite it. */
export class NodeBlock {
  i = 0;
  j = 0;
  k = 0;
  l = 0;
  m = 0;
  n = 0;

  set(min: Readonly<Vec3>, max: Readonly<Vec3>): void {
    this.i = min[0];
    this.j = min[1];
    this.k = min[2];
    this.l = max[0];
    this.m = max[1];
    this.n = max[2];
  }

  /** The number of nodes. */
  get count(): number {
    return (this.l - this.i + 1) * (this.m - this.j + 1) * (this.n - this.k + 1);
  }

  /** One less than the nodes along the longest side. */
  get longest(): number {
    return Math.max(this.l - this.i, this.m - this.j, this.n - this.k);
  }

  /**
   * Becomes one of the eight parts of a block, whose sides of more than `leafNodes` nodes are halved; bits 0, 1 and 2 of
   * `part` choose the upper half along x, y and z. Returns false if the block has no part there.
   */
  takePart(whole: NodeBlock, part: number, leafNodes: number): boolean {
    const midI = middleOf(whole.i, whole.l, leafNodes);
    const midJ = middleOf(whole.j, whole.m, leafNodes);
    const midK = middleOf(whole.k, whole.n, leafNodes);
    const high = (part & 1) !== 0;
    const far = (part & 2) !== 0;
    const top = (part & 4) !== 0;
    if ((high && midI === whole.l) || (far && midJ === whole.m) || (top && midK === whole.n)) return false;
    this.i = high ? midI + 1 : whole.i;
    this.j = far ? midJ + 1 : whole.j;
    this.k = top ? midK + 1 : whole.k;
    this.l = high ? whole.l : midI;
    this.m = far ? whole.m : midJ;
    this.n = top ? whole.n : midK;
    return true;
  }
}

/** The last node of the lower half. Halves have even numbers of nodes if possible, so that most leaves are full. */
function middleOf(from: number, to: number, leafNodes: number): number {
  return to - from < leafNodes ? to : from + 2 * Math.ceil((to - from + 1) / 4) - 1;
}
