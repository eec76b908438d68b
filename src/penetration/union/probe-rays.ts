// A first estimate from a few rays through the union of all sums of pieces: the nearest of their exits, walked down to
// the nearest boundary point around it. It costs the sums along the rays, and is often the depth itself.
import type { Vec3 } from '../../core/vec3.js';
import type { Separation } from '../separation.js';
import { BoundaryWalk, type SegmentSums } from './boundary-walk.js';
import { CUBE_DIRECTIONS } from './cube-directions.js';
import type { LeafSums } from './leaf-sums.js';
import type { UnionRays } from './union-rays.js';

/**
 * Chosen: a ray is first followed for this share of the bound, then twice as far each time, to make no sums beyond its
 * exit.
 */
const FIRST_REACH = 1 / 16;

/**
 * Offers the exits of the probes. A seed, a vector that may still be near the best, is walked down first; if that is
 * confirmed, no rays are needed.
 */
export function probeRays(leaves: LeafSums, union: UnionRays, separation: Separation, seed: Vec3 | null = null): void {
  const walk = new BoundaryWalk();
  if (seed !== null && separation.isApart(...seed)) {
    separation.offer(Math.hypot(...seed), seed, [0, 0, 0]);
    offerWalkFrom(seed, leaves, union, separation, walk);
    return;
  }
  if (separation.vector !== null) offerWalkFrom(separation.vector, leaves, union, separation, walk);
  for (const [dx, dy, dz] of CUBE_DIRECTIONS) {
    let reach = FIRST_REACH * separation.distance;
    for (;;) {
      const count = leaves.gather(0, 0, 0, reach * dx, reach * dy, reach * dz);
      const front = union.trace(leaves.list, 0, count, dx, dy, dz, reach);
      if (front < reach) offerExit(union, leaves, walk, separation, front, [dx, dy, dz]);
      // Also ends if the distance is NaN.
      if (front < reach || !(reach < separation.distance)) break;
      reach = Math.min(separation.distance, 2 * reach);
    }
  }
}

/** Walks down from the end of a vector that separates, and offers the end of the walk. */
function offerWalkFrom(
  point: Vec3,
  leaves: LeafSums,
  union: UnionRays,
  separation: Separation,
  walk: BoundaryWalk,
): void {
  const start = { point, facet: -1, free: Float64Array.from(point, (value) => 2 * value) };
  const walked = walk.run(leaves.sums, leaves, start, union.size, separation.distance);
  separation.offer(walked, walk.point, walk.out);
}

/** Walks down from where a traced ray left the union, and offers the end of the walk, or else the exit itself. */
export function offerExit(
  { sums, lastFacet, free, size }: UnionRays,
  source: SegmentSums,
  walk: BoundaryWalk,
  separation: Separation,
  reach: number,
  [dx, dy, dz]: Vec3,
): void {
  const point = [reach * dx, reach * dy, reach * dz];
  const walked = walk.run(sums, source, { point, facet: lastFacet, free }, size, separation.distance);
  if (walked < separation.distance && separation.offer(walked, walk.point, walk.out)) return;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  separation.offer(reach * length, point, [dx / length, dy / length, dz / length]);
}
