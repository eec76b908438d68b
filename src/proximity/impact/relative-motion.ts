// Where B is in A's frame during one segment of a motion, and how fast both move there. Only the difference of the two
// pivots enters, so that bodies far from the world's origin keep the digits of what is between them.
import type { Pose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { EvenMotion, Segment } from './motion.js';

/** Even motions of A and B for s from 0 to 1. Velocities are per unit of s, in A's frame at the current s. */
export class RelativeMotion {
  /** B in A's frame, row-major 3 × 4. */
  readonly placement = new Float64Array(12);
  /** Of B's pivot relative to A's. */
  readonly velocity = new Float64Array(3);
  /** Of A and of B. A's is constant in A's frame, B's in B's. */
  readonly turnA = new Float64Array(3);
  readonly turnB = new Float64Array(3);
  readonly turnBInB = new Float64Array(3);
  /** The points that move straight: in A's frame, in B's, and that of B in A's frame now. */
  readonly pivotA = new Float64Array(3);
  readonly pivotB = new Float64Array(3);
  readonly pivotBInA = new Float64Array(3);
  angleA = 0;
  angleB = 0;
  speed = 0;
  #s = Number.NaN;
  /** The way of B's pivot relative to A's: from, to. */
  readonly #offsets = new Float64Array(6);
  readonly #qa = new Float64Array(4);
  readonly #qb = new Float64Array(4);
  /** Turned to s. */
  readonly #ra = new Float64Array(4);
  readonly #rb = new Float64Array(4);
  readonly #axisA = new Float64Array(3);
  readonly #axisB = new Float64Array(3);

  /** Starts a segment. */
  begin({ a, b }: Segment): void {
    const offsets = this.#offsets;
    for (let k = 0; k < 3; k++) {
      offsets[k] = b.from[k] - a.from[k];
      offsets[3 + k] = b.to[k] - a.to[k];
    }
    this.speed = Math.hypot(offsets[3] - offsets[0], offsets[4] - offsets[1], offsets[5] - offsets[2]);
    this.angleA = a.angle;
    this.angleB = b.angle;
    this.#qa.set(a.rotation);
    this.#qb.set(b.rotation);
    this.#axisA.set(a.axis);
    this.#axisB.set(b.axis);
    this.pivotA.set(a.pivot ?? ORIGIN);
    this.pivotB.set(b.pivot ?? ORIGIN);
    setBodyTurn(a, this.turnA);
    setBodyTurn(b, this.turnBInB);
    this.#s = Number.NaN;
    this.move(0);
  }

  /** Moves both bodies to s. */
  move(s: number): void {
    if (s === this.#s) return;
    this.#s = s;
    const { placement: m, velocity, turnB, turnBInB, pivotA, pivotB: p, pivotBInA } = this;
    const a = this.#ra;
    const b = this.#rb;
    turn(this.#qa, this.#axisA, this.angleA * s, a);
    turn(this.#qb, this.#axisB, this.angleB * s, b);
    // The conjugate of A's rotation times B's.
    const x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    const y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
    const z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3];
    const w = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - z * w);
    m[2] = 2 * (x * z + y * w);
    m[4] = 2 * (x * y + z * w);
    m[5] = 1 - 2 * (x * x + z * z);
    m[6] = 2 * (y * z - x * w);
    m[8] = 2 * (x * z - y * w);
    m[9] = 2 * (y * z + x * w);
    m[10] = 1 - 2 * (x * x + y * y);
    const o = this.#offsets;
    const r = 1 - s;
    // The differences of the two ends and the offset at s, turned back by A's rotation.
    turnBack(a, o[3] - o[0], o[4] - o[1], o[5] - o[2], velocity, 0, 1);
    turnBack(a, o[0] * r + o[3] * s, o[1] * r + o[4] * s, o[2] * r + o[5] * s, m, 3, 4);
    for (let k = 0; k < 3; k++) {
      pivotBInA[k] = m[4 * k + 3] + pivotA[k];
      m[4 * k + 3] = pivotBInA[k] - (m[4 * k] * p[0] + m[4 * k + 1] * p[1] + m[4 * k + 2] * p[2]);
      turnB[k] = m[4 * k] * turnBInB[0] + m[4 * k + 1] * turnBInB[1] + m[4 * k + 2] * turnBInB[2];
    }
  }

  /** Writes poses for the current s in a world that moves with A's pivot and does not turn. */
  writePoses(poseA: Pose, poseB: Pose): void {
    const o = this.#offsets;
    const s = this.#s;
    for (let k = 0; k < 4; k++) {
      poseA[3 + k] = this.#ra[k];
      poseB[3 + k] = this.#rb[k];
    }
    subtractTurned(this.#ra, this.pivotA, 0, 0, 0, poseA);
    const r = 1 - s;
    subtractTurned(this.#rb, this.pivotB, o[0] * r + o[3] * s, o[1] * r + o[4] * s, o[2] * r + o[5] * s, poseB);
  }
}

const ORIGIN: readonly number[] = [0, 0, 0];

/** Writes a point less a vector turned by a unit quaternion. */
function subtractTurned(q: Float64Array, v: Float64Array, x: number, y: number, z: number, out: Pose): void {
  const tx = 2 * (q[1] * v[2] - q[2] * v[1]);
  const ty = 2 * (q[2] * v[0] - q[0] * v[2]);
  const tz = 2 * (q[0] * v[1] - q[1] * v[0]);
  out[0] = x - (v[0] + q[3] * tx + q[1] * tz - q[2] * ty);
  out[1] = y - (v[1] + q[3] * ty + q[2] * tx - q[0] * tz);
  out[2] = z - (v[2] + q[3] * tz + q[0] * ty - q[1] * tx);
}

/** The turn of a whole segment as a vector in the body's frame, where it is constant. */
function setBodyTurn({ rotation, axis, angle }: EvenMotion, out: Float64Array): void {
  const [x, y, z] = quat.rotate(quat.conjugate(rotation), [...axis]);
  out[0] = x * angle;
  out[1] = y * angle;
  out[2] = z * angle;
}

function turn(q: Float64Array, axis: Float64Array, angle: number, out: Float64Array): void {
  if (angle === 0) {
    out.set(q);
    return;
  }
  const sin = Math.sin(angle / 2);
  const w = Math.cos(angle / 2);
  const x = axis[0] * sin;
  const y = axis[1] * sin;
  const z = axis[2] * sin;
  out[0] = w * q[0] + x * q[3] + y * q[2] - z * q[1];
  out[1] = w * q[1] - x * q[2] + y * q[3] + z * q[0];
  out[2] = w * q[2] + x * q[1] - y * q[0] + z * q[3];
  out[3] = w * q[3] - x * q[0] - y * q[1] - z * q[2];
}

/** Writes a vector turned by the inverse of a unit quaternion. */
function turnBack(
  q: Float64Array,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  at: number,
  stride: number,
): void {
  const tx = 2 * (q[2] * y - q[1] * z);
  const ty = 2 * (q[0] * z - q[2] * x);
  const tz = 2 * (q[1] * x - q[0] * y);
  out[at] = x + q[3] * tx + q[2] * ty - q[1] * tz;
  out[at + stride] = y + q[3] * ty + q[0] * tz - q[2] * tx;
  out[at + 2 * stride] = z + q[3] * tz + q[1] * tx - q[0] * ty;
}
