// The default method: one collision pass a step, then substeps of impulses with warm starts.
import type { StepContext, StepMethod } from './step-method.js';

/** Small steps on exact contacts. */
export class AutoMethod implements StepMethod {
  readonly #context: StepContext;

  constructor(context: StepContext) {
    this.#context = context;
  }

  step(dt: number): void {
    const { collision, sleep, solver, substeps } = this.#context;
    this.#collide(dt);
    solver.advance(dt, substeps);
    collision.keepImpulses();
    sleep.update(dt);
  }

  /** Collides, and again while sleeping bodies wake up: they bring contacts of their own. */
  #collide(dt: number): void {
    const { collision, sleep, acceleration } = this.#context;
    do collision.update(dt, acceleration());
    while (sleep.wakeTouched());
  }
}
