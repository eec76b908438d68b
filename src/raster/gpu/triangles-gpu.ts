// Triangles on a device, in single precision, as shaders read them.

import { NearfieldError } from '../../core/errors.js';
import { uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE, SHADER_STAGE } from '../../gpu/flags.js';
import { assertTriangles } from '../arguments.js';
import type { RasterDraw, RasterGeometry } from '../raster.js';
import { WEBGPU_RASTERIZER_LAYOUT } from './draw-triangles-layout.js';

/** The bindings of the triangles in shaders. */
const { view: _view, ...TRIANGLE_BINDINGS } = WEBGPU_RASTERIZER_LAYOUT.bindings;

export { TRIANGLE_BINDINGS };

/** The layout of the bind group that holds triangles. */
export function triangleBindGroupLayout(gpu: GpuDevice): GPUBindGroupLayout {
  return gpu.pipelines.get('device-triangles/layout', () =>
    gpu.device.createBindGroupLayout({
      entries: Object.values(TRIANGLE_BINDINGS).map(({ binding }) => ({
        binding,
        visibility: SHADER_STAGE.VERTEX,
        buffer: { type: 'read-only-storage' },
      })),
    }),
  );
}

/** The buffers of a geometry and their bind group. Every rasterizer of the device can draw it. */
export class DeviceTriangles implements RasterGeometry {
  readonly triangleCount: number;
  readonly bindGroup: GPUBindGroup;
  readonly #buffers: readonly GPUBuffer[];
  #isDestroyed = false;

  constructor(
    readonly gpu: GpuDevice,
    positions: ArrayLike<number>,
    indices: Uint32Array,
    colors: Uint32Array | undefined,
  ) {
    assertTriangles(positions, indices, colors);
    this.triangleCount = indices.length / 3;
    const ownColors = new Uint32Array(this.triangleCount);
    if (colors === undefined) for (let i = 0; i < this.triangleCount; i++) ownColors[i] = i + 1;
    else ownColors.set(colors);
    const buffers = {
      positions: uploadBuffer(gpu, new Float32Array(positions), BUFFER_USAGE.STORAGE, 'vertex positions'),
      indices: uploadBuffer(gpu, new Uint32Array(indices), BUFFER_USAGE.STORAGE, 'triangle corners'),
      colors: uploadBuffer(gpu, ownColors, BUFFER_USAGE.STORAGE, 'triangle colors'),
    };
    this.#buffers = Object.values(buffers);
    this.bindGroup = gpu.device.createBindGroup({
      layout: triangleBindGroupLayout(gpu),
      entries: (['positions', 'indices', 'colors'] as const).map((name) => ({
        binding: TRIANGLE_BINDINGS[name].binding,
        resource: { buffer: buffers[name] },
      })),
    });
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const buffer of this.#buffers) buffer.destroy();
  }

  /** The triangles of a draw, which must still be on this device. */
  static of(draw: RasterDraw, gpu: GpuDevice): DeviceTriangles {
    const { geometry } = draw;
    if (geometry instanceof DeviceTriangles && geometry.gpu === gpu && !geometry.#isDestroyed) return geometry;
    throw new NearfieldError(
      'bad-argument',
      'A draw names a geometry that was destroyed or made by a rasterizer of another device; make it with this one.',
    );
  }
}
