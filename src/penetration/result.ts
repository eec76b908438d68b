// What a penetration query answers. Points and vectors are in the world frame; ids are those of the two meshes.
import type { Vec3 } from '../core/vec3.js';
import type { BackendFallback } from '../gpu/choose-backend.js';
import type { MeshFeature } from '../mesh/triangle/triangle-region.js';
import type { PenetrationMethod } from './options.js';

/**
 * How the answer is to be taken. 'separate': the models do not overlap, at most they touch; 'exact': both are convex and
 * the depth is known to rounding; 'certified': the interval from `lower` to `upper` holds the depth and is as narrow as was
 * asked; 'budget': it holds the depth, but the budget was spent first; 'upper-estimate': the vector separates, a shorter one
 * may too.
 */
export type PenetrationStatus = 'separate' | 'exact' | 'certified' | 'budget' | 'upper-estimate';

/** What one level of the descent did: a row of the document's Table 2. */
export interface PenetrationLevel {
  /** 0 for the roots. */
  readonly level: number;
  /** Pairs of nodes at this level, if none had been left out before. */
  readonly pairs: number;
  /** The share of `pairs` left out because they are farther apart than the estimate. */
  readonly cullRatio: number;
  /** Minkowski sums made, and their facets. */
  readonly sums: number;
  readonly facets: number;
  /** Rays, or pixels, that were followed. */
  readonly rays: number;
  readonly cullMilliseconds: number;
  readonly sumMilliseconds: number;
  readonly queryMilliseconds: number;
  /** The depth known after this level. */
  readonly estimate: number;
}

/** How deep two models overlap. */
export interface PenetrationResult {
  /** Whether the models have a point in common; touching counts. */
  readonly intersects: boolean;
  /** The length of `vector`; 0 for models that are apart or touch. */
  readonly depth: number;
  /** No translation shorter than this separates the models. 0 where only an upper estimate is known. */
  readonly lower: number;
  /** The same as `depth`: a translation of this length does separate them. */
  readonly upper: number;
  /** Moves A so that the two no longer have a point in common: confirmed by an exact test. */
  readonly vector: Vec3;
  /** `vector` made unit; null where it is zero. */
  readonly direction: Vec3 | null;
  /** What touches first on the way out at the far end of `vector`, on each model as it stands; null where none do. */
  readonly featureA: MeshFeature | null;
  readonly featureB: MeshFeature | null;
  /** The point of A, before it is moved, that comes to touch B, and the point of B it touches. */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  readonly status: PenetrationStatus;
  readonly method: PenetrationMethod;
  /** What ran. */
  readonly backend: 'cpu' | 'webgpu';
  /** Why the CPU searched although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  readonly levels: readonly PenetrationLevel[];
  /** Blocks of directions that a certificate looked at; 0 without one. */
  readonly cells: number;
  readonly milliseconds: number;
}
