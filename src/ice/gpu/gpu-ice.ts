// A growth on a GPU: explicit steps in single precision, several in a submission.
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { createBuffer, readBuffers, uploadBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { MAX_GROUPS_ALONG_AXIS } from '../../gpu/limits.js';
import { assertSteps, GrowthFacts } from '../growth-facts.js';
import type { Ice, IceFields, IceState, IceStroke, IceWork } from '../ice.js';
import type { IceSetup } from '../options.js';
import { assertStrokes, paintCells, strokeInCells } from '../paint.js';
import { BATCH, GpuCells } from './gpu-cells.js';
import paintCode from './ice-paint.wgsl?raw';
import { ICE_PAINT_LAYOUT } from './ice-paint-layout.js';

const WHAT = 'Growing ice';

export class GpuIce extends GrowthFacts implements Ice {
  readonly backend = 'webgpu';
  readonly workers = 0;
  readonly #gpu: GpuDevice;
  readonly #faults: GpuFaults;
  #cells: GpuCells | null;
  readonly #count: number;
  readonly #isBanded: boolean;

  private constructor(gpu: GpuDevice, setup: IceSetup) {
    super(setup, 'float32');
    this.#gpu = gpu;
    this.#faults = new GpuFaults(gpu);
    this.#isBanded = setup.band;
    this.#count = setup.size[0] * setup.size[1] * setup.size[2];
    assertFits(gpu, 8 * this.#count);
    this.#cells = this.#faults.watch(WHAT, () => new GpuCells(gpu, setup));
  }

  /** @throws NearfieldError `unsupported` for what only the CPU does, `too-large` beyond the device's buffers. */
  static async create(gpu: GpuDevice, setup: IceSetup): Promise<GpuIce> {
    if (setup.scheme !== 'explicit' || setup.precision !== 'float32') {
      throw new NearfieldError(
        'unsupported',
        `The ${setup.scheme} scheme in ${setup.precision} runs on the CPU; use backend 'cpu', or the explicit scheme in float32.`,
      );
    }
    const ice = new GpuIce(gpu, setup);
    const canvas = {
      frame: setup,
      phase: new Float32Array(ice.#count),
      temperature: new Float32Array(ice.#count).fill(setup.temperature),
      room: null,
    };
    assertStrokes(setup.seeds);
    paintCells(canvas, setup.seeds);
    ice.write({ phase: canvas.phase, temperature: canvas.temperature, room: canvas.room ?? undefined });
    await ice.#faults.settle();
    return ice;
  }

  async advance(steps: number, progress?: ProgressOptions): Promise<IceWork> {
    assertSteps(steps);
    const cells = this.#use();
    this.#faults.watch(WHAT, () => {
      const encoder = this.#gpu.device.createCommandEncoder();
      encoder.clearBuffer(cells.work);
      this.#gpu.device.queue.submit([encoder.finish()]);
    });
    // One submission runs while the next one is made.
    let running: Promise<unknown> | null = null;
    for (let done = 0; done < steps; ) {
      reportProgress(progress, done / steps, 'growing ice');
      const count = Math.min(BATCH, steps - done);
      this.#faults.watch(WHAT, () => cells.submit(this.steps, count));
      this.steps += count;
      done += count;
      const submitted = this.#gpu.device.queue.onSubmittedWorkDone();
      if (running !== null) await running;
      running = submitted;
    }
    const tiles = steps * cells.tileCount;
    if (!this.#isBanded) {
      await this.#gpu.device.queue.onSubmittedWorkDone();
      await this.#faults.settle();
      return { steps, tiles, computedTiles: tiles, phaseTiles: tiles };
    }
    const source = { buffer: cells.work, byteLength: 8 * cells.tileCount };
    const [bytes] = await readBuffers(this.#gpu, this.#faults, WHAT, [source]);
    const counts = new Uint32Array(bytes);
    let computedTiles = 0;
    let phaseTiles = 0;
    for (let i = 0; i < counts.length; i += 2) {
      computedTiles += counts[i];
      phaseTiles += counts[i + 1];
    }
    return { steps, tiles, computedTiles, phaseTiles };
  }

  paint(strokes: readonly IceStroke[]): void {
    assertStrokes(strokes);
    const cells = this.#use();
    if (strokes.length === 0) return;
    this.#faults.watch(WHAT, () => {
      for (const stroke of strokes) {
        if (stroke.obstacle === true) cells.openRoom();
        this.#paintOne(cells, stroke);
      }
      cells.wakeAll();
    });
  }

  write(fields: IceFields): void {
    const cells = this.#use();
    this.assertFields(fields);
    const { phase, temperature, room } = fields;
    this.#faults.watch(WHAT, () => {
      const { queue } = this.#gpu.device;
      if (room !== undefined) {
        cells.openRoom();
        queue.writeBuffer(
          cells.room,
          0,
          Uint32Array.from(room, (value) => (value > 0 ? 1 : 0)),
        );
      }
      if (phase !== undefined && temperature !== undefined) {
        const both = new Float32Array(this.#byteLength / 4);
        const skipped = cells.stride - this.size[0];
        for (let i = 0, to = 0; i < this.#count; ) {
          both[to++] = phase[i];
          both[to++] = temperature[i++];
          if (i % this.size[0] === 0) to += 2 * skipped;
        }
        queue.writeBuffer(cells.cells, 0, both);
      } else {
        if (phase !== undefined) this.#scatter(cells, phase, 0);
        if (temperature !== undefined) this.#scatter(cells, temperature, 1);
      }
      cells.wakeAll();
    });
  }

  async read(): Promise<IceState> {
    const cells = this.#use();
    const sources = [{ buffer: cells.cells, byteLength: this.#byteLength }];
    if (cells.hasRoom) sources.push({ buffer: cells.room, byteLength: 4 * this.#count });
    const [bytes, roomBytes] = await readBuffers(this.#gpu, this.#faults, WHAT, sources);
    const both = new Float32Array(bytes);
    const phase = new Float32Array(this.#count);
    const temperature = new Float32Array(this.#count);
    const skipped = cells.stride - this.size[0];
    for (let i = 0, from = 0; i < this.#count; ) {
      phase[i] = both[from++];
      temperature[i++] = both[from++];
      if (i % this.size[0] === 0) from += 2 * skipped;
    }
    const room = roomBytes === undefined ? null : Uint8Array.from(new Uint32Array(roomBytes));
    return this.stateOf(phase, temperature, room);
  }

  free(): void {
    this.#cells?.destroy();
    this.#cells = null;
  }

  /** The bytes of the cells, with those at the ends of odd rows. */
  get #byteLength(): number {
    return 8 * this.#use().stride * this.size[1] * this.size[2];
  }

  #use(): GpuCells {
    if (this.#cells !== null) return this.#cells;
    throw new NearfieldError('bad-argument', 'This growth was freed; create a new one.');
  }

  #paintOne(cells: GpuCells, stroke: IceStroke): void {
    const { from, to, radius, low, high } = strokeInCells(this, stroke);
    const count = low.map((first, axis) => Math.max(0, high[axis] - first + 1));
    if (count.some((cellsAlong) => cellsAlong === 0)) return;
    const { size, offsets } = ICE_PAINT_LAYOUT.structs.Stroke;
    const bytes = new ArrayBuffer(size);
    const numbers = new Float32Array(bytes);
    const integers = new Uint32Array(bytes);
    numbers.set(from, offsets.start / 4);
    numbers[offsets.radius / 4] = radius;
    numbers.set(
      to.map((end, axis) => end - from[axis]),
      offsets.way / 4,
    );
    numbers[offsets.phase / 4] = stroke.phase ?? 0;
    numbers[offsets.temperature / 4] = stroke.temperature ?? 0;
    integers.set(low, offsets.low / 4);
    integers.set(count, offsets.count / 4);
    integers.set(this.size, offsets.size / 4);
    integers[offsets.stride / 4] = cells.stride;
    const { obstacle } = stroke;
    integers[offsets.kind / 4] =
      (stroke.phase === undefined ? 0 : 1) |
      (stroke.temperature === undefined ? 0 : 2) |
      (obstacle === true ? 4 : 0) |
      (obstacle === false && cells.hasRoom ? 8 : 0) |
      (cells.hasRoom ? 16 : 0);
    const [x, y] = ICE_PAINT_LAYOUT.workgroups.paint;
    const groups = [Math.ceil(count[0] / x), Math.ceil(count[1] / y), count[2]] as const;
    this.#run('paint', bytes, groups, [cells.cells, cells.room]);
  }

  #scatter(cells: GpuCells, values: ArrayLike<number>, channel: 0 | 1): void {
    const { size, offsets } = ICE_PAINT_LAYOUT.structs.Stroke;
    const integers = new Uint32Array(size / 4);
    integers[offsets.kind / 4] = channel === 0 ? 1 : 0;
    integers.set(this.size, offsets.size / 4);
    integers[offsets.stride / 4] = cells.stride;
    const uploaded = uploadBuffer(this.#gpu, Float32Array.from(values), BUFFER_USAGE.STORAGE, 'ice values');
    const groups = Math.min(MAX_GROUPS_ALONG_AXIS, Math.ceil(this.#count / ICE_PAINT_LAYOUT.workgroups.scatter[0]));
    this.#run('scatter', integers.buffer, [groups, 1, 1], [cells.cells, null, uploaded]);
    uploaded.destroy();
  }

  /** Runs an entry point of ice-paint.wgsl; `buffers` are those of the bindings after the stroke. */
  #run(
    entryPoint: 'paint' | 'scatter',
    stroke: ArrayBuffer,
    groups: readonly [number, number, number],
    buffers: readonly (GPUBuffer | null)[],
  ): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`ice-paint/${entryPoint}`, () =>
      device.createComputePipeline({
        label: entryPoint,
        layout: 'auto',
        compute: {
          module: pipelines.get('ice-paint', () => device.createShaderModule({ code: paintCode })),
          entryPoint,
        },
      }),
    );
    const usage = BUFFER_USAGE.UNIFORM | BUFFER_USAGE.COPY_DST;
    const uniform = createBuffer(this.#gpu, stroke.byteLength, usage, 'ice stroke');
    device.queue.writeBuffer(uniform, 0, stroke);
    const entries = [uniform, ...buffers].flatMap((buffer, binding) =>
      buffer === null ? [] : [{ binding, resource: { buffer } }],
    );
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    device.queue.submit([encoder.finish()]);
    uniform.destroy();
  }
}

/** Throws if no buffer of the device can hold the cells. */
function assertFits(gpu: GpuDevice, byteLength: number): void {
  const { maxBufferSize, maxStorageBufferBindingSize } = gpu.device.limits;
  const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
  if (byteLength <= most) return;
  throw new NearfieldError(
    'too-large',
    `${WHAT} needs a buffer of ${byteLength} bytes and the device (${gpu.name}) allows ${most}; give a smaller ` +
      "size, or use backend 'cpu'.",
  );
}
