// How far a hull sticks out of a solid: the largest distance from a point of the hull to the solid, from both sides. The
// distance changes by at most the way moved, so its value at the center of a cube bounds it in the cube; cubes that may
// hold the maximum are divided, the most promising first. Volumes give another bound.
import { IndexedHeap } from '../../core/heap.js';
import type { Vec3 } from '../../core/vec3.js';
import type { MeshQuery } from '../../mesh/query/mesh-query.js';
import type { DistanceBounds } from './hull-depth.js';

/**
 * Chosen: the largest number of points whose distance is measured for one hull; then the bounds found so far are the
 * answer.
 */
const MAX_QUERIES = 6000;

/** What the hull is measured against: a closed mesh is its solid, an open one its surface. */
export interface Target {
  readonly query: MeshQuery;
  readonly isClosed: boolean;
}

/**
 * Bounds on how far the hull of these planes and this box sticks out. Ends when the bounds are within `tolerance`, or
 * when it is known whether the overshoot is at most `decideAt`, or after {@link MAX_QUERIES} points, or at `deadline`.
 */
export function boundOvershoot(
  target: Target,
  planes: Float64Array,
  box: Float64Array,
  tolerance: number,
  decideAt = Number.NaN,
  deadline = Infinity,
): DistanceBounds {
  const centers: number[] = [];
  const halves: number[] = [];
  const heap = new IndexedHeap();
  const point: Vec3 = [0, 0, 0];
  let lower = 0;
  let queries = 0;
  const add = (x: number, y: number, z: number, half: number): void => {
    const radius = Math.sqrt(3) * half;
    let outside = 0;
    for (let i = 0; i < planes.length; i += 4) {
      const beyond = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
      if (beyond > radius) return;
      if (beyond > outside) outside = beyond;
    }
    queries++;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    const distance = distanceTo(target, point);
    // The point itself may be outside the hull, but by no more than it is beyond its planes, of a point in the cube.
    if (outside === 0 && distance > lower) lower = distance;
    const upper = distance + radius;
    if (upper <= lower) return;
    heap.set(halves.length, -upper);
    centers.push(x, y, z);
    halves.push(half);
  };
  const side = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  add((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2, side / 2);
  for (;;) {
    const upper = heap.size === 0 ? lower : Math.max(lower, -heap.minKey());
    const isDecided = upper <= decideAt || lower > decideAt;
    if (
      heap.size === 0 ||
      upper - lower <= tolerance ||
      isDecided ||
      queries >= MAX_QUERIES ||
      performance.now() >= deadline
    ) {
      return { lower, upper };
    }
    const cube = heap.pop();
    const half = halves[cube] / 2;
    for (let child = 0; child < 8; child++) {
      const x = centers[3 * cube] + (child & 1 ? half : -half);
      const y = centers[3 * cube + 1] + (child & 2 ? half : -half);
      const z = centers[3 * cube + 2] + (child & 4 ? half : -half);
      add(x, y, z, half);
    }
  }
}

/** The distance of a point from what the hull is measured against; not above zero within a solid. */
export function distanceTo({ query, isClosed }: Target, point: Vec3): number {
  return isClosed ? query.signedDistance(point) : query.closestPoint(point)!.distance;
}

/**
 * An upper bound from volumes, for a hull that holds a ball of radius `inner` and ends within `reach` of its center. A
 * point of the hull at distance r from the part is the apex of a cone over the ball of half that radius, and what the
 * cone has within r of the apex is not of the part. Up to a quarter of the radius this cone, or a whole ball, is in the
 * hull wherever the point is.
 */
export function overshootOfVolume(excess: number, inner: number, reach: number): number {
  const sine = inner / 2 / reach;
  const share = 1 - Math.sqrt(Math.max(0, 1 - sine * sine));
  const radius = Math.cbrt((3 * Math.max(0, excess)) / (2 * Math.PI * share));
  return share > 0 && radius < inner / 4 ? radius : Infinity;
}
