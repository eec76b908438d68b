// Runs ray-exits.wgsl: the nearest exit of each tile of the six cube views.
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import { CUBE_AXES } from '../union/cube-views.js';
import { KeptBuffer } from './kept-buffer-gpu.js';
import { type GpuMinkowskiPlanes, SUM_LAYOUT } from './minkowski-planes-gpu.js';
import code from './ray-exits.wgsl?raw';

export const RAY_EXITS_LAYOUT = {
  structs: {
    Query: { size: 24, offsets: { resolution: 0, tiles: 4, blocks: 8, sumCount: 12, keepExits: 16, bound: 20 } },
    Sum: SUM_LAYOUT,
    TileExit: { size: 8, offsets: { exit: 0, pixel: 4 } },
  },
  bindings: {
    query: { group: 0, binding: 0 },
    sums: { group: 0, binding: 1 },
    planes: { group: 0, binding: 2 },
    tileExits: { group: 0, binding: 3 },
    exits: { group: 0, binding: 4 },
    blockSums: { group: 0, binding: 5 },
  },
  workgroups: { probe: [64, 1, 1], settle: [64, 1, 1], trace: [64, 1, 1] },
} as const satisfies ShaderLayout;

/** Layout: pixels along the side of a tile, as in ray-exits.wgsl. */
const TILE = 8;
/** Layout: tiles along the side of a block, as in ray-exits.wgsl. */
const BLOCK = 4;
/** Layout: sums that a block can list, as in ray-exits.wgsl. */
const LIST = 2048;
/** Chosen: blocks are used from this many along the side of a view on. */
const MIN_BLOCKS = 4;
/** Views of a cube. */
const VIEWS = CUBE_AXES.length;
/** The bindings that each stage uses: its automatic layout has no others. */
const STAGE_BINDINGS = {
  probe: ['query', 'sums', 'planes', 'tileExits'],
  settle: ['query', 'sums', 'planes', 'blockSums'],
  trace: ['query', 'sums', 'planes', 'blockSums', 'tileExits', 'exits'],
} as const;
/** Label: a pixel's number where no exit was found. */
const NO_PIXEL = 0xffffffff;

/** The pixel of a tile whose ray leaves the union first. For probes each ray is a tile. */
export interface TileExit {
  /** In the unit of the sums. */
  readonly exit: number;
  readonly view: number;
  readonly column: number;
  readonly row: number;
}

/** Rays on a device, with the buffers for their results. */
export class GpuRayExits {
  /** How many of the tiles listed last were settled as a whole. */
  settled = 0;
  readonly #query: KeptBuffer;
  readonly #tileExits: KeptBuffer;
  readonly #exits: KeptBuffer;
  readonly #blockSums: KeptBuffer;
  #tiles = 0;
  #resolution = 0;
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    const { STORAGE, UNIFORM, COPY_DST, COPY_SRC } = BUFFER_USAGE;
    this.#query = new KeptBuffer(gpu, UNIFORM | COPY_DST, 'ray query');
    this.#tileExits = new KeptBuffer(gpu, STORAGE | COPY_SRC, 'exits of tiles');
    this.#exits = new KeptBuffer(gpu, STORAGE | COPY_SRC, 'exits of pixels');
    this.#blockSums = new KeptBuffer(gpu, STORAGE, 'sums of blocks');
  }

  /** Tiles of all views. */
  get tileCount(): number {
    return VIEWS * this.#tiles ** 2;
  }

  /** The buffer to read back: see {@link listTiles}. */
  get tileExits(): { buffer: GPUBuffer; byteLength: number } {
    const byteLength = RAY_EXITS_LAYOUT.structs.TileExit.size * this.tileCount;
    return { buffer: this.#tileExits.ensure(byteLength), byteLength };
  }

  /** The exit of each pixel, view after view, row after row, if they were kept. */
  get exits(): { buffer: GPUBuffer; byteLength: number } {
    const byteLength = 4 * VIEWS * this.#resolution ** 2;
    return { buffer: this.#exits.ensure(byteLength), byteLength };
  }

  /**
   * Encodes the rays of all views into a pass. Exits are searched up to the bound, in the unit of the sums.
   * @param keepExits whether to keep the exit of every pixel for reading back; no tile is then settled as a whole.
   */
  encode(
    pass: GPUComputePassEncoder,
    sums: GpuMinkowskiPlanes,
    resolution: number,
    bound: number,
    keepExits = false,
  ): void {
    this.#resolution = resolution;
    this.#tiles = Math.ceil(resolution / TILE);
    const wide = Math.ceil(this.#tiles / BLOCK);
    const blocks = wide < MIN_BLOCKS || keepExits ? 0 : wide;
    const buffers = this.#prepare(sums, blocks, bound, keepExits);
    if (blocks > 0) this.#dispatch(pass, 'settle', buffers, blocks);
    this.#dispatch(pass, 'trace', buffers, this.#tiles);
  }

  /** As {@link encode}, for few rays through many sums while the bound is loose: a whole workgroup follows one ray. */
  encodeProbes(pass: GPUComputePassEncoder, sums: GpuMinkowskiPlanes, resolution: number, bound: number): void {
    this.#resolution = resolution;
    this.#tiles = resolution;
    this.#dispatch(pass, 'probe', this.#prepare(sums, 0, bound, false), resolution);
  }

  #prepare(
    sums: GpuMinkowskiPlanes,
    blocks: number,
    bound: number,
    keepExits: boolean,
  ): Record<keyof typeof RAY_EXITS_LAYOUT.bindings, GPUBuffer> {
    const { size, offsets } = RAY_EXITS_LAYOUT.structs.Query;
    const words = new Uint32Array(size / 4);
    words[offsets.resolution / 4] = this.#resolution;
    words[offsets.tiles / 4] = this.#tiles;
    words[offsets.blocks / 4] = blocks;
    words[offsets.sumCount / 4] = sums.count;
    words[offsets.keepExits / 4] = keepExits ? 1 : 0;
    new Float32Array(words.buffer)[offsets.bound / 4] = bound;
    const query = this.#query.ensure(size);
    this.#gpu.device.queue.writeBuffer(query, 0, words);
    return {
      query,
      sums: sums.sums,
      planes: sums.planes,
      tileExits: this.tileExits.buffer,
      exits: keepExits ? this.exits.buffer : this.#exits.ensure(4),
      blockSums: this.#blockSums.ensure(4 * (LIST + 1) * Math.max(1, VIEWS * blocks ** 2)),
    };
  }

  #dispatch(
    pass: GPUComputePassEncoder,
    stage: keyof typeof STAGE_BINDINGS,
    buffers: Record<keyof typeof RAY_EXITS_LAYOUT.bindings, GPUBuffer>,
    groups: number,
  ): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`ray-exits/${stage}`, () =>
      device.createComputePipeline({
        label: stage,
        layout: 'auto',
        compute: { module: pipelines.get('ray-exits', () => device.createShaderModule({ code })), entryPoint: stage },
      }),
    );
    const entries = STAGE_BINDINGS[stage].map((name) => ({
      binding: RAY_EXITS_LAYOUT.bindings[name].binding,
      resource: { buffer: buffers[name] },
    }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(groups, groups, VIEWS);
  }

  /** The tiles that rays leave through before the bound, nearest first. */
  listTiles(bytes: ArrayBuffer): TileExit[] {
    this.settled = 0;
    const { size, offsets } = RAY_EXITS_LAYOUT.structs.TileExit;
    const words = new Uint32Array(bytes);
    const numbers = new Float32Array(bytes);
    const found: TileExit[] = [];
    const perView = this.#tiles ** 2;
    for (let tile = 0; tile < this.tileCount; tile++) {
      const pixel = words[(size * tile + offsets.pixel) / 4];
      if (pixel === NO_PIXEL) {
        if (words[(size * tile + offsets.exit) / 4] === 0) this.settled++;
        continue;
      }
      found.push({
        exit: numbers[(size * tile + offsets.exit) / 4],
        view: Math.floor(tile / perView),
        column: pixel % this.#resolution,
        row: Math.floor(pixel / this.#resolution),
      });
    }
    return found.sort((a, b) => a.exit - b.exit);
  }

  destroy(): void {
    for (const buffer of [this.#query, this.#tileExits, this.#exits, this.#blockSums]) buffer.destroy();
  }
}
