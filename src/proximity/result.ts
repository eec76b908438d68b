// The results of the five queries. Points and vectors are in the world frame; ids are those of the two meshes.
import type { Vec3 } from '../core/vec3.js';
import type { MeshFeature } from '../mesh/triangle/triangle-region.js';

/** What a query cost. */
export interface QueryCounters {
  /** Pairs of bounding volumes, boxes or hulls, whose distance was bounded. */
  readonly volumePairs: number;
  /** Pairs of triangles that were measured or tested for a common point. */
  readonly trianglePairs: number;
  /** Steps of Voronoi marching, where hulls are the bounding volumes. */
  readonly marchSteps: number;
  /** Pairs in the front after the query; 0 without front tracking. */
  readonly frontSize: number;
  /** Pairs of the front that were skipped because motion cannot have brought them near. */
  readonly frontSkipped: number;
  /** Points tested for containment in the other solid. */
  readonly insideTests: number;
}

/** Two points, one on each model, and what they lie on. */
export interface Witness {
  readonly pointA: Vec3;
  readonly pointB: Vec3;
  /** 0 when the models intersect; the two points are then one common point. */
  readonly distance: number;
  /** Unit, from A to B; null when the models intersect. */
  readonly normal: Vec3 | null;
  /** The smallest feature of the mesh that the point lies on; null for a point in the interior of the solid. */
  readonly featureA: MeshFeature | null;
  readonly featureB: MeshFeature | null;
}

/** A local minimum of the distance. */
export interface Contact extends Witness {
  readonly normal: Vec3;
  readonly featureA: MeshFeature;
  readonly featureB: MeshFeature;
}

/** Whether two models have a point in common; touching counts. */
export interface IntersectionResult {
  readonly intersects: boolean;
  readonly counters: QueryCounters;
}

/** Whether the distance between two models is at most the tolerance. */
export interface ToleranceResult {
  readonly within: boolean;
  readonly counters: QueryCounters;
}

/** How far apart two models are. */
export interface DistanceResult {
  readonly intersects: boolean;
  /** 0 when the models intersect, null when they are farther apart than the cut-off. */
  readonly distance: number | null;
  /** The true distance is at most this much below `distance`; 0 up to rounding when no error was allowed. */
  readonly error: number;
  /** The two points that have the distance; null beyond the cut-off. */
  readonly witness: Witness | null;
  readonly counters: QueryCounters;
}

/** All local minima of the distance between two models that do not intersect. */
export interface ContactsResult {
  readonly intersects: boolean;
  /** Nearest first; empty when the models intersect. */
  readonly contacts: readonly Contact[];
  readonly counters: QueryCounters;
}
