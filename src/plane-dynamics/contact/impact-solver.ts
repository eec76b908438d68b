// Impacts with restitution at one instant. The pair that closes in fastest is resolved first, all its contacts and the joints
// of the world together, then the next one, until none closes in: so a blow runs through a row of bodies one by one, as in
// Newton's cradle. Restitution is lowered where friction would make energy out of it.
import { KINEMATIC, type PlaneBodies } from '../body/plane-bodies.js';
import type { PlaneJoint } from '../joint/plane-joint.js';
import { type ContactSet, SHALLOW, STOP } from './contact-set.js';
import type { ContactSolver } from './contact-solver.js';
import { KeptVelocities } from './kept-velocities.js';
import { SENSING } from './near-pairs.js';

/** Chosen: rounds over the contacts of one pair. Contacts side by side on one edge converge slowly; a round of two costs 0.1 µs. */
const MAX_ROUNDS = 4000;
/** Chosen: rounds over the contacts of one pair in a world with joints, where each round solves all joints. */
const MAX_JOINT_ROUNDS = 400;
/** Rounding: rounds end when no speed changes by more than this, m/s. */
const SETTLED = 1e-13;
/** Chosen: the restitution of a pair is halved this often where it would make energy; then it is 0. */
const HALVINGS = 6;
/** Rounding: a blow may raise the kinetic energy by this share. */
const ENERGY_ROUNDING = 1e-12;
/** Rounding: approaches below this share of the fastest are what earlier blows left. */
const APPROACH_ROUNDING = 1e-10;
/** Chosen: pairs resolved at one instant, for each near pair. In the second half of them restitution is 0, so that a crowd ends. */
const MAX_BLOWS = 4;
/** Chosen: pairs resolved at one instant, in addition to those of {@link MAX_BLOWS}: a chain of few pairs rattles longer. */
const EXTRA_BLOWS = 64;

export class ImpactSolver {
  #targets = new Float64Array(16);
  #closing = new Int32Array(16);
  #touching = new Int32Array(32);
  readonly #kept = new KeptVelocities();

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
    readonly solver: ContactSolver,
    readonly joints: readonly PlaneJoint[],
  ) {}

  /**
   * @param threshold the approach above which contacts bounce; slower ones stop.
   * @returns the fastest approach before the first blow.
   */
  resolve(threshold: number): number {
    const { contacts } = this;
    if (this.#touching.length < contacts.count) this.#touching = new Int32Array(2 * contacts.count);
    let count = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.kind[c] >= STOP) continue;
      contacts.locate(c);
      if (this.#touches(c)) this.#touching[count++] = c;
    }
    let fastest = 0;
    const most = MAX_BLOWS * contacts.pairs.count + EXTRA_BLOWS;
    for (let round = 0; round < most; round++) {
      let pair = -1;
      // Slower approaches are left to the solver, which comes next.
      let approach = round === 0 ? 0 : Math.max(threshold, APPROACH_ROUNDING * fastest);
      for (let k = 0; k < count; k++) {
        const c = this.#touching[k];
        const closing = -contacts.speed(c);
        if (closing > approach) {
          approach = closing;
          pair = contacts.pair[c];
        }
      }
      if (pair < 0) return fastest;
      if (round === 0) fastest = approach;
      if (approach <= threshold) return fastest;
      // In a crowd that is squeezed the rest of the blow is lost.
      this.#resolvePair(pair, round < most / 2 ? contacts.pairs.restitution[pair] : 0);
    }
    return fastest;
  }

  #touches(c: number): boolean {
    const { contacts } = this;
    const { pairs, rows } = contacts;
    const pair = contacts.pair[c];
    if (pairs.isHeld(pair)) return false;
    if (contacts.kind[c] >= STOP || pairs.mode[pair] === SENSING) return false;
    const gap = rows.separation[c];
    const skin = pairs.skin[pair];
    return gap <= skin && gap > -SHALLOW * skin && contacts.isOver(c);
  }

  #resolvePair(pair: number, restitution: number): void {
    const { bodies, contacts } = this;
    contacts.pairs.touch(pair);
    const a = contacts.pairs.a[pair];
    const b = contacts.pairs.b[pair];
    this.#keep(a, b);
    const before = this.#energy(a, b);
    // A body on a path gives energy by its motion.
    const isDriven = bodies.kind[a] === KINEMATIC || bodies.kind[b] === KINEMATIC;
    for (let tries = 0; ; tries++) {
      const share = tries === 0 ? restitution : tries > HALVINGS ? 0 : restitution * 0.5 ** tries;
      this.#strike(pair, share);
      if (share === 0 || isDriven || this.#energy(a, b) <= before * (1 + ENERGY_ROUNDING)) break;
      this.#restore(a, b);
    }
    for (let c = contacts.last[pair]; c >= 0; c = contacts.before[c]) {
      contacts.impulses.sum(c);
      contacts.impulses.reset(c);
    }
    for (const joint of this.joints) joint.reset();
  }

  /** Makes the contacts of a pair that close in leave at a share of their approach, and the joints hold. */
  #strike(pair: number, share: number): void {
    const { bodies, contacts, joints } = this;
    if (this.#targets.length < contacts.count) {
      this.#targets = new Float64Array(contacts.kind.length);
      this.#closing = new Int32Array(contacts.kind.length);
    }
    let count = 0;
    for (let c = contacts.last[pair]; c >= 0; c = contacts.before[c]) {
      // Contacts that part are left out: held to their speed they would make energy. If the blow turns one, it is next.
      const closing = this.#touches(c) ? -contacts.speed(c) : 0;
      this.#targets[c] = share * closing;
      if (closing > 0) this.#closing[count++] = c;
      contacts.impulses.reset(c);
    }
    for (const joint of joints) joint.reset();
    const most = joints.length > 0 ? MAX_JOINT_ROUNDS : MAX_ROUNDS;
    for (let round = 0; round < most; round++) {
      let change = this.solver.sweep(this.#closing, count, this.#targets);
      for (let k = 0; k < joints.length; k++) {
        if (joints[k].isFree(bodies)) change = Math.max(change, joints[k].solve(bodies, 0, 0));
      }
      if (change < SETTLED) break;
    }
  }

  /** The kinetic energy of the two bodies, or of all where joints pass the blow on. */
  #energy(a: number, b: number): number {
    const { bodies } = this;
    if (this.joints.length === 0) return bodies.kineticEnergy(a) + bodies.kineticEnergy(b);
    let sum = 0;
    for (let i = 0; i < bodies.count; i++) sum += bodies.kineticEnergy(i);
    return sum;
  }

  /** Keeps the velocities that a blow to a pair may change. */
  #keep(a: number, b: number): void {
    if (this.joints.length > 0) this.#kept.keep(this.bodies);
    else {
      this.#kept.keepOne(this.bodies, a);
      this.#kept.keepOne(this.bodies, b);
    }
  }

  #restore(a: number, b: number): void {
    if (this.joints.length > 0) this.#kept.restore(this.bodies);
    else {
      this.#kept.restoreOne(this.bodies, a);
      this.#kept.restoreOne(this.bodies, b);
    }
  }
}
