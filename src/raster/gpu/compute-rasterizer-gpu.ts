// The rasteriser for depths that can be relied on: compute kernels that look at the exact centres of pixels where render
// pipelines snap vertices first. Draws in one state are one run of three dispatches, whatever their number; a change of
// state starts the next, so group draws by state. Only the least or greatest depth can be asked for, and no stencil.
import { NearfieldError } from '../../core/errors.js';
import { readBuffers, uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import {
  assertClear,
  assertDevice,
  assertDraw,
  assertDraws,
  assertImages,
  assertReduction,
  assertState,
  assertViews,
} from '../arguments.js';
import {
  type ClearValues,
  DEFAULT_RASTER_STATE,
  type RasterDraw,
  type RasterImages,
  type Rasterizer,
  type RasterState,
  type RasterTarget,
  type ReducedViews,
  type ReduceOptions,
} from '../raster.js';
import {
  COMPUTE_RASTERIZER_LAYOUT,
  ComputeTarget,
  computePipeline,
  MAX_GROUPS_ALONG_AXIS,
} from './compute-target-gpu.js';
import { reduceImages } from './image-reduction-gpu.js';
import { DeviceTriangles } from './triangles-gpu.js';

/**
 * A rasteriser of compute kernels on this device, without snapping: a pixel is covered as if each vertex were moved by at
 * most 2⁻²¹ of the image's side. It draws `depthCompare` 'less', 'less-equal', 'greater' and 'greater-equal' with
 * `depthWrite` and without a stencil, and throws `unsupported` for every other state.
 */
export function createComputeRasterizer(gpu: GpuDevice): Rasterizer {
  assertDevice(gpu);
  return new ComputeRasterizer(gpu);
}

/** Triangles of one geometry in one state into the same views. */
interface Run {
  readonly triangles: DeviceTriangles;
  readonly state: RasterState;
  readonly firstView: number;
  readonly viewCount: number;
  readonly firstEntry: number;
  entryCount: number;
}

class ComputeRasterizer implements Rasterizer {
  readonly backend = 'webgpu';
  private readonly faults: GpuFaults;
  private isDestroyed = false;

  constructor(private readonly gpu: GpuDevice) {
    this.faults = new GpuFaults(gpu);
  }

  createGeometry(positions: ArrayLike<number>, indices: Uint32Array, colors?: Uint32Array): DeviceTriangles {
    return this.watch('createGeometry', () => new DeviceTriangles(this.gpu, positions, indices, colors));
  }

  createTarget(width: number, height: number, viewCount: number): ComputeTarget {
    return this.watch('createTarget', () => {
      const target = new ComputeTarget(this.gpu, width, height, viewCount);
      this.submit(target, new Float32Array(16 * viewCount), planRuns(this.gpu, target, []), {});
      return target;
    });
  }

  draw(target: RasterTarget, views: ArrayLike<number>, draws: readonly RasterDraw[], clear?: ClearValues): void {
    this.watch('draw', () => {
      const own = ComputeTarget.of(target, this.gpu);
      assertViews(views, own);
      assertDraws(draws);
      if (clear !== undefined) assertClear(clear);
      this.submit(own, new Float32Array(views), planRuns(this.gpu, own, draws), clear);
    });
  }

  async read(target: RasterTarget, images: readonly ('color' | 'depth' | 'stencil')[]): Promise<RasterImages> {
    const own = this.watch('read', () => ComputeTarget.of(target, this.gpu));
    assertImages(images);
    if (images.includes('stencil')) {
      throw new NearfieldError(
        'unsupported',
        'The compute rasteriser has no stencil; draw with createWebGpuRasterizer or createSoftwareRasterizer.',
      );
    }
    const byteLength = 4 * own.width * own.height * own.viewCount;
    const bytes = await readBuffers(
      this.gpu,
      this.faults,
      'read',
      images.map((image) => ({ buffer: image === 'color' ? own.colors : own.depths, byteLength })),
    );
    const result: { -readonly [K in keyof RasterImages]: RasterImages[K] } = {};
    images.forEach((image, i) => {
      if (image === 'color') result.color = new Uint32Array(bytes[i]);
      else result.depth = new Float32Array(bytes[i]);
    });
    return result;
  }

  async reduce(target: RasterTarget, views: ArrayLike<number>, options: ReduceOptions): Promise<ReducedViews> {
    const own = this.watch('reduce', () => ComputeTarget.of(target, this.gpu));
    assertReduction(options);
    assertViews(views, own);
    return reduceImages(this.gpu, this.faults, own, own, views, options);
  }

  /** Nothing is held here: geometries and targets are destroyed by themselves, pipelines live with the device. */
  destroy(): void {
    this.isDestroyed = true;
  }

  private watch<T>(what: string, body: () => T): T {
    if (this.isDestroyed) throw new NearfieldError('bad-argument', 'The rasteriser is destroyed; create another.');
    return this.faults.watch(what, body);
  }

  private submit(
    target: ComputeTarget,
    views: Float32Array<ArrayBuffer>,
    { runs, entries }: { runs: readonly Run[]; entries: Uint32Array<ArrayBuffer> },
    clear: ClearValues | undefined,
  ): void {
    const { gpu } = this;
    const stride = Math.max(
      COMPUTE_RASTERIZER_LAYOUT.structs.Run.size,
      gpu.device.limits.minUniformBufferOffsetAlignment,
    );
    const { STORAGE, UNIFORM } = BUFFER_USAGE;
    const records = uploadBuffer(gpu, writeRecords(target, runs, clear, stride), UNIFORM, 'runs');
    const viewBuffer = uploadBuffer(gpu, views, STORAGE, 'view matrices');
    const entryBuffer = uploadBuffer(gpu, entries, STORAGE, 'triangles to draw');
    const group = target.bind(records, viewBuffer, entryBuffer);
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const [columns, rows] = COMPUTE_RASTERIZER_LAYOUT.workgroups.resolve;
    const tiles = [Math.ceil(target.width / columns), Math.ceil(target.height / rows)] as const;
    if (clear !== undefined) {
      pass.setPipeline(computePipeline(gpu, 'clear'));
      pass.setBindGroup(0, group, [0]);
      pass.setBindGroup(1, emptyTriangles(gpu));
      pass.dispatchWorkgroups(...tiles, target.viewCount);
    }
    runs.forEach((run, i) => {
      pass.setBindGroup(1, run.triangles.bindGroup);
      const across = Math.min(run.entryCount, MAX_GROUPS_ALONG_AXIS);
      const down = Math.ceil(run.entryCount / across);
      const finding = (1 + 2 * i) * stride;
      const claiming = finding + stride;
      pass.setPipeline(computePipeline(gpu, 'rasterize'));
      pass.setBindGroup(0, group, [finding]);
      pass.dispatchWorkgroups(across, down, run.viewCount);
      pass.setBindGroup(0, group, [claiming]);
      if (run.state.colorWrite ?? DEFAULT_RASTER_STATE.colorWrite) {
        pass.dispatchWorkgroups(across, down, run.viewCount);
      }
      pass.setPipeline(computePipeline(gpu, 'resolve'));
      pass.dispatchWorkgroups(...tiles, run.viewCount);
    });
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    // The device keeps what submitted work uses until that is done.
    for (const buffer of [records, viewBuffer, entryBuffer]) buffer.destroy();
  }
}

/** What clearing binds in place of triangles. */
function emptyTriangles(gpu: GpuDevice): GPUBindGroup {
  return gpu.pipelines.get(
    'compute-rasterizer/no-triangles',
    () => new DeviceTriangles(gpu, [], new Uint32Array(0), undefined),
  ).bindGroup;
}

/** Checks draws and gathers successive ones in one state into runs. */
function planRuns(
  gpu: GpuDevice,
  target: ComputeTarget,
  draws: readonly RasterDraw[],
): { runs: Run[]; entries: Uint32Array<ArrayBuffer> } {
  const runs: Run[] = [];
  let total = 0;
  for (const draw of draws) {
    const { triangleCount } = DeviceTriangles.of(draw, gpu);
    assertDraw(draw, target);
    total += draw.triangleCount ?? triangleCount - (draw.firstTriangle ?? 0);
  }
  const entries = new Uint32Array(total);
  const checked = new Set<RasterState>();
  let filled = 0;
  for (const draw of draws) {
    const triangles = DeviceTriangles.of(draw, gpu);
    const { state, firstTriangle = 0, firstView = 0 } = draw;
    if (!checked.has(state)) {
      assertState(state);
      assertDrawable(state);
      checked.add(state);
    }
    const triangleCount = draw.triangleCount ?? triangles.triangleCount - firstTriangle;
    const viewCount = draw.viewCount ?? target.viewCount - firstView;
    if (triangleCount === 0 || viewCount === 0) continue;
    let run = runs.at(-1);
    if (
      run === undefined ||
      run.triangles !== triangles ||
      run.firstView !== firstView ||
      run.viewCount !== viewCount ||
      !drawAlike(run.state, state)
    ) {
      run = { triangles, state, firstView, viewCount, firstEntry: filled, entryCount: 0 };
      runs.push(run);
    }
    for (let i = 0; i < triangleCount; i++) entries[filled + i] = firstTriangle + i;
    filled += triangleCount;
    run.entryCount += triangleCount;
  }
  return { runs, entries };
}

const RUN_STATES = ['cull', 'depthCompare', 'colorWrite'] as const;

function drawAlike(a: RasterState, b: RasterState): boolean {
  return (
    a === b ||
    RUN_STATES.every((name) => (a[name] ?? DEFAULT_RASTER_STATE[name]) === (b[name] ?? DEFAULT_RASTER_STATE[name]))
  );
}

function assertDrawable(state: RasterState): void {
  const of = <K extends keyof RasterState>(name: K) => state[name] ?? DEFAULT_RASTER_STATE[name];
  const refuse = (what: string) => {
    throw new NearfieldError(
      'unsupported',
      `The compute rasteriser draws the least or the greatest depth, without a stencil; ${what} needs createWebGpuRasterizer ` +
        'or createSoftwareRasterizer.',
    );
  };
  if (!['less', 'less-equal', 'greater', 'greater-equal'].includes(of('depthCompare') as string)) {
    refuse(`depthCompare '${of('depthCompare')}'`);
  }
  if (!of('depthWrite')) refuse('depthWrite: false');
  if (of('stencilCompare') !== 'always') refuse(`stencilCompare '${of('stencilCompare')}'`);
  for (const name of ['stencilDepthFail', 'stencilPass'] as const) {
    if (of(name) !== 'keep' && of('stencilWriteMask') !== 0) refuse(`${name} '${of(name)}'`);
  }
}

const CULL_CODES = { none: 0, front: 1, back: 2 } as const;

/** The uniforms: one record to clear with, then two a run, the second claiming the pixels that the first one's depths won. */
function writeRecords(
  target: ComputeTarget,
  runs: readonly Run[],
  clear: ClearValues | undefined,
  stride: number,
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(((1 + 2 * runs.length) * stride) / 4);
  const numbers = new Float32Array(words.buffer);
  const at = COMPUTE_RASTERIZER_LAYOUT.structs.Run.offsets;
  const begin = (record: number): number => {
    const base = (record * stride) / 4;
    words[base + at.width / 4] = target.width;
    words[base + at.height / 4] = target.height;
    return base;
  };
  const clearing = begin(0);
  words[clearing + at.clearColor / 4] = clear?.color ?? 0;
  numbers[clearing + at.clearDepth / 4] = Math.abs(clear?.depth ?? 1);
  runs.forEach((run, i) => {
    const compare = run.state.depthCompare ?? DEFAULT_RASTER_STATE.depthCompare;
    for (let claiming = 0; claiming < 2; claiming++) {
      const base = begin(1 + 2 * i + claiming);
      words[base + at.firstView / 4] = run.firstView;
      words[base + at.firstEntry / 4] = run.firstEntry;
      words[base + at.entryCount / 4] = run.entryCount;
      words[base + at.cull / 4] = CULL_CODES[run.state.cull ?? DEFAULT_RASTER_STATE.cull];
      words[base + at.greatest / 4] = Number(compare.startsWith('greater'));
      words[base + at.orEqual / 4] = Number(compare.endsWith('-equal'));
      words[base + at.claiming / 4] = claiming;
    }
  });
  return words;
}
