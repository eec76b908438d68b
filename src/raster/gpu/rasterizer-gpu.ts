// The rasterizer on graphics hardware: one render pass per view, draws in the given order. If all draws go into the
// same views they are recorded once and replayed in each. Hardware snaps vertices to a grid inside the pixel (1/256 of
// a pixel on most GPUs, 1/16 on SwiftShader) before it finds covered centers.
import { NearfieldError } from '../../core/errors.js';
import { readBuffers } from '../../gpu/buffer.js';
import { assertDevice } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import {
  assertClear,
  assertDraw,
  assertDraws,
  assertImages,
  assertReduction,
  assertState,
  assertViews,
} from '../arguments.js';
import {
  type ClearValues,
  RASTER_DEFAULTS,
  type RasterDraw,
  type RasterImages,
  type Rasterizer,
  type RasterState,
  type RasterTarget,
  type ReducedViews,
  type ReduceOptions,
} from '../raster.js';
import { reduceImages } from './image-reduction-gpu.js';
import { COLOR_FORMAT, type DepthFormat, depthFormatOf, renderPipeline } from './pipelines-gpu.js';
import { MATRIX_SIZE, WebGpuTarget } from './target-gpu.js';
import { DeviceTriangles } from './triangles-gpu.js';

/** The rasterizer that uses render pipelines. */
export interface WebGpuRasterizer extends Rasterizer {
  readonly backend: 'webgpu';
  /** With 'depth24plus-stencil8', which only old devices need, depths are rounded to a multiple of 2⁻²⁴. */
  readonly depthFormat: DepthFormat;
}

/** A rasterizer that draws with render pipelines on this device. */
export function createWebGpuRasterizer(gpu: GpuDevice): WebGpuRasterizer {
  assertDevice(gpu);
  return new RenderPassRasterizer(gpu);
}

/** A draw with its pipeline and resolved runs; successive runs in one state have been merged. */
interface PlannedDraw {
  readonly triangles: DeviceTriangles;
  readonly pipeline: GPURenderPipeline;
  readonly reference: number;
  readonly firstTriangle: number;
  triangleCount: number;
  readonly firstView: number;
  readonly endView: number;
}

class RenderPassRasterizer implements WebGpuRasterizer {
  readonly backend = 'webgpu';
  readonly depthFormat: DepthFormat;
  readonly #faults: GpuFaults;
  #isDestroyed = false;
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.depthFormat = depthFormatOf(gpu);
    this.#faults = new GpuFaults(gpu);
  }

  createGeometry(positions: ArrayLike<number>, indices: Uint32Array, colors?: Uint32Array): DeviceTriangles {
    return this.#watch('createGeometry', () => new DeviceTriangles(this.#gpu, positions, indices, colors));
  }

  createTarget(width: number, height: number, viewCount: number): WebGpuTarget {
    return this.#watch('createTarget', () => {
      const target = new WebGpuTarget(this.#gpu, width, height, viewCount);
      this.#submit(target, [], {});
      return target;
    });
  }

  draw(target: RasterTarget, views: ArrayLike<number>, draws: readonly RasterDraw[], clear?: ClearValues): void {
    this.#watch('draw', () => {
      const own = WebGpuTarget.of(target, this.#gpu);
      assertViews(views, own);
      assertDraws(draws);
      if (clear !== undefined) assertClear(clear);
      const planned = planDraws(this.#gpu, own, draws);
      own.writeMatrices(views);
      this.#submit(own, planned, clear);
    });
  }

  async read(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]): Promise<RasterImages> {
    const { copies, own } = this.#copyImages(target, images);
    try {
      const byteLength = 4 * own.width * own.height * own.viewCount;
      const bytes = await readBuffers(
        this.#gpu,
        this.#faults,
        'read',
        copies.map((buffer) => ({ buffer, byteLength })),
      );
      const result: { -readonly [K in keyof RasterImages]: RasterImages[K] } = {};
      images.forEach((image, i) => {
        if (image === 'color') result.color = new Uint32Array(bytes[i]);
        else if (image === 'depth') result.depth = new Float32Array(bytes[i]);
        else result.stencil = Uint8Array.from(new Uint32Array(bytes[i]));
      });
      return result;
    } finally {
      for (const copy of copies) this.#gpu.buffers.give(copy);
    }
  }

  async reduce(target: RasterTarget, views: ArrayLike<number>, options: ReduceOptions): Promise<ReducedViews> {
    assertReduction(options);
    assertViews(
      views,
      this.#watch('reduce', () => WebGpuTarget.of(target, this.#gpu)),
    );
    const { copies, own } = this.#copyImages(target, ['color', 'depth']);
    try {
      const [colors, depths] = copies;
      return await reduceImages(this.#gpu, this.#faults, own, { colors, depths }, views, options);
    } finally {
      for (const copy of copies) this.#gpu.buffers.give(copy);
    }
  }

  /** There is nothing to free: geometries and targets are destroyed separately, pipelines live with the device. */
  destroy(): void {
    this.#isDestroyed = true;
  }

  #watch<T>(what: string, body: () => T): T {
    if (this.#isDestroyed) throw new NearfieldError('bad-argument', 'The rasterizer is destroyed; create another.');
    return this.#faults.watch(what, body);
  }

  #copyImages(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]) {
    return this.#watch('read', () => {
      const own = WebGpuTarget.of(target, this.#gpu);
      assertImages(images);
      const encoder = this.#gpu.device.createCommandEncoder();
      const copies = images.map((image) => own.copyImage(encoder, image));
      this.#gpu.device.queue.submit([encoder.finish()]);
      return { copies, own };
    });
  }

  /** One pass per view that is cleared or drawn into. */
  #submit(target: WebGpuTarget, planned: readonly PlannedDraw[], clear: ClearValues | undefined): void {
    const { device } = this.#gpu;
    const bundle = this.#recordForAllViews(target, planned);
    const encoder = device.createCommandEncoder();
    for (let view = 0; view < target.viewCount; view++) {
      if (clear === undefined && !planned.some((draw) => reaches(draw, view))) continue;
      if (bundle !== null) {
        encoder.copyBufferToBuffer(target.matrices, view * target.matrixStride, target.currentMatrix, 0, MATRIX_SIZE);
      }
      const pass = encoder.beginRenderPass(describePass(target, view, clear));
      if (bundle !== null && reaches(planned[0], view)) {
        pass.setStencilReference(planned[0].reference);
        pass.executeBundles([bundle]);
      } else {
        const here = planned.filter((draw) => reaches(draw, view));
        encodeDraws(pass, target.viewGroups[view], here);
      }
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }

  /** The commands of all draws, if every draw goes into the same two or more views with one stencil reference. */
  #recordForAllViews(target: WebGpuTarget, planned: readonly PlannedDraw[]): GPURenderBundle | null {
    const first = planned[0];
    if (first === undefined || first.endView - first.firstView < 2) return null;
    const alike = (draw: PlannedDraw) =>
      draw.firstView === first.firstView && draw.endView === first.endView && draw.reference === first.reference;
    if (!planned.every(alike)) return null;
    const encoder = this.#gpu.device.createRenderBundleEncoder({
      colorFormats: [COLOR_FORMAT],
      depthStencilFormat: this.depthFormat,
    });
    encodeDraws(encoder, target.currentMatrixGroup, planned);
    return encoder.finish();
  }
}

function reaches(draw: PlannedDraw, view: number): boolean {
  return draw.firstView <= view && view < draw.endView;
}

function describePass(target: WebGpuTarget, view: number, clear: ClearValues | undefined): GPURenderPassDescriptor {
  const loadOp = clear === undefined ? 'load' : 'clear';
  return {
    colorAttachments: [
      { view: target.colorLayers[view], loadOp, storeOp: 'store', clearValue: [clear?.color ?? 0, 0, 0, 0] },
    ],
    depthStencilAttachment: {
      view: target.depthLayers[view],
      depthLoadOp: loadOp,
      depthStoreOp: 'store',
      depthClearValue: clear?.depth ?? 1,
      stencilLoadOp: loadOp,
      stencilStoreOp: 'store',
      stencilClearValue: clear?.stencil ?? 0,
    },
  };
}

/** Checks draws, finds their pipelines and merges consecutive runs in one state. */
function planDraws(gpu: GpuDevice, target: WebGpuTarget, draws: readonly RasterDraw[]): PlannedDraw[] {
  const pipelines = new Map<RasterState, GPURenderPipeline>();
  const planned: PlannedDraw[] = [];
  for (const draw of draws) {
    const triangles = DeviceTriangles.of(draw, gpu);
    assertDraw(draw, target);
    const { state, firstTriangle = 0, firstView = 0 } = draw;
    let pipeline = pipelines.get(state);
    if (pipeline === undefined) {
      assertState(state);
      pipeline = renderPipeline(gpu, state);
      pipelines.set(state, pipeline);
    }
    const triangleCount = draw.triangleCount ?? triangles.triangleCount - firstTriangle;
    const endView = firstView + (draw.viewCount ?? target.viewCount - firstView);
    const reference = state.stencilReference ?? RASTER_DEFAULTS.stencilReference;
    if (triangleCount === 0 || firstView === endView) continue;
    const last = planned.at(-1);
    if (
      last !== undefined &&
      last.triangles === triangles &&
      last.pipeline === pipeline &&
      last.reference === reference &&
      last.firstView === firstView &&
      last.endView === endView &&
      last.firstTriangle + last.triangleCount === firstTriangle
    ) {
      last.triangleCount += triangleCount;
    } else {
      planned.push({ triangles, pipeline, reference, firstTriangle, triangleCount, firstView, endView });
    }
  }
  return planned;
}

/** Encodes draws, setting only what changes between them; a bundle has one stencil reference, set by its pass. */
function encodeDraws(
  encoder: GPURenderPassEncoder | GPURenderBundleEncoder,
  viewGroup: GPUBindGroup,
  draws: readonly PlannedDraw[],
): void {
  encoder.setBindGroup(0, viewGroup);
  let pipeline: GPURenderPipeline | null = null;
  let triangles: DeviceTriangles | null = null;
  let reference = -1;
  for (const draw of draws) {
    if (draw.pipeline !== pipeline) encoder.setPipeline((pipeline = draw.pipeline));
    if (draw.triangles !== triangles) encoder.setBindGroup(1, (triangles = draw.triangles).bindGroup);
    if (draw.reference !== reference && 'setStencilReference' in encoder) {
      encoder.setStencilReference((reference = draw.reference));
    }
    encoder.draw(3 * draw.triangleCount, 1, 3 * draw.firstTriangle);
  }
}
