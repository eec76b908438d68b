/**
 * Distance fields on regular grids in the plane and in space: exact, marched, transformed and flooded, dense and
 * sparse, with partial updates, sampling, isosurfaces and files.
 * @module field
 */

export { computeField, computeFieldSync } from './compute-field.js';
export type {
  DistanceField,
  FieldCounters,
  FieldError,
  FieldMethod,
  FieldOptions,
  FieldSides,
  FieldSource,
  InitialBand,
} from './distance-field.js';
export { FIELD_METHODS } from './distance-field.js';
export { computeFieldInPool, FIELD_TASKS } from './field-in-pool.js';
export { FIELD_DEFAULTS } from './field-options.js';
export { type FieldFileOptions, readFieldNpy, readFieldRaw, writeFieldNpy, writeFieldRaw } from './files/field-file.js';
export type { FieldHeader, FieldPrecision } from './files/field-header.js';
export { drawField, type FieldPictureOptions } from './files/field-picture.js';
export { readFieldSlices, type SlicesHeader, type SlicesOptions, writeFieldSlices } from './files/field-slices.js';
export {
  type DistanceTransform,
  type DistanceTransformOptions,
  distanceTransform,
} from './flood/distance-transform.js';
export { type FloodFieldTimes, floodFieldOnGpu } from './flood/flood-field-gpu.js';
export {
  type FloodNeighbors,
  floodSteps,
  type JumpFloodOptions,
  type JumpFloodResult,
  type JumpFloodVariant,
  jumpFlood,
  packSites,
} from './flood/jump-flood.js';
export { GpuFlood, jumpFloodOnGpu } from './flood/jump-flood-gpu.js';
export {
  type Field,
  frameBox,
  type GridFrame,
  type GridSize,
  gridNodeCount,
  gridOverBox,
  nodeIndex,
  nodePosition,
} from './grid.js';
export { extractIsolines, type Isoline } from './isosurface/isolines.js';
export { extractIsosurface, type IsosurfaceOptions } from './isosurface/isosurface.js';
export { extractSparseIsosurface } from './isosurface/sparse-isosurface.js';
export { type BandMarchOptions, type MarchedTimes, marchFromBand } from './march/march-from-band.js';
export { type CompareOptions, compareFields, type FieldDifference } from './read/compare-fields.js';
export { FieldSampler, type SampleOptions } from './read/field-sampler.js';
export { type FieldGradient, fieldGradient } from './read/gradient.js';
export { sampleField, sampleFieldAt, sampleGradient, sampleGradientAt } from './read/sample-field.js';
export { sampleFunction } from './read/sample-function.js';
export { type SliceNode, sliceField } from './read/slice-field.js';
export { type OffsetMesh, type OffsetOptions, offsetMesh } from './solid/offset-mesh.js';
export { type SolidDistance, type SolidifiedMesh, type SolidifyOptions, solidify } from './solid/solidify.js';
export type { SolidRule } from './solid/split-parts.js';
export { computeSparseField, type SparseFieldOptions } from './sparse/compute-sparse-field.js';
export {
  type SparseBlock,
  SparseField,
  type SparseFieldCounters,
  type SparseFieldFacts,
} from './sparse/sparse-field.js';
export { computeSparseFieldInPool } from './sparse/sparse-in-pool.js';
export { type FieldUpdate, MarchedField, type RecomputeReason, type UpdateOptions } from './update/marched-field.js';
