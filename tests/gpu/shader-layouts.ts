// The layout that TypeScript takes each shader to have, by the shader's path below src. A new .wgsl file gets a line here.
import { FLOOD_AXES_LAYOUT } from '../../src/field/flood-axes-gpu.js';
import { TRIANGLE_FLOOD_LAYOUT } from '../../src/field/flood-field-gpu.js';
import { FLOOD_STEP_LAYOUT } from '../../src/field/jump-flood-gpu.js';
import type { ShaderLayout } from '../../src/gpu/shader-layout.js';
import { MINKOWSKI_PLANES_LAYOUT } from '../../src/penetration/gpu-minkowski-planes.js';
import { RAY_EXITS_LAYOUT } from '../../src/penetration/gpu-ray-exits.js';
import { COMPUTE_RASTERIZER_LAYOUT } from '../../src/raster/compute-target.js';
import { IMAGE_REDUCTION_LAYOUT } from '../../src/raster/image-reduction.js';
import { WEBGPU_RASTERIZER_LAYOUT } from '../../src/raster/webgpu-pipelines.js';
import { IMAGE_COPY_LAYOUT } from '../../src/raster/webgpu-target.js';

export const shaderLayouts: Readonly<Record<string, ShaderLayout>> = {
  'field/flood-axes.wgsl': FLOOD_AXES_LAYOUT,
  'field/flood-step.wgsl': FLOOD_STEP_LAYOUT,
  'field/triangle-flood.wgsl': TRIANGLE_FLOOD_LAYOUT,
  'penetration/minkowski-planes.wgsl': MINKOWSKI_PLANES_LAYOUT,
  'penetration/ray-exits.wgsl': RAY_EXITS_LAYOUT,
  'raster/rasterize-triangles.wgsl': COMPUTE_RASTERIZER_LAYOUT,
  'raster/copy-images.wgsl': IMAGE_COPY_LAYOUT,
  'raster/reduce-images.wgsl': IMAGE_REDUCTION_LAYOUT,
  'raster/draw-triangles.wgsl': WEBGPU_RASTERIZER_LAYOUT,
};
