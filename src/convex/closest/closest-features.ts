// The closest features of two convex polyhedra in one call, in the world frame, with plain objects as results. For
// repeated queries, keep the convex sets and a ConvexMarch: that is faster.

import { takePose } from '../../core/check/check-pose.js';
import { checkedElsewhere, flag, oneOf, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { placeBInA } from '../../core/placement.js';
import { type ReadonlyPose, transformPoint, transformVector } from '../../core/pose.js';
import { normalize, subtract, type Vec3 } from '../../core/vec3.js';
import type { Hull } from '../hull/hull.js';
import { assertNode, type ConvexSet, createConvexSet } from './convex-set.js';
import { Epa } from './epa.js';
import { EDGE, featureKind, featureVertices, NO_FEATURE, VERTEX } from './feature.js';
import { Gjk } from './gjk.js';
import { locateFeature } from './locate-feature.js';
import { ConvexMarch } from './march.js';

/** A vertex, edge or triangle of a convex polyhedron. */
export interface ConvexFeature {
  /** The kind of feature. */
  readonly kind: 'vertex' | 'edge' | 'face';
  /** One, two or three point ids; for an edge and a face in the order of a triangle's corners. */
  readonly vertices: number[];
}

/** Options of {@link closestFeatures}. */
export interface ClosestFeaturesOptions {
  /** Voronoi marching, or Gilbert, Johnson and Keerthi's search. Default 'march'. */
  readonly method?: 'march' | 'gjk' | undefined;
  /** The result of an earlier call for the same two shapes: the march starts at its features. Default: none. */
  readonly warm?: ClosestFeatures | undefined;
  /** Also measure how deep the two overlap. Default false. */
  readonly penetration?: boolean | undefined;
  /** The node of A, if its set has more than one polyhedron. Default 0. */
  readonly nodeA?: number | undefined;
  /** The same for B. */
  readonly nodeB?: number | undefined;
}

const CLOSEST_OPTIONS = optionTable<ClosestFeaturesOptions>()({
  method: oneOf(['march', 'gjk']),
  warm: checkedElsewhere(),
  penetration: flag(),
  nodeA: checkedElsewhere(),
  nodeB: checkedElsewhere(),
});

/** The result of {@link closestFeatures}, in the world frame. */
export interface ClosestFeatures {
  /** Whether the two have a point in common; touching counts. */
  readonly intersects: boolean;
  /** 0 when they intersect. */
  readonly distance: number;
  /** The closest points; if the two intersect, a common point. */
  readonly pointA: Vec3;
  /** The same for B. */
  readonly pointB: Vec3;
  /** Unit, from A to B; null when they intersect. */
  readonly normal: Vec3 | null;
  /** The smallest features that the points lie on; null when the two intersect. */
  readonly featureA: ConvexFeature | null;
  /** The same for B. */
  readonly featureB: ConvexFeature | null;
  /** The length of A's shortest move that ends the overlap; null unless requested and the two intersect. */
  readonly depth: number | null;
  /** The unit vector of that move; null with `depth`. */
  readonly direction: Vec3 | null;
  /** Steps of the march, and rounds of GJK and of the search for the depth. */
  readonly steps: number;
  /** The codes of the features, for `ConvexMarch.query`. */
  readonly seeds: readonly [number, number];
}

/**
 * The closest features of two convex polyhedra, or that they intersect. A hull of any dimension will do: a solid, a flat
 * polygon, a segment, a point.
 * @param a A hull, or a set made of one by `createConvexSet`, which repeated queries should keep.
 * @param b The same.
 * @throws NearfieldError for invalid poses, nodes out of range, and seeds of another shape.
 */
export function closestFeatures(
  a: Hull | ConvexSet,
  b: Hull | ConvexSet,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ClosestFeaturesOptions = {},
): ClosestFeatures {
  CLOSEST_OPTIONS.assert(options);
  const setA = isSet(a) ? a : createConvexSet(a);
  const setB = isSet(b) ? b : createConvexSet(b);
  const { nodeA = 0, nodeB = 0 } = options;
  assertNode(setA, nodeA, 'A');
  assertNode(setB, nodeB, 'B');
  const world = takePose(poseA, 'A');
  const placement = placeBInA(world, takePose(poseB, 'B'));
  const method = options.method ?? 'march';
  const seedA = checkSeed(setA, nodeA, options.warm?.seeds[0] ?? NO_FEATURE, 'A');
  const seedB = checkSeed(setB, nodeB, options.warm?.seeds[1] ?? NO_FEATURE, 'B');
  const found = method === 'march' ? new ConvexMarch() : new GjkQuery();
  found.query(setA, nodeA, setB, nodeB, placement, seedA, seedB);
  const { intersects } = found;

  let steps = found.steps;
  let depth: number | null = null;
  let direction: Vec3 | null = null;
  if (intersects && options.penetration === true) {
    const gjk = new Gjk();
    const epa = new Epa();
    gjk.run(setA, nodeA, setB, nodeB, placement, firstHandle(setA, nodeA), firstHandle(setB, nodeB));
    // Where rounding makes only one of the two methods report touching, the depth is 0.
    depth = gjk.intersects ? epa.run(setA, nodeA, setB, nodeB, placement, gjk) : 0;
    direction = gjk.intersects
      ? [epa.direction[0], epa.direction[1], epa.direction[2]]
      : normalize(subtract(gjk.pointA, gjk.pointB));
    direction = transformVector(world, direction);
    steps += gjk.rounds + epa.rounds;
  }
  const pointA = transformPoint(world, found.pointA);
  const pointB = transformPoint(world, found.pointB);
  // A's frame preserves the direction between close points that are far from the world's origin.
  const normal = intersects ? null : transformVector(world, normalize(subtract(found.pointB, found.pointA)));
  return {
    intersects,
    distance: found.distance,
    pointA,
    pointB,
    normal,
    featureA: intersects ? null : describeFeature(setA, nodeA, found.featureA),
    featureB: intersects ? null : describeFeature(setB, nodeB, found.featureB),
    depth,
    direction,
    steps,
    seeds: [found.featureA, found.featureB],
  };
}

/** GJK behind the interface of the march. */
class GjkQuery {
  readonly #gjk = new Gjk();
  featureA = NO_FEATURE;
  featureB = NO_FEATURE;
  get intersects(): boolean {
    return this.#gjk.intersects;
  }
  get distance(): number {
    return this.#gjk.distance;
  }
  get steps(): number {
    return this.#gjk.rounds;
  }
  get pointA(): Float64Array {
    return this.#gjk.pointA;
  }
  get pointB(): Float64Array {
    return this.#gjk.pointB;
  }

  query(
    setA: ConvexSet,
    nodeA: number,
    setB: ConvexSet,
    nodeB: number,
    m: Float64Array,
    seedA: number,
    seedB: number,
  ): void {
    const handleA = seedA < 0 ? firstHandle(setA, nodeA) : seedA >> 2;
    const handleB = seedB < 0 ? firstHandle(setB, nodeB) : seedB >> 2;
    this.#gjk.run(setA, nodeA, setB, nodeB, m, handleA, handleB);
    this.featureA = locateFeature(setA, nodeA, this.pointA[0], this.pointA[1], this.pointA[2]);
    const x = this.pointB[0] - m[3];
    const y = this.pointB[1] - m[7];
    const z = this.pointB[2] - m[11];
    this.featureB = locateFeature(
      setB,
      nodeB,
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
    );
  }
}

function firstHandle(set: ConvexSet, node: number): number {
  const first = set.vertexStart[node];
  return set.faceStart[node] === set.faceStart[node + 1] ? first : set.vertexHalfEdges[first];
}

function describeFeature(set: ConvexSet, node: number, code: number): ConvexFeature {
  const kind = featureKind(code);
  return {
    kind: kind === VERTEX ? 'vertex' : kind === EDGE ? 'edge' : 'face',
    vertices: featureVertices(set, node, code),
  };
}

function checkSeed(set: ConvexSet, node: number, seed: number, name: string): number {
  if (seed === NO_FEATURE) return seed;
  const faceless = set.faceStart[node] === set.faceStart[node + 1];
  const low = faceless ? set.vertexStart[node] : 3 * set.faceStart[node];
  const high = faceless ? set.vertexStart[node + 1] : 3 * set.faceStart[node + 1];
  if (Number.isInteger(seed) && seed >> 2 >= low && seed >> 2 < high && (seed & 3) < 3) return seed;
  throw new NearfieldError(
    'bad-argument',
    `The warm start names a feature that ${name} does not have; give the result of a call for the same shapes.`,
  );
}

function isSet(shape: Hull | ConvexSet): shape is ConvexSet {
  return typeof shape === 'object' && shape !== null && 'lookup' in shape;
}
