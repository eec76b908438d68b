// The result of a penetration query. Points and vectors are in the world frame; ids are those of the two meshes.
import type { Vec3 } from '../core/vec3.js';
import type { BackendFallback } from '../gpu/choose-backend.js';
import type { MeshFeature } from '../mesh/triangle/triangle-region.js';
import type { PenetrationMethod } from './options.js';

/**
 * What is known of the depth. 'separate': the models do not overlap; they may touch. 'exact': both are convex and the
 * depth is exact to rounding. 'certified': the interval from `lower` to `upper` holds the depth and is as narrow as
 * requested. 'budget': the interval holds the depth, but the budget was spent before it was narrow enough.
 * 'upper-estimate': the vector separates; a shorter one may too.
 */
export type PenetrationStatus = 'separate' | 'exact' | 'certified' | 'budget' | 'upper-estimate';

/** The statistics of one level of the descent: a row of Table 2 of Kim et al. 2002. */
export interface PenetrationLevel {
  /** 0 for the roots. */
  readonly level: number;
  /** Pairs of nodes at this level without culling. */
  readonly pairs: number;
  /** The share of `pairs` culled because they are farther apart than the estimate. */
  readonly cullRatio: number;
  /** Minkowski sums made, and their facets. */
  readonly sums: number;
  readonly facets: number;
  /** Rays, or pixels, followed. */
  readonly rays: number;
  readonly cullMilliseconds: number;
  readonly sumMilliseconds: number;
  readonly queryMilliseconds: number;
  /** The depth known after this level. */
  readonly estimate: number;
}

/** How deep two models overlap. */
export interface PenetrationResult {
  /**
   * Whether the models have a point in common; touching counts. With the status 'budget' and `lower` 0, models that were
   * not found apart in time count as intersecting.
   */
  readonly intersects: boolean;
  /** The length of `vector`; 0 for models that are apart or touch. */
  readonly depth: number;
  /** No translation shorter than this separates the models. 0 where only an upper estimate is known. */
  readonly lower: number;
  /** Equal to `depth`: a translation of this length does separate them. */
  readonly upper: number;
  /** Moves A so that the two no longer have a point in common: confirmed by an exact test. */
  readonly vector: Vec3;
  /** Unit `vector`; null if it is zero. */
  readonly direction: Vec3 | null;
  /** The features that touch at the far end of `vector`, on each model where it stands now; null if none do. */
  readonly featureA: MeshFeature | null;
  readonly featureB: MeshFeature | null;
  /** The point of A, before it moves, that will touch B, and the point of B that it touches. */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  readonly status: PenetrationStatus;
  readonly method: PenetrationMethod;
  /** The backend that ran. */
  readonly backend: 'cpu' | 'webgpu';
  /** Why the CPU searched although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  readonly levels: readonly PenetrationLevel[];
  /**
   * With the option `solidify`: how far the solids that were measured are from the models, 0 for a model that is one.
   * Missing if the budget did not allow solids: then `vector` separates the hulls of the models, and `lower` is 0.
   */
  readonly solidified?: { readonly errorA: number; readonly errorB: number } | undefined;
  /** Cells of directions that a certificate examined; 0 without one. */
  readonly cells: number;
  readonly milliseconds: number;
}

/** The result for models that are apart or only touch. */
export function separateResult(
  intersects: boolean,
  levels: readonly PenetrationLevel[],
  method: PenetrationMethod,
  backend: 'cpu' | 'webgpu',
  milliseconds: number,
): PenetrationResult {
  return {
    intersects,
    depth: 0,
    lower: 0,
    upper: 0,
    vector: [0, 0, 0],
    direction: null,
    featureA: null,
    featureB: null,
    pointA: null,
    pointB: null,
    status: 'separate',
    method,
    backend,
    levels,
    cells: 0,
    milliseconds,
  };
}
