// Impulses of whole islands at once: a step of Newton's method on the contacts that press, held by stiff springs, so that the
// matrix is one of bodies and as sparse as their contacts. Passes over single points take hundreds of rounds to carry a
// load along a chain or to stop a row of bodies; this takes a few, in any order of masses.
import { growTo } from '../../core/grow-array.js';
import type { Bodies } from '../body/bodies.js';
import { BodyFactor } from './body-factor.js';
import type { ContactBuffer } from './contact-buffer.js';
import type { ContactIslands } from './contact-islands.js';
import {
  type ContactRows,
  dotAt,
  IMPULSE,
  IMPULSE_1,
  IMPULSE_2,
  K_MAX,
  K_N,
  LEVER_A,
  LEVER_B,
  TANGENT,
  TANGENT_2,
} from './contact-rows.js';
import { STRIDE } from './contact-rows.js';

/** Chosen: springs of contacts are this many times as stiff as the bodies are heavy at the point: a step leaves one part of it. */
const STIFFNESS = 1e5;

/** What a point has: it presses, and holds along its tangents. */
const PRESSES = 1;
const HOLDS = 2;

export class DirectStep {
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #rows: ContactRows;
  readonly #islands: ContactIslands;
  readonly #factor = new BodyFactor();
  /** The number of each body in the matrix; −1 for none. */
  #number = new Int32Array(0);
  /** What each point does, its velocity in its axes before the step, and the change of its impulse. */
  #kind = new Uint8Array(0);
  #speeds = new Float64Array(0);
  #changes = new Float64Array(0);
  #right = new Float64Array(0);
  /** Of each island: how the sum of its impulses begins and bends along the step. */
  #slope = new Float64Array(0);
  #bend = new Float64Array(0);
  readonly #relative = new Float64Array(3);
  readonly #sideA = new Float64Array(6);
  readonly #sideB = new Float64Array(6);

  constructor(bodies: Bodies, contacts: ContactBuffer, rows: ContactRows, islands: ContactIslands) {
    this.#bodies = bodies;
    this.#contacts = contacts;
    this.#rows = rows;
    this.#islands = islands;
  }

  /**
   * Makes a step in the islands that are marked, as far as it takes energy. Adds what it takes to the sums of the islands.
   * @param bias of each point: the speed at which it lets its gap close.
   * @returns false where the matrix cannot be factored.
   */
  step(
    isMarked: Uint8Array,
    bias: (i: number) => number,
    take: (island: number, i: number, n: number, gain: number) => void,
  ): boolean {
    if (!this.#assemble(isMarked, bias)) return false;
    this.#solve(bias);
    this.#project();
    this.#apply(isMarked, bias, take);
    return true;
  }

  /** The matrix of the bodies of marked islands, and what is missing at their contacts. */
  #assemble(isMarked: Uint8Array, bias: (i: number) => number): boolean {
    const { count, values: rows } = this.#rows;
    const { bodyA, bodyB, staticFriction } = this.#contacts;
    const { ofPoint } = this.#islands;
    const { inverseMass } = this.#bodies;
    const kind = (this.#kind = growTo(this.#kind, count));
    const speeds = (this.#speeds = growTo(this.#speeds, 3 * count));
    const number = (this.#number = growTo(this.#number, this.#bodies.count));
    number.fill(-1);
    let size = 0;
    const pairs: number[] = [];
    const known = new Set<number>();
    const u = this.#relative;
    for (let i = 0; i < count; i++) {
      kind[i] = 0;
      if (isMarked[ofPoint[i]] === 0) continue;
      const o = STRIDE * i;
      this.#rows.writeRelative(i, u);
      speeds[3 * i] = dotAt(u, 0, rows, o);
      speeds[3 * i + 1] = dotAt(u, 0, rows, o + TANGENT);
      speeds[3 * i + 2] = dotAt(u, 0, rows, o + TANGENT_2);
      const n = rows[o + IMPULSE];
      if (!(n > 0) && !(speeds[3 * i] + bias(i) < 0)) continue;
      const most = staticFriction[i] * n;
      const holds = n > 0 && rows[o + IMPULSE_1] ** 2 + rows[o + IMPULSE_2] ** 2 < 0.999 * most * most;
      kind[i] = holds ? PRESSES | HOLDS : PRESSES;
      const a = bodyA[i];
      const b = bodyB[i];
      if (inverseMass[a] !== 0 && number[a] < 0) number[a] = size++;
      if (inverseMass[b] !== 0 && number[b] < 0) number[b] = size++;
      if (number[a] < 0 || number[b] < 0) continue;
      const key = Math.min(a, b) * 65536 * 16 + Math.max(a, b);
      if (known.has(key)) continue;
      known.add(key);
      pairs.push(number[a], number[b]);
    }
    if (size === 0) return false;
    const factor = this.#factor;
    factor.analyze(size, pairs);
    factor.clear();
    for (let body = 0; body < this.#bodies.count; body++) if (number[body] >= 0) this.#addMass(body);
    for (let i = 0; i < count; i++) if (kind[i] !== 0) this.#addPoint(i);
    return factor.factor();
  }

  #addMass(body: number): void {
    const { inverseMass, inverseInertia: j } = this.#bodies;
    const v = this.#factor.values;
    const o = this.#factor.diagonalOf(this.#number[body]);
    const mass = 1 / inverseMass[body];
    for (let k = 0; k < 3; k++) v[o + 7 * k] += mass;
    const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((k) => j[6 * body + k]);
    const determinant = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
    const xx = (d * f - e * e) / determinant;
    const xy = (c * e - b * f) / determinant;
    const xz = (b * e - c * d) / determinant;
    const yy = (a * f - c * c) / determinant;
    const yz = (b * c - a * e) / determinant;
    const zz = (a * d - b * b) / determinant;
    v[o + 21] += xx;
    v[o + 22] += xy;
    v[o + 23] += xz;
    v[o + 27] += xy;
    v[o + 28] += yy;
    v[o + 29] += yz;
    v[o + 33] += xz;
    v[o + 34] += yz;
    v[o + 35] += zz;
  }

  #addPoint(i: number): void {
    const rows = this.#rows.values;
    const o = STRIDE * i;
    this.#addSpring(i, o, STIFFNESS / rows[o + K_N]);
    if ((this.#kind[i] & HOLDS) === 0) return;
    this.#addSpring(i, o + TANGENT, STIFFNESS / rows[o + K_MAX]);
    this.#addSpring(i, o + TANGENT_2, STIFFNESS / rows[o + K_MAX]);
  }

  /** A spring along an axis of a point. */
  #addSpring(i: number, axis: number, stiffness: number): void {
    const factor = this.#factor;
    const v = factor.values;
    const a = this.#number[this.#contacts.bodyA[i]];
    const b = this.#number[this.#contacts.bodyB[i]];
    this.#writeSides(i, axis);
    const p = this.#sideA;
    const q = this.#sideB;
    if (a >= 0) addOuter(v, factor.diagonalOf(a), p, p, stiffness);
    if (b >= 0) addOuter(v, factor.diagonalOf(b), q, q, stiffness);
    if (a < 0 || b < 0) return;
    const at = factor.blockOf(a, b);
    if (factor.isLower(a, b)) addOuter(v, at, p, q, stiffness);
    else addOuter(v, at, q, p, stiffness);
  }

  /** How the speed of a point along an axis follows from the velocities of its bodies. */
  #writeSides(i: number, axis: number): void {
    const rows = this.#rows.values;
    const o = STRIDE * i;
    const x = rows[axis];
    const y = rows[axis + 1];
    const z = rows[axis + 2];
    writeSide(this.#sideA, -x, -y, -z, rows, o + LEVER_A);
    writeSide(this.#sideB, x, y, z, rows, o + LEVER_B);
  }

  /** The velocities that the springs give, and the impulses of the springs. */
  #solve(bias: (i: number) => number): void {
    const { count, values: rows } = this.#rows;
    const { bodyA, bodyB } = this.#contacts;
    const number = this.#number;
    const changes = (this.#changes = growTo(this.#changes, 3 * count));
    const right = (this.#right = growTo(this.#right, 6 * this.#bodies.count));
    right.fill(0);
    const axes = [0, TANGENT, TANGENT_2];
    for (const back of [false, true]) {
      if (back) this.#factor.solve(right);
      for (let i = 0; i < count; i++) {
        if (this.#kind[i] === 0) continue;
        const o = STRIDE * i;
        const a = 6 * number[bodyA[i]];
        const b = 6 * number[bodyB[i]];
        const last = (this.#kind[i] & HOLDS) === 0 ? 1 : 3;
        for (let k = 0; k < 3; k++) {
          if (k >= last) {
            changes[3 * i + k] = 0;
            continue;
          }
          this.#writeSides(i, o + axes[k]);
          const missing = this.#speeds[3 * i + k] + (k === 0 ? bias(i) : 0);
          const stiffness = STIFFNESS / rows[o + (k === 0 ? K_N : K_MAX)];
          if (back) {
            let given = 0;
            if (a >= 0) for (let c = 0; c < 6; c++) given += this.#sideA[c] * right[a + c];
            if (b >= 0) for (let c = 0; c < 6; c++) given += this.#sideB[c] * right[b + c];
            changes[3 * i + k] = -stiffness * (missing + given);
          } else {
            if (a >= 0) for (let c = 0; c < 6; c++) right[a + c] -= stiffness * missing * this.#sideA[c];
            if (b >= 0) for (let c = 0; c < 6; c++) right[b + c] -= stiffness * missing * this.#sideB[c];
          }
        }
      }
    }
  }

  /** Brings impulses back to where contacts push, and friction into its cone. */
  #project(): void {
    const { count, values: rows } = this.#rows;
    const { staticFriction } = this.#contacts;
    const changes = this.#changes;
    for (let i = 0; i < count; i++) {
      if (this.#kind[i] === 0) continue;
      const o = STRIDE * i;
      const n = Math.max(0, rows[o + IMPULSE] + changes[3 * i]);
      let s = rows[o + IMPULSE_1] + changes[3 * i + 1];
      let t = rows[o + IMPULSE_2] + changes[3 * i + 2];
      const most = staticFriction[i] * n;
      const size = Math.sqrt(s * s + t * t);
      if (size > most) {
        s *= most / size;
        t *= most / size;
      }
      changes[3 * i] = n - rows[o + IMPULSE];
      changes[3 * i + 1] = s - rows[o + IMPULSE_1];
      changes[3 * i + 2] = t - rows[o + IMPULSE_2];
    }
  }

  /** Goes as far along the step as the sum of an island falls. */
  #apply(
    isMarked: Uint8Array,
    bias: (i: number) => number,
    take: (island: number, i: number, n: number, gain: number) => void,
  ): void {
    const { count, values: rows } = this.#rows;
    const { ofPoint, count: islands } = this.#islands;
    const changes = this.#changes;
    const slope = (this.#slope = growTo(this.#slope, islands));
    const bend = (this.#bend = growTo(this.#bend, islands));
    slope.fill(0, 0, islands);
    bend.fill(0, 0, islands);
    for (let i = 0; i < count; i++) {
      if (this.#kind[i] === 0) continue;
      this.#rows.apply(i, changes[3 * i], changes[3 * i + 1], changes[3 * i + 2]);
    }
    const u = this.#relative;
    for (let i = 0; i < count; i++) {
      if (this.#kind[i] === 0) continue;
      const o = STRIDE * i;
      const c = 3 * i;
      this.#rows.writeRelative(i, u);
      const before =
        changes[c] * this.#speeds[c] + changes[c + 1] * this.#speeds[c + 1] + changes[c + 2] * this.#speeds[c + 2];
      const after =
        changes[c] * dotAt(u, 0, rows, o) +
        changes[c + 1] * dotAt(u, 0, rows, o + TANGENT) +
        changes[c + 2] * dotAt(u, 0, rows, o + TANGENT_2);
      slope[ofPoint[i]] += before + (changes[c] === 0 ? 0 : changes[c] * bias(i));
      bend[ofPoint[i]] += after - before;
    }
    for (let i = 0; i < count; i++) {
      if (this.#kind[i] === 0) continue;
      const island = ofPoint[i];
      const share = bend[island] > 0 ? Math.min(1, Math.max(0, -slope[island] / bend[island])) : 0;
      const c = 3 * i;
      const o = STRIDE * i;
      rows[o + IMPULSE] += share * changes[c];
      rows[o + IMPULSE_1] += share * changes[c + 1];
      rows[o + IMPULSE_2] += share * changes[c + 2];
      if (share < 1) {
        this.#rows.apply(i, (share - 1) * changes[c], (share - 1) * changes[c + 1], (share - 1) * changes[c + 2]);
      }
      take(island, i, share * changes[c], 0);
    }
    for (let island = 0; island < islands; island++) {
      if (isMarked[island] === 0) continue;
      const share = bend[island] > 0 ? Math.min(1, Math.max(0, -slope[island] / bend[island])) : 0;
      (globalThis as any).__direct?.(share,slope[island],bend[island]);
      take(island, -1, 0, share * (slope[island] + 0.5 * share * bend[island]));
    }
  }
}

function writeSide(out: Float64Array, x: number, y: number, z: number, rows: Float64Array, lever: number): void {
  const lx = rows[lever];
  const ly = rows[lever + 1];
  const lz = rows[lever + 2];
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = ly * z - lz * y;
  out[4] = lz * x - lx * z;
  out[5] = lx * y - ly * x;
}

function addOuter(v: Float64Array, o: number, p: Float64Array, q: Float64Array, scale: number): void {
  for (let i = 0; i < 6; i++) {
    const s = scale * p[i];
    const r = o + 6 * i;
    for (let j = 0; j < 6; j++) v[r + j] += s * q[j];
  }
}
