/**
 * Clearance in motion, proven: the least gaps of mechanisms, robots and assemblies over their whole motion.
 * @module sweep
 */

export { SWEEP_DEFAULTS } from './defaults.js';
