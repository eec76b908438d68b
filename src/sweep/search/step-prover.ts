// How far two surfaces that move evenly can go on before they may come within a clearance: one descent through both trees from a
// moment, in which each pair of nodes or triangles has its own bound of second order (ClearTime). The least of them is the
// step (conservative advancement, Mirtich 1996). The pair that ended the last step comes first, so that the rest is cut early.
import type { BoxTree } from '../../proximity/boxes/box-tree.js';
import { PairStack } from '../../proximity/boxes/pair-stack.js';
import { ClearTime } from '../../proximity/impact/clear-time.js';
import type { Segment } from '../../proximity/impact/motion.js';
import { RelativeMotion } from '../../proximity/impact/relative-motion.js';

export class StepProver {
  readonly motion = new RelativeMotion();
  /** Pairs of volumes and of triangles that were bounded. */
  pairs = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #bounds: ClearTime;
  readonly #stack = new PairStack();
  #lastA = -1;
  #lastB = -1;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#bounds = new ClearTime(a, b, this.motion);
  }

  /** Starts a segment, in which times are from 0 to 1. */
  begin(segment: Segment): void {
    this.motion.begin(segment);
  }

  /**
   * How long the surfaces stay farther apart than the clearance from s on, at most `wanted`; 0 if they are within clearance +
   * tolerance at s.
   */
  step(s: number, clearance: number, tolerance: number, wanted: number): number {
    const bounds = this.#bounds;
    this.motion.move(s);
    bounds.place();
    let step = wanted;
    if (this.#lastA >= 0) {
      step = Math.min(step, this.#ofTriangles(this.#lastA, this.#lastB, clearance, tolerance, step));
      if (step === 0) return 0;
    }
    const [a, b] = [this.#a, this.#b];
    const stack = this.#stack;
    stack.begin(0, 0);
    while (stack.size > 0) {
      const nodeA = stack.nodesA[--stack.size];
      const nodeB = stack.nodesB[stack.size];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      this.pairs++;
      if (linkA < 0 && linkB < 0) {
        const time = this.#ofTriangles(~linkA, ~linkB, clearance, tolerance, step);
        if (time === 0) return 0;
        step = Math.min(step, time);
        continue;
      }
      if (bounds.ofBoxes(nodeA, nodeB, clearance, step) >= step) continue;
      stack.pushChildren(a, nodeA, b, nodeB);
    }
    return step;
  }

  #ofTriangles(triangleA: number, triangleB: number, clearance: number, tolerance: number, step: number): number {
    const bounds = this.#bounds;
    const time = bounds.ofTriangles(triangleA, triangleB, clearance, step);
    if (time >= step) return time;
    this.#lastA = triangleA;
    this.#lastB = triangleB;
    return bounds.distance <= clearance + Math.max(tolerance, 4 * bounds.slack) ? 0 : time;
  }
}
