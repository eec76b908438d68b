// Boxes around the sums {b − a} of pairs of nodes, in A's axes: from boxes around the nodes of each hierarchy, B's as
// placed. A sum's box is as tight as the nodes' boxes, for long bars too. O(vertices of the leaves) per placement.
import type { ConvexSet } from '../../convex/closest/convex-set.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Solid } from '../solid.js';

/** Boxes of the nodes of two solids, low corner then high corner, in A's frame. */
export class NodeBoxes {
  readonly a: Float64Array;
  readonly b: Float64Array;

  /** @param placement B in A's frame, row-major 3 × 4. */
  constructor(a: Solid, b: Solid, placement: Float64Array, progress?: ProgressOptions) {
    this.a = boundNodes(a, IDENTITY, progress?.signal);
    this.b = boundNodes(b, placement, progress?.signal);
  }

  /** How far the box around the sum of two nodes is from the origin, squared. */
  distanceSquared(nodeA: number, nodeB: number): number {
    const { a, b } = this;
    const i = 6 * nodeA;
    const j = 6 * nodeB;
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const low = b[j + axis] - a[i + axis + 3];
      const high = b[j + axis + 3] - a[i + axis];
      const away = low > 0 ? low : high < 0 ? -high : 0;
      squared += away * away;
    }
    return squared;
  }

  /** Whether the segment from p along d, its full length, may meet the sum of two nodes. */
  meetsSegment(nodeA: number, nodeB: number, p: Float64Array, d: Float64Array): boolean {
    const { a, b } = this;
    const i = 6 * nodeA;
    const j = 6 * nodeB;
    let near = 0;
    let far = 1;
    for (let axis = 0; axis < 3; axis++) {
      const low = b[j + axis] - a[i + axis + 3] - p[axis];
      const high = b[j + axis + 3] - a[i + axis] - p[axis];
      const step = d[axis];
      if (step === 0) {
        if (low > 0 || high < 0) return false;
        continue;
      }
      const first = (step > 0 ? low : high) / step;
      const last = (step > 0 ? high : low) / step;
      if (first > near) near = first;
      if (last < far) far = last;
      if (near > far) return false;
    }
    return true;
  }
}

/** Chosen: nodes between two looks at the signal: about a quarter of a millisecond. */
const NODES_BETWEEN = 1024;

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);

/** The box around a whole solid: that of its root. */
export function boundRoot({ set }: Solid, m: Float64Array = IDENTITY): Float64Array {
  const box = new Float64Array(6);
  boundLeaf(set, 0, m, box);
  return box;
}

function boundNodes({ set, hulls }: Solid, m: Float64Array, signal: ProgressOptions['signal']): Float64Array {
  const { children } = hulls;
  const nodes = children.length / 2;
  const boxes = new Float64Array(6 * nodes);
  // Children come after their parent.
  for (let node = nodes - 1; node >= 0; node--) {
    if (node % NODES_BETWEEN === 0) reportProgress({ signal }, 0, 'boxes');
    const left = 6 * children[2 * node];
    if (left < 0) {
      boundLeaf(set, node, m, boxes);
      continue;
    }
    const right = 6 * children[2 * node + 1];
    for (let k = 0; k < 3; k++) {
      boxes[6 * node + k] = Math.min(boxes[left + k], boxes[right + k]);
      boxes[6 * node + k + 3] = Math.max(boxes[left + k + 3], boxes[right + k + 3]);
    }
  }
  return boxes;
}

function boundLeaf(set: ConvexSet, node: number, m: Float64Array, boxes: Float64Array): void {
  const { positions, vertexStart, nodeVertices } = set;
  for (let axis = 0; axis < 3; axis++) {
    const row = 4 * axis;
    let low = Infinity;
    let high = -Infinity;
    for (let i = vertexStart[node]; i < vertexStart[node + 1]; i++) {
      const v = 3 * nodeVertices[i];
      const value = m[row] * positions[v] + m[row + 1] * positions[v + 1] + m[row + 2] * positions[v + 2] + m[row + 3];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    // Placing rounds; a box must still contain its vertices.
    const slack = 4e-16 * (Math.abs(low) + Math.abs(high));
    boxes[6 * node + axis] = low - slack;
    boxes[6 * node + axis + 3] = high + slack;
  }
}
