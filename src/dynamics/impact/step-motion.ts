// The motion of a body over a step: its center of mass moves on a straight line, and it turns evenly about it. What the
// integrator does in a substep is this motion, so a certificate is about the motion that is simulated.
import type { EvenMotion } from '../../proximity/impact/motion.js';

/** Rounding: turns below this angle, rad, are left out: the rounding of a quaternion is larger. */
const MIN_ANGLE = 1e-16;

type Triple = [number, number, number];

/** Where bodies are. */
interface PlacedBodies {
  readonly center: ArrayLike<number>;
  readonly orientation: ArrayLike<number>;
}

interface MovedBodies extends PlacedBodies {
  readonly angularVelocity: ArrayLike<number>;
  readonly localCenter: ArrayLike<number>;
}

/** An even motion that is set anew for every step; `s` runs from 0 to 1. */
export class StepMotion implements EvenMotion {
  readonly from: Triple = [0, 0, 0];
  readonly to: Triple = [0, 0, 0];
  readonly pivot: Triple = [0, 0, 0];
  readonly rotation: [number, number, number, number] = [0, 0, 0, 1];
  readonly axis: Triple = [0, 0, 1];
  angle = 0;

  /**
   * Takes the state of a body from flat arrays, entry `i` of each, and the length of the step.
   * @param center 3 a body, in the world; `orientation` 4 a body; `localCenter` 3 a body, in the shape's frame.
   */
  set(
    i: number,
    center: ArrayLike<number>,
    orientation: ArrayLike<number>,
    velocity: ArrayLike<number>,
    angularVelocity: ArrayLike<number>,
    localCenter: ArrayLike<number>,
    duration: number,
  ): this {
    const { from, to, pivot, rotation, axis } = this;
    const at = 3 * i;
    for (let k = 0; k < 3; k++) {
      from[k] = center[at + k];
      to[k] = center[at + k] + velocity[at + k] * duration;
      pivot[k] = localCenter[at + k];
    }
    for (let k = 0; k < 4; k++) rotation[k] = orientation[4 * i + k];
    const x = angularVelocity[at];
    const y = angularVelocity[at + 1];
    const z = angularVelocity[at + 2];
    const speed = length3(angularVelocity, at);
    this.angle = speed * duration;
    if (this.angle > MIN_ANGLE) {
      axis[0] = x / speed;
      axis[1] = y / speed;
      axis[2] = z / speed;
    } else {
      this.angle = 0;
    }
    return this;
  }

  /**
   * The even motion from one state of a body to a later one, `i` in all arrays. Of the turns that lead from one orientation
   * to the other, that nearest to what the angular velocity gives is taken.
   */
  setBetween(
    i: number,
    { center, orientation }: PlacedBodies,
    { center: endCenter, orientation: endOrientation, angularVelocity, localCenter }: MovedBodies,
    duration: number,
  ): this {
    const { from, to, pivot, rotation: q, axis } = this;
    const at = 3 * i;
    for (let k = 0; k < 3; k++) {
      from[k] = center[at + k];
      to[k] = endCenter[at + k];
      pivot[k] = localCenter[at + k];
    }
    for (let k = 0; k < 4; k++) q[k] = orientation[4 * i + k];
    const x = endOrientation[4 * i];
    const y = endOrientation[4 * i + 1];
    const z = endOrientation[4 * i + 2];
    const w = endOrientation[4 * i + 3];
    let tx = -w * q[0] + x * q[3] - y * q[2] + z * q[1];
    let ty = -w * q[1] + x * q[2] + y * q[3] - z * q[0];
    let tz = -w * q[2] - x * q[1] + y * q[0] + z * q[3];
    const tw = w * q[3] + x * q[0] + y * q[1] + z * q[2];
    const sin = Math.sqrt(tx * tx + ty * ty + tz * tz);
    if (!(sin > MIN_ANGLE)) {
      const turns = Math.round(length3(angularVelocity, at) * duration * (0.5 / Math.PI));
      if (turns === 0) {
        this.angle = 0;
        return this;
      }
      tx = angularVelocity[at];
      ty = angularVelocity[at + 1];
      tz = angularVelocity[at + 2];
    }
    const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
    const along =
      ((tx * angularVelocity[at] + ty * angularVelocity[at + 1] + tz * angularVelocity[at + 2]) / length) * duration;
    const least = 2 * Math.atan2(sin, tw);
    const angle = least + 2 * Math.PI * Math.round((along - least) * (0.5 / Math.PI));
    const sign = angle < 0 ? -1 : 1;
    axis[0] = (sign * tx) / length;
    axis[1] = (sign * ty) / length;
    axis[2] = (sign * tz) / length;
    this.angle = Math.abs(angle);
    return this;
  }

  /** Writes the pose of the shape's frame at s: seven numbers. */
  writePose(s: number, out: Float64Array | number[]): void {
    const { from, to, pivot, rotation: q, axis } = this;
    const half = 0.5 * this.angle * s;
    const sin = Math.sin(half);
    const w = Math.cos(half);
    const x = axis[0] * sin;
    const y = axis[1] * sin;
    const z = axis[2] * sin;
    const a = w * q[0] + x * q[3] + y * q[2] - z * q[1];
    const b = w * q[1] - x * q[2] + y * q[3] + z * q[0];
    const c = w * q[2] + x * q[1] - y * q[0] + z * q[3];
    const d = w * q[3] - x * q[0] - y * q[1] - z * q[2];
    out[3] = a;
    out[4] = b;
    out[5] = c;
    out[6] = d;
    const tx = 2 * (b * pivot[2] - c * pivot[1]);
    const ty = 2 * (c * pivot[0] - a * pivot[2]);
    const tz = 2 * (a * pivot[1] - b * pivot[0]);
    const r = 1 - s;
    out[0] = from[0] * r + to[0] * s - (pivot[0] + d * tx + b * tz - c * ty);
    out[1] = from[1] * r + to[1] * s - (pivot[1] + d * ty + c * tx - a * tz);
    out[2] = from[2] * r + to[2] * s - (pivot[2] + d * tz + a * ty - b * tx);
  }

  /** The velocity per unit of s, along a direction, of the point of the body that is at `point` at s. */
  speedAlong(s: number, point: ArrayLike<number>, direction: ArrayLike<number>): number {
    const { from, to, axis, angle } = this;
    const r = 1 - s;
    const x = point[0] - (from[0] * r + to[0] * s);
    const y = point[1] - (from[1] * r + to[1] * s);
    const z = point[2] - (from[2] * r + to[2] * s);
    return (
      direction[0] * (to[0] - from[0] + angle * (axis[1] * z - axis[2] * y)) +
      direction[1] * (to[1] - from[1] + angle * (axis[2] * x - axis[0] * z)) +
      direction[2] * (to[2] - from[2] + angle * (axis[0] * y - axis[1] * x))
    );
  }
}

function length3(v: ArrayLike<number>, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}
