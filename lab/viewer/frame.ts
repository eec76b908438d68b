// The view's own coordinates: the framed box's center at the origin, its diagonal of length 1. Positions are brought
// there in double precision before they become the GPU's single precision, so a model at 1e6 or of size 1e-9 shows.
import {
  type Box,
  box as boxes,
  pose as poses,
  quat,
  type ReadonlyPose,
  type ReadonlyVec3,
  type Vec3,
  vec3,
} from 'nearfield/core';
import { Matrix4 } from 'three';

export class Frame {
  readonly origin: Vec3;
  /** World length of one unit of the view. */
  readonly size: number;

  constructor(readonly box: Box) {
    this.origin = boxes.center(box);
    this.size = boxes.diagonal(box) || 1;
  }

  toView(point: ArrayLike<number>, offset = 0): Vec3 {
    return [
      (point[offset] - this.origin[0]) / this.size,
      (point[offset + 1] - this.origin[1]) / this.size,
      (point[offset + 2] - this.origin[2]) / this.size,
    ];
  }

  toWorld(point: ReadonlyVec3): Vec3 {
    return [
      point[0] * this.size + this.origin[0],
      point[1] * this.size + this.origin[1],
      point[2] * this.size + this.origin[2],
    ];
  }

  /** All of `positions`, as the GPU takes them. */
  toViewArray(positions: ArrayLike<number>): Float32Array {
    const out = new Float32Array(positions.length);
    for (let i = 0; i < positions.length; i++) out[i] = (positions[i] - this.origin[i % 3]) / this.size;
    return out;
  }

  /** Takes what is in the coordinates of the frame `own`, scaled and placed in the world by `pose`, to this frame. */
  matrixFrom(own: Frame, pose: ReadonlyPose = poses.identity(), scale = 1): Matrix4 {
    const rotation = quat.toMatrix3([pose[3], pose[4], pose[5], pose[6]]);
    const center = quat.rotate([pose[3], pose[4], pose[5], pose[6]], vec3.scale(own.origin, scale));
    const shift = this.toView([center[0] + pose[0], center[1] + pose[1], center[2] + pose[2]]);
    const r = rotation.map((entry) => (scale * entry * own.size) / this.size);
    return new Matrix4().set(
      ...([r[0], r[1], r[2], shift[0], r[3], r[4], r[5], shift[1], r[6], r[7], r[8], shift[2], 0, 0, 0, 1] as const),
    );
  }
}

export function sameBox(a: Box, b: Box): boolean {
  return a.min.every((value, axis) => value === b.min[axis] && a.max[axis] === b.max[axis]);
}
