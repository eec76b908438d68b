// Sampled Voronoi diagrams in the plane: the options and the result.
import {
  checkedElsewhere,
  numberAbove,
  numberFrom,
  oneOf,
  optionTable,
  PROGRESS_RULES,
} from '../../core/check/option-table.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Backend, BackendFallback } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { VORONOI_DEFAULTS } from '../defaults.js';

/**
 * Methods for a sampled diagram. 'exact': the distance to every site that can be nearest, per sample. 'mesh': Hoff et
 * al. 1999, distance meshes drawn with the depth test.
 */
export type VoronoiMethod = 'exact' | 'mesh';

/** How to sample a Voronoi diagram. */
export interface VoronoiOptions extends ProgressOptions {
  /** x0, y0, x1, y1; default: the box of the sites with a margin of 5 % of its longest side. */
  readonly box?: ArrayLike<number> | undefined;
  /** Samples along the longest side of the box; the samples are the centers of pixels that fill it. Default 512. */
  readonly resolution?: number | undefined;
  /** Default 'exact'. */
  readonly method?: VoronoiMethod | undefined;
  /** Samples farther than this from every site get the id −1 and an infinite distance. Default: no limit. */
  readonly maxDistance?: number | undefined;
  /** For 'mesh': how far the distance meshes may be from the true distances. Default: half a pixel. */
  readonly error?: number | undefined;
  /** How far the lines that replace a Bézier curve may be from it. Default: 1e-4 of the longest side of the box. */
  readonly curveError?: number | undefined;
  /** 'webgpu' needs `device`; 'auto' uses it if it is a hardware adapter and not lost. Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

export const VORONOI_OPTIONS = optionTable<VoronoiOptions>()({
  box: checkedElsewhere(),
  resolution: checkedElsewhere(),
  method: oneOf(['exact', 'mesh'], VORONOI_DEFAULTS.method),
  maxDistance: numberFrom(0, Infinity),
  error: numberAbove(0),
  curveError: checkedElsewhere(),
  backend: checkedElsewhere(),
  device: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** What an image cost; counts that a method does not keep are 0. */
export interface VoronoiCounters {
  /** Points, segments and arcs that the sites consist of. */
  elements: number;
  /** Tiles whose candidates were compared. */
  tiles: number;
  /** Distances computed from the centers of tiles. */
  candidates: number;
  /** Distances computed from samples. */
  distances: number;
  /** Triangles of the distance meshes. */
  triangles: number;
}

/** Counters at zero. */
export function noCounts(): VoronoiCounters {
  return { elements: 0, tiles: 0, candidates: 0, distances: 0, triangles: 0 };
}

/** The nearest site at every sample. Row 0 is at y0; sample [0][0] is half a pixel inside the corner x0, y0. */
export interface VoronoiImage {
  readonly width: number;
  readonly height: number;
  /** x0, y0, x1, y1. */
  readonly box: readonly [number, number, number, number];
  /** The size of a pixel along x and y: the sides of the box over width and height. */
  readonly spacing: readonly [number, number];
  /** By sample, row after row: the index of the nearest site, the lowest at a tie, −1 beyond the largest distance. */
  readonly ids: Int32Array;
  /** By sample: the distance to that site, over its weight and less its offset; ∞ where the id is −1. */
  readonly distances: Float32Array;
  readonly method: VoronoiMethod;
  readonly backend: 'cpu' | 'webgpu';
  /** Why 'auto' computed on the CPU although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  /** No distance is off by more than this, and no other site is nearer than the one given by more than twice this. */
  readonly error: number;
  readonly counters: VoronoiCounters;
}
