// Distance fields on a GPU: seeds next to the triangles, a jump flood of them, and a search of the hierarchy that starts
// from each node's flooded guess (triangle-flood.wgsl). Single precision with a stated bound; signs come from the CPU.

import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { createBuffer, readBuffers, uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { MAX_GROUPS_ALONG_AXIS } from '../../gpu/limits.js';
import { type DistanceField, FIELD_OPTIONS, type FieldOptions, type FieldSource } from '../distance-field.js';
import { type GridFrame, gridNodeCount } from '../grid.js';
import { finishFlood, floodedSurface } from './flood-field.js';
import { floodSteps } from './jump-flood.js';
import { assertBufferFits, GpuFlood } from './jump-flood-gpu.js';
import triangleDistance from './triangle-distance.wgsl?raw';
import code from './triangle-flood.wgsl?raw';
import { TRIANGLE_FLOOD_LAYOUT } from './triangle-flood-layout.js';
import { type GpuTriangles, packTriangles } from './triangles-gpu.js';

type Stage = keyof typeof TRIANGLE_FLOOD_LAYOUT.workgroups;
type BindingName = keyof typeof TRIANGLE_FLOOD_LAYOUT.bindings;

/** The bindings that each stage uses: its automatic layout has only these. */
const STAGE_BINDINGS: Readonly<Record<Stage, readonly BindingName[]>> = {
  scatterSeeds: ['frame', 'triangles', 'seeds'],
  placeSites: ['frame', 'seeds', 'sites'],
  measure: ['frame', 'triangles', 'nodes', 'seeds', 'sites', 'distances', 'nearest'],
};

/** Proven: the deepest hierarchy that the shader's stack of 64 holds: one node per level, and two at the last. */
const MAX_DEPTH = 62;
const WHAT = 'Distance field';

/** Milliseconds of the stages of {@link floodFieldOnGpu}, for benchmarks. */
export interface FloodFieldTimes {
  /** Hierarchy and packing. */
  prepare: number;
  /** Seeds, flood, search and reading back. */
  device: number;
  /** Sides and values. */
  finish: number;
}

/**
 * The field of a mesh or polygon by jump flooding on a GPU. The values are those of `floodField` up to the stated
 * error, a bound; the nearest triangle is nearest up to that error.
 * @param times filled if given.
 * @throws NearfieldError as `floodField` does, `too-large` beyond the device's buffers, `device-lost`.
 */
export async function floodFieldOnGpu(
  gpu: GpuDevice,
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions = {},
  times?: FloodFieldTimes,
): Promise<DistanceField> {
  const start = performance.now();
  FIELD_OPTIONS.assert(options);
  const surface = floodedSurface(source, frame, options);
  const count = gridNodeCount(frame);
  assertBufferFits(gpu, 4 * count, WHAT);
  assertBufferFits(gpu, TRIANGLE_FLOOD_LAYOUT.structs.Triangle.size * surface.count, WHAT);
  reportProgress(options, 0, 'hierarchy of triangles');
  const packed = packTriangles(surface, frame);
  if (packed.depth > MAX_DEPTH) {
    throw new NearfieldError(
      'unsupported',
      `The hierarchy of the triangles is ${packed.depth} levels deep, more than the ${MAX_DEPTH} that the GPU's search ` +
        "holds; use backend 'cpu'.",
    );
  }
  reportProgress(options, 0.2, 'distances on the GPU');
  const prepared = performance.now();
  const { distances, nearest } = await measureOnGpu(gpu, frame, surface.count, packed, options);
  const measured = performance.now();
  const measure = { distances, unit: packed.unit, nearest };
  const field = finishFlood(surface, frame, options, measure, 'webgpu', packed.error);
  if (times !== undefined) {
    times.prepare = prepared - start;
    times.device = measured - prepared;
    times.finish = performance.now() - measured;
  }
  return field;
}

async function measureOnGpu(
  gpu: GpuDevice,
  frame: GridFrame,
  triangleCount: number,
  packed: GpuTriangles,
  { maxDistance = Infinity, nearest = false }: FieldOptions,
): Promise<{ distances: Float32Array; nearest: Int32Array | null }> {
  const { device } = gpu;
  const { STORAGE, UNIFORM, COPY_SRC } = BUFFER_USAGE;
  const byteLength = 4 * gridNodeCount(frame);
  const faults = new GpuFaults(gpu);
  const made: { destroy(): void }[] = [];
  const keep = <T extends { destroy(): void }>(thing: T): T => {
    made.push(thing);
    return thing;
  };
  try {
    const buffers = faults.watch(WHAT, () => {
      const flood = keep(new GpuFlood(gpu, frame.size, floodSteps(frame.size), 'axes'));
      const buffers: Record<BindingName, GPUBuffer> = {
        frame: keep(uploadBuffer(gpu, frameWords(frame, triangleCount, packed, maxDistance), UNIFORM, 'frame')),
        triangles: keep(uploadBuffer(gpu, packed.triangles, STORAGE, 'triangles')),
        nodes: keep(uploadBuffer(gpu, packed.nodes, STORAGE, 'hierarchy')),
        seeds: keep(createBuffer(gpu, byteLength, STORAGE, 'seeds')),
        sites: flood.sites,
        distances: keep(createBuffer(gpu, byteLength, STORAGE | COPY_SRC, 'distances')),
        nearest: keep(createBuffer(gpu, byteLength, STORAGE | COPY_SRC, 'nearest triangles')),
      };
      const [nx, ny, nz] = frame.size;
      const across = Math.min(triangleCount, MAX_GROUPS_ALONG_AXIS);
      const grid: [number, number, number] = [Math.ceil(nx / TRIANGLE_FLOOD_LAYOUT.workgroups.measure[0]), ny, nz];
      const encoder = device.createCommandEncoder();
      const before = encoder.beginComputePass();
      encodeStage(gpu, before, 'scatterSeeds', buffers, [across, Math.ceil(triangleCount / across), 1]);
      encodeStage(gpu, before, 'placeSites', buffers, grid);
      before.end();
      flood.encode(encoder);
      const after = encoder.beginComputePass();
      encodeStage(gpu, after, 'measure', { ...buffers, sites: flood.result }, grid);
      after.end();
      device.queue.submit([encoder.finish()]);
      return buffers;
    });
    const wanted = nearest ? [buffers.distances, buffers.nearest] : [buffers.distances];
    const sources = wanted.map((buffer) => ({ buffer, byteLength }));
    const [distances, triangles] = await readBuffers(gpu, faults, WHAT, sources);
    return { distances: new Float32Array(distances), nearest: nearest ? new Int32Array(triangles) : null };
  } finally {
    for (const thing of made) thing.destroy();
  }
}

function frameWords(
  { spacing, size }: GridFrame,
  triangleCount: number,
  { unit }: GpuTriangles,
  maxDistance: number,
): Uint32Array<ArrayBuffer> {
  const layout = TRIANGLE_FLOOD_LAYOUT.structs.Frame;
  const words = new Uint32Array(layout.size / 4);
  const floats = new Float32Array(words.buffer);
  words.set(size, layout.offsets.size / 4);
  words[layout.offsets.triangleCount / 4] = triangleCount;
  floats[layout.offsets.spacing / 4] = spacing / unit;
  // Nothing is farther than the diagonal of the cube of ±1; slightly larger, so that rounding loses nothing.
  floats[layout.offsets.maxDistance / 4] = Math.min(4, (maxDistance / unit) * (1 + 1e-5) + 1e-5);
  return words;
}

function encodeStage(
  gpu: GpuDevice,
  pass: GPUComputePassEncoder,
  stage: Stage,
  buffers: Readonly<Record<BindingName, GPUBuffer>>,
  groups: readonly [number, number, number],
): void {
  const { device, pipelines } = gpu;
  const pipeline = pipelines.get(`triangle-flood/${stage}`, () =>
    device.createComputePipeline({
      label: stage,
      layout: 'auto',
      compute: {
        module: pipelines.get('triangle-flood', () => device.createShaderModule({ code: triangleDistance + code })),
        entryPoint: stage,
      },
    }),
  );
  const entries = STAGE_BINDINGS[stage].map((name) => ({
    binding: TRIANGLE_FLOOD_LAYOUT.bindings[name].binding,
    resource: { buffer: buffers[name] },
  }));
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(...groups);
}
