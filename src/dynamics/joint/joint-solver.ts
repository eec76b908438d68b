// Impulses of joints, one block a joint. Those before the drift make the joint hold where the bodies arrive, by
// Newton's method on their predicted positions; those after it make its velocity zero there (RATTLE, Andersen 1983).
// The scheme is symplectic and of order 2: a pendulum keeps its energy.
import { type Bodies, HELD } from '../body/bodies.js';
import { GRAB, HINGE, type Joint, SLIDER, SPRING, WORLD } from './joint.js';
import { JointPrediction } from './joint-prediction.js';
import { FREE_ROW, JointRows } from './joint-rows.js';
import { factorize, solveFactored } from './small-cholesky.js';
import { rotate } from './turn.js';

/**
 * Proven: with this share the rate of a spring times the substep stays below √2, where Störmer and Verlet are stable up to 2.
 * At 2 itself, which a share of a quarter comes close to, rounding and turns made a spring swing ever farther.
 */
const SPRING_SHARE = 0.5;
/** Layout: where the impulse of the motor is in the impulses of a joint. */
const MOTOR = 6;
/** Layout: where the impulse of the lower limit is. */
const LOW = 7;
/** Layout: where the impulse of the upper limit is. */
const HIGH = 8;
/** Chosen: the frequency of the critically damped spring that a grab is, Hz: quick to the eye, far below what a substep can follow. */
const GRAB_FREQUENCY = 6;

/** Solves for the impulses of joints. Owns its scratch. */
export class JointSolver {
  readonly joints: Joint[] = [];
  readonly #bodies: Bodies;
  readonly #rows: JointRows;
  readonly #prediction: JointPrediction;
  readonly #matrix = new Float64Array(36);
  readonly #error = new Float64Array(6);
  /** Half of the impulses that the substep began with, 9 a joint. */
  #warm = new Float64Array(0);

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
    this.#rows = new JointRows(bodies);
    this.#prediction = new JointPrediction(bodies, this.#rows);
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
      if (!this.#isAwake(joint) || joint.kind === GRAB || joint.kind === SPRING) return;
      const count = this.#rows.load(joint);
      for (let k = 0; k < count; k++) this.#rows.apply(k, this.#warm[9 * i + k]);
      for (let k = 0; k < 9; k++) joint.impulses[k] += this.#warm[9 * i + k];
      const free = this.#warm[9 * i + MOTOR] + this.#warm[9 * i + LOW] - this.#warm[9 * i + HIGH];
      this.#rows.apply(FREE_ROW, free);
    });
  }

  /**
   * What springs do in `h` seconds, half of a substep of `whole`: Störmer and Verlet, with a stiffness that the substep can
   * follow, so that springs of any stiffness are stable; the damping is exact along the spring.
   */
  stretch(h: number, whole: number): void {
    for (const joint of this.joints) {
      if (joint.kind !== SPRING || !this.#isAwake(joint)) continue;
      this.#rows.load(joint);
      const response = this.#rows.response(0, 0);
      if (!(response > 0)) continue;
      const rate = joint.stiffness * response;
      joint.pull = joint.stiffness / (1 + SPRING_SHARE * rate * whole * whole);
      const slow = (Math.exp(-joint.damping * response * h) - 1) / response;
      this.#rows.apply(0, -h * joint.pull * (this.#rows.apart - joint.length) + slow * this.#rows.speed(0));
    }
  }

  /** The energy in springs, J. */
  storedEnergy(): number {
    let stored = 0;
    for (const joint of this.joints) {
      if (joint.kind !== SPRING) continue;
      this.#rows.load(joint);
      stored += 0.5 * joint.pull * (this.#rows.apart - joint.length) ** 2;
    }
    return stored;
  }

  /** One pass over all joints. @returns the largest change of a velocity, m/s or rad/s. */
  solve(h: number, before: boolean): number {
    let largest = 0;
    for (const joint of this.joints) {
      if (!this.#isAwake(joint) || joint.kind === SPRING) continue;
      const count = this.#rows.load(joint);
      if (joint.kind === GRAB) {
        if (before) this.#pull(joint, h);
        continue;
      }
      if (joint.hasMotor) largest = Math.max(largest, this.#drive(joint, h, before));
      if (joint.low > -Infinity || joint.high < Infinity) largest = Math.max(largest, this.#limit(joint, h, before));
      const error = this.#error;
      if (before) this.#prediction.write(joint, h, error);
      else for (let k = 0; k < count; k++) error[k] = -this.#rows.speed(k);
      this.#buildMatrix(count, 0);
      solveFactored(this.#matrix, count, error);
      for (let k = 0; k < count; k++) {
        this.#rows.apply(k, error[k]);
        joint.impulses[k] += error[k];
        largest = Math.max(largest, Math.abs(error[k]) * this.#rows.response(k, k));
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

  /** Factorizes the matrix of the first rows, with `soft` added to its diagonal. */
  #buildMatrix(count: number, soft: number): void {
    const matrix = this.#matrix;
    for (let p = 0; p < count; p++) {
      for (let q = 0; q <= p; q++) matrix[6 * p + q] = this.#rows.response(p, q);
      matrix[7 * p] += soft;
    }
    factorize(matrix, count);
  }

  /** Brings the free axis to the speed of the motor. */
  #drive(joint: Joint, h: number, before: boolean): number {
    const response = this.#rows.response(FREE_ROW, FREE_ROW);
    if (!(response > 0)) return 0;
    const most = joint.strength * h * (before ? 0.5 : 1);
    const old = joint.impulses[MOTOR];
    const wanted = old + (joint.speed - this.#rows.speed(FREE_ROW)) / response;
    const now = Math.max(-most, Math.min(most, wanted));
    joint.impulses[MOTOR] = now;
    this.#rows.apply(FREE_ROW, now - old);
    return Math.abs(now - old) * response;
  }

  /** Keeps the free axis within its limits where the bodies arrive, and from moving out of them there. */
  #limit(joint: Joint, h: number, before: boolean): number {
    const response = this.#rows.response(FREE_ROW, FREE_ROW);
    if (!(response > 0)) return 0;
    let change = 0;
    for (const row of [LOW, HIGH]) {
      const side = row === LOW ? 1 : -1;
      const room = row === LOW ? joint.position - joint.low : joint.high - joint.position;
      if (room === Infinity) continue;
      const speed = side * this.#rows.speed(FREE_ROW);
      const allowed = before || room > 0 ? room / h : 0;
      const old = joint.impulses[row];
      const now = Math.max(0, old - (speed + allowed) / response);
      joint.impulses[row] = now;
      this.#rows.apply(FREE_ROW, side * (now - old));
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
    rotate(this.#bodies.orientation, 4 * joint.b, joint.anchorB, this.#rows.b.lever);
    this.#rows.pointRows();
    const error = this.#error;
    for (let k = 0; k < 3; k++) {
      const away = center[3 * joint.b + k] + this.#rows.b.lever[k] - joint.anchorA[k];
      error[k] = -(this.#rows.speed(k) + (share / h) * away + soft * joint.impulses[k]);
    }
    this.#buildMatrix(3, soft);
    solveFactored(this.#matrix, 3, error);
    const size = Math.hypot(joint.impulses[0] + error[0], joint.impulses[1] + error[1], joint.impulses[2] + error[2]);
    const scale = size > joint.strength * h ? (joint.strength * h) / size : 1;
    for (let k = 0; k < 3; k++) {
      const now = scale * (joint.impulses[k] + error[k]);
      this.#rows.apply(k, now - joint.impulses[k]);
      joint.impulses[k] = now;
    }
  }

  /** Follows the angle of a hinge over all its turns, or the displacement of a slider. */
  #track(joint: Joint): void {
    if (joint.kind !== HINGE && joint.kind !== SLIDER) return;
    const a = this.#rows.a;
    const b = this.#rows.b;
    this.#rows.readEnd(a, joint.a, joint.anchorA, joint.axisA, joint.sideA);
    this.#rows.readEnd(b, joint.b, joint.anchorB, joint.axisB, joint.sideB);
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
