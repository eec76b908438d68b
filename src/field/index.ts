/**
 * Distance fields on regular grids in the plane and in space: exact, marched, transformed and flooded, dense and sparse,
 * with partial updates, and what can be read from them.
 * @module field
 */

export { computeField, computeFieldSync, FIELD_METHODS } from './compute-field.js';
export {
  DEFAULT_FIELD_METHOD,
  type DistanceField,
  type FieldCounters,
  type FieldError,
  type FieldMethod,
  type FieldOptions,
  type FieldSides,
  type FieldSource,
  type InitialBand,
} from './distance-field.js';
export { exactField } from './exact/exact-field.js';
export {
  type FieldFileOptions,
  fieldNpyParts,
  fieldRawParts,
  type RawFieldHeader,
  rawHeaderOf,
  readFieldNpy,
  readFieldRaw,
  writeFieldNpy,
  writeFieldRaw,
} from './files/field-file.js';
export { type FieldHeader, type FieldPrecision, headerOf, parseFieldHeader } from './files/field-header.js';
export { type FieldLayers, type FieldRange, layersOf, rangeOfField } from './files/field-layers.js';
export { drawField, type FieldPictureOptions, paintField } from './files/field-picture.js';
export { readFieldSlices, type SlicesHeader, type SlicesOptions, writeFieldSlices } from './files/field-slices.js';
export {
  type DistanceTransform,
  type DistanceTransformOptions,
  distanceTransform,
} from './flood/distance-transform.js';
export { floodField } from './flood/flood-field.js';
export { type FloodFieldTimes, floodFieldOnGpu } from './flood/flood-field-gpu.js';
export {
  DEFAULT_JUMP_FLOOD_VARIANT,
  type FloodNeighbors,
  floodSteps,
  type JumpFloodOptions,
  type JumpFloodResult,
  type JumpFloodVariant,
  jumpFlood,
  packSites,
} from './flood/jump-flood.js';
export { GpuFlood, jumpFloodOnGpu } from './flood/jump-flood-gpu.js';
export { transformField } from './flood/transform-field.js';
export {
  allNodes,
  assertField,
  assertGridFrame,
  type Field,
  frameBox,
  type GridFrame,
  type GridSize,
  gridNodeCount,
  gridOverBox,
  MAX_GRID_NODES,
  type NodeBox,
  nodeIndex,
  nodePosition,
  nodesInBox,
} from './grid.js';
export { extractIsolines, type Isoline } from './isosurface/isolines.js';
export { extractIsosurface, type IsosurfaceOptions } from './isosurface/isosurface.js';
export { IsosurfaceMarcher } from './isosurface/isosurface-marcher.js';
export { extractSparseIsosurface } from './isosurface/sparse-isosurface.js';
export { ALIVE, FAR_AWAY, FastMarching, type MarchOptions, NARROW_BAND, WALL } from './march/fast-marching.js';
export {
  DEFAULT_BAND_WIDTH,
  DEFAULT_BAND_WIDTH_WITH_SPEED,
  DEFAULT_ERROR_SAMPLES,
  marchField,
} from './march/march-field.js';
export { type BandMarchOptions, type MarchedTimes, marchFromBand } from './march/march-from-band.js';
export {
  type CompareOptions,
  compareFields,
  type FieldDifference,
  SAME_GRID_TOLERANCE,
} from './read/compare-fields.js';
export { FieldSampler, type SampleOptions } from './read/field-sampler.js';
export { type FieldGradient, fieldGradient } from './read/gradient.js';
export { sampleField, sampleFieldAt, sampleGradient, sampleGradientAt } from './read/sample-field.js';
export { sampleFunction } from './read/sample-function.js';
export { type SliceNode, sliceField } from './read/slice-field.js';
export {
  computeSparseField,
  DEFAULT_SPARSE_BAND_WIDTH,
  type SparseFieldOptions,
} from './sparse/compute-sparse-field.js';
export {
  BLOCK_SIDE,
  BLOCK_VALUES,
  type SparseBlock,
  SparseField,
  type SparseFieldCounters,
  type SparseFieldFacts,
} from './sparse/sparse-field.js';
export {
  type FieldUpdate,
  MarchedField,
  type RecomputeReason,
  UPDATE_DEFAULTS,
  type UpdateOptions,
} from './update/marched-field.js';
