// How deep two solids overlap, on the CPU and without a promise. No rasterizer and no code for devices is imported from
// here, so that applications and chapters without a GPU do not carry them.
import type { ReadonlyPose } from '../core/pose.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertPenetrationOptions, assertWithoutPromise } from './arguments.js';
import { measureSolids } from './cpu-search.js';
import { answerForModels, areStandIns, makeStandIns, optionsForStandIns } from './measure-stand-ins.js';
import type { PenetrationOptions } from './options.js';
import type { PenetrationResult } from './result.js';

/** As {@link measurePenetration}, on the CPU with rays, synchronously. */
export function measurePenetrationSync(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): PenetrationResult {
  assertPenetrationOptions(options);
  assertWithoutPromise(options);
  if (!options.solidify) return measureSolids(a, b, poseA, poseB, options);
  const pair = makeStandIns(a, b, poseA, poseB, options);
  if (!areStandIns(pair)) return pair;
  const result = measureSolids(pair.a.model, pair.b.model, poseA, poseB, optionsForStandIns(pair));
  return answerForModels(pair, result);
}
