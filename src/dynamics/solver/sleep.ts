// Sleep: bodies that touch or are joined form islands; an island that stays at rest is left out of the steps until something
// touches it, pulls at it, or takes away what it stands on.
import { type Bodies, DYNAMIC, KINEMATIC } from '../body/bodies.js';
import { WORLD } from '../joint/joint.js';
import type { JointSolver } from '../joint/joint-solver.js';
import { type Collision, reachOf, sizeOf } from './collision.js';
import type { ContactBuffer } from './contact-buffer.js';

/** Chosen: how long an island is at rest before it sleeps, s. */
const REST_TIME = 0.5;
/** Chosen: a body is at rest if its points move more slowly than this times its radius, 1/s. */
const REST_SPEED = 2e-3;

/** Chosen: an overlap up to this share of the smaller radius may sleep. */
const OVERLAP_SHARE = 2e-4;

/** Islands of a world. */
export class Sleep {
  enabled = true;
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #collision: Collision;
  readonly #joints: JointSolver;
  /** How long each body has been at rest, s. */
  timers = new Float64Array(0);
  /** Islands that sleep: the lowest body of each. */
  islands = new Int32Array(0);
  #parent = new Int32Array(0);
  /** 1: the island of this root touches something. 2: something in it moves. */
  #marks = new Uint8Array(0);

  constructor(bodies: Bodies, contacts: ContactBuffer, collision: Collision, joints: JointSolver) {
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.#collision = collision;
    this.#joints = joints;
  }

  /** Follows islands after a step and puts those at rest to sleep. */
  update(dt: number): void {
    if (!this.enabled) return;
    const { count, kind, asleep } = this.#bodies;
    this.reserve(count);
    for (let i = 0; i < count; i++) {
      this.#parent[i] = i;
      this.#marks[i] = 0;
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      this.timers[i] = this.#isSlow(i) ? this.timers[i] + dt : 0;
    }
    this.#joinContacts();
    this.#joinJoints();
    for (const { a, b } of this.#collision.overlapping) {
      if (kind[a] === DYNAMIC) this.timers[a] = 0;
      if (kind[b] === DYNAMIC) this.timers[b] = 0;
    }
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      if (this.timers[i] < REST_TIME) this.#marks[this.#root(i)] |= 2;
    }
    for (let i = 0; i < count; i++) {
      if (kind[i] !== DYNAMIC || asleep[i] !== 0) continue;
      const root = this.#root(i);
      if (this.#marks[root] === 1) this.#fallAsleep(i, root);
    }
  }

  /** Wakes the islands that bodies awake have come to touch. @returns whether any woke. */
  wakeTouched(): boolean {
    const { asleep, kind, velocity, angularVelocity } = this.#bodies;
    let woke = false;
    for (const { a, b, count, first } of this.#collision.active) {
      if (count === 0 || asleep[a] === asleep[b]) continue;
      const sleeper = asleep[a] !== 0 ? a : b;
      const other = sleeper === a ? b : a;
      if (kind[other] === KINEMATIC) {
        let moves = false;
        for (let k = 3 * other; k < 3 * other + 3; k++) moves ||= velocity[k] !== 0 || angularVelocity[k] !== 0;
        if (!moves) continue;
      } else if (kind[other] !== DYNAMIC) continue;
      // Only once they touch: bodies that pass by leave it asleep.
      for (let i = first; i < first + count; i++) {
        if (this.#contacts.separation[i] > 2 * this.#contacts.rest[i]) continue;
        woke = this.wake(sleeper) || woke;
        break;
      }
    }
    return woke;
  }

  /** Wakes the island of a body. @returns whether it slept. */
  wake(slot: number): boolean {
    const { count, asleep } = this.#bodies;
    this.reserve(count);
    this.timers[slot] = 0;
    if (asleep[slot] === 0) return false;
    const island = this.islands[slot];
    for (let i = 0; i < count; i++) {
      if (asleep[i] === 0 || this.islands[i] !== island) continue;
      asleep[i] = 0;
      this.timers[i] = 0;
    }
    return true;
  }

  /** Wakes whatever rests on a body that moves away or vanishes. */
  wakeNeighbors(slot: number): void {
    for (const { a, b } of this.#collision.pairs.values()) {
      if (a === slot) this.wake(b);
      else if (b === slot) this.wake(a);
    }
    for (const { a, b } of this.#joints.joints) {
      if (a === slot) this.wake(b);
      else if (b === slot && a !== WORLD) this.wake(a);
    }
  }

  #fallAsleep(slot: number, root: number): void {
    const { asleep, velocity, angularVelocity } = this.#bodies;
    asleep[slot] = 1;
    this.islands[slot] = root;
    velocity.fill(0, 3 * slot, 3 * slot + 3);
    angularVelocity.fill(0, 3 * slot, 3 * slot + 3);
  }

  #joinContacts(): void {
    const { count, bodyA, bodyB, normalImpulse, separation } = this.#contacts;
    const { kind, asleep, velocity, angularVelocity } = this.#bodies;
    for (let i = 0; i < count; i++) {
      const a = bodyA[i];
      const b = bodyB[i];
      if (!(normalImpulse[i] > 0)) continue;
      // Bodies that still part move without a velocity.
      const isParting = separation[i] < -OVERLAP_SHARE * Math.min(sizeOf(this.#bodies, a), sizeOf(this.#bodies, b));
      if (kind[a] === DYNAMIC && kind[b] === DYNAMIC) {
        this.#join(a, b);
        this.#marks[this.#root(a)] |= isParting ? 3 : 1;
        continue;
      }
      const mover = kind[a] === DYNAMIC ? a : b;
      const support = mover === a ? b : a;
      let moves = false;
      for (let k = 3 * support; k < 3 * support + 3; k++) moves ||= velocity[k] !== 0 || angularVelocity[k] !== 0;
      if (asleep[mover] === 0) this.#marks[this.#root(mover)] |= moves || isParting ? 3 : 1;
    }
  }

  #joinJoints(): void {
    const { kind } = this.#bodies;
    for (const joint of this.#joints.joints) {
      const { a, b } = joint;
      if (a !== WORLD && kind[a] === DYNAMIC) this.#join(a, b);
      this.#marks[this.#root(b)] |= joint.hasMotor && joint.speed !== 0 ? 3 : 1;
    }
  }

  #isSlow(slot: number): boolean {
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const speed = Math.hypot(v[3 * slot], v[3 * slot + 1], v[3 * slot + 2]);
    const size = sizeOf(this.#bodies, slot);
    const turn =
      Math.hypot(w[3 * slot], w[3 * slot + 1], w[3 * slot + 2]) * Math.max(size, reachOf(this.#bodies, slot));
    return speed + turn < REST_SPEED * size;
  }

  #root(i: number): number {
    const parent = this.#parent;
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  }

  #join(a: number, b: number): void {
    const p = this.#root(a);
    const q = this.#root(b);
    if (p === q) return;
    const marks = this.#marks[p] | this.#marks[q];
    this.#parent[Math.max(p, q)] = Math.min(p, q);
    this.#marks[Math.min(p, q)] = marks;
  }

  /** Makes room for a number of bodies. */
  reserve(count: number): void {
    if (this.#parent.length >= count) return;
    const length = Math.max(64, 2 * count);
    const { timers, islands } = this;
    this.timers = new Float64Array(length);
    this.timers.set(timers);
    this.islands = new Int32Array(length);
    this.islands.set(islands);
    this.#parent = new Int32Array(length);
    this.#marks = new Uint8Array(length);
  }
}
