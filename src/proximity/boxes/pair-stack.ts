// Pairs of nodes of two trees of boxes that wait in a descent, the last first.
import { doubled } from '../../core/grow-array.js';
import { type BoxTree, splitsA, UNOPENED } from './box-tree.js';

export class PairStack {
  size = 0;
  nodesA = new Int32Array(128);
  nodesB = new Int32Array(128);

  /** Starts with one pair. */
  begin(nodeA: number, nodeB: number): void {
    this.nodesA[0] = nodeA;
    this.nodesB[0] = nodeB;
    this.size = 1;
  }

  /** Adds the two pairs that a pair of nodes splits into; of the two nodes the larger one is opened. */
  pushChildren(a: BoxTree, nodeA: number, b: BoxTree, nodeB: number): void {
    const top = this.size;
    if (top + 2 > this.nodesA.length) {
      this.nodesA = doubled(this.nodesA);
      this.nodesB = doubled(this.nodesB);
    }
    const { nodesA, nodesB } = this;
    if (splitsA(a, nodeA, b, nodeB)) {
      const link = a.links[nodeA];
      nodesA[top] = link === UNOPENED ? a.open(nodeA) : link;
      nodesA[top + 1] = nodeA + 1;
      nodesB[top] = nodesB[top + 1] = nodeB;
    } else {
      const link = b.links[nodeB];
      nodesB[top] = link === UNOPENED ? b.open(nodeB) : link;
      nodesB[top + 1] = nodeB + 1;
      nodesA[top] = nodesA[top + 1] = nodeA;
    }
    this.size = top + 2;
  }
}
