// Where the ends of joints arrive if the bodies go on as they do, and what is missing there for the joints to hold.
import type { Bodies } from '../body/bodies.js';
import { writeSpin } from '../body/conserved.js';
import { BALL, DISTANCE, FIXED, type Joint, LOCKS, SLIDER, WORLD } from './joint.js';
import type { JointRows } from './joint-rows.js';
import { multiply, rotate, rotateBy, turnOf } from './turn.js';

/** Predicts joints whose rows are loaded. Owns its scratch. */
export class JointPrediction {
  readonly #bodies: Bodies;
  readonly #rows: JointRows;
  readonly #sides = new Float64Array(9);
  readonly #predictedA = new Float64Array(9);
  readonly #predictedB = new Float64Array(9);
  readonly #scratchLever = new Float64Array(3);
  readonly #scratchTurn = new Float64Array(3);
  readonly #momentum = new Float64Array(3);

  constructor(bodies: Bodies, rows: JointRows) {
    this.#bodies = bodies;
    this.#rows = rows;
  }

  /** Writes what is missing, over h, so that the joint holds where the bodies arrive. */
  write(joint: Joint, h: number, error: Float64Array): void {
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
      const p = this.#sides;
      error[0] = -(x * p[0] + y * p[1] + z * p[2]) / h;
      error[1] = -(x * p[3] + y * p[4] + z * p[5]) / h;
      this.#predictTurn(joint, h, 2, error);
      return;
    }
    if (joint.kind === DISTANCE) {
      error[0] = (joint.length - Math.hypot(x, y, z)) / h;
      return;
    }
    if (joint.kind === LOCKS) {
      this.#writeLocks(joint, [x, y, z], h, error);
      return;
    }
    error[0] = -x / h;
    error[1] = -y / h;
    error[2] = -z / h;
    if (joint.kind === BALL) return;
    if (joint.kind === FIXED) {
      this.#predictTurn(joint, h, 3, error);
      return;
    }
    const ex = a[4] * b[5] - a[5] * b[4];
    const ey = a[5] * b[3] - a[3] * b[5];
    const ez = a[3] * b[4] - a[4] * b[3];
    const rows = this.#rows.values;
    for (let row = 3; row < 5; row++) {
      const o = 9 * row + 6;
      error[row] = -(ex * rows[o] + ey * rows[o + 1] + ez * rows[o + 2]) / h;
    }
  }

  /**
   * What is missing along locked axes. Turns about one or two locked axes alone do not say an orientation: of two the free
   * axis is kept upright in the body, of one the speed about it is 0.
   */
  #writeLocks(joint: Joint, way: readonly number[], h: number, error: Float64Array): void {
    const { locked } = joint;
    let row = 0;
    for (let k = 0; k < 3; k++) if ((locked >> k) & 1) error[row++] = -way[k] / h;
    const turns = [0, 1, 2].filter((k) => (locked >> (3 + k)) & 1);
    if (turns.length === 3) this.#predictTurn(joint, h, row, error);
    if (turns.length === 1) error[row] = -this.#rows.speed(row);
    if (turns.length !== 2) return;
    const a = this.#predictedA;
    const b = this.#predictedB;
    for (const k of turns) {
      const [p, q] = [3 + ((k + 1) % 3), 3 + ((k + 2) % 3)];
      error[row++] = -(a[p] * b[q] - a[q] * b[p]) / h;
    }
  }

  /** The rotation that is missing where the bodies arrive, as three rows. */
  #predictTurn(joint: Joint, h: number, row: number, error: Float64Array): void {
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
    const out = this.#sides;
    const { side, axis } = this.#rows.a;
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

  /** The angular momentum of a body about its center of mass. */
  #spin(slot: number): Float64Array {
    writeSpin(this.#bodies, slot, this.#momentum);
    return this.#momentum;
  }
}
