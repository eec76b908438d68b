// The layout that TypeScript assumes for each shader, by the shader's path below src. A new .wgsl file gets a line here.

import { LINEAR_BVH_LAYOUT } from '../../src/culling/gpu/linear-bvh-gpu.js';
import { VISIBILITY_LAYOUT } from '../../src/culling/gpu/visibility-gpu.js';
import { FLOOD_AXES_LAYOUT } from '../../src/field/flood/flood-axes-layout.js';
import { FLOOD_STEP_LAYOUT } from '../../src/field/flood/flood-step-layout.js';
import { TRIANGLE_FLOOD_LAYOUT } from '../../src/field/flood/triangle-flood-layout.js';
import type { ShaderLayout } from '../../src/gpu/shader-layout.js';
import { ICE_PAINT_LAYOUT } from '../../src/ice/gpu/ice-paint-layout.js';
import { ICE_PLANE_LAYOUT } from '../../src/ice/gpu/ice-plane-layout.js';
import { ICE_TWICE_LAYOUT } from '../../src/ice/gpu/ice-plane-twice-layout.js';
import { ICE_SPACE_LAYOUT } from '../../src/ice/gpu/ice-space-layout.js';
import { ICE_STEP_LAYOUT } from '../../src/ice/gpu/ice-step-layout.js';
import { MINKOWSKI_PLANES_LAYOUT } from '../../src/penetration/gpu/minkowski-planes-gpu.js';
import { RAY_EXITS_LAYOUT } from '../../src/penetration/gpu/ray-exits-gpu.js';
import { PENETRATING_SAMPLES_LAYOUT } from '../../src/pivot/gpu/penetrating-samples-gpu.js';
import { BLEND_PASSES_LAYOUT } from '../../src/pivot/published/blend-gpu.js';
import { IMAGE_COPY_LAYOUT } from '../../src/raster/gpu/copy-images-layout.js';
import { WEBGPU_RASTERIZER_LAYOUT } from '../../src/raster/gpu/draw-triangles-layout.js';
import { IMAGE_REDUCTION_LAYOUT } from '../../src/raster/gpu/reduce-images-layout.js';
import { NEAREST_SITES_LAYOUT } from '../../src/voronoi/gpu/nearest-sites-layout.js';

export const shaderLayouts: Readonly<Record<string, ShaderLayout>> = {
  'culling/gpu/linear-bvh.wgsl': LINEAR_BVH_LAYOUT,
  'culling/gpu/visibility.wgsl': VISIBILITY_LAYOUT,
  'field/flood/flood-axes.wgsl': FLOOD_AXES_LAYOUT,
  'field/flood/flood-step.wgsl': FLOOD_STEP_LAYOUT,
  'field/flood/triangle-distance.wgsl': { structs: {}, bindings: {}, workgroups: {} },
  'field/flood/triangle-flood.wgsl': TRIANGLE_FLOOD_LAYOUT,
  'ice/gpu/ice-paint.wgsl': ICE_PAINT_LAYOUT,
  'ice/gpu/ice-plane-twice.wgsl': ICE_TWICE_LAYOUT,
  'ice/gpu/ice-plane.wgsl': ICE_PLANE_LAYOUT,
  'ice/gpu/ice-space.wgsl': ICE_SPACE_LAYOUT,
  'ice/gpu/ice-step.wgsl': ICE_STEP_LAYOUT,
  'penetration/gpu/minkowski-planes.wgsl': MINKOWSKI_PLANES_LAYOUT,
  'penetration/gpu/ray-exits.wgsl': RAY_EXITS_LAYOUT,
  'pivot/gpu/penetrating-samples.wgsl': PENETRATING_SAMPLES_LAYOUT,
  'pivot/published/blend-passes.wgsl': BLEND_PASSES_LAYOUT,
  'raster/gpu/copy-images.wgsl': IMAGE_COPY_LAYOUT,
  'raster/gpu/reduce-images.wgsl': IMAGE_REDUCTION_LAYOUT,
  'raster/gpu/draw-triangles.wgsl': WEBGPU_RASTERIZER_LAYOUT,
  'voronoi/gpu/nearest-sites.wgsl': NEAREST_SITES_LAYOUT,
};

/** The constants whose modules the test writes: `x-layout.ts` beside `x.wgsl`. */
export const generatedLayouts: Readonly<Record<string, string>> = {
  'field/flood/flood-axes.wgsl': 'FLOOD_AXES_LAYOUT',
  'field/flood/flood-step.wgsl': 'FLOOD_STEP_LAYOUT',
  'field/flood/triangle-flood.wgsl': 'TRIANGLE_FLOOD_LAYOUT',
  'ice/gpu/ice-paint.wgsl': 'ICE_PAINT_LAYOUT',
  'ice/gpu/ice-plane-twice.wgsl': 'ICE_TWICE_LAYOUT',
  'ice/gpu/ice-plane.wgsl': 'ICE_PLANE_LAYOUT',
  'ice/gpu/ice-space.wgsl': 'ICE_SPACE_LAYOUT',
  'ice/gpu/ice-step.wgsl': 'ICE_STEP_LAYOUT',
  'raster/gpu/copy-images.wgsl': 'IMAGE_COPY_LAYOUT',
  'raster/gpu/draw-triangles.wgsl': 'WEBGPU_RASTERIZER_LAYOUT',
  'raster/gpu/reduce-images.wgsl': 'IMAGE_REDUCTION_LAYOUT',
  'voronoi/gpu/nearest-sites.wgsl': 'NEAREST_SITES_LAYOUT',
};

/** The shaders that are compiled behind another file, by path. */
export const shaderPreludes: Readonly<Record<string, string | readonly string[]>> = {
  'field/flood/triangle-flood.wgsl': 'field/flood/triangle-distance.wgsl',
  'ice/gpu/ice-plane-twice.wgsl': ['ice/gpu/ice-step.wgsl', 'ice/gpu/ice-plane.wgsl'],
  'ice/gpu/ice-plane.wgsl': 'ice/gpu/ice-step.wgsl',
  'ice/gpu/ice-space.wgsl': 'ice/gpu/ice-step.wgsl',
  'pivot/gpu/penetrating-samples.wgsl': 'field/flood/triangle-distance.wgsl',
  'voronoi/gpu/nearest-sites.wgsl': 'field/flood/triangle-distance.wgsl',
};
