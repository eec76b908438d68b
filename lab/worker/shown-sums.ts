// Minkowski sums of a level as polygons around the origin, by class of facet or by hops: how many sums a ray from the
// origin passes before it enters this one (Kim, Otaduy, Lin and Manocha 2002, section 4.3), the least of sampled rays.
import { buildMinkowskiSum, createConvexSetOf } from 'nearfield/convex';
import {
  type Box,
  box as boxes,
  type ProgressOptions,
  pose,
  type ReadonlyPose,
  reportProgress,
  type Vec3,
} from 'nearfield/core';
import type { HullHierarchy } from 'nearfield/decomposition';
import type { Mesh } from 'nearfield/mesh';
import { classifyFeatures, pixelCenter, writeDirection } from 'nearfield/penetration';

export type SumColors = 'class' | 'hops';

/** The sums of a level, as a query's trace gives them. */
export interface KeptSums {
  readonly count: number;
  readonly nodes: Int32Array;
  readonly planeStart: Uint32Array;
  readonly planes: Float64Array;
  readonly spheres: Float64Array;
}

export interface ShownSums {
  /** A mesh for each class, or for each number of hops, the last for sums that no ray enters. */
  readonly groups: readonly Mesh[];
  readonly bounds: Box | null;
  /** Sums of the level, how many of them are in the meshes, how many contain the origin, and the most hops. */
  readonly sums: number;
  readonly drawn: number;
  readonly around: number;
  readonly mostHops: number;
}

/** Hops from this number on are one group. */
export const LAST_HOP = 3;
/** More translucent solids than this are a fog; those nearest the origin are taken. */
const MAX_DRAWN = 400;
/** Planes that sampled rays are tested against, about; and the fewest and most rays along a side of the six views. */
const RAY_BUDGET = 2e8;
const MIN_RAYS = 8;
const MAX_RAYS = 32;

export function drawSums(
  sums: KeptSums,
  hullsA: HullHierarchy,
  hullsB: HullHierarchy,
  placement: Float64Array,
  colors: SumColors,
  poseA: ReadonlyPose,
  options: ProgressOptions,
): ShownSums {
  const { count, nodes, spheres } = sums;
  const hops = countHops(sums);
  const gap = (sum: number): number => {
    const [x, y, z, radius] = spheres.subarray(4 * sum, 4 * sum + 4);
    return Math.max(0, Math.hypot(x, y, z) - radius);
  };
  const rank = (sum: number): number => (hops[sum] < 0 ? Infinity : hops[sum]);
  const chosen = Array.from({ length: count }, (_, sum) => sum)
    .sort((p, q) => (rank(p) === rank(q) ? gap(p) - gap(q) : rank(p) - rank(q)))
    .slice(0, MAX_DRAWN);
  const [setA, setB] = [createConvexSetOf(hullsA), createConvexSetOf(hullsB)];
  const positions: number[] = [];
  const groups: number[][] = Array.from({ length: colors === 'class' ? 3 : LAST_HOP + 2 }, () => []);
  for (const [i, sum] of chosen.entries()) {
    reportProgress(options, i / chosen.length, 'drawing the sums');
    const first = positions.length / 3;
    const { points, facetStart, facetVertices, featuresA, featuresB } = buildMinkowskiSum(
      setA,
      nodes[2 * sum],
      setB,
      nodes[2 * sum + 1],
      placement,
    );
    for (let p = 0; p < points.length; p += 3) {
      const turned = pose.transformVector(poseA, [points[p], points[p + 1], points[p + 2]]);
      positions.push(turned[0], turned[1], turned[2]);
    }
    const ofHops = groups[hops[sum] < 0 ? LAST_HOP + 1 : Math.min(LAST_HOP, hops[sum])];
    for (let facet = 0; facet + 1 < facetStart.length; facet++) {
      const group =
        colors === 'hops' ? ofHops : groups[classifyFeatures(hullsA, featuresA[facet], hullsB, featuresB[facet])];
      const corners = facetVertices.subarray(facetStart[facet], facetStart[facet + 1]);
      for (let k = 2; k < corners.length; k++) {
        group.push(first + corners[0], first + corners[k - 1], first + corners[k]);
      }
    }
  }
  const shared = Float64Array.from(positions);
  return {
    groups: groups.map((indices) => ({ positions: shared, indices: Uint32Array.from(indices) })),
    bounds: positions.length === 0 ? null : boxes.ofPositions(shared),
    sums: count,
    drawn: chosen.length,
    around: hops.reduce((total, hop) => total + (hop === 0 ? 1 : 0), 0),
    mostHops: hops.reduce((most, hop) => Math.max(most, hop), 0),
  };
}

/** The sum of the two roots, which is level 0, and the nearest of its facets. */
export function rootSums(
  hullsA: HullHierarchy,
  hullsB: HullHierarchy,
  placement: Float64Array,
): KeptSums & { vector: Vec3; estimate: number } {
  const { points, planes } = buildMinkowskiSum(createConvexSetOf(hullsA), 0, createConvexSetOf(hullsB), 0, placement);
  const { min, max } = boxes.ofPositions(points);
  const center = boxes.center({ min, max });
  let nearest = 0;
  for (let plane = 0; plane < planes.length; plane += 4) {
    if (planes[plane + 3] < planes[nearest + 3]) nearest = plane;
  }
  const estimate = Math.max(0, planes[nearest + 3]);
  return {
    count: 1,
    nodes: Int32Array.of(0, 0),
    planeStart: Uint32Array.of(0, planes.length / 4),
    planes,
    spheres: Float64Array.of(...center, boxes.diagonal({ min, max }) / 2),
    vector: [estimate * planes[nearest], estimate * planes[nearest + 1], estimate * planes[nearest + 2]],
    estimate,
  };
}

/** For each sum the hops of a ray to it: 0 where it contains the origin, −1 where no sampled ray enters it. */
function countHops(sums: KeptSums): Int32Array {
  const { count, planeStart, planes, spheres } = sums;
  const hops = new Int32Array(count).fill(-1);
  const side = Math.sqrt(RAY_BUDGET / (6 * Math.max(1, planes.length / 4)));
  const rays = Math.round(Math.min(MAX_RAYS, Math.max(MIN_RAYS, side)));
  const direction = new Float64Array(3);
  const near = new Float64Array(count);
  const far = new Float64Array(count);
  for (let ray = 0; ray < 6 * rays * rays; ray++) {
    const inView = ray % (rays * rays);
    const view = Math.floor(ray / (rays * rays));
    writeDirection(direction, view, pixelCenter(inView % rays, rays), pixelCenter(Math.floor(inView / rays), rays));
    const entered: number[] = [];
    const length = Math.hypot(direction[0], direction[1], direction[2]);
    for (let sum = 0; sum < count; sum++) {
      if (missesBall(spheres, 4 * sum, direction, length)) continue;
      let [low, high] = [0, Infinity];
      for (let plane = planeStart[sum]; plane < planeStart[sum + 1] && low <= high; plane++) {
        const slope = dot(planes, 4 * plane, direction);
        const offset = planes[4 * plane + 3];
        if (slope > 0) high = Math.min(high, offset / slope);
        else if (slope < 0) low = Math.max(low, offset / slope);
        else if (offset < 0) high = -1;
      }
      if (low > high) continue;
      near[sum] = low;
      far[sum] = high;
      entered.push(sum);
    }
    followRay(entered, near, far, hops);
  }
  return hops;
}

function missesBall(spheres: Float64Array, offset: number, direction: Float64Array, length: number): boolean {
  const [x, y, z, radius] = [spheres[offset], spheres[offset + 1], spheres[offset + 2], spheres[offset + 3]];
  const along = dot(spheres, offset, direction) / length;
  return along < -radius || x * x + y * y + z * z - along * along > radius * radius;
}

/** The front goes from 0 to the farthest end of what it has met, again and again; each time is a hop. */
function followRay(entered: readonly number[], near: Float64Array, far: Float64Array, hops: Int32Array): void {
  let front = 0;
  let left = entered;
  for (let hop = 0; ; hop++) {
    const met = left.filter((sum) => near[sum] <= front);
    if (met.length === 0) return;
    left = left.filter((sum) => near[sum] > front);
    for (const sum of met) {
      if (hops[sum] < 0 || hop < hops[sum]) hops[sum] = hop;
      front = Math.max(front, far[sum]);
    }
  }
}

function dot(planes: Float64Array, offset: number, direction: Float64Array): number {
  return planes[offset] * direction[0] + planes[offset + 1] * direction[1] + planes[offset + 2] * direction[2];
}
