// Balls that stand for the catalogue's tori and for its helical rod.
import type { Vec3 } from 'nearfield/core';
import type { ClearanceField } from './rattle.js';

/** Balls along the ring of a torus, whose tube rises out of its plane by `bend` · majorRadius. */
export function ringBalls(majorRadius: number, tubeRadius: number, bend: number, count = 90): Float64Array {
  const balls = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    const rise = bend * majorRadius * Math.cos(2 * angle);
    balls.set([majorRadius * Math.cos(angle), rise, -majorRadius * Math.sin(angle), tubeRadius], 4 * i);
  }
  return balls;
}

export interface Helix {
  readonly height: number;
  readonly coilRadius: number;
  readonly turns: number;
}

/** The point of a helix about the Y axis, from 0 at its lower end to 1 at its upper. */
export function helixPoint({ height, coilRadius, turns }: Helix, t: number): Vec3 {
  const angle = 2 * Math.PI * turns * t;
  return [coilRadius * Math.cos(angle), (t - 0.5) * height, -coilRadius * Math.sin(angle)];
}

/** The unit direction in which the helix rises on the side of the axis that the position is on. */
export function helixTangent({ height, coilRadius, turns }: Helix, position: Vec3): Vec3 {
  const angle = Math.atan2(-position[2], position[0]);
  const round = 2 * Math.PI * turns * coilRadius;
  const size = Math.hypot(round, height);
  return [(-round * Math.sin(angle)) / size, height / size, (-round * Math.cos(angle)) / size];
}

/** The clearance from a rod wound into the helix, right up to `range`. */
export function helixField(helix: Helix, rodRadius: number, range: number): ClearanceField {
  const count = 60 * helix.turns;
  const points = Array.from({ length: count + 1 }, (_, i) => helixPoint(helix, i / count));
  return (point, direction) => {
    const reach = rodRadius + range;
    let best = reach * reach;
    let nearest: Vec3 | null = null;
    // Points of the rod ascend, so those within reach are neighbors.
    const first = Math.max(0, Math.ceil(((point[1] - reach) / helix.height + 0.5) * count));
    const last = Math.min(count, Math.floor(((point[1] + reach) / helix.height + 0.5) * count));
    for (let i = first; i <= last; i++) {
      const [x, y, z] = points[i];
      const square = (point[0] - x) ** 2 + (point[1] - y) ** 2 + (point[2] - z) ** 2;
      if (square >= best) continue;
      best = square;
      nearest = points[i];
    }
    if (nearest === null) return range;
    const size = Math.sqrt(best);
    for (let axis = 0; axis < 3; axis++) direction[axis] = (point[axis] - nearest[axis]) / size;
    return size - rodRadius;
  };
}
