// The images of the WebGPU rasterizer: per view one layer of two texture arrays, and a matrix.

import { NearfieldError } from '../../core/errors.js';
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE, TEXTURE_USAGE } from '../../gpu/flags.js';
import { assertTargetSize } from '../arguments.js';
import type { RasterTarget } from '../raster.js';
import code from './copy-images.wgsl?raw';
import { IMAGE_COPY_LAYOUT } from './copy-images-layout.js';
import { WEBGPU_RASTERIZER_LAYOUT } from './draw-triangles-layout.js';
import { COLOR_FORMAT, depthFormatOf, viewBindGroupLayout } from './pipelines-gpu.js';

/** Layout: bytes of a 4 × 4 matrix. */
export const MATRIX_SIZE = 64;

/** Textures and matrices of a set of views. */
export class WebGpuTarget implements RasterTarget {
  /** Bytes from one view's matrix to the next: the device's alignment of uniforms. */
  readonly matrixStride: number;
  readonly matrices: GPUBuffer;
  /** One matrix, copied here from `matrices` before each pass that replays commands recorded once for all views. */
  readonly currentMatrix: GPUBuffer;
  readonly currentMatrixGroup: GPUBindGroup;
  readonly viewGroups: readonly GPUBindGroup[];
  readonly colorLayers: readonly GPUTextureView[];
  readonly depthLayers: readonly GPUTextureView[];
  readonly #color: GPUTexture;
  readonly #depth: GPUTexture;
  #isDestroyed = false;

  constructor(
    readonly gpu: GpuDevice,
    readonly width: number,
    readonly height: number,
    readonly viewCount: number,
  ) {
    assertTargetSize(width, height, viewCount);
    const { device } = gpu;
    const { maxTextureArrayLayers, maxTextureDimension2D, maxStorageBufferBindingSize } = device.limits;
    if (
      viewCount > maxTextureArrayLayers ||
      Math.max(width, height) > maxTextureDimension2D ||
      4 * width * height * viewCount > maxStorageBufferBindingSize
    ) {
      throw new NearfieldError(
        'too-large',
        `${viewCount} views of ${width} × ${height} pixels are more than this GPU holds at once (${maxTextureArrayLayers} views, ` +
          `${maxTextureDimension2D} pixels per side, ${maxStorageBufferBindingSize} bytes per image); draw fewer at a time.`,
      );
    }
    const usage = TEXTURE_USAGE.RENDER_ATTACHMENT | TEXTURE_USAGE.TEXTURE_BINDING;
    const size = [width, height, viewCount];
    this.#color = device.createTexture({ label: 'color', size, usage, format: COLOR_FORMAT });
    this.#depth = device.createTexture({ label: 'depth and stencil', size, usage, format: depthFormatOf(gpu) });
    const layers = Array.from({ length: viewCount }, (_, layer) => layer);
    const layerOf = (texture: GPUTexture) => (layer: number) =>
      texture.createView({ dimension: '2d', baseArrayLayer: layer, arrayLayerCount: 1 });
    this.colorLayers = layers.map(layerOf(this.#color));
    this.depthLayers = layers.map(layerOf(this.#depth));

    this.matrixStride = Math.max(MATRIX_SIZE, device.limits.minUniformBufferOffsetAlignment);
    this.matrices = createBuffer(
      gpu,
      this.matrixStride * viewCount,
      BUFFER_USAGE.UNIFORM | BUFFER_USAGE.COPY_DST | BUFFER_USAGE.COPY_SRC,
      'view matrices',
    );
    this.currentMatrix = createBuffer(gpu, MATRIX_SIZE, BUFFER_USAGE.UNIFORM | BUFFER_USAGE.COPY_DST, 'view matrix');
    const { binding } = WEBGPU_RASTERIZER_LAYOUT.bindings.view;
    const bind = (buffer: GPUBuffer, offset: number) =>
      device.createBindGroup({
        layout: viewBindGroupLayout(gpu),
        entries: [{ binding, resource: { buffer, offset, size: MATRIX_SIZE } }],
      });
    this.currentMatrixGroup = bind(this.currentMatrix, 0);
    this.viewGroups = layers.map((layer) => bind(this.matrices, layer * this.matrixStride));
  }

  /** Uploads the matrices, 16 numbers per view. */
  writeMatrices(views: ArrayLike<number>): void {
    const stride = this.matrixStride / 4;
    const padded = new Float32Array(stride * this.viewCount);
    for (let view = 0; view < this.viewCount; view++) {
      for (let i = 0; i < 16; i++) padded[stride * view + i] = views[16 * view + i];
    }
    this.gpu.device.queue.writeBuffer(this.matrices, 0, padded);
  }

  /** Encodes the copy of one image into a buffer of the device's pool, without gaps, 32 bits per pixel. */
  copyImage(encoder: GPUCommandEncoder, image: 'color' | 'depth' | 'stencil'): GPUBuffer {
    const { device, pipelines } = this.gpu;
    const entryPoint = ({ color: 'copyColor', depth: 'copyDepth', stencil: 'copyStencil' } as const)[image];
    const pipeline = pipelines.get(`image-copy/${entryPoint}`, () =>
      device.createComputePipeline({
        layout: 'auto',
        compute: { module: pipelines.get('image-copy', () => device.createShaderModule({ code })), entryPoint },
      }),
    );
    const texture = image === 'color' ? this.#color : this.#depth;
    const aspect = ({ color: 'all', depth: 'depth-only', stencil: 'stencil-only' } as const)[image];
    const usage = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC;
    const buffer = this.gpu.buffers.take(4 * this.width * this.height * this.viewCount, usage);
    const { bindings, workgroups } = IMAGE_COPY_LAYOUT;
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [
          { binding: bindings[image].binding, resource: texture.createView({ dimension: '2d-array', aspect }) },
          { binding: bindings.pixels.binding, resource: { buffer } },
        ],
      }),
    );
    const [columns, rows] = workgroups[entryPoint];
    pass.dispatchWorkgroups(Math.ceil(this.width / columns), Math.ceil(this.height / rows), this.viewCount);
    pass.end();
    return buffer;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#color.destroy();
    this.#depth.destroy();
    this.matrices.destroy();
    this.currentMatrix.destroy();
  }

  /** Casts a target, which must still be on this device. */
  static of(target: RasterTarget, gpu: GpuDevice): WebGpuTarget {
    if (target instanceof WebGpuTarget && target.gpu === gpu && !target.#isDestroyed) return target;
    throw new NearfieldError(
      'bad-argument',
      'The target was destroyed or made by another rasterizer; make it with this one.',
    );
  }
}
