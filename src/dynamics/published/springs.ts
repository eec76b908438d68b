// Penalty springs at points where bodies overlap, as flat arrays. Each point has a depth along a normal, a stiffness and a
// dashpot; impulses act on both bodies at one point, equal and opposite, so that momentum is kept to rounding. The dashpot
// and friction are implicit in the velocity of the point, so that they only take energy.
import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';
import { type BodyMotions, giveOfPair, pushPair, writeRelativeVelocity } from '../body/impulse.js';
import type { ImpactContacts } from '../impact/impact-response.js';

/** Layout: numbers of a spring. The constants below say where they are. */
const STRIDE = 14;
/** Layout: the unit normal, from A to B. */
const NORMAL = 0;
/** Layout: the place of the point in the world. */
const POINT = 3;
/** Layout: the depth, m. */
const DEPTH = 6;
/** Layout: n/m. */
const STIFFNESS = 7;
/** Layout: n s/m. */
const DAMPING = 8;
/** Layout: Coulomb's coefficient of the pair. */
const FRICTION = 9;
/** Layout: the speed of parting above which the spring does not push, m/s. */
const MAX_SPEED = 10;
/** Layout: the last impulse along the normal, N s. */
const IMPULSE = 11;
/** Layout: the speed along the normal that a unit impulse gives: the inverse mass of the point. */
const GIVE = 12;
/** Layout: the part of the last impulse that the spring gave, not the dashpot, N s. */
const PUSH = 13;

/** What the springs of a pair have in common. */
export interface SpringLaw {
  /** Of the bodies on the spring, rad/s. */
  readonly frequency: number;
  /** Of the damping to the critical one. */
  readonly ratio: number;
  /** Of one spring in those of the pair. */
  readonly share: number;
  /** Above this speed of parting the springs do not push, m/s. */
  readonly maxSpeed: number;
  /** What the springs of the pair may give back. */
  readonly store: SpringStore;
}

/** The energy that a pair has put into its springs, J. */
export interface SpringStore {
  energy: number;
}

/** The springs of one configuration. */
export class Springs {
  count = 0;
  #bodies = new Int32Array(128);
  readonly #stores: SpringStore[] = [];
  #values = new Float64Array(64 * STRIDE);
  readonly #relative = new Float64Array(3);

  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a spring in the middle of the contact `k` of two bodies, at which they overlap by a depth. Returns its energy by the
   * depth, J.
   */
  add(
    bodies: Bodies,
    a: number,
    b: number,
    contacts: ImpactContacts,
    k: number,
    depth: number,
    law: SpringLaw,
  ): number {
    const { pointsA, pointsB, normals } = contacts;
    const at = 3 * k;
    const px = 0.5 * (pointsA[at] + pointsB[at]);
    const py = 0.5 * (pointsA[at + 1] + pointsB[at + 1]);
    const pz = 0.5 * (pointsA[at + 2] + pointsB[at + 2]);
    const { frequency, ratio, share, maxSpeed, store } = law;
    const i = this.count++;
    this.#stores[i] = store;
    if (2 * this.count > this.#bodies.length) {
      this.#bodies = growTo(this.#bodies, 2 * this.count);
      this.#values = growTo(this.#values, STRIDE * this.count);
    }
    const o = STRIDE * i;
    const v = this.#values;
    this.#bodies[2 * i] = a;
    this.#bodies[2 * i + 1] = b;
    for (let d = 0; d < 3; d++) v[o + NORMAL + d] = normals[at + d];
    v[o + POINT] = px;
    v[o + POINT + 1] = py;
    v[o + POINT + 2] = pz;
    const give = giveOfPair(bodies, a, b, px, py, pz, v[o], v[o + 1], v[o + 2]);
    v[o + GIVE] = give;
    v[o + DEPTH] = depth;
    // A corner that gives way by turning has the stiffness of the whole body, up to where that would be too stiff for it.
    const stiffness = (frequency * frequency) / Math.max(bodies.inverseMass[a] + bodies.inverseMass[b], give / 4);
    v[o + STIFFNESS] = share * stiffness;
    v[o + DAMPING] = share * 2 * ratio * Math.sqrt(stiffness / give);
    v[o + FRICTION] = Math.sqrt(bodies.friction[a] * bodies.friction[b]);
    v[o + MAX_SPEED] = maxSpeed;
    v[o + IMPULSE] = 0;
    v[o + PUSH] = 0;
    return 0.5 * v[o + STIFFNESS] * depth * depth;
  }

  /**
   * Takes the work of the last pushes, over the way that bodies moved by these mean velocities, out of what the springs keep.
   * Half the pushes before a way and half after it make the trapezoid rule, which is exact for a spring: springs at rest
   * keep what they have.
   */
  charge(moved: BodyMotions): void {
    const v = this.#values;
    const u = this.#relative;
    for (let i = 0; i < this.count; i++) {
      const o = STRIDE * i;
      if (!(v[o + PUSH] > 0)) continue;
      const [a, b] = [this.#bodies[2 * i], this.#bodies[2 * i + 1]];
      writeRelativeVelocity(moved, a, b, v[o + POINT], v[o + POINT + 1], v[o + POINT + 2], u);
      const speed = u[0] * v[o] + u[1] * v[o + 1] + u[2] * v[o + 2];
      const store = this.#stores[i];
      store.energy = Math.max(0, store.energy - v[o + PUSH] * speed);
    }
  }

  /** Changes the velocities by what the springs do in `h` seconds. */
  apply(bodies: Bodies, h: number): void {
    const v = this.#values;
    const u = this.#relative;
    for (let i = 0; i < this.count; i++) {
      const o = STRIDE * i;
      const x = v[o];
      const y = v[o + 1];
      const z = v[o + 2];
      const a = this.#bodies[2 * i];
      const b = this.#bodies[2 * i + 1];
      const px = v[o + POINT];
      const py = v[o + POINT + 1];
      const pz = v[o + POINT + 2];
      writeRelativeVelocity(bodies, a, b, px, py, pz, u);
      const speed = u[0] * x + u[1] * y + u[2] * z;
      const give = v[o + GIVE];
      const c = v[o + DAMPING];
      // Positive: B moves away from A. The dashpot takes the mean of the speeds before and after.
      const share = 1 / (1 + 0.5 * h * c * give);
      const store = this.#stores[i];
      let spring = h * v[o + STIFFNESS] * v[o + DEPTH];
      // The mean speed is slow + gain × spring. A spring gives back what was put into it, and no more: depths jump where
      // other features meet.
      const slow = speed * (1 - 0.5 * give * h * c * share);
      const gain = 0.5 * give * share;
      if (spring * (slow + gain * spring) > store.energy) {
        spring = (Math.sqrt(slow * slow + 4 * gain * store.energy) - slow) / (2 * gain);
      }
      const free = (spring - h * c * speed) * share;
      const impulse = Math.min(free, Math.max(0, v[o + MAX_SPEED] - speed) / give);
      if (!(impulse > 0)) {
        v[o + IMPULSE] = 0;
        v[o + PUSH] = 0;
        continue;
      }
      v[o + IMPULSE] = impulse;
      v[o + PUSH] = spring * (impulse / free);
      pushPair(bodies, a, b, px, py, pz, impulse * x, impulse * y, impulse * z);
      this.#rub(bodies, i, v[o + FRICTION] * impulse);
    }
  }

  /** Friction against the tangential velocity, up to what stops the point and what Coulomb's law allows. */
  #rub(bodies: Bodies, i: number, most: number): void {
    if (!(most > 0)) return;
    const v = this.#values;
    const o = STRIDE * i;
    const u = this.#relative;
    const a = this.#bodies[2 * i];
    const b = this.#bodies[2 * i + 1];
    const px = v[o + POINT];
    const py = v[o + POINT + 1];
    const pz = v[o + POINT + 2];
    writeRelativeVelocity(bodies, a, b, px, py, pz, u);
    const along = u[0] * v[o] + u[1] * v[o + 1] + u[2] * v[o + 2];
    const x = u[0] - along * v[o];
    const y = u[1] - along * v[o + 1];
    const z = u[2] - along * v[o + 2];
    const slip = Math.sqrt(x * x + y * y + z * z);
    if (!(slip > 0)) return;
    const give = giveOfPair(bodies, a, b, px, py, pz, x / slip, y / slip, z / slip);
    const impulse = Math.min(most, slip / give) / slip;
    pushPair(bodies, a, b, px, py, pz, -impulse * x, -impulse * y, -impulse * z);
  }
}
