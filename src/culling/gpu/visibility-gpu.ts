// The method 'cullide' on a GPU: the triangles that are hidden somewhere in each of six views, from both sides along
// each axis. Instead of two passes in opposite orders a view keeps the nearest depth and the nearest of the other
// objects, so all objects are drawn at once; see docs/culling.md.

import { readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE, COLOR_WRITE, TEXTURE_USAGE } from '../../gpu/flags.js';
import { UNIFORM_ALIGNMENT } from '../../gpu/limits.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import type { CullScene } from '../cull-scene.js';
import type { OverlapFilter } from '../overlap-filter.js';
import type { GpuTriangles } from './gpu-triangles.js';
import type { GrowingBuffers } from './growing-buffers.js';
import type { GpuOcclusion } from './occlusion-gpu.js';
import { packOverlaps, regionOfOverlaps } from './pack-overlaps.js';
import code from './visibility.wgsl?raw';

export const VISIBILITY_LAYOUT = {
  structs: {
    View: {
      size: 64,
      offsets: {
        axis: 0,
        resolution: 4,
        triangleCount: 8,
        sourceLength: 12,
        origin: 16,
        targetLength: 28,
        scale: 32,
        pixelPad: 44,
        depthPad: 48,
      },
    },
    Overlap: { size: 32, offsets: { low: 0, other: 12, high: 16, pair: 28 } },
  },
  bindings: {
    view: { group: 0, binding: 0 },
    positions: { group: 0, binding: 1 },
    corners: { group: 0, binding: 2 },
    objectOf: { group: 0, binding: 3 },
    overlapStarts: { group: 0, binding: 4 },
    overlaps: { group: 0, binding: 5 },
    sourceList: { group: 0, binding: 6 },
    targetList: { group: 0, binding: 7 },
    hidden: { group: 0, binding: 8 },
    lengths: { group: 0, binding: 9 },
    pixels: { group: 0, binding: 10 },
    drawnLengths: { group: 0, binding: 11 },
  },
  workgroups: { listTriangles: [256, 1, 1], keepHidden: [256, 1, 1] },
} as const satisfies ShaderLayout;

type ComputeStage = keyof typeof VISIBILITY_LAYOUT.workgroups;
type DrawStage = (typeof DRAWS)[number];
type BindingName = keyof typeof VISIBILITY_LAYOUT.bindings;

const DRAWS = ['drawNearest', 'drawOwner', 'drawSecond', 'testHidden'] as const;
const DRAWN: readonly BindingName[] = [
  'view',
  'positions',
  'corners',
  'objectOf',
  'sourceList',
  'pixels',
  'drawnLengths',
];
const STAGE_BINDINGS: Readonly<Record<ComputeStage | DrawStage, readonly BindingName[]>> = {
  listTriangles: ['view', 'positions', 'corners', 'objectOf', 'overlapStarts', 'overlaps', 'targetList', 'lengths'],
  keepHidden: ['view', 'sourceList', 'targetList', 'hidden', 'lengths'],
  drawNearest: DRAWN,
  drawOwner: DRAWN,
  drawSecond: DRAWN,
  testHidden: [...DRAWN, 'hidden'],
};

const WHAT = 'Collision culling';
/** Layout: views: from both sides of each axis. */
const VIEWS = 6;
const TARGET_FORMAT = 'r8unorm';
/** Rounding: coordinates from 0 to 1 may be off by this on the device, and boxes are grown by it. */
const PAD = 2 ** -23;
/** Rounding: image coordinates may be off by this, in pixels, beside the padding. */
const PIXEL_ROUNDING = 2 ** -8;
/** Rounding: depths may be off by this, beside the padding. */
const DEPTH_ROUNDING = 2 ** -21;
/**
 * Chosen: triangles that are read together with their count in the first call; later as many as the last time, and some
 * more.
 */
const FIRST_EXPECTED = 16_384;

/** What the device left. */
export interface VisibleRest {
  /** Triangles that reach into the boxes of other objects. */
  readonly listed: number;
  /** Triangles left, in no order. */
  readonly triangles: Uint32Array;
  /** 1 for the objects that occlusion queries left; null without them. */
  readonly objectAlive: Uint8Array | null;
}

/** Draws and lists. */
export class GpuVisibility {
  readonly #gpu: GpuDevice;
  readonly #buffers: GrowingBuffers;
  readonly #triangles: GpuTriangles;
  readonly #faults: GpuFaults;
  #target: GPUTexture | null = null;
  #expected = FIRST_EXPECTED;

  constructor(gpu: GpuDevice, buffers: GrowingBuffers, triangles: GpuTriangles) {
    this.#gpu = gpu;
    this.#buffers = buffers;
    this.#triangles = triangles;
    this.#faults = new GpuFaults(gpu);
  }

  /**
   * The triangles of a scene that may meet another object.
   * @param occlusion prunes whole objects first.
   */
  async findHidden(
    scene: CullScene,
    filter: OverlapFilter,
    resolution: number,
    occlusion: GpuOcclusion | null,
  ): Promise<VisibleRest> {
    this.#faults.watch(WHAT, () => this.#send(scene, filter, resolution));
    const objectAlive = (await occlusion?.findHiddenObjects(scene, filter, resolution)) ?? null;
    this.#faults.watch(WHAT, () => {
      this.#sendOverlaps(scene, filter, objectAlive);
      const encoder = this.#gpu.device.createCommandEncoder();
      this.#encode(encoder, scene.triangleCount, resolution);
      this.#gpu.device.queue.submit([encoder.finish()]);
    });
    const expected = Math.min(this.#expected, scene.triangleCount);
    const [counts, list] = await this.#read(expected);
    const [listed, length] = counts;
    this.#expected = Math.max(FIRST_EXPECTED, Math.ceil(1.5 * length));
    const whole = length <= expected ? list : (await this.#read(length))[1];
    return { listed, triangles: whole.subarray(0, length), objectAlive };
  }

  destroy(): void {
    this.#target?.destroy();
    this.#target = null;
  }

  async #read(length: number): Promise<[Uint32Array, Uint32Array]> {
    const sources = [
      { buffer: this.#buffers.get('counts'), byteLength: 8 },
      { buffer: this.#buffers.get('listA'), byteLength: 4 * length },
    ];
    const [lengths, list] = await readBuffers(this.#gpu, this.#faults, WHAT, sources);
    return [new Uint32Array(lengths), new Uint32Array(list)];
  }

  #send(scene: CullScene, filter: OverlapFilter, resolution: number): void {
    const { STORAGE, COPY_DST, COPY_SRC, UNIFORM } = BUFFER_USAGE;
    const { objectCount, triangleCount } = scene;
    const { device } = this.#gpu;
    const buffers = this.#buffers;
    this.#triangles.send(scene);
    buffers.reserve('views', UNIFORM_ALIGNMENT * VIEWS, UNIFORM | COPY_DST);
    buffers.reserve('overlapStarts', 4 * (objectCount + 1), STORAGE | COPY_DST);
    buffers.reserve('overlaps', 32 * filter.objectPairs.length, STORAGE | COPY_DST);
    buffers.reserve('listA', 4 * triangleCount, STORAGE | COPY_SRC);
    buffers.reserve('listB', 4 * triangleCount, STORAGE | COPY_SRC);
    buffers.reserve('hidden', 4 * triangleCount, STORAGE | COPY_DST);
    buffers.reserve('lengths', 8, STORAGE | COPY_DST | COPY_SRC);
    buffers.reserve('counts', 8, COPY_DST | COPY_SRC);
    buffers.reserve('pixels', 12 * resolution * resolution, STORAGE | COPY_DST);
    device.queue.writeBuffer(buffers.get('overlapStarts'), 0, filter.overlapStarts, 0, objectCount + 1);
    device.queue.writeBuffer(buffers.get('views'), 0, this.#viewWords(scene, filter, resolution));
    if (this.#target?.width === resolution) return;
    this.#target?.destroy();
    this.#target = device.createTexture({
      size: [resolution, resolution],
      format: TARGET_FORMAT,
      usage: TEXTURE_USAGE.RENDER_ATTACHMENT,
      label: 'target',
    });
  }

  #sendOverlaps(scene: CullScene, filter: OverlapFilter, objectAlive: Uint8Array | null): void {
    const layout = VISIBILITY_LAYOUT.structs.Overlap;
    const overlaps = packOverlaps(filter, scene.objectCount, this.#triangles, layout, PAD, objectAlive);
    if (overlaps.length > 0) this.#gpu.device.queue.writeBuffer(this.#buffers.get('overlaps'), 0, overlaps);
  }

  /** The views of the box around all overlaps: nothing collides outside of it. */
  #viewWords(scene: CullScene, filter: OverlapFilter, resolution: number): Uint32Array<ArrayBuffer> {
    const { offsets } = VISIBILITY_LAYOUT.structs.View;
    const words = new Uint32Array((UNIFORM_ALIGNMENT / 4) * VIEWS);
    const floats = new Float32Array(words.buffer);
    const region = regionOfOverlaps(filter, scene.objectCount, this.#triangles);
    for (let view = 0; view < VIEWS; view++) {
      const at = (UNIFORM_ALIGNMENT / 4) * view;
      const axis = view % 3;
      words[at + offsets.axis / 4] = axis;
      words[at + offsets.resolution / 4] = resolution;
      words[at + offsets.triangleCount / 4] = scene.triangleCount;
      words[at + offsets.sourceLength / 4] = view % 2;
      words[at + offsets.targetLength / 4] = (view + 1) % 2;
      let pixels = 0;
      for (let k = 0; k < 3; k++) {
        const along = (axis + 1 + k) % 3;
        const isDepth = k === 2;
        const low = region[along] - 2 * PAD;
        const high = region[along + 3] + 2 * PAD;
        const scale = (isDepth ? 1 : resolution) / (high - low);
        const fromFar = isDepth && view >= 3;
        floats[at + offsets.origin / 4 + k] = fromFar ? high : low;
        floats[at + offsets.scale / 4 + k] = fromFar ? -scale : scale;
        if (isDepth) floats[at + offsets.depthPad / 4] = scale * PAD + DEPTH_ROUNDING;
        else pixels = Math.max(pixels, scale * PAD + PIXEL_ROUNDING);
      }
      floats[at + offsets.pixelPad / 4] = pixels;
    }
    return words;
  }

  #encode(encoder: GPUCommandEncoder, triangleCount: number, resolution: number): void {
    const buffers = this.#buffers;
    const groups = Math.ceil(triangleCount / 256);
    encoder.clearBuffer(buffers.get('hidden'), 0, 4 * triangleCount);
    encoder.clearBuffer(buffers.get('lengths'), 0, 8);
    // The last view has the first list as its target, as this stage has.
    this.#compute(encoder, 'listTriangles', VIEWS - 1, groups);
    encoder.copyBufferToBuffer(buffers.get('lengths'), 0, buffers.get('counts'), 0, 4);
    for (let view = 0; view < VIEWS; view++) {
      encoder.clearBuffer(buffers.get('pixels'), 0, 12 * resolution * resolution);
      encoder.clearBuffer(buffers.get('lengths'), 4 * ((view + 1) % 2), 4);
      for (const stage of DRAWS) this.#draw(encoder, stage, view, triangleCount);
      this.#compute(encoder, 'keepHidden', view, groups);
    }
    encoder.copyBufferToBuffer(buffers.get('lengths'), 0, buffers.get('counts'), 4, 4);
  }

  #compute(encoder: GPUCommandEncoder, stage: ComputeStage, view: number, groups: number): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`visibility/${stage}`, () =>
      device.createComputePipeline({
        label: stage,
        layout: 'auto',
        compute: { module: this.#module(), entryPoint: stage },
      }),
    );
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#bindGroup(stage, view, pipeline));
    pass.dispatchWorkgroups(groups);
    pass.end();
  }

  /**
   * Draws all triangles of a list, which may be as long as there are triangles. Each stage needs what the one before
   * wrote, so each is a pass.
   */
  #draw(encoder: GPUCommandEncoder, stage: DrawStage, view: number, triangleCount: number): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`visibility/${stage}`, () =>
      device.createRenderPipeline({
        label: stage,
        layout: 'auto',
        vertex: { module: this.#module(), entryPoint: 'placeQuad' },
        fragment: {
          module: this.#module(),
          entryPoint: stage,
          targets: [{ format: TARGET_FORMAT, writeMask: COLOR_WRITE.NONE }],
        },
        primitive: { topology: 'triangle-list' },
      }),
    );
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ view: this.#target!.createView(), loadOp: 'clear', storeOp: 'discard' }],
    });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#bindGroup(stage, view, pipeline));
    pass.draw(6, triangleCount);
    pass.end();
  }

  #module(): GPUShaderModule {
    const { device, pipelines } = this.#gpu;
    return pipelines.get('visibility', () => device.createShaderModule({ code }));
  }

  #bindGroup(
    stage: ComputeStage | DrawStage,
    view: number,
    pipeline: GPUComputePipeline | GPURenderPipeline,
  ): GPUBindGroup {
    const buffers = this.#buffers;
    const nameOf = (name: BindingName): string => {
      if (name === 'sourceList') return view % 2 === 0 ? 'listA' : 'listB';
      if (name === 'targetList') return view % 2 === 0 ? 'listB' : 'listA';
      return name === 'drawnLengths' ? 'lengths' : name;
    };
    return buffers.bindGroup(`visibility/${stage} ${view}`, () =>
      this.#gpu.device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: STAGE_BINDINGS[stage].map((name) => ({
          binding: VISIBILITY_LAYOUT.bindings[name].binding,
          resource:
            name === 'view'
              ? {
                  buffer: buffers.get('views'),
                  offset: UNIFORM_ALIGNMENT * view,
                  size: VISIBILITY_LAYOUT.structs.View.size,
                }
              : { buffer: buffers.get(nameOf(name)) },
        })),
      }),
    );
  }
}
