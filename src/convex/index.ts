/**
 * Convex hulls: exact on every input, whole or point by point.
 * @module convex
 */
export { buildHull, type Hull } from './hull.js';
export { type HullFacets, mergeFacets } from './hull-facets.js';
export { type HullPosition, IncrementalHull } from './hull-incremental.js';
export { type HullMeasure, hullToMesh, measureHull } from './hull-measure.js';
