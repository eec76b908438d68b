// Table 1 of Hoff, Zaferakis, Lin and Manocha 2001, color with blend operations, on a device: objects are added up in an
// image of 8 bits per pixel. Each draw has to touch a pixel at most once; a stencil sees to that.
import { NearfieldError } from '../../core/errors.js';
import { readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE, COLOR_WRITE, TEXTURE_USAGE } from '../../gpu/flags.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import { pipelineKey, stencilState } from '../../raster/gpu/pipelines-gpu.js';
import { DeviceTriangles, TRIANGLE_BINDINGS, triangleBindGroupLayout } from '../../raster/gpu/triangles-gpu.js';
import type { RasterDraw, RasterState } from '../../raster/raster.js';
import code from './blend-passes.wgsl?raw';

export const BLEND_PASSES_LAYOUT = {
  structs: {},
  bindings: {
    positions: { group: 0, binding: TRIANGLE_BINDINGS.positions.binding },
    indices: { group: 0, binding: TRIANGLE_BINDINGS.indices.binding },
    sums: { group: 0, binding: 3 },
    greatest: { group: 0, binding: 4 },
  },
  workgroups: { findGreatest: [64, 1, 1] },
} as const satisfies ShaderLayout;

const SUM_FORMAT = 'r8unorm';
const STENCIL_FORMAT = 'stencil8';
/** Format (WebGPU): copies of textures have rows of a multiple of this many bytes. */
const ROW_ALIGNMENT = 256;
const WHAT = 'Blended images';

/** A draw into color and stencil, by its state, and what it adds to the color. */
export interface BlendDraw extends RasterDraw {
  /** 0 to 255. */
  readonly adds: number;
}

/**
 * Adds up draws in one image, 8 bits per pixel, that is cleared to 0. A reduction on the device finds the greatest sum;
 * null if that is less than `least`: then the image is not read.
 */
export async function blendImage(
  gpu: GpuDevice,
  width: number,
  height: number,
  draws: readonly BlendDraw[],
  least: number,
): Promise<Uint8Array | null> {
  const most = gpu.device.limits.maxTextureDimension2D;
  if (Math.max(width, height) > most) {
    throw new NearfieldError(
      'too-large',
      `An image of ${width} × ${height} pixels is more than this GPU holds (${most} pixels along a side); give a larger error.`,
    );
  }
  const faults = new GpuFaults(gpu);
  const size = [width, height];
  const textures: GPUTexture[] = [];
  const buffers: GPUBuffer[] = [];
  const takeBuffer = (byteLength: number, usage: number): GPUBuffer => {
    const buffer = gpu.buffers.take(byteLength, usage | BUFFER_USAGE.COPY_SRC | BUFFER_USAGE.COPY_DST);
    buffers.push(buffer);
    return buffer;
  };
  try {
    const { sums, greatest } = faults.watch(WHAT, () => {
      const { RENDER_ATTACHMENT, TEXTURE_BINDING, COPY_SRC } = TEXTURE_USAGE;
      const sums = gpu.device.createTexture({
        label: 'sums',
        size,
        usage: RENDER_ATTACHMENT | TEXTURE_BINDING | COPY_SRC,
        format: SUM_FORMAT,
      });
      textures.push(sums);
      const stencil = gpu.device.createTexture({
        label: 'stencil',
        size,
        usage: RENDER_ATTACHMENT,
        format: STENCIL_FORMAT,
      });
      textures.push(stencil);
      const greatest = takeBuffer(4, BUFFER_USAGE.STORAGE);
      const encoder = gpu.device.createCommandEncoder();
      encodeDraws(gpu, encoder, sums, stencil, draws);
      encodeReduction(gpu, encoder, sums, greatest);
      gpu.device.queue.submit([encoder.finish()]);
      return { sums, greatest };
    });
    const [found] = await readBuffers(gpu, faults, WHAT, [{ buffer: greatest, byteLength: 4 }]);
    if (new Uint32Array(found)[0] < least) return null;
    const rows = faults.watch(WHAT, () => takeBuffer(rowStride(width) * height, 0));
    return await readImage(gpu, faults, sums, rows, width, height);
  } finally {
    for (const texture of textures) texture.destroy();
    for (const buffer of buffers) gpu.buffers.give(buffer);
  }
}

/** Bytes from a row of a copied image to the next. */
function rowStride(width: number): number {
  return Math.ceil(width / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

/** Reads a texture of 8 bits per pixel through a buffer for its rows. */
async function readImage(
  gpu: GpuDevice,
  faults: GpuFaults,
  texture: GPUTexture,
  buffer: GPUBuffer,
  width: number,
  height: number,
): Promise<Uint8Array> {
  const stride = rowStride(width);
  faults.watch(WHAT, () => {
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: stride }, [width, height]);
    gpu.device.queue.submit([encoder.finish()]);
  });
  const [bytes] = await readBuffers(gpu, faults, WHAT, [{ buffer, byteLength: stride * height }]);
  const image = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) image.set(new Uint8Array(bytes, row * stride, width), row * width);
  return image;
}

function encodeDraws(
  gpu: GpuDevice,
  encoder: GPUCommandEncoder,
  sums: GPUTexture,
  stencil: GPUTexture,
  draws: readonly BlendDraw[],
): void {
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: sums.createView(), loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0] }],
    depthStencilAttachment: {
      view: stencil.createView(),
      stencilLoadOp: 'clear',
      stencilStoreOp: 'discard',
      stencilClearValue: 0,
    },
  });
  for (const draw of draws) {
    const triangles = DeviceTriangles.of(draw, gpu);
    if (triangles.triangleCount === 0) continue;
    const part = draw.adds / 255;
    pass.setPipeline(blendPipeline(gpu, draw.state));
    pass.setBindGroup(0, triangles.bindGroup);
    pass.setStencilReference(draw.state.stencilReference ?? 0);
    pass.setBlendConstant([part, part, part, part]);
    pass.draw(3 * triangles.triangleCount);
  }
  pass.end();
}

function blendPipeline(gpu: GpuDevice, state: RasterState): GPURenderPipeline {
  const { device, pipelines } = gpu;
  return pipelines.get(`blend-passes/${pipelineKey(state)}`, () => {
    const module = blendModule(gpu);
    const add: GPUBlendComponent = { operation: 'add', srcFactor: 'constant', dstFactor: 'one' };
    return device.createRenderPipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [triangleBindGroupLayout(gpu)] }),
      vertex: { module, entryPoint: 'placeCorner' },
      fragment: {
        module,
        entryPoint: 'addConstant',
        targets: [
          {
            format: SUM_FORMAT,
            blend: { color: add, alpha: add },
            writeMask: state.colorWrite === false ? COLOR_WRITE.NONE : COLOR_WRITE.ALL,
          },
        ],
      },
      primitive: { topology: 'triangle-list' },
      depthStencil: { format: STENCIL_FORMAT, ...stencilState(state) },
    });
  });
}

function encodeReduction(gpu: GpuDevice, encoder: GPUCommandEncoder, sums: GPUTexture, greatest: GPUBuffer): void {
  const { device, pipelines } = gpu;
  const pipeline = pipelines.get('blend-passes/greatest', () =>
    device.createComputePipeline({
      layout: 'auto',
      compute: { module: blendModule(gpu), entryPoint: 'findGreatest' },
    }),
  );
  const { bindings } = BLEND_PASSES_LAYOUT;
  encoder.clearBuffer(greatest, 0, 4);
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: bindings.sums.binding, resource: sums.createView() },
        { binding: bindings.greatest.binding, resource: { buffer: greatest } },
      ],
    }),
  );
  pass.dispatchWorkgroups(sums.height);
  pass.end();
}

function blendModule(gpu: GpuDevice): GPUShaderModule {
  return gpu.pipelines.get('blend-passes', () => gpu.device.createShaderModule({ code }));
}
