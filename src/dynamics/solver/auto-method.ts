// The default method: one collision pass a step, then substeps of impulses with warm starts. Impacts that bounce divide the
// step at their time. Overlaps deeper than contacts can tell are resolved by global depths.
import { ImpactStepper } from '../impact/impact-stepper.js';
import { Recovery } from '../overlap/recovery.js';
import type { StepMethod } from '../step-method.js';
import { PARTS } from './collision.js';
import { Impacts } from './impacts.js';
import { MIN_SOFT } from './island-passes.js';
import type { StepContext } from './step-context.js';

/** Chosen: parts that impacts divide a step into; later impacts bounce at the end of their substep. */
const MAX_PARTS = 48;
/** Chosen: contacts up to which impacts divide a step; with more they bounce at the end of their substep. */
const MAX_CONTACTS = 300;

/**
 * Chosen: near pairs up to which spinning pairs are followed to their impacts: in a crowd one of them would take the
 * step of all apart.
 */
const MAX_FOLLOWED = 64;

/** Chosen: pairs with at least this many contact points conform to each other, as a pin and its hole do. */
const MIN_CONFORMING = 32;
/** Chosen: conforming pairs turn in each other by at most this in a part of a step, rad: their points are found anew there. */
const MAX_CONFORMING_TURN = 0.02;
/** Chosen: parts that a step is divided into for conforming pairs. */
const MAX_DIVISIONS = 8;

/** Small steps on exact contacts. */
export class AutoMethod implements StepMethod {
  readonly #context: StepContext;
  readonly #impacts: Impacts;
  readonly #stepper: ImpactStepper;
  readonly #recovery: Recovery;

  constructor(context: StepContext) {
    this.#context = context;
    const { bodies, contacts, collision, solver, gravity } = context;
    this.#stepper = new ImpactStepper(context, 'bouncing');
    this.#recovery = new Recovery(context);
    this.#impacts = new Impacts(bodies, contacts, collision, solver, gravity);
  }

  step(dt: number): void {
    const parts = this.#divisions(dt);
    const { substeps } = this.#context;
    // In shorter substeps the contacts of a crowd would be hard, for which it has too few passes.
    const ofPart = parts === 1 ? substeps : Math.max(1, Math.min(substeps, Math.floor(dt / parts / MIN_SOFT)));
    for (let part = 0; part < parts; part++) this.#advancePart(dt / parts, ofPart);
  }

  #advancePart(dt: number, substeps: number): void {
    const { sleep } = this.#context;
    this.#collide(dt);
    this.#recovery.resolve(dt);
    if (this.#mustFollow()) {
      this.#follow(dt, substeps);
      return;
    }
    const left = this.#bounce(dt, substeps);
    if (left > 0) {
      this.#advance(left, Math.max(1, Math.round((substeps * left) / dt)));
    }
    sleep.update(dt);
  }

  /** Into how many parts the step is divided: many where parts turn in others that fit around them. */
  #divisions(dt: number): number {
    const { bodies, collision } = this.#context;
    const { angularVelocity: w } = bodies;
    let most = 0;
    for (const { a, b, keptCount } of collision.pairs.values()) {
      if (keptCount < MIN_CONFORMING) continue;
      const [i, j] = [3 * a, 3 * b];
      most = Math.max(most, Math.hypot(w[i] - w[j], w[i + 1] - w[j + 1], w[i + 2] - w[j + 2]));
    }
    return Math.max(1, Math.min(MAX_DIVISIONS, Math.ceil((most * dt) / MAX_CONFORMING_TURN)));
  }

  /** In a crowd, pairs that leave straight ways are left to contacts: one of them would take the step of all others apart. */
  #mustFollow(): boolean {
    const { fast, bending, active } = this.#context.collision;
    return fast.length > 0 || (bending.length > 0 && active.length <= MAX_FOLLOWED);
  }

  /** A step with pairs that could pass through each other: each impact is found by a certificate. */
  #follow(dt: number, substeps: number): void {
    const { collision, sleep, acceleration } = this.#context;
    collision.update(PARTS * dt, acceleration());
    this.#stepper.advance(dt, substeps);
    collision.keepImpulses();
    sleep.update(dt);
  }

  #advance(dt: number, substeps: number): void {
    const { collision, solver, acceleration } = this.#context;
    const part = Math.max(1, Math.floor(substeps / PARTS));
    solver.advance(dt, substeps, (substep, h) => {
      return substep % part === 0 && collision.updateAgain(part * h, acceleration());
    });
    collision.keepImpulses();
  }

  save(out: number[]): void {
    this.#recovery.save(out);
  }

  load(values: Float64Array, at: number): void {
    this.#recovery.load(values, at);
  }

  /** Advances from impact to impact. @returns the time that is left of the step. */
  #bounce(dt: number, substeps: number): number {
    const { contacts, solver } = this.#context;
    const threshold = solver.bounceThreshold(dt / substeps);
    let left = dt;
    for (let part = 0; part < MAX_PARTS; part++) {
      if (!this.#impacts.mayBounce() || contacts.count > MAX_CONTACTS) return left;
      const time = this.#impacts.next(left, threshold);
      if (time === Infinity) return left;
      if (time > 0) {
        this.#advance(time, Math.max(1, Math.ceil((substeps * time) / dt)));
        left = Math.max(0, left - time);
      }
      this.#collide(left);
      this.#impacts.strike(threshold);
    }
    return left;
  }

  /** Collides, and again while sleeping bodies wake up: they bring contacts of their own. */
  #collide(dt: number): void {
    const { collision, sleep, acceleration } = this.#context;
    do collision.update(dt, acceleration());
    while (sleep.wakeTouched());
  }
}
