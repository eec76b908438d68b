// Islands that rest on something fixed fall asleep when none of their bodies has moved for a while; a touch wakes them.
// Motion is measured over the whole while, so that a slow start is not taken for rest.
import { growTo } from '../../core/grow-array.js';
import { DYNAMIC, KINEMATIC, type PlaneBodies, STATIC } from '../plane-bodies.js';
import type { PlaneJoint } from '../plane-joints.js';
import { type ContactSet, SENSING } from './contact-set.js';
import { Islands } from './islands.js';

const SECONDS = 0.5;
/** The way of the farthest point in that time, in sizes. */
const MOST_WAY = 2e-5;
/** Sizes a second. */
const MOST_SPEED = 2e-3;

export class Sleeping {
  readonly islands = new Islands();
  /** x, y, angle of each body where its rest began. */
  anchors = new Float64Array(24);
  #rests = new Int32Array(8);
  #isHeld = new Int32Array(8);

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
    readonly joints: readonly PlaneJoint[],
  ) {}

  /** Wakes sleepers that moving bodies come near. @returns whether there were any. */
  wakeTouched(): boolean {
    const { bodies, contacts } = this;
    let isAny = false;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] === SENSING || contacts.pairLast[pair] < 0) continue;
      const a = contacts.pairA[pair];
      const b = contacts.pairB[pair];
      for (const [sleeper, other] of [
        [a, b],
        [b, a],
      ]) {
        if (bodies.asleep[sleeper] === 0 || !this.#disturbs(other)) continue;
        this.wake(sleeper);
        isAny = true;
      }
    }
    return isAny;
  }

  #disturbs(i: number): boolean {
    const { kind, asleep, velocity, spin } = this.bodies;
    if (kind[i] === KINEMATIC) return velocity[2 * i] !== 0 || velocity[2 * i + 1] !== 0 || spin[i] !== 0;
    return kind[i] === DYNAMIC && asleep[i] === 0;
  }

  /** Wakes a body and all that fell asleep with it. */
  wake(i: number): void {
    const { asleep, still, count } = this.bodies;
    still[i] = 0;
    if (asleep[i] === 0) return;
    const island = asleep[i];
    for (let k = 0; k < count; k++) {
      if (asleep[k] !== island) continue;
      asleep[k] = 0;
      still[k] = 0;
    }
  }

  wakeAll(): void {
    for (let i = 0; i < this.bodies.count; i++) this.wake(i);
  }

  /** After a step: puts islands to sleep that have rested long enough. */
  update(dt: number): void {
    const { bodies, contacts, islands, joints } = this;
    const { count, kind, asleep, still } = bodies;
    this.anchors = growTo(this.anchors, 3 * count);
    islands.build(bodies, contacts, joints, true);
    if (this.#rests.length < count) {
      this.#rests = new Int32Array(2 * count);
      this.#isHeld = new Int32Array(2 * count);
    }
    this.#rests.fill(1);
    this.#isHeld.fill(0);
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      if (this.#hasMoved(i)) {
        still[i] = 0;
        this.anchors[3 * i] = bodies.center[2 * i];
        this.anchors[3 * i + 1] = bodies.center[2 * i + 1];
        this.anchors[3 * i + 2] = bodies.angle[i];
      } else still[i] += dt;
      if (still[i] < SECONDS) this.#rests[islands.root[i]] = 0;
    }
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] === SENSING || !contacts.isTouching(pair)) continue;
      const a = contacts.pairA[pair];
      const b = contacts.pairB[pair];
      if (kind[a] === STATIC && kind[b] === DYNAMIC) this.#isHeld[islands.root[b]] = 1;
      if (kind[b] === STATIC && kind[a] === DYNAMIC) this.#isHeld[islands.root[a]] = 1;
      // What moves on a path keeps everything on it awake.
      if (kind[a] === KINEMATIC && this.#disturbs(a) && kind[b] === DYNAMIC) this.#rests[islands.root[b]] = 0;
      if (kind[b] === KINEMATIC && this.#disturbs(b) && kind[a] === DYNAMIC) this.#rests[islands.root[a]] = 0;
    }
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      const root = islands.root[i];
      if (this.#rests[root] === 0 || this.#isHeld[root] === 0) continue;
      asleep[i] = root + 1;
      bodies.velocity[2 * i] = bodies.velocity[2 * i + 1] = bodies.spin[i] = 0;
    }
  }

  #hasMoved(i: number): boolean {
    const { center, angle, velocity, spin, outlines, still } = this.bodies;
    const { reach } = outlines[i];
    const speed = Math.hypot(velocity[2 * i], velocity[2 * i + 1]) + Math.abs(spin[i]) * reach;
    if (speed > 2 * MOST_SPEED * reach) return true;
    if (still[i] === 0) {
      this.anchors[3 * i] = center[2 * i];
      this.anchors[3 * i + 1] = center[2 * i + 1];
      this.anchors[3 * i + 2] = angle[i];
      return false;
    }
    const way =
      Math.hypot(center[2 * i] - this.anchors[3 * i], center[2 * i + 1] - this.anchors[3 * i + 1]) +
      Math.abs(angle[i] - this.anchors[3 * i + 2]) * reach;
    return way > 2 * MOST_WAY * reach;
  }
}
