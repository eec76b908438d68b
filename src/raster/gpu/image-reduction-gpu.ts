// Reduces images in buffers on a device to the extreme of each view; eight bytes per view are read back. The value is
// recomputed in double precision from the winning pixel's depth, so only the choice among near ties is single precision.

import { createBuffer, readBuffers, uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import type { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { EYE_FRAME_SIZE, eyeDistance, writeEyeFrame } from '../eye-distance.js';
import type { RasterTarget, ReducedViews, ReduceOptions } from '../raster.js';
import code from './reduce-images.wgsl?raw';
import { IMAGE_REDUCTION_LAYOUT } from './reduce-images-layout.js';

/**
 * Chosen: pixels per thread before its workgroup compares: barriers cost more than pixels, above all on software
 * adapters.
 */
const PIXELS_PER_THREAD = 16;
/** Chosen: workgroups per view; in larger images threads process more pixels. */
const MAX_GROUPS = 1024;
/** Label: marks a view in which no pixel counts. */
const NO_PIXEL = 0xffffffff;

/** The uniforms of a reduction. */
function reductionParameters(target: RasterTarget, options: ReduceOptions, groups: number): Uint32Array<ArrayBuffer> {
  const { size, offsets: at } = IMAGE_REDUCTION_LAYOUT.structs.Reduction;
  const parameters = new Uint32Array(size / 4);
  parameters[at.width / 4] = target.width;
  parameters[at.height / 4] = target.height;
  parameters[at.greatest / 4] = Number(options.operation === 'max');
  parameters[at.distance / 4] = Number(options.value === 'distance');
  parameters[at.excepting / 4] = Number(options.exceptColor !== undefined);
  parameters[at.except / 4] = options.exceptColor ?? 0;
  parameters[at.groups / 4] = groups;
  return parameters;
}

/** The extremes of images in buffers: per pixel a 32-bit color and the bits of a depth, view after view. */
export async function reduceImages(
  gpu: GpuDevice,
  faults: GpuFaults,
  target: RasterTarget,
  images: { readonly colors: GPUBuffer; readonly depths: GPUBuffer },
  views: ArrayLike<number>,
  options: ReduceOptions,
): Promise<ReducedViews> {
  const { width, height, viewCount } = target;
  const { structs, bindings } = IMAGE_REDUCTION_LAYOUT;
  const byDistance = options.value === 'distance';
  const frames = new Float64Array(EYE_FRAME_SIZE * viewCount);
  if (byDistance)
    for (let view = 0; view < viewCount; view++) writeEyeFrame(frames, EYE_FRAME_SIZE * view, views, view);
  const pixelsPerGroup = IMAGE_REDUCTION_LAYOUT.workgroups.gather[0] * PIXELS_PER_THREAD;
  const groups = Math.min(MAX_GROUPS, Math.ceil((width * height) / pixelsPerGroup));
  const parameters = reductionParameters(target, options, groups);
  const made: GPUBuffer[] = [];
  try {
    const extremes = faults.watch('Reduction of images', () => {
      const keep = (buffer: GPUBuffer) => {
        made.push(buffer);
        return buffer;
      };
      const extremes = keep(
        createBuffer(
          gpu,
          viewCount * structs.Extreme.size,
          BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC,
          'extremes of views',
        ),
      );
      const buffers: Record<keyof typeof bindings, GPUBuffer> = {
        reduction: keep(uploadBuffer(gpu, parameters, BUFFER_USAGE.UNIFORM, 'reduction')),
        frames: keep(uploadBuffer(gpu, new Float32Array(frames), BUFFER_USAGE.STORAGE, 'eye frames')),
        colors: images.colors,
        depths: images.depths,
        candidates: keep(
          createBuffer(gpu, viewCount * groups * structs.Candidate.size, BUFFER_USAGE.STORAGE, 'candidates'),
        ),
        extremes,
      };
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      encodeStage(gpu, pass, 'gather', buffers, [groups, viewCount]);
      encodeStage(gpu, pass, 'finish', buffers, [viewCount, 1]);
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
      return extremes;
    });
    const byteLength = viewCount * structs.Extreme.size;
    const [bytes] = await readBuffers(gpu, faults, 'Reduction of images', [{ buffer: extremes, byteLength }]);
    return describeExtremes(bytes, target, byDistance ? frames : null);
  } finally {
    for (const buffer of made) buffer.destroy();
  }
}

/** The bindings that each stage uses: its automatic layout has only these. */
const STAGE_BINDINGS = {
  gather: ['reduction', 'frames', 'colors', 'depths', 'candidates'],
  finish: ['reduction', 'depths', 'candidates', 'extremes'],
} as const;

function encodeStage(
  gpu: GpuDevice,
  pass: GPUComputePassEncoder,
  stage: keyof typeof STAGE_BINDINGS,
  buffers: Record<keyof typeof IMAGE_REDUCTION_LAYOUT.bindings, GPUBuffer>,
  [groups, rows]: readonly [number, number],
): void {
  const { device, pipelines } = gpu;
  const pipeline = pipelines.get(`image-reduction/${stage}`, () =>
    device.createComputePipeline({
      layout: 'auto',
      compute: {
        module: pipelines.get('image-reduction', () => device.createShaderModule({ code })),
        entryPoint: stage,
      },
    }),
  );
  const entries = STAGE_BINDINGS[stage].map((name) => ({
    binding: IMAGE_REDUCTION_LAYOUT.bindings[name].binding,
    resource: { buffer: buffers[name] },
  }));
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(groups, rows);
}

function describeExtremes(bytes: ArrayBuffer, target: RasterTarget, frames: Float64Array | null): ReducedViews {
  const { width, height, viewCount } = target;
  const { size, offsets } = IMAGE_REDUCTION_LAYOUT.structs.Extreme;
  const words = new Uint32Array(bytes);
  const numbers = new Float32Array(bytes);
  const values = new Float64Array(viewCount).fill(Number.NaN);
  const pixels = new Int32Array(viewCount).fill(-1);
  for (let view = 0; view < viewCount; view++) {
    const pixel = words[(view * size + offsets.pixel) / 4];
    if (pixel === NO_PIXEL) continue;
    const depth = numbers[(view * size + offsets.depth) / 4];
    pixels[view] = pixel;
    const x = (2 * (pixel % width) + 1) / width - 1;
    const y = 1 - (2 * Math.floor(pixel / width) + 1) / height;
    values[view] = frames === null ? depth : eyeDistance(frames, EYE_FRAME_SIZE * view, x, y, depth);
  }
  return { values, pixels };
}
