// The collision pass of a step: candidate pairs, the contacts of each within its margin, and from them the points that
// the solver works on, in ascending order of pairs.
import { growTo } from '../../core/grow-array.js';
import { StepLimit } from '../../core/step-limit.js';
import { APART, OVERLAP } from '../../manifold/contact-state.js';
import { BOUND_ROUNDING } from '../../manifold/roundings.js';
import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import { type Bodies, DYNAMIC, HELD } from '../body/bodies.js';
import { NearSpeed } from '../body/near-speed.js';
import { type ContactBuffer, GIVEN_UP } from './contact-buffer.js';
import { pairKey } from './pair-key.js';
import { type PairManifold, PairState, PairTable } from './pair-table.js';

/**
 * Measured on heaps: the largest gap that bodies rest at, as a share of the smaller radius. Contacts of heaps give way
 * by less, so that meshes hardly ever cross and need no way out.
 */
const MAX_REST = 1e-3;
/** Chosen: the largest gap at rest of balls and of what bounces, as a share of the smaller radius. */
const FINE_REST = 1e-4;
/** Chosen: the least gap at rest, as a share of the smaller radius: bodies that start closer keep this. */
const MIN_REST = 1e-6;
/**
 * Chosen: points within this share of the smaller radius take over impulses from each other when features change their
 * names.
 */
const NEARBY = 0.02;
/** Chosen: parts of a step. A pair whose motion exceeds its margin is collided again at the end of a part. */
export const PARTS = 4;
/** Chosen: the least margin, as a share of the smaller radius: bodies at rest may be struck during a step. */
const MIN_MARGIN = 0.015;
/**
 * Chosen: the largest margin of solids, as a share of the smaller radius; pairs that move farther ask for a certified
 * time of impact.
 */
const MAX_MARGIN = 0.5;

/**
 * Chosen: contacts of pairs that have moved by less than this share of the smaller radius are moved along, not found
 * anew.
 */
const STILL = 5e-4;
/** Chosen: collisions in a row that may find a pair overlapping before it is parted along its global way out. */
const MAX_HELD = 60;

/**
 * Chosen: contacts are straight: while they are used, points may leave straight ways by this share of the smaller
 * radius.
 */
export const MAX_BEND = 4e-3;
/** Chosen: a solid that comes by more than this share of the smaller radius in a step may spin after it has hit. */
export const MAX_SWING = 0.5;

/**
 * Chosen: the largest margin of balls, as a share of the smaller radius: they are cheap to collide, and so are watched
 * farther.
 */
const MAX_BALL_MARGIN = 4;

/** Finds pairs whose boxes meet during a step; see `BroadPhase`. */
export interface PairFinder {
  findPairs(bodies: Bodies, dt: number, margin: number): { readonly count: number; readonly pairs: Int32Array };
}

/** Makes the contacts of two shapes. */
export type ManifoldMaker = (a: CollisionShape, b: CollisionShape) => PairManifold;

/** Candidate pairs and contacts of a world. */
export class Collision {
  readonly pairs = new PairTable();
  /** Pairs of the last pass in ascending order, those that are apart included. */
  readonly active: PairState[] = [];
  /** Pairs of the last pass that overlap deeper than contacts can tell. */
  readonly overlapping: PairState[] = [];
  /** Pairs of the last pass that may move past each other in the step. */
  readonly fast: PairState[] = [];
  /** Pairs of the last pass that may meet in the step and leave the straight ways that contacts are made for. */
  readonly bending: PairState[] = [];
  /** Pairs of the last pass of a body that moves and one that is held, which may come together. */
  readonly reached: PairState[] = [];
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #finder: PairFinder;
  readonly #make: ManifoldMaker;
  readonly #excluded: ReadonlySet<number>;
  /** Asked for each pair and by what collides again and again. */
  readonly limit: StepLimit;
  readonly #placements: Float64Array[] = [];
  readonly #motion = new Float64Array(6);
  readonly #near: NearSpeed;
  /** Of each body: the radius of its shape, and how far points are from its center, 0 for balls. */
  #sizes = new Float64Array(0);
  #reaches = new Float64Array(0);
  /** Of each body: how far points of it may have moved about its center so far, and its orientation at the last look. */
  #turned = new Float64Array(0);
  #lastTurns = new Float64Array(0);
  /** The number of the last pass. */
  stamp = 0;

  /** @param excluded pairs that never collide, as {@link pairKey}. */
  constructor(
    bodies: Bodies,
    contacts: ContactBuffer,
    finder: PairFinder,
    make: ManifoldMaker,
    excluded: ReadonlySet<number>,
    limit = new StepLimit(),
  ) {
    this.#bodies = bodies;
    this.#near = new NearSpeed(bodies);
    this.#contacts = contacts;
    this.#finder = finder;
    this.#make = make;
    this.#excluded = excluded;
    this.limit = limit;
  }

  /** Fills the contact buffer for the next `dt` seconds; `acceleration` is the largest that bodies have. */
  update(dt: number, acceleration: number): void {
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const stamp = ++this.stamp;
    contacts.clear();
    this.active.length = 0;
    this.overlapping.length = 0;
    this.fast.length = 0;
    this.bending.length = 0;
    this.reached.length = 0;
    this.#place();
    const fall = 0.5 * acceleration * dt * dt;
    const list = this.#finder.findPairs(bodies, dt, 2 * fall + this.#largestMargin());
    for (let i = 0; i < list.count; i++) {
      const a = list.pairs[2 * i];
      const b = list.pairs[2 * i + 1];
      if (this.#excluded.has(pairKey(a, b))) continue;
      this.limit.check();
      const pair = this.pairs.find(a, b) ?? this.#begin(a, b);
      pair.stamp = stamp;
      pair.isFree = false;
      if (bodies.asleep[a] === HELD || bodies.asleep[b] === HELD) {
        this.#updateHeld(pair, dt, fall);
        continue;
      }
      this.active.push(pair);
      this.#updatePair(pair, dt, fall, false);
    }
    for (const pair of this.pairs.values()) {
      if (pair.stamp !== stamp && !this.#rests(pair)) this.pairs.remove(pair);
    }
  }

  /** Contact points of pairs that rest, which the last pass left out. */
  restingPoints(): number {
    let count = 0;
    for (const pair of this.pairs.values()) if (pair.stamp !== this.stamp) count += pair.manifold.count;
    return count;
  }

  /**
   * Collides those pairs again that may move by more than their margin in the next `dt` seconds. Their earlier points are
   * given up, and new ones are added to the end of the buffer with the impulses of the earlier.
   * @returns whether there are any.
   */
  updateAgain(dt: number, acceleration: number): boolean {
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const fall = 0.5 * acceleration * dt * dt;
    let any = false;
    for (let i = 0; i < bodies.count; i++) if (bodies.kind[i] >= 0) this.#followTurn(i);
    for (const pair of this.active) {
      const motion = this.#relativeMotion(pair.a, pair.b, dt) + fall;
      pair.used += motion;
      if (pair.used <= pair.budget || pair.isFree) continue;
      any = true;
      this.limit.check();
      pair.keep(contacts);
      for (let i = pair.first; i < pair.first + pair.count; i++) contacts.rest[i] = GIVEN_UP;
      bodies.writePlacement(pair.a, this.#placements[pair.a]);
      bodies.writePlacement(pair.b, this.#placements[pair.b]);
      this.#updatePair(pair, dt, fall, true);
    }
    return any;
  }

  /** Keeps the impulses of the points for the next pass. */
  keepImpulses(): void {
    for (const pair of this.active) pair.keep(this.#contacts);
  }

  /** Appends what the next pass depends on besides pairs: how far bodies have turned so far. */
  save(out: number[]): void {
    const { count } = this.#bodies;
    for (let i = 0; i < count; i++) out.push(this.#turned[i] ?? 0);
    for (let k = 0; k < 4 * count; k++) out.push(this.#lastTurns[k] ?? 0);
  }

  /** Takes over what {@link save} appended. */
  load(values: Float64Array): void {
    const { count } = this.#bodies;
    this.#turned = growTo(this.#turned, count);
    this.#lastTurns = growTo(this.#lastTurns, 4 * count);
    this.#turned.set(values.subarray(0, count));
    this.#lastTurns.set(values.subarray(count, 5 * count));
  }

  /** Forgets the pairs of a body. */
  forget(slot: number): void {
    for (const pair of this.pairs.values()) if (pair.a === slot || pair.b === slot) this.pairs.remove(pair);
  }

  /** A pair without history. */
  begin(a: number, b: number): PairState {
    return this.#begin(a, b);
  }

  /** Where a body's shape is, as of the last pass. */
  placementOf(slot: number): Float64Array {
    return this.#placements[slot];
  }

  #begin(a: number, b: number): PairState {
    const { shape } = this.#bodies;
    const pair = new PairState(a, b, this.#make(shape[a]!, shape[b]!));
    this.pairs.add(pair);
    return pair;
  }

  /** A pair with a body that is held has no contacts; where the other is dynamic, it may be reached. */
  #updateHeld(pair: PairState, dt: number, fall: number): void {
    const { kind } = this.#bodies;
    if (kind[pair.a] !== DYNAMIC || kind[pair.b] !== DYNAMIC) return;
    const { count } = this.#contacts;
    this.#updatePair(pair, dt, fall, false);
    this.#contacts.count = count;
    pair.count = 0;
    if (this.mayMeet(pair)) this.reached.push(pair);
  }

  /** Whether the bodies of a pair of the last pass may touch in its time. */
  mayMeet({ a, b, state, used, budget }: PairState): boolean {
    const { sensor } = this.#bodies;
    return (state !== APART || used > budget) && (sensor[a] | sensor[b]) === 0;
  }

  #updatePair(pair: PairState, dt: number, fall: number, again: boolean): void {
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const { a, b, manifold } = pair;
    const size = Math.min(this.#sizes[a], this.#sizes[b]);
    const isRound = this.#reaches[a] === 0 || this.#reaches[b] === 0;
    const bounces = bodies.surfaces.of(bodies, a, b).restitution > 0;
    const mostRest = (isRound || bounces ? FINE_REST : MAX_REST) * size;
    const rest = pair.rest < 0 ? mostRest : pair.rest;
    const isSensor = (bodies.sensor[a] | bodies.sensor[b]) !== 0;
    const motion = isSensor ? 0 : this.#relativeMotion(a, b, dt) + fall;
    // Balls are cheap to collide far ahead: one pass does for the step, unless a solid turns under them.
    const bend = bendOf(bodies, a, b, this.#reaches[a], this.#reaches[b]);
    const parts = again || (isRound && bend * dt * dt < MAX_BEND * size) ? 1 : PARTS;
    const most = (isRound ? MAX_BALL_MARGIN : MAX_MARGIN) * size;
    if (!again && motion > parts * most) this.fast.push(pair);
    pair.used = motion / parts;
    pair.budget = Math.min(most, Math.max(MIN_MARGIN * size, pair.used));
    if (isSensor) pair.budget = Infinity;
    const margin = rest + (isSensor ? 0 : pair.budget);
    const slack = pair.clearance > 0 ? pair.clearance - this.#movedBy(pair) * (1 + BOUND_ROUNDING) : 0;
    pair.first = contacts.count;
    pair.count = 0;
    if (slack > margin + motion - fall) {
      pair.state = APART;
      if (pair.rest < 0) pair.rest = mostRest;
      else pair.rest = Math.max(pair.rest, Math.min(mostRest, slack));
      return;
    }
    const still = again || motion - fall > STILL * size ? 0 : STILL * size;
    pair.state = manifold.update(this.#placements[a], this.#placements[b], margin, this.#motionOf(a, b, dt), still);
    pair.clearance = pair.state === APART ? manifold.distance * (1 - BOUND_ROUNDING) : 0;
    this.#noteApart(pair);
    if (isSensor) return;
    const mayHit = pair.state !== APART || manifold.distance < motion;
    if (!again && mayHit && this.#mayBend(pair, bend, motion, size, dt)) this.bending.push(pair);
    if (pair.rest < 0) {
      const distance = pair.state === OVERLAP ? 0 : manifold.distance;
      pair.rest = Math.min(mostRest, Math.max(MIN_REST * size, distance));
    }
    if (pair.state === APART) {
      // Apart by more than it could close in the step: the next touch is a new one.
      pair.rest = Math.max(pair.rest, Math.min(mostRest, manifold.distance));
      return;
    }
    if (pair.state === OVERLAP) this.#holdOrPart(pair);
    else pair.heldFor = 0;
    for (let k = 0; k < manifold.count; k++) {
      const { keys } = manifold;
      const i = contacts.add(bodies, a, b, manifold, 3 * k, manifold.separations[k]);
      contacts.rest[i] = pair.rest;
      contacts.keys[2 * i] = keys[2 * k];
      contacts.keys[2 * i + 1] = keys[2 * k + 1];
    }
    pair.count = manifold.count;
    pair.recall(contacts, NEARBY * size);
  }

  /** An overlap is left for some time to the contacts that the pair had before it, if they say that it overlaps. */
  #holdOrPart(pair: PairState): void {
    const { count, separations } = pair.manifold;
    let deepest = 0;
    for (let k = 0; k < count; k++) deepest = Math.min(deepest, separations[k]);
    if (!(deepest < 0) || ++pair.heldFor > MAX_HELD) this.overlapping.push(pair);
  }

  /** How far points of the two can move towards each other where they may touch, by their velocities. */
  #relativeMotion(a: number, b: number, dt: number): number {
    return this.#near.wayOf(a, b, this.#reaches[a], this.#reaches[b], dt);
  }

  /** Whether straight contacts will not do for a step: bodies spin, fly on to bounce while they turn, or a blow makes them spin. */
  #mayBend({ a, b }: PairState, bend: number, motion: number, size: number, dt: number): boolean {
    const { kind } = this.#bodies;
    const time = this.#bodies.surfaces.of(this.#bodies, a, b).restitution > 0 ? dt : dt / PARTS;
    if (bend * time * time > MAX_BEND * size) return true;
    const swings = (kind[a] === DYNAMIC && this.#reaches[a] > 0) || (kind[b] === DYNAMIC && this.#reaches[b] > 0);
    return swings && motion > MAX_SWING * size;
  }

  /** How B moves relative to A in the step: a turn of points about the origin, and a shift. */
  #motionOf(a: number, b: number, dt: number): Float64Array {
    const { center: c, velocity: v, angularVelocity: w } = this.#bodies;
    const motion = this.#motion;
    const i = 3 * a;
    const j = 3 * b;
    for (let k = 0; k < 3; k++) {
      const next = k === 2 ? 0 : k + 1;
      const last = k === 0 ? 2 : k - 1;
      motion[k] = (w[j + k] - w[i + k]) * dt;
      const turnA = w[i + next] * c[i + last] - w[i + last] * c[i + next];
      const turnB = w[j + next] * c[j + last] - w[j + last] * c[j + next];
      motion[3 + k] = (v[j + k] - turnB - v[i + k] + turnA) * dt;
    }
    return motion;
  }

  #place(): void {
    const bodies = this.#bodies;
    if (this.#sizes.length < bodies.count) {
      this.#sizes = new Float64Array(2 * bodies.count);
      this.#reaches = new Float64Array(2 * bodies.count);
      this.#turned = growTo(this.#turned, 2 * bodies.count);
      this.#lastTurns = growTo(this.#lastTurns, 8 * bodies.count);
    }
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] < 0) continue;
      this.#placements[i] ??= new Float64Array(12);
      bodies.writePlacement(i, this.#placements[i]);
      this.#sizes[i] = sizeOf(bodies, i);
      this.#reaches[i] = reachOf(bodies, i);
      this.#followTurn(i);
    }
  }

  /** Adds how far points of a body may have turned away from where they were, seen from its center. */
  #followTurn(i: number): void {
    const { orientation: q } = this.#bodies;
    const turn = this.#lastTurns;
    let same = 0;
    let opposite = 0;
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      same += (q[k] - turn[k]) ** 2;
      opposite += (q[k] + turn[k]) ** 2;
      turn[k] = q[k];
    }
    // Quaternions differ by 2 sin of a quarter of the angle; points move by 2 sin of half of it at the end of the reach.
    this.#turned[i] += 2 * Math.sqrt(Math.min(same, opposite)) * this.#reaches[i];
  }

  /** How far points of the two bodies may have moved towards each other since the clearance was measured. */
  #movedBy({ a, b, turned, apart }: PairState): number {
    const { center: c } = this.#bodies;
    const x = c[3 * b] - c[3 * a] - apart[0];
    const y = c[3 * b + 1] - c[3 * a + 1] - apart[1];
    const z = c[3 * b + 2] - c[3 * a + 2] - apart[2];
    return Math.sqrt(x * x + y * y + z * z) + this.#turned[a] + this.#turned[b] - turned;
  }

  /** Notes where two bodies are when their clearance is measured. */
  #noteApart(pair: PairState): void {
    const { center: c } = this.#bodies;
    const { a, b, apart } = pair;
    for (let k = 0; k < 3; k++) apart[k] = c[3 * b + k] - c[3 * a + k];
    pair.turned = this.#turned[a] + this.#turned[b];
  }

  #largestMargin(): number {
    const bodies = this.#bodies;
    let largest = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === DYNAMIC) largest = Math.max(largest, (MAX_REST + MIN_MARGIN) * this.#sizes[i]);
    }
    return largest;
  }

  #rests({ a, b }: PairState): boolean {
    const { asleep, kind } = this.#bodies;
    const restsA = kind[a] === DYNAMIC ? asleep[a] !== 0 : kind[a] === 0;
    const restsB = kind[b] === DYNAMIC ? asleep[b] !== 0 : kind[b] === 0;
    return restsA && restsB;
  }
}

/** A bound on how fast points of two bodies leave straight ways: the distance over the square of the time, m/s². */
export function bendOf({ angularVelocity: w }: Bodies, a: number, b: number, reachA: number, reachB: number): number {
  const i = 3 * a;
  const j = 3 * b;
  const turnA = w[i] * w[i] + w[i + 1] * w[i + 1] + w[i + 2] * w[i + 2];
  const turnB = w[j] * w[j] + w[j + 1] * w[j + 1] + w[j + 2] * w[j + 2];
  return 0.5 * (turnA * reachA + turnB * reachB);
}

/** The radius of the shape. */
export function sizeOf(bodies: Bodies, slot: number): number {
  const shape = bodies.shape[slot]!;
  return shape.model === null ? shape.ballRadius : shape.model.radius;
}

/** A bound on how far points of the shape are from the center of mass. */
export function reachOf(bodies: Bodies, slot: number): number {
  const { localCenter: l } = bodies;
  const shape = bodies.shape[slot]!;
  if (shape.model === null) return 0;
  const { center, radius } = shape.model;
  return radius + Math.hypot(center[0] - l[3 * slot], center[1] - l[3 * slot + 1], center[2] - l[3 * slot + 2]);
}
