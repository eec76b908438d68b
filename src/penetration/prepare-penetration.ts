// Everything that queries derive from a model, made ahead of them.
import { PROGRESS_OPTIONS } from '../core/check/option-table.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { prepareSolid } from './solid.js';
import { findDeepPoints } from './union/inner-balls.js';

/**
 * Checks that a model is a solid and prepares it for penetration queries; otherwise the first query does it, also within
 * its `maxMilliseconds`.
 * @throws NearfieldError for a mesh that bounds no solid: one that is open, turned inside out, or intersects itself.
 */
export function preparePenetration(model: ProximityModel, options?: ProgressOptions): void {
  PROGRESS_OPTIONS.assert(options);
  findDeepPoints(prepareSolid(model, partOfProgress(options, 0, 0.8)), partOfProgress(options, 0.8, 1));
}
