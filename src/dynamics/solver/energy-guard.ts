// Contacts make no energy: passes that have converged only take it, but starts from earlier impulses that no longer fit, passes
// that end early and springs of soft contacts may give some. Where the impulses of an island do, they are scaled to where they
// take the most, which cones of friction allow. Costs little beside the passes: energies are summed by bodies.
import { growTo } from '../../core/grow-array.js';
import { type Bodies, KINEMATIC } from '../body/bodies.js';
import type { ContactBuffer } from './contact-buffer.js';
import type { ContactIslands } from './contact-islands.js';
import {
  type ContactRows,
  dotAt,
  IMPULSE,
  IMPULSE_1,
  IMPULSE_2,
  LEVER_A,
  LEVER_B,
  STRIDE,
  TANGENT,
  TANGENT_2,
} from './contact-rows.js';

/** Rounding: gains up to this share of the kinetic energy of an island count as 0. */
const ROUNDING = 1e-13;

export class EnergyGuard {
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #rows: ContactRows;
  readonly #islands: ContactIslands;
  /** Of each island, J: kinetic energy when the stage began and now, what a stage makes smaller, and what the substep gave so far. */
  #before = new Float64Array(0);
  #now = new Float64Array(0);
  #sums = new Float64Array(0);
  #given = new Float64Array(0);
  /** Of each body in the world: xx, xy, xz, yy, yz, zz. */
  #inertia = new Float64Array(0);
  /** The impulses of each point when the stage began. */
  #start = new Float64Array(0);
  /** Of each island: the share by which its impulses change, negative, or 0. */
  #less = new Float64Array(0);
  readonly #relative = new Float64Array(3);

  /** @param islands those of the points in the buffer. */
  constructor(bodies: Bodies, contacts: ContactBuffer, rows: ContactRows, islands: ContactIslands) {
    this.#islands = islands;
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.#rows = rows;
  }

  /** Takes over the islands, which have been found anew. */
  prepare(): void {
    const { count } = this.#islands;
    this.#before = growTo(this.#before, count);
    this.#now = growTo(this.#now, count);
    this.#sums = growTo(this.#sums, count);
    this.#given = growTo(this.#given, count);
    this.#less = growTo(this.#less, count);
    this.#start = growTo(this.#start, 3 * this.#rows.count);
    this.#inertia = growTo(this.#inertia, 6 * this.#bodies.count);
  }

  beginSubstep(): void {
    this.#given.fill(0, 0, this.#islands.count);
  }

  beginStage(): void {
    const rows = this.#rows.values;
    const start = this.#start;
    for (let i = 0; i < this.#rows.count; i++) {
      const o = STRIDE * i + IMPULSE;
      start[3 * i] = rows[o];
      start[3 * i + 1] = rows[o + 1];
      start[3 * i + 2] = rows[o + 2];
    }
    const { ofBody } = this.#islands;
    const { count, inverseInertia } = this.#bodies;
    for (let i = 0; i < count; i++) if (ofBody[i] >= 0) invert(inverseInertia, this.#inertia, 6 * i);
    this.#sumEnergies(this.#before);
  }

  #sumEnergies(out: Float64Array): void {
    const { ofBody, count: islands } = this.#islands;
    const { count, inverseMass, velocity: v, angularVelocity: w } = this.#bodies;
    const j = this.#inertia;
    out.fill(0, 0, islands);
    for (let i = 0; i < count; i++) {
      if (!(ofBody[i] >= 0)) continue;
      const [k, o] = [3 * i, 6 * i];
      const x = w[k];
      const y = w[k + 1];
      const z = w[k + 2];
      out[ofBody[i]] +=
        (0.5 * (v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2])) / inverseMass[i] +
        0.5 * (j[o] * x * x + j[o + 3] * y * y + j[o + 5] * z * z) +
        j[o + 1] * x * y +
        j[o + 2] * x * z +
        j[o + 4] * y * z;
    }
  }

  /** What impulses of the stage did: the energy that they gave beyond what moved bodies gave, and that with what gaps they let close. */
  #sumStage(biasOf: (i: number) => number): void {
    const { ofPoint, count } = this.#islands;
    const { kind } = this.#bodies;
    const { bodyA, bodyB } = this.#contacts;
    const rows = this.#rows.values;
    const now = this.#now;
    const sums = this.#sums;
    const start = this.#start;
    this.#sumEnergies(now);
    for (let island = 0; island < count; island++) {
      const gain = now[island] - this.#before[island];
      sums[island] = Math.abs(gain) > ROUNDING * now[island] ? gain : 0;
    }
    for (let i = 0; i < this.#rows.count; i++) {
      const n = rows[STRIDE * i + IMPULSE] - start[3 * i];
      if (kind[bodyA[i]] === KINEMATIC) sums[ofPoint[i]] -= this.#workOfMoved(i, bodyA[i], LEVER_A);
      if (kind[bodyB[i]] === KINEMATIC) sums[ofPoint[i]] += this.#workOfMoved(i, bodyB[i], LEVER_B);
      // Points that were given up let any gap close, and have no impulse.
      if (n !== 0) sums[ofPoint[i]] += n * biasOf(i);
    }
  }

  /** The work of the impulse of a stage on a point of a body that is moved. */
  #workOfMoved(i: number, body: number, lever: number): number {
    const rows = this.#rows.values;
    const { velocity, angularVelocity } = this.#bodies;
    const o = STRIDE * i;
    const p = o + lever;
    const k = 3 * body;
    const u = this.#relative;
    u[0] = velocity[k] + angularVelocity[k + 1] * rows[p + 2] - angularVelocity[k + 2] * rows[p + 1];
    u[1] = velocity[k + 1] + angularVelocity[k + 2] * rows[p] - angularVelocity[k] * rows[p + 2];
    u[2] = velocity[k + 2] + angularVelocity[k] * rows[p + 1] - angularVelocity[k + 1] * rows[p];
    return (
      (rows[o + IMPULSE] - this.#start[3 * i]) * dotAt(u, 0, rows, o) +
      (rows[o + IMPULSE_1] - this.#start[3 * i + 1]) * dotAt(u, 0, rows, o + TANGENT) +
      (rows[o + IMPULSE_2] - this.#start[3 * i + 2]) * dotAt(u, 0, rows, o + TANGENT_2)
    );
  }

  /** Scales the impulses of a stage. @param biasOf the speed at which a point lets its gap close, m/s. */
  temperStage(biasOf: (i: number) => number): void {
    this.#sumStage(biasOf);
    if (this.#measure(this.#sums, biasOf)) this.#scale();
  }

  /** Ends a stage: what its impulses gave counts for the substep. */
  endStage(): void {
    this.#sumStage(() => 0);
    for (let island = 0; island < this.#islands.count; island++) this.#given[island] += this.#sums[island];
  }

  /**
   * Scales those of both stages of a substep: what springs gave is taken back once the bodies have moved. Friction of the first
   * stage may be taken back in the second, so that only their sum must not be positive.
   */
  temperSubstep(): void {
    this.#start.fill(0, 0, 3 * this.#rows.count);
    if (this.#measure(this.#given, () => 0)) this.#scale();
  }

  /** For islands whose sum is positive: the share of their impulses that takes the most. @returns whether there are any. */
  #measure(sums: Float64Array, biasOf: (i: number) => number): boolean {
    const rows = this.#rows.values;
    const { ofPoint, count } = this.#islands;
    const start = this.#start;
    const less = this.#less;
    const u = this.#relative;
    let any = false;
    for (let island = 0; island < count; island++) {
      less[island] = 0;
      any ||= sums[island] > 0;
    }
    if (!any) return false;
    for (let i = 0; i < this.#rows.count; i++) {
      if (!(sums[ofPoint[i]] > 0)) continue;
      const o = STRIDE * i;
      const n = rows[o + IMPULSE] - start[3 * i];
      this.#rows.writeRelative(i, u);
      const along = n === 0 ? 0 : n * (dotAt(u, 0, rows, o) + biasOf(i));
      less[ofPoint[i]] +=
        along +
        (rows[o + IMPULSE_1] - start[3 * i + 1]) * dotAt(u, 0, rows, o + TANGENT) +
        (rows[o + IMPULSE_2] - start[3 * i + 2]) * dotAt(u, 0, rows, o + TANGENT_2);
    }
    for (let island = 0; island < count; island++) {
      if (!(sums[island] > 0)) continue;
      // A share of the impulses sums to share · linear + share² · square.
      const square = less[island] - sums[island];
      const linear = sums[island] - square;
      less[island] = square > 0 ? Math.min(1, Math.max(0, -linear / (2 * square))) - 1 : 0;
    }
    return true;
  }

  #scale(): void {
    const rows = this.#rows.values;
    const start = this.#start;
    for (let i = 0; i < this.#rows.count; i++) {
      const share = this.#less[this.#islands.ofPoint[i]];
      if (!(share < 0)) continue;
      const o = STRIDE * i;
      const n = share * (rows[o + IMPULSE] - start[3 * i]);
      const s = share * (rows[o + IMPULSE_1] - start[3 * i + 1]);
      const t = share * (rows[o + IMPULSE_2] - start[3 * i + 2]);
      rows[o + IMPULSE] += n;
      rows[o + IMPULSE_1] += s;
      rows[o + IMPULSE_2] += t;
      this.#rows.apply(i, n, s, t);
    }
  }
}

/** Inverts a symmetric 3 × 3 matrix; 0 where it has no inverse. */
function invert(from: Float64Array, out: Float64Array, o: number): void {
  const a = from[o];
  const b = from[o + 1];
  const c = from[o + 2];
  const d = from[o + 3];
  const e = from[o + 4];
  const f = from[o + 5];
  const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
  const scale = determinant > 0 ? 1 / determinant : 0;
  out[o] = scale * (d * f - e * e);
  out[o + 1] = scale * (c * e - b * f);
  out[o + 2] = scale * (b * e - c * d);
  out[o + 3] = scale * (a * f - c * c);
  out[o + 4] = scale * (b * c - a * e);
  out[o + 5] = scale * (a * d - b * b);
}
