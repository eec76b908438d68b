// The contact points of a step as rows of numbers that the solvers work on: levers, axes, masses, gaps and impulses.
import type { Bodies } from '../body/bodies.js';
import type { ContactBuffer } from './contact-buffer.js';

/** Layout: numbers of a point in {@link ContactRows.values}. The constants below say where they are. */
export const STRIDE = 32;
/** Layout: the unit normal, from A to B. */
export const NORMAL = 0;
/** Layout: the point from the center of mass of A. */
export const LEVER_A = 3;
/** Layout: the point from the center of mass of B. */
export const LEVER_B = 6;
/** Layout: a unit vector across the normal. */
export const TANGENT = 9;
/** Layout: a unit vector across the normal and the first tangent. */
export const TANGENT_2 = 12;
/**
 * Layout: the velocity along the normal that a unit impulse along it gives: an entry of the matrix of the contact, which
 * has five more.
 */
export const K_N = 15;
/** Layout: the entry of that matrix for the first tangent and itself. */
export const K_11 = 16;
/** Layout: the entry for both tangents. */
export const K_12 = 17;
/** Layout: the entry for the second tangent and itself. */
export const K_22 = 18;
/** Layout: the entry for normal and first tangent. */
export const K_N1 = 19;
/** Layout: the entry for normal and second tangent. */
export const K_N2 = 20;
/** Layout: the larger eigenvalue of the tangential matrix. */
export const K_MAX = 21;
/** Layout: the gap beyond that at rest, m. */
export const GAP = 22;
/** Layout: the normal impulse of the substep so far, N s; those along both tangents follow. */
export const IMPULSE = 23;
/** Layout: the impulse along the first tangent. */
export const IMPULSE_1 = 24;
/** Layout: the impulse along the second tangent. */
export const IMPULSE_2 = 25;
/** Layout: half of the normal impulse that the substep began with; those along both tangents follow. */
export const WARM = 26;
/** Layout: half of the impulse along the first tangent that the substep began with. */
export const WARM_1 = 27;
/** Layout: half of the impulse along the second tangent that the substep began with. */
export const WARM_2 = 28;
/**
 * Layout: the speed along the normal when the substep began, m/s; in a blow the speed that the point is to leave with.
 */
export const APPROACH = 29;
/** Layout: a slow mean of the normal impulse. */
export const MEAN = 30;
/** Layout: the push of the substep that opens a gap again, N s: it moves the bodies and is taken back after they have moved. */
export const PUSH = 31;

/** Rows for the points in a {@link ContactBuffer}. The solvers write impulses; this class writes the rest. */
export class ContactRows {
  values = new Float64Array(0);
  count = 0;
  readonly #bodies: Bodies;
  readonly #contacts: ContactBuffer;
  readonly #relative = new Float64Array(3);

  constructor(bodies: Bodies, contacts: ContactBuffer) {
    this.#bodies = bodies;
    this.#contacts = contacts;
  }

  /** Takes the count of the points in the buffer, and keeps the rows there are. */
  reserve(count: number): void {
    this.count = count;
    if (this.values.length >= STRIDE * count) return;
    const larger = new Float64Array(2 * STRIDE * count);
    larger.set(this.values);
    this.values = larger;
  }

  /** Brings levers and gaps up to date with the positions. */
  refresh(): void {
    const { center, orientation } = this.#bodies;
    const { bodyA, bodyB, localA, localB, normal, separation, rest, offset, roundA, roundB, shareA } = this.#contacts;
    const rows = this.values;
    for (let i = 0; i < this.count; i++) {
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

  /** The speed of a point along its normal, negative when it closes. */
  speedOf(i: number): number {
    this.writeRelative(i, this.#relative);
    return dotAt(this.#relative, 0, this.values, STRIDE * i + NORMAL);
  }

  /** The velocity of B's point relative to A's. */
  writeRelative(i: number, out: Float64Array): void {
    const rows = this.values;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const a = 3 * this.#contacts.bodyA[i];
    const b = 3 * this.#contacts.bodyB[i];
    const p = STRIDE * i + LEVER_A;
    const q = STRIDE * i + LEVER_B;
    const turnAx = w[a + 1] * rows[p + 2] - w[a + 2] * rows[p + 1];
    const turnAy = w[a + 2] * rows[p] - w[a] * rows[p + 2];
    const turnAz = w[a] * rows[p + 1] - w[a + 1] * rows[p];
    const turnBx = w[b + 1] * rows[q + 2] - w[b + 2] * rows[q + 1];
    const turnBy = w[b + 2] * rows[q] - w[b] * rows[q + 2];
    const turnBz = w[b] * rows[q + 1] - w[b + 1] * rows[q];
    out[0] = v[b] + turnBx - v[a] - turnAx;
    out[1] = v[b + 1] + turnBy - v[a + 1] - turnAy;
    out[2] = v[b + 2] + turnBz - v[a + 2] - turnAz;
  }

  /** Applies an impulse to B and its opposite to A, given in the axes of the contact. */
  apply(i: number, n: number, s: number, t: number): void {
    const rows = this.values;
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
  setFrame(i: number): void {
    const rows = this.values;
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
  setMasses(i: number): void {
    const rows = this.values;
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
    const rows = this.values;
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

/** The product of three numbers of one array with three of another. */
export function dotAt(u: Float64Array, i: number, v: Float64Array, j: number): number {
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
