// Unconstrained simulation (Hoff, Zaferakis, Lin and Manocha 2001, section 3): overlap is allowed, springs push it out. Velocity
// Verlet: second order, and without a drift of energy, as the forces are a gradient.
import { DYNAMIC, ELASTIC } from './plane-bodies.js';
import type { PlaneEngine } from './plane-engine.js';

/**
 * A period of the stiffest contact is this many substeps. At 8 the scenes of the paper gain or lose 1 to 5 % of their energy in
 * ten seconds, at 16 up to 1 %.
 */
const PERIOD = 16;

export class PlanePenaltyMethod {
  impacts = 0;

  constructor(
    readonly engine: PlaneEngine,
    readonly substeps: number,
  ) {
    engine.hasElastic = true;
    engine.onlyElastic = false;
    engine.hasContacts = false;
  }

  step(dt: number): void {
    const { engine } = this;
    const h = dt / this.substeps;
    engine.contacts.clear();
    const start = engine.time;
    for (let k = 0; k < this.substeps; k++) {
      engine.before(h);
      engine.drift(h);
      engine.after(h);
      engine.time = start + (k + 1) * h;
    }
    this.impacts = engine.penalty.pairCount;
    engine.endStep();
  }
}

/** A stiffness that the substeps can follow even if the whole boundary of the lightest body is inside another. */
export function chooseStiffness(engine: PlaneEngine, h: number): number {
  const { bodies, rings } = engine;
  let least = Infinity;
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.kind[i] !== DYNAMIC && bodies.kind[i] !== ELASTIC) continue;
    const outline = bodies.outlines[i];
    const mass = rings[i]?.mass ?? bodies.mass[i];
    const length = outline.radius > 0 ? 2 * Math.PI * outline.radius : (2 * outline.area) / outline.thickness;
    least = Math.min(least, mass / length);
  }
  const rate = (2 * Math.PI) / (PERIOD * h);
  return least === Infinity ? 0 : least * rate * rate;
}
