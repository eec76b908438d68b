// The cells of a growth on a device: two buffers that change places, and three of flags of tiles, which rotate. Each step
// reads the flags of its tiles, sets those of the next step and clears those of the one after it, so that the active band
// needs no pass of its own.
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE, SHADER_STAGE } from '../../gpu/flags.js';
import { MAX_GROUPS_ALONG_AXIS, UNIFORM_ALIGNMENT } from '../../gpu/limits.js';
import { noiseKey } from '../coefficients.js';
import type { IceSetup } from '../options.js';
import planeCode from './ice-plane.wgsl?raw';
import { ICE_PLANE_LAYOUT } from './ice-plane-layout.js';
import twiceCode from './ice-plane-twice.wgsl?raw';
import { ICE_TWICE_LAYOUT } from './ice-plane-twice-layout.js';
import spaceCode from './ice-space.wgsl?raw';
import { ICE_SPACE_LAYOUT } from './ice-space-layout.js';
import stepCode from './ice-step.wgsl?raw';
import { ICE_STEP_LAYOUT } from './ice-step-layout.js';

/** Chosen: steps in one submission. */
export const BATCH = 256;
/** Layout: rows of a thread in the plane. */
const ROWS = 4;
/** Layout: layers of a thread in space. */
const LAYERS = 8;
/** Layout: cells side by side of a thread in the plane. */
const CELLS_PER_THREAD = 2;
/** Layout: rows of a thread that does two steps. */
const ROWS_TWICE = 4;

/** The bindings of both shaders. */
const BINDINGS = { ...ICE_STEP_LAYOUT.bindings, ...ICE_PLANE_LAYOUT.bindings };

const BOUNDARY_IDS = { 'no-flux': 0, fixed: 1, periodic: 2 } as const;

export class GpuCells {
  readonly tileCount: number;
  /** Cells from a row to the next: in the plane an even number. */
  readonly stride: number;
  /** Per tile, the number of steps it was computed in, and of those with phases other than 0 and 1. */
  readonly work: GPUBuffer;
  /** 0 in obstacles; a buffer of one cell while there is no obstacle. */
  room: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #setup: IceSetup;
  readonly #fields: readonly [GPUBuffer, GPUBuffer];
  readonly #flags: readonly GPUBuffer[];
  readonly #numbers: GPUBuffer;
  readonly #keys: GPUBuffer;
  readonly #groups: readonly [number, number];
  /** Pipelines of passes that do two steps; null without them. */
  readonly #groupsTwice: readonly [number, number] | null;
  readonly #layout: GPUBindGroupLayout;
  #bindGroups: GPUBindGroup[] = [];
  #hasRoom = false;
  /** Passes. */
  #done = 0;

  constructor(gpu: GpuDevice, setup: IceSetup) {
    this.#gpu = gpu;
    this.#setup = setup;
    const [nx, ny, nz] = setup.size;
    this.stride = nz === 1 ? 2 * Math.ceil(nx / 2) : nx;
    const cells = this.stride * ny * nz;
    const tile = nz === 1 ? planeTile() : spaceTile();
    const tiles = [Math.ceil(nx / tile[0]), Math.ceil(ny / tile[1]), Math.ceil(nz / tile[2])];
    this.tileCount = tiles[0] * tiles[1] * tiles[2];
    this.#groups = spread(this.tileCount);
    const [x, y] = ICE_TWICE_LAYOUT.workgroups.stepPlaneTwice;
    const outer = Math.ceil(this.stride / CELLS_PER_THREAD / (x - 2)) * Math.ceil(ny / (y * ROWS_TWICE - 2));
    this.#groupsTwice = nz === 1 && !setup.band ? spread(outer) : null;
    const storage = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_DST | BUFFER_USAGE.COPY_SRC;
    this.#fields = [createBuffer(gpu, 8 * cells, storage, 'ice'), createBuffer(gpu, 8 * cells, storage, 'ice after')];
    this.#flags = [0, 1, 2].map((i) => createBuffer(gpu, 4 * this.tileCount, storage, `ice tiles ${i}`));
    this.work = createBuffer(gpu, 8 * this.tileCount, storage, 'ice work');
    this.room = createBuffer(gpu, 4, storage, 'ice room');
    const uniform = BUFFER_USAGE.UNIFORM | BUFFER_USAGE.COPY_DST;
    this.#numbers = createBuffer(gpu, ICE_STEP_LAYOUT.structs.Ice.size, uniform, 'ice numbers');
    this.#keys = createBuffer(gpu, BATCH * UNIFORM_ALIGNMENT, uniform, 'ice noise');
    gpu.device.queue.writeBuffer(this.#numbers, 0, numbersOf(setup, tiles, this.#groups[0]));
    this.#layout = gpu.pipelines.get('ice-step/layout', () => bindLayout(gpu.device));
    this.#bind();
  }

  /** The current fields, interleaved. */
  get cells(): GPUBuffer {
    return this.#fields[this.#done % 2];
  }

  /** All tiles are computed in the next step. */
  wakeAll(): void {
    const { queue } = this.#gpu.device;
    queue.writeBuffer(this.#flags[this.#done % 3], 0, new Uint32Array(this.tileCount).fill(1));
    const zeros = new Uint32Array(this.tileCount);
    for (const later of [1, 2]) queue.writeBuffer(this.#flags[(this.#done + later) % 3], 0, zeros);
  }

  /** Makes room for obstacles: everything open. */
  openRoom(): void {
    if (this.#hasRoom) return;
    this.#hasRoom = true;
    const [nx, ny, nz] = this.#setup.size;
    this.room.destroy();
    const storage = BUFFER_USAGE.STORAGE | BUFFER_USAGE.COPY_DST | BUFFER_USAGE.COPY_SRC;
    this.room = createBuffer(this.#gpu, 4 * nx * ny * nz, storage, 'ice room');
    this.#gpu.device.queue.writeBuffer(this.room, 0, new Uint32Array(nx * ny * nz).fill(1));
    this.#bind();
  }

  get hasRoom(): boolean {
    return this.#hasRoom;
  }

  /** Submits at most {@link BATCH} steps, the first with this number. */
  submit(first: number, count: number): void {
    const { device } = this.#gpu;
    const twice = this.#groupsTwice === null ? 0 : count >> 1;
    const passes = count - twice;
    const keys = new Uint32Array((passes * UNIFORM_ALIGNMENT) / 4);
    for (let i = 0, step = first; i < passes; i++) {
      keys[(i * UNIFORM_ALIGNMENT) / 4] = noiseKey(this.#setup.seed, step++);
      if (i < twice) keys[(i * UNIFORM_ALIGNMENT) / 4 + 1] = noiseKey(this.#setup.seed, step++);
    }
    device.queue.writeBuffer(this.#keys, 0, keys);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const dispatch = (from: number, to: number, groups: readonly [number, number]): void => {
      for (let i = from; i < to; i++) {
        pass.setBindGroup(0, this.#bindGroups[(this.#done + i) % 6], [i * UNIFORM_ALIGNMENT]);
        pass.dispatchWorkgroups(...groups);
      }
    };
    if (twice > 0) {
      pass.setPipeline(this.#pipeline('stepPlaneTwice'));
      dispatch(0, twice, this.#groupsTwice!);
    }
    if (passes > twice) {
      pass.setPipeline(this.#pipeline(this.#setup.size[2] === 1 ? 'stepPlane' : 'stepSpace'));
      dispatch(twice, passes, this.#groups);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.#done += passes;
  }

  destroy(): void {
    const all = [...this.#fields, ...this.#flags, this.work, this.room, this.#numbers, this.#keys];
    for (const buffer of all) buffer.destroy();
  }

  #bind(): void {
    const bindings = BINDINGS;
    const whole = (name: keyof typeof bindings, buffer: GPUBuffer) => ({
      binding: bindings[name].binding,
      resource: { buffer },
    });
    this.#bindGroups = [0, 1, 2, 3, 4, 5].map((turn) =>
      this.#gpu.device.createBindGroup({
        layout: this.#layout,
        entries: [
          whole('ice', this.#numbers),
          { binding: bindings.step.binding, resource: { buffer: this.#keys, size: ICE_STEP_LAYOUT.structs.Step.size } },
          whole('before', this.#fields[turn % 2]),
          whole('after', this.#fields[(turn + 1) % 2]),
          whole('awake', this.#flags[turn % 3]),
          whole('waking', this.#flags[(turn + 1) % 3]),
          whole('resting', this.#flags[(turn + 2) % 3]),
          whole('work', this.work),
          whole('room', this.room),
        ],
      }),
    );
  }

  #pipeline(entryPoint: 'stepPlane' | 'stepPlaneTwice' | 'stepSpace'): GPUComputePipeline {
    const { device, pipelines } = this.#gpu;
    const { coefficients: c, boundary, band } = this.#setup;
    const extent = { stepPlane: { ROWS }, stepPlaneTwice: {}, stepSpace: { LAYERS } }[entryPoint];
    const constants = {
      FOLD: c.fold,
      IS_KARMA: Number(c.coupling !== 0),
      HAS_NOISE: Number(c.noise !== 0),
      HAS_ROOM: Number(this.#hasRoom),
      IS_DIRECTED: Number(c.fold !== 0 || c.axial !== 0),
      IS_BANDED: Number(band),
      BOUNDARY: BOUNDARY_IDS[boundary],
      ...extent,
    };
    return pipelines.get(`ice-step/${entryPoint} ${Object.values(constants).join(' ')}`, () => {
      const codes = { stepPlane: planeCode, stepPlaneTwice: planeCode + twiceCode, stepSpace: spaceCode };
      const module = pipelines.get(`ice-step/${entryPoint}`, () =>
        device.createShaderModule({ code: stepCode + codes[entryPoint] }),
      );
      const layout = device.createPipelineLayout({ bindGroupLayouts: [this.#layout] });
      return device.createComputePipeline({ label: entryPoint, layout, compute: { module, entryPoint, constants } });
    });
  }
}

/** Workgroups of a dispatch along x and y. */
function spread(count: number): readonly [number, number] {
  const across = Math.min(count, MAX_GROUPS_ALONG_AXIS);
  return [across, Math.ceil(count / across)];
}

function planeTile(): readonly [number, number, number] {
  const [x, y] = ICE_PLANE_LAYOUT.workgroups.stepPlane;
  return [CELLS_PER_THREAD * x, y * ROWS, 1];
}

function spaceTile(): readonly [number, number, number] {
  const [x, y] = ICE_SPACE_LAYOUT.workgroups.stepSpace;
  return [x, y, LAYERS];
}

function bindLayout(device: GPUDevice): GPUBindGroupLayout {
  const bindings = BINDINGS;
  const kinds = {
    ice: { type: 'uniform' },
    step: { type: 'uniform', hasDynamicOffset: true },
    before: { type: 'read-only-storage' },
    after: { type: 'storage' },
    awake: { type: 'read-only-storage' },
    waking: { type: 'storage' },
    resting: { type: 'storage' },
    work: { type: 'storage' },
    room: { type: 'read-only-storage' },
  } as const satisfies Record<keyof typeof bindings, GPUBufferBindingLayout>;
  return device.createBindGroupLayout({
    entries: (Object.keys(kinds) as (keyof typeof bindings)[]).map((name) => ({
      binding: bindings[name].binding,
      visibility: SHADER_STAGE.COMPUTE,
      buffer: kinds[name],
    })),
  });
}

function numbersOf(setup: IceSetup, tiles: readonly number[], groupsX: number): ArrayBuffer {
  const { size, offsets } = ICE_STEP_LAYOUT.structs.Ice;
  const bytes = new ArrayBuffer(size);
  const integers = new Uint32Array(bytes);
  const numbers = new Float32Array(bytes);
  integers.set(setup.size, offsets.size / 4);
  integers.set(tiles, offsets.tiles / 4);
  integers[offsets.groupsX / 4] = groupsX;
  const { coefficients: c, still, wallTemperature } = setup;
  const { compact, cross, delta, deltaFold, turnRe, turnIm, reaction, alpha, gamma, equilibrium } = c;
  const { latentHeat, diffusion, noise, coupling, axial } = c;
  const values = {
    ...{ compact, cross, delta, deltaFold, turnRe, turnIm, reaction, alpha, gamma, equilibrium },
    ...{ latentHeat, diffusion, noise, coupling, axial, still, wall: wallTemperature },
  };
  for (const [name, value] of Object.entries(values)) numbers[offsets[name as keyof typeof values] / 4] = value;
  return bytes;
}
