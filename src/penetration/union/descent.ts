// The descent through two hierarchies of hulls, level by level (Kim et al. 2002, section 5.3): at each level the pairs
// of nodes within the depth known so far, their Minkowski sums, and the nearest exit from the union of these, which
// becomes the depth for the next level once an exact test confirms it. The driver receives each level's union and finds
// its exits, so one descent serves the CPU and the GPU.
import { Epa } from '../../convex/closest/epa.js';
import { Gjk } from '../../convex/closest/gjk.js';
import { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import { invertPlacement } from '../../core/placement.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import type { PenetrationDescent } from '../options.js';
import type { PenetrationLevel } from '../result.js';
import type { Separation } from '../separation.js';
import type { Solid } from '../solid.js';
import { InnerBalls } from './inner-balls.js';
import { LeafSums, SUMS_BETWEEN } from './leaf-sums.js';
import { boundRoot, NodeBoxes } from './node-boxes.js';
import { NodePairs } from './node-pairs.js';
import { probeRays } from './probe-rays.js';
import { UnionRays } from './union-rays.js';
import { VoidTest } from './void-test.js';

/** A union to be viewed from the origin. */
export interface LevelUnion {
  readonly level: number;
  readonly union: UnionRays;
  /** The pairs of nodes of the level. */
  readonly pairs: NodePairs;
  /** Two per sum: its nodes. */
  readonly nodes: Int32Array;
  /** How far each sum is from the origin; infinite for irrelevant sums. */
  readonly distances: Float64Array;
  /** The best vector known so far, to be improved. */
  readonly separation: Separation;
  /** Whether this is the last level. */
  readonly last: boolean;
  /** Whether to trace every pixel through every sum: the basic algorithm. */
  readonly exhaustive: boolean;
}

/** Options of the descent. */
export interface DescentOptions extends ProgressOptions {
  readonly descent: PenetrationDescent;
  /** A vector of A's frame that may be near the best: that of the last query of moving models. */
  readonly seed?: Vec3 | null | undefined;
}

/** Rounding: the depth of two hulls is exact to this share of the sizes. */
const HULL_ROUNDING = 1e-13;

/** The unit of relative lengths: the longest translation that can matter. */
export function sizeOfPair(a: Solid, b: Solid): number {
  return a.model.magnitude + b.model.magnitude + a.model.radius + b.model.radius;
}

/**
 * Offers the overlap of the two models' hulls or, if that is not confirmed, that of the boxes around them. Returns by
 * how much the hulls' depth may be less than the separation's distance; infinite if unknown. If the signal is aborted,
 * the bound is wider.
 */
export function offerRoots(
  a: Solid,
  b: Solid,
  placement: Float64Array,
  separation: Separation,
  signal?: ProgressOptions['signal'],
): number {
  const gjk = new Gjk();
  gjk.run(a.set, 0, b.set, 0, placement, a.set.vertexHalfEdges[0], b.set.vertexHalfEdges[0]);
  if (gjk.intersects) {
    const epa = new Epa();
    const depth = epa.run(a.set, 0, b.set, 0, placement, gjk, signal);
    const { direction } = epa;
    const point = direction.map((value) => depth * value);
    if (separation.offer(depth, point, direction)) return epa.gap + HULL_ROUNDING * separation.size;
  }
  offerBoxes(a, b, placement, separation);
  return Infinity;
}

/** Offers the overlaps of the boxes around the two models. */
export function offerBoxes(a: Solid, b: Solid, placement: Float64Array, separation: Separation): void {
  const [boxA, boxB] = [boundRoot(a), boundRoot(b, placement)];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const reach = sign > 0 ? boxB[axis + 3] - boxA[axis] : boxA[axis + 3] - boxB[axis];
      const out = [0, 0, 0];
      out[axis] = sign;
      separation.offer(
        reach,
        out.map((value) => reach * value),
        out,
      );
    }
  }
}

/** An empty store for the sums of two solids; a facet of coplanar faces is named after the one of lowest class. */
export function createSums(a: Solid, b: Solid): MinkowskiSums {
  return new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
}

/** The union of all sums of two solids, none made yet, and the object that makes them. */
export function beginUnion(
  a: Solid,
  b: Solid,
  placement: Float64Array,
  boxes: NodeBoxes,
  size: number,
  sums: MinkowskiSums,
  progress?: ProgressOptions,
): { readonly leaves: LeafSums; readonly union: UnionRays } {
  sums.clear();
  const voids = new VoidTest(a, b, placement);
  const balls = voids.possible ? new InnerBalls(a, b, placement, invertPlacement(placement), progress) : null;
  return {
    leaves: new LeafSums(a, b, placement, sums, boxes, progress),
    union: new UnionRays(sums, voids.possible ? voids : null, balls, size, progress),
  };
}

/** The statistics of level 0. */
export function describeRoots(milliseconds: number, { distance }: Separation): PenetrationLevel {
  return {
    level: 0,
    pairs: 1,
    cullRatio: 0,
    sums: 1,
    facets: 0,
    rays: 0,
    cullMilliseconds: 0,
    sumMilliseconds: milliseconds,
    queryMilliseconds: 0,
    estimate: distance,
  };
}

/**
 * The descent. It yields each level's union and expects the count of rays followed in return. Improves the
 * separation. The sums are working memory: their contents are replaced. `levels` is filled on the way.
 */
export function* descend(
  a: Solid,
  b: Solid,
  placement: Float64Array,
  separation: Separation,
  sums: MinkowskiSums,
  options: DescentOptions,
  levels: PenetrationLevel[] = [],
): Generator<LevelUnion, PenetrationLevel[], number> {
  const started = performance.now();
  const { signal } = options;
  offerRoots(a, b, placement, separation, signal);
  levels.push(describeRoots(performance.now() - started, separation));
  reportProgress({ signal }, 0, 'penetration');
  const boxes = new NodeBoxes(a, b, placement, { signal });
  reportProgress({ signal }, 0, 'penetration');
  const { leaves, union } = beginUnion(a, b, placement, boxes, separation.size, sums, options);
  const pairs = new NodePairs(a, b, placement, boxes, undefined, options);
  const probes = options.descent === 'probes';
  if (probes) {
    const begin = performance.now();
    probeRays(leaves, union, separation, options.seed ?? null);
    const queryMilliseconds = performance.now() - begin;
    levels[0] = { ...levels[0], rays: union.rays, queryMilliseconds, estimate: separation.distance };
  }
  while (pairs.level < pairs.levels - 1 && !separation.touches) {
    reportProgress(options, pairs.level / pairs.levels, 'penetration');
    const begin = performance.now();
    goDown(pairs, separation.distance, options.descent);
    const culled = performance.now();
    if (!probes) sums.clear();
    const distances = addSums(pairs, probes ? leaves : null, sums, a, b, placement, options);
    const summed = performance.now();
    const level: LevelUnion = {
      level: pairs.level,
      union,
      pairs,
      nodes: probes ? leaves.nodes : pairs.nodes,
      distances,
      separation,
      last: pairs.level === pairs.levels - 1,
      exhaustive: options.descent === 'none',
    };
    const rays = yield level;
    levels.push({
      level: pairs.level,
      pairs: pairs.whole,
      cullRatio: 1 - pairs.count / pairs.whole,
      sums: pairs.count,
      facets: sums.facetCount,
      rays,
      cullMilliseconds: culled - begin,
      sumMilliseconds: summed - culled,
      queryMilliseconds: performance.now() - summed,
      estimate: separation.distance,
    });
  }
  return levels;
}

/** Goes down a level, by probes all levels at once; without a descent takes all leaves. */
function goDown(pairs: NodePairs, distance: number, descent: DescentOptions['descent']): void {
  if (descent === 'none') pairs.takeAllLeaves();
  else
    do pairs.descend(distance);
    while (descent === 'probes' && pairs.level < pairs.levels - 1);
}

/** Makes the sums of a level's pairs and computes how far each is from the origin. */
function addSums(
  pairs: NodePairs,
  leaves: LeafSums | null,
  sums: MinkowskiSums,
  a: Solid,
  b: Solid,
  placement: Float64Array,
  { signal }: ProgressOptions,
): Float64Array {
  if (leaves === null) {
    for (let i = 0; i < pairs.count; i++) {
      if (i % SUMS_BETWEEN === 0) reportProgress({ signal }, 0, 'sums');
      sums.add(a.set, pairs.nodes[2 * i], b.set, pairs.nodes[2 * i + 1], placement);
    }
    return pairs.distances;
  }
  const distances = new Float64Array(sums.count + pairs.count).fill(Infinity);
  for (let i = 0; i < pairs.count; i++) {
    if (i % SUMS_BETWEEN === 0) reportProgress({ signal }, 0, 'sums');
    distances[leaves.sumOf(pairs.nodes[2 * i], pairs.nodes[2 * i + 1])] = pairs.distances[i];
  }
  return distances;
}
