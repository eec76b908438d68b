/**
 * Potentially colliding sets of many objects that deform, appear and vanish: by visibility, or by hierarchies built in
 * each call.
 * @module culling
 */

export { CollisionCuller, type CullOptions } from './collision-culler.js';
export type { CullCounters, CullMethod, CullResult, CullStage } from './cull-result.js';
export { CULLING_DEFAULTS } from './defaults.js';
export type { CullOutput } from './pair-collector.js';
