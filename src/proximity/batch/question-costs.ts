// What questions about pairs cost, so that pools get jobs of about equal cost.
import { triangleCount } from '../../mesh/mesh.js';
import type { ProximityModel } from '../proximity-model.js';

/**
 * Measured on models of 84 to 35,000 triangles, true within a factor of four: the cost of a question is this times
 * {@link pairSize}. The unit is the test of two parts for a clash, or for an intersection.
 */
export const QUESTION_COSTS = { intersects: 1, within: 4, distance: 32, contacts: 32, depth: 1024 } as const;

/** The size that the cost of a question grows with. */
export function pairSize(a: ProximityModel, b: ProximityModel): number {
  return Math.sqrt(triangleCount(a.mesh)) + Math.sqrt(triangleCount(b.mesh));
}
