// Voronoi diagrams sampled on a grid in space: checks the arguments, and picks the method and the backend.
import type { Box } from '../../core/box.js';
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { assertGridFrame, frameBox, type GridFrame, gridNodeCount, gridOverBox } from '../../field/grid.js';
import { assertBackend, runOnBackend } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { packSpaceElements } from '../gpu/gpu-elements.js';
import { nearestSitesOnGpu } from '../gpu/nearest-sites-gpu.js';
import { fillByMeshes } from '../published/space/mesh-space.js';
import { fillByMeshesOnGpu } from '../published/space/mesh-space-gpu.js';
import { type SpaceElements, spaceElements } from '../sites/space-elements.js';
import type { SpaceSite } from '../sites/space-site.js';
import { roundingOf } from './element-distances.js';
import { fillExact } from './exact-space.js';
import {
  SPACE_VORONOI_OPTIONS,
  type SpaceVoronoi,
  type SpaceVoronoiCounters,
  type SpaceVoronoiMethod,
  type SpaceVoronoiOptions,
} from './space-voronoi.js';

/** Chosen: the smallest error of distance meshes, in spacings: their triangles grow with its inverse. */
const MIN_MESH_ERROR = 1e-4;

/** Chosen: the largest number of elements of all sites together; ids and colors are 32-bit numbers. */
const MAX_ELEMENTS = 2 ** 27;

/**
 * The nearest site of every node of a grid in space, and its distance. Without sites every node has the id −1.
 *
 * `error` is a bound: rounding for 'exact'; for 'mesh' the error of the distance meshes and the rounding of depths.
 * @throws NearfieldError for invalid sites, grids and options; with 'webgpu', `no-gpu` without a
 * device and `device-lost` if it is lost; `aborted` when the caller cancels.
 */
export async function computeSpaceVoronoi(
  sites: readonly SpaceSite[],
  options: SpaceVoronoiOptions = {},
): Promise<SpaceVoronoi> {
  const task = takeTask(sites, options);
  return runOnBackend<SpaceVoronoi>(
    options,
    'Voronoi diagram',
    (device) => (task.method === 'exact' ? computeOnGpu(device, task, options) : drawOnGpu(device, task, options)),
    (fallback) => {
      const diagram = computeOnCpu(task, options);
      return fallback === null ? diagram : { ...diagram, fallback };
    },
  );
}

/** {@link computeSpaceVoronoi} without a promise, on the CPU only: throws for `backend: 'webgpu'`. */
export function computeSpaceVoronoiSync(sites: readonly SpaceSite[], options: SpaceVoronoiOptions = {}): SpaceVoronoi {
  const task = takeTask(sites, options);
  if (options.backend === 'webgpu') {
    throw new NearfieldError(
      'bad-argument',
      'The GPU works asynchronously: call computeSpaceVoronoi for backend webgpu.',
    );
  }
  return computeOnCpu(task, options);
}

/** The checked arguments. */
interface Task {
  readonly elements: SpaceElements;
  readonly frame: GridFrame;
  readonly method: SpaceVoronoiMethod;
  readonly maxDistance: number;
  readonly meshError: number;
}

function takeTask(sites: readonly SpaceSite[], options: SpaceVoronoiOptions): Task {
  const { method, maxDistance, backend } = SPACE_VORONOI_OPTIONS.read(options);
  assertBackend(backend);
  const elements = spaceElements(sites);
  if (elements.count > MAX_ELEMENTS) {
    throw new NearfieldError('too-large', `The sites have ${elements.count} triangles, more than ${MAX_ELEMENTS}.`);
  }
  const frame = frameOf(elements, options);
  return { elements, frame, method, maxDistance, meshError: meshErrorOf(options, frame) };
}

async function computeOnGpu(gpu: GpuDevice, task: Task, options: SpaceVoronoiOptions): Promise<SpaceVoronoi> {
  const { elements, frame, maxDistance } = task;
  reportProgress(options, 0, 'nearest sites on the GPU');
  const samples = { ...frame, spacing: [frame.spacing, frame.spacing, frame.spacing] } as const;
  const packed = packSpaceElements(elements, samples);
  const { ids, distances } = await nearestSitesOnGpu(gpu, packed, samples, maxDistance);
  reportProgress(options, 1, 'nearest sites on the GPU');
  const cost = { distances: 0, blocks: 0, triangles: 0, error: 2 * packed.error };
  return diagramOf(task, 'webgpu', ids, Float64Array.from(distances), cost);
}

async function drawOnGpu(gpu: GpuDevice, task: Task, options: SpaceVoronoiOptions): Promise<SpaceVoronoi> {
  const { ids, distances, slack } = emptySamples(task);
  reportProgress(options, 0, 'nearest sites');
  const cost = await fillByMeshesOnGpu(gpu, { ...task, slack }, ids, distances, options);
  reportProgress(options, 1, 'nearest sites');
  return diagramOf(task, 'webgpu', ids, distances, cost);
}

function computeOnCpu(task: Task, options: SpaceVoronoiOptions): SpaceVoronoi {
  const { elements, frame, method, maxDistance } = task;
  const { ids, distances, slack } = emptySamples(task);
  reportProgress(options, 0, 'nearest sites');
  const cost =
    method === 'exact'
      ? { ...fillExact(elements, frame, maxDistance, slack, ids, distances, options), error: slack }
      : fillByMeshes({ ...task, slack }, ids, distances, options);
  reportProgress(options, 1, 'nearest sites');
  return diagramOf(task, 'cpu', ids, distances, cost);
}

/** Nodes without a site, and the rounding of their distances. */
function emptySamples({ elements, frame }: Task) {
  const nodes = gridNodeCount(frame);
  return {
    ids: new Int32Array(nodes).fill(-1),
    distances: new Float64Array(nodes).fill(Infinity),
    slack: roundingOf(elements, largestOf(frameBox(frame))),
  };
}

function diagramOf(
  { frame, method }: Task,
  backend: 'cpu' | 'webgpu',
  ids: Int32Array,
  distances: Float64Array,
  { error, ...counters }: SpaceVoronoiCounters & { readonly error: number },
): SpaceVoronoi {
  const { origin, spacing, size } = frame;
  return { origin: [...origin], spacing, size: [...size], ids, distances, error, method, backend, counters };
}

/** The error of the distance meshes, in spacings. */
function meshErrorOf({ error }: SpaceVoronoiOptions, { spacing }: GridFrame): number {
  if (error === undefined) return VORONOI_DEFAULTS.meshError;
  if (typeof error === 'number' && error >= MIN_MESH_ERROR * spacing && Number.isFinite(error)) return error / spacing;
  throw new NearfieldError(
    'bad-argument',
    `The error of the distance meshes is ${nameValue(error)}; give a length from ${MIN_MESH_ERROR * spacing}.`,
  );
}

/** The grid that the options ask for. */
export function frameOf(elements: SpaceElements, { frame, box, resolution }: SpaceVoronoiOptions): GridFrame {
  if (frame === undefined) {
    return gridOverBox(box ?? boxOfElements(elements), resolution ?? VORONOI_DEFAULTS.spaceResolution);
  }
  if (box !== undefined || resolution !== undefined) {
    throw new NearfieldError('bad-argument', 'Give a frame, or a box and a resolution, not both.');
  }
  assertGridFrame(frame);
  return frame;
}

/** The box of all sites with a margin; a unit cube around a single place, or around the origin without sites. */
function boxOfElements({ corners, count }: SpaceElements): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < 9 * count; i++) {
    min[i % 3] = Math.min(min[i % 3], corners[i]);
    max[i % 3] = Math.max(max[i % 3], corners[i]);
  }
  if (count === 0) return { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
  const longest = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const largest = Math.max(...min.map(Math.abs), ...max.map(Math.abs));
  const margin = longest > 0 ? VORONOI_DEFAULTS.margin * longest : Math.max(0.5, 1e-6 * largest);
  for (let axis = 0; axis < 3; axis++) {
    min[axis] -= margin;
    max[axis] += margin;
  }
  return { min, max };
}

function largestOf(box: Box): number {
  return Math.max(...box.min.map(Math.abs), ...box.max.map(Math.abs));
}
