// The default method.
import type { StepContext, StepMethod } from './step-method.js';

/** Substeps of free motion. */
export class AutoMethod implements StepMethod {
  readonly #context: StepContext;

  constructor(context: StepContext) {
    this.#context = context;
  }

  step(dt: number): void {
    const { bodies, motion, gravity, substeps } = this.#context;
    const h = dt / substeps;
    for (let k = 0; k < substeps; k++) {
      motion.kick(bodies, gravity, h / 2);
      motion.drift(bodies, h);
      motion.kick(bodies, gravity, h / 2);
    }
  }
}
