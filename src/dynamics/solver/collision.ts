// The collision pass of a step: candidate pairs, the contacts of each within its margin, and from them the points that
// the solver works on, in ascending order of pairs.
import { type Bodies, DYNAMIC } from '../body/bodies.js';
import { APART, OVERLAP } from '../contact/contact-state.js';
import type { CollisionShape } from '../shape/collision-shape.js';
import type { ContactBuffer } from './contact-buffer.js';
import { type PairManifold, PairState, PairTable } from './pair-table.js';

/** The gap that bodies rest at, as a share of the radius of the smaller: at most, and at least. */
const REST = 1e-4;
const LEAST_REST = 1e-6;
/** Points within this share of the smaller radius count as one when features change their names. */
const NEARBY = 0.02;
/** A pair is watched up to this share of the smaller radius; faster ones ask for a certified time of impact. */
const WATCH = 0.5;

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
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #finder: PairFinder;
  readonly #make: ManifoldMaker;
  readonly #excluded: ReadonlySet<number>;
  readonly #placements: Float64Array[] = [];
  readonly #motion = new Float64Array(6);
  /** The number of the last pass. */
  stamp = 0;

  /** @param excluded pairs that never collide, as {@link pairKey}. */
  constructor(
    bodies: Bodies,
    contacts: ContactBuffer,
    finder: PairFinder,
    make: ManifoldMaker,
    excluded: ReadonlySet<number>,
  ) {
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.#finder = finder;
    this.#make = make;
    this.#excluded = excluded;
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
    this.#place();
    const fall = 0.5 * acceleration * dt * dt;
    const list = this.#finder.findPairs(bodies, dt, 2 * fall + this.#largestRest());
    for (let i = 0; i < list.count; i++) {
      const a = list.pairs[2 * i];
      const b = list.pairs[2 * i + 1];
      if (this.#excluded.has(pairKey(a, b))) continue;
      const pair = this.pairs.find(a, b) ?? this.#begin(a, b);
      pair.stamp = stamp;
      this.active.push(pair);
      this.#updatePair(pair, dt, fall);
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

  /** Keeps the impulses of the points for the next pass. */
  keepImpulses(): void {
    for (const pair of this.active) pair.keep(this.#contacts);
  }

  /** Forgets how contacts were found, not their impulses. */
  resetManifolds(): void {
    for (const pair of this.pairs.values()) pair.manifold.reset();
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

  #updatePair(pair: PairState, dt: number, fall: number): void {
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const { a, b, manifold } = pair;
    const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
    const rest = pair.rest < 0 ? REST * size : pair.rest;
    const isSensor = (bodies.sensor[a] | bodies.sensor[b]) !== 0;
    const motion = isSensor ? 0 : this.#relativeMotion(a, b, dt) + fall;
    if (motion > WATCH * size) this.fast.push(pair);
    const margin = rest + Math.min(motion, WATCH * size);
    pair.state = manifold.update(this.#placements[a], this.#placements[b], margin, this.#motionOf(a, b, dt));
    pair.first = contacts.count;
    pair.count = 0;
    if (isSensor) return;
    if (pair.rest < 0) {
      const distance = pair.state === OVERLAP ? 0 : manifold.distance;
      pair.rest = Math.min(REST * size, Math.max(LEAST_REST * size, distance));
    }
    if (pair.state === APART) {
      // Apart by more than it could close in the step: the next touch is a new one.
      pair.rest = Math.max(pair.rest, Math.min(REST * size, manifold.distance));
      return;
    }
    if (pair.state === OVERLAP) this.overlapping.push(pair);
    for (let k = 0; k < manifold.count; k++) {
      const { pointsA, pointsB, normals, separations, keys } = manifold;
      const i = contacts.add(bodies, a, b, pointsA, pointsB, normals, 3 * k, separations[k]);
      contacts.rest[i] = pair.rest;
      contacts.keys[2 * i] = keys[2 * k];
      contacts.keys[2 * i + 1] = keys[2 * k + 1];
    }
    pair.count = manifold.count;
    pair.recall(contacts, NEARBY * size);
  }

  /** How far points of the two can move towards each other in the step, by their velocities. */
  #relativeMotion(a: number, b: number, dt: number): number {
    const { velocity: v, angularVelocity: w } = this.#bodies;
    let squared = 0;
    for (let k = 0; k < 3; k++) squared += (v[3 * a + k] - v[3 * b + k]) ** 2;
    const turnA = Math.hypot(w[3 * a], w[3 * a + 1], w[3 * a + 2]) * reachOf(this.#bodies, a);
    const turnB = Math.hypot(w[3 * b], w[3 * b + 1], w[3 * b + 2]) * reachOf(this.#bodies, b);
    return (Math.sqrt(squared) + turnA + turnB) * dt;
  }

  /** How B moves relative to A in the step: a turn of points about the origin, and a shift. */
  #motionOf(a: number, b: number, dt: number): Float64Array {
    const { center: c, velocity: v, angularVelocity: w } = this.#bodies;
    const motion = this.#motion;
    for (let k = 0; k < 3; k++) {
      const [next, last] = [(k + 1) % 3, (k + 2) % 3];
      motion[k] = (w[3 * b + k] - w[3 * a + k]) * dt;
      const turnA = w[3 * a + next] * c[3 * a + last] - w[3 * a + last] * c[3 * a + next];
      const turnB = w[3 * b + next] * c[3 * b + last] - w[3 * b + last] * c[3 * b + next];
      motion[3 + k] = (v[3 * b + k] - turnB - v[3 * a + k] + turnA) * dt;
    }
    return motion;
  }

  #place(): void {
    const bodies = this.#bodies;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] < 0) continue;
      this.#placements[i] ??= new Float64Array(12);
      bodies.writePlacement(i, this.#placements[i]);
    }
  }

  #largestRest(): number {
    const bodies = this.#bodies;
    let largest = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === DYNAMIC) largest = Math.max(largest, REST * sizeOf(bodies, i));
    }
    return 2 * largest;
  }

  #rests({ a, b }: PairState): boolean {
    const { asleep, kind } = this.#bodies;
    const restsA = kind[a] === DYNAMIC ? asleep[a] !== 0 : kind[a] === 0;
    const restsB = kind[b] === DYNAMIC ? asleep[b] !== 0 : kind[b] === 0;
    return restsA && restsB;
  }
}

/** A pair of slots as one number. */
export function pairKey(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}

/** The radius of the shape. */
export function sizeOf(bodies: Bodies, slot: number): number {
  const shape = bodies.shape[slot]!;
  return shape.model === null ? shape.ballRadius : shape.model.radius;
}

/** How far points of the shape are from the center of mass, at most. */
export function reachOf(bodies: Bodies, slot: number): number {
  const { localCenter: l } = bodies;
  const shape = bodies.shape[slot]!;
  if (shape.model === null) return 0;
  const { center, radius } = shape.model;
  return radius + Math.hypot(center[0] - l[3 * slot], center[1] - l[3 * slot + 1], center[2] - l[3 * slot + 2]);
}
