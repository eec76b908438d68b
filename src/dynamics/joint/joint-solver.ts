// Impulses of joints, one block a joint. Before the drift they are such that the joint holds where the bodies arrive, by
// Newton's method on their predicted positions; after it, such that its velocity is zero there (RATTLE, Andersen 1983).
// The scheme is symplectic and of order 2: a pendulum keeps its energy.
import { type Bodies, HELD } from '../body/bodies.js';
import { writeSpin } from '../body/conserved.js';
import { BALL, FIXED, GRAB, HINGE, type Joint, SLIDER, WORLD } from './joint.js';
import { factorize, solveFactored } from './small-cholesky.js';

const LIMIT_ROWS = 6;
const MOTOR = 6;
const LOW = 7;
const HIGH = 8;
/** A grab is a critically damped spring of this frequency, Hz. */
const GRAB_FREQUENCY = 6;

/** Where a body's own numbers are in the scratch of one joint. */
interface End {
  slot: number;
  mass: number;
  readonly inertia: Float64Array;
  readonly lever: Float64Array;
  readonly axis: Float64Array;
  readonly side: Float64Array;
}

/** Solves for the impulses of joints. Owns its scratch. */
export class JointSolver {
  readonly joints: Joint[] = [];
  readonly #bodies: Bodies;
  readonly #a = newEnd();
  readonly #b = newEnd();
  /** Nine numbers a row: direction, and what turns A and B. The last row is along or about the free axis. */
  readonly #rows = new Float64Array(9 * 7);
  readonly #matrix = new Float64Array(36);
  readonly #error = new Float64Array(6);
  readonly #predicted = new Float64Array(9);
  readonly #predictedA = new Float64Array(9);
  readonly #predictedB = new Float64Array(9);
  /** Half of the impulses that the substep began with, 9 a joint. */
  #warm = new Float64Array(0);

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Scales the impulses to those of a substep of this length. */
  prepare(scale: number): void {
    for (const joint of this.joints) {
      if (this.isHeld(joint)) continue;
      for (let k = 0; k < 9; k++) joint.impulses[k] *= scale;
      this.#track(joint);
    }
    if (this.#warm.length < 9 * this.joints.length) this.#warm = new Float64Array(18 * this.joints.length);
  }

  /** Begins a substep: keeps what its stages start with. */
  beginSubstep(): void {
    this.joints.forEach((joint, i) => {
      const { impulses, kind } = joint;
      if (this.isHeld(joint)) return;
      for (let k = 0; k < 9; k++) this.#warm[9 * i + k] = kind === GRAB ? 0 : 0.5 * impulses[k];
      impulses.fill(0);
    });
  }

  /** Follows angles and displacements after the drift. */
  refresh(): void {
    for (const joint of this.joints) this.#track(joint);
  }

  /** Applies half of the impulses that the substep began with. */
  warmStart(): void {
    this.joints.forEach((joint, i) => {
      if (!this.#isAwake(joint) || joint.kind === GRAB) return;
      const count = this.#load(joint);
      for (let k = 0; k < count; k++) this.#applyRow(k, this.#warm[9 * i + k]);
      for (let k = 0; k < 9; k++) joint.impulses[k] += this.#warm[9 * i + k];
      const free = this.#warm[9 * i + MOTOR] + this.#warm[9 * i + LOW] - this.#warm[9 * i + HIGH];
      this.#applyRow(LIMIT_ROWS, free);
    });
  }

  /** One pass over all joints. @returns the largest change of a velocity, m/s or rad/s. */
  solve(h: number, before: boolean): number {
    let largest = 0;
    for (const joint of this.joints) {
      if (!this.#isAwake(joint)) continue;
      const count = this.#load(joint);
      if (joint.kind === GRAB) {
        if (before) this.#pull(joint, h);
        continue;
      }
      if (joint.hasMotor) largest = Math.max(largest, this.#drive(joint, h, before));
      if (joint.low > -Infinity || joint.high < Infinity) largest = Math.max(largest, this.#limit(joint, h, before));
      const error = this.#error;
      if (before) this.#predict(joint, h);
      else for (let k = 0; k < count; k++) error[k] = -this.#rowSpeed(k);
      this.#buildMatrix(count, 0);
      solveFactored(this.#matrix, count, error);
      for (let k = 0; k < count; k++) {
        this.#applyRow(k, error[k]);
        joint.impulses[k] += error[k];
        largest = Math.max(largest, Math.abs(error[k]) * this.#rowResponse(k, k));
      }
    }
    return largest;
  }

  /** Whether the bodies of a joint are held: it keeps its impulses until they move. */
  isHeld({ a, b }: Joint): boolean {
    const { asleep } = this.#bodies;
    return asleep[b] === HELD || (a !== WORLD && asleep[a] === HELD);
  }

  #isAwake({ a, b }: Joint): boolean {
    const { asleep } = this.#bodies;
    return asleep[b] === 0 || (a !== WORLD && asleep[a] === 0 && this.#bodies.inverseMass[a] > 0);
  }

  /** Reads the bodies of a joint and writes its rows; returns how many there are without the free axis. */
  #load(joint: Joint): number {
    const a = this.#a;
    const b = this.#b;
    const { center } = this.#bodies;
    this.#readEnd(a, joint.a, joint.anchorA, joint.axisA, joint.sideA);
    this.#readEnd(b, joint.b, joint.anchorB, joint.axisB, joint.sideB);
    // Both bodies take the impulse at one point, so that the angular momentum is kept to rounding.
    for (let k = 0; k < 3; k++) {
      const ca = joint.a === WORLD ? 0 : center[3 * joint.a + k];
      const cb = center[3 * joint.b + k];
      const onA = ca + a.lever[k];
      const onB = cb + b.lever[k];
      const shared = joint.kind === SLIDER ? onB : 0.5 * (onA + onB);
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
        this.#pointRows();
        this.#turnRow(3, sx, sy, sz);
        this.#turnRow(4, ux, uy, uz);
        this.#turnRow(LIMIT_ROWS, x, y, z);
        return 5;
      case SLIDER:
        this.#lineRow(0, sx, sy, sz);
        this.#lineRow(1, ux, uy, uz);
        this.#turnRow(2, 1, 0, 0);
        this.#turnRow(3, 0, 1, 0);
        this.#turnRow(4, 0, 0, 1);
        this.#lineRow(LIMIT_ROWS, x, y, z);
        return 5;
      case FIXED:
        this.#pointRows();
        this.#turnRow(3, 1, 0, 0);
        this.#turnRow(4, 0, 1, 0);
        this.#turnRow(5, 0, 0, 1);
        this.#rows.fill(0, 9 * LIMIT_ROWS);
        return 6;
      default:
        this.#pointRows();
        this.#rows.fill(0, 9 * LIMIT_ROWS);
        return 3;
    }
  }

  #pointRows(): void {
    this.#lineRow(0, 1, 0, 0);
    this.#lineRow(1, 0, 1, 0);
    this.#lineRow(2, 0, 0, 1);
  }

  #readEnd(end: End, slot: number, anchor: Float64Array, axis: Float64Array, side: Float64Array): void {
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
    const rows = this.#rows;
    const o = 9 * row;
    const a = this.#a.lever;
    const b = this.#b.lever;
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
    const rows = this.#rows;
    const o = 9 * row;
    rows[o] = rows[o + 1] = rows[o + 2] = 0;
    rows[o + 3] = -x;
    rows[o + 4] = -y;
    rows[o + 5] = -z;
    rows[o + 6] = x;
    rows[o + 7] = y;
    rows[o + 8] = z;
  }

  #rowSpeed(row: number): number {
    const rows = this.#rows;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const o = 9 * row;
    const b = 3 * this.#b.slot;
    let speed = 0;
    for (let k = 0; k < 3; k++) speed += rows[o + k] * v[b + k] + rows[o + 6 + k] * w[b + k];
    if (this.#a.slot === WORLD) return speed;
    const a = 3 * this.#a.slot;
    for (let k = 0; k < 3; k++) speed += rows[o + 3 + k] * w[a + k] - rows[o + k] * v[a + k];
    return speed;
  }

  /** What an impulse along row `q` does to the speed along row `p`. */
  #rowResponse(p: number, q: number): number {
    const rows = this.#rows;
    const line = dot(rows, 9 * p, rows, 9 * q) * (this.#a.mass + this.#b.mass);
    return (
      line + product(this.#a.inertia, rows, 9 * p + 3, 9 * q + 3) + product(this.#b.inertia, rows, 9 * p + 6, 9 * q + 6)
    );
  }

  #applyRow(row: number, impulse: number): void {
    if (impulse === 0) return;
    this.#applyTo(this.#a, row, -impulse, impulse, 3);
    this.#applyTo(this.#b, row, impulse, impulse, 6);
  }

  #applyTo(end: End, row: number, along: number, about: number, at: number): void {
    if (end.mass === 0) return;
    const { velocity: v, angularVelocity: w } = this.#bodies;
    const rows = this.#rows;
    const o = 9 * row;
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

  /** Factorizes the matrix of the first rows, with `soft` added to its diagonal. */
  #buildMatrix(count: number, soft: number): void {
    const matrix = this.#matrix;
    for (let p = 0; p < count; p++) {
      for (let q = 0; q <= p; q++) matrix[6 * p + q] = this.#rowResponse(p, q);
      matrix[7 * p] += soft;
    }
    factorize(matrix, count);
  }

  /** Writes what is missing, over h, so that the joint holds where the bodies arrive. */
  #predict(joint: Joint, h: number): void {
    const error = this.#error;
    this.#arrive(joint.a, joint.anchorA, joint.axisA, h, this.#predictedA);
    this.#arrive(joint.b, joint.anchorB, joint.axisB, h, this.#predictedB);
    const a = this.#predictedA;
    const b = this.#predictedB;
    const x = b[0] - a[0];
    const y = b[1] - a[1];
    const z = b[2] - a[2];
    if (joint.kind === SLIDER) {
      // Across the axis as A carries it: its own turn is part of the row, since the lever of A ends at B's point.
      this.#arriveSides(joint, h);
      const p = this.#predicted;
      error[0] = -(x * p[0] + y * p[1] + z * p[2]) / h;
      error[1] = -(x * p[3] + y * p[4] + z * p[5]) / h;
      this.#predictTurn(joint, h, 2);
      return;
    }
    error[0] = -x / h;
    error[1] = -y / h;
    error[2] = -z / h;
    if (joint.kind === BALL) return;
    if (joint.kind === FIXED) {
      this.#predictTurn(joint, h, 3);
      return;
    }
    const ex = a[4] * b[5] - a[5] * b[4];
    const ey = a[5] * b[3] - a[3] * b[5];
    const ez = a[3] * b[4] - a[4] * b[3];
    const rows = this.#rows;
    for (let row = 3; row < 5; row++) {
      const o = 9 * row + 6;
      error[row] = -(ex * rows[o] + ey * rows[o + 1] + ez * rows[o + 2]) / h;
    }
  }

  /** The rotation that is missing where the bodies arrive, as three rows. */
  #predictTurn(joint: Joint, h: number, row: number): void {
    const error = this.#error;
    const qa = [0, 0, 0, 1];
    const qb = [0, 0, 0, 1];
    this.#arriveTurn(joint.a, h, qa);
    this.#arriveTurn(joint.b, h, qb);
    const held = multiply(qa, joint.turn);
    // b · conjugate(held)
    const e = multiply(qb, [-held[0], -held[1], -held[2], held[3]]);
    const sign = e[3] < 0 ? -2 : 2;
    for (let k = 0; k < 3; k++) error[row + k] = (-sign * e[k]) / h;
  }

  #arriveTurn(slot: number, h: number, out: number[]): void {
    if (slot === WORLD) return;
    const q = this.#bodies.orientation;
    const w = this.#meanTurn(slot, h);
    const turn = turnOf(w[0], w[1], w[2], h);
    const arrived = multiply(turn, [q[4 * slot], q[4 * slot + 1], q[4 * slot + 2], q[4 * slot + 3]]);
    for (let k = 0; k < 4; k++) out[k] = arrived[k];
  }

  /** The two directions across a slider's axis where A arrives. */
  #arriveSides(joint: Joint, h: number): void {
    const out = this.#predicted;
    const { side, axis } = this.#a;
    const s = [side[0], side[1], side[2]];
    const u = [
      axis[1] * side[2] - axis[2] * side[1],
      axis[2] * side[0] - axis[0] * side[2],
      axis[0] * side[1] - axis[1] * side[0],
    ];
    if (joint.a !== WORLD) {
      const w = this.#meanTurn(joint.a, h);
      const turn = turnOf(w[0], w[1], w[2], h);
      rotateBy(turn, s);
      rotateBy(turn, u);
    }
    for (let k = 0; k < 3; k++) {
      out[k] = s[k];
      out[3 + k] = u[k];
    }
  }

  /** Where an anchor and an axis of a body arrive in h: six numbers. */
  #arrive(slot: number, anchor: Float64Array, axis: Float64Array, h: number, out: Float64Array): void {
    if (slot === WORLD) {
      out.set(anchor);
      out.set(axis, 3);
      return;
    }
    const { center, velocity, orientation } = this.#bodies;
    const lever = this.#scratchLever;
    const w = this.#meanTurn(slot, h);
    const turn = turnOf(w[0], w[1], w[2], h);
    rotate(orientation, 4 * slot, anchor, lever);
    rotateBy(turn, lever);
    for (let k = 0; k < 3; k++) out[k] = center[3 * slot + k] + h * velocity[3 * slot + k] + lever[k];
    rotate(orientation, 4 * slot, axis, lever);
    rotateBy(turn, lever);
    for (let k = 0; k < 3; k++) out[3 + k] = lever[k];
  }

  readonly #scratchLever = new Float64Array(3);
  readonly #scratchTurn = new Float64Array(3);

  /** The mean angular velocity of a body over h, without torque: of order 2. */
  #meanTurn(slot: number, h: number): Float64Array {
    const { angularVelocity: w, inverseInertia: j, inverseMass } = this.#bodies;
    const out = this.#scratchTurn;
    const x = w[3 * slot];
    const y = w[3 * slot + 1];
    const z = w[3 * slot + 2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    if (inverseMass[slot] === 0) return out;
    const l = this.#spin(slot);
    const tx = l[1] * z - l[2] * y;
    const ty = l[2] * x - l[0] * z;
    const tz = l[0] * y - l[1] * x;
    const i = 6 * slot;
    const f = 0.5 * h;
    out[0] += f * (j[i] * tx + j[i + 1] * ty + j[i + 2] * tz);
    out[1] += f * (j[i + 1] * tx + j[i + 3] * ty + j[i + 4] * tz);
    out[2] += f * (j[i + 2] * tx + j[i + 4] * ty + j[i + 5] * tz);
    return out;
  }

  readonly #momentum = new Float64Array(3);

  /** The angular momentum of a body about its center of mass. */
  #spin(slot: number): Float64Array {
    writeSpin(this.#bodies, slot, this.#momentum);
    return this.#momentum;
  }

  /** Brings the free axis to the speed of the motor. */
  #drive(joint: Joint, h: number, before: boolean): number {
    const response = this.#rowResponse(LIMIT_ROWS, LIMIT_ROWS);
    if (!(response > 0)) return 0;
    const most = joint.strength * h * (before ? 0.5 : 1);
    const old = joint.impulses[MOTOR];
    const wanted = old + (joint.speed - this.#rowSpeed(LIMIT_ROWS)) / response;
    const now = Math.max(-most, Math.min(most, wanted));
    joint.impulses[MOTOR] = now;
    this.#applyRow(LIMIT_ROWS, now - old);
    return Math.abs(now - old) * response;
  }

  /** Keeps the free axis within its limits where the bodies arrive, and from moving out of them there. */
  #limit(joint: Joint, h: number, before: boolean): number {
    const response = this.#rowResponse(LIMIT_ROWS, LIMIT_ROWS);
    if (!(response > 0)) return 0;
    let change = 0;
    for (const row of [LOW, HIGH]) {
      const side = row === LOW ? 1 : -1;
      const room = row === LOW ? joint.position - joint.low : joint.high - joint.position;
      if (room === Infinity) continue;
      const speed = side * this.#rowSpeed(LIMIT_ROWS);
      const allowed = before || room > 0 ? room / h : 0;
      const old = joint.impulses[row];
      const now = Math.max(0, old - (speed + allowed) / response);
      joint.impulses[row] = now;
      this.#applyRow(LIMIT_ROWS, side * (now - old));
      change = Math.max(change, Math.abs(now - old) * response);
    }
    return change;
  }

  /** Pulls the point of a grab to its target: a critically damped spring, implicit in time. */
  #pull(joint: Joint, h: number): void {
    const { mass, center } = this.#bodies;
    const rate = 2 * Math.PI * GRAB_FREQUENCY;
    const stiffness = mass[joint.b] * rate * rate;
    const damping = 2 * mass[joint.b] * rate;
    const soft = 1 / (h * (damping + h * stiffness));
    const share = (h * stiffness) / (damping + h * stiffness);
    rotate(this.#bodies.orientation, 4 * joint.b, joint.anchorB, this.#b.lever);
    this.#pointRows();
    const error = this.#error;
    for (let k = 0; k < 3; k++) {
      const away = center[3 * joint.b + k] + this.#b.lever[k] - joint.anchorA[k];
      error[k] = -(this.#rowSpeed(k) + (share / h) * away + soft * joint.impulses[k]);
    }
    this.#buildMatrix(3, soft);
    solveFactored(this.#matrix, 3, error);
    const size = Math.hypot(joint.impulses[0] + error[0], joint.impulses[1] + error[1], joint.impulses[2] + error[2]);
    const scale = size > joint.strength * h ? (joint.strength * h) / size : 1;
    for (let k = 0; k < 3; k++) {
      const now = scale * (joint.impulses[k] + error[k]);
      this.#applyRow(k, now - joint.impulses[k]);
      joint.impulses[k] = now;
    }
  }

  /** Follows the angle of a hinge over all its turns, or the displacement of a slider. */
  #track(joint: Joint): void {
    if (joint.kind !== HINGE && joint.kind !== SLIDER) return;
    const a = this.#a;
    const b = this.#b;
    this.#readEnd(a, joint.a, joint.anchorA, joint.axisA, joint.sideA);
    this.#readEnd(b, joint.b, joint.anchorB, joint.axisB, joint.sideB);
    if (joint.kind === SLIDER) {
      const { center } = this.#bodies;
      let position = 0;
      for (let k = 0; k < 3; k++) {
        const onA = (joint.a === WORLD ? 0 : center[3 * joint.a + k]) + a.lever[k];
        position += (center[3 * joint.b + k] + b.lever[k] - onA) * a.axis[k];
      }
      joint.position = position;
      return;
    }
    const [px, py, pz] = a.side;
    const [qx, qy, qz] = b.side;
    const sin = (py * qz - pz * qy) * a.axis[0] + (pz * qx - px * qz) * a.axis[1] + (px * qy - py * qx) * a.axis[2];
    const angle = Math.atan2(sin, px * qx + py * qy + pz * qz);
    const turns = Math.round((joint.position - angle) / (2 * Math.PI));
    joint.position = angle + 2 * Math.PI * turns;
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

function rotate(q: Float64Array, at: number, v: Float64Array, out: Float64Array): void {
  out.set(v);
  rotateBy([q[at], q[at + 1], q[at + 2], q[at + 3]], out);
}

function rotateBy(q: readonly number[], v: { [index: number]: number }): void {
  const [a, b, c, w] = q;
  const x = v[0];
  const y = v[1];
  const z = v[2];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  v[0] = x + w * tx + b * tz - c * ty;
  v[1] = y + w * ty + c * tx - a * tz;
  v[2] = z + w * tz + a * ty - b * tx;
}

/** The quaternion of an even turn in h. */
function turnOf(x: number, y: number, z: number, h: number): number[] {
  const speed = Math.sqrt(x * x + y * y + z * z);
  const s = speed > 0 ? Math.sin(0.5 * h * speed) / speed : 0;
  return [s * x, s * y, s * z, Math.cos(0.5 * h * speed)];
}

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
