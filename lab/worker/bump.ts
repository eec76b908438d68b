// A bump or a dent in a surface: the point nearest to where the hand is follows the hand, its neighbors less and less.
import { type ReadonlyVec3, vec3 } from 'nearfield/core';
import type { Mesh, MeshQuery } from 'nearfield/mesh';

/** The base with the point nearest to `hand` pulled to it, at most by `radius`; vertices farther from there than `radius` stay. */
export function bumpSurface(base: Mesh, query: MeshQuery, hand: ReadonlyVec3, radius: number): Mesh {
  const closest = query.closestPoint(hand);
  if (closest === null) return base;
  const from = closest.point;
  const pull = vec3.subtract(hand, from);
  const length = vec3.length(pull);
  const share = length > radius ? radius / length : 1;
  const positions = Float64Array.from(base.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const away = Math.hypot(positions[i] - from[0], positions[i + 1] - from[1], positions[i + 2] - from[2]) / radius;
    if (away >= 1) continue;
    const weight = share * (1 - away * away) ** 2;
    for (let k = 0; k < 3; k++) positions[i + k] += weight * pull[k];
  }
  return { positions, indices: base.indices };
}
