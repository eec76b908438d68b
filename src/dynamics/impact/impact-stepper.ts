// Advances bodies so that they hit each other at the time they do. Pairs that come together fast are left to fly: in every
// substep a certificate on the motion of that substep says when the first of them touches. The step goes back, is made up to
// that time, and the impact is answered there; so bounces have their energy, and nothing passes through anything. A pair that
// hits again and again is left to the contacts of the solver, in short certified substeps; if that does not end, it sticks.

import { APART, OVERLAP } from '../../manifold/contact-state.js';
import { INSCRIBED_RADIUS } from '../../manifold/shape/inscribed-ball.js';
import type { Bodies } from '../body/bodies.js';
import { writeRelativeVelocity } from '../body/impulse.js';
import { bendOf, MOST_BEND, MOST_SWING, PARTS, reachOf, sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext } from '../solver/step-context.js';
import { CommonMotion } from './common-motion.js';
import { CorePair } from './core-pair.js';
import { SavedMotion } from './saved-motion.js';
import { StepMotion } from './step-motion.js';
import { TouchingResponse } from './touching-response.js';

/** What the stepper uses of a world. */
export type ImpactContext = Pick<
  StepContext,
  'bodies' | 'collision' | 'contacts' | 'joints' | 'solver' | 'sleep' | 'gravity' | 'acceleration'
>;

/** Approaches slower than so many times what gravity gives in a substep are no impacts: of few pairs, and of many. */
const RESTING = 0.5;
const RESTING_OF_MANY = 4;
const FEW = 8;
/** Impacts of a pair in a step after which it is left to contacts: spinning corners have no end of them. */
const MOST_IMPACTS = 12;
/** Substeps that end before such a pair touches: after so many it sticks together for the rest of the step. */
const MOST_STOPS = 64;
/** In a substep such a pair moves by this share of the smaller radius. */
const MOST_MOTION = 0.25;
/** Contacts of pairs that move or bend by less than these shares of their thickness in a substep need no certificate. */
const SAFE_MOTION = 0.5;
const SAFE_BEND = 0.1;
/** A step has no more substeps than this for that, and for what spins. */
const MOST_SUBSTEPS = 256;
/** Every impact of a pair in a step raises what counts as slow by this factor, so that a rattle ends. */
const RATTLE = 1.3;
/** Impacts are answered at this share of the gap at rest, so that the gap does not show in bounces. */
const CLEARANCE = 0.02;
/** Substeps are shortened so often to find an impact, and so many of them end just before it. */
const ROUNDS = 12;
const MOST_TRIES = 8;
/** Pairs of boxes and triangles that a certificate looks at: bodies that nearly slide along each other have no end of them. */
const MOST_PAIRS = 3000;
/** A certificate may stop short of the gap by this share of the smaller radius. */
const TOLERANCE = 1e-9;
/** Steps left shorter than this share of the whole are none. */
const LEAST_STEP = 1e-9;

/** Which pairs are followed to their impacts: all, or only those that bounce, or are fast enough to pass through or to spin. */
export type Followed = 'all' | 'bouncing';

/** Advances a world from impact to impact. */
export class ImpactStepper {
  /** Impacts in the last step. */
  impacts = 0;
  readonly #context: ImpactContext;
  readonly #followed: Followed;
  readonly #saved = new SavedMotion();
  readonly #response: TouchingResponse;
  #step = 0;
  readonly #cores = new WeakMap<PairState, CorePair>();
  readonly #chosen: PairState[] = [];
  /** Impacts of pairs in this step, and the pair that the last one was of. */
  readonly #impactsOf = new Map<PairState, number>();
  #hit: PairState | null = null;
  readonly #motionA = new StepMotion();
  readonly #motionB = new StepMotion();
  readonly #u = new Float64Array(3);
  /** The gaps at which the followed pairs count as touching. */
  readonly #clearances: number[] = [];
  readonly #common = new CommonMotion();
  /** Pairs that stick together for the rest of the step. */
  readonly #stuck: PairState[] = [];
  #tries = 0;

  constructor(context: ImpactContext, followed: Followed) {
    this.#context = context;
    this.#followed = followed;
    this.#response = new TouchingResponse(context);
  }

  /** Advances by `dt`, after a collision pass for `PARTS` times as long: it reaches only a part of the motion ahead. */
  advance(dt: number, substeps: number): void {
    const { solver } = this.#context;
    const whole = dt / substeps;
    let left = dt;
    // For how long the contacts are that the collision pass found.
    let covered = dt;
    this.#step++;
    this.#tries = 0;
    this.impacts = 0;
    this.#impactsOf.clear();
    this.#stuck.length = 0;
    for (;;) {
      for (const { a, b } of this.#stuck) this.#common.give(this.#context.bodies, a, b);
      this.#choose(whole, dt);
      const longest = Math.max(dt / MOST_SUBSTEPS, this.#longestUse(left, this.#stuck.length > 0 ? whole : Infinity));
      if (longest === Infinity && covered < left) {
        covered = left;
        this.#collide(left);
        continue;
      }
      if (this.#chosen.length === 0 && longest === Infinity) {
        solver.advance(left, Math.max(1, Math.ceil(left / whole - LEAST_STEP)));
        return;
      }
      const length = Math.min(longest, whole);
      const before = this.impacts;
      do left -= this.#advanceOnce(left < 1.5 * length ? left : length, whole);
      while (left > LEAST_STEP * dt && this.impacts === before && longest === Infinity);
      if (!(left > LEAST_STEP * dt)) return;
      covered = longest === Infinity ? left : Math.min(left, 2 * length);
      this.#collide(covered);
    }
  }

  /** A collision pass in the middle of a step. Bodies that wake bring contacts of their own. */
  #collide(reach: number): void {
    const { collision, sleep, acceleration } = this.#context;
    collision.keepImpulses();
    do collision.update(PARTS * reach, acceleration());
    while (sleep.wakeTouched());
  }

  /**
   * How long contacts may be used, by how far pairs that are left to the solver turn, and by how far those move that
   * impacts have no end of; `most` if not less. Infinity if that is no less than `left`.
   */
  #longestUse(left: number, most: number): number {
    const { bodies, collision } = this.#context;
    let longest = most;
    for (const pair of collision.active) {
      const { a, b, state } = pair;
      if (state === APART || pair.isFree) continue;
      const [reachA, reachB] = [reachOf(bodies, a), reachOf(bodies, b)];
      const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
      const bend = bendOf(bodies, a, b, reachA, reachB);
      const impacts = this.#impactsOf.get(pair) ?? 0;
      const thickness = impacts < MOST_IMPACTS ? size : Math.min(size, thicknessOf(bodies, a), thicknessOf(bodies, b));
      longest = Math.min(longest, Math.sqrt((MOST_BEND * thickness) / bend));
      if (impacts < MOST_IMPACTS) continue;
      longest = Math.min(longest, (MOST_MOTION * size) / this.#speedOf(pair));
    }
    return longest < left ? longest : Infinity;
  }

  /** The fastest that points of two bodies come together. */
  #speedOf({ a, b }: PairState): number {
    const { bodies } = this.#context;
    const { velocity: v } = bodies;
    const way = Math.hypot(v[3 * a] - v[3 * b], v[3 * a + 1] - v[3 * b + 1], v[3 * a + 2] - v[3 * b + 2]);
    return way + spinOf(bodies, a) * reachOf(bodies, a) + spinOf(bodies, b) * reachOf(bodies, b);
  }

  /** Whether two bodies that are near may pass a good part of each other in a substep. */
  #isRisky(pair: PairState, h: number): boolean {
    const { bodies } = this.#context;
    const { a, b } = pair;
    if (pair.state === APART) return false;
    const thickness = Math.min(thicknessOf(bodies, a), thicknessOf(bodies, b));
    const bend = bendOf(bodies, a, b, reachOf(bodies, a), reachOf(bodies, b));
    return bend * h * h > SAFE_BEND * thickness || this.#speedOf(pair) * h > SAFE_MOTION * thickness;
  }

  /** Advances by a substep, or up to the first impact in it, and answers that. Returns how far it came. */
  #advanceOnce(h: number, whole: number): number {
    const { solver, bodies } = this.#context;
    this.#saved.save(bodies);
    let length = h;
    for (let round = 0; round < ROUNDS; round++) {
      if (length > 0) solver.advance(length, 1);
      const s = this.#findFirst(length);
      if (s === 1) break;
      // The even motion of a shorter substep is another: the curve of the motion is followed better.
      this.#saved.restore(bodies);
      length = round === ROUNDS - 1 || s * length < LEAST_STEP * h ? 0 : s * length;
      if (length === 0) break;
    }
    if (length === h) return h;
    const impacts = this.#hit === null ? 0 : (this.#impactsOf.get(this.#hit) ?? 0);
    if (impacts >= MOST_IMPACTS) {
      this.#stop(this.#hit!, impacts + 1, length > 0, whole);
      return length;
    }
    if (!(this.#nearest() <= 2) && ++this.#tries < MOST_TRIES) return length;
    this.#tries = 0;
    this.#respond(whole);
    return length;
  }

  /** A substep ends before a pair touches that is left to contacts. They are found anew, and hold it if they can. */
  #stop(pair: PairState, impacts: number, isOnWay: boolean, h: number): void {
    this.impacts++;
    this.#impactsOf.set(pair, impacts);
    if (impacts === MOST_IMPACTS + MOST_STOPS) this.#stuck.push(pair);
    else if (!isOnWay) this.#response.respond(Infinity, h);
  }

  /** Chooses the pairs to follow and takes the points that come together fast from the solver. */
  #choose(h: number, dt: number): void {
    const { collision, contacts } = this.#context;
    const chosen = this.#chosen;
    chosen.length = 0;
    // Bounces are answered here, not by the solver.
    contacts.restitution.fill(0, 0, contacts.count);
    for (const pair of collision.active) {
      const { distance } = pair.manifold;
      const impacts = this.#impactsOf.get(pair) ?? 0;
      if (pair.state === OVERLAP || !(distance > 0)) continue;
      // It may move by more than its margin.
      let isChosen = pair.used > pair.budget || this.#isRisky(pair, h);
      // Those that stick have no motion to certify.
      if (isChosen && impacts >= MOST_IMPACTS && impacts < MOST_IMPACTS + MOST_STOPS) chosen.push(pair);
      if (impacts >= MOST_IMPACTS) continue;
      const slow = this.#slow(h, impacts);
      const least = isChosen || this.#isFollowed(pair) ? slow : Math.max(slow, this.#swingOf(pair, dt));
      for (let k = 0; k < pair.count; k++) {
        if (!(this.#approachOf(pair, k) > least)) continue;
        isChosen = true;
        // A gap that the solver takes as endless.
        contacts.rest[pair.first + k] = -Infinity;
        pair.isFree = true;
      }
      if (isChosen) chosen.push(pair);
    }
  }

  /** What counts as slow for a pair that has had so many impacts, m/s. */
  #slow(h: number, impacts: number): number {
    const { gravity, collision } = this.#context;
    const times = collision.active.length > FEW ? RESTING_OF_MANY : RESTING;
    return RATTLE ** impacts * times * h * Math.hypot(gravity[0], gravity[1], gravity[2]) + Number.EPSILON;
  }

  #isFollowed({ a, b }: PairState): boolean {
    const { restitution } = this.#context.bodies;
    return this.#followed === 'all' || restitution[a] > 0 || restitution[b] > 0;
  }

  /** The approach of solids after which they may spin too fast for straight contacts, m/s. */
  #swingOf({ a, b }: PairState, dt: number): number {
    const { bodies } = this.#context;
    return (MOST_SWING * Math.min(sizeOf(bodies, a), sizeOf(bodies, b))) / dt;
  }

  /** How fast a point of a pair closes. */
  #approachOf({ a, b, manifold }: PairState, i: number): number {
    const { pointsA: p, pointsB: q, normals: n } = manifold;
    const at = 3 * i;
    const x = 0.5 * (p[at] + q[at]);
    const y = 0.5 * (p[at + 1] + q[at + 1]);
    const z = 0.5 * (p[at + 2] + q[at + 2]);
    writeRelativeVelocity(this.#context.bodies, a, b, x, y, z, this.#u);
    return -(this.#u[0] * n[at] + this.#u[1] * n[at + 1] + this.#u[2] * n[at + 2]);
  }

  /** The share of the substep just made up to which no followed pair touches; 1 if none does in it. */
  #findFirst(h: number): number {
    const { bodies } = this.#context;
    let first = 1;
    for (let i = 0; i < this.#chosen.length; i++) {
      const pair = this.#chosen[i];
      const { a, b } = pair;
      let cores = this.#cores.get(pair);
      if (cores === undefined) this.#cores.set(pair, (cores = new CorePair(bodies.shape[a]!, bodies.shape[b]!)));
      cores.beginStep(this.#step);
      this.#saved.writeMotion(bodies, a, h, this.#motionA);
      this.#saved.writeMotion(bodies, b, h, this.#motionB);
      const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
      const wanted = CLEARANCE * pair.rest;
      const gap = cores.measureAt(this.#motionA, this.#motionB, 0, wanted);
      // Where they are as near as that already, they may come nearer: they hit when they do so at once.
      const clearance = gap > 2 * wanted ? wanted : 0.5 * gap;
      this.#clearances[i] = clearance;
      const { status, lower } = cores.certify(this.#motionA, this.#motionB, clearance, TOLERANCE * size, MOST_PAIRS);
      if (status === 'clear' || !(lower < first)) continue;
      first = lower;
      this.#hit = pair;
    }
    return first;
  }

  /** The least gap of a followed pair where the bodies are now, in clearances; Infinity if none is within some. */
  #nearest(): number {
    const { bodies } = this.#context;
    let least = Infinity;
    for (let i = 0; i < this.#chosen.length; i++) {
      const { a, b } = this.#chosen[i];
      this.#saved.writeMotion(bodies, a, 1, this.#motionA);
      this.#saved.writeMotion(bodies, b, 1, this.#motionB);
      const clearance = this.#clearances[i];
      const gap = this.#cores.get(this.#chosen[i])!.measureAt(this.#motionA, this.#motionB, 1, 4 * clearance);
      least = Math.min(least, gap / clearance);
    }
    return least;
  }

  /** Answers the impact where the bodies are now. */
  #respond(h: number): void {
    this.impacts++;
    const impacts = this.#hit === null ? 0 : (this.#impactsOf.get(this.#hit) ?? 0) + 1;
    if (this.#hit !== null) this.#impactsOf.set(this.#hit, impacts);
    this.#response.respond(this.#slow(h, impacts), h);
  }
}

/** How fast a body turns, rad/s. */
function spinOf({ angularVelocity: w }: Bodies, slot: number): number {
  return Math.hypot(w[3 * slot], w[3 * slot + 1], w[3 * slot + 2]);
}

/** The diameter of a ball that fits into a shape. */
function thicknessOf({ shape }: Bodies, slot: number): number {
  const { model, ballRadius } = shape[slot]!;
  return 2 * (model === null ? ballRadius : model.parts.get(INSCRIBED_RADIUS).radius);
}
