// Which pairs began or ceased to touch in a step: two sorted lists compared. Pairs of sleepers go on as they are.

import type { PlaneBodies } from '../body/plane-bodies.js';
import { PlaneBroadPhase } from './broad-phase.js';

/** Two bodies that began or ceased to touch; with a sensor: to overlap. */
export interface PlaneEvent {
  readonly type: 'begin' | 'end';
  readonly bodyA: number;
  readonly bodyB: number;
  readonly sensor: boolean;
}

export class ContactEvents {
  touching: number[] = [];
  readonly #waiting: PlaneEvent[] = [];

  constructor(readonly bodies: PlaneBodies) {}

  /** @param now keys of the pairs that touch, ascending; pairs that were not looked at may be missing. */
  update(now: readonly number[]): void {
    const next: number[] = [];
    let i = 0;
    let j = 0;
    const { touching } = this;
    while (i < touching.length || j < now.length) {
      if (j >= now.length || touching[i] < now[j]) {
        const key = touching[i++];
        if (this.#sleeps(key)) next.push(key);
        else this.#report('end', key);
      } else {
        if (i < touching.length && touching[i] === now[j]) i++;
        else this.#report('begin', now[j]);
        next.push(now[j++]);
      }
    }
    this.touching = next;
  }

  #sleeps(key: number): boolean {
    return this.bodies.isIdle(PlaneBroadPhase.first(key), PlaneBroadPhase.second(key));
  }

  /** Keys of the touching pairs that are not looked at while both bodies rest. */
  sleepingPairs(): number[] {
    return this.touching.filter((key) => this.#sleeps(key));
  }

  #report(type: 'begin' | 'end', key: number): void {
    const bodyA = PlaneBroadPhase.first(key);
    const bodyB = PlaneBroadPhase.second(key);
    const { isSensor } = this.bodies;
    this.#waiting.push({ type, bodyA, bodyB, sensor: isSensor[bodyA] + isSensor[bodyB] > 0 });
  }

  take(): PlaneEvent[] {
    return this.#waiting.splice(0);
  }
}
