/**
 * Convex hulls, exact on every input, whole or point by point; closest features, distance and depth of convex pairs.
 * @module convex
 */
export {
  type ClosestFeatures,
  type ClosestFeaturesOptions,
  type ConvexFeature,
  closestFeatures,
} from './closest/closest-features.js';
export { type ConvexSet, createConvexSet, createConvexSetOf } from './closest/convex-set.js';

export { buildHull, type Hull } from './hull/hull.js';
export { type HullFacets, mergeFacets } from './hull/hull-facets.js';
export { type HullPosition, IncrementalHull } from './hull/hull-incremental.js';
export { type HullMeasure, hullToMesh, measureHull } from './hull/hull-measure.js';
export { type ConvexDepth, convexDepth } from './minkowski/convex-depth.js';
export { buildMinkowskiSum, type MinkowskiSum, type MinkowskiSumOptions } from './minkowski/minkowski-sum.js';
export { MinkowskiSums, type MinkowskiSumsOptions } from './minkowski/minkowski-sums.js';
