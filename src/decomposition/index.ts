/**
 * Convex surface decomposition and hierarchies of hulls.
 * @module decomposition
 */
export { buildHierarchy, type HierarchyOptions } from './build-hierarchy.js';
export { type DecomposeOptions, decomposeSurface } from './decompose-surface.js';
export {
  type ConvexPieces,
  countNewFaces,
  DECOMPOSITION_METHODS,
  type Decomposition,
  type DecompositionMethod,
  patchCount,
} from './decomposition.js';
export {
  bytesPerTriangle,
  CONTAINED,
  edgeClass,
  type FaceClass,
  FREE,
  type HullHierarchy,
  halfEdgeVertex,
  nodeCount,
  nodeLevels,
  ORIGINAL,
} from './hierarchy.js';
export { readHierarchy, writeHierarchy } from './hierarchy-file.js';
export { type LowerBound, type LowerBounds, lowerBounds } from './lower-bounds.js';
export { DEFAULT_MAX_FACES, type PairMatrixOptions } from './pair-matrix.js';
export { pieceColor, pieceMesh, piecesToModel } from './pieces-to-model.js';
export { findReflexEdges } from './reflex-edges.js';
export { SPLIT_RULES, type SplitRule } from './split-pieces.js';
