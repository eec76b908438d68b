/**
 * Distance fields on regular grids in the plane and in space: exact, marched, transformed and flooded, dense and sparse,
 * with partial updates, and what can be read from them.
 * @module field
 */

export { type CompareOptions, compareFields, type FieldDifference, SAME_GRID_TOLERANCE } from './compare-fields.js';
export { computeField, computeFieldSync, FIELD_METHODS } from './compute-field.js';
export { computeSparseField, DEFAULT_SPARSE_BAND_WIDTH, type SparseFieldOptions } from './compute-sparse-field.js';
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
export { type DistanceTransform, type DistanceTransformOptions, distanceTransform } from './distance-transform.js';
export { exactField } from './exact-field.js';
export { ALIVE, FAR_AWAY, FastMarching, type MarchOptions, NARROW_BAND, WALL } from './fast-marching.js';
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
} from './field-file.js';
export { type FieldHeader, type FieldPrecision, headerOf, parseFieldHeader } from './field-header.js';
export { type FieldLayers, type FieldRange, layersOf, rangeOfField } from './field-layers.js';
export { drawField, type FieldPictureOptions, paintField } from './field-picture.js';
export { FieldSampler, type SampleOptions } from './field-sampler.js';
export { readFieldSlices, type SlicesHeader, type SlicesOptions, writeFieldSlices } from './field-slices.js';
export { floodField } from './flood-field.js';
export { type FloodFieldTimes, floodFieldOnGpu } from './flood-field-gpu.js';
export { type FieldGradient, fieldGradient } from './gradient.js';
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
export { extractIsolines, type Isoline } from './isolines.js';
export { extractIsosurface, type IsosurfaceOptions } from './isosurface.js';
export { IsosurfaceMarcher } from './isosurface-marcher.js';
export {
  DEFAULT_JUMP_FLOOD_VARIANT,
  type FloodNeighbors,
  floodSteps,
  type JumpFloodOptions,
  type JumpFloodResult,
  type JumpFloodVariant,
  jumpFlood,
  packSites,
} from './jump-flood.js';
export { GpuFlood, jumpFloodOnGpu } from './jump-flood-gpu.js';
export { DEFAULT_BAND_WIDTH, DEFAULT_BAND_WIDTH_WITH_SPEED, DEFAULT_ERROR_SAMPLES, marchField } from './march-field.js';
export { type BandMarchOptions, type MarchedTimes, marchFromBand } from './march-from-band.js';
export {
  type FieldUpdate,
  MarchedField,
  type RecomputeReason,
  UPDATE_DEFAULTS,
  type UpdateOptions,
} from './marched-field.js';
export { sampleField, sampleFieldAt, sampleGradient, sampleGradientAt } from './sample-field.js';
export { sampleFunction } from './sample-function.js';
export { type SliceNode, sliceField } from './slice-field.js';
export {
  BLOCK_SIDE,
  BLOCK_VALUES,
  type SparseBlock,
  SparseField,
  type SparseFieldCounters,
  type SparseFieldFacts,
} from './sparse-field.js';
export { extractSparseIsosurface } from './sparse-isosurface.js';
export { transformField } from './transform-field.js';
