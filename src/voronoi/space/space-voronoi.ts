// Voronoi diagrams sampled on a grid in space: options and result.
import type { Box } from '../../core/box.js';
import { checkedElsewhere, numberFrom, oneOf, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { GridFrame } from '../../field/grid.js';
import type { Backend, BackendFallback } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { VORONOI_DEFAULTS } from '../defaults.js';

/**
 * How the samples are found. 'exact': blocks of nodes share the sites that can be nearest, and measure them. 'mesh': Hoff,
 * Culver, Keyser, Lin and Manocha 1999, slice by slice: the distance to every site as a mesh of triangles, drawn with a
 * depth test.
 */
export type SpaceVoronoiMethod = 'exact' | 'mesh';

/** How to compute a diagram in space. */
export interface SpaceVoronoiOptions extends ProgressOptions {
  /** The nodes to sample. Default: a grid over `box`. */
  readonly frame?: GridFrame | undefined;
  /** Default: the box of the sites, with `VORONOI_DEFAULTS.margin` of its longest side added on every side. */
  readonly box?: Box | undefined;
  /** Nodes along the longest side of the box. Default `VORONOI_DEFAULTS.spaceResolution`. */
  readonly resolution?: number | undefined;
  /** Default `VORONOI_DEFAULTS.method`. */
  readonly method?: SpaceVoronoiMethod | undefined;
  /** Nodes farther than this from every site belong to none. Default: no limit. */
  readonly maxDistance?: number | undefined;
  /** For 'mesh': how far the distance meshes may be from the true distances. Default: half a spacing. */
  readonly error?: number | undefined;
  /** 'webgpu' needs `device`; 'auto' uses it if it is a hardware adapter and not lost. Default 'auto'. */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
}

export const SPACE_VORONOI_OPTIONS = optionTable<SpaceVoronoiOptions>()({
  frame: checkedElsewhere(),
  box: checkedElsewhere(),
  resolution: checkedElsewhere(),
  method: oneOf(['exact', 'mesh'], VORONOI_DEFAULTS.method),
  maxDistance: numberFrom(0, Infinity),
  error: checkedElsewhere(),
  backend: checkedElsewhere(),
  device: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** What a diagram cost. */
export interface SpaceVoronoiCounters {
  /** Distances to points, segments and triangles computed. */
  readonly distances: number;
  /** Blocks of nodes visited. */
  readonly blocks: number;
  /** Triangles of the distance meshes drawn, 0 for 'exact'. */
  readonly triangles: number;
}

/** The nearest site of every node of a grid. */
export interface SpaceVoronoi extends GridFrame {
  /** By node, x fastest: the nearest site, the lowest at a tie; −1 if none is within the largest distance. */
  readonly ids: Int32Array;
  /** By node: the distance to that site, divided by its weight and lowered by its offset; Infinity without one. */
  readonly distances: Float64Array;
  /** A bound: every distance is within it of the least one, and the site of every node is at most this much farther than the nearest. */
  readonly error: number;
  readonly method: SpaceVoronoiMethod;
  readonly backend: 'cpu' | 'webgpu';
  /** Why 'auto' computed on the CPU although a device was given. */
  readonly fallback?: BackendFallback | undefined;
  readonly counters: SpaceVoronoiCounters;
}
