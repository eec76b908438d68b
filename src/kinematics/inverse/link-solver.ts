// Joint values that bring a link to a place: damped least squares (Wampler 1986, Nakamura and Hanafusa 1986) with the damping
// of Levenberg and Marquardt, and joints at their limits taken out of a step that would pass them.
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ChainRobot } from '../robot/chain-robot.js';

/** What a link is to reach. */
export interface LinkTarget {
  /** The point of the link that is to be at the position, in its frame. */
  readonly point: Readonly<Vec3>;
  readonly position: Readonly<Vec3>;
  /** The orientation of the link; null for any. */
  readonly orientation: quat.ReadonlyQuat | null;
  /** A direction of the link, in its frame, that is to be along or against one in the world; null for any. */
  readonly alignment: { readonly own: Readonly<Vec3>; readonly along: Readonly<Vec3> } | null;
  readonly tolerance: number;
  readonly angleTolerance: number;
}

/** What is left between a link and its target. */
export interface TargetError {
  readonly position: number;
  readonly angle: number;
}

/** Chosen: a solve ends after this count of steps in a row that were not accepted. */
const MAX_REFUSED = 12;

/** Chosen: a step that lowers the error by less than this share gains nothing. */
const MIN_GAIN = 1e-3;

/** Chosen: a solve ends after this count of steps in a row that gain nothing. */
const IN_VAIN = 8;

/** Chosen: the damping of the first step, relative to the squared lengths that it is added to. */
const FIRST_DAMPING = 1e-3;

/** Rounding: the least damping; below it the damped matrix is the undamped one. */
const MIN_DAMPING = 1e-14;

export class LinkSolver {
  readonly robot: ChainRobot;
  readonly link: number;
  /** Steps made by all solves. */
  steps = 0;
  /** The moving joints from the link to the root. */
  readonly #movers: readonly number[];
  /** The meters that a radian counts as. */
  readonly #radian: number;
  readonly #error = new Float64Array(6);
  /** Rows of the error by values, scaled so that a unit of each moves points about as far. */
  readonly #jacobian: Float64Array;
  readonly #square = new Float64Array(36);
  readonly #solution = new Float64Array(6);
  readonly #step: Float64Array;
  readonly #isHeld: Uint8Array;
  readonly #trial: Float64Array;
  #rows = 3;
  #left: TargetError = { position: Infinity, angle: Infinity };

  constructor(robot: ChainRobot, link: number) {
    this.robot = robot;
    this.link = link;
    this.#movers = robot.jointsOf(link).filter((j) => robot.valueOf(j).value >= 0);
    let length = 0;
    for (const j of robot.jointsOf(link)) {
      const { origin, limits, type } = robot.joints[j];
      length += Math.hypot(origin[0], origin[1], origin[2]);
      if (type === 'prismatic') length += Math.max(Math.abs(limits[0]), Math.abs(limits[1]));
    }
    this.#radian = length > 0 ? length / 4 : 1;
    this.#jacobian = new Float64Array(6 * robot.size);
    this.#step = new Float64Array(robot.size);
    this.#isHeld = new Uint8Array(robot.size);
    this.#trial = new Float64Array(robot.offset + robot.size);
  }

  /** Moves q, within its limits, towards a target. Returns what is left; both are 0 within tolerances. */
  solve(q: Float64Array, target: LinkTarget, maxSteps: number): TargetError {
    const trial = this.#trial;
    let damping = FIRST_DAMPING;
    let error = this.#measure(q, target);
    let [refused, vain] = [0, 0];
    for (let i = 0; i < maxSteps && error > 0 && refused < MAX_REFUSED && vain < IN_VAIN; i++) {
      this.steps++;
      this.#differentiate(q, target);
      this.#makeStep(q, damping * error);
      const before = error;
      trial.set(q.subarray(0, trial.length));
      this.#add(q, trial);
      const after = this.#measure(trial, target);
      if (after < before) {
        q.set(trial);
        error = after;
        refused = 0;
        vain = after < (1 - MIN_GAIN) * before ? 0 : vain + 1;
        damping = Math.max(MIN_DAMPING, damping / 10);
      } else {
        // The error of q again, for the next step.
        this.#measure(q, target);
        damping = Math.max(damping, 1e-10) * 8;
        refused++;
      }
    }
    this.#measure(q, target);
    return this.#left;
  }

  /** Writes what is left beyond the tolerances, and returns its square. */
  #measure(
    q: Float64Array,
    { point, position, orientation, alignment, tolerance, angleTolerance }: LinkTarget,
  ): number {
    const frame = this.robot.frameAt(q, this.link);
    const turn = [frame[3], frame[4], frame[5], frame[6]] as quat.Quat;
    const at = quat.rotate(turn, point);
    const e = this.#error;
    for (let k = 0; k < 3; k++) e[k] = position[k] - at[k] - frame[k];
    const off = Math.hypot(e[0], e[1], e[2]);
    for (let k = 0; k < 3; k++) e[k] *= off > tolerance ? (off - tolerance) / off : 0;
    let angle = 0;
    this.#rows = orientation === null && alignment === null ? 3 : 6;
    if (orientation !== null) {
      // The turn that is left, in the world.
      const left = quat.multiply(orientation, quat.conjugate(turn));
      const sine = Math.hypot(left[0], left[1], left[2]);
      angle = 2 * Math.atan2(sine, Math.abs(left[3]));
      const sign = left[3] < 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) e[3 + k] = sine > 0 ? (sign * left[k] * angle) / sine : 0;
    } else if (alignment !== null) {
      const own = quat.rotate(turn, alignment.own);
      const [x, y, z] = alignment.along;
      const dot = own[0] * x + own[1] * y + own[2] * z;
      const sign = dot < 0 ? -1 : 1;
      const cross = [own[1] * z - own[2] * y, own[2] * x - own[0] * z, own[0] * y - own[1] * x];
      const sine = Math.hypot(...cross);
      angle = Math.atan2(sine, Math.abs(dot));
      for (let k = 0; k < 3; k++) e[3 + k] = sine > 0 ? (sign * cross[k] * angle) / sine : 0;
    }
    const share = angle > angleTolerance ? (angle - angleTolerance) / angle : 0;
    let sum = 0;
    for (let k = 3; k < this.#rows; k++) e[k] *= share * this.#radian;
    for (let k = 0; k < this.#rows; k++) sum += e[k] * e[k];
    this.#left = { position: off > tolerance ? off : 0, angle: angle > angleTolerance ? angle : 0 };
    return sum;
  }

  #differentiate(q: Float64Array, { point, alignment }: LinkTarget): void {
    const { robot } = this;
    const size = robot.size;
    const jacobian = this.#jacobian.fill(0);
    const own = robot.frameAt(q, this.link);
    const turn = [own[3], own[4], own[5], own[6]] as quat.Quat;
    const at = quat.rotate(turn, point);
    const free = alignment === null ? null : quat.rotate(turn, alignment.own);
    for (let k = 0; k < 3; k++) at[k] += own[k];
    for (const mover of this.#movers) {
      const joint = robot.joints[mover];
      const { value, factor } = robot.valueOf(mover);
      const frame = robot.frameAt(q, joint.child);
      const [x, y, z] = quat.rotate([frame[3], frame[4], frame[5], frame[6]], joint.axis);
      const scale = factor / robot.reachOf(value);
      const rows = [x, y, z, 0, 0, 0];
      if (joint.type === 'revolute') {
        const [dx, dy, dz] = [at[0] - frame[0], at[1] - frame[1], at[2] - frame[2]];
        rows[0] = y * dz - z * dy;
        rows[1] = z * dx - x * dz;
        rows[2] = x * dy - y * dx;
        // Turns about the direction that is to be aligned do not count.
        const along = free === null ? 0 : x * free[0] + y * free[1] + z * free[2];
        for (let k = 0; k < 3; k++) rows[3 + k] = this.#radian * ([x, y, z][k] - along * (free?.[k] ?? 0));
      }
      for (let k = 0; k < this.#rows; k++) jacobian[k * size + value] += scale * rows[k];
    }
  }

  /** Writes a step; values that are at their limits and would pass them are held, and the others do without. */
  #makeStep(q: Float64Array, damping: number): void {
    const { robot } = this;
    this.#isHeld.fill(0);
    for (let round = 0; round < 4; round++) {
      this.#solveDamped(damping);
      let isAgain = false;
      for (let value = 0; value < robot.size; value++) {
        const [low, high] = robot.limits[value];
        const now = q[robot.offset + value];
        const passes = (now <= low && this.#step[value] < 0) || (now >= high && this.#step[value] > 0);
        if (!passes || this.#isHeld[value] === 1) continue;
        this.#isHeld[value] = 1;
        isAgain = true;
      }
      if (!isAgain) return;
    }
  }

  /** Jᵀ (J Jᵀ + λ)⁻¹ e over the values that are not held. */
  #solveDamped(damping: number): void {
    const [rows, size] = [this.#rows, this.robot.size];
    const [jacobian, square, x] = [this.#jacobian, this.#square, this.#solution];
    let trace = 0;
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k <= i; k++) {
        let sum = 0;
        for (let v = 0; v < size; v++) {
          if (this.#isHeld[v] === 0) sum += jacobian[i * size + v] * jacobian[k * size + v];
        }
        square[6 * i + k] = sum;
      }
      trace += square[6 * i + i];
    }
    // Rows that nothing moves stay solvable.
    const added = damping + 1e-15 * trace + 1e-300;
    for (let i = 0; i < rows; i++) square[6 * i + i] += added;
    x.set(this.#error);
    for (let i = 0; i < rows; i++) {
      for (let k = 0; k <= i; k++) {
        let sum = square[6 * i + k];
        for (let m = 0; m < k; m++) sum -= square[6 * i + m] * square[6 * k + m];
        square[6 * i + k] = i === k ? Math.sqrt(Math.max(sum, added)) : sum / square[6 * k + k];
      }
    }
    for (let i = 0; i < rows; i++) {
      for (let m = 0; m < i; m++) x[i] -= square[6 * i + m] * x[m];
      x[i] /= square[6 * i + i];
    }
    for (let i = rows - 1; i >= 0; i--) {
      for (let m = i + 1; m < rows; m++) x[i] -= square[6 * m + i] * x[m];
      x[i] /= square[6 * i + i];
    }
    for (let v = 0; v < size; v++) {
      let sum = 0;
      if (this.#isHeld[v] === 0) for (let i = 0; i < rows; i++) sum += jacobian[i * size + v] * x[i];
      this.#step[v] = sum;
    }
  }

  /** Writes q after the step, within its limits. */
  #add(q: Float64Array, out: Float64Array): void {
    const { robot } = this;
    for (let value = 0; value < robot.size; value++) {
      const [low, high] = robot.limits[value];
      const at = robot.offset + value;
      // A hinge turns by less than half a turn at once: farther the error says nothing.
      const change = Math.min(2, Math.max(-2, this.#step[value] / robot.reachOf(value)));
      const bounded = this.#isTurn(value) ? change : this.#step[value] / robot.reachOf(value);
      out[at] = Math.min(high, Math.max(low, q[at] + bounded));
    }
  }

  #isTurn(value: number): boolean {
    return this.robot.joints.some((joint, j) => {
      return joint.type === 'revolute' && joint.mimic === undefined && this.robot.valueOf(j).value === value;
    });
  }
}
