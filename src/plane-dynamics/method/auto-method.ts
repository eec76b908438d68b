// The default method: substeps with soft, warm-started contacts from exact manifolds; impacts that bounce, or that are too
// fast for the substeps, are resolved at their proven time of contact inside the substep.
import { FirstImpact } from '../contact/first-impact.js';
import { KeptVelocities } from '../contact/kept-velocities.js';
import { mergeMotion } from '../contact/merge-motion.js';
import { IMPACT } from '../contact/near-pairs.js';
import { ContactStepper } from '../step/contact-stepper.js';
import type { PlaneContext } from '../step/plane-context.js';
import type { PlaneStepMethod } from '../step/plane-step-method.js';

/** Chosen: the way to an impact is shortened this often because another impact comes first. */
const MAX_TRIES = 4;
/** Chosen: a way to an impact that others shorten to no less than this share is taken as it is. */
const SAME_TIME = 0.99;
/** Rounding: an impact within this share of a substep is resolved without moving. */
const NOW = 1e-9;
/** Chosen: impacts of a step before the rest is left to the solver, in addition to {@link IMPACTS_A_BODY}. */
const MAX_IMPACTS = 256;
/** Chosen: impacts of a step for each body before the rest is left to the solver. */
const IMPACTS_A_BODY = 4;

export class PlaneAutoMethod implements PlaneStepMethod {
  impacts = 0;
  readonly #context: PlaneContext;
  readonly #stepper: ContactStepper;
  readonly #first: FirstImpact;
  readonly #kept = new KeptVelocities();

  constructor(context: PlaneContext) {
    this.#context = context;
    this.#stepper = new ContactStepper(context);
    this.#first = new FirstImpact(context.bodies, context.contacts, context.query);
  }

  step(dt: number): void {
    const { motion, bodies, substeps, substep } = this.#context;
    this.#stepper.begin(dt);
    this.impacts = 0;
    const most = MAX_IMPACTS + IMPACTS_A_BODY * bodies.count;
    const start = motion.time;
    for (let k = 0; k < substeps; k++) {
      this.#substep(substep, most);
      motion.setTime(start + (k + 1) * substep);
    }
    this.#stepper.end(dt);
  }

  #substep(h: number, most: number): void {
    const { bodies, collision } = this.#context;
    const stepper = this.#stepper;
    let left = h;
    while (left > 0) {
      const span = collision.safeSpan(left);
      this.#kept.keep(bodies);
      stepper.before(span);
      const time = this.#first.find(span);
      if (time < 0) {
        stepper.drift(span);
        stepper.after(span);
        if (span === left) return;
        left -= span;
        if (++this.impacts >= most) this.#giveUp();
        continue;
      }
      let { pair } = this.#first;
      this.#kept.restore(bodies);
      if (time > NOW * h) {
        left -= this.#advance(time);
        if (this.#first.pair >= 0) pair = this.#first.pair;
      }
      this.#resolve(pair);
      if (++this.impacts >= most) this.#giveUp();
    }
  }

  /**
   * Moves to an impact. The forces of the shorter interval are others, and so another impact may come first.
   * @returns the time it took.
   */
  #advance(time: number): number {
    const stepper = this.#stepper;
    for (let tries = 1; ; tries++) {
      stepper.before(time);
      const sooner = this.#first.find(time);
      const used = sooner < 0 ? time : sooner;
      if (used > SAME_TIME * time || tries === MAX_TRIES) {
        stepper.drift(used);
        stepper.after(time);
        return used;
      }
      this.#kept.restore(this.#context.bodies);
      if (used === 0) return 0;
      time = used;
    }
  }

  #resolve(pair: number): void {
    const { collision, contacts, impacts, bounceThreshold } = this.#context;
    collision.recollide(pair);
    const approach = impacts.resolve(bounceThreshold);
    // What stops, or does not meet after all, is the solver's for the rest of the step.
    if (approach <= bounceThreshold || (contacts.pairs.fast[pair] !== 0 && !collision.isFast(pair))) {
      contacts.settle(pair, collision.isFast(pair));
    }
  }

  /** Leaves the rest of a crowded step to the solver. */
  #giveUp(): void {
    const { contacts, bodies } = this.#context;
    const { pairs } = contacts;
    for (let pair = 0; pair < pairs.count; pair++) {
      if (pairs.mode[pair] !== IMPACT && pairs.fast[pair] === 0) continue;
      // A fast pair meets too often to be followed, and must not pass.
      if (pairs.fast[pair] !== 0 && pairs.touched[pair] !== 0) mergeMotion(bodies, pairs.a[pair], pairs.b[pair]);
      contacts.settle(pair, false);
    }
  }
}
