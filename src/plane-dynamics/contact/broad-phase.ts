// Pairs of bodies whose boxes, swept over a step and grown by a margin, meet: a sweep along x that keeps the order of the
// last step, so that it is nearly sorted. The list is sorted by numbers of bodies and does not depend on that order.
import { growTo } from '../../core/grow-array.js';
import { ELASTIC, type PlaneBodies, REMOVED, STATIC } from '../body/plane-bodies.js';

export class PlaneBroadPhase {
  count = 0;
  /** a · 2²⁶ + b of each pair, a < b, ascending. */
  pairs = new Float64Array(16);

  #order = new Int32Array(0);
  #boxes = new Float64Array(0);

  static first(pair: number): number {
    return Math.floor(pair / SHIFT);
  }

  static second(pair: number): number {
    return pair % SHIFT;
  }

  static key(a: number, b: number): number {
    return a * SHIFT + b;
  }

  /** @param margins how far each body may come in the step, and its skin; outlines are placed. */
  find(bodies: PlaneBodies, margins: Float64Array): void {
    const { count, placed, kind, asleep } = bodies;
    if (this.#order.length !== count) {
      this.#order = Int32Array.from({ length: count }, (_, i) => i);
      this.#boxes = new Float64Array(4 * count);
    }
    const order = this.#order;
    const boxes = this.#boxes;
    for (let i = 0; i < count; i++) {
      const body = order[i];
      const box = placed[body];
      const margin = margins[body];
      const left = kind[body] === REMOVED ? Infinity : box.minX - margin;
      let at = i;
      for (; at > 0 && boxes[4 * at - 4] > left; at--) {
        order[at] = order[at - 1];
        boxes.copyWithin(4 * at, 4 * at - 4, 4 * at);
      }
      order[at] = body;
      boxes[4 * at] = left;
      boxes[4 * at + 1] = box.minY - margin;
      boxes[4 * at + 2] = box.maxX + margin;
      boxes[4 * at + 3] = box.maxY + margin;
    }
    this.count = 0;
    for (let i = 0; i < count; i++) {
      const a = order[i];
      if (kind[a] === REMOVED) break;
      const isIdle = kind[a] === STATIC || asleep[a] !== 0;
      const right = boxes[4 * i + 2];
      const low = boxes[4 * i + 1];
      const high = boxes[4 * i + 3];
      for (let j = i + 1; j < count && boxes[4 * j] <= right; j++) {
        if (boxes[4 * j + 1] > high || boxes[4 * j + 3] < low) continue;
        const b = order[j];
        if (isIdle && (kind[b] === STATIC || asleep[b] !== 0)) continue;
        if (kind[a] === ELASTIC || kind[b] === ELASTIC || !bodies.canMeet(a, b)) continue;
        this.pairs = growTo(this.pairs, this.count + 1);
        this.pairs[this.count++] = a < b ? PlaneBroadPhase.key(a, b) : PlaneBroadPhase.key(b, a);
      }
    }
    this.pairs.subarray(0, this.count).sort();
  }
}

/** Chosen: numbers of bodies are below this, so that the key of a pair is exact. */
const SHIFT = 2 ** 26;
