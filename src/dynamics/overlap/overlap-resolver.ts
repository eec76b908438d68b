// Recovery from overlap: pairs that overlap deeper than contacts can tell are moved apart along their global ways out, all
// together, at a bounded speed. Positions move; velocities only lose what approaches along the way out: no
// energy is made, and the moves have no momentum. Few depths are measured a step, by turns: a fixed number and not
// a time, so that the same input gives the same motion.

import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import type { Bodies } from '../body/bodies.js';
import { DYNAMIC } from '../body/bodies.js';
import { giveOfPair, pushPair, writeRelativeVelocity } from '../body/impulse.js';
import type { ContactBuffer } from '../solver/contact-buffer.js';
import { SLOT_LIMIT } from '../solver/pair-key.js';
import { OverlapWay } from './overlap-way.js';
import { SeparatingRows } from './separating-rows.js';

/**
 * Chosen: depths measured in a step: about 2 ms for solids of 250 triangles. Preparing a solid takes the place of all.
 */
export const MEASURES_A_STEP = 2;
/** Chosen: a way is measured again after this many steps, … */
const OLD = 4;
/** Chosen: … or once the bodies moved by this share of its length. */
const MOVED = 0.1;
/** Chosen: a pair is moved this share of its way farther than needed, so that it does not stop just short of it. */
const BEYOND = 0.01;
/** Chosen: rounds over the rows of a tangle. */
const ROUNDS = 24;
/** Chosen: steps for which a pair that parted keeps what it knows. */
const KEPT_STEPS = 30;
/** Chosen: rounds over the pairs that take the approach along the ways out. */
const APPROACH_ROUNDS = 4;

/** Moves overlapping bodies apart, step after step. */
export class OverlapResolver {
  /** Of the last step: pairs, the longest way left among those measured, and depths measured. */
  pairs = 0;
  deepest = 0;
  measured = 0;
  readonly #speed: number;
  readonly #ways = new Map<number, OverlapWay>();
  readonly #active: OverlapWay[] = [];
  readonly #rows = new SeparatingRows();
  /** Shapes that were measured: making their hulls takes far longer than a measurement. */
  readonly #prepared = new Set<CollisionShape>();
  #step = 0;
  /** Where the next turn of measurements begins. */
  #turn = 0;

  /** @param speed the largest at which bodies are moved, m/s. */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  /**
   * Moves the centers of the dynamic bodies among the pairs.
   * @param pairs two bodies each, `count` of them: those that overlap.
   * @param contacts points of other pairs, which the moves respect; null without them.
   */
  resolve(bodies: Bodies, pairs: Int32Array, count: number, contacts: ContactBuffer | null, dt: number): void {
    this.#step++;
    this.pairs = count;
    this.deepest = 0;
    this.measured = 0;
    if (count === 0 && this.#ways.size === 0) return;
    this.#collect(bodies, pairs, count);
    if (count > 0) {
      this.#measure(bodies);
      this.#stopApproach(bodies);
      this.#move(bodies, contacts, dt);
    }
    this.#forget();
  }

  /** Appends all that changes. */
  save({ count, shape }: Bodies, out: number[]): void {
    out.push(this.#step, this.#turn, this.#ways.size);
    for (let i = 0; i < count; i++) out.push(shape[i] !== null && this.#prepared.has(shape[i]!) ? 1 : 0);
    for (const [key, way] of this.#ways) {
      out.push(key);
      way.save(out);
    }
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(bodies: Bodies, values: Float64Array, at: number): number {
    const { count, shape } = bodies;
    this.#ways.clear();
    this.#prepared.clear();
    this.#step = values[at];
    this.#turn = values[at + 1];
    let from = at + 3 + count;
    for (let i = 0; i < count; i++) if (values[at + 3 + i] === 1) this.#prepared.add(shape[i]!);
    for (let k = 0; k < values[at + 2]; k++) {
      const key = values[from];
      const way = new OverlapWay(bodies, Math.floor(key / SLOT_LIMIT), key % SLOT_LIMIT);
      this.#ways.set(key, way);
      from += 1 + way.load(values, from + 1);
    }
    return from - at;
  }

  #collect(bodies: Bodies, pairs: Int32Array, count: number): void {
    this.#active.length = 0;
    for (let i = 0; i < count; i++) {
      const a = pairs[2 * i];
      const b = pairs[2 * i + 1];
      const key = a * SLOT_LIMIT + b;
      let way = this.#ways.get(key);
      if (way === undefined) {
        way = new OverlapWay(bodies, a, b);
        this.#ways.set(key, way);
      }
      way.usedAt = this.#step;
      this.#active.push(way);
    }
  }

  /** First those that were never measured, then those that should be apart by now, then the oldest by turns. */
  #measure(bodies: Bodies): void {
    const active = this.#active;
    const start = this.#turn % active.length;
    for (let urgency = 0; urgency < 3; urgency++) {
      for (let k = 0; k < active.length; k++) {
        if (this.measured >= MEASURES_A_STEP) return;
        const at = (start + k) % active.length;
        const way = active[at];
        if (way.measuredAt === this.#step || !this.#isDue(bodies, way, urgency)) continue;
        this.measured += this.#prepare(bodies, way) ? 1 : MEASURES_A_STEP;
        way.measure(bodies, this.#step);
        this.#turn = at + 1;
      }
    }
  }

  /** Whether depths of both shapes were measured before; notes that they are now. */
  #prepare({ shape }: Bodies, { a, b }: OverlapWay): boolean {
    const isReady = [a, b].every((slot) => shape[slot]!.model === null || this.#prepared.has(shape[slot]!));
    this.#prepared.add(shape[a]!).add(shape[b]!);
    return isReady;
  }

  #isDue(bodies: Bodies, way: OverlapWay, urgency: number): boolean {
    if (urgency === 0 || way.measuredAt < 0) return urgency === 0 && way.measuredAt < 0;
    const left = way.remaining(bodies);
    if (urgency === 1) return left <= 0;
    return this.#step - way.measuredAt >= OLD || way.moved(bodies) > MOVED * left;
  }

  #move(bodies: Bodies, contacts: ContactBuffer | null, dt: number): void {
    const rows = this.#rows;
    const farthest = this.#speed * dt;
    rows.clear();
    for (const way of this.#active) {
      if (way.measuredAt < 0) continue;
      const left = way.remaining(bodies);
      this.deepest = Math.max(this.deepest, left);
      const [x, y, z] = way.direction;
      rows.add(way.a, way.b, -x, -y, -z, Math.min(farthest, Math.max(0, left) * (1 + BEYOND)));
    }
    if (rows.count === 0) return;
    if (contacts !== null) {
      const { normal: n, separation } = contacts;
      for (let i = 0; i < contacts.count; i++) {
        const gap = Math.max(0, separation[i]);
        rows.add(contacts.bodyA[i], contacts.bodyB[i], n[3 * i], n[3 * i + 1], n[3 * i + 2], -gap);
      }
    }
    rows.solve(bodies, ROUNDS, farthest);
    const { moves } = rows;
    const { center, kind, asleep } = bodies;
    for (let i = 0; i < bodies.count; i++) {
      const at = 3 * i;
      if (kind[i] !== DYNAMIC || (moves[at] === 0 && moves[at + 1] === 0 && moves[at + 2] === 0)) continue;
      center[at] += moves[at];
      center[at + 1] += moves[at + 1];
      center[at + 2] += moves[at + 2];
      asleep[i] = 0;
    }
  }

  /** Takes from the velocities what goes deeper along the ways out, by impulses at a common point of both bodies. */
  #stopApproach(bodies: Bodies): void {
    for (let round = 0; round < APPROACH_ROUNDS; round++) {
      for (const way of this.#active) if (way.measuredAt >= 0) stopApproach(bodies, way, this.#relative);
    }
  }

  readonly #relative = new Float64Array(3);

  #forget(): void {
    for (const [key, way] of this.#ways) if (this.#step - way.usedAt > KEPT_STEPS) this.#ways.delete(key);
  }
}

/** An inelastic impulse along the way out: it takes energy, and keeps linear and angular momentum. */
function stopApproach(bodies: Bodies, { a, b, direction, arm }: OverlapWay, u: Float64Array): void {
  const { center } = bodies;
  const [x, y, z] = direction;
  const px = center[3 * a] + arm[0];
  const py = center[3 * a + 1] + arm[1];
  const pz = center[3 * a + 2] + arm[2];
  writeRelativeVelocity(bodies, a, b, px, py, pz, u);
  // B moves from A against the direction.
  const rate = -(u[0] * x + u[1] * y + u[2] * z);
  const give = giveOfPair(bodies, a, b, px, py, pz, x, y, z);
  if (!(rate < 0 && give > 0)) return;
  const impulse = rate / give;
  pushPair(bodies, a, b, px, py, pz, impulse * x, impulse * y, impulse * z);
}
