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
export { type ConvexArrays, type ConvexSet, createConvexSet, createConvexSetOf } from './closest/convex-set.js';
export { DirectionLookup } from './closest/direction-lookup.js';
export { Epa } from './closest/epa.js';
export { featureHandle, featureKind, featureVertices, NO_FEATURE } from './closest/feature.js';
export { Gjk } from './closest/gjk.js';
export { ConvexMarch } from './closest/march.js';
export { MinkowskiSimplex } from './closest/minkowski-simplex.js';
export { buildHull, type Hull } from './hull/hull.js';
export { type HullFacets, mergeFacets } from './hull/hull-facets.js';
export { type HullPosition, IncrementalHull } from './hull/hull-incremental.js';
export { type HullMeasure, hullToMesh, measureHull } from './hull/hull-measure.js';
export { type ConvexDepth, convexDepth } from './minkowski/convex-depth.js';
export { buildMinkowskiSum, type MinkowskiSum, type MinkowskiSumOptions } from './minkowski/minkowski-sum.js';
export { MinkowskiSums, type MinkowskiSumsOptions } from './minkowski/minkowski-sums.js';
