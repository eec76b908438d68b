// How deep two solids overlap: the shortest translation that separates them, from anywhere, not only around where they touch.
import { MinkowskiSums } from '../convex/minkowski-sums.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import { reportProgress } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import type { GpuDevice } from '../gpu/device.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertDevice } from '../raster/arguments.js';
import { createSoftwareRasterizer } from '../raster/software-rasterizer.js';
import { createWebGpuRasterizer } from '../raster/webgpu-rasterizer.js';
import { assertPenetrationOptions } from './arguments.js';
import { BlockQuery } from './block-query.js';
import { Certifier } from './certifier.js';
import { type DescentOptions, descend, type LevelUnion } from './descent.js';
import {
  DEFAULT_COARSE_RESOLUTION,
  DEFAULT_MAX_CELLS,
  DEFAULT_METHOD,
  DEFAULT_RELATIVE_GAP,
  DEFAULT_RESOLUTION,
  type Descent,
  type PenetrationOptions,
} from './options.js';
import { answerEarly, answerQuery, beginQuery, type Ending, type PenetrationQuery } from './penetration-query.js';
import type { PenetrationResult } from './result.js';
import { seeAllPixels } from './see-all-pixels.js';
import { seeWindows } from './see-windows.js';
import type { Solid } from './solid.js';
import { WindowQuery } from './window-query.js';

/** As {@link measurePenetration} on the CPU, with rays, without a promise. */
export function measurePenetrationSync(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): PenetrationResult {
  assertPenetrationOptions(options);
  if (options.query === 'windows' || options.backend === 'webgpu') {
    throw new NearfieldError(
      'bad-argument',
      "Windows and the backend 'webgpu' answer by a promise: call measurePenetration instead of measurePenetrationSync.",
    );
  }
  return measureOnCpu(beginQuery(a, b, poseA, poseB, options), options);
}

/**
 * How far A must be moved, at least, so that it no longer meets B, and along which vector. An upper estimate: the vector is
 * confirmed to separate the models, a shorter one may too where a slot is thinner than a pixel. Two convex models are
 * answered exactly.
 * @throws NearfieldError for a mesh that bounds no solid, see {@link preparePenetration}, and for options out of range.
 */
export async function measurePenetration(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): Promise<PenetrationResult> {
  assertPenetrationOptions(options);
  const { method = DEFAULT_METHOD } = options;
  const gpu = chooseDevice(options);
  const query = beginQuery(a, b, poseA, poseB, options);
  if (method === 'certified' || ((options.query ?? 'rays') === 'rays' && gpu === null)) {
    return measureOnCpu(query, options);
  }
  const early = answerEarly(query, method);
  if (early !== null) return early;
  return seeByWindows(query, gpu, options);
}

/** Answers a query on the CPU. `seed`: a vector of A's frame to begin with. */
export function measureOnCpu(
  query: PenetrationQuery,
  options: PenetrationOptions,
  seed: Vec3 | null = null,
): PenetrationResult {
  const { method = DEFAULT_METHOD } = options;
  const early = answerEarly(query, method);
  if (early !== null) return early;
  const workspace = takeWorkspace(query.a, query.b);
  const result =
    method === 'certified' ? certify(query, workspace, options, seed) : seeByRays(query, workspace, options, seed);
  returnWorkspace(query.a, query.b, workspace);
  return result;
}

function certify(
  query: PenetrationQuery,
  { certifier, sums }: Workspace,
  options: PenetrationOptions,
  seed: Vec3 | null,
): PenetrationResult {
  const { a, b, placement, separation, started } = query;
  const {
    relativeGap = DEFAULT_RELATIVE_GAP,
    maxCells = DEFAULT_MAX_CELLS,
    maxMilliseconds = Infinity,
    onCells,
  } = options;
  const deadline = started + maxMilliseconds;
  let closed = false;
  const descent = descend(a, b, placement, separation, sums, descentOptions(options, 'probes', seed));
  let step = descent.next();
  while (!step.done) {
    const { union, distances } = step.value;
    const before = union.rays;
    closed = certifier.run(union, distances, separation, {
      relativeGap,
      maxCells,
      deadline,
      onCells: (state) => {
        reportProgress(options, Math.min(1, state.cells / maxCells), 'certificate');
        onCells?.({ lower: state.lower, upper: separation.length, cells: state.cells, open: state.openCells });
      },
    });
    trace(step.value, null, 0, options);
    step = descent.next(union.rays - before);
  }
  const status = closed ? 'certified' : 'budget';
  const { lower, cells } = certifier;
  return answerQuery(query, step.value, { status, method: 'certified', backend: 'cpu', lower, cells });
}

function seeByRays(
  query: PenetrationQuery,
  { blocks, sums }: Workspace,
  options: PenetrationOptions,
  seed: Vec3 | null,
): PenetrationResult {
  const { a, b, placement, separation } = query;
  const descent = descend(a, b, placement, separation, sums, descentOptions(options, 'probes', seed));
  for (let step = descent.next(); ; step = descent.next(seeRays(blocks, step.value, options))) {
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

/** The device to use, or null for the CPU. */
function chooseDevice({ backend = 'auto', device: given }: PenetrationOptions): GpuDevice | null {
  const device = given ?? null;
  if (backend === 'webgpu' && device === null) {
    throw new NearfieldError(
      'no-gpu',
      "The backend 'webgpu' needs a device: give { device: await requestGpuDevice() }, or use backend 'cpu'.",
    );
  }
  if (backend === 'cpu' || device === null || (backend === 'auto' && (device.isSoftware || device.isLost))) return null;
  assertDevice(device);
  return device;
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

/** What queries of two solids work in. */
interface Workspace {
  readonly blocks: BlockQuery;
  readonly certifier: Certifier;
  readonly sums: MinkowskiSums;
}

/**
 * The memory of the last query of a solid with another one, for the next such query; nothing is remembered in it. Goes when
 * either solid does. A query takes it out while it runs, because it may call back and its caller ask again.
 */
const workspaces = new WeakMap<Solid, WeakMap<Solid, Workspace>>();

/** Memory of more facets than this, some 50 MB, is let go: the largest pairs take gigabytes. */
const MAX_KEPT_FACETS = 1e6;

function takeWorkspace(a: Solid, b: Solid): Workspace {
  const kept = workspaces.get(a)?.get(b);
  if (kept === undefined) return { blocks: new BlockQuery(), certifier: new Certifier(), sums: createSums(a, b) };
  workspaces.get(a)!.delete(b);
  return kept;
}

function returnWorkspace(a: Solid, b: Solid, workspace: Workspace): void {
  if (workspace.sums.facetCount > MAX_KEPT_FACETS) return;
  workspaces.set(a, new WeakMap([[b, workspace]]));
}

function createSums(a: Solid, b: Solid): MinkowskiSums {
  return new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
}

function descentOptions(options: PenetrationOptions, usual: Descent, seed: Vec3 | null = null): DescentOptions {
  return { seed, descent: options.descent ?? usual, signal: options.signal, onProgress: options.onProgress };
}

function seeRays(blocks: BlockQuery, level: LevelUnion, options: PenetrationOptions): number {
  const { union, distances, separation, last, exhaustive } = level;
  const resolution = resolutionOf(last, options);
  const before = union.rays;
  if (exhaustive) seeAllPixels(level, resolution, options);
  else blocks.run(union, distances, separation, resolution, options);
  trace(level, null, resolution, options);
  return union.rays - before;
}

function resolutionOf(last: boolean, options: PenetrationOptions): number {
  const { resolution = DEFAULT_RESOLUTION, coarseResolution = DEFAULT_COARSE_RESOLUTION } = options;
  return last ? resolution : coarseResolution;
}
