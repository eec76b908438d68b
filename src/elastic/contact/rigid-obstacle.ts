// A rigid body that elastic ones touch, during one step: where its shape's frame is, as a function of its six unknowns if
// it is free, and what contacts push it with.
import { writePlacement } from '../../core/placement.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { RigidSolid } from './rigid-solid.js';

/** Rounding: below this angle, in radians, two terms of the series of sine and cosine are exact to rounding. */
const SMALL_ANGLE = 1e-4;

export class RigidObstacle {
  readonly solid: RigidSolid;
  readonly friction: number;
  /**
   * Where its translation and rotation vector begin in the unknowns of a world; −1 for a body that is fixed or moved.
   */
  unknowns = -1;
  /** The same for the solve that {@link begin} has begun; −1 also for a body that stands still in it. */
  offset = -1;
  /** The center of mass, at the start and now. */
  readonly startCenter = new Float64Array(3);
  readonly center = new Float64Array(3);
  /** The frame of the shape in the world (core/placement.ts), at the start and now. */
  readonly startFrame = new Float64Array(12);
  readonly frame = new Float64Array(12);
  /** Turns a change of the rotation vector into a rotation of the body in the world: 9 numbers, by rows. */
  readonly turn = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  /**
   * The derivative of energies by a motion of the body and a rotation about its center, the opposite of force and torque:
   * of all gradients written since it was last set to zero.
   */
  readonly wrench = new Float64Array(6);
  readonly #rotation = new Float64Array(9);

  constructor(solid: RigidSolid, friction: number) {
    this.solid = solid;
    this.friction = friction;
  }

  /**
   * Begins a step or a measurement.
   * @param end the pose at the end for a body that is moved; a free one is where its unknowns say.
   */
  begin(pose: ReadonlyPose, center: ReadonlyVec3, end: ReadonlyPose = pose): void {
    this.offset = this.unknowns;
    this.#place(pose, center, end);
  }

  /** Begins an equilibrium of others, in which the body stands still and has no unknowns. */
  stand(pose: ReadonlyPose, center: ReadonlyVec3): void {
    this.offset = -1;
    this.#place(pose, center, pose);
  }

  #place(pose: ReadonlyPose, center: ReadonlyVec3, end: ReadonlyPose): void {
    writePlacement(pose, this.startFrame);
    writePlacement(end, this.frame);
    for (let k = 0; k < 3; k++) this.startCenter[k] = this.center[k] = center[k];
  }

  /** Places the body by its unknowns. */
  place(x: Float64Array): void {
    if (this.offset < 0) return;
    const { offset, frame, startFrame, center, startCenter } = this;
    const r = this.#rotation;
    const [tx, ty, tz] = [x[offset + 3], x[offset + 4], x[offset + 5]];
    const square = tx * tx + ty * ty + tz * tz;
    const angle = Math.sqrt(square);
    const isSmall = angle < SMALL_ANGLE;
    // R = I + a K + b K², and dR = [J dθ] R with J = I + b K + c K² (left Jacobian of the exponential).
    const a = isSmall ? 1 - square / 6 : Math.sin(angle) / angle;
    const b = isSmall ? 0.5 - square / 24 : (1 - Math.cos(angle)) / square;
    const c = isSmall ? 1 / 6 - square / 120 : (angle - Math.sin(angle)) / (square * angle);
    writeTurn(r, tx, ty, tz, a, b);
    writeTurn(this.turn, tx, ty, tz, b, c);
    for (let i = 0; i < 3; i++) {
      center[i] = startCenter[i] + x[offset + i];
      for (let j = 0; j < 3; j++) {
        frame[4 * i + j] =
          r[3 * i] * startFrame[j] + r[3 * i + 1] * startFrame[4 + j] + r[3 * i + 2] * startFrame[8 + j];
      }
      let moved = center[i];
      for (let j = 0; j < 3; j++) moved += r[3 * i + j] * (startFrame[4 * j + 3] - startCenter[j]);
      frame[4 * i + 3] = moved;
    }
  }

  /** Writes a point of the body in the world, now or at the start. */
  writePoint(frame: Float64Array, x: number, y: number, z: number, out: Float64Array, at: number): void {
    for (let i = 0; i < 3; i++) {
      out[at + i] = frame[4 * i] * x + frame[4 * i + 1] * y + frame[4 * i + 2] * z + frame[4 * i + 3];
    }
  }

  /** Writes a point of the world in the frame of the body, as it is now. */
  writeLocal(x: number, y: number, z: number, out: Float64Array): void {
    const f = this.frame;
    const [dx, dy, dz] = [x - f[3], y - f[7], z - f[11]];
    for (let j = 0; j < 3; j++) out[j] = f[j] * dx + f[4 + j] * dy + f[8 + j] * dz;
  }
}

/** I + p K + q K² with K the cross product with (x, y, z). */
function writeTurn(out: Float64Array, x: number, y: number, z: number, p: number, q: number): void {
  out[0] = 1 - q * (y * y + z * z);
  out[1] = q * x * y - p * z;
  out[2] = q * x * z + p * y;
  out[3] = q * x * y + p * z;
  out[4] = 1 - q * (x * x + z * z);
  out[5] = q * y * z - p * x;
  out[6] = q * x * z - p * y;
  out[7] = q * y * z + p * x;
  out[8] = 1 - q * (x * x + y * y);
}
