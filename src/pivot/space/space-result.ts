// What the queries in space return, and their options. Arrays hold one entry per sample, or three coordinates.
import type { Box } from '../../core/box.js';
import { BACKENDS } from '../../core/check/check-backend.js';
import { checkedElsewhere, flag, numberAbove, oneOf, optionTable } from '../../core/check/option-table.js';
import type { Vec3 } from '../../core/vec3.js';
import type { GridFrame } from '../../field/grid.js';
import type { Backend, BackendFallback } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';

/** Options of a {@link SpacePivot}. */
export interface SpacePivotOptions {
  /**
   * The error bound d of all answers, a length. Default: `PIVOT_DEFAULTS.spaceErrorShare` of the diagonal of the smaller
   * mesh's box, anew for every query.
   */
  readonly error?: number | undefined;
  /** 'webgpu' needs `device`; 'auto' uses it if it is a hardware adapter and not lost. Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

export const SPACE_PIVOT_TABLE = optionTable<SpacePivotOptions>()({
  error: numberAbove(0),
  backend: oneOf(BACKENDS),
  device: checkedElsewhere(),
});

/** Options of {@link SpacePivot.separationSync}. */
export interface SpaceSeparationOptions {
  /** Whether to measure the triangles near the closest sample exactly. Default false. */
  readonly exact?: boolean | undefined;
}

export const SPACE_SEPARATION_TABLE = optionTable<SpaceSeparationOptions>()({ exact: flag(false) });

/** What a query cost. */
export interface SpacePivotCounters {
  /** Samples of the grids whose insides were computed. */
  readonly nodes: number;
  /** Boxes of hierarchies visited, and triangles measured; 0 on a GPU. */
  readonly boxesVisited: number;
  readonly trianglesMeasured: number;
}

/** What every answer carries. */
export interface SpacePivotAnswer {
  /** The error bound d of this answer. */
  readonly error: number;
  /** The distance between samples; the half diagonal of their cells is just below `error`. */
  readonly spacing: number;
  readonly backend: 'cpu' | 'webgpu';
  /** Why 'auto' computed on the CPU although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  readonly counters: SpacePivotCounters;
}

/**
 * Samples of one surface inside the other solid. Each lies within `error` of the surface and in the other solid, and
 * every point of the surface that is deeper than `error` has a sample within `error`.
 */
export interface PenetratingPoints {
  readonly count: number;
  /** Coordinates of each sample. */
  readonly points: Float64Array;
  /** The distance of each sample to the surface of the other solid. */
  readonly depths: Float64Array;
  /** The unit vector from each sample to the nearest point of that surface: out of the other solid. */
  readonly directions: Float64Array;
  /** The area of surface that each sample stands for: that in the cube around it. */
  readonly areas: Float64Array;
  /** The triangle of the other mesh nearest to each sample. */
  readonly triangles: Uint32Array;
}

/** The answer of {@link SpacePivot.penetration}. */
export interface SpacePenetration extends SpacePivotAnswer {
  /** Whether some sample penetrates. Solids that overlap by less than `error` may have none. */
  readonly intersects: boolean;
  /** The largest depth of a sample, 0 without one. */
  readonly depth: number;
  /** Points of A's surface in B. */
  readonly a: PenetratingPoints;
  /** Points of B's surface in A. */
  readonly b: PenetratingPoints;
  /** The box of all samples; null without one. */
  readonly box: Box | null;
}

/**
 * Samples of A's surface near B's. Each lies within `error` of A's surface, and at most threshold + `error` from B's;
 * every point of A's surface within the threshold has a sample within `error`.
 */
export interface SpaceContacts extends SpacePivotAnswer {
  readonly count: number;
  readonly points: Float64Array;
  /** Unit vectors from A to B: against the gradient of B's signed distance. */
  readonly normals: Float64Array;
  /** The signed distance of each sample to B, negative inside. */
  readonly distances: Float64Array;
  /** The area of A's surface in the cube around each sample. */
  readonly areas: Float64Array;
  /** The triangle of B nearest to each sample. */
  readonly triangles: Uint32Array;
}

/** The answer of {@link SpacePivot.separationSync}. */
export interface SpaceSeparation extends SpacePivotAnswer {
  /** Whether the solids have a point in common; decided exactly. */
  readonly intersects: boolean;
  /**
   * 0 for solids that intersect. Within `error` of the distance between the solids; the distance itself, up to
   * rounding, if `exact`.
   */
  readonly distance: number;
  /**
   * Points of the surfaces, closest if `exact`, otherwise within `distance` + `error` of each other; null for solids
   * that intersect.
   */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
  /** The unit vector from `pointA` to `pointB`. */
  readonly direction: Vec3 | null;
  readonly exact: boolean;
}

/** The answer of {@link SpacePivot.intersectionSync}. */
export interface SpaceIntersection extends SpacePivotAnswer {
  /** The grid of samples over the overlap of the boxes; null where they are apart. */
  readonly frame: GridFrame | null;
  /** By node of the grid: 1 where it is in both solids. */
  readonly inside: Uint8Array;
  /** Nodes in both solids, and the volume of their cells. */
  readonly count: number;
  readonly volume: number;
  /** Coordinates of the samples through whose cells both surfaces pass: those near the curves where the surfaces meet. */
  readonly boundary: Float64Array;
}
