// How deep two solids overlap: the globally shortest translation that separates them, not only around where they touch. On
// the CPU, or on a GPU where the method uses images.
import type { ReadonlyPose } from '../core/pose.js';
import { chooseBackend, runOnBackend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertPenetrationOptions } from './arguments.js';
import { searchOnCpu } from './cpu-search.js';
import { seeGpuRays } from './gpu/see-rays-gpu.js';
import { resolutionOf, upperEstimate } from './image-space.js';
import { answerForModels, areStandIns, makeStandIns, optionsForStandIns } from './measure-stand-ins.js';
import type { PenetrationOptions } from './options.js';
import { PENETRATION_DEFAULTS } from './options.js';
import {
  answerEarly,
  answerQuery,
  beginQuery,
  beginWithin,
  hasBegun,
  type PenetrationQuery,
} from './penetration-query.js';
import { measureByWindows } from './published/measure-by-windows.js';
import type { PenetrationResult } from './result.js';
import { createSums } from './union/descent.js';

/** The computation's name in messages about devices. */
const WHAT = 'Penetration depth';

/**
 * The shortest translation of A after which it no longer meets B, as an interval that holds its length, the depth. An
 * exact test confirms that a vector of the upper end's length separates the models; it is proven that no vector shorter
 * than the lower end does, which is 0 with the method 'image-space'. Two convex models are answered exactly.
 * @throws NearfieldError for a mesh that bounds no solid, see {@link preparePenetration}, for options out of range, and
 * for the backend 'webgpu' `no-gpu` without a device and `device-lost` with one that is lost.
 */
export async function measurePenetration(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): Promise<PenetrationResult> {
  assertPenetrationOptions(options);
  chooseBackend(options, WHAT);
  if (!options.solidify) return measureOnBackend(a, b, poseA, poseB, options);
  const pair = makeStandIns(a, b, poseA, poseB, options);
  if (!areStandIns(pair)) return pair;
  const result = await measureOnBackend(pair.a.model, pair.b.model, poseA, poseB, optionsForStandIns(pair));
  return answerForModels(pair, result);
}

/** Measures two solids with the method, query and backend of the options, which have been checked. */
async function measureOnBackend(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const { method = PENETRATION_DEFAULTS.method } = options;
  const query = beginWithin(a, b, poseA, poseB, options);
  if (!hasBegun(query)) return query;
  const early = answerEarly(query, method);
  if (early !== null) return early;
  if (method === 'certified') return searchOnCpu(query, options);
  const byWindows = options.query === 'windows';
  return runOnBackend(
    options,
    WHAT,
    (gpu) => (byWindows ? measureByWindows(query, gpu, options) : measureByGpuRays(query, gpu, options)),
    async (fallback) => {
      // A device that failed midway may have improved the bound; the CPU starts afresh, so that its answer is its own.
      const asked = fallback === null ? query : beginQuery(a, b, poseA, poseB, options);
      const result = byWindows ? await measureByWindows(asked, null, options) : searchOnCpu(asked, options);
      return fallback === null ? result : { ...result, fallback };
    },
  );
}

/** Measures by rays on the GPU if it can answer; else by rays on the CPU. */
async function measureByGpuRays(
  query: PenetrationQuery,
  gpu: GpuDevice,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const levels = await seeGpuRays(query, gpu, createSums(query.a, query.b), resolutionOf(true, options));
  if (levels === null) return { ...searchOnCpu(query, options), fallback: 'unsupported' };
  return answerQuery(query, levels, upperEstimate('webgpu'));
}
