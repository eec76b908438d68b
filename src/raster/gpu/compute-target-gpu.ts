// The images of the compute rasteriser, in storage buffers, with the pipelines that write them.
import { NearfieldError } from '../../core/errors.js';
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE, SHADER_STAGE } from '../../gpu/flags.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import { assertTargetSize } from '../arguments.js';
import type { RasterTarget } from '../raster.js';
import code from './rasterize-triangles.wgsl?raw';
import { TRIANGLE_BINDINGS, triangleBindGroupLayout } from './triangles-gpu.js';

export const COMPUTE_RASTERIZER_LAYOUT = {
  structs: {
    Run: {
      size: 44,
      offsets: {
        width: 0,
        height: 4,
        firstView: 8,
        firstEntry: 12,
        entryCount: 16,
        cull: 20,
        greatest: 24,
        orEqual: 28,
        claiming: 32,
        clearColor: 36,
        clearDepth: 40,
      },
    },
    Claim: { size: 8, offsets: { winner: 0, before: 4 } },
  },
  bindings: {
    run: { group: 0, binding: 0 },
    views: { group: 0, binding: 1 },
    entries: { group: 0, binding: 2 },
    depths: { group: 0, binding: 3 },
    claims: { group: 0, binding: 4 },
    image: { group: 0, binding: 5 },
    ...TRIANGLE_BINDINGS,
  },
  workgroups: { rasterize: [8, 8, 1], resolve: [8, 8, 1], clear: [8, 8, 1] },
} as const satisfies ShaderLayout;

/** What a device dispatches along one axis at least. */
export const MAX_GROUPS_ALONG_AXIS = 65535;

/** The kernel of an entry point. */
export function computePipeline(
  gpu: GpuDevice,
  entryPoint: keyof typeof COMPUTE_RASTERIZER_LAYOUT.workgroups,
): GPUComputePipeline {
  const { device, pipelines } = gpu;
  return pipelines.get(`compute-rasterizer/${entryPoint}`, () =>
    device.createComputePipeline({
      label: entryPoint,
      layout: device.createPipelineLayout({
        bindGroupLayouts: [imageBindGroupLayout(gpu), triangleBindGroupLayout(gpu)],
      }),
      compute: {
        module: pipelines.get('compute-rasterizer', () => device.createShaderModule({ code })),
        entryPoint,
      },
    }),
  );
}

/** With the triangles these are the eight storage buffers that every device binds. */
function imageBindGroupLayout(gpu: GpuDevice): GPUBindGroupLayout {
  const { bindings } = COMPUTE_RASTERIZER_LAYOUT;
  return gpu.pipelines.get('compute-rasterizer/images', () => {
    const entry = ({ binding }: { binding: number }, buffer: GPUBufferBindingLayout) => ({
      binding,
      visibility: SHADER_STAGE.COMPUTE,
      buffer,
    });
    return gpu.device.createBindGroupLayout({
      entries: [
        entry(bindings.run, { type: 'uniform', hasDynamicOffset: true }),
        entry(bindings.views, { type: 'read-only-storage' }),
        entry(bindings.entries, { type: 'read-only-storage' }),
        entry(bindings.depths, { type: 'storage' }),
        entry(bindings.claims, { type: 'storage' }),
        entry(bindings.image, { type: 'storage' }),
      ],
    });
  });
}

/** Buffers of a set of views. */
export class ComputeTarget implements RasterTarget {
  readonly colors: GPUBuffer;
  /** The bits of depths. */
  readonly depths: GPUBuffer;
  private readonly claims: GPUBuffer;
  private isDestroyed = false;

  constructor(
    readonly gpu: GpuDevice,
    readonly width: number,
    readonly height: number,
    readonly viewCount: number,
  ) {
    assertTargetSize(width, height, viewCount);
    const pixels = width * height * viewCount;
    const largest = COMPUTE_RASTERIZER_LAYOUT.structs.Claim.size * pixels;
    const { maxStorageBufferBindingSize } = gpu.device.limits;
    if (largest > maxStorageBufferBindingSize || viewCount > MAX_GROUPS_ALONG_AXIS) {
      throw new NearfieldError(
        'too-large',
        `${viewCount} views of ${width} × ${height} pixels are more than this GPU holds at once (${MAX_GROUPS_ALONG_AXIS} views, ` +
          `${maxStorageBufferBindingSize} bytes a buffer); draw fewer at a time.`,
      );
    }
    const usage = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_SRC;
    this.colors = createBuffer(gpu, 4 * pixels, usage, 'colour image');
    this.depths = createBuffer(gpu, 4 * pixels, usage, 'depth image');
    this.claims = createBuffer(gpu, largest, BUFFER_USAGE.STORAGE, 'claims to pixels');
  }

  /** Binds the images beside what one call draws. */
  bind(runs: GPUBuffer, views: GPUBuffer, entries: GPUBuffer): GPUBindGroup {
    const { bindings, structs } = COMPUTE_RASTERIZER_LAYOUT;
    const entry = ({ binding }: { binding: number }, buffer: GPUBuffer) => ({ binding, resource: { buffer } });
    return this.gpu.device.createBindGroup({
      layout: imageBindGroupLayout(this.gpu),
      entries: [
        { binding: bindings.run.binding, resource: { buffer: runs, size: structs.Run.size } },
        entry(bindings.views, views),
        entry(bindings.entries, entries),
        entry(bindings.depths, this.depths),
        entry(bindings.claims, this.claims),
        entry(bindings.image, this.colors),
      ],
    });
  }

  destroy(): void {
    this.isDestroyed = true;
    this.colors.destroy();
    this.depths.destroy();
    this.claims.destroy();
  }

  /** A target that must be on this device still. */
  static of(target: RasterTarget, gpu: GpuDevice): ComputeTarget {
    if (target instanceof ComputeTarget && target.gpu === gpu && !target.isDestroyed) return target;
    throw new NearfieldError(
      'bad-argument',
      'The target was destroyed or made by another rasteriser; make it with this one.',
    );
  }
}
