/**
 * nearfield: every proximity question about shapes, each answer with its error.
 * The same names are exported by chapter, from `nearfield/core`, `nearfield/mesh` and so on.
 * @module nearfield
 */
export * from './convex/index.js';
export * from './core/index.js';
export * from './culling/index.js';
export * from './decomposition/index.js';
export * from './dynamics/index.js';
export * from './elastic/index.js';
export * from './field/index.js';
export * from './gpu/index.js';
export * from './ice/index.js';
export * from './io/index.js';
export * from './mesh/index.js';
export * from './penetration/index.js';
export * from './pivot/index.js';
export * from './planning/index.js';
export * from './proximity/index.js';
export * from './raster/index.js';
export * from './spatial/index.js';
export * from './sweep/index.js';
export * from './voronoi/index.js';
