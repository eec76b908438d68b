// The points of a result into vectors of three.js, without new objects.
import type { Vector3 } from 'three';
import type { PenetrationResult } from '../penetration/result.js';
import type { DistanceResult, Witness } from '../proximity/result.js';

/**
 * Writes the two points of a result, a witness or a contact to vectors, in the world frame. Returns false and leaves the
 * vectors alone if the result has no points: beyond the cut-off, or for a depth of zero.
 */
export function writeWitness(
  result: DistanceResult | PenetrationResult | Witness | null,
  pointA: Vector3,
  pointB: Vector3,
): boolean {
  const points = result !== null && 'witness' in result ? result.witness : result;
  if (points === null || points.pointA === null || points.pointB === null) return false;
  pointA.fromArray(points.pointA);
  pointB.fromArray(points.pointB);
  return true;
}
