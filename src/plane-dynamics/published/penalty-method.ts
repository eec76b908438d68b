// Unconstrained simulation (Hoff, Zaferakis, Lin and Manocha 2001, section 3): overlap is allowed, springs push it out. Velocity
// Verlet: second order, and without a drift of energy, as the forces are a gradient. Bodies of this method do not sleep.
import { PlaneBroadPhase } from '../contact/broad-phase.js';
import type { PlaneContext } from '../step/plane-context.js';
import type { PlaneStepMethod } from '../step/plane-step-method.js';

export class PlanePenaltyMethod implements PlaneStepMethod {
  impacts = 0;
  readonly #context: PlaneContext;

  /** @param context one whose springs act between rigid bodies. */
  constructor(context: PlaneContext) {
    this.#context = context;
  }

  step(dt: number): void {
    const { motion, contacts, collision, solver, springs, substeps, limit } = this.#context;
    const h = dt / substeps;
    contacts.clear();
    const start = motion.time;
    for (let k = 0; k < substeps; k++) {
      limit.check();
      motion.aim(h);
      motion.kick(h / 2);
      // Without contacts the solver holds joints alone.
      solver.before(h);
      motion.drift(h);
      motion.kick(h / 2);
      solver.after(h);
      motion.setTime(start + (k + 1) * h);
    }
    this.impacts = springs.forces.pairCount;
    collision.end();
    motion.end();
  }

  /** Springs do not look for contacts, and so sensors are tested here. */
  sense(keys: number[]): void {
    const { bodies, query } = this.#context;
    if (!bodies.isSensor.includes(1)) return;
    bodies.placeAll();
    for (let a = 0; a < bodies.count; a++) {
      for (let b = a + 1; b < bodies.count; b++) {
        if (bodies.isSensor[a] + bodies.isSensor[b] === 0 || !bodies.canMeet(a, b)) continue;
        if (query.overlaps(bodies.placed[a], bodies.placed[b])) keys.push(PlaneBroadPhase.key(a, b));
      }
    }
  }
}
