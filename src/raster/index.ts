/**
 * Rasterizes triangles into color, depth and stencil images of many views, in software and by WebGPU.
 * @module raster
 */

export { createRasterizer, type RasterizerOptions } from './create-rasterizer.js';
export { createWebGpuRasterizer, type WebGpuRasterizer } from './gpu/rasterizer-gpu.js';
export {
  type ClearValues,
  type CompareFunction,
  RASTER_DEFAULTS,
  type RasterDraw,
  type RasterGeometry,
  type RasterImages,
  type Rasterizer,
  type RasterState,
  type RasterTarget,
  type ReducedViews,
  type ReduceOptions,
  type StencilOperation,
} from './raster.js';
export { createSoftwareRasterizer } from './software/software-rasterizer.js';
