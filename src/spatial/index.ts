/**
 * Bounding volume hierarchies over flat arrays of boxes: build, refit, traverse one, or one with itself.
 * @module spatial
 */

export { boxesOverlap } from './box-relations.js';
export { type BvhOptions, buildBvh, SPATIAL_DEFAULTS } from './build-bvh.js';
export type { Bvh } from './bvh.js';

export { refitBvh } from './refit-bvh.js';

export { type BoxVisitor, traverseBvh } from './traverse-bvh.js';
export { type SelfPairVisitor, traverseSelf } from './traverse-bvh-self.js';
