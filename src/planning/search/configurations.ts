// Configurations in one flat array that grows, and the nearest of them.
import { growTo } from '../../core/grow-array.js';
import type { CollisionScene } from '../validity/collision-scene.js';

export class Configurations {
  readonly size: number;
  count = 0;
  #values: Float64Array;

  constructor(size: number) {
    this.size = size;
    this.#values = new Float64Array(64 * size);
  }

  /** Adds a copy; returns its index. */
  add(q: Float64Array): number {
    this.#values = growTo(this.#values, (this.count + 1) * this.size);
    this.#values.set(q, this.count * this.size);
    return this.count++;
  }

  /** A view of one; invalid after the next {@link add}. */
  at(index: number): Float64Array {
    return this.#values.subarray(index * this.size, (index + 1) * this.size);
  }

  /** The index of the nearest to q; −1 if there is none. */
  nearest(q: Float64Array, scene: CollisionScene): number {
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.count; i++) {
      const distance = scene.separation(this.at(i), q);
      if (distance >= least) continue;
      least = distance;
      best = i;
    }
    return best;
  }
}
