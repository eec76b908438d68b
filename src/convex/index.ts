/**
 * Convex hulls, exact on every input, whole or point by point; closest features, distance and depth of convex pairs.
 * @module convex
 */
export {
  type ClosestFeatures,
  type ClosestFeaturesOptions,
  type ConvexFeature,
  closestFeatures,
} from './closest-features.js';
export { type ConvexDepth, convexDepth } from './convex-depth.js';
export { type ConvexArrays, type ConvexSet, createConvexSet, createConvexSetOf } from './convex-set.js';
export { DirectionLookup } from './direction-lookup.js';
export { Epa } from './epa.js';
export { featureHandle, featureKind, featureVertices, NO_FEATURE } from './feature.js';
export { Gjk } from './gjk.js';
export { buildHull, type Hull } from './hull.js';
export { type HullFacets, mergeFacets } from './hull-facets.js';
export { type HullPosition, IncrementalHull } from './hull-incremental.js';
export { type HullMeasure, hullToMesh, measureHull } from './hull-measure.js';
export { ConvexMarch } from './march.js';
export { MinkowskiSimplex } from './minkowski-simplex.js';
export { buildMinkowskiSum, type MinkowskiSum, type MinkowskiSumOptions } from './minkowski-sum.js';
export { MinkowskiSums, type MinkowskiSumsOptions } from './minkowski-sums.js';
