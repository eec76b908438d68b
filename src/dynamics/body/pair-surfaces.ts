// What pairs of bodies have where they touch: by default from what each body has, or as it was set for the pair.

import { pairKey } from '../solver/pair-key.js';
import type { Bodies } from './bodies.js';

/** Friction and restitution of two bodies that touch. */
export interface PairSurface {
  /** Coulomb's coefficient of points that slide. */
  readonly friction: number;
  /** Of points that do not slide. */
  readonly staticFriction: number;
  readonly restitution: number;
}

/** The surfaces of all pairs of a world. */
export class PairSurfaces {
  readonly #set = new Map<number, PairSurface>();
  readonly #own = { friction: 0, staticFriction: 0, restitution: 0 };

  /** Sets what a pair has, or (null) takes that back. */
  set(a: number, b: number, surface: PairSurface | null): void {
    if (surface === null) this.#set.delete(pairKey(a, b));
    else this.#set.set(pairKey(a, b), surface);
  }

  /** Forgets the pairs of a body. */
  forget(slot: number, count: number): void {
    if (this.#set.size > 0) for (let other = 0; other < count; other++) this.#set.delete(pairKey(slot, other));
  }

  /** The surface of a pair. Valid until the next call. */
  of({ friction, staticFriction, restitution }: Bodies, a: number, b: number): PairSurface {
    const known = this.#set.size === 0 ? undefined : this.#set.get(pairKey(a, b));
    if (known !== undefined) return known;
    const own = this.#own;
    own.friction = Math.sqrt(friction[a] * friction[b]);
    own.staticFriction = Math.sqrt(staticFriction[a] * staticFriction[b]);
    own.restitution = Math.max(restitution[a], restitution[b]);
    return own;
  }
}
