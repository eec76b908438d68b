/**
 * Convex surface decomposition, approximate convex decomposition and Voronoi fracture of solids, and hierarchies of hulls.
 * @module decomposition
 */

export {
  type DecomposeSolidOptions,
  decomposeSolid,
  type SolidDecomposition,
  type SolidPiece,
} from './approximate/decompose-solid.js';
export type { DistanceBounds } from './approximate/hull-depth.js';
export { type DecomposeOptions, decomposeSurface } from './decompose-surface.js';
export {
  type ConvexPieces,
  countNewFaces,
  DECOMPOSITION_METHODS,
  type Decomposition,
  type DecompositionMethod,
  patchCount,
} from './decomposition.js';
export { DECOMPOSITION_DEFAULTS } from './defaults.js';
export { type Fracture, type FractureOptions, type Fragment, fractureSolid } from './fracture/fracture-solid.js';
export { buildHierarchy, type HierarchyOptions } from './hierarchy/build-hierarchy.js';
export {
  bytesPerTriangle,
  CONTAINED,
  type FaceClass,
  FREE,
  type HullHierarchy,
  nodeCount,
  nodeLevels,
  ORIGINAL,
} from './hierarchy/hierarchy.js';
export { readHierarchy, writeHierarchy } from './hierarchy/hierarchy-file.js';
export { SPLIT_RULES, type SplitRule } from './hierarchy/split-pieces.js';
export { type LowerBound, type LowerBounds, lowerBounds } from './patches/lower-bounds.js';
export type { PairMatrixOptions } from './patches/pair-matrix.js';
export { pieceColor, piecesToModel } from './pieces/pieces-to-model.js';
export { findReflexEdges } from './surface/reflex-edges.js';
