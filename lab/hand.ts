// Bodies moved by hand: the pose after a move, and how a drag changes the move.
import { type Pose, pose, type Quat, quat, type ReadonlyVec3, type Vec3, vec3 } from 'nearfield/core';
import type { Move } from './controls.js';

/** The pose of a body after a move: translated in units of `size` and rotated about its center. */
export function moveBody(place: Pose, center: ReadonlyVec3, move: Move, size: number): Pose {
  const [x, y, z, ...turn] = move;
  const rotation = rotationOf(turn as Vec3);
  const from = pose.transformPoint(place, center);
  const to = vec3.add(from, vec3.scale([x, y, z], size));
  const turned = quat.multiply(rotation, [place[3], place[4], place[5], place[6]]);
  return pose.create(vec3.subtract(to, quat.rotate(turned, center)), quat.normalize(turned));
}

/** The new move after a drag that started from the move `from`. */
export function followHand(start: Move, size: number, change: (move: Move) => void) {
  const [x, y, z, ...turn] = start;
  return {
    moved: (by: Vec3) => change([x + by[0] / size, y + by[1] / size, z + by[2] / size, ...(turn as Vec3)]),
    turned: (by: Quat) => change([x, y, z, ...vectorOf(quat.multiply(by, rotationOf(turn as Vec3)))]),
  };
}

/** The pose of a body translated by a vector. */
export function shiftPose(place: Pose, by: Vec3): Pose {
  const [x, y, z, ...turn] = place;
  return [x + by[0], y + by[1], z + by[2], ...turn] as Pose;
}

function rotationOf(vector: Vec3): Quat {
  const angle = vec3.length(vector);
  return angle === 0 ? quat.identity() : quat.fromAxisAngle(vec3.scale(vector, 1 / angle), angle);
}

/** The rotation vector, of an angle up to π. */
function vectorOf(rotation: Quat): Vec3 {
  const [x, y, z, w] = rotation[3] < 0 ? (rotation.map((value) => -value) as Quat) : rotation;
  const sine = Math.hypot(x, y, z);
  return sine === 0 ? [0, 0, 0] : vec3.scale([x, y, z], (2 * Math.atan2(sine, w)) / sine);
}
