// The method 'lbvh' on a GPU: triangles go there, ids come back. The hierarchy is built in each call.

import { readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { UNIFORM_ALIGNMENT } from '../../gpu/limits.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import type { CullScene } from '../cull-scene.js';
import type { OverlapFilter } from '../overlap-filter.js';
import type { GpuTriangles } from './gpu-triangles.js';
import type { GrowingBuffers } from './growing-buffers.js';
import code from './linear-bvh.wgsl?raw';
import { packOverlaps, regionOfOverlaps } from './pack-overlaps.js';

export const LINEAR_BVH_LAYOUT = {
  structs: {
    Frame: {
      size: 64,
      offsets: {
        triangleCount: 0,
        selfCollision: 4,
        separates: 8,
        pairCapacity: 12,
        objectFlags: 16,
        pairFlags: 20,
        pairs: 24,
        shift: 28,
        mortonOrigin: 32,
        objectPairCount: 44,
        mortonScale: 48,
      },
    },
    Overlap: { size: 32, offsets: { low: 0, other: 12, high: 16, pair: 28 } },
  },
  bindings: {
    frame: { group: 0, binding: 0 },
    positions: { group: 0, binding: 1 },
    corners: { group: 0, binding: 2 },
    objectOf: { group: 0, binding: 3 },
    overlapStarts: { group: 0, binding: 4 },
    overlaps: { group: 0, binding: 5 },
    source: { group: 0, binding: 6 },
    sorted: { group: 0, binding: 7 },
    histogram: { group: 0, binding: 8 },
    links: { group: 0, binding: 9 },
    parents: { group: 0, binding: 10 },
    bounds: { group: 0, binding: 11 },
    nodeBounds: { group: 0, binding: 12 },
    leafBounds: { group: 0, binding: 13 },
    output: { group: 0, binding: 14 },
  },
  workgroups: {
    keepTriangles: [256, 1, 1],
    countDigits: [256, 1, 1],
    scanDigits: [256, 1, 1],
    scatterKeys: [256, 1, 1],
    buildNodes: [256, 1, 1],
    fitBoxes: [256, 1, 1],
    findPairs: [64, 1, 1],
  },
} as const satisfies ShaderLayout;

type Stage = keyof typeof LINEAR_BVH_LAYOUT.workgroups;
type BindingName = keyof typeof LINEAR_BVH_LAYOUT.bindings;

const STAGE_BINDINGS: Readonly<Record<Stage, readonly BindingName[]>> = {
  keepTriangles: ['frame', 'positions', 'corners', 'objectOf', 'overlapStarts', 'overlaps', 'source', 'output'],
  countDigits: ['frame', 'source', 'histogram', 'output'],
  scanDigits: ['histogram', 'output'],
  scatterKeys: ['frame', 'source', 'sorted', 'histogram', 'output'],
  buildNodes: ['source', 'links', 'parents', 'bounds', 'output'],
  fitBoxes: ['positions', 'corners', 'objectOf', 'source', 'parents', 'bounds', 'leafBounds', 'output'],
  findPairs: [
    'frame',
    'positions',
    'corners',
    'overlapStarts',
    'overlaps',
    'links',
    'nodeBounds',
    'leafBounds',
    'output',
  ],
};

const WHAT = 'Collision culling';
/** Layout: words of counters at the beginning of the output: kept, candidates, pairs; and one of padding. */
const HEADER_WORDS = 4;
/** Layout: words of a pair in the output. */
const PAIR_WORDS = 3;
/** The first bits of the four digits of a code. */
const SHIFTS = [0, 8, 16, 24];
/** Layout: codes that a workgroup sorts, as in linear-bvh.wgsl. */
const BLOCK = 1024;
/** Layout: values of a digit of eight bits. */
const DIGITS = 256;
/** Chosen: room for pairs in the first call; it grows with what is found. */
const FIRST_PAIRS = 16_384;
/** Rounding: overlaps of boxes are grown by this share of the box of all objects, as triangles are. */
const PAD = 2 ** -23;
/**
 * Layout: cells along an axis of the Morton codes, 1024, less a little so that the last coordinate falls into the last
 * cell.
 */
const MORTON_CELLS = 1023.99;

/** What was found on the device. */
export interface DevicePairs {
  /** Triangles kept by boxes, and pairs of them whose boxes overlap. */
  readonly kept: number;
  readonly candidates: number;
  /** 1 for objects with triangles kept. */
  readonly objectFlags: Uint32Array;
  /** 1 for pairs of objects with candidates. */
  readonly pairFlags: Uint32Array;
  /** Three numbers each: the pair of objects (or their count plus the object), and two triangles, the lower first. */
  readonly pairs: Uint32Array;
  readonly pairCount: number;
  readonly runs: number;
}

/** Builds and traverses. */
export class GpuLinearBvh {
  readonly #gpu: GpuDevice;
  readonly #buffers: GrowingBuffers;
  readonly #triangles: GpuTriangles;
  readonly #faults: GpuFaults;
  #pairCapacity = FIRST_PAIRS;
  /** Pairs to read with the counters: as many as the last time, and some more. */
  #expectedPairs = FIRST_PAIRS;

  constructor(gpu: GpuDevice, buffers: GrowingBuffers, triangles: GpuTriangles) {
    this.#gpu = gpu;
    this.#buffers = buffers;
    this.#triangles = triangles;
    this.#faults = new GpuFaults(gpu);
  }

  /**
   * The pairs of triangles that may meet.
   * @param separates whether pairs that a plane separates are left out.
   */
  async findPairs(
    scene: CullScene,
    filter: OverlapFilter,
    selfCollision: boolean,
    separates: boolean,
  ): Promise<DevicePairs> {
    const objectPairs = filter.objectPairs.length / 2;
    const pairFlags = HEADER_WORDS + scene.objectCount;
    const pairsAt = pairFlags + objectPairs;
    let runs = 0;
    for (;;) {
      runs++;
      this.#faults.watch(WHAT, () => {
        if (runs === 1) this.#send(scene, filter);
        this.#reserveOutput(pairsAt);
        this.#writeFrames(scene, filter, selfCollision, separates, pairFlags, pairsAt);
        const encoder = this.#gpu.device.createCommandEncoder();
        encoder.clearBuffer(this.#buffers.get('output'), 0, 4 * pairsAt);
        this.#encode(encoder, scene.triangleCount);
        this.#gpu.device.queue.submit([encoder.finish()]);
      });
      const words = await this.#read(pairsAt + PAIR_WORDS * Math.min(this.#expectedPairs, this.#pairCapacity));
      const [kept, candidates, pairCount] = words;
      if (pairCount > this.#pairCapacity) {
        // The list was too small. The output moves, so all of it is computed again.
        this.#pairCapacity = 2 ** Math.ceil(Math.log2(pairCount + 1));
        this.#expectedPairs = pairCount;
        continue;
      }
      this.#expectedPairs = Math.max(FIRST_PAIRS, Math.ceil(1.5 * pairCount));
      const end = pairsAt + PAIR_WORDS * pairCount;
      const all = words.length >= end ? words : await this.#read(end);
      return {
        kept,
        candidates,
        objectFlags: all.subarray(HEADER_WORDS, pairFlags),
        pairFlags: all.subarray(pairFlags, pairsAt),
        pairs: all.subarray(pairsAt, end),
        pairCount,
        runs,
      };
    }
  }

  async #read(words: number): Promise<Uint32Array> {
    const source = { buffer: this.#buffers.get('output'), byteLength: 4 * words };
    const [bytes] = await readBuffers(this.#gpu, this.#faults, WHAT, [source]);
    return new Uint32Array(bytes);
  }

  #send(scene: CullScene, filter: OverlapFilter): void {
    const { STORAGE, COPY_DST, UNIFORM } = BUFFER_USAGE;
    const { triangleCount, objectCount } = scene;
    const buffers = this.#buffers;
    this.#triangles.send(scene);
    const blocks = Math.ceil(triangleCount / BLOCK);
    const { overlapStarts, objectPairs } = filter;
    buffers.reserve('frame', UNIFORM_ALIGNMENT * SHIFTS.length, UNIFORM | COPY_DST);
    buffers.reserve('overlapStarts', 4 * (objectCount + 1), STORAGE | COPY_DST);
    buffers.reserve('overlaps', LINEAR_BVH_LAYOUT.structs.Overlap.size * objectPairs.length, STORAGE | COPY_DST);
    buffers.reserve('keysA', 8 * triangleCount, STORAGE);
    buffers.reserve('keysB', 8 * triangleCount, STORAGE);
    buffers.reserve('histogram', 4 * DIGITS * blocks, STORAGE);
    buffers.reserve('links', 16 * triangleCount, STORAGE);
    buffers.reserve('parents', 8 * triangleCount, STORAGE);
    buffers.reserve('bounds', 32 * triangleCount, STORAGE);
    buffers.reserve('leafBounds', 32 * triangleCount, STORAGE);
    const { queue } = this.#gpu.device;
    queue.writeBuffer(buffers.get('overlapStarts'), 0, overlapStarts, 0, objectCount + 1);
    const overlaps = packOverlaps(filter, objectCount, this.#triangles, LINEAR_BVH_LAYOUT.structs.Overlap, PAD);
    if (overlaps.length > 0) queue.writeBuffer(buffers.get('overlaps'), 0, overlaps);
  }

  #reserveOutput(pairsAt: number): void {
    const { STORAGE, COPY_DST, COPY_SRC } = BUFFER_USAGE;
    this.#buffers.reserve('output', 4 * (pairsAt + PAIR_WORDS * this.#pairCapacity), STORAGE | COPY_DST | COPY_SRC);
  }

  #writeFrames(
    scene: CullScene,
    filter: OverlapFilter,
    selfCollision: boolean,
    separates: boolean,
    pairFlags: number,
    pairsAt: number,
  ): void {
    const { offsets } = LINEAR_BVH_LAYOUT.structs.Frame;
    const words = new Uint32Array((UNIFORM_ALIGNMENT / 4) * SHIFTS.length);
    const floats = new Float32Array(words.buffer);
    const region = selfCollision ? [0, 0, 0, 1, 1, 1] : regionOfOverlaps(filter, scene.objectCount, this.#triangles);
    for (const [pass, shift] of SHIFTS.entries()) {
      const at = (UNIFORM_ALIGNMENT / 4) * pass;
      words[at + offsets.triangleCount / 4] = scene.triangleCount;
      words[at + offsets.selfCollision / 4] = selfCollision ? 1 : 0;
      words[at + offsets.separates / 4] = separates ? 1 : 0;
      words[at + offsets.pairCapacity / 4] = this.#pairCapacity;
      words[at + offsets.objectFlags / 4] = HEADER_WORDS;
      words[at + offsets.pairFlags / 4] = pairFlags;
      words[at + offsets.pairs / 4] = pairsAt;
      words[at + offsets.objectPairCount / 4] = filter.objectPairs.length / 2;
      words[at + offsets.shift / 4] = shift;
      for (let axis = 0; axis < 3; axis++) {
        const extent = region[axis + 3] - region[axis];
        floats[at + offsets.mortonOrigin / 4 + axis] = region[axis];
        floats[at + offsets.mortonScale / 4 + axis] = extent > PAD ? MORTON_CELLS / extent : 0;
      }
    }
    this.#gpu.device.queue.writeBuffer(this.#buffers.get('frame'), 0, words);
  }

  /**
   * All stages in one pass. Workgroups are dispatched for every triangle, and those beyond the kept ones end at once:
   * counting them on the device first costs more, since indirect dispatches are validated one by one.
   */
  #encode(encoder: GPUCommandEncoder, triangleCount: number): void {
    const groups = Math.ceil(triangleCount / 256);
    const blocks = Math.ceil(triangleCount / BLOCK);
    const pass = encoder.beginComputePass();
    this.#stage(pass, 'keepTriangles', 0, 0, groups);
    for (const [index] of SHIFTS.entries()) {
      this.#stage(pass, 'countDigits', index, index % 2, blocks);
      this.#stage(pass, 'scanDigits', index, index % 2, 1);
      this.#stage(pass, 'scatterKeys', index, index % 2, blocks);
    }
    this.#stage(pass, 'buildNodes', 0, 0, groups);
    this.#stage(pass, 'fitBoxes', 0, 0, groups);
    this.#stage(pass, 'findPairs', 0, 0, Math.ceil(triangleCount / 64));
    pass.end();
  }

  /**
   * One dispatch.
   * @param digit the sorting pass.
   * @param from 0 if the keys come from the first buffer.
   */
  #stage(pass: GPUComputePassEncoder, stage: Stage, digit: number, from: number, groups: number): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`linear-bvh/${stage}`, () =>
      device.createComputePipeline({
        label: stage,
        layout: 'auto',
        compute: {
          module: pipelines.get('linear-bvh', () => device.createShaderModule({ code })),
          entryPoint: stage,
        },
      }),
    );
    const buffers = this.#buffers;
    const group = buffers.bindGroup(`linear-bvh/${stage} ${digit}`, () =>
      device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: STAGE_BINDINGS[stage].map((name) => ({
          binding: LINEAR_BVH_LAYOUT.bindings[name].binding,
          resource:
            name === 'frame'
              ? {
                  buffer: buffers.get('frame'),
                  offset: UNIFORM_ALIGNMENT * digit,
                  size: LINEAR_BVH_LAYOUT.structs.Frame.size,
                }
              : { buffer: buffers.get(bufferOf(name, from)) },
        })),
      }),
    );
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(groups);
  }
}

/** Two bindings share memory with others, and keys change sides with every pass. */
function bufferOf(name: BindingName, from: number): string {
  if (name === 'source') return from === 0 ? 'keysA' : 'keysB';
  if (name === 'sorted') return from === 0 ? 'keysB' : 'keysA';
  return name === 'nodeBounds' ? 'bounds' : name;
}
