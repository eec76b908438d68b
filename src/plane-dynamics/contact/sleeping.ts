// Islands that rest on something fixed fall asleep when none of their bodies has moved for a while; a touch wakes them.
// Motion is measured over the whole while, so that a slow start is not taken for rest.
import { growTo } from '../../core/grow-array.js';
import { DYNAMIC, KINEMATIC, type PlaneBodies, STATIC } from '../body/plane-bodies.js';
import type { PlaneJoint } from '../joint/plane-joint.js';
import type { ContactSet } from './contact-set.js';
import { Islands } from './islands.js';
import { SENSING } from './near-pairs.js';

/** Chosen: how long an island rests before it sleeps, s. */
const REST_TIME = 0.5;
/** Chosen: how far the farthest point of a body may move in that time, in diameters. */
const MAX_WAY = 2e-5;
/** Chosen: how fast the farthest point of a body at rest may move, in diameters a second. */
const MAX_SPEED = 2e-3;

export class Sleeping {
  /** x, y, angle of each body where its rest began. */
  anchors = new Float64Array(24);
  readonly #islands = new Islands();
  /** 1: all bodies of the island of this root have rested long enough. */
  #rests = new Int32Array(8);
  /** 1: the island of this root touches something fixed. */
  #isHeld = new Int32Array(8);

  /** @param enabled whether islands fall asleep. */
  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
    readonly joints: readonly PlaneJoint[],
    readonly enabled: boolean,
  ) {}

  /** Wakes sleepers that moving bodies come near. @returns whether there were any. */
  wakeTouched(): boolean {
    const { bodies, contacts } = this;
    const { pairs } = contacts;
    let isAny = false;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.mode[pair] === SENSING || contacts.last[pair] < 0) continue;
      const a = pairs.a[pair];
      const b = pairs.b[pair];
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
    if (!this.enabled) return;
    const { bodies, contacts, joints } = this;
    const { count, kind, asleep } = bodies;
    this.anchors = growTo(this.anchors, 3 * count);
    this.#islands.build(bodies, contacts, joints, true);
    if (this.#rests.length < count) {
      this.#rests = new Int32Array(2 * count);
      this.#isHeld = new Int32Array(2 * count);
    }
    this.#rests.fill(1);
    this.#isHeld.fill(0);
    this.#followRest(dt);
    this.#findSupports();
    const { root } = this.#islands;
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      if (this.#rests[root[i]] === 0 || this.#isHeld[root[i]] === 0) continue;
      asleep[i] = root[i] + 1;
      bodies.velocity[2 * i] = bodies.velocity[2 * i + 1] = bodies.spin[i] = 0;
    }
  }

  /** Adds to the time at rest of each body, or ends its rest. */
  #followRest(dt: number): void {
    const { bodies } = this;
    const { root } = this.#islands;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] !== DYNAMIC || bodies.asleep[i] !== 0) continue;
      if (this.#hasMoved(i)) {
        bodies.still[i] = 0;
        this.#setAnchor(i);
      } else bodies.still[i] += dt;
      if (bodies.still[i] < REST_TIME) this.#rests[root[i]] = 0;
    }
  }

  /** Marks islands on something fixed, and keeps those awake that touch what moves on a path. */
  #findSupports(): void {
    const { contacts, bodies } = this;
    const { pairs } = contacts;
    const { kind } = bodies;
    const { root } = this.#islands;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.mode[pair] === SENSING || !contacts.isTouching(pair)) continue;
      const a = pairs.a[pair];
      const b = pairs.b[pair];
      if (kind[a] === STATIC && kind[b] === DYNAMIC) this.#isHeld[root[b]] = 1;
      if (kind[b] === STATIC && kind[a] === DYNAMIC) this.#isHeld[root[a]] = 1;
      if (kind[a] === KINEMATIC && this.#disturbs(a) && kind[b] === DYNAMIC) this.#rests[root[b]] = 0;
      if (kind[b] === KINEMATIC && this.#disturbs(b) && kind[a] === DYNAMIC) this.#rests[root[a]] = 0;
    }
  }

  #setAnchor(i: number): void {
    const { center, angle } = this.bodies;
    this.anchors[3 * i] = center[2 * i];
    this.anchors[3 * i + 1] = center[2 * i + 1];
    this.anchors[3 * i + 2] = angle[i];
  }

  #hasMoved(i: number): boolean {
    const { center, angle, velocity, spin, outlines, still } = this.bodies;
    const { reach } = outlines[i];
    const speed = Math.hypot(velocity[2 * i], velocity[2 * i + 1]) + Math.abs(spin[i]) * reach;
    if (speed > 2 * MAX_SPEED * reach) return true;
    if (still[i] === 0) {
      this.#setAnchor(i);
      return false;
    }
    const way =
      Math.hypot(center[2 * i] - this.anchors[3 * i], center[2 * i + 1] - this.anchors[3 * i + 1]) +
      Math.abs(angle[i] - this.anchors[3 * i + 2]) * reach;
    return way > 2 * MAX_WAY * reach;
  }
}
