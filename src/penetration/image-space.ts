// What the queries of the method 'image-space' share, on the CPU and on a GPU, by rays and by windows.

import type { PenetrationDescent, PenetrationOptions } from './options.js';
import { PENETRATION_DEFAULTS } from './options.js';
import type { Ending } from './penetration-query.js';
import type { DescentOptions, LevelUnion } from './union/descent.js';

/** The ending of an image-space query: an upper estimate. */
export function upperEstimate(backend: 'cpu' | 'webgpu'): Ending {
  return { status: 'upper-estimate', method: 'image-space', backend, lower: 0, cells: 0 };
}

/** Pixels along each side of a level's views. */
export function resolutionOf(last: boolean, options: PenetrationOptions): number {
  const { resolution = PENETRATION_DEFAULTS.resolution, coarseResolution = PENETRATION_DEFAULTS.coarseResolution } =
    options;
  return last ? resolution : coarseResolution;
}

/** The options of a query's descent. `usual` is the descent where none is named. */
export function descentOptions(options: PenetrationOptions, usual: PenetrationDescent): DescentOptions {
  return { descent: options.descent ?? usual, signal: options.signal, onProgress: options.onProgress };
}

/** Calls `trace` with the data of a level. */
export function traceLevel(
  { level, union, nodes, separation }: LevelUnion,
  distances: Float32Array | null,
  resolution: number,
  options: PenetrationOptions,
): void {
  options.trace?.({
    level,
    sums: union.sums,
    nodes: nodes.subarray(0, 2 * union.sums.count),
    distances,
    resolution,
    vector: separation.vector ?? [0, 0, 0],
    estimate: separation.distance,
  });
}
