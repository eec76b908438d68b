// The default method: substeps with soft, warm-started contacts from exact manifolds; impacts that bounce, or that are too
// fast for the substeps, are resolved at their proven time of contact inside the substep.
import { IMPACT } from './contact/contact-set.js';
import { KeptVelocities } from './kept-velocities.js';
import type { PlaneEngine } from './plane-engine.js';

/** How often the way to an impact is shortened because another comes first. */
const MOST_TRIES = 4;

export class PlaneAutoMethod {
  /** Impacts of the last step. */
  impacts = 0;
  readonly #kept = new KeptVelocities();

  /** @param substeps in a step. */
  constructor(
    readonly engine: PlaneEngine,
    readonly substeps: number,
  ) {}

  step(dt: number): void {
    const { engine } = this;
    const h = dt / this.substeps;
    const threshold = 2 * h * Math.hypot(engine.gravity[0], engine.gravity[1]) + 1e-9;
    engine.beginStep(dt, h, threshold);
    this.impacts = 0;
    const most = 256 + 4 * engine.bodies.count;
    const start = engine.time;
    for (let k = 0; k < this.substeps; k++) {
      this.#substep(h, threshold, most);
      // Sums of intervals round; the clock does not.
      engine.time = start + (k + 1) * h;
    }
    engine.endStep();
  }

  #substep(h: number, threshold: number, most: number): void {
    const { engine } = this;
    let left = h;
    while (left > 0) {
      const span = engine.safeSpan(left);
      this.#kept.keep(engine.bodies);
      engine.before(span);
      const time = engine.firstImpact(span);
      if (time < 0) {
        engine.drift(span);
        engine.after(span);
        if (span === left) return;
        left -= span;
        if (++this.impacts >= most) this.#giveUp();
        continue;
      }
      let pair = engine.hit;
      this.#kept.restore(engine.bodies);
      if (time > 1e-9 * h) {
        left -= this.#advance(time);
        if (engine.hit >= 0) pair = engine.hit;
      }
      this.#resolve(pair, threshold);
      if (++this.impacts >= most) this.#giveUp();
    }
  }

  /**
   * Moves to an impact. The forces of the shorter interval are others, and so another impact may come first.
   * @returns the time it took.
   */
  #advance(time: number): number {
    const { engine } = this;
    for (let tries = 1; ; tries++) {
      engine.before(time);
      const sooner = engine.firstImpact(time);
      const used = sooner < 0 ? time : sooner;
      if (used > 0.99 * time || tries === MOST_TRIES) {
        engine.drift(used);
        engine.after(time);
        return used;
      }
      this.#kept.restore(engine.bodies);
      if (used === 0) return 0;
      time = used;
    }
  }

  #resolve(pair: number, threshold: number): void {
    const { engine } = this;
    const { contacts } = engine;
    engine.recollide(pair);
    const approach = engine.impacts.resolve(threshold);
    // What stops, or does not meet after all, is the solver's for the rest of the step.
    if (approach <= threshold || (contacts.pairFast[pair] !== 0 && !engine.isFast(pair))) {
      contacts.settle(pair, engine.isFast(pair));
    }
  }

  /** Leaves the rest of a crowded step to the solver. */
  #giveUp(): void {
    const { contacts } = this.engine;
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.pairMode[pair] !== IMPACT && contacts.pairFast[pair] === 0) continue;
      if (contacts.pairFast[pair] !== 0 && contacts.pairTouched[pair] !== 0) this.#merge(pair);
      contacts.settle(pair, false);
    }
  }

  /** Lets two bodies move as one, with the momenta they have: they meet too often to be followed, and must not pass. */
  #merge(pair: number): void {
    const { bodies, contacts } = this.engine;
    const { center, velocity, spin, inverseMass, mass, inertia } = bodies;
    const a = contacts.pairA[pair];
    const b = contacts.pairB[pair];
    const [lead, other] = inverseMass[a] === 0 ? [a, b] : [b, a];
    let [vx, vy, turn] = [velocity[2 * lead], velocity[2 * lead + 1], spin[lead]];
    let [x, y] = [center[2 * lead], center[2 * lead + 1]];
    if (inverseMass[lead] > 0) {
      const sum = mass[a] + mass[b];
      [x, y] = [0, 1].map((k) => (mass[a] * center[2 * a + k] + mass[b] * center[2 * b + k]) / sum);
      [vx, vy] = [0, 1].map((k) => (mass[a] * velocity[2 * a + k] + mass[b] * velocity[2 * b + k]) / sum);
      let [momentum, moment] = [0, 0];
      for (const i of [a, b]) {
        const [dx, dy] = [center[2 * i] - x, center[2 * i + 1] - y];
        momentum += inertia[i] * spin[i] + mass[i] * (dx * (velocity[2 * i + 1] - vy) - dy * (velocity[2 * i] - vx));
        moment += inertia[i] + mass[i] * (dx * dx + dy * dy);
      }
      turn = momentum / moment;
    }
    for (const i of inverseMass[lead] > 0 ? [a, b] : [other]) {
      if (inverseMass[i] === 0) continue;
      velocity[2 * i] = vx - turn * (center[2 * i + 1] - y);
      velocity[2 * i + 1] = vy + turn * (center[2 * i] - x);
      spin[i] = turn;
    }
  }
}
