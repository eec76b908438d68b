// The method `backtracking`: no overlap, ever (Hoff et al. 2001, here in space). Whether bodies overlap after a substep is
// tested exactly. If so, all go back, and the substep is made in two halves, and so on: bisection in time, to just before the
// contact. There, contacts within a threshold are answered by impulses. Bodies are left only where nothing overlaps.
import { writeRelativeVelocity } from '../body/impulse.js';
import { APART, OVERLAP } from '../contact/contact-state.js';
import { CorePair } from '../impact/core-pair.js';
import { SavedMotion } from '../impact/saved-motion.js';
import { StepMotion } from '../impact/step-motion.js';
import { TouchingResponse } from '../impact/touching-response.js';
import { Recovery } from '../overlap/recovery.js';
import { PARTS, sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext, StepMethod } from '../solver/step-method.js';

/** Halvings of a substep: to a 4096th of it, and on where bodies are too fast to be in touch then. */
const HALVINGS = 12;
const MOST_HALVINGS = 36;
/** Parts of a step; what is left after them is left out. */
const MOST_PARTS = 600;
/** Approaches slower than this many times what gravity gives in a substep are contacts at rest. */
const RESTING = 0.5;
/** A certificate may stop short of touching by this share of the smaller radius. */
const TOLERANCE = 1e-9;

/** Steps that are taken back where bodies would overlap. */
export class BacktrackingMethod implements StepMethod {
  /** The share of the last step that was left out since there were too many contacts in it. */
  lost = 0;
  readonly #context: StepContext;
  readonly #recovery: Recovery;
  readonly #response: TouchingResponse;
  readonly #cores = new WeakMap<PairState, CorePair>();
  readonly #motionA = new StepMotion();
  readonly #motionB = new StepMotion();
  readonly #u = new Float64Array(3);
  /** The states that halves go back to. */
  readonly #saved: SavedMotion[] = [];
  #slow = 0;
  #parts = 0;

  constructor(context: StepContext) {
    this.#context = context;
    this.#recovery = new Recovery(context);
    this.#response = new TouchingResponse(context);
  }

  step(dt: number): void {
    const { collision, sleep, substeps, gravity, acceleration } = this.#context;
    const h = dt / substeps;
    this.#slow = RESTING * h * Math.hypot(gravity[0], gravity[1], gravity[2]) + Number.EPSILON;
    this.#parts = 0;
    this.lost = 0;
    do collision.update(dt, acceleration());
    while (sleep.wakeTouched());
    // Only bodies that were placed in each other overlap.
    this.#recovery.resolve(dt);
    for (let k = 0; k < substeps; k++) this.#advance(h, 0);
    this.lost /= dt;
    sleep.update(dt);
  }

  /** Forgets what it keeps from step to step besides the parts of the world. */
  reset(): void {
    this.#recovery.reset();
  }

  /** Advances by a part of a substep, in halves where bodies would meet in it. */
  #advance(h: number, depth: number): void {
    const { bodies, collision, solver, acceleration } = this.#context;
    if (++this.#parts > MOST_PARTS) {
      this.lost += h;
      return;
    }
    // The pass reaches only a part of the motion ahead.
    collision.update(PARTS * h, acceleration());
    this.#letFly();
    const saved = (this.#saved[depth] ??= new SavedMotion());
    saved.save(bodies);
    solver.advance(h, 1);
    const meets = this.#meets(saved, h);
    if (!meets) {
      collision.keepImpulses();
      return;
    }
    saved.restore(bodies);
    if (depth >= HALVINGS && (this.#response.respond(this.#slow, h) > 0 || depth >= MOST_HALVINGS)) {
      this.lost += h;
      return;
    }
    this.#advance(h / 2, depth + 1);
    this.#advance(h / 2, depth + 1);
  }

  /** Takes points that come together fast from the solver, whose gap it takes as endless: they are answered when they touch. */
  #letFly(): void {
    const { collision, contacts } = this.#context;
    contacts.restitution.fill(0, 0, contacts.count);
    for (const pair of collision.active) {
      if (!(pair.manifold.distance > 0)) continue;
      for (let i = 0; i < pair.count; i++) {
        if (this.#closing(pair, i) > this.#slow) contacts.rest[pair.first + i] = -Infinity;
      }
    }
  }

  #closing({ a, b, manifold }: PairState, i: number): number {
    const { pointsA: p, pointsB: q, normals: n } = manifold;
    const at = 3 * i;
    const x = 0.5 * (p[at] + q[at]);
    const y = 0.5 * (p[at + 1] + q[at + 1]);
    const z = 0.5 * (p[at + 2] + q[at + 2]);
    writeRelativeVelocity(this.#context.bodies, a, b, x, y, z, this.#u);
    return -(this.#u[0] * n[at] + this.#u[1] * n[at + 1] + this.#u[2] * n[at + 2]);
  }

  /** Whether bodies that were apart meet now, or met on the way where they are fast. */
  #meets(saved: SavedMotion, h: number): boolean {
    const { bodies, collision } = this.#context;
    for (const pair of collision.active) {
      const { a, b } = pair;
      // It may move by more than its margin.
      const isFast = pair.used > pair.budget;
      if (pair.state === OVERLAP || (pair.state === APART && !isFast)) continue;
      // Bodies that meet already, by rounding or by the caller, are the solver's to part.
      if (!(pair.manifold.distance > 0) || (bodies.sensor[a] | bodies.sensor[b]) !== 0) continue;
      let cores = this.#cores.get(pair);
      if (cores === undefined) this.#cores.set(pair, (cores = new CorePair(bodies.shape[a]!, bodies.shape[b]!)));
      saved.writeMotion(bodies, a, h, this.#motionA);
      saved.writeMotion(bodies, b, h, this.#motionB);
      if (cores.meetsAt(this.#motionA, this.#motionB, 1)) return true;
      const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
      if (isFast && cores.certify(this.#motionA, this.#motionB, 0, TOLERANCE * size).status !== 'clear') return true;
    }
    return false;
  }
}
