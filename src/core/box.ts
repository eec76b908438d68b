// Axis-aligned boxes as objects, for results and options. Hierarchies store theirs flat: six numbers, minimum first.
import type { Vec3 } from './vec3.js';

/** An axis-aligned box. */
export interface Box {
  min: Vec3;
  max: Vec3;
}

/** The bounding box of `positions` (x, y, z per point). No points give the empty box, min = ∞ and max = −∞. */
export function ofPositions(positions: ArrayLike<number>): Box {
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[i + axis];
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return { min, max };
}

/** True when the box holds no point. */
export function isEmpty(box: Box): boolean {
  return !(box.min[0] <= box.max[0] && box.min[1] <= box.max[1] && box.min[2] <= box.max[2]);
}

/** The lengths of the sides. */
export function size(box: Box): Vec3 {
  return [box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]];
}

/** The middle of the box. */
export function center(box: Box): Vec3 {
  // Halved before adding: the sum of two huge coordinates may overflow.
  return [box.min[0] / 2 + box.max[0] / 2, box.min[1] / 2 + box.max[1] / 2, box.min[2] / 2 + box.max[2] / 2];
}

/** The length of the diagonal. Relative tolerances are relative to it. */
export function diagonal(box: Box): number {
  return isEmpty(box) ? 0 : Math.hypot(...size(box));
}

/** True when the point lies in the closed box. */
export function contains(box: Box, point: ArrayLike<number>): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (!(point[axis] >= box.min[axis] && point[axis] <= box.max[axis])) return false;
  }
  return true;
}

/** The box grown by `margin` on every side. */
export function grow(box: Box, margin: number): Box {
  return {
    min: [box.min[0] - margin, box.min[1] - margin, box.min[2] - margin],
    max: [box.max[0] + margin, box.max[1] + margin, box.max[2] + margin],
  };
}
