// Runs minkowski-planes.wgsl: computes the planes of many sums {b − a} and keeps them on the device for the rays.

import type { GpuDevice } from '../../gpu/device.js';
import { BUFFER_USAGE } from '../../gpu/flags.js';
import { MAX_GROUPS_ALONG_AXIS } from '../../gpu/limits.js';
import type { ShaderLayout } from '../../gpu/shader-layout.js';
import type { Solid } from '../solid.js';
import { KeptBuffer } from './kept-buffer-gpu.js';
import { type GpuLeafPairs, PAIR_LAYOUT } from './leaf-pairs-gpu.js';
import code from './minkowski-planes.wgsl?raw';
import { type GpuSolid, LEAF_LAYOUT } from './solid-gpu.js';

/** A sum, in the layout of both shaders. */
export const SUM_LAYOUT = {
  size: 32,
  offsets: { ball: 0, firstPlane: 16, endOutside: 20, endPlane: 24, distance: 28 },
} as const;

export const MINKOWSKI_PLANES_LAYOUT = {
  structs: {
    Placement: { size: 64, offsets: { x: 0, y: 16, z: 32, scale: 48, pointCount: 52, vectorCount: 56 } },
    Leaf: LEAF_LAYOUT,
    Pair: PAIR_LAYOUT,
    Sum: SUM_LAYOUT,
  },
  bindings: {
    placement: { group: 0, binding: 0 },
    vectors: { group: 0, binding: 1 },
    placed: { group: 0, binding: 2 },
    pairs: { group: 0, binding: 3 },
    leavesA: { group: 0, binding: 4 },
    leavesB: { group: 0, binding: 5 },
    vectorsA: { group: 0, binding: 6 },
    vectorsB: { group: 0, binding: 7 },
    sums: { group: 0, binding: 8 },
    planes: { group: 0, binding: 9 },
    shortage: { group: 0, binding: 10 },
  },
  workgroups: { place: [64, 1, 1], build: [64, 1, 1] },
} as const satisfies ShaderLayout;

/** Layout: bytes of a plane. */
export const PLANE_SIZE = 16;
/** Layout: bytes of a vector: three floats and one of padding. */
const VECTOR_SIZE = 16;

/** The unit of lengths on the device: the sum of both radii. */
export function unitOfPair(a: Solid, b: Solid): number {
  return a.model.radius + b.model.radius;
}

/** Sums on a device, and the buffers for them and for making them. */
export class GpuMinkowskiPlanes {
  /** One number: what minkowski-planes.wgsl reports about sums that had too little room. */
  readonly shortage: KeptBuffer;
  readonly #sums: KeptBuffer;
  readonly #planes: KeptBuffer;
  readonly #pairs: KeptBuffer;
  readonly #placements: readonly [KeptBuffer, KeptBuffer];
  readonly #placed: readonly [KeptBuffer, KeptBuffer];
  #count = 0;
  #planeCount = 0;
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    const { STORAGE, UNIFORM, COPY_DST, COPY_SRC } = BUFFER_USAGE;
    this.shortage = new KeptBuffer(gpu, STORAGE | COPY_DST | COPY_SRC, 'shortage');
    this.#sums = new KeptBuffer(gpu, STORAGE | COPY_SRC, 'sums');
    this.#planes = new KeptBuffer(gpu, STORAGE | COPY_SRC, 'planes of sums');
    this.#pairs = new KeptBuffer(gpu, STORAGE | COPY_DST, 'pairs of pieces');
    this.#placements = [
      new KeptBuffer(gpu, UNIFORM | COPY_DST, 'placement of A'),
      new KeptBuffer(gpu, UNIFORM | COPY_DST, 'placement of B'),
    ];
    this.#placed = [new KeptBuffer(gpu, STORAGE, 'placed vectors of A'), new KeptBuffer(gpu, STORAGE, 'and of B')];
  }

  /** How many sums the last call of {@link encode} makes. */
  get count(): number {
    return this.#count;
  }

  /** The sums and their planes, to be bound by the rays. */
  get sums(): GPUBuffer {
    return this.#sums.ensure(SUM_LAYOUT.size * this.#count);
  }

  get planes(): GPUBuffer {
    return this.#planes.ensure(PLANE_SIZE * this.#planeCount);
  }

  /** Encodes the making of the pairs' sums into a pass. `placement`: B in A's frame, row-major 3 × 4. */
  encode(
    pass: GPUComputePassEncoder,
    a: Solid,
    b: Solid,
    gpuA: GpuSolid,
    gpuB: GpuSolid,
    placement: Float64Array,
    pairs: GpuLeafPairs,
  ): void {
    const { queue } = this.#gpu.device;
    this.#count = pairs.count;
    this.#planeCount = pairs.planeCount;
    const pairBytes = PAIR_LAYOUT.size * pairs.count;
    const pairBuffer = this.#pairs.ensure(pairBytes);
    queue.writeBuffer(pairBuffer, 0, pairs.words, 0, pairBytes / 4);
    const shortage = this.shortage.ensure(4);
    queue.writeBuffer(shortage, 0, new Uint32Array(1));
    const unit = unitOfPair(a, b);
    const vectorsA = this.#place(pass, 0, gpuA, negatedRows(a, unit));
    const vectorsB = this.#place(pass, 1, gpuB, placedRows(a, b, placement, unit));
    const across = Math.min(pairs.count, MAX_GROUPS_ALONG_AXIS);
    this.#dispatch(
      pass,
      'build',
      {
        pairs: { buffer: pairBuffer, size: pairBytes },
        leavesA: { buffer: gpuA.leaves },
        leavesB: { buffer: gpuB.leaves },
        vectorsA: { buffer: vectorsA },
        vectorsB: { buffer: vectorsB },
        sums: { buffer: this.sums },
        planes: { buffer: this.planes },
        shortage: { buffer: shortage },
      },
      across,
      Math.ceil(pairs.count / across),
    );
  }

  destroy(): void {
    for (const buffer of [this.shortage, this.#sums, this.#planes, this.#pairs]) buffer.destroy();
    for (const buffer of [...this.#placements, ...this.#placed]) buffer.destroy();
  }

  #place(pass: GPUComputePassEncoder, side: 0 | 1, solid: GpuSolid, rows: Float32Array<ArrayBuffer>): GPUBuffer {
    const { offsets, size } = MINKOWSKI_PLANES_LAYOUT.structs.Placement;
    const words = new Uint32Array(rows.buffer);
    words[offsets.pointCount / 4] = solid.pointCount;
    words[offsets.vectorCount / 4] = solid.vectorCount;
    const placement = this.#placements[side].ensure(size);
    this.#gpu.device.queue.writeBuffer(placement, 0, rows);
    const placed = this.#placed[side].ensure(VECTOR_SIZE * solid.vectorCount);
    const groups = Math.ceil(solid.vectorCount / MINKOWSKI_PLANES_LAYOUT.workgroups.place[0]);
    const resources = {
      placement: { buffer: placement, size },
      vectors: { buffer: solid.vectors },
      placed: { buffer: placed },
    };
    this.#dispatch(pass, 'place', resources, groups, 1);
    return placed;
  }

  #dispatch(
    pass: GPUComputePassEncoder,
    entryPoint: 'place' | 'build',
    resources: Partial<Record<keyof typeof MINKOWSKI_PLANES_LAYOUT.bindings, GPUBufferBinding>>,
    across: number,
    down: number,
  ): void {
    const { device, pipelines } = this.#gpu;
    const pipeline = pipelines.get(`minkowski-planes/${entryPoint}`, () =>
      device.createComputePipeline({
        label: entryPoint,
        layout: 'auto',
        compute: {
          module: pipelines.get('minkowski-planes', () => device.createShaderModule({ code })),
          entryPoint,
        },
      }),
    );
    const entries = Object.entries(resources).map(([name, resource]) => ({
      binding: MINKOWSKI_PLANES_LAYOUT.bindings[name as keyof typeof resources].binding,
      resource,
    }));
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(across, down);
  }
}

/** −A around its center, to which B is added. */
function negatedRows({ model }: Solid, unit: number): Float32Array<ArrayBuffer> {
  const scale = model.radius / unit;
  return packRows([-scale, 0, 0, 0, 0, -scale, 0, 0, 0, 0, -scale, 0], scale);
}

/** B as it is placed, less A's center. */
function placedRows(a: Solid, b: Solid, m: Float64Array, unit: number): Float32Array<ArrayBuffer> {
  const scale = b.model.radius / unit;
  const [x, y, z] = b.model.center;
  const rows: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const r = 4 * axis;
    const shift = m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3] - a.model.center[axis];
    rows.push(scale * m[r], scale * m[r + 1], scale * m[r + 2], shift / unit);
  }
  return packRows(rows, scale);
}

function packRows(rows: readonly number[], scale: number): Float32Array<ArrayBuffer> {
  const { offsets, size } = MINKOWSKI_PLANES_LAYOUT.structs.Placement;
  const packed = new Float32Array(size / 4);
  packed.set(rows);
  packed[offsets.scale / 4] = scale;
  return packed;
}
