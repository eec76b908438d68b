// The method `backtracking`: no overlap, ever (Hoff et al. 2001, here in space). Whether bodies overlap after a substep is
// tested exactly. Islands in which some do go back, each on its own, and make the substep in two halves, and so on: bisection
// in time, to just before the contact. There, contacts within a threshold are answered by impulses. Bodies are left only
// where nothing overlaps; those on paths keep to them, and overlap what they leave no room for.

import { DisjointSets } from '../../core/disjoint-sets.js';
import { APART, OVERLAP } from '../../manifold/contact-state.js';
import { DYNAMIC, HELD, KINEMATIC } from '../body/bodies.js';
import { writeRelativeVelocity } from '../body/impulse.js';
import { CorePair } from '../impact/core-pair.js';
import { SavedMotion } from '../impact/saved-motion.js';
import { StepMotion } from '../impact/step-motion.js';
import { TouchingResponse } from '../impact/touching-response.js';
import { WORLD } from '../joint/joint.js';
import { Recovery } from '../overlap/recovery.js';
import { PARTS, reachOf, sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext } from '../solver/step-context.js';
import { warmScale } from '../solver/warm-scale.js';
import type { StepMethod } from '../step-method.js';

/** Chosen: halvings of a substep before contacts are answered: to a 4096th of it. */
const HALVINGS = 12;
/** Chosen: halvings of a substep where bodies are still too fast to be in touch after {@link HALVINGS}. */
const MAX_HALVINGS = 36;
/** Chosen: a part of a substep is tried again this often after its contacts were answered. */
const MAX_TRIES = 3;
/** Chosen: parts of a step that an island may have; the time left after them is left out. */
const MAX_PARTS = 600;
/** Chosen: a contact counts as resting if it closes more slowly than RESTING × gravity × substep. */
const RESTING = 0.5;
/** Chosen: impacts of a body in a step after which {@link GLANCING} holds in full. */
const MANY_IMPACTS = 8;
/**
 * Chosen: for a body with many impacts, a contact counts as resting if it closes more slowly than this share of the
 * speed of the two bodies. So spinning corners come to rest.
 */
const GLANCING = 0.1;
/** Chosen: pairs of boxes and triangles that a certificate looks at before it gives up: the part is then halved. */
const MAX_BOX_PAIRS = 20_000;
/** Chosen: a certificate may stop short of touching by this share of the smaller radius. */
const CERTIFIED_TOLERANCE = 1e-9;

/** Steps that are taken back where bodies would overlap. */
export class BacktrackingMethod implements StepMethod {
  lostTime = 0;
  readonly #context: StepContext;
  readonly #recovery: Recovery;
  readonly #response: TouchingResponse;
  #step = 0;
  readonly #cores = new WeakMap<PairState, CorePair>();
  /** Pairs of a body on a path and one that has no room before it: left to overlap until they are apart. */
  #givenUp = new Set<PairState>();
  readonly #motionA = new StepMotion();
  readonly #motionB = new StepMotion();
  readonly #u = new Float64Array(3);
  /** The states that halves go back to: first that of the whole substep. */
  readonly #saved: SavedMotion[] = [];
  readonly #end = new SavedMotion();
  readonly #islands = new DisjointSets(0);
  /** Of each island, by its lowest body: whether it goes back, and what it leaves out of the substep, s. */
  #goesBack = new Uint8Array(0);
  #left = new Float64Array(0);
  /** Parts of the step that each body has made, and impacts in it. */
  #partsOf = new Int32Array(0);
  #impactsOf = new Int32Array(0);
  #slow = 0;
  #parts = 0;
  #lost = 0;

  constructor(context: StepContext) {
    this.#context = context;
    this.#recovery = new Recovery(context);
    this.#response = new TouchingResponse(context);
  }

  step(dt: number): void {
    const { bodies, collision, sleep, substeps, gravity, acceleration } = this.#context;
    const h = dt / substeps;
    this.#slow = RESTING * h * Math.hypot(gravity[0], gravity[1], gravity[2]) + Number.EPSILON;
    this.#step++;
    this.lostTime = 0;
    if (this.#left.length < bodies.count) {
      this.#left = new Float64Array(2 * bodies.count);
      this.#goesBack = new Uint8Array(2 * bodies.count);
      this.#partsOf = new Int32Array(2 * bodies.count);
      this.#impactsOf = new Int32Array(2 * bodies.count);
    }
    this.#partsOf.fill(0);
    this.#impactsOf.fill(0);
    do collision.update(dt, acceleration());
    while (sleep.wakeTouched());
    for (const pair of this.#givenUp) {
      if (pair.state === APART || !collision.pairs.has(pair)) this.#givenUp.delete(pair);
    }
    // Only bodies that were placed in each other overlap, and those that paths lead through.
    this.#recovery.resolve(dt);
    let isWhole = true;
    for (let k = 0; k < substeps; k++) isWhole = this.#advanceAll(h);
    // What follows a step looks at the contacts of all islands.
    if (!isWhole) collision.update(h, acceleration());
    sleep.update(dt);
  }

  save(out: number[]): void {
    out.push(this.#givenUp.size);
    const pairs = this.#context.collision.pairs.sorted();
    for (const pair of pairs) if (this.#givenUp.has(pair)) out.push(pair.a, pair.b);
    this.#recovery.save(out);
  }

  load(values: Float64Array, at: number): void {
    const { pairs } = this.#context.collision;
    this.#givenUp.clear();
    const end = at + 1 + 2 * values[at];
    for (let i = at + 1; i < end; i += 2) this.#givenUp.add(pairs.find(values[i], values[i + 1])!);
    this.#recovery.load(values, end);
  }

  /** Advances all islands by a substep. Returns whether none had to go back. */
  #advanceAll(h: number): boolean {
    const { bodies, collision, contacts, solver, acceleration } = this.#context;
    // The pass reaches only a part of the motion ahead.
    collision.update(PARTS * h, acceleration());
    this.#letFly();
    const start = (this.#saved[0] ??= new SavedMotion());
    start.save(bodies);
    solver.advance(h, 1);
    this.#findIslands();
    this.#goesBack.fill(0);
    this.#left.fill(0);
    let isWhole = true;
    for (const pair of collision.active) {
      const island = this.#islandOf(pair);
      if (this.#goesBack[island] === 1 || !this.#meets(pair, start, h)) continue;
      this.#goesBack[island] = 1;
      isWhole = false;
    }
    for (const pair of collision.active) if (this.#goesBack[this.#islandOf(pair)] === 0) pair.keep(contacts);
    if (isWhole) return true;
    this.#end.save(bodies);
    for (let i = 0; i < bodies.count; i++) {
      if (this.#goesBack[i] === 1 && this.#islands.find(i) === i) this.#advanceIsland(i, h, start);
    }
    for (let i = 0; i < bodies.count; i++) {
      if (this.#islands.find(i) === i) this.lostTime += this.#left[i];
      if (bodies.kind[i] === KINEMATIC) this.#end.restoreOne(bodies, i);
    }
    return false;
  }

  /** Advances one island from the start of a substep, in halves, while all others are held. */
  #advanceIsland(island: number, h: number, start: SavedMotion): void {
    const { bodies, collision, joints, solver } = this.#context;
    const { kind, asleep } = bodies;
    for (;;) {
      this.#parts = 0;
      this.#lost = 0;
      for (let i = 0; i < bodies.count; i++) {
        const isIn = kind[i] === DYNAMIC && this.#islands.find(i) === island;
        if (isIn || kind[i] === KINEMATIC) start.restoreOne(bodies, i);
        else if (kind[i] === DYNAMIC && asleep[i] === 0) asleep[i] = HELD;
        if (isIn) this.#parts = Math.max(this.#parts, this.#partsOf[i]);
      }
      // Impulses of all islands are kept as those of a whole substep.
      solver.lastLength = h;
      const arrives = this.#advance(h / 2, 1, 0) && this.#advance(h / 2, 1, 0);
      const scale = warmScale(solver.lastLength, h);
      for (const pair of collision.active) pair.scaleKept(scale);
      for (const joint of joints.joints) {
        if (!joints.isHeld(joint)) for (let k = 0; k < joint.impulses.length; k++) joint.impulses[k] *= scale;
      }
      solver.lastLength = h;
      for (let i = 0; i < bodies.count; i++) {
        if (asleep[i] === HELD) asleep[i] = 0;
        if (kind[i] === DYNAMIC && this.#islands.find(i) === island) this.#partsOf[i] = this.#parts;
      }
      if (arrives) break;
      // A blow sent a body to another island: the two are one, from the start of the substep.
      let joins = false;
      for (const { a, b } of collision.reached) joins = this.#islands.unite(a, b) || joins;
      if (!joins) break;
      island = this.#islands.find(island);
    }
    this.#left[island] = this.#lost;
  }

  /** Dynamic bodies that may touch in the substep, or are joined, are of one island. */
  #findIslands(): void {
    const { bodies, collision, joints } = this.#context;
    const { kind } = bodies;
    this.#islands.reset(bodies.count);
    for (const pair of collision.active) {
      const { a, b } = pair;
      if (kind[a] === DYNAMIC && kind[b] === DYNAMIC && collision.mayMeet(pair)) this.#islands.unite(a, b);
    }
    for (const { a, b } of joints.joints) {
      if (a !== WORLD && kind[a] === DYNAMIC && kind[b] === DYNAMIC) this.#islands.unite(a, b);
    }
  }

  #islandOf({ a, b }: PairState): number {
    return this.#islands.find(this.#context.bodies.kind[a] === DYNAMIC ? a : b);
  }

  /**
   * Advances by a part of a substep, in halves where bodies would meet in it. Returns false if a body may meet one that is
   * held.
   */
  #advance(h: number, depth: number, tries: number): boolean {
    const { bodies, collision, solver, acceleration } = this.#context;
    if (++this.#parts > MAX_PARTS) {
      this.#lost += h;
      return true;
    }
    collision.update(PARTS * h, acceleration());
    if (collision.reached.length > 0) return false;
    this.#letFly();
    const saved = (this.#saved[depth] ??= new SavedMotion());
    saved.save(bodies);
    solver.advance(h, 1);
    const meeting = collision.active.filter((pair) => this.#meets(pair, saved, h));
    if (meeting.length === 0) {
      collision.keepImpulses();
      return true;
    }
    saved.restore(bodies);
    if (depth >= HALVINGS) {
      const slow = meeting.reduce((most, pair) => Math.max(most, this.#slowOf(pair)), 0);
      const blows = this.#response.respond(slow, h, this.#givenUp);
      if (blows > 0) {
        for (const { a, b } of meeting) {
          this.#impactsOf[a]++;
          this.#impactsOf[b]++;
        }
      }
      if (blows > 0 && tries < MAX_TRIES) return this.#advance(h, depth, tries + 1);
      if (blows > 0 && this.#giveUpPaths()) return this.#advance(h, depth, 0);
      if (blows > 0 || depth >= MAX_HALVINGS) {
        this.#lost += h;
        return true;
      }
    }
    return this.#advance(h / 2, depth + 1, 0) && this.#advance(h / 2, depth + 1, 0);
  }

  /** Approaches of a pair slower than this are contacts at rest, m/s. */
  #slowOf({ a, b }: PairState): number {
    const { bodies } = this.#context;
    // What stands still has the impacts of all.
    const ofA = bodies.kind[a] === DYNAMIC ? this.#impactsOf[a] : 0;
    const impacts = Math.max(ofA, bodies.kind[b] === DYNAMIC ? this.#impactsOf[b] : 0);
    if (impacts === 0) return this.#slow;
    const { velocity: v, angularVelocity: w } = bodies;
    const way = Math.hypot(v[3 * a] - v[3 * b], v[3 * a + 1] - v[3 * b + 1], v[3 * a + 2] - v[3 * b + 2]);
    const turnA = Math.hypot(w[3 * a], w[3 * a + 1], w[3 * a + 2]) * reachOf(bodies, a);
    const turnB = Math.hypot(w[3 * b], w[3 * b + 1], w[3 * b + 2]) * reachOf(bodies, b);
    const share = GLANCING * Math.min(1, impacts / MANY_IMPACTS);
    return Math.max(this.#slow, share * (way + turnA + turnB));
  }

  /** Leaves bodies alone that paths lead into and that cannot give way. Returns whether there are any. */
  #giveUpPaths(): boolean {
    const { collision, bodies } = this.#context;
    const before = this.#givenUp.size;
    for (const pair of collision.active) {
      const isLed = bodies.kind[pair.a] === KINEMATIC || bodies.kind[pair.b] === KINEMATIC;
      if (isLed && pair.state !== APART && pair.count > 0) this.#givenUp.add(pair);
    }
    return this.#givenUp.size > before;
  }

  /** Takes points that come together fast from the solver, whose gap it takes as endless: they are answered when they touch. */
  #letFly(): void {
    const { collision, contacts } = this.#context;
    contacts.restitution.fill(0, 0, contacts.count);
    for (const pair of collision.active) {
      const isGivenUp = this.#givenUp.has(pair);
      if (!(isGivenUp || pair.manifold.distance > 0)) continue;
      const slow = this.#slowOf(pair);
      for (let i = 0; i < pair.count; i++) {
        if (isGivenUp || this.#closing(pair, i) > slow) contacts.rest[pair.first + i] = -Infinity;
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
  #meets(pair: PairState, saved: SavedMotion, h: number): boolean {
    const { bodies } = this.#context;
    const { a, b } = pair;
    // It may move by more than its margin.
    const isFast = pair.used > pair.budget;
    if (pair.state === OVERLAP || (pair.state === APART && !isFast)) return false;
    if (this.#givenUp.has(pair) || (bodies.sensor[a] | bodies.sensor[b]) !== 0) return false;
    let cores = this.#cores.get(pair);
    if (cores === undefined) this.#cores.set(pair, (cores = new CorePair(bodies.shape[a]!, bodies.shape[b]!)));
    cores.beginStep(this.#step);
    saved.writeMotion(bodies, a, h, this.#motionA);
    saved.writeMotion(bodies, b, h, this.#motionB);
    // Bodies that meet already, by the caller, are the solver's to part. Its distances are rounded.
    if (!(pair.manifold.distance > 0) && cores.meetsAt(this.#motionA, this.#motionB, 0)) return false;
    if (cores.meetsAt(this.#motionA, this.#motionB, 1)) return true;
    const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
    return (
      isFast &&
      cores.certify(this.#motionA, this.#motionB, 0, CERTIFIED_TOLERANCE * size, MAX_BOX_PAIRS).status !== 'clear'
    );
  }
}
