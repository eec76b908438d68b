// Jump flooding on a GPU (flood-step.wgsl, flood-axes.wgsl), with the same sites node by node as jump-flood.ts. On an
// NVIDIA H200 a pass reaches 0.4 to 0.6 of the bandwidth of a kernel that copies the grid in the plane, 0.46 in space
// axis by axis and 0.2 with all 27 neighbors, where arithmetic is the limit.

import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { createBuffer, readBuffers, uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import type { GridSize } from '../grid.js';
import { planAxesStep } from './flood-axes-gpu.js';
import code from './flood-step.wgsl?raw';
import { FLOOD_STEP_LAYOUT } from './flood-step-layout.js';
import {
  assertFloodable,
  FLOOD_OPTIONS,
  type FloodNeighbors,
  floodSteps,
  floodsByAxes,
  type JumpFloodOptions,
  type JumpFloodResult,
  packSites,
  unpackSites,
} from './jump-flood.js';

/** Proven: beyond this side 16 times a squared distance exceeds 31 bits, and each thread processes a single node. */
const MAX_KEYED_SIDE = 8192;
/** Proven: up to this side NO_SITE_PLANE is farther than every site, and nodes without a site need no special case. */
const MAX_NARROW_SIDE = 4096;
/**
 * Chosen: pairs of the smallest number of nodes of a plane grid and the nodes per thread along the last axis; a thread
 * processes two lines of these.
 */
const PLANE_CHAINS = [
  [2 ** 26, 16],
  [2 ** 22, 8],
  [0, 4],
];
/** Chosen: the same for grids in space, one line per thread. */
const SPACE_CHAINS = [
  [2 ** 23, 16],
  [0, 8],
];

/** One pass. */
interface Dispatch {
  readonly pipeline: GPUComputePipeline;
  readonly uniforms: Uint32Array<ArrayBuffer>;
  readonly groups: readonly [number, number, number];
}

/**
 * Floods sites on a GPU; the result equals that of `jumpFlood` bit for bit.
 * @throws NearfieldError as `jumpFlood` does, `too-large` beyond the device's buffers, `device-lost`.
 */
export async function jumpFloodOnGpu(
  gpu: GpuDevice,
  size: GridSize,
  sites: Int32Array,
  options: JumpFloodOptions = {},
): Promise<JumpFloodResult> {
  FLOOD_OPTIONS.assert(options);
  const steps = floodSteps(size, options.variant);
  assertFloodable(size, sites);
  floodsByAxes(size, options.neighbors);
  assertBufferFits(gpu, 4 * sites.length, 'Jump flooding');
  reportProgress(options, 0, 'jump flooding');
  const faults = new GpuFaults(gpu);
  let flood: GpuFlood | undefined;
  try {
    const made = faults.watch('Jump flooding', () => {
      flood = new GpuFlood(gpu, size, steps, options.neighbors);
      gpu.device.queue.writeBuffer(flood.sites, 0, packSites(size, sites));
      const encoder = gpu.device.createCommandEncoder();
      flood.encode(encoder);
      gpu.device.queue.submit([encoder.finish()]);
      return flood;
    });
    const source = { buffer: made.result, byteLength: 4 * sites.length };
    const [bytes] = await readBuffers(gpu, faults, 'Jump flooding', [source]);
    return unpackSites(size, new Uint32Array(bytes), steps.length);
  } finally {
    flood?.destroy();
  }
}

/** Throws if no buffer of the device can hold the data. */
export function assertBufferFits(gpu: GpuDevice, byteLength: number, what: string): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = gpu.device.limits;
  const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  if (byteLength <= most) return;
  throw new NearfieldError(
    'too-large',
    `${what} needs a buffer of ${byteLength} bytes and the device (${gpu.name}) allows ${most}; use a coarser ` +
      "grid, or backend 'cpu'.",
  );
}

/** The buffers and dispatches of a flood, which can be filled, encoded and read any number of times. */
export class GpuFlood {
  /** Input: packed sites. */
  readonly sites: GPUBuffer;
  /** Output: packed sites. */
  readonly result: GPUBuffer;
  readonly #uniforms: GPUBuffer[];
  readonly #dispatches: Dispatch[];
  readonly #bindGroups: GPUBindGroup[];

  /** @param steps of the passes, as `floodSteps` returns them. */
  constructor(gpu: GpuDevice, size: GridSize, steps: readonly number[], neighbors: FloodNeighbors = 'all') {
    const usage = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC | BUFFER_USAGE.COPY_DST;
    const byteLength = 4 * size[0] * size[1] * size[2];
    const buffers = [createBuffer(gpu, byteLength, usage, 'sites'), createBuffer(gpu, byteLength, usage, 'flooded')];
    const plan = floodsByAxes(size, neighbors) ? planAxesStep : planStep;
    this.#dispatches = steps.map((step) => plan(gpu, size, step));
    this.#uniforms = this.#dispatches.map(({ uniforms }) => uploadBuffer(gpu, uniforms, BUFFER_USAGE.UNIFORM, 'flood'));
    // The same in both shaders.
    const { bindings } = FLOOD_STEP_LAYOUT;
    this.#bindGroups = this.#dispatches.map(({ pipeline }, index) =>
      gpu.device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
          { binding: bindings.flood.binding, resource: { buffer: this.#uniforms[index] } },
          { binding: bindings.before.binding, resource: { buffer: buffers[index % 2] } },
          { binding: bindings.after.binding, resource: { buffer: buffers[(index + 1) % 2] } },
        ],
      }),
    );
    this.sites = buffers[0];
    this.result = buffers[this.#dispatches.length % 2];
  }

  /** Puts all passes into one compute pass. */
  encode(encoder: GPUCommandEncoder, timestamps?: GPUComputePassTimestampWrites): void {
    const pass = encoder.beginComputePass(timestamps && { timestampWrites: timestamps });
    this.#dispatches.forEach(({ pipeline, groups }, index) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, this.#bindGroups[index]);
      pass.dispatchWorkgroups(...groups);
    });
    pass.end();
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of [this.sites, this.result, ...this.#uniforms]) buffer.destroy();
  }
}

function planStep(gpu: GpuDevice, size: GridSize, step: number): Dispatch {
  const { device, pipelines } = gpu;
  const { structs, workgroups } = FLOOD_STEP_LAYOUT;
  const [nx, ny, nz] = size;
  const isPlane = nz === 1;
  const side = Math.max(...size);
  const entryPoint = !isPlane ? 'floodSpace' : side > MAX_KEYED_SIDE ? 'floodLargePlane' : 'floodPlane';
  const chain = (isPlane ? PLANE_CHAINS : SPACE_CHAINS).find(([nodes]) => nx * ny * nz >= nodes)![1];
  const constants: Record<string, number> = {};
  if (entryPoint !== 'floodLargePlane') constants.CHAIN = chain;
  if (entryPoint === 'floodPlane') constants.IS_WIDE = Number(side > MAX_NARROW_SIDE);
  const pipeline = pipelines.get(`flood-step/${entryPoint} ${Object.values(constants).join(' ')}`, () =>
    device.createComputePipeline({
      label: entryPoint,
      layout: 'auto',
      compute: {
        module: pipelines.get('flood-step', () => device.createShaderModule({ code })),
        entryPoint,
        constants,
      },
    }),
  );
  const uniforms = new Uint32Array(structs.Flood.size / 4);
  uniforms.set(size, structs.Flood.offsets.size / 4);
  uniforms[structs.Flood.offsets.step / 4] = step;
  const across = (threads: number): number => Math.ceil(threads / workgroups[entryPoint][0]);
  const parts = (nodes: number, most: number): number => Math.min(nodes, step * Math.ceil(nodes / (step * most)));
  const groups = {
    floodPlane: [across(parts(nx, 2)), parts(ny, chain), 1],
    floodLargePlane: [across(nx), ny, 1],
    floodSpace: [across(nx), ny, parts(nz, chain)],
  } as const;
  return { pipeline, uniforms, groups: groups[entryPoint] };
}
