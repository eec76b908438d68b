// The velocity that brings a body to a pose in a given time: its center straight, turning evenly the shorter way.
import type { Bodies } from '../body/bodies.js';
import { rotateBy } from '../joint/turn.js';

/** Sets the velocities of a kinematic body. */
export function aimAtPose(bodies: Bodies, slot: number, pose: ArrayLike<number>, dt: number): void {
  const { center, orientation: q, velocity, angularVelocity, localCenter } = bodies;
  const lever = [localCenter[3 * slot], localCenter[3 * slot + 1], localCenter[3 * slot + 2]];
  rotateBy([pose[3], pose[4], pose[5], pose[6]], lever);
  for (let k = 0; k < 3; k++) velocity[3 * slot + k] = (pose[k] + lever[k] - center[3 * slot + k]) / dt;
  const at = 4 * slot;
  // pose · conjugate(q)
  let x = -pose[6] * q[at] + pose[3] * q[at + 3] - pose[4] * q[at + 2] + pose[5] * q[at + 1];
  let y = -pose[6] * q[at + 1] + pose[3] * q[at + 2] + pose[4] * q[at + 3] - pose[5] * q[at];
  let z = -pose[6] * q[at + 2] - pose[3] * q[at + 1] + pose[4] * q[at] + pose[5] * q[at + 3];
  let w = pose[6] * q[at + 3] + pose[3] * q[at] + pose[4] * q[at + 1] + pose[5] * q[at + 2];
  if (w < 0) {
    x = -x;
    y = -y;
    z = -z;
    w = -w;
  }
  const sin = Math.sqrt(x * x + y * y + z * z);
  const rate = sin > 0 ? (2 * Math.atan2(sin, w)) / (sin * dt) : 0;
  angularVelocity[3 * slot] = rate * x;
  angularVelocity[3 * slot + 1] = rate * y;
  angularVelocity[3 * slot + 2] = rate * z;
}
