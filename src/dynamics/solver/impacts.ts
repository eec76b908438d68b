// Impacts that bounce, at their time within a step: bodies fly freely until the first contact closes, the pairs that touch
// then get their blows, the fastest approach first, so that a blow runs through a row of balls as in Newton's cradle.
import { type Bodies, DYNAMIC } from '../body/bodies.js';
import type { Collision } from './collision.js';
import { type ContactBuffer, GIVEN_UP } from './contact-buffer.js';
import type { PairState } from './pair-table.js';
import type { SubstepSolver } from './substep-solver.js';

/** Rounding: gaps beyond that at rest below this count as closed, m. */
const CLOSED = 1e-9;
/** Chosen: blows at one instant, for each near pair. */
const MAX_BLOWS = 64;

/** Finds the times of impacts and strikes blows. */
export class Impacts {
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #collision: Collision;
  readonly #solver: SubstepSolver;
  readonly #gravity: Float64Array;

  constructor(
    bodies: Bodies,
    contacts: ContactBuffer,
    collision: Collision,
    solver: SubstepSolver,
    gravity: Float64Array,
  ) {
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.#collision = collision;
    this.#solver = solver;
    this.#gravity = gravity;
  }

  /** Whether any contact may bounce. */
  mayBounce(): boolean {
    const { count, restitution } = this.#contacts;
    for (let i = 0; i < count; i++) if (restitution[i] > 0) return true;
    return false;
  }

  /**
   * The time of the first impact in the next `dt` that bounces, or Infinity. Contacts that will bounce are taken
   * out of the solver's hands: they fly on freely until their blow.
   */
  next(dt: number, threshold: number): number {
    const { restitution, rest, separation } = this.#contacts;
    this.#solver.prepareBlows();
    let first = Infinity;
    for (const pair of this.#collision.active) {
      for (let i = pair.first; i < pair.first + pair.count; i++) {
        if (!(restitution[i] > 0)) continue;
        const time = this.#timeOf(i, separation[i] - rest[i], dt, threshold);
        if (time === Infinity) continue;
        rest[i] = GIVEN_UP;
        pair.isFree = true;
        if (time < first) first = time;
      }
    }
    return first;
  }

  /** Strikes all pairs that touch and approach faster than the threshold. @returns how many blows there were. */
  strike(threshold: number): number {
    const { active } = this.#collision;
    this.#solver.prepareBlows();
    const most = MAX_BLOWS * active.length;
    let blows = 0;
    for (; blows < most; blows++) {
      let fastest = -threshold;
      let hit: PairState | null = null;
      for (const pair of active) {
        const closed = CLOSED + 2 * pair.rest;
        for (let i = pair.first; i < pair.first + pair.count; i++) {
          if (this.#contacts.separation[i] - this.#contacts.rest[i] > closed) continue;
          const speed = this.#solver.speedOf(i);
          if (!(speed < fastest)) continue;
          fastest = speed;
          hit = pair;
        }
      }
      if (hit === null) break;
      hit.struck = true;
      this.#solver.strike(hit.first, hit.count, CLOSED + 2 * hit.rest, threshold);
    }
    return blows;
  }

  /** When a contact closes at more than the threshold, by its speed and what gravity does along its normal. */
  #timeOf(i: number, gap: number, dt: number, threshold: number): number {
    const { bodyA, bodyB, normal, normalImpulse } = this.#contacts;
    const { kind } = this.#bodies;
    const speed = this.#solver.speedOf(i);
    // One that rests is held up.
    if (normalImpulse[i] > 0 && speed >= -threshold) return Infinity;
    let pull = 0;
    for (let k = 0; k < 3; k++) {
      const g = this.#gravity[k] * normal[3 * i + k];
      if (kind[bodyA[i]] === DYNAMIC) pull -= g;
      if (kind[bodyB[i]] === DYNAMIC) pull += g;
    }
    if (gap <= CLOSED) return speed < -threshold ? 0 : Infinity;
    // gap + speed t + pull t² / 2 = 0
    const square = speed * speed - 2 * pull * gap;
    if (square < 0) return Infinity;
    const hit = -Math.sqrt(square);
    const time = (2 * gap) / (-speed - hit);
    return time > 0 && time <= dt && hit < -threshold ? time : Infinity;
  }
}
