/**
 * Potentially colliding sets of many objects that deform, appear and vanish: by visibility, or by hierarchies built in
 * each call.
 * @module culling
 */

export { CollisionCuller, CULLING_DEFAULTS, type CullOptions } from './collision-culler.js';
export type { CullCounters, CullMethod, CullResult, CullStage } from './cull-result.js';
export type { CullOutput } from './pair-collector.js';
