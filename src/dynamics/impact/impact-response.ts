// Impulses at an impact, pair after pair, the fastest approach first: so the blow runs through a row of balls as it does in
// Newton's cradle. The points of a pair are solved together: each leaves at its restitution times its approach, none pulls,
// so that a box that lands flat bounces flat. Then friction stops what Coulomb's law allows. Every stage takes energy only.
import type { Bodies } from '../body/bodies.js';
import { giveOfPair, pushPair, writeRelativeVelocity } from '../body/impulse.js';

/** Contact points of two shapes in the world; see `PairContacts`. */
export interface ImpactContacts {
  readonly count: number;
  readonly pointsA: Float64Array;
  readonly pointsB: Float64Array;
  /** Unit, from A to B. */
  readonly normals: Float64Array;
  readonly separations: Float64Array;
}

/** Contacts of a pair at an impact. */
export interface ImpactPair {
  readonly a: number;
  readonly b: number;
  readonly contacts: ImpactContacts;
  /** Points farther apart than this do not touch. */
  readonly reach: number;
}

/** Joints that take part in an impact: one pass that makes their velocities right; returns the largest change, m/s. */
export type JointPass = () => number;

/** Chosen: impacts answered at one instant, for each pair: a blow runs to and fro through a row of bodies. */
const MAX_BLOWS = 64;
/** Chosen: rounds over the points of a pair; they end earlier once nothing changes. */
const MAX_ROUNDS = 60;
/** Rounding: rounds end when no speed changes by more than this share of the approach (between joints: m/s). */
const SETTLED = 1e-13;
/** Layout: numbers of a point. The constants below say where they are. */
const STRIDE = 12;
/** Layout: the place of the point in the world. */
const POINT = 0;
/** Layout: the unit normal, from A to B. */
const NORMAL = 3;
/** Layout: the speed along the normal that a unit impulse gives. */
const GIVE = 6;
/** Layout: the speed along the normal before the blow, negative. */
const APPROACH = 7;
/** Layout: the speed along the normal to leave with. */
const TARGET = 8;
/** Layout: the impulse along the normal, N s. */
const IMPULSE = 9;

/** Applies impulses to bodies that hit each other. Owns its scratch. */
export class ImpactResponse {
  /** Blows of the last call. */
  blows = 0;
  #points = new Float64Array(8 * STRIDE);
  #count = 0;
  readonly #u = new Float64Array(3);

  /**
   * Responds until no pair approaches faster than `slow`.
   * @param joints keeps joints whole while a pair leaves; null without joints.
   * @param bouncing approaches slower than this do not bounce.
   */
  respond(
    bodies: Bodies,
    pairs: readonly ImpactPair[],
    bouncing: number,
    slow: number,
    joints: JointPass | null = null,
  ): void {
    this.blows = 0;
    const most = MAX_BLOWS * pairs.length;
    while (this.blows < most) {
      let fastest = -slow;
      let hit: ImpactPair | null = null;
      for (const pair of pairs) {
        const speed = this.#approachOf(bodies, pair);
        if (!(speed < fastest)) continue;
        fastest = speed;
        hit = pair;
      }
      if (hit === null) return;
      this.#strike(bodies, hit, bouncing, joints);
      this.blows++;
    }
  }

  /** The fastest approach of points of a pair that touch, negative; Infinity if none touches. */
  #approachOf(bodies: Bodies, { a, b, contacts, reach }: ImpactPair): number {
    let fastest = Infinity;
    const { pointsA, pointsB, normals, separations } = contacts;
    for (let i = 0; i < contacts.count; i++) {
      if (separations[i] > reach) continue;
      const at = 3 * i;
      const x = 0.5 * (pointsA[at] + pointsB[at]);
      const y = 0.5 * (pointsA[at + 1] + pointsB[at + 1]);
      const z = 0.5 * (pointsA[at + 2] + pointsB[at + 2]);
      writeRelativeVelocity(bodies, a, b, x, y, z, this.#u);
      fastest = Math.min(fastest, dot(this.#u, normals[at], normals[at + 1], normals[at + 2]));
    }
    return fastest;
  }

  #strike(bodies: Bodies, { a, b, contacts, reach }: ImpactPair, bouncing: number, joints: JointPass | null): void {
    const { friction, restitution } = bodies.surfaces.of(bodies, a, b);
    this.#load(bodies, a, b, contacts, reach);
    const p = this.#points;
    for (let o = 0; o < STRIDE * this.#count; o += STRIDE) {
      const approach = p[o + APPROACH];
      p[o + TARGET] = approach < -bouncing ? -restitution * approach : 0;
      p[o + IMPULSE] = 0;
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let largest = 0;
      for (let o = 0; o < STRIDE * this.#count; o += STRIDE) {
        const x = p[o + NORMAL];
        const y = p[o + NORMAL + 1];
        const z = p[o + NORMAL + 2];
        writeRelativeVelocity(bodies, a, b, p[o], p[o + 1], p[o + 2], this.#u);
        const before = p[o + IMPULSE];
        const impulse = Math.max(0, before + (p[o + TARGET] - dot(this.#u, x, y, z)) / p[o + GIVE]);
        const change = impulse - before;
        if (change === 0) continue;
        p[o + IMPULSE] = impulse;
        pushPair(bodies, a, b, p[o], p[o + 1], p[o + 2], change * x, change * y, change * z);
        largest = Math.max(largest, Math.abs(change) * p[o + GIVE]);
      }
      if (joints !== null) largest = Math.max(largest, joints());
      if (largest <= SETTLED * Math.abs(p[APPROACH])) break;
    }
    for (let o = 0; o < STRIDE * this.#count; o += STRIDE) {
      bodies.blow[a] += p[o + IMPULSE];
      bodies.blow[b] += p[o + IMPULSE];
    }
    if (friction > 0) for (let o = 0; o < STRIDE * this.#count; o += STRIDE) this.#rub(bodies, a, b, o, friction);
    if (joints !== null && friction > 0) for (let round = 0; round < MAX_ROUNDS && joints() > SETTLED; round++);
  }

  #load(bodies: Bodies, a: number, b: number, contacts: ImpactContacts, reach: number): void {
    const { pointsA, pointsB, normals, separations } = contacts;
    if (this.#points.length < STRIDE * contacts.count) this.#points = new Float64Array(2 * STRIDE * contacts.count);
    const p = this.#points;
    this.#count = 0;
    for (let i = 0; i < contacts.count; i++) {
      if (separations[i] > reach) continue;
      const o = STRIDE * this.#count++;
      for (let k = 0; k < 3; k++) {
        p[o + POINT + k] = 0.5 * (pointsA[3 * i + k] + pointsB[3 * i + k]);
        p[o + NORMAL + k] = normals[3 * i + k];
      }
      const x = p[o + NORMAL];
      const y = p[o + NORMAL + 1];
      const z = p[o + NORMAL + 2];
      p[o + GIVE] = giveOfPair(bodies, a, b, p[o], p[o + 1], p[o + 2], x, y, z);
      writeRelativeVelocity(bodies, a, b, p[o], p[o + 1], p[o + 2], this.#u);
      p[o + APPROACH] = dot(this.#u, x, y, z);
    }
  }

  #rub(bodies: Bodies, a: number, b: number, o: number, friction: number): void {
    const p = this.#points;
    const u = this.#u;
    writeRelativeVelocity(bodies, a, b, p[o], p[o + 1], p[o + 2], this.#u);
    const along = dot(u, p[o + NORMAL], p[o + NORMAL + 1], p[o + NORMAL + 2]);
    const x = u[0] - along * p[o + NORMAL];
    const y = u[1] - along * p[o + NORMAL + 1];
    const z = u[2] - along * p[o + NORMAL + 2];
    const slip = Math.sqrt(x * x + y * y + z * z);
    if (!(slip > 0)) return;
    const give = giveOfPair(bodies, a, b, p[o], p[o + 1], p[o + 2], x / slip, y / slip, z / slip);
    const impulse = -Math.min(friction * p[o + IMPULSE], slip / give) / slip;
    pushPair(bodies, a, b, p[o], p[o + 1], p[o + 2], impulse * x, impulse * y, impulse * z);
  }
}

function dot(u: Float64Array, x: number, y: number, z: number): number {
  return u[0] * x + u[1] * y + u[2] * z;
}
