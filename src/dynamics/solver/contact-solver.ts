// Impulses that keep bodies apart, with Coulomb friction in an exact cone: projected Gauss–Seidel over the contact points,
// started with the impulses of the substep before. A substep has two stages (as RATTLE, Andersen 1983): before the drift a
// point may close its gap but not more; after it no point may approach. Each stage has half of the forces of the substep.
import type { Bodies } from '../body/bodies.js';
import { type ContactBuffer, GIVEN_UP } from './contact-buffer.js';

/** Numbers a point has in the rows, and where they are. */
const STRIDE = 32;
const NORMAL = 0;
const LEVER_A = 3;
const LEVER_B = 6;
const TANGENT = 9;
const TANGENT_2 = 12;
/** Of the 3 × 3 matrix from impulses to relative velocities in the axes of the contact: normal, tangents, both. */
const K_N = 15;
const K_11 = 16;
const K_12 = 17;
const K_22 = 18;
const K_N1 = 19;
const K_N2 = 20;
/** The largest of the tangential matrix. */
const K_MAX = 21;
const GAP = 22;
const IMPULSE = 23;
const IMPULSE_1 = 24;
const IMPULSE_2 = 25;
/** Half of the impulses that the substep began with. */
const WARM = 26;
const WARM_1 = 27;
const WARM_2 = 28;
/** Approach along the normal when the substep began. */
const APPROACH = 29;
/** A slow mean of the normal impulse. */
const MEAN = 30;

/** The share of a missing gap that a substep makes up for where contacts are hard, and the fastest push, m/s. */
const RECOVERY = 0.05;
const MAX_PUSH = 1;
/** Where contacts are soft: springs of this frequency, Hz, and damping, as in Box2D 3; and the time of the mean, s. */
const FREQUENCY = 60;
const DAMPING = 10;
const MEAN_TIME = 0.5;

/** Solves for the impulses of the points in a {@link ContactBuffer}. Owns its rows. */
export class ContactSolver {
  #rows = new Float64Array(0);
  #count = 0;
  /** Of each point before the last pass; the way that passes take; the square of its last part. */
  #last = new Float64Array(0);
  #way = new Float64Array(0);
  #lastSquare = 0;
  #rate = 0;
  #massShare = 1;
  #leak = 0;
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;

  constructor(bodies: Bodies, contacts: ContactBuffer) {
    this.#bodies = bodies;
    this.#contacts = contacts;
  }

  /**
   * Makes contacts that have less than their gap hard, or soft: springs and dampers, so stiff that few passes are stable on
   * piles. Against the sag of springs they pull to a slow mean of the impulse, not to zero.
   */
  setSoftness(h: number, soft: boolean): void {
    const omega = 2 * Math.PI * FREQUENCY;
    const a1 = 2 * DAMPING + h * omega;
    const a2 = h * omega * a1;
    this.#rate = soft ? omega / a1 : RECOVERY / h;
    this.#massShare = soft ? a2 / (1 + a2) : 1;
    this.#leak = soft ? 1 / (1 + a2) : 0;
  }

  /** Reads the points of a step, or those added `from` a number on. The impulses in the buffer are those of a substep of `1 / scale` of this length. */
  prepare(scale: number, from = 0): void {
    const contacts = this.#contacts;
    const { count } = contacts;
    this.#count = count;
    if (this.#rows.length < STRIDE * count) {
      const larger = new Float64Array(2 * STRIDE * count);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    const rows = this.#rows;
    this.refresh();
    // Points that were given up during the step push no more.
    for (let i = 0; i < from; i++) {
      if (contacts.rest[i] === GIVEN_UP) rows.fill(0, STRIDE * i + IMPULSE, STRIDE * i + STRIDE);
    }
    for (let i = from; i < count; i++) {
      const o = STRIDE * i;
      this.#setFrame(i);
      this.#setMasses(i);
      const f = 3 * i;
      const { normalImpulse, frictionImpulse } = contacts;
      rows[o + IMPULSE] = scale * normalImpulse[i];
      rows[o + MEAN] = scale * contacts.meanImpulse[i];
      rows[o + IMPULSE_1] = scale * dotAt(frictionImpulse, f, rows, o + TANGENT);
      rows[o + IMPULSE_2] = scale * dotAt(frictionImpulse, f, rows, o + TANGENT_2);
    }
  }

  /** Brings levers and gaps up to date with the positions. */
  refresh(): void {
    const { center, orientation } = this.#bodies;
    const { bodyA, bodyB, localA, localB, normal, separation, rest, offset, roundA, roundB, shareA } = this.#contacts;
    const rows = this.#rows;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      const a = bodyA[i];
      const b = bodyB[i];
      const v = 3 * i;
      let ax = localA[v];
      let ay = localA[v + 1];
      let az = localA[v + 2];
      // A ball touches with another point of its surface when it turns: its lever stays as it is in the world.
      if (roundA[i] === 0) {
        const x = orientation[4 * a];
        const y = orientation[4 * a + 1];
        const z = orientation[4 * a + 2];
        const w = orientation[4 * a + 3];
        const tx = 2 * (y * az - z * ay);
        const ty = 2 * (z * ax - x * az);
        const tz = 2 * (x * ay - y * ax);
        ax += w * tx + y * tz - z * ty;
        ay += w * ty + z * tx - x * tz;
        az += w * tz + x * ty - y * tx;
      }
      let bx = localB[v];
      let by = localB[v + 1];
      let bz = localB[v + 2];
      if (roundB[i] === 0) {
        const x = orientation[4 * b];
        const y = orientation[4 * b + 1];
        const z = orientation[4 * b + 2];
        const w = orientation[4 * b + 3];
        const tx = 2 * (y * bz - z * by);
        const ty = 2 * (z * bx - x * bz);
        const tz = 2 * (x * by - y * bx);
        bx += w * tx + y * tz - z * ty;
        by += w * ty + z * tx - x * tz;
        bz += w * tz + x * ty - y * tx;
      }
      const dx = center[3 * b] - center[3 * a];
      const dy = center[3 * b + 1] - center[3 * a + 1];
      const dz = center[3 * b + 2] - center[3 * a + 2];
      const gx = dx + bx - ax;
      const gy = dy + by - ay;
      const gz = dz + bz - az;
      const gap = gx * normal[v] + gy * normal[v + 1] + gz * normal[v + 2];
      rows[o + GAP] = gap + offset[i] - rest[i];
      separation[i] = gap + offset[i];
      // One point takes the impulse of both bodies: the angular momentum is kept to rounding.
      const share = shareA[i];
      rows[o + LEVER_A] = ax + (1 - share) * gx;
      rows[o + LEVER_A + 1] = ay + (1 - share) * gy;
      rows[o + LEVER_A + 2] = az + (1 - share) * gz;
      rows[o + LEVER_B] = bx - share * gx;
      rows[o + LEVER_B + 1] = by - share * gy;
      rows[o + LEVER_B + 2] = bz - share * gz;
    }
  }

  /** Begins a substep: keeps what the stages start with, and the approach speeds for restitution. */
  beginSubstep(): void {
    const rows = this.#rows;
    const { restitution } = this.#contacts;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      rows[o + WARM] = 0.5 * rows[o + IMPULSE];
      rows[o + WARM_1] = 0.5 * rows[o + IMPULSE_1];
      rows[o + WARM_2] = 0.5 * rows[o + IMPULSE_2];
      rows[o + IMPULSE] = rows[o + IMPULSE_1] = rows[o + IMPULSE_2] = 0;
      rows[o + APPROACH] = restitution[i] > 0 ? this.#normalSpeed(i) : 0;
    }
  }

  /** Applies half of the impulses that the substep began with. */
  warmStart(): void {
    const rows = this.#rows;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      const n = rows[o + WARM];
      if (n === 0) continue;
      const s = rows[o + WARM_1];
      const t = rows[o + WARM_2];
      rows[o + IMPULSE] += n;
      rows[o + IMPULSE_1] += s;
      rows[o + IMPULSE_2] += t;
      this.#apply(i, n, s, t);
    }
  }

  /**
   * One pass over all points. Before the drift gaps are made up for where they are missing.
   * @returns the largest change of a velocity, m/s.
   */
  solve(h: number, before: boolean): number {
    const rows = this.#rows;
    const count = this.#count;
    const { bodyA, bodyB, friction } = this.#contacts;
    const { velocity, angularVelocity } = this.#bodies;
    const rate = this.#rate;
    const massShare = this.#massShare;
    const leak = this.#leak;
    let largest = 0;
    for (let i = 0; i < count; i++) {
      const o = STRIDE * i;
      const gap = rows[o + GAP];
      const isSoft = before && gap <= 0;
      const bias = gap > 0 ? gap / h : before ? Math.max(rate * gap, -MAX_PUSH) : 0;
      const a = 3 * bodyA[i];
      const b = 3 * bodyB[i];
      const ax = rows[o + LEVER_A];
      const ay = rows[o + LEVER_A + 1];
      const az = rows[o + LEVER_A + 2];
      const bx = rows[o + LEVER_B];
      const by = rows[o + LEVER_B + 1];
      const bz = rows[o + LEVER_B + 2];
      const pa = angularVelocity[a];
      const qa = angularVelocity[a + 1];
      const ra = angularVelocity[a + 2];
      const pb = angularVelocity[b];
      const qb = angularVelocity[b + 1];
      const rb = angularVelocity[b + 2];
      const ux = velocity[b] - velocity[a] + qb * bz - rb * by - qa * az + ra * ay;
      const uy = velocity[b + 1] - velocity[a + 1] + rb * bx - pb * bz - ra * ax + pa * az;
      const uz = velocity[b + 2] - velocity[a + 2] + pb * by - qb * bx - pa * ay + qa * ax;
      const speed = ux * rows[o] + uy * rows[o + 1] + uz * rows[o + 2];
      const old = rows[o + IMPULSE];
      let normal = isSoft
        ? old - (massShare * (speed + bias)) / rows[o + K_N] - leak * (old - 0.5 * rows[o + MEAN])
        : old - (speed + bias) / rows[o + K_N];
      if (!(normal > 0)) {
        if (old === 0) continue;
        normal = 0;
      }
      const dn = normal - old;
      rows[o + IMPULSE] = normal;
      // The tangential velocity as the normal impulse leaves it.
      const s = ux * rows[o + TANGENT] + uy * rows[o + TANGENT + 1] + uz * rows[o + TANGENT + 2] + rows[o + K_N1] * dn;
      const t =
        ux * rows[o + TANGENT_2] + uy * rows[o + TANGENT_2 + 1] + uz * rows[o + TANGENT_2 + 2] + rows[o + K_N2] * dn;
      const k11 = rows[o + K_11];
      const k12 = rows[o + K_12];
      const k22 = rows[o + K_22];
      const determinant = k11 * k22 - k12 * k12;
      const old1 = rows[o + IMPULSE_1];
      const old2 = rows[o + IMPULSE_2];
      let new1 = old1 - (k22 * s - k12 * t) / determinant;
      let new2 = old2 - (k11 * t - k12 * s) / determinant;
      const most = friction[i] * normal;
      if (new1 * new1 + new2 * new2 > most * most) {
        // Sliding: a step against the velocity, and back onto the cone. It rests only where friction opposes the motion.
        const step = 1 / rows[o + K_MAX];
        new1 = old1 - step * s;
        new2 = old2 - step * t;
        const squared = new1 * new1 + new2 * new2;
        if (squared > most * most) {
          const scale = most / Math.sqrt(squared);
          new1 *= scale;
          new2 *= scale;
        }
      }
      rows[o + IMPULSE_1] = new1;
      rows[o + IMPULSE_2] = new2;
      const d1 = new1 - old1;
      const d2 = new2 - old2;
      this.#apply(i, dn, d1, d2);
      const change = Math.abs(dn) * rows[o + K_N] + (Math.abs(d1) + Math.abs(d2)) * rows[o + K_MAX];
      if (change > largest) largest = change;
    }
    return largest;
  }

  /** Begins the passes of a stage. */
  beginStage(): void {
    if (this.#last.length < 3 * this.#count) {
      this.#last = new Float64Array(6 * this.#count);
      this.#way = new Float64Array(6 * this.#count);
    }
    this.#lastSquare = 0;
    this.#note();
  }

  /**
   * Goes on along the way of the last passes, as nonlinear conjugate gradients do (Silcowitz, Niebe and Erleben 2010): stacks
   * converge in tens of passes in place of thousands.
   */
  accelerate(): void {
    const rows = this.#rows;
    const last = this.#last;
    const way = this.#way;
    const { friction } = this.#contacts;
    let square = 0;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      const n = rows[o + IMPULSE] - last[3 * i];
      const s = rows[o + IMPULSE_1] - last[3 * i + 1];
      const t = rows[o + IMPULSE_2] - last[3 * i + 2];
      square += n * n + s * s + t * t;
    }
    const share = this.#lastSquare > 0 ? square / this.#lastSquare : 2;
    this.#lastSquare = square;
    if (!(share <= 1)) {
      way.fill(0, 0, 3 * this.#count);
      for (let i = 0; i < this.#count; i++) {
        for (let k = 0; k < 3; k++) way[3 * i + k] = rows[STRIDE * i + IMPULSE + k] - last[3 * i + k];
      }
      this.#note();
      return;
    }
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      const n = rows[o + IMPULSE];
      const s = rows[o + IMPULSE_1];
      const t = rows[o + IMPULSE_2];
      const wn = share * way[3 * i];
      const ws = share * way[3 * i + 1];
      const wt = share * way[3 * i + 2];
      const toN = Math.max(0, n + wn);
      let toS = s + ws;
      let toT = t + wt;
      const size = Math.sqrt(toS * toS + toT * toT);
      const most = friction[i] * toN;
      if (size > most) {
        toS *= most / size;
        toT *= most / size;
      }
      way[3 * i] = wn + n - last[3 * i];
      way[3 * i + 1] = ws + s - last[3 * i + 1];
      way[3 * i + 2] = wt + t - last[3 * i + 2];
      rows[o + IMPULSE] = toN;
      rows[o + IMPULSE_1] = toS;
      rows[o + IMPULSE_2] = toT;
      this.#apply(i, toN - n, toS - s, toT - t);
    }
    this.#note();
  }

  /** Notes the impulses before a pass. */
  #note(): void {
    const rows = this.#rows;
    const last = this.#last;
    for (let i = 0; i < this.#count; i++) {
      last[3 * i] = rows[STRIDE * i + IMPULSE];
      last[3 * i + 1] = rows[STRIDE * i + IMPULSE_1];
      last[3 * i + 2] = rows[STRIDE * i + IMPULSE_2];
    }
  }

  /** Follows the mean impulses. */
  follow(h: number): void {
    const rows = this.#rows;
    const share = Math.min(1, h / MEAN_TIME);
    const { stepImpulse } = this.#contacts;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      stepImpulse[i] += rows[o + IMPULSE];
      rows[o + MEAN] += share * (rows[o + IMPULSE] - rows[o + MEAN]);
    }
  }

  /** The speed of a point along its normal, negative when it closes. Valid after {@link prepare}. */
  speedOf(i: number): number {
    return this.#normalSpeed(i);
  }

  /** Begins a blow at some points: those that close faster than the threshold are to leave at their restitution. */
  beginBlow(first: number, count: number, reach: number, threshold: number): void {
    const rows = this.#rows;
    const { restitution } = this.#contacts;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      const speed = this.#normalSpeed(i);
      rows[o + APPROACH] = speed < -threshold ? -restitution[i] * speed : 0;
      // A point that does not touch takes no part.
      if (rows[o + GAP] > reach) rows[o + APPROACH] = -Infinity;
      rows[o + WARM] = rows[o + WARM_1] = rows[o + WARM_2] = 0;
    }
  }

  /** One pass over the points of a blow. @returns the largest change of a velocity, m/s. */
  strike(first: number, count: number): number {
    const rows = this.#rows;
    let largest = 0;
    for (let i = first; i < first + count; i++) {
      const o = STRIDE * i;
      const target = rows[o + APPROACH];
      if (target === -Infinity) continue;
      const old = rows[o + WARM];
      const now = Math.max(0, old + (target - this.#normalSpeed(i)) / rows[o + K_N]);
      rows[o + WARM] = now;
      this.#apply(i, now - old, 0, 0);
      largest = Math.max(largest, Math.abs(now - old) * rows[o + K_N]);
      if (now > 0) largest = Math.max(largest, this.#rub(i, now));
    }
    return largest;
  }

  /** Friction of a blow, within the cone of its normal impulse. */
  #rub(i: number, normal: number): number {
    const rows = this.#rows;
    const o = STRIDE * i;
    const most = this.#contacts.friction[i] * normal;
    if (most === 0) return 0;
    const u = this.#relative;
    this.#writeRelative(i);
    const step = 1 / rows[o + K_MAX];
    let s = rows[o + WARM_1] - step * dotAt(u, 0, rows, o + TANGENT);
    let t = rows[o + WARM_2] - step * dotAt(u, 0, rows, o + TANGENT_2);
    const size = Math.sqrt(s * s + t * t);
    if (size > most) {
      s *= most / size;
      t *= most / size;
    }
    const ds = s - rows[o + WARM_1];
    const dt = t - rows[o + WARM_2];
    rows[o + WARM_1] = s;
    rows[o + WARM_2] = t;
    this.#apply(i, 0, ds, dt);
    return (Math.abs(ds) + Math.abs(dt)) * rows[o + K_MAX];
  }

  /** Ends a substep: points that were hit faster than the threshold and bounce get their speed of departure. */
  restitute(threshold: number): void {
    const rows = this.#rows;
    const { restitution } = this.#contacts;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      if (!(rows[o + APPROACH] < -threshold) || !(rows[o + IMPULSE] > 0)) continue;
      const missing = -restitution[i] * rows[o + APPROACH] - this.#normalSpeed(i);
      const old = rows[o + IMPULSE];
      const now = Math.max(0, old + missing / rows[o + K_N]);
      rows[o + IMPULSE] = now;
      this.#apply(i, now - old, 0, 0);
    }
  }

  /** Writes the impulses of the last substep back to the buffer. */
  store(): void {
    const rows = this.#rows;
    const { normalImpulse, meanImpulse, frictionImpulse } = this.#contacts;
    for (let i = 0; i < this.#count; i++) {
      const o = STRIDE * i;
      normalImpulse[i] = rows[o + IMPULSE];
      meanImpulse[i] = rows[o + MEAN];
      const s = rows[o + IMPULSE_1];
      const t = rows[o + IMPULSE_2];
      for (let k = 0; k < 3; k++) {
        frictionImpulse[3 * i + k] = s * rows[o + TANGENT + k] + t * rows[o + TANGENT_2 + k];
      }
    }
  }

  readonly #relative = new Float64Array(3);

  #normalSpeed(i: number): number {
    this.#writeRelative(i);
    return dotAt(this.#relative, 0, this.#rows, STRIDE * i + NORMAL);
  }

  /** The velocity of B's point relative to A's. */
  #writeRelative(i: number): void {
    const rows = this.#rows;
    const out = this.#relative;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const a = 3 * this.#contacts.bodyA[i];
    const b = 3 * this.#contacts.bodyB[i];
    const p = STRIDE * i + LEVER_A;
    const q = STRIDE * i + LEVER_B;
    for (let k = 0; k < 3; k++) {
      const [next, last] = [(k + 1) % 3, (k + 2) % 3];
      const turnA = w[a + next] * rows[p + last] - w[a + last] * rows[p + next];
      const turnB = w[b + next] * rows[q + last] - w[b + last] * rows[q + next];
      out[k] = v[b + k] + turnB - v[a + k] - turnA;
    }
  }

  /** Applies an impulse to B and its opposite to A, given in the axes of the contact. */
  #apply(i: number, n: number, s: number, t: number): void {
    const rows = this.#rows;
    const { velocity, angularVelocity, inverseMass, inverseInertia } = this.#bodies;
    const o = STRIDE * i;
    const x = n * rows[o] + s * rows[o + TANGENT] + t * rows[o + TANGENT_2];
    const y = n * rows[o + 1] + s * rows[o + TANGENT + 1] + t * rows[o + TANGENT_2 + 1];
    const z = n * rows[o + 2] + s * rows[o + TANGENT + 2] + t * rows[o + TANGENT_2 + 2];
    const a = this.#contacts.bodyA[i];
    const b = this.#contacts.bodyB[i];
    const ma = inverseMass[a];
    const mb = inverseMass[b];
    if (ma !== 0) {
      const v = 3 * a;
      velocity[v] -= ma * x;
      velocity[v + 1] -= ma * y;
      velocity[v + 2] -= ma * z;
      const lx = rows[o + LEVER_A];
      const ly = rows[o + LEVER_A + 1];
      const lz = rows[o + LEVER_A + 2];
      const cx = ly * z - lz * y;
      const cy = lz * x - lx * z;
      const cz = lx * y - ly * x;
      const j = 6 * a;
      angularVelocity[v] -= inverseInertia[j] * cx + inverseInertia[j + 1] * cy + inverseInertia[j + 2] * cz;
      angularVelocity[v + 1] -= inverseInertia[j + 1] * cx + inverseInertia[j + 3] * cy + inverseInertia[j + 4] * cz;
      angularVelocity[v + 2] -= inverseInertia[j + 2] * cx + inverseInertia[j + 4] * cy + inverseInertia[j + 5] * cz;
    }
    if (mb !== 0) {
      const v = 3 * b;
      velocity[v] += mb * x;
      velocity[v + 1] += mb * y;
      velocity[v + 2] += mb * z;
      const lx = rows[o + LEVER_B];
      const ly = rows[o + LEVER_B + 1];
      const lz = rows[o + LEVER_B + 2];
      const cx = ly * z - lz * y;
      const cy = lz * x - lx * z;
      const cz = lx * y - ly * x;
      const j = 6 * b;
      angularVelocity[v] += inverseInertia[j] * cx + inverseInertia[j + 1] * cy + inverseInertia[j + 2] * cz;
      angularVelocity[v + 1] += inverseInertia[j + 1] * cx + inverseInertia[j + 3] * cy + inverseInertia[j + 4] * cz;
      angularVelocity[v + 2] += inverseInertia[j + 2] * cx + inverseInertia[j + 4] * cy + inverseInertia[j + 5] * cz;
    }
  }

  /** The axes of a contact: the normal, and two tangents (Duff et al. 2017). */
  #setFrame(i: number): void {
    const rows = this.#rows;
    const { normal } = this.#contacts;
    const o = STRIDE * i;
    const x = normal[3 * i];
    const y = normal[3 * i + 1];
    const z = normal[3 * i + 2];
    const sign = z >= 0 ? 1 : -1;
    const a = -1 / (sign + z);
    const b = x * y * a;
    rows[o + NORMAL] = x;
    rows[o + NORMAL + 1] = y;
    rows[o + NORMAL + 2] = z;
    rows[o + TANGENT] = 1 + sign * x * x * a;
    rows[o + TANGENT + 1] = sign * b;
    rows[o + TANGENT + 2] = -sign * x;
    rows[o + TANGENT_2] = b;
    rows[o + TANGENT_2 + 1] = sign + y * y * a;
    rows[o + TANGENT_2 + 2] = -y;
  }

  /** What an impulse along one axis of the contact does to the velocity along another. */
  #setMasses(i: number): void {
    const rows = this.#rows;
    const o = STRIDE * i;
    const n = this.#response(i, NORMAL, NORMAL);
    const k11 = this.#response(i, TANGENT, TANGENT);
    const k12 = this.#response(i, TANGENT, TANGENT_2);
    const k22 = this.#response(i, TANGENT_2, TANGENT_2);
    rows[o + K_N] = n;
    rows[o + K_11] = k11;
    rows[o + K_12] = k12;
    rows[o + K_22] = k22;
    rows[o + K_N1] = this.#response(i, NORMAL, TANGENT);
    rows[o + K_N2] = this.#response(i, NORMAL, TANGENT_2);
    rows[o + K_MAX] = 0.5 * (k11 + k22) + Math.sqrt(0.25 * (k11 - k22) ** 2 + k12 * k12);
  }

  #response(i: number, p: number, q: number): number {
    const { inverseMass, inverseInertia } = this.#bodies;
    const rows = this.#rows;
    const o = STRIDE * i;
    const a = this.#contacts.bodyA[i];
    const b = this.#contacts.bodyB[i];
    const same = p === q ? inverseMass[a] + inverseMass[b] : 0;
    return (
      same +
      turnResponse(rows, o + LEVER_A, o + p, o + q, inverseInertia, 6 * a) +
      turnResponse(rows, o + LEVER_B, o + p, o + q, inverseInertia, 6 * b)
    );
  }
}

function dotAt(u: Float64Array, i: number, v: Float64Array, j: number): number {
  return u[i] * v[j] + u[i + 1] * v[j + 1] + u[i + 2] * v[j + 2];
}

/** (r × p) · I⁻¹ (r × q). */
function turnResponse(v: Float64Array, r: number, p: number, q: number, inertia: Float64Array, j: number): number {
  const ax = v[r + 1] * v[p + 2] - v[r + 2] * v[p + 1];
  const ay = v[r + 2] * v[p] - v[r] * v[p + 2];
  const az = v[r] * v[p + 1] - v[r + 1] * v[p];
  const bx = v[r + 1] * v[q + 2] - v[r + 2] * v[q + 1];
  const by = v[r + 2] * v[q] - v[r] * v[q + 2];
  const bz = v[r] * v[q + 1] - v[r + 1] * v[q];
  return (
    ax * (inertia[j] * bx + inertia[j + 1] * by + inertia[j + 2] * bz) +
    ay * (inertia[j + 1] * bx + inertia[j + 3] * by + inertia[j + 4] * bz) +
    az * (inertia[j + 2] * bx + inertia[j + 4] * by + inertia[j + 5] * bz)
  );
}
