// The samples of a surface in a solid on a GPU (penetrating-samples.wgsl). The first submission finds and counts them;
// if no sample penetrates, nothing else is computed or read back. The second writes and measures them.

import { assertBufferFits } from '../../field/flood/jump-flood-gpu.js';
import triangleDistance from '../../field/flood/triangle-distance.wgsl?raw';
import type { GridFrame } from '../../field/grid.js';
import { createBuffer } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { MAX_GROUPS_ALONG_AXIS } from '../../gpu/limits.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import type { FrameSolid } from '../space/frame-solid.js';
import { levelsFor } from '../space/triangle-octree.js';
import { largestSpacing, MAX_SPACINGS } from './gpu-solid.js';
import code from './penetrating-samples.wgsl?raw';

export const PENETRATING_SAMPLES_LAYOUT = {
  structs: {
    Frame: {
      size: 64,
      offsets: {
        size: 0,
        surfaceCount: 12,
        boxMinimum: 16,
        solidCount: 28,
        boxScale: 32,
        levels: 44,
        scale: 48,
        sampleCount: 52,
        margin: 56,
      },
    },
    Sample: { size: 16, offsets: { node: 0, area: 4, triangle: 8, padding: 12 } },
  },
  bindings: {
    frame: { group: 0, binding: 0 },
    surface: { group: 0, binding: 1 },
    solid: { group: 0, binding: 2 },
    windings: { group: 0, binding: 3 },
    areas: { group: 0, binding: 4 },
    rows: { group: 0, binding: 5 },
    samples: { group: 0, binding: 6 },
    boxes: { group: 0, binding: 7 },
    heads: { group: 0, binding: 8 },
    next: { group: 0, binding: 9 },
  },
  workgroups: {
    crossSolid: [64, 1, 1],
    sumRows: [64, 1, 1],
    markSurface: [64, 1, 1],
    countRows: [64, 1, 1],
    placeRows: [256, 1, 1],
    writeSamples: [64, 1, 1],
    insertTriangles: [64, 1, 1],
    joinBoxes: [64, 1, 1],
    measureSamples: [64, 1, 1],
  },
} as const satisfies ShaderLayout;

type Stage = keyof typeof PENETRATING_SAMPLES_LAYOUT.workgroups;
type BindingName = keyof typeof PENETRATING_SAMPLES_LAYOUT.bindings;

const STAGE_BINDINGS: Readonly<Record<Stage, readonly BindingName[]>> = {
  crossSolid: ['frame', 'solid', 'windings'],
  sumRows: ['frame', 'windings'],
  markSurface: ['frame', 'surface', 'windings', 'areas'],
  countRows: ['frame', 'areas', 'rows'],
  placeRows: ['frame', 'rows'],
  writeSamples: ['frame', 'areas', 'rows', 'samples'],
  insertTriangles: ['frame', 'solid', 'boxes', 'heads', 'next'],
  joinBoxes: ['boxes'],
  measureSamples: ['frame', 'solid', 'samples', 'boxes', 'heads', 'next'],
};

/** Layout: units of an area in a sample, per squared spacing, as in penetrating-samples.wgsl. */
export const AREA_UNIT = 2 ** 20;
/**
 * Layout: units of a coordinate, per spacing: whole numbers below 2²² stand for coordinates up to {@link MAX_SPACINGS}.
 */
const SCALE = 2 ** 22 / MAX_SPACINGS;
/** Rounding: coordinates and cuts are off by up to this share of the largest coordinate, which is 2⁻¹¹ spacings. */
const SINGLE_ROUNDING = 2 ** -22;
/** Layout: threads of a workgroup, as in penetrating-samples.wgsl. */
const GROUP = 64;
const WHAT = 'Penetrating points';

/** One surface against one solid. Buffers are kept and grow. */
export class GpuPenetratingSamples {
  readonly #gpu: GpuDevice;
  readonly #buffers = new Map<BindingName, GPUBuffer>();
  readonly #frameWords = new Uint32Array(PENETRATING_SAMPLES_LAYOUT.structs.Frame.size / 4);
  #nodes = 0;
  #rows = 0;
  #width = 0;
  #levels = 0;
  #leaves = 0;
  #solidCount = 0;
  #surfaceCount = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Its first number is that of the samples, once the first submission is done. */
  get rows(): GPUBuffer {
    return this.#buffers.get('rows')!;
  }

  /** Four numbers per sample, as the shader's `Sample`, once the second submission is done. */
  get samples(): GPUBuffer {
    return this.#buffers.get('samples')!;
  }

  /** Sets what the next submissions are about. The triangles are in spacings, as `packCorners` writes them. */
  prepare(
    frame: GridFrame,
    surface: { readonly solid: FrameSolid; readonly corners: GPUBuffer },
    solid: { readonly solid: FrameSolid; readonly corners: GPUBuffer },
  ): void {
    const [nx, ny, nz] = frame.size;
    this.#width = nx;
    this.#rows = ny * nz;
    this.#nodes = nx * ny * nz;
    this.#surfaceCount = surface.solid.count;
    this.#solidCount = solid.solid.count;
    this.#levels = levelsFor(this.#solidCount);
    this.#leaves = 8 ** this.#levels;
    this.#buffers.set('surface', surface.corners);
    this.#buffers.set('solid', solid.corners);
    const { STORAGE, COPY_DST, COPY_SRC, UNIFORM } = BUFFER_USAGE;
    this.#room('frame', this.#frameWords.byteLength, UNIFORM | COPY_DST);
    this.#room('windings', 4 * (nx + 1) * this.#rows, STORAGE | COPY_DST);
    this.#room('areas', 4 * this.#nodes, STORAGE | COPY_DST);
    this.#room('rows', 4 * (this.#rows + 1), STORAGE | COPY_SRC);
    this.#room('boxes', 24 * this.#treeNodes(), STORAGE | COPY_DST);
    this.#room('heads', 4 * this.#leaves, STORAGE | COPY_DST);
    this.#room('next', 4 * this.#solidCount, STORAGE);
    const largest = Math.max(largestSpacing(surface.solid, frame), largestSpacing(solid.solid, frame));
    this.#writeFrame(frame, solid.solid, largest);
  }

  /** Finds and counts the samples. */
  encodeFind(encoder: GPUCommandEncoder): void {
    const buffer = (name: BindingName): GPUBuffer => this.#buffers.get(name)!;
    encoder.clearBuffer(buffer('windings'), 0, 4 * (this.#width + 1) * this.#rows);
    encoder.clearBuffer(buffer('areas'), 0, 4 * this.#nodes);
    const pass = encoder.beginComputePass();
    this.#dispatch(pass, 'crossSolid', this.#solidCount);
    this.#dispatch(pass, 'sumRows', Math.ceil(this.#rows / GROUP));
    this.#dispatch(pass, 'markSurface', this.#surfaceCount);
    this.#dispatch(pass, 'countRows', Math.ceil(this.#rows / GROUP));
    this.#dispatch(pass, 'placeRows', 1);
    pass.end();
  }

  /** Writes the samples that were counted, and measures them. */
  encodeMeasure(encoder: GPUCommandEncoder, count: number): void {
    const { STORAGE, COPY_SRC } = BUFFER_USAGE;
    const { size } = PENETRATING_SAMPLES_LAYOUT.structs.Sample;
    const { offsets } = PENETRATING_SAMPLES_LAYOUT.structs.Frame;
    this.#room('samples', size * count, STORAGE | COPY_SRC);
    this.#frameWords[offsets.sampleCount / 4] = count;
    this.#gpu.device.queue.writeBuffer(this.#buffers.get('frame')!, 0, this.#frameWords);
    encoder.clearBuffer(this.#buffers.get('boxes')!, 0, 24 * this.#treeNodes());
    encoder.clearBuffer(this.#buffers.get('heads')!, 0, 4 * this.#leaves);
    const pass = encoder.beginComputePass();
    this.#dispatch(pass, 'insertTriangles', Math.ceil(this.#solidCount / GROUP));
    for (let level = this.#levels - 1; level >= 0; level--) {
      this.#dispatch(pass, 'joinBoxes', Math.ceil(8 ** level / GROUP), level);
    }
    this.#dispatch(pass, 'writeSamples', Math.ceil(this.#rows / GROUP));
    this.#dispatch(pass, 'measureSamples', Math.ceil(count / GROUP));
    pass.end();
  }

  /** Frees the buffers, but not those of the triangles. */
  destroy(): void {
    for (const [name, buffer] of this.#buffers) if (name !== 'surface' && name !== 'solid') buffer.destroy();
    this.#buffers.clear();
  }

  #treeNodes(): number {
    return (8 * this.#leaves - 1) / 7;
  }

  #room(name: BindingName, byteLength: number, usage: number): void {
    const held = this.#buffers.get(name);
    if (held !== undefined && held.size >= byteLength) return;
    assertBufferFits(this.#gpu, byteLength, WHAT);
    held?.destroy();
    this.#buffers.set(name, createBuffer(this.#gpu, byteLength, usage, name));
  }

  #writeFrame(frame: GridFrame, solid: FrameSolid, largest: number): void {
    const { offsets } = PENETRATING_SAMPLES_LAYOUT.structs.Frame;
    const words = this.#frameWords;
    const floats = new Float32Array(words.buffer);
    words.set(frame.size, offsets.size / 4);
    words[offsets.surfaceCount / 4] = this.#surfaceCount;
    words[offsets.solidCount / 4] = this.#solidCount;
    words[offsets.levels / 4] = this.#levels;
    floats[offsets.scale / 4] = SCALE;
    floats[offsets.margin / 4] = SINGLE_ROUNDING * largest;
    const side = 2 ** this.#levels;
    for (let axis = 0; axis < 3; axis++) {
      const extent = (solid.max[axis] - solid.min[axis]) / frame.spacing;
      floats[offsets.boxMinimum / 4 + axis] = (solid.min[axis] - frame.origin[axis]) / frame.spacing + 0.5;
      floats[offsets.boxScale / 4 + axis] = extent > 0 ? side / extent : 0;
    }
    this.#gpu.device.queue.writeBuffer(this.#buffers.get('frame')!, 0, words);
  }

  #dispatch(pass: GPUComputePassEncoder, stage: Stage, groups: number, level = 0): void {
    const { device, pipelines } = this.#gpu;
    const constants: Record<string, number> = stage === 'joinBoxes' ? { LEVEL: level } : {};
    const pipeline = pipelines.get(`penetrating-samples/${stage} ${level}`, () =>
      device.createComputePipeline({
        label: stage,
        layout: 'auto',
        compute: {
          module: pipelines.get('penetrating-samples', () =>
            device.createShaderModule({ code: triangleDistance + code }),
          ),
          entryPoint: stage,
          constants,
        },
      }),
    );
    const entries = STAGE_BINDINGS[stage].map((name) => ({
      binding: PENETRATING_SAMPLES_LAYOUT.bindings[name].binding,
      resource: { buffer: this.#buffers.get(name)! },
    }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    const wide = Math.min(groups, MAX_GROUPS_ALONG_AXIS);
    pass.dispatchWorkgroups(wide, Math.ceil(groups / wide));
  }
}
