// Joints between two bodies, or a body and the world, by the RATTLE scheme (Andersen 1983): impulses before the drift make the
// constraint hold after it, impulses after the second half of the forces make velocities agree with it. Second order, and
// without a drift of energy. Gauss–Seidel over the joints.
import type { PlaneBodies } from '../body/plane-bodies.js';

/** The kinds of joints in the plane. */
export type PlaneJointType = 'pin' | 'slider' | 'fixed' | 'distance';

export class PlaneJoint {
  /** Anchors in the frames of the centers of mass (of the world for body -1). */
  ax = 0;
  ay = 0;
  bx = 0;
  by = 0;
  /** The axis of a slider in the frame of A. */
  ux = 1;
  uy = 0;
  /** Angle of B against A at rest. */
  turn = 0;
  length = 0;
  speed = Number.NaN;
  mostTorque = Infinity;
  low = -Infinity;
  high = Infinity;
  /** Impulses of the last phase, to start the next: x, y (or across and turning), motor, lower and upper limit. */
  readonly impulses = new Float64Array(5);
  isRemoved = false;
  readonly #at = new Float64Array(8);

  constructor(
    readonly type: PlaneJointType,
    readonly a: number,
    readonly b: number,
  ) {}

  /** Anchors, from the centers, as they are h later at the present velocities: pA, pB, rA, rB. */
  #place(bodies: PlaneBodies, h: number): Float64Array {
    const at = this.#at;
    const { a, b } = this;
    const { center, velocity, angle, spin } = bodies;
    if (a >= 0) {
      const turned = angle[a] + h * spin[a];
      const c = h === 0 ? bodies.cosine[a] : Math.cos(turned);
      const s = h === 0 ? bodies.sine[a] : Math.sin(turned);
      at[4] = c * this.ax - s * this.ay;
      at[5] = s * this.ax + c * this.ay;
      at[0] = center[2 * a] + h * velocity[2 * a] + at[4];
      at[1] = center[2 * a + 1] + h * velocity[2 * a + 1] + at[5];
    } else {
      at[0] = at[4] = this.ax;
      at[1] = at[5] = this.ay;
    }
    const turned = angle[b] + h * spin[b];
    const c = h === 0 ? bodies.cosine[b] : Math.cos(turned);
    const s = h === 0 ? bodies.sine[b] : Math.sin(turned);
    at[6] = c * this.bx - s * this.by;
    at[7] = s * this.bx + c * this.by;
    at[2] = center[2 * b] + h * velocity[2 * b] + at[6];
    at[3] = center[2 * b + 1] + h * velocity[2 * b + 1] + at[7];
    return at;
  }

  /**
   * One round. With h > 0 for the places at the end of a drift of h, with h = 0 for velocities.
   * @param weight the time that the impulses of motors act for.
   * @returns the largest change of a speed at the anchors.
   */
  solve(bodies: PlaneBodies, h: number, weight: number): number {
    let change = 0;
    const isMotor = !Number.isNaN(this.speed);
    if (this.type === 'pin') {
      if (isMotor) change = this.#turnMotor(bodies, weight);
      if (this.low > -Infinity || this.high < Infinity) change = Math.max(change, this.#turnLimits(bodies, h));
      return Math.max(change, this.#solvePoint(bodies, h));
    }
    if (this.type === 'fixed') return Math.max(this.#solveTurn(bodies, h), this.#solvePoint(bodies, h));
    if (this.type === 'distance') return this.#solveLine(bodies, h, ROD, 0);
    if (isMotor) change = this.#solveLine(bodies, h, SLIDE_MOTOR, weight);
    if (this.low > -Infinity) change = Math.max(change, this.#solveLine(bodies, h, LOW_LIMIT, weight));
    if (this.high < Infinity) change = Math.max(change, this.#solveLine(bodies, h, HIGH_LIMIT, weight));
    return Math.max(change, this.#solveTurn(bodies, h), this.#solveLine(bodies, h, ACROSS, 0));
  }

  /** Whether the joint is there, and holds bodies that move now. */
  isFree(bodies: PlaneBodies): boolean {
    if (this.isRemoved) return false;
    const { a, b } = this;
    if (bodies.isHeld[b] !== 0 || (a >= 0 && bodies.isHeld[a] !== 0)) return false;
    return bodies.asleep[b] === 0 && (a < 0 || bodies.asleep[a] === 0);
  }

  /** Begins a phase with the impulses of the last one. */
  begin(bodies: PlaneBodies, warmth: number): void {
    const { a, b, impulses } = this;
    for (let k = 0; k < impulses.length; k++) impulses[k] *= warmth;
    const at = this.#place(bodies, 0);
    const x = a >= 0 ? (at[0] + at[2]) / 2 : at[2];
    const y = a >= 0 ? (at[1] + at[3]) / 2 : at[3];
    // Rows whose direction turns with a body begin anew.
    if (this.type === 'slider' || this.type === 'distance') impulses.fill(0);
    else {
      bodies.push(b, x, y, impulses[0], impulses[1]);
      if (a >= 0) bodies.push(a, x, y, -impulses[0], -impulses[1]);
      this.#spin(bodies, impulses[2] + impulses[3] - impulses[4]);
    }
  }

  /** Forgets the impulses: at an impact they start from nothing. */
  reset(): void {
    this.impulses.fill(0);
  }

  /** Both anchors in one place. */
  #solvePoint(bodies: PlaneBodies, h: number): number {
    const { a, b } = this;
    const { inverseMass, inverseInertia, velocity, spin } = bodies;
    let ex: number;
    let ey: number;
    if (h > 0) {
      const at = this.#place(bodies, h);
      ex = (at[2] - at[0]) / h;
      ey = (at[3] - at[1]) / h;
      this.#place(bodies, 0);
    } else {
      const at = this.#place(bodies, 0);
      ex = velocity[2 * b] - spin[b] * at[7] - (a >= 0 ? velocity[2 * a] - spin[a] * at[5] : 0);
      ey = velocity[2 * b + 1] + spin[b] * at[6] - (a >= 0 ? velocity[2 * a + 1] + spin[a] * at[4] : 0);
    }
    const at = this.#at;
    const sum = inverseMass[b] + (a >= 0 ? inverseMass[a] : 0);
    const ia = a >= 0 ? inverseInertia[a] : 0;
    const ib = inverseInertia[b];
    const kxx = sum + ia * at[5] * at[5] + ib * at[7] * at[7];
    const kyy = sum + ia * at[4] * at[4] + ib * at[6] * at[6];
    const kxy = -ia * at[4] * at[5] - ib * at[6] * at[7];
    const determinant = kxx * kyy - kxy * kxy;
    if (!(determinant > 0)) return 0;
    const px = -(kyy * ex - kxy * ey) / determinant;
    const py = -(kxx * ey - kxy * ex) / determinant;
    // At one point for both, so that angular momentum is kept to rounding.
    const x = a >= 0 ? (at[0] + at[2]) / 2 : at[2];
    const y = a >= 0 ? (at[1] + at[3]) / 2 : at[3];
    bodies.push(b, x, y, px, py);
    if (a >= 0) bodies.push(a, x, y, -px, -py);
    this.impulses[0] += px;
    this.impulses[1] += py;
    return Math.hypot(ex, ey);
  }

  #angleError(bodies: PlaneBodies): number {
    return bodies.angle[this.b] - (this.a >= 0 ? bodies.angle[this.a] : 0) - this.turn;
  }

  #spinError(bodies: PlaneBodies): number {
    return bodies.spin[this.b] - (this.a >= 0 ? bodies.spin[this.a] : 0);
  }

  #spin(bodies: PlaneBodies, impulse: number): void {
    bodies.spin[this.b] += bodies.inverseInertia[this.b] * impulse;
    if (this.a >= 0) bodies.spin[this.a] -= bodies.inverseInertia[this.a] * impulse;
  }

  #spinMass(bodies: PlaneBodies): number {
    const sum = bodies.inverseInertia[this.b] + (this.a >= 0 ? bodies.inverseInertia[this.a] : 0);
    return sum > 0 ? 1 / sum : 0;
  }

  #reachOf(bodies: PlaneBodies): number {
    return bodies.outlines[this.b].reach;
  }

  #solveTurn(bodies: PlaneBodies, h: number): number {
    const error = this.#spinError(bodies) + (h > 0 ? this.#angleError(bodies) / h : 0);
    const impulse = -this.#spinMass(bodies) * error;
    this.#spin(bodies, impulse);
    this.impulses[this.type === 'slider' ? 1 : 2] += impulse;
    return Math.abs(error) * this.#reachOf(bodies);
  }

  /** What a motor can do in a time; in none at all, as at an impact, only one without a limit does anything. */
  #mostImpulse(time: number): number {
    return this.mostTorque === Infinity ? Infinity : this.mostTorque * time;
  }

  #turnMotor(bodies: PlaneBodies, weight: number): number {
    const held = this.impulses[2];
    const most = this.#mostImpulse(weight);
    const wanted = held + this.#spinMass(bodies) * (this.speed - this.#spinError(bodies));
    this.impulses[2] = Math.max(-most, Math.min(most, wanted));
    this.#spin(bodies, this.impulses[2] - held);
    return Math.abs(this.impulses[2] - held) * bodies.inverseInertia[this.b] * this.#reachOf(bodies);
  }

  #turnLimits(bodies: PlaneBodies, h: number): number {
    let change = 0;
    const angle = this.#angleError(bodies);
    for (const [slot, sign, room] of [
      [3, 1, angle - this.low],
      [4, -1, this.high - angle],
    ] as const) {
      if (h === 0 && room > 1e-9) continue;
      const held = this.impulses[slot];
      const speed = sign * this.#spinError(bodies) + (h > 0 ? room / h : 0);
      const impulse = Math.max(0, held - this.#spinMass(bodies) * speed);
      this.impulses[slot] = impulse;
      this.#spin(bodies, sign * (impulse - held));
      change = Math.max(change, Math.abs(impulse - held) * bodies.inverseInertia[this.b] * this.#reachOf(bodies));
    }
    return change;
  }

  /** One direction at the anchor of B: the rod of a distance, across a slider, or along it for its motor and limits. */
  #solveLine(bodies: PlaneBodies, h: number, row: number, weight: number): number {
    const { a, b } = this;
    const { inverseMass, inverseInertia, velocity, spin, center } = bodies;
    const atEnd = h > 0 ? this.#lineError(bodies, h, row) : 0;
    const at = this.#place(bodies, 0);
    let nx: number;
    let ny: number;
    let length = 1;
    if (this.type === 'distance') {
      nx = at[2] - at[0];
      ny = at[3] - at[1];
      length = Math.hypot(nx, ny);
      if (length === 0) return 0;
      nx /= length;
      ny /= length;
    } else {
      const c = a >= 0 ? bodies.cosine[a] : 1;
      const s = a >= 0 ? bodies.sine[a] : 0;
      nx = c * this.ux - s * this.uy;
      ny = s * this.ux + c * this.uy;
      if (row === ACROSS) [nx, ny] = [-ny, nx];
      if (row === HIGH_LIMIT) [nx, ny] = [-nx, -ny];
    }
    const x = at[2];
    const y = at[3];
    const crossA = a >= 0 ? (x - center[2 * a]) * ny - (y - center[2 * a + 1]) * nx : 0;
    const crossB = at[6] * ny - at[7] * nx;
    const speed =
      nx * (velocity[2 * b] - (a >= 0 ? velocity[2 * a] : 0)) +
      ny * (velocity[2 * b + 1] - (a >= 0 ? velocity[2 * a + 1] : 0)) +
      crossB * spin[b] -
      crossA * (a >= 0 ? spin[a] : 0);
    const inverse =
      inverseMass[b] +
      inverseInertia[b] * crossB * crossB +
      (a >= 0 ? inverseMass[a] + inverseInertia[a] * crossA * crossA : 0);
    if (!(inverse > 0)) return 0;
    let impulse: number;
    if (row === SLIDE_MOTOR) {
      const most = this.#mostImpulse(weight);
      const held = this.impulses[2];
      this.impulses[2] = Math.max(-most, Math.min(most, held + (this.speed - speed) / inverse));
      impulse = this.impulses[2] - held;
    } else if (row === LOW_LIMIT || row === HIGH_LIMIT) {
      const slot = row === LOW_LIMIT ? 3 : 4;
      if (h === 0 && this.#lineError(bodies, 0, row) > 1e-9) return 0;
      const held = this.impulses[slot];
      this.impulses[slot] = Math.max(0, held - (h > 0 ? atEnd / h : speed) / inverse);
      impulse = this.impulses[slot] - held;
    } else {
      impulse = -(h > 0 ? atEnd / h : speed) / inverse;
      this.impulses[0] += impulse;
    }
    bodies.push(b, x, y, impulse * nx, impulse * ny);
    if (a >= 0) bodies.push(a, x, y, -impulse * nx, -impulse * ny);
    return Math.abs(impulse) * inverse;
  }

  /** How far the anchors are from where a row wants them, h later. */
  #lineError(bodies: PlaneBodies, h: number, row: number): number {
    const at = this.#place(bodies, h);
    const dx = at[2] - at[0];
    const dy = at[3] - at[1];
    if (this.type === 'distance') return Math.hypot(dx, dy) - this.length;
    const turned = this.a >= 0 ? bodies.angle[this.a] + h * bodies.spin[this.a] : 0;
    const c = Math.cos(turned);
    const s = Math.sin(turned);
    const ux = c * this.ux - s * this.uy;
    const uy = s * this.ux + c * this.uy;
    if (row === ACROSS) return dy * ux - dx * uy;
    const along = dx * ux + dy * uy;
    return row === LOW_LIMIT ? along - this.low : this.high - along;
  }
}

/** Label, a row: the rod of a distance. */
const ROD = 0;
/** Label, a row: along a slider, for its motor. */
const SLIDE_MOTOR = 1;
/** Label, a row: along a slider, for its lower limit. */
const LOW_LIMIT = 2;
/** Label, a row: against a slider, for its upper limit. */
const HIGH_LIMIT = 3;
/** Label, a row: across a slider. */
const ACROSS = 4;
