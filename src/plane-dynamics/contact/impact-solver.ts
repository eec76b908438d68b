// Impacts with restitution at one instant. The pair that closes in fastest is resolved first, all its contacts and the joints
// of the world together, then the next one, until none closes in: so a blow runs through a row of bodies one by one, as in
// Newton's cradle. Restitution is lowered where friction would make energy out of it.

import { KINEMATIC, type PlaneBodies } from '../plane-bodies.js';
import type { PlaneJoint } from '../plane-joints.js';
import { type ContactSet, SENSING } from './contact-set.js';
import type { ContactSolver } from './contact-solver.js';

/** Contacts side by side on one edge converge slowly; a round of two costs a tenth of a microsecond. */
const ROUNDS = 4000;
const JOINT_ROUNDS = 400;
const HALVINGS = 6;

export class ImpactSolver {
  /** Pairs resolved so far. */
  resolved = 0;
  #targets = new Float64Array(16);
  #closing = new Int32Array(16);
  #touching = new Int32Array(32);
  #velocity = new Float64Array(32);
  #spin = new Float64Array(16);

  constructor(
    readonly bodies: PlaneBodies,
    readonly contacts: ContactSet,
    readonly solver: ContactSolver,
    readonly joints: readonly PlaneJoint[],
  ) {}

  /**
   * @param threshold the approach that still bounces; slower ones stop.
   * @returns the fastest approach there was.
   */
  resolve(threshold: number): number {
    const { contacts } = this;
    if (this.#touching.length < contacts.count) this.#touching = new Int32Array(2 * contacts.count);
    let count = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.kind[c] >= 3) continue;
      contacts.locate(c);
      if (this.#touches(c)) this.#touching[count++] = c;
    }
    let fastest = 0;
    const most = 4 * contacts.pairCount + 64;
    for (let round = 0; round < most; round++) {
      let pair = -1;
      // Slower approaches are the solver's, which is next.
      let approach = round === 0 ? 0 : Math.max(threshold, 1e-10 * fastest);
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
      // Beyond some rounds for each pair a crowd is being squeezed: the rest of the blow is lost in it.
      this.#resolvePair(pair, round < most / 2 ? contacts.pairRestitution[pair] : 0);
    }
    return fastest;
  }

  #touches(c: number): boolean {
    const { contacts } = this;
    const pair = contacts.pair[c];
    const { isHeld } = this.bodies;
    if (isHeld[contacts.pairA[pair]] !== 0 || isHeld[contacts.pairB[pair]] !== 0) return false;
    if (contacts.kind[c] >= 3 || contacts.pairMode[pair] === SENSING) return false;
    const gap = contacts.separation[c];
    const skin = contacts.pairSkin[pair];
    return gap <= skin && gap > -8 * skin && contacts.isOver(c);
  }

  #resolvePair(pair: number, restitution: number): void {
    this.resolved++;
    const { bodies, contacts } = this;
    contacts.pairTouched[pair] = 1;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    const hasJoints = this.joints.length > 0;
    this.#save(hasJoints, a, b);
    const before = this.#energy(hasJoints, a, b);
    // A body on a path gives energy by its motion.
    const isDriven = bodies.kind[a] === KINEMATIC || bodies.kind[b] === KINEMATIC;
    for (let tries = 0; ; tries++) {
      const share = tries === 0 ? restitution : tries > HALVINGS ? 0 : restitution * 0.5 ** tries;
      if (this.#targets.length < contacts.count) {
        this.#targets = new Float64Array(contacts.kind.length);
        this.#closing = new Int32Array(contacts.kind.length);
      }
      let count = 0;
      for (let c = contacts.pairLast[pair]; c >= 0; c = contacts.before[c]) {
        // Contacts that part take no part: held to their speed they would make energy. If the blow turns one, it is next.
        const closing = this.#touches(c) ? -contacts.speed(c) : 0;
        this.#targets[c] = share * closing;
        if (closing > 0) this.#closing[count++] = c;
        contacts.normalImpulse[c] = contacts.tangentImpulse[c] = 0;
      }
      for (const joint of this.joints) joint.reset();
      for (let round = 0; round < (hasJoints ? JOINT_ROUNDS : ROUNDS); round++) {
        let change = this.solver.sweep(this.#closing, count, this.#targets);
        for (let k = 0; k < this.joints.length; k++) {
          if (this.joints[k].isFree(bodies)) change = Math.max(change, this.joints[k].solve(bodies, 0, 0));
        }
        if (change < 1e-13) break;
      }
      if (share === 0 || isDriven || this.#energy(hasJoints, a, b) <= before * (1 + 1e-12)) break;
      this.#restore(hasJoints, a, b);
    }
    for (let c = contacts.pairLast[pair]; c >= 0; c = contacts.before[c]) {
      contacts.total[c] += contacts.normalImpulse[c];
      contacts.normalImpulse[c] = contacts.tangentImpulse[c] = 0;
    }
    for (const joint of this.joints) joint.reset();
  }

  /** The kinetic energy of the two bodies, or of all where joints pass the blow on. */
  #energy(isWhole: boolean, a: number, b: number): number {
    const { bodies } = this;
    if (!isWhole) return bodies.kineticEnergy(a) + bodies.kineticEnergy(b);
    let sum = 0;
    for (let i = 0; i < bodies.count; i++) sum += bodies.kineticEnergy(i);
    return sum;
  }

  #save(isWhole: boolean, a: number, b: number): void {
    const { velocity, spin, count } = this.bodies;
    if (this.#spin.length < count) {
      this.#spin = new Float64Array(spin.length);
      this.#velocity = new Float64Array(velocity.length);
    }
    if (isWhole) {
      this.#velocity.set(velocity.subarray(0, 2 * count));
      this.#spin.set(spin.subarray(0, count));
    } else for (const i of [a, b]) copyBody(velocity, spin, this.#velocity, this.#spin, i);
  }

  #restore(isWhole: boolean, a: number, b: number): void {
    const { velocity, spin, count } = this.bodies;
    if (isWhole) {
      velocity.set(this.#velocity.subarray(0, 2 * count));
      spin.set(this.#spin.subarray(0, count));
    } else for (const i of [a, b]) copyBody(this.#velocity, this.#spin, velocity, spin, i);
  }
}

function copyBody(v: Float64Array, w: Float64Array, toV: Float64Array, toW: Float64Array, i: number): void {
  toV[2 * i] = v[2 * i];
  toV[2 * i + 1] = v[2 * i + 1];
  toW[i] = w[i];
}
