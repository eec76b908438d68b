// Keeps the energy of a body that nothing drives: after a step its velocities are scaled to the energy it had, without what
// moves it as a whole, so that linear and angular momentum stay (after Dinev et al. 2018). The midpoint rule is off by little
// in a step, but in large motions the errors add up.
import type { ElasticPart } from './elastic-part.js';
import { findWholeMotion } from './whole-motion.js';

/** Chosen: squares of velocities change by no more than this share in a step. */
const MAX_CHANGE = 0.1;

/** Rounding: energies that differ by more than this share between two steps show that a caller changed the body. */
const SAME_ENERGY = 1e-9;

export class EnergyKeeper {
  readonly #part: ElasticPart;
  #target = Number.NaN;
  #last = Number.NaN;
  readonly #before: Float64Array;
  readonly #rigid: Float64Array;

  constructor(part: ElasticPart) {
    this.#part = part;
    this.#before = new Float64Array(part.size);
    this.#rigid = new Float64Array(part.size);
  }

  /** Before a step. */
  begin(): void {
    const { kinetic, elastic, load, total } = this.#part.energy();
    const scale = kinetic + elastic + Math.abs(load);
    const isDamped = this.#part.constants.massDamping > 0 || this.#part.constants.stiffnessDamping > 0;
    if (isDamped || !(Math.abs(total - this.#last) <= SAME_ENERGY * scale)) this.#target = total;
    this.#before.set(this.#part.positions);
  }

  /** After a step that another method made, which takes energy. */
  forget(): void {
    this.#last = Number.NaN;
  }

  /** After a step without contact. Damped bodies may lose energy, and gain none. */
  end(): void {
    const { held, positions, velocities, constants } = this.#part;
    this.#last = Number.NaN;
    let [anyHeld, isDriven] = [false, false];
    for (let i = 0; i < positions.length; i++) {
      if (held[Math.floor(i / 3)] === 0) continue;
      anyHeld = true;
      if (positions[i] !== this.#before[i]) isDriven = true;
    }
    if (isDriven || !constants.isLumped) return;
    const { total } = this.#part.energy();
    const missing = this.#target - total;
    const isDamped = constants.massDamping > 0 || constants.stiffnessDamping > 0;
    if (isDamped && missing > 0) return;
    this.#rigid.fill(0);
    if (!anyHeld) this.#writeRigid();
    const own = this.#ownKinetic();
    if (!(own > 0)) return;
    const square = 1 + Math.max(-MAX_CHANGE, Math.min(MAX_CHANGE, missing / own));
    const factor = Math.sqrt(square);
    for (let i = 0; i < velocities.length; i++) {
      velocities[i] = this.#rigid[i] + factor * (velocities[i] - this.#rigid[i]);
    }
    this.#last = total + (square - 1) * own;
  }

  /** The kinetic energy of what is not motion as a whole. */
  #ownKinetic(): number {
    const { masses, velocities } = this.#part;
    let sum = 0;
    for (let i = 0; i < velocities.length; i++) {
      const v = velocities[i] - this.#rigid[i];
      sum += (masses[Math.floor(i / 3)] * v * v) / 2;
    }
    return sum;
  }

  /** The motion of a rigid body with the same nodes and momenta. */
  #writeRigid(): void {
    const {
      center,
      velocity,
      angularVelocity: w,
    } = findWholeMotion(this.#part.masses, this.#part.positions, this.#part.momentum());
    const { positions } = this.#part;
    for (let i = 0; i < positions.length; i += 3) {
      const r = [positions[i] - center[0], positions[i + 1] - center[1], positions[i + 2] - center[2]];
      for (let k = 0; k < 3; k++) {
        const [p, q] = [(k + 1) % 3, (k + 2) % 3];
        this.#rigid[i + k] = velocity[k] + w[p] * r[q] - w[q] * r[p];
      }
    }
  }
}
