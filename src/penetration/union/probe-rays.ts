// A first estimate from a few rays through the union of all sums of pieces: the nearest of their exits, walked down to
// the nearest boundary point around it. It costs the sums along the rays, and is often the depth itself.
import type { Vec3 } from '../../core/vec3.js';
import type { Separation } from '../separation.js';
import { BoundaryWalk, type SegmentSums } from './boundary-walk.js';
import type { LeafSums } from './leaf-sums.js';
import type { UnionRays } from './union-rays.js';

/** A ray is first followed for this share of the bound, then twice as far each time, to make no sums beyond its exit. */
const FIRST_REACH = 1 / 16;

/** The 26 directions from a cube's middle to its faces, edges and corners. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [0, 1, 2].flatMap((x) =>
  [0, 1, 2].flatMap((y) =>
    [0, 1, 2]
      .filter((z) => x !== 1 || y !== 1 || z !== 1)
      .map((z): [number, number, number] => {
        const length = Math.hypot(x - 1, y - 1, z - 1);
        return [(x - 1) / length, (y - 1) / length, (z - 1) / length];
      }),
  ),
);

/**
 * Offers the exits of the probes. A seed, a vector that may still be near the best, is walked down first; if that is
 * confirmed, no rays are needed.
 */
export function probeRays(leaves: LeafSums, union: UnionRays, separation: Separation, seed: Vec3 | null = null): void {
  const walk = new BoundaryWalk();
  const { sums } = leaves;
  if (seed !== null && separation.isApart(...seed)) {
    const [x, y, z] = seed;
    separation.offer(Math.hypot(x, y, z), seed, [0, 0, 0]);
    const walked = walk.run(
      sums,
      leaves,
      x,
      y,
      z,
      -1,
      Float64Array.of(2 * x, 2 * y, 2 * z),
      union.size,
      separation.distance,
    );
    separation.offer(walked, walk.point, walk.out);
    return;
  }
  if (separation.vector !== null) {
    const [x, y, z] = separation.vector;
    const walked = walk.run(
      sums,
      leaves,
      x,
      y,
      z,
      -1,
      Float64Array.of(2 * x, 2 * y, 2 * z),
      union.size,
      separation.distance,
    );
    separation.offer(walked, walk.point, walk.out);
  }
  for (const [dx, dy, dz] of DIRECTIONS) {
    let reach = FIRST_REACH * separation.distance;
    for (;;) {
      const count = leaves.gather(0, 0, 0, reach * dx, reach * dy, reach * dz);
      const front = union.trace(leaves.list, 0, count, dx, dy, dz, reach);
      if (front < reach) offerExit(union, leaves, walk, separation, front, dx, dy, dz);
      // Also ends if the distance is NaN.
      if (front < reach || !(reach < separation.distance)) break;
      reach = Math.min(separation.distance, 2 * reach);
    }
  }
}

/** Walks down from where a traced ray left the union, and offers the end of the walk, or else the exit itself. */
export function offerExit(
  { sums, lastFacet, free, size }: UnionRays,
  source: SegmentSums,
  walk: BoundaryWalk,
  separation: Separation,
  reach: number,
  dx: number,
  dy: number,
  dz: number,
): void {
  const point = [reach * dx, reach * dy, reach * dz];
  const walked = walk.run(sums, source, point[0], point[1], point[2], lastFacet, free, size, separation.distance);
  if (walked < separation.distance && separation.offer(walked, walk.point, walk.out)) return;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  separation.offer(reach * length, point, [dx / length, dy / length, dz / length]);
}
