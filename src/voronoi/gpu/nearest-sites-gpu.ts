// The nearest site of every sample on a GPU (nearest-sites.wgsl): cells of tiles collect candidates, tiles pick theirs.
// Elements may change from frame to frame; the buffers stay.

import { assertBufferFits } from '../../field/flood/jump-flood-gpu.js';
import triangleDistance from '../../field/flood/triangle-distance.wgsl?raw';
import type { GridSize } from '../../field/grid.js';
import { createBuffer, readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import type { GpuElements, SampleFrame } from './gpu-elements.js';
import code from './nearest-sites.wgsl?raw';
import { NEAREST_SITES_LAYOUT } from './nearest-sites-layout.js';

type Stage = keyof typeof NEAREST_SITES_LAYOUT.workgroups;
type BindingName = keyof typeof NEAREST_SITES_LAYOUT.bindings;

const STAGE_BINDINGS: Readonly<Record<Stage, readonly BindingName[]>> = {
  gatherCells: ['frame', 'elements', 'lists', 'pool'],
  measureTiles: ['frame', 'elements', 'lists', 'pool', 'ids', 'distances'],
};

/** Layout: samples along the axes of a tile in the plane. */
const PLANE_TILE: GridSize = [16, 16, 1];
/** Layout: samples along the axes of a tile in space. */
const SPACE_TILE: GridSize = [8, 8, 4];
/**
 * Chosen: the largest numbers of small cells and of large ones: fewer have longer lists, more read long lists more
 * often.
 */
const CELLS = [4096, 64];
/** Chosen: up to this number of elements the small cells read all of them. */
const FEW_ELEMENTS = 2048;
/** Chosen: room in the pool for each element. A full pool costs time, not answers. */
const POOL_PER_ELEMENT = 16;
/** Chosen: room in the pool for each cell. */
const POOL_PER_CELL = 256;
/** Chosen: a length, in units, that counts as endless in single precision. */
const ENDLESS = 3e38;
/** Label: marks a list that did not fit in the pool. */
const NONE = 0xffffffff;
const WHAT = 'Voronoi diagram';

/** Cells of one size. */
interface Level {
  /** Samples of a cell along each axis. */
  readonly cell: GridSize;
  /** Cells along each axis. */
  readonly cells: GridSize;
  /** The place of their first list. */
  readonly firstList: number;
  readonly frame: GPUBuffer;
}

/** The buffers of a diagram of given size, which can be filled, encoded and read any number of times. */
export class GpuNearestSites {
  /** Output: the nearest site of each sample, −1 beyond the largest distance. */
  readonly ids: GPUBuffer;
  /** Output: the distance to it. */
  readonly distances: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #size: GridSize;
  /** Small cells, then large ones. */
  readonly #levels: readonly Level[];
  readonly #listCount: number;
  readonly #lists: GPUBuffer;
  /** The levels that the elements need. */
  #used = 1;
  #elements: GPUBuffer | null = null;
  #pool: GPUBuffer | null = null;

  /** @throws NearfieldError `too-large` beyond the device's buffers. */
  constructor(gpu: GpuDevice, size: GridSize) {
    const byteLength = 4 * size[0] * size[1] * size[2];
    assertBufferFits(gpu, byteLength, WHAT);
    this.#gpu = gpu;
    this.#size = size;
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = BUFFER_USAGE;
    const { Frame, List } = NEAREST_SITES_LAYOUT.structs;
    let lists = 0;
    this.#levels = CELLS.map((most): Level => {
      const cell = cellSize(size, most);
      const cells = divide(size, cell);
      const firstList = lists;
      lists += cells[0] * cells[1] * cells[2];
      return { cell, cells, firstList, frame: createBuffer(gpu, Frame.size, UNIFORM | COPY_DST, 'frame') };
    });
    this.#listCount = lists;
    this.ids = createBuffer(gpu, byteLength, STORAGE | COPY_SRC, 'ids');
    this.distances = createBuffer(gpu, byteLength, STORAGE | COPY_SRC, 'distances');
    this.#lists = createBuffer(gpu, List.size * lists, STORAGE, 'lists');
  }

  /** Sets the elements and where the samples are. The size must be that of the constructor. */
  fill(elements: GpuElements, frame: SampleFrame, maxDistance: number): void {
    const { queue } = this.#gpu.device;
    const { STORAGE, COPY_DST } = BUFFER_USAGE;
    const poolSize = 1 + POOL_PER_ELEMENT * elements.count + POOL_PER_CELL * this.#listCount;
    assertBufferFits(this.#gpu, Math.max(4 * poolSize, elements.words.byteLength), WHAT);
    this.#elements = this.#roomFor(
      this.#elements,
      // A binding is never smaller than one element.
      Math.max(NEAREST_SITES_LAYOUT.structs.Element.size, elements.words.byteLength),
      STORAGE | COPY_DST,
      'elements',
    );
    this.#pool = this.#roomFor(this.#pool, 4 * poolSize, STORAGE | COPY_DST, 'pool');
    if (elements.count > 0) queue.writeBuffer(this.#elements, 0, elements.words);
    this.#used = elements.count > FEW_ELEMENTS ? this.#levels.length : 1;
    for (let level = 0; level < this.#used; level++) {
      queue.writeBuffer(this.#levels[level].frame, 0, this.#frameWords(level, elements, frame, maxDistance, poolSize));
    }
  }

  /** Puts all stages into one compute pass. */
  encode(encoder: GPUCommandEncoder, timestamps?: GPUComputePassTimestampWrites): void {
    encoder.clearBuffer(this.#pool!, 0, 4);
    const pass = encoder.beginComputePass(timestamps && { timestampWrites: timestamps });
    for (let level = this.#used - 1; level >= 0; level--) {
      this.#encodeStage(pass, 'gatherCells', this.#levels[level], this.#levels[level].cells);
    }
    this.#encodeStage(pass, 'measureTiles', this.#levels[0], divide(this.#size, tileSize(this.#size)));
    pass.end();
  }

  /** Runs all stages and copies the result to memory. */
  async read(faults: GpuFaults): Promise<NearestSites> {
    const { device } = this.#gpu;
    faults.watch(WHAT, () => {
      const encoder = device.createCommandEncoder();
      this.encode(encoder);
      device.queue.submit([encoder.finish()]);
    });
    const byteLength = 4 * this.#size[0] * this.#size[1] * this.#size[2];
    const sources = [this.ids, this.distances].map((buffer) => ({ buffer, byteLength }));
    const [ids, distances] = await readBuffers(this.#gpu, faults, WHAT, sources);
    return { ids: new Int32Array(ids), distances: new Float32Array(distances) };
  }

  /** Frees the buffers. */
  destroy(): void {
    const frames = this.#levels.map(({ frame }) => frame);
    for (const buffer of [this.ids, this.distances, this.#lists, this.#elements, this.#pool, ...frames]) {
      buffer?.destroy();
    }
  }

  #roomFor(buffer: GPUBuffer | null, byteLength: number, usage: number, label: string): GPUBuffer {
    if (buffer !== null && buffer.size >= byteLength) return buffer;
    buffer?.destroy();
    return createBuffer(this.#gpu, byteLength, usage, label);
  }

  #frameWords(
    level: number,
    { count, unit, center }: GpuElements,
    { origin, spacing }: SampleFrame,
    maxDistance: number,
    poolSize: number,
  ): Uint32Array<ArrayBuffer> {
    const { size, offsets } = NEAREST_SITES_LAYOUT.structs.Frame;
    const { cell, firstList } = this.#levels[level];
    const parent = level + 1 < this.#used ? this.#levels[level + 1] : null;
    const words = new Uint32Array(size / 4);
    const floats = new Float32Array(words.buffer);
    words.set(this.#size, offsets.size / 4);
    words[offsets.elementCount / 4] = count;
    words.set(cell, offsets.cell / 4);
    words[offsets.firstList / 4] = firstList;
    words.set(parent?.cell ?? [1, 1, 1], offsets.parent / 4);
    words[offsets.firstParent / 4] = parent?.firstList ?? NONE;
    for (let axis = 0; axis < 3; axis++) {
      floats[offsets.first / 4 + axis] = (origin[axis] - center[axis]) / unit;
      floats[offsets.spacing / 4 + axis] = spacing[axis] / unit;
    }
    floats[offsets.maxDistance / 4] = Math.min(ENDLESS, maxDistance / unit);
    floats[offsets.beyond / 4] = Infinity;
    floats[offsets.unit / 4] = unit;
    words[offsets.poolSize / 4] = poolSize;
    return words;
  }

  #encodeStage(pass: GPUComputePassEncoder, stage: Stage, level: Level, groups: GridSize): void {
    const { device, pipelines } = this.#gpu;
    const [TILE_X, TILE_Y, TILE_Z] = tileSize(this.#size);
    const constants: Record<string, number> = stage === 'measureTiles' ? { TILE_X, TILE_Y, TILE_Z } : {};
    const pipeline = pipelines.get(`nearest-sites/${stage} ${Object.values(constants).join(' ')}`, () =>
      device.createComputePipeline({
        label: stage,
        layout: 'auto',
        compute: {
          module: pipelines.get('nearest-sites', () => device.createShaderModule({ code: triangleDistance + code })),
          entryPoint: stage,
          constants,
        },
      }),
    );
    const buffers: Record<BindingName, GPUBuffer> = {
      frame: level.frame,
      elements: this.#elements!,
      lists: this.#lists,
      pool: this.#pool!,
      ids: this.ids,
      distances: this.distances,
    };
    const entries = STAGE_BINDINGS[stage].map((name) => ({
      binding: NEAREST_SITES_LAYOUT.bindings[name].binding,
      resource: { buffer: buffers[name] },
    }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(...groups);
  }
}

/** What was found for each sample. */
export interface NearestSites {
  readonly ids: Int32Array;
  readonly distances: Float32Array;
}

/**
 * The nearest site of every sample, on a GPU.
 * @throws NearfieldError `too-large` beyond the device's buffers, `device-lost`.
 */
export async function nearestSitesOnGpu(
  gpu: GpuDevice,
  elements: GpuElements,
  frame: SampleFrame,
  maxDistance: number,
): Promise<NearestSites> {
  const faults = new GpuFaults(gpu);
  let made: GpuNearestSites | undefined;
  try {
    const nearest = faults.watch(WHAT, () => {
      made = new GpuNearestSites(gpu, frame.size);
      made.fill(elements, frame, maxDistance);
      return made;
    });
    return await nearest.read(faults);
  } finally {
    made?.destroy();
  }
}

function tileSize(size: GridSize): GridSize {
  return size[2] === 1 ? PLANE_TILE : SPACE_TILE;
}

/** The number of boxes of this size that cover the samples, along each axis. */
function divide(size: GridSize, part: GridSize): GridSize {
  return [Math.ceil(size[0] / part[0]), Math.ceil(size[1] / part[1]), Math.ceil(size[2] / part[2])];
}

/** Samples of a cell along each axis: a tile, doubled where there are most cells until there are few enough. */
function cellSize(size: GridSize, most: number): GridSize {
  const cell = [...tileSize(size)] as [number, number, number];
  for (;;) {
    const cells = divide(size, cell);
    if (cells[0] * cells[1] * cells[2] <= most) return cell;
    cell[cells.indexOf(Math.max(...cells))] *= 2;
  }
}
