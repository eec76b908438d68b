// How deep two solids overlap: the shortest translation that separates them, from anywhere, not only around where they touch.
import { MinkowskiSums } from '../convex/minkowski-sums.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import type { GpuDevice } from '../gpu/device.js';
import { assertPose } from '../proximity/arguments.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { createSoftwareRasterizer } from '../raster/software-rasterizer.js';
import { createWebGpuRasterizer } from '../raster/webgpu-rasterizer.js';
import { BlockQuery } from './block-query.js';
import { type DescentOptions, descend, describeRoots, type LevelUnion, offerRoots, sizeOfPair } from './descent.js';
import {
  DEFAULT_COARSE_RESOLUTION,
  DEFAULT_RESOLUTION,
  DESCENTS,
  type Descent,
  IMAGE_QUERIES,
  MAX_RESOLUTION,
  PENETRATION_METHODS,
  type PenetrationOptions,
} from './options.js';
import type { PenetrationLevel, PenetrationResult, PenetrationStatus } from './result.js';
import { seeAllPixels } from './see-all-pixels.js';
import { seeWindows } from './see-windows.js';
import { Separation } from './separation.js';
import { prepareSolid, type Solid } from './solid.js';
import { WindowQuery } from './window-query.js';

/** Two solids as a query sees them. */
interface Query {
  readonly a: Solid;
  readonly b: Solid;
  readonly poseA: ReadonlyPose;
  readonly placement: Float64Array;
  readonly separation: Separation;
  readonly started: number;
}

/** As {@link measurePenetration} on the CPU with the query 'rays', without a promise. */
export function measurePenetrationSync(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): PenetrationResult {
  assertOptions(options);
  const query = begin(a, b, poseA, poseB, options);
  const early = answerEarly(query);
  if (early !== null) return early;
  const { blocks, sums } = takeWorkspace(query.a, query.b);
  const descent = descend(query.a, query.b, query.placement, query.separation, sums, descentOptions(options, 'probes'));
  for (let step = descent.next(); ; step = descent.next(seeRays(blocks, step.value, options))) {
    if (step.done) return answer(query, step.value, 'cpu', 'upper-estimate');
  }
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
  assertOptions(options);
  const gpu = chooseDevice(options);
  if ((options.query ?? 'rays') === 'rays' && gpu === null) {
    return measurePenetrationSync(a, b, poseA, poseB, options);
  }
  const query = begin(a, b, poseA, poseB, options);
  const early = answerEarly(query);
  if (early !== null) return early;
  return measureByWindows(query, gpu, options);
}

async function measureByWindows(
  query: Query,
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
    return answer(query, step.value, rasterizer.backend, 'upper-estimate');
  } finally {
    windows.destroy();
    rasterizer.destroy();
  }
}

/** The device to use, or null for the CPU. */
function chooseDevice({ backend = 'auto', device }: PenetrationOptions): GpuDevice | null {
  if (backend === 'webgpu' && device === undefined) {
    throw new NearfieldError(
      'no-gpu',
      "The backend 'webgpu' needs a device: give { device: await requestGpuDevice() }, or use backend 'cpu'.",
    );
  }
  if (backend === 'webgpu') return device ?? null;
  return backend === 'auto' && device !== undefined && !device.isSoftware && !device.isLost ? device : null;
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

/** The memory of the last query of two solids, for the next; nothing is remembered in it. Goes when either solid does. */
const workspaces = new WeakMap<Solid, WeakMap<Solid, { blocks: BlockQuery; sums: MinkowskiSums }>>();

function takeWorkspace(a: Solid, b: Solid): { blocks: BlockQuery; sums: MinkowskiSums } {
  const kept = workspaces.get(a)?.get(b);
  if (kept !== undefined) return kept;
  const made = { blocks: new BlockQuery(), sums: createSums(a, b) };
  workspaces.set(a, new WeakMap([[b, made]]));
  return made;
}

function createSums(a: Solid, b: Solid): MinkowskiSums {
  return new MinkowskiSums({ classesA: a.hulls.faceClasses, classesB: b.hulls.faceClasses });
}

function begin(
  modelA: ProximityModel,
  modelB: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
): Query {
  assertPose(poseA, 'The pose of A');
  assertPose(poseB, 'The pose of B');
  const a = prepareSolid(modelA, options);
  const b = prepareSolid(modelB, options);
  const started = performance.now();
  const unitA = pose.parse(poseA);
  const unitB = pose.parse(poseB);
  const placement = pose.toMatrix4(pose.bInA(unitA, unitB)).subarray(0, 12);
  return {
    a,
    b,
    poseA: unitA,
    placement,
    separation: new Separation(modelA, modelB, unitA, unitB, sizeOfPair(a, b)),
    started,
  };
}

/** The answer where no images are needed: models that are apart, and two convex ones. */
function answerEarly(query: Query): PenetrationResult | null {
  const { a, b, placement, separation, started } = query;
  if (separation.isApart(0, 0, 0)) return separate(false, started, []);
  if (!a.convex || !b.convex) return null;
  offerRoots(a, b, placement, separation);
  return answer(query, [describeRoots(performance.now() - started, separation)], 'cpu', 'exact');
}

function descentOptions(options: PenetrationOptions, usual: Descent): DescentOptions {
  return { descent: options.descent ?? usual, signal: options.signal, onProgress: options.onProgress };
}

function seeRays(blocks: BlockQuery, level: LevelUnion, options: PenetrationOptions): number {
  const { union, distances, separation, last, exhaustive } = level;
  const resolution = resolutionOf(last, options);
  const before = union.rays;
  if (exhaustive) seeAllPixels(level, resolution, options);
  else blocks.run(union, distances, separation, resolution);
  trace(level, null, resolution, options);
  return union.rays - before;
}

function resolutionOf(last: boolean, options: PenetrationOptions): number {
  const { resolution = DEFAULT_RESOLUTION, coarseResolution = DEFAULT_COARSE_RESOLUTION } = options;
  return last ? resolution : coarseResolution;
}

function answer(
  { poseA, separation, started }: Query,
  levels: readonly PenetrationLevel[],
  backend: 'cpu' | 'webgpu',
  status: PenetrationStatus,
): PenetrationResult {
  const { distance, vector } = separation;
  if (vector === null) {
    throw new NearfieldError(
      'degenerate',
      'No translation of A could be confirmed to separate the models: their coordinates are too large or too small for ' +
        'double precision. Scale both models to a size near 1.',
    );
  }
  if (separation.touches) return separate(true, started, levels, backend);
  const moved = pose.transformVector(poseA, vector);
  const depth = vec3.length(moved);
  const { witness } = separation.measure(vector[0], vector[1], vector[2]);
  return {
    intersects: true,
    depth,
    lower: status === 'exact' ? Math.min(distance, depth) : 0,
    upper: depth,
    vector: moved,
    direction: vec3.normalize(moved),
    featureA: witness?.featureA ?? null,
    featureB: witness?.featureB ?? null,
    pointA: witness ? vec3.subtract(witness.pointA, moved) : null,
    pointB: witness?.pointB ?? null,
    status,
    method: 'image-space',
    backend,
    levels,
    milliseconds: performance.now() - started,
  };
}

function separate(
  intersects: boolean,
  started: number,
  levels: readonly PenetrationLevel[],
  backend: 'cpu' | 'webgpu' = 'cpu',
): PenetrationResult {
  const zero: Vec3 = [0, 0, 0];
  return {
    intersects,
    depth: 0,
    lower: 0,
    upper: 0,
    vector: zero,
    direction: null,
    featureA: null,
    featureB: null,
    pointA: null,
    pointB: null,
    status: 'separate',
    method: 'image-space',
    backend,
    levels,
    milliseconds: performance.now() - started,
  };
}

function assertOptions(options: PenetrationOptions): void {
  const { method = 'image-space', query = 'rays', backend = 'auto' } = options;
  if (!PENETRATION_METHODS.includes(method)) {
    throw new NearfieldError('bad-argument', `The method is '${method}'; choose ${PENETRATION_METHODS.join(', ')}.`);
  }
  if (!IMAGE_QUERIES.includes(query)) {
    throw new NearfieldError('bad-argument', `The query is '${query}'; choose ${IMAGE_QUERIES.join(' or ')}.`);
  }
  if (!DESCENTS.includes(options.descent ?? 'probes')) {
    throw new NearfieldError('bad-argument', `The descent is '${options.descent}'; choose ${DESCENTS.join(', ')}.`);
  }
  if (!['cpu', 'webgpu', 'auto'].includes(backend)) {
    throw new NearfieldError('bad-argument', `The backend is '${backend}'; choose cpu, webgpu or auto.`);
  }
  for (const name of ['resolution', 'coarseResolution'] as const) {
    const value = options[name] ?? 1;
    if (!Number.isInteger(value) || value < 1 || value > MAX_RESOLUTION) {
      throw new NearfieldError(
        'bad-argument',
        `The ${name} is ${value}; give a whole number of pixels from 1 to ${MAX_RESOLUTION}.`,
      );
    }
  }
}
