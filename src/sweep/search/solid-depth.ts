// The depth of two parts where they overlap, if both bound solids.
import { NearfieldError } from '../../core/errors.js';
import type { Pose } from '../../core/pose.js';
import { measurePenetrationSync } from '../../penetration/measure-on-cpu.js';
import type { PenetrationResult } from '../../penetration/result.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** The depth within a relative error and a number of cells; null for models that have none, such as those that cross themselves. */
export function solidDepth(
  a: ProximityModel,
  b: ProximityModel,
  poseA: Pose,
  poseB: Pose,
  relativeGap: number,
  maxCells: number,
): PenetrationResult | null {
  if (!a.closed || !b.closed) return null;
  try {
    return measurePenetrationSync(a, b, poseA, poseB, { relativeGap, maxCells });
  } catch (error) {
    if (error instanceof NearfieldError) return null;
    throw error;
  }
}
