// The rows of one joint: directions along which it takes impulses, and how its two bodies give way along them.
import type { Bodies } from '../body/bodies.js';
import { DISTANCE, FIXED, HINGE, type Joint, LOCKS, SLIDER, SPRING, WORLD } from './joint.js';
import { rotate } from './turn.js';

/** Label: the row along or about the free axis of a joint, behind the rows that it holds. */
export const FREE_ROW = 6;
/** Layout: numbers of a row: direction, and what turns A and B. */
const ROW = 9;

/** Where a body's own numbers are in the scratch of one joint. */
export interface End {
  slot: number;
  mass: number;
  readonly inertia: Float64Array;
  readonly lever: Float64Array;
  readonly axis: Float64Array;
  readonly side: Float64Array;
}

/** Reads the bodies of a joint and writes its rows. Owns its scratch. */
export class JointRows {
  readonly a = newEnd();
  readonly b = newEnd();
  /** {@link ROW} numbers each. */
  readonly values = new Float64Array(ROW * (FREE_ROW + 1));
  readonly #bodies: Bodies;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Reads the bodies of a joint and writes its rows; returns how many there are without the free axis. */
  load(joint: Joint): number {
    const a = this.a;
    const b = this.b;
    const { center } = this.#bodies;
    this.readEnd(a, joint.a, joint.anchorA, joint.axisA, joint.sideA);
    this.readEnd(b, joint.b, joint.anchorB, joint.axisB, joint.sideB);
    if (joint.kind === DISTANCE || joint.kind === SPRING) return this.#distanceRow(joint);
    // Both bodies take the impulse at one point, so that the angular momentum is kept to rounding.
    for (let k = 0; k < 3; k++) {
      const ca = joint.a === WORLD ? 0 : center[3 * joint.a + k];
      const cb = center[3 * joint.b + k];
      const onA = ca + a.lever[k];
      const onB = cb + b.lever[k];
      const shared = joint.kind === SLIDER || joint.kind === LOCKS ? onB : 0.5 * (onA + onB);
      a.lever[k] = shared - ca;
      b.lever[k] = shared - cb;
    }
    const x = a.axis[0];
    const y = a.axis[1];
    const z = a.axis[2];
    const [sx, sy, sz] = a.side;
    const ux = y * sz - z * sy;
    const uy = z * sx - x * sz;
    const uz = x * sy - y * sx;
    switch (joint.kind) {
      case HINGE:
        this.pointRows();
        this.#turnRow(3, sx, sy, sz);
        this.#turnRow(4, ux, uy, uz);
        this.#turnRow(FREE_ROW, x, y, z);
        return 5;
      case SLIDER:
        this.#lineRow(0, sx, sy, sz);
        this.#lineRow(1, ux, uy, uz);
        this.#turnRow(2, 1, 0, 0);
        this.#turnRow(3, 0, 1, 0);
        this.#turnRow(4, 0, 0, 1);
        this.#lineRow(FREE_ROW, x, y, z);
        return 5;
      case FIXED:
        this.pointRows();
        this.#turnRow(3, 1, 0, 0);
        this.#turnRow(4, 0, 1, 0);
        this.#turnRow(5, 0, 0, 1);
        this.values.fill(0, ROW * FREE_ROW);
        return 6;
      case LOCKS:
        return this.#lockRows(joint.locked);
      default:
        this.pointRows();
        this.values.fill(0, ROW * FREE_ROW);
        return 3;
    }
  }

  /** How far the two points are apart, by the last {@link load} of a distance or spring. */
  apart = 0;

  /** Along the line between the points: each body takes the impulse at its own, so the angular momentum is kept. */
  #distanceRow(joint: Joint): number {
    const { center } = this.#bodies;
    const way = [0, 1, 2].map((k) => {
      const ca = joint.a === WORLD ? 0 : center[3 * joint.a + k];
      return center[3 * joint.b + k] + this.b.lever[k] - ca - this.a.lever[k];
    });
    this.apart = Math.hypot(way[0], way[1], way[2]);
    // Points that coincide have no line; along any they leave as soon.
    const [x, y, z] = this.apart > 0 ? way.map((value) => value / this.apart) : [1, 0, 0];
    this.#lineRow(0, x, y, z);
    this.values.fill(0, ROW * FREE_ROW);
    return 1;
  }

  /** A row for each bit; returns how many. */
  #lockRows(locked: number): number {
    let row = 0;
    for (let k = 0; k < 3; k++) {
      if ((locked >> k) & 1) this.#lineRow(row++, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
    }
    for (let k = 0; k < 3; k++) {
      if ((locked >> (3 + k)) & 1) this.#turnRow(row++, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
    }
    this.values.fill(0, ROW * FREE_ROW);
    return row;
  }

  pointRows(): void {
    this.#lineRow(0, 1, 0, 0);
    this.#lineRow(1, 0, 1, 0);
    this.#lineRow(2, 0, 0, 1);
  }

  readEnd(end: End, slot: number, anchor: Float64Array, axis: Float64Array, side: Float64Array): void {
    const { inverseMass, inverseInertia, orientation } = this.#bodies;
    end.slot = slot;
    if (slot === WORLD) {
      end.mass = 0;
      end.inertia.fill(0);
      end.lever.set(anchor);
      end.axis.set(axis);
      end.side.set(side);
      return;
    }
    end.mass = inverseMass[slot];
    for (let k = 0; k < 6; k++) end.inertia[k] = inverseInertia[6 * slot + k];
    rotate(orientation, 4 * slot, anchor, end.lever);
    rotate(orientation, 4 * slot, axis, end.axis);
    rotate(orientation, 4 * slot, side, end.side);
  }

  /** An impulse along a direction at the shared point. */
  #lineRow(row: number, x: number, y: number, z: number): void {
    const rows = this.values;
    const o = ROW * row;
    const a = this.a.lever;
    const b = this.b.lever;
    rows[o] = x;
    rows[o + 1] = y;
    rows[o + 2] = z;
    rows[o + 3] = -(a[1] * z - a[2] * y);
    rows[o + 4] = -(a[2] * x - a[0] * z);
    rows[o + 5] = -(a[0] * y - a[1] * x);
    rows[o + 6] = b[1] * z - b[2] * y;
    rows[o + 7] = b[2] * x - b[0] * z;
    rows[o + 8] = b[0] * y - b[1] * x;
  }

  /** An angular impulse about a direction. */
  #turnRow(row: number, x: number, y: number, z: number): void {
    const rows = this.values;
    const o = ROW * row;
    rows[o] = rows[o + 1] = rows[o + 2] = 0;
    rows[o + 3] = -x;
    rows[o + 4] = -y;
    rows[o + 5] = -z;
    rows[o + 6] = x;
    rows[o + 7] = y;
    rows[o + 8] = z;
  }

  speed(row: number): number {
    const rows = this.values;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const o = ROW * row;
    const b = 3 * this.b.slot;
    let speed = 0;
    for (let k = 0; k < 3; k++) speed += rows[o + k] * v[b + k] + rows[o + 6 + k] * w[b + k];
    if (this.a.slot === WORLD) return speed;
    const a = 3 * this.a.slot;
    for (let k = 0; k < 3; k++) speed += rows[o + 3 + k] * w[a + k] - rows[o + k] * v[a + k];
    return speed;
  }

  /** What an impulse along row `q` does to the speed along row `p`. */
  response(p: number, q: number): number {
    const rows = this.values;
    const line = dot(rows, ROW * p, rows, ROW * q) * (this.a.mass + this.b.mass);
    return (
      line +
      product(this.a.inertia, rows, ROW * p + 3, ROW * q + 3) +
      product(this.b.inertia, rows, ROW * p + 6, ROW * q + 6)
    );
  }

  apply(row: number, impulse: number): void {
    if (impulse === 0) return;
    this.#applyTo(this.a, row, -impulse, impulse, 3);
    this.#applyTo(this.b, row, impulse, impulse, 6);
  }

  #applyTo(end: End, row: number, along: number, about: number, at: number): void {
    if (end.mass === 0) return;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const rows = this.values;
    const o = ROW * row;
    const s = 3 * end.slot;
    for (let k = 0; k < 3; k++) v[s + k] += end.mass * along * rows[o + k];
    const x = about * rows[o + at];
    const y = about * rows[o + at + 1];
    const z = about * rows[o + at + 2];
    const j = end.inertia;
    w[s] += j[0] * x + j[1] * y + j[2] * z;
    w[s + 1] += j[1] * x + j[3] * y + j[4] * z;
    w[s + 2] += j[2] * x + j[4] * y + j[5] * z;
  }
}

function newEnd(): End {
  return {
    slot: WORLD,
    mass: 0,
    inertia: new Float64Array(6),
    lever: new Float64Array(3),
    axis: new Float64Array(3),
    side: new Float64Array(3),
  };
}

function dot(u: Float64Array, i: number, v: Float64Array, j: number): number {
  return u[i] * v[j] + u[i + 1] * v[j + 1] + u[i + 2] * v[j + 2];
}

/** u · J v for a symmetric matrix of six numbers. */
function product(j: Float64Array, v: Float64Array, p: number, q: number): number {
  const x = v[q];
  const y = v[q + 1];
  const z = v[q + 2];
  return (
    v[p] * (j[0] * x + j[1] * y + j[2] * z) +
    v[p + 1] * (j[1] * x + j[3] * y + j[4] * z) +
    v[p + 2] * (j[2] * x + j[4] * y + j[5] * z)
  );
}
