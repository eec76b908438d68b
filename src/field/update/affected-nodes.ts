// Which nodes a moved part of the surface can have changed, as boxes of nodes. Let B be the box of what moved (old and
// new place). If a node x is farther from B than its old distance T(x), its nearest point is elsewhere, before and
// after: the old one was nearer than B, and did not move. This holds for distances; marched times also mix where fronts
// meet, which the check at the borders detects. One pass over the nodes, without square roots.
import type { GridFrame, NodeBox } from '../grid.js';

/** The number of nodes in a box. */
export function nodesOfBox(box: NodeBox): number {
  const { min, max } = box;
  return Math.max(0, max[0] - min[0] + 1) * Math.max(0, max[1] - min[1] + 1) * Math.max(0, max[2] - min[2] + 1);
}

/** The smallest box around two boxes. */
export function uniteNodeBoxes(a: NodeBox, b: NodeBox): NodeBox {
  if (nodesOfBox(a) === 0) return b;
  if (nodesOfBox(b) === 0) return a;
  return {
    min: [Math.min(a.min[0], b.min[0]), Math.min(a.min[1], b.min[1]), Math.min(a.min[2], b.min[2])],
    max: [Math.max(a.max[0], b.max[0]), Math.max(a.max[1], b.max[1]), Math.max(a.max[2], b.max[2])],
  };
}

/** Merges two boxes while together they hold at least as many nodes as the box around both; drops empty boxes. */
export function mergeNodeBoxes(boxes: readonly NodeBox[]): NodeBox[] {
  const merged = boxes.filter((box) => nodesOfBox(box) > 0);
  for (let a = 0; a < merged.length; a++) {
    for (let b = a + 1; b < merged.length; b++) {
      const both = uniteNodeBoxes(merged[a], merged[b]);
      if (nodesOfBox(both) > nodesOfBox(merged[a]) + nodesOfBox(merged[b])) continue;
      merged[a] = both;
      merged.splice(b, 1);
      // The merged box is larger: test all others again.
      a = -1;
      break;
    }
  }
  return merged;
}

/** Where changes come from, and how far they reach. */
export interface ChangeReach {
  /** Boxes around everything that moved, six numbers each, minimum first: many small ones affect the fewest nodes. */
  readonly boxes: Float64Array;
  /** The highest speed at which changes travel. */
  readonly fastest: number;
  /** Values above this are not computed. */
  readonly limit: number;
  /** A length added to the reach. */
  readonly margin: number;
}

/**
 * The box around all nodes whose distance to one of the boxes is at most `fastest` · min(|value|, limit) + margin.
 * Infinite values without a limit do not count: nothing arrives there.
 */
export function findAffectedNodes(frame: GridFrame, values: Float64Array, reach: ChangeReach): NodeBox {
  const search = new NodeSearch(frame, values, reach);
  const [nx, ny, nz] = frame.size;
  let minI = nx;
  let maxI = -1;
  let minJ = ny;
  let maxJ = -1;
  let minK = nz;
  let maxK = -1;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      // In rows within the range found so far, only nodes before its first or after its last node can extend it.
      const isKnown = k <= maxK && j >= minJ && j <= maxJ;
      const end = isKnown ? minI : nx;
      const first = search.findInRow(j, k, 0, end, 1);
      if (first === end && !isKnown) continue;
      maxI = Math.max(maxI, first < end ? first : -1);
      maxI = search.findInRow(j, k, nx - 1, maxI, -1);
      minI = Math.min(minI, first);
      if (isKnown) continue;
      minJ = Math.min(minJ, j);
      maxJ = Math.max(maxJ, j);
      minK = Math.min(minK, k);
      maxK = k;
    }
  }
  return { min: [minI, minJ, minK], max: [maxI, maxJ, maxK] };
}

/** Squares of the distances from the planes of nodes to boxes, axis by axis. */
class NodeSearch {
  readonly #values: Float64Array;
  readonly #reach: ChangeReach;
  readonly #nx: number;
  readonly #ny: number;
  /** The least over all boxes, by axis and node; it rejects most nodes. */
  readonly #outer: Float64Array[];
  /** For each box, by axis, box and node. */
  readonly #inner: Float64Array[];
  readonly #count: number;

  constructor(frame: GridFrame, values: Float64Array, reach: ChangeReach) {
    const { boxes } = reach;
    this.#values = values;
    this.#reach = reach;
    [this.#nx, this.#ny] = frame.size;
    this.#count = boxes.length / 6;
    this.#outer = [];
    this.#inner = [];
    for (let axis = 0; axis < 3; axis++) {
      const nodes = frame.size[axis];
      const outer = new Float64Array(nodes);
      const inner = new Float64Array(nodes * this.#count);
      for (let i = 0; i < nodes; i++) {
        const at = frame.origin[axis] + frame.spacing * i;
        let least = Infinity;
        for (let b = 0; b < this.#count; b++) {
          const gap = Math.max(0, boxes[6 * b + axis] - at, at - boxes[6 * b + 3 + axis]);
          inner[b * nodes + i] = gap * gap;
          least = Math.min(least, gap * gap);
        }
        // The least along each axis separately: a lower bound of the distance to all boxes.
        outer[i] = least;
      }
      this.#outer.push(outer);
      this.#inner.push(inner);
    }
  }

  /** The first affected node of a row from `from` on, or `end`. */
  findInRow(j: number, k: number, from: number, end: number, step: number): number {
    const { fastest, limit, margin } = this.#reach;
    const values = this.#values;
    const [outerX, outerY, outerZ] = this.#outer;
    const row = this.#nx * (j + this.#ny * k);
    const gap = outerY[j] + outerZ[k];
    for (let i = from; i !== end; i += step) {
      const time = Math.min(Math.abs(values[row + i]), limit);
      const far = fastest * time + margin;
      if (gap + outerX[i] > far * far || time === Infinity) continue;
      if (this.#isWithin(i, j, k, far * far)) return i;
    }
    return end;
  }

  #isWithin(i: number, j: number, k: number, squared: number): boolean {
    const [x, y, z] = this.#inner;
    const nx = this.#nx;
    const ny = this.#ny;
    const nz = z.length / this.#count;
    for (let b = 0; b < this.#count; b++) {
      if (x[b * nx + i] + y[b * ny + j] + z[b * nz + k] <= squared) return true;
    }
    return false;
  }
}
