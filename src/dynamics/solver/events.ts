// Which pairs began and ceased to touch.

import { NEAR, OVERLAP } from '../../manifold/contact-state.js';
import type { Bodies } from '../body/bodies.js';
import type { Collision } from './collision.js';
import type { PairState } from './pair-table.js';

/** A change of a pair, by slots. */
export interface TouchChange {
  readonly begins: boolean;
  readonly a: number;
  readonly b: number;
  readonly sensor: boolean;
}

/** Follows the touching pairs of a world. */
export class TouchEvents {
  readonly changes: TouchChange[] = [];
  readonly #bodies: Bodies;
  readonly #collision: Collision;
  /** Pairs that touched after the last step. */
  #touching: PairState[] = [];

  constructor(bodies: Bodies, collision: Collision) {
    this.#bodies = bodies;
    this.#collision = collision;
  }

  /** Compares the pairs of the last step with those before. */
  update(): void {
    const { pairs, active, stamp } = this.#collision;
    const before = this.#touching;
    const now: PairState[] = [];
    for (const pair of active) {
      const touches = this.#touches(pair);
      if (touches) now.push(pair);
      if (touches === pair.touching) continue;
      pair.touching = touches;
      this.#add(touches, pair);
    }
    // Those that are no candidates any more have parted; those at rest are not looked at.
    for (const pair of before) {
      if (!pair.touching) continue;
      if (pairs.find(pair.a, pair.b) !== pair) {
        pair.touching = false;
        this.#add(false, pair);
      } else if (pair.stamp !== stamp) now.push(pair);
    }
    this.#touching = now;
  }

  /** Forgets a body that is removed; its touches end. */
  forget(slot: number): void {
    for (const pair of this.#touching) {
      if (pair.a !== slot && pair.b !== slot) continue;
      pair.touching = false;
      this.#add(false, pair);
    }
    this.#touching = this.#touching.filter(({ touching }) => touching);
  }

  /** Takes the touching pairs as they are marked. */
  restore(): void {
    this.changes.length = 0;
    this.#touching = this.#collision.pairs.sorted().filter(({ touching }) => touching);
  }

  #add(begins: boolean, { a, b }: PairState): void {
    const { sensor } = this.#bodies;
    this.changes.push({ begins, a, b, sensor: (sensor[a] | sensor[b]) !== 0 });
  }

  #touches(pair: PairState): boolean {
    const { sensor } = this.#bodies;
    if ((sensor[pair.a] | sensor[pair.b]) !== 0) {
      return pair.state === OVERLAP || (pair.state === NEAR && pair.manifold.distance <= 0);
    }
    const { struck } = pair;
    pair.struck = false;
    return struck || pair.state === OVERLAP;
  }
}
