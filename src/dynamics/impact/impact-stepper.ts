// Advances bodies so that they hit each other at the time they do. Pairs that come together fast are left to fly: in every
// substep a certificate on the motion of that substep says when the first of them touches. The step goes back, is made up to
// that time, and the impact is answered there; so bounces have their energy, and nothing passes through anything. A pair that
// hits again and again is left to the contacts of the solver, in short certified substeps; if that does not end, it sticks.

import { APART, OVERLAP } from '../../manifold/contact-state.js';
import { INSCRIBED_RADIUS } from '../../manifold/shape/inscribed-ball.js';
import type { Bodies } from '../body/bodies.js';
import { writeRelativeVelocity } from '../body/impulse.js';
import { NearSpeed } from '../body/near-speed.js';
import { bendOf, MAX_BEND, MAX_SWING, PARTS, reachOf, sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext } from '../solver/step-context.js';
import { CommonMotion } from './common-motion.js';
import { FollowedPairs } from './followed-pairs.js';
import { ImpactCounts } from './impact-counts.js';
import { SavedMotion } from './saved-motion.js';
import type { TimeOfContactMethod } from './time-of-contact.js';
import { TouchingResponse } from './touching-response.js';

/** What the stepper uses of a world. */
export type ImpactContext = Pick<
  StepContext,
  'bodies' | 'collision' | 'contacts' | 'solver' | 'sleep' | 'gravity' | 'acceleration' | 'joints'
>;

/** Chosen: an approach counts as an impact if it is faster than RESTING × gravity × substep, … */
const RESTING = 0.5;
/** Chosen: … or, where more than {@link FEW} pairs are near, than RESTING_OF_MANY × gravity × substep. */
const RESTING_OF_MANY = 4;
/** Chosen: up to this many near pairs are few. */
const FEW = 8;
/** Chosen: in a substep a pair that is left to contacts moves by this share of the smaller radius. */
const MAX_MOTION = 0.25;
/** Chosen: pairs that move by less than this share of their thickness in a substep need no certificate, … */
const SAFE_MOTION = 0.5;
/** Chosen: … if their points also leave straight ways by less than this share of it. */
const SAFE_BEND = 0.1;
/** Chosen: substeps that a step is divided into for pairs that are left to contacts, and for what spins. */
const MAX_SUBSTEPS = 256;
/** Chosen: a substep is shortened this often to find an impact. */
const MAX_ROUNDS = 12;
/** Chosen: substeps that end just before an impact; after them it is answered where the bodies are. */
const MAX_TRIES = 8;
/** Chosen: bodies within this many clearances of each other are hit. */
const HIT = 2;
/** Rounding: parts of a step shorter than this share of the whole are left out. */
const MIN_STEP = 1e-9;
/** Chosen: what is left of a step is made at once if it is shorter than this many substeps. */
const LAST_SUBSTEP = 1.5;

/** Which pairs are followed to their impacts: all, or only those that bounce, or are fast enough to pass through or to spin. */
export type Followed = 'all' | 'bouncing';

/** Advances a world from impact to impact. */
export class ImpactStepper {
  readonly #context: ImpactContext;
  readonly #followed: Followed;
  readonly #pairs: FollowedPairs;
  readonly #near: NearSpeed;
  readonly #counts = new ImpactCounts();
  readonly #saved = new SavedMotion();
  readonly #response: TouchingResponse;
  readonly #common = new CommonMotion();
  readonly #u = new Float64Array(3);
  /** Substeps in a row that ended just before an impact. */
  #tries = 0;

  /** @param times how times of impacts are found. */
  constructor(context: ImpactContext, followed: Followed, times: TimeOfContactMethod = 'certified') {
    this.#context = context;
    this.#followed = followed;
    this.#pairs = new FollowedPairs(context.bodies, times);
    this.#near = new NearSpeed(context.bodies);
    this.#response = new TouchingResponse(context);
  }

  /** Advances by `dt`, after a collision pass for `PARTS` times as long: it reaches only a part of the motion ahead. */
  advance(dt: number, substeps: number): void {
    const { solver } = this.#context;
    const whole = dt / substeps;
    const { stuck } = this.#counts;
    let left = dt;
    // For how long the contacts are that the collision pass found.
    let covered = dt;
    this.#pairs.beginStep();
    this.#tries = 0;
    this.#counts.clear();
    for (;;) {
      for (const { a, b } of stuck) this.#common.give(this.#context.bodies, a, b);
      this.#choose(whole, dt);
      const longest = Math.max(dt / MAX_SUBSTEPS, this.#longestUse(left, stuck.length > 0 ? whole : Infinity));
      if (longest === Infinity && covered < left) {
        covered = left;
        this.#collide(left);
        continue;
      }
      if (this.#pairs.count === 0 && longest === Infinity) {
        solver.advance(left, Math.max(1, Math.ceil(left / whole - MIN_STEP)));
        return;
      }
      const length = Math.min(longest, whole);
      const before = this.#counts.total;
      do left -= this.#advanceOnce(left < LAST_SUBSTEP * length ? left : length, whole);
      while (left > MIN_STEP * dt && this.#counts.total === before && longest === Infinity);
      if (!(left > MIN_STEP * dt)) return;
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
   * How long contacts may be used, by how far pairs turn that are left to the solver, and by how far those move that hit
   * without end; `most` if not less. Infinity if that is no less than `left`.
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
      const isLeft = this.#counts.isLeft(pair);
      const thickness = isLeft ? Math.min(size, thicknessOf(bodies, a), thicknessOf(bodies, b)) : size;
      longest = Math.min(longest, Math.sqrt((MAX_BEND * thickness) / bend));
      if (isLeft) longest = Math.min(longest, (MAX_MOTION * size * left) / this.#wayOf(pair, left));
    }
    return longest < left ? longest : Infinity;
  }

  /** A bound on how far points of two bodies come together in a time where they may touch. */
  #wayOf({ a, b }: PairState, h: number): number {
    const { bodies } = this.#context;
    return this.#near.wayOf(a, b, reachOf(bodies, a), reachOf(bodies, b), h);
  }

  /** Whether two bodies that are near may pass a good part of each other in a substep. */
  #isRisky(pair: PairState, h: number): boolean {
    const { bodies } = this.#context;
    const { a, b } = pair;
    if (pair.state === APART) return false;
    const thickness = Math.min(thicknessOf(bodies, a), thicknessOf(bodies, b));
    const bend = bendOf(bodies, a, b, reachOf(bodies, a), reachOf(bodies, b));
    return bend * h * h > SAFE_BEND * thickness || this.#wayOf(pair, h) > SAFE_MOTION * thickness;
  }

  /** Advances by a substep, or up to the first impact in it, and answers that. Returns how far it came. */
  #advanceOnce(h: number, whole: number): number {
    const { solver, bodies } = this.#context;
    this.#saved.save(bodies);
    let length = h;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (length > 0) solver.advance(length, 1);
      const s = this.#pairs.findFirst(this.#saved, length, this.#context.collision.limit);
      if (s === 1) break;
      // The even motion of a shorter substep is another: the curve of the motion is followed better.
      this.#saved.restore(bodies);
      length = round === MAX_ROUNDS - 1 || s * length < MIN_STEP * h ? 0 : s * length;
      if (length === 0) break;
    }
    if (length === h) return h;
    const { hit } = this.#pairs;
    if (hit !== null && this.#counts.isLeft(hit)) {
      // The contacts of the pair are found anew, and hold it if they can.
      if (!this.#counts.stop(hit) && length === 0) this.#response.respond(Infinity, whole);
      return length;
    }
    if (!(this.#pairs.nearest(this.#saved) <= HIT) && ++this.#tries < MAX_TRIES) return length;
    this.#tries = 0;
    this.#response.respond(this.#slow(whole, this.#counts.add(hit)), whole);
    return length;
  }

  /** Chooses the pairs to follow and takes the points that come together fast from the solver. */
  #choose(h: number, dt: number): void {
    const { collision, contacts } = this.#context;
    this.#pairs.clear();
    // Bounces are answered here, not by the solver.
    contacts.restitution.fill(0, 0, contacts.count);
    for (const pair of collision.active) {
      if (pair.state === OVERLAP || !(pair.manifold.distance > 0)) continue;
      // It may move by more than its margin.
      let isChosen = pair.used > pair.budget || this.#isRisky(pair, h);
      if (this.#counts.isLeft(pair)) {
        // Pairs that stick together have no motion to certify.
        if (isChosen && this.#counts.isStopped(pair)) this.#pairs.add(pair);
        continue;
      }
      const slow = this.#slow(h, this.#counts.of(pair));
      const least = isChosen || this.#isFollowed(pair) ? slow : Math.max(slow, this.#swingOf(pair, dt));
      for (let k = 0; k < pair.count; k++) {
        if (!(this.#approachOf(pair, k) > least)) continue;
        isChosen = true;
        // A gap that the solver takes as endless.
        contacts.rest[pair.first + k] = -Infinity;
        pair.isFree = true;
      }
      if (isChosen) this.#pairs.add(pair);
    }
  }

  /** What counts as slow for a pair after a number of impacts, m/s. */
  #slow(h: number, impacts: number): number {
    const { gravity, collision } = this.#context;
    const times = collision.active.length > FEW ? RESTING_OF_MANY : RESTING;
    return ImpactCounts.rattle(impacts) * times * h * Math.hypot(gravity[0], gravity[1], gravity[2]) + Number.EPSILON;
  }

  #isFollowed({ a, b }: PairState): boolean {
    const { bodies } = this.#context;
    return this.#followed === 'all' || bodies.surfaces.of(bodies, a, b).restitution > 0;
  }

  /** The approach of solids after which they may spin too fast for straight contacts, m/s. */
  #swingOf({ a, b }: PairState, dt: number): number {
    const { bodies } = this.#context;
    return (MAX_SWING * Math.min(sizeOf(bodies, a), sizeOf(bodies, b))) / dt;
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
}

/** The diameter of a ball that fits into a shape. */
function thicknessOf({ shape }: Bodies, slot: number): number {
  const { model, ballRadius } = shape[slot]!;
  return 2 * (model === null ? ballRadius : model.parts.get(INSCRIBED_RADIUS).radius);
}
