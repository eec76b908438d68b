// The pairs of pieces whose sums may come within a distance of the origin, in the layout of the kernels. Found by
// descending both hierarchies; only boxes are measured. O(pairs of nodes met).
import { copyInto } from '../../core/grow-array.js';
import type { StructLayout } from '../../gpu/shader-layout.js';
import type { Solid } from '../solid.js';
import type { NodeBoxes } from '../union/node-boxes.js';
import type { GpuSolid } from './solid-gpu.js';

/** A pair in minkowski-planes.wgsl. */
export const PAIR_LAYOUT = {
  size: 20,
  offsets: { leafA: 0, leafB: 4, firstPlane: 8, capacity: 12, distance: 16 },
} as const satisfies StructLayout;

/** Layout: words of 4 bytes of a pair. */
const WORDS = PAIR_LAYOUT.size / 4;

/** A list of pairs with its memory. */
export class GpuLeafPairs {
  count = 0;
  /** Room for planes and normals of all pairs together. */
  planeCount = 0;
  /** Room per edge for this many planes of two edges; grows when a sum has more. */
  edgeRoom = 2;
  /** The pairs as the shader's structs. */
  words = new Uint32Array(WORDS * 1024);
  #numbers = new Float32Array(this.words.buffer);
  #stack = new Int32Array(512);

  /** Lists the pairs within the bound. Lengths are written in units of `unit`. */
  collect(a: Solid, b: Solid, gpuA: GpuSolid, gpuB: GpuSolid, boxes: NodeBoxes, bound: number, unit: number): void {
    const childrenA = a.hulls.children;
    const childrenB = b.hulls.children;
    const limit = bound * bound;
    this.count = 0;
    this.planeCount = 0;
    let top = 2;
    this.#stack[0] = 0;
    this.#stack[1] = 0;
    while (top > 0) {
      const nodeB = this.#stack[--top];
      const nodeA = this.#stack[--top];
      const squared = boxes.distanceSquared(nodeA, nodeB);
      if (squared > limit) continue;
      const splitA = childrenA[2 * nodeA] >= 0;
      const splitB = childrenB[2 * nodeB] >= 0;
      if (!splitA && !splitB) {
        const leafA = gpuA.leafOfNode[nodeA];
        const leafB = gpuB.leafOfNode[nodeB];
        if (leafA >= 0 && leafB >= 0) this.#add(gpuA, gpuB, leafA, leafB, Math.sqrt(squared) / unit);
        continue;
      }
      if (top + 4 > this.#stack.length) this.#stack = copyInto(this.#stack, new Int32Array(2 * this.#stack.length));
      const stack = this.#stack;
      // Parents have smaller ids: the node nearer to its root is split.
      const downA = splitA && (!splitB || nodeA <= nodeB);
      for (let k = 0; k < 2; k++) {
        stack[top++] = downA ? childrenA[2 * nodeA + k] : nodeA;
        stack[top++] = downA ? nodeB : childrenB[2 * nodeB + k];
      }
    }
  }

  #add(gpuA: GpuSolid, gpuB: GpuSolid, leafA: number, leafB: number, distance: number): void {
    const at = WORDS * this.count++;
    if (at + WORDS > this.words.length) {
      this.words = copyInto(this.words, new Uint32Array(2 * this.words.length));
      this.#numbers = new Float32Array(this.words.buffer);
    }
    const arcsA = gpuA.arcCounts[leafA];
    const arcsB = gpuB.arcCounts[leafB];
    const edges = Math.min(arcsA * arcsB, Math.ceil(this.edgeRoom * (arcsA + arcsB)));
    const capacity = gpuA.normalCounts[leafA] + gpuB.normalCounts[leafB] + edges;
    this.words[at] = leafA;
    this.words[at + 1] = leafB;
    this.words[at + 2] = this.planeCount;
    this.words[at + 3] = capacity;
    this.#numbers[at + 4] = distance;
    this.planeCount += 2 * capacity;
  }
}
