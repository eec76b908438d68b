// The method `time-of-contact`: every pair that comes together faster than a contact at rest is followed to the certified
// time at which it touches, and its impact is answered there (Kim et al. 2002, section 7.2; Mirtich 2000). Contacts at rest,
// friction and joints are the solver's.
import { ImpactStepper } from '../impact/impact-stepper.js';
import type { TimeOfContactMethod } from '../impact/time-of-contact.js';
import { Recovery } from '../overlap/recovery.js';
import { PARTS } from '../solver/collision.js';
import type { StepContext } from '../solver/step-context.js';
import type { StepMethod } from '../step-method.js';

/** Impacts at their times. */
export class ImpactTimesMethod implements StepMethod {
  readonly #context: StepContext;
  readonly #stepper: ImpactStepper;
  readonly #recovery: Recovery;

  /** @param times how times of impacts are found. */
  constructor(context: StepContext, times: TimeOfContactMethod) {
    this.#context = context;
    this.#recovery = new Recovery(context);
    this.#stepper = new ImpactStepper(context, 'all', times);
  }

  step(dt: number): void {
    const { collision, sleep, substeps, acceleration } = this.#context;
    do collision.update(PARTS * dt, acceleration());
    while (sleep.wakeTouched());
    this.#recovery.resolve(dt);
    this.#stepper.advance(dt, substeps);
    collision.keepImpulses();
    sleep.update(dt);
  }

  save(out: number[]): void {
    this.#recovery.save(out);
  }

  load(values: Float64Array, at: number): void {
    this.#recovery.load(values, at);
  }
}
