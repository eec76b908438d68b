// The answer of a query by the windows of Kim, Otaduy, Lin and Manocha 2002, level by level, drawn in software or by
// WebGPU.
import type { GpuDevice } from '../../gpu/device.js';
import { createWebGpuRasterizer } from '../../raster/gpu/rasterizer-gpu.js';
import { createSoftwareRasterizer } from '../../raster/software/software-rasterizer.js';
import { descentOptions, resolutionOf, traceLevel, upperEstimate } from '../image-space.js';
import type { PenetrationOptions } from '../options.js';
import { answerQuery, type PenetrationQuery } from '../penetration-query.js';
import type { PenetrationResult } from '../result.js';
import { createSums, descend } from '../union/descent.js';
import { seeWindows } from './see-windows.js';
import { WindowQuery } from './window-query.js';

/** Answers a query that has no early answer. @param gpu null for the software rasterizer. */
export async function measureByWindows(
  query: PenetrationQuery,
  gpu: GpuDevice | null,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const { a, b, placement, separation } = query;
  const rasterizer = gpu === null ? createSoftwareRasterizer() : createWebGpuRasterizer(gpu);
  const windows = new WindowQuery(rasterizer);
  try {
    const descent = descend(a, b, placement, separation, createSums(a, b), descentOptions(options, 'levels'));
    let step = descent.next();
    while (!step.done) {
      const level = step.value;
      const resolution = resolutionOf(level.last, options);
      const scene = { a, b, placement, resolution, wholeImages: options.trace !== undefined };
      const { distances } = await seeWindows(windows, level, scene);
      traceLevel(level, distances, resolution, options);
      step = descent.next(distances.length);
    }
    return answerQuery(query, step.value, upperEstimate(rasterizer.backend));
  } finally {
    windows.destroy();
    rasterizer.destroy();
  }
}
