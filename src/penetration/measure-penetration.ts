// How deep two solids overlap: the globally shortest translation that separates them, not only around where they touch.
import type { MinkowskiSums } from '../convex/minkowski/minkowski-sums.js';
import { takePose } from '../core/check/check-pose.js';
import { bytesOf, type Part } from '../core/derived-parts.js';
import { invertPlacement } from '../core/placement.js';
import type { ReadonlyPose } from '../core/pose.js';
import { reportProgress } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import { chooseBackend, runOnBackend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import { assertModel } from '../proximity/arguments.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { createWebGpuRasterizer } from '../raster/gpu/rasterizer-gpu.js';
import { createSoftwareRasterizer } from '../raster/software/software-rasterizer.js';
import { assertPenetrationOptions, assertWithoutPromise } from './arguments.js';
import type { Budget } from './budget.js';
import { Certifier } from './certificate/certifier.js';
import { PENETRATION_DEFAULTS } from './defaults.js';
import { seeGpuRays } from './gpu/see-rays-gpu.js';
import type { PenetrationDescent, PenetrationOptions } from './options.js';
import {
  answerEarly,
  answerQuery,
  beginQuery,
  beginWithin,
  budgetOf,
  type Ending,
  hasBegun,
  type PenetrationQuery,
} from './penetration-query.js';
import type { PenetrationLevel, PenetrationResult } from './result.js';
import { answerRoughly } from './rough-answer.js';
import type { Separation } from './separation.js';
import type { Solid } from './solid.js';
import { type StandIn, standInFor, widen } from './solidified.js';
import { CellQuery } from './union/cell-query.js';
import { createSums, type DescentOptions, descend, type LevelUnion, offerBoxes } from './union/descent.js';
import { InnerBalls, knowsDeepPoints } from './union/inner-balls.js';
import { seeAllPixels } from './union/see-all-pixels.js';
import { seeWindows } from './windows/see-windows.js';
import { WindowQuery } from './windows/window-query.js';

/** The computation's name in messages about devices. */
const WHAT = 'Penetration depth';

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
  if (options.solidify) {
    const stand = standForBoth(a, b, poseA, poseB, options);
    if (!('models' in stand)) return stand;
    return stand.widen(measurePenetrationSync(...stand.models, poseA, poseB, stand.options));
  }
  const query = beginWithin(a, b, poseA, poseB, options);
  if (!hasBegun(query)) return query;
  return answerEarly(query, options.method ?? PENETRATION_DEFAULTS.method) ?? searchOnCpu(query, options);
}

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
  const { method = PENETRATION_DEFAULTS.method } = options;
  chooseBackend(options, WHAT);
  if (options.solidify) {
    const stand = standForBoth(a, b, poseA, poseB, options);
    if (!('models' in stand)) return stand;
    return stand.widen(await measurePenetration(...stand.models, poseA, poseB, stand.options));
  }
  const query = beginWithin(a, b, poseA, poseB, options);
  if (!hasBegun(query)) return query;
  const early = answerEarly(query, method);
  if (early !== null) return early;
  if (method === 'certified') return searchOnCpu(query, options);
  const byWindows = options.query === 'windows';
  return runOnBackend(
    options,
    WHAT,
    (gpu) => (byWindows ? seeByWindows(query, gpu, options) : seeByGpu(query, gpu, options)),
    async (fallback) => {
      // A device that failed midway may have improved the bound; the CPU starts afresh, so that its answer is its own.
      const asked = fallback === null ? query : beginQuery(a, b, poseA, poseB, options);
      const result = byWindows ? await seeByWindows(asked, null, options) : searchOnCpu(asked, options);
      return fallback === null ? result : { ...result, fallback };
    },
  );
}

/** Two models to be measured in place of others, and what makes the answer for the others. */
interface StoodFor {
  readonly models: readonly [ProximityModel, ProximityModel];
  readonly options: PenetrationOptions;
  widen(result: PenetrationResult): PenetrationResult;
}

/**
 * Stand-ins for both models, within the budget; a rough answer for the models themselves if it does not allow them. Of
 * what is left after making them, the solids get a part for the upper bound, and the solids inside them the rest.
 */
function standForBoth(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): StoodFor | PenetrationResult {
  const { method = PENETRATION_DEFAULTS.method } = options;
  const how = typeof options.solidify === 'object' ? options.solidify : {};
  const [unitA, unitB] = [takePose(poseA, 'A'), takePose(poseB, 'B')];
  assertModel(a, 'The model');
  assertModel(b, 'The model');
  const budget = budgetOf(options);
  const standA = standInFor(a, how, budget);
  const standB = standA && standInFor(b, how, budget);
  if (standA === null || standB === null) return answerRoughly(a, b, unitA, unitB, method, budget);
  const isExact = standA.error === 0 && standB.error === 0;
  const share = isExact ? 1 : UPPER_SHARE;
  return {
    models: [standA.model, standB.model],
    options: withinLeft(options, budget, share),
    widen(result) {
      const lower =
        method === 'certified' && !isExact ? measureInner(standA, standB, poseA, poseB, options, budget) : 0;
      return widen(standA, standB, poseA, poseB, result, lower, budget);
    },
  };
}

/** The share of the time left that the upper bound gets, where the lower one comes from other solids. */
const UPPER_SHARE = 0.5;

/** The options of a query that may take a share of the time left, without `solidify`. */
function withinLeft(options: PenetrationOptions, budget: Budget, share: number): PenetrationOptions {
  return {
    ...options,
    solidify: false,
    maxMilliseconds: budget.limited ? share * budget.left : options.maxMilliseconds,
  };
}

/** A lower bound of the depth of all solids within the errors of two stand-ins: that of the solids inside them all. */
function measureInner(
  a: StandIn,
  b: StandIn,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
  budget: Budget,
): number {
  if (budget.spent) return 0;
  try {
    const [innerA, innerB] = [a.inner(budget.progress), b.inner(budget.progress)];
    if (innerA === null || innerB === null) return 0;
    return measurePenetrationSync(innerA, innerB, poseA, poseB, withinLeft(options, budget, 1)).lower;
  } catch (error) {
    budget.absorb(error);
    return 0;
  }
}

/** By rays on the GPU if it can answer; else by rays on the CPU. */
async function seeByGpu(
  query: PenetrationQuery,
  gpu: GpuDevice,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const levels = await seeGpuRays(query, gpu, createSums(query.a, query.b), resolutionOf(true, options));
  if (levels === null) return { ...searchOnCpu(query, options), fallback: 'unsupported' };
  return answerQuery(query, levels, estimate('webgpu'));
}

/** Answers a query on the CPU that has no early answer. `seed`: a vector of A's frame to start with. */
export function searchOnCpu(
  query: PenetrationQuery,
  options: PenetrationOptions,
  seed: Vec3 | null = null,
): PenetrationResult {
  const { method = PENETRATION_DEFAULTS.method } = options;
  const workspace = takeWorkspace(query.a, query.b);
  const result =
    method === 'certified' ? certify(query, workspace, options, seed) : seeByRays(query, workspace, options, seed);
  returnWorkspace(query.a, query.b, workspace);
  return result;
}

function certify(
  query: PenetrationQuery,
  workspace: Workspace,
  options: PenetrationOptions,
  seed: Vec3 | null,
): PenetrationResult {
  const { separation, budget } = query;
  const { certifier } = workspace;
  const { relativeGap = PENETRATION_DEFAULTS.relativeGap } = options;
  const levels: PenetrationLevel[] = [];
  certifier.reset();
  try {
    certifyLevels(query, workspace, { ...options, ...budget.progress }, seed, levels);
  } catch (error) {
    budget.absorb(error);
    // The roots of the descent were not reached.
    if (separation.vector === null) offerBoxes(query.a, query.b, query.placement, separation);
  }
  const { cells } = certifier;
  const lower = budget.spent ? Math.max(certifier.lower, depthOfBalls(query)) : certifier.lower;
  const closed = separation.length - lower <= relativeGap * separation.length;
  const status = closed ? 'certified' : 'budget';
  return answerQuery(query, levels, { status, method: 'certified', backend: 'cpu', lower, cells });
}

/** What the balls inside both solids prove, if they are known. */
function depthOfBalls({ a, b, placement, separation }: PenetrationQuery): number {
  if (!knowsDeepPoints(a, b)) return 0;
  const balls = new InnerBalls(a, b, placement, invertPlacement(placement));
  return Math.max(0, Math.min(balls.radiusAt(0, 0, 0), separation.distance));
}

function certifyLevels(
  query: PenetrationQuery,
  { cellQuery, certifier, sums }: Workspace,
  options: PenetrationOptions,
  seed: Vec3 | null,
  levels: PenetrationLevel[],
): void {
  const { a, b, placement, separation, budget } = query;
  const { relativeGap = PENETRATION_DEFAULTS.relativeGap, maxCells = PENETRATION_DEFAULTS.maxCells } = options;
  const { deadline } = budget;
  const descent = descend(a, b, placement, separation, sums, descentOptions(options, 'probes', seed), levels);
  let step = descent.next();
  while (!step.done) {
    const level = step.value;
    const { union, distances, last } = level;
    const before = union.rays;
    // Only the last level's sums are of parts of the solids; sums of hulls above can only improve the upper bound.
    let closed = false;
    if (last) {
      const onCells = (state: Certifier): void => tellCells(state, separation, options);
      closed = certifier.run(union, distances, separation, { relativeGap, maxCells, deadline, onCells });
    }
    // Where the proof does not close the gap, the images may still find a shorter vector than its rays did.
    if (!closed && maxCells > 0 && !budget.spent) {
      cellQuery.run(union, distances, separation, resolutionOf(last, options), options);
    }
    trace(level, null, 0, options);
    step = descent.next(union.rays - before);
  }
}

function tellCells({ lower, cells, openCells }: Certifier, separation: Separation, options: PenetrationOptions): void {
  const { relativeGap = PENETRATION_DEFAULTS.relativeGap, maxCells = PENETRATION_DEFAULTS.maxCells, onCells } = options;
  reportProgress(options, Math.min(1, cells / maxCells), 'certificate');
  if (onCells === undefined) return;
  const upper = separation.length;
  onCells({ lower, upper, cells, open: openCells.filter(({ reach }) => reach < (1 - relativeGap) * upper) });
}

function seeByRays(
  query: PenetrationQuery,
  { cellQuery, sums }: Workspace,
  options: PenetrationOptions,
  seed: Vec3 | null,
): PenetrationResult {
  const { a, b, placement, separation } = query;
  const descent = descend(a, b, placement, separation, sums, descentOptions(options, 'probes', seed));
  for (let step = descent.next(); ; step = descent.next(seeRays(cellQuery, step.value, options))) {
    if (step.done) return answerQuery(query, step.value, estimate('cpu'));
  }
}

async function seeByWindows(
  query: PenetrationQuery,
  gpu: GpuDevice | null,
  options: PenetrationOptions,
): Promise<PenetrationResult> {
  const { a, b, placement, separation } = query;
  const rasterizer = gpu === null ? createSoftwareRasterizer() : createWebGpuRasterizer(gpu);
  const windows = new WindowQuery(rasterizer);
  try {
    const descent = descend(a, b, placement, separation, createSums(a, b), descentOptions(options, 'levels'));
    let step = descent.next();
    while (!step.done) {
      const level = step.value;
      const resolution = resolutionOf(level.last, options);
      const scene = { a, b, placement, resolution, wholeImages: options.trace !== undefined };
      const { distances } = await seeWindows(windows, level, scene);
      trace(level, distances, resolution, options);
      step = descent.next(distances.length);
    }
    return answerQuery(query, step.value, estimate(rasterizer.backend));
  } finally {
    windows.destroy();
    rasterizer.destroy();
  }
}

function estimate(backend: 'cpu' | 'webgpu'): Ending {
  return { status: 'upper-estimate', method: 'image-space', backend, lower: 0, cells: 0 };
}

function trace(
  { level, union, nodes, separation }: LevelUnion,
  distances: Float32Array | null,
  resolution: number,
  options: PenetrationOptions,
): void {
  options.trace?.({
    level,
    sums: union.sums,
    nodes: nodes.subarray(0, 2 * union.sums.count),
    distances,
    resolution,
    vector: separation.vector ?? [0, 0, 0],
    estimate: separation.distance,
  });
}

/** The working memory of queries of two solids. */
interface Workspace {
  readonly cellQuery: CellQuery;
  readonly certifier: Certifier;
  readonly sums: MinkowskiSums;
}

/**
 * The memory of the last query of a model with another one, reused by the next such query; no results are kept in it. A
 * query takes it out while it runs, because its callbacks may start another query.
 */
const WORKSPACE: Part<ProximityModel, { partner: Solid | null; workspace: Workspace | null }> = {
  name: 'penetration workspace',
  make: () => ({ partner: null, workspace: null }),
  bytes: ({ workspace }) => (workspace === null ? 0 : bytesOf({ ...workspace.sums })),
};

/** Memory of more facets than this, some 50 MB, is released: the largest pairs take gigabytes. */
const MAX_KEPT_FACETS = 1e6;

function takeWorkspace(a: Solid, b: Solid): Workspace {
  const kept = a.model.parts.get(WORKSPACE);
  const { partner, workspace } = kept;
  kept.partner = null;
  kept.workspace = null;
  if (partner === b && workspace !== null) return workspace;
  return { cellQuery: new CellQuery(), certifier: new Certifier(), sums: createSums(a, b) };
}

function returnWorkspace(a: Solid, b: Solid, workspace: Workspace): void {
  if (workspace.sums.facetCount > MAX_KEPT_FACETS) return;
  a.model.parts.set(WORKSPACE, { partner: b, workspace });
}

function descentOptions(
  options: PenetrationOptions,
  usual: PenetrationDescent,
  seed: Vec3 | null = null,
): DescentOptions {
  return { seed, descent: options.descent ?? usual, signal: options.signal, onProgress: options.onProgress };
}

function seeRays(cellQuery: CellQuery, level: LevelUnion, options: PenetrationOptions): number {
  const { union, distances, separation, last, exhaustive } = level;
  const resolution = resolutionOf(last, options);
  const before = union.rays;
  if (exhaustive) seeAllPixels(level, resolution, options);
  else cellQuery.run(union, distances, separation, resolution, options);
  trace(level, null, resolution, options);
  return union.rays - before;
}

function resolutionOf(last: boolean, options: PenetrationOptions): number {
  const { resolution = PENETRATION_DEFAULTS.resolution, coarseResolution = PENETRATION_DEFAULTS.coarseResolution } =
    options;
  return last ? resolution : coarseResolution;
}
