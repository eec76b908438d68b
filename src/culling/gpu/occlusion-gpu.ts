// Objects pruned by occlusion queries, as Govindaraju, Redon, Lin and Manocha 2003 do: in each of three views the
// objects are drawn in order and in reverse. Each is first tested against the depths so far with the depth function
// reversed, inside a query; then it is drawn. Two draws in two states and a query for each object, view and order.
import { NearfieldError } from '../../core/errors.js';
import { readBuffers } from '../../gpu/buffer.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { BUFFER_USAGE, TEXTURE_USAGE } from '../../gpu/flags.js';
import { UNIFORM_ALIGNMENT } from '../../gpu/limits.js';
import type { CullScene } from '../cull-scene.js';
import type { OverlapFilter } from '../overlap-filter.js';
import type { GrowingBuffers } from './growing-buffers.js';
import code from './visibility.wgsl?raw';
import { VISIBILITY_LAYOUT } from './visibility-gpu.js';

const WHAT = 'Collision culling';
/** Layout: views: one along each axis. */
const VIEWS = 3;
/** Layout: orders of drawing in each view: forward and reverse. */
const ORDERS = 2;
/** Format (WebGPU): the limit for a set of queries. */
const MAX_QUERIES = 4096;
const DEPTH_FORMAT = 'depth32float';
const BINDINGS = ['view', 'positions', 'corners', 'objectOf'] as const;

/** Draws objects and asks whether they were hidden. */
export class GpuOcclusion {
  readonly #gpu: GpuDevice;
  readonly #buffers: GrowingBuffers;
  readonly #faults: GpuFaults;
  #depth: GPUTexture | null = null;
  #queries: GPUQuerySet | null = null;

  constructor(gpu: GpuDevice, buffers: GrowingBuffers) {
    this.#gpu = gpu;
    this.#buffers = buffers;
    this.#faults = new GpuFaults(gpu);
  }

  /**
   * 1 for the objects that may meet another. Triangles and views must be on the device.
   * @throws NearfieldError `too-large` for more objects with overlapping boxes than a set of queries holds.
   */
  async findHiddenObjects(scene: CullScene, filter: OverlapFilter, resolution: number): Promise<Uint8Array> {
    const { overlapStarts } = filter;
    const objects: number[] = [];
    for (let object = 0; object < scene.objectCount; object++) {
      if (overlapStarts[object] < overlapStarts[object + 1]) objects.push(object);
    }
    const alive = new Uint8Array(scene.objectCount);
    if (objects.length === 0) return alive;
    const count = VIEWS * ORDERS * objects.length;
    if (count > MAX_QUERIES) {
      throw new NearfieldError(
        'too-large',
        `Occlusion queries for ${objects.length} objects need ${count} in a set; a device has ${MAX_QUERIES}. ` +
          "Use visibility 'fragments'.",
      );
    }
    this.#faults.watch(WHAT, () => {
      this.#reserve(count, resolution);
      const encoder = this.#gpu.device.createCommandEncoder();
      for (let view = 0; view < VIEWS; view++) {
        this.#pass(encoder, scene, view, objects, ORDERS * view * objects.length);
        this.#pass(encoder, scene, view, [...objects].reverse(), (ORDERS * view + 1) * objects.length);
      }
      encoder.resolveQuerySet(this.#queries!, 0, count, this.#buffers.get('queries'), 0);
      this.#gpu.device.queue.submit([encoder.finish()]);
    });
    const source = { buffer: this.#buffers.get('queries'), byteLength: 8 * count };
    const [bytes] = await readBuffers(this.#gpu, this.#faults, WHAT, [source]);
    const passed = new BigUint64Array(bytes);
    for (const [i, object] of objects.entries()) {
      // Fully visible in some view of each order: it meets no object before it or after it.
      let seenInOrder = false;
      let seenInReverse = false;
      for (let view = 0; view < VIEWS; view++) {
        const first = ORDERS * view * objects.length;
        if (passed[first + i] === 0n) seenInOrder = true;
        if (passed[first + 2 * objects.length - 1 - i] === 0n) seenInReverse = true;
      }
      if (!(seenInOrder && seenInReverse)) alive[object] = 1;
    }
    return alive;
  }

  destroy(): void {
    this.#depth?.destroy();
    this.#queries?.destroy();
    this.#depth = null;
    this.#queries = null;
  }

  #reserve(count: number, resolution: number): void {
    const { device } = this.#gpu;
    this.#buffers.reserve('queries', 8 * count, BUFFER_USAGE.QUERY_RESOLVE | BUFFER_USAGE.COPY_SRC);
    if (this.#depth?.width !== resolution) {
      this.#depth?.destroy();
      this.#depth = device.createTexture({
        size: [resolution, resolution],
        format: DEPTH_FORMAT,
        usage: TEXTURE_USAGE.RENDER_ATTACHMENT,
      });
    }
    if ((this.#queries?.count ?? 0) >= count) return;
    this.#queries?.destroy();
    this.#queries = device.createQuerySet({ type: 'occlusion', count });
  }

  /** All objects in one order; query number `first` + place is that of an object. */
  #pass(encoder: GPUCommandEncoder, scene: CullScene, view: number, objects: readonly number[], first: number): void {
    const tests = this.#pipeline('testDepth', 'greater-equal', false);
    const writes = this.#pipeline('writeDepth', 'less', true);
    const pass = encoder.beginRenderPass({
      colorAttachments: [],
      depthStencilAttachment: {
        view: this.#depth!.createView(),
        depthClearValue: 1,
        depthLoadOp: 'clear',
        depthStoreOp: 'discard',
      },
      occlusionQuerySet: this.#queries!,
    });
    const testGroup = this.#bindGroup('testDepth', view, tests);
    const writeGroup = this.#bindGroup('writeDepth', view, writes);
    for (const [place, object] of objects.entries()) {
      const start = scene.firstTriangle[object];
      const count = scene.firstTriangle[object + 1] - start;
      pass.setPipeline(tests);
      pass.setBindGroup(0, testGroup);
      pass.beginOcclusionQuery(first + place);
      pass.draw(6, count, 0, start);
      pass.endOcclusionQuery();
      if (place + 1 === objects.length) continue;
      pass.setPipeline(writes);
      pass.setBindGroup(0, writeGroup);
      pass.draw(6, count, 0, start);
    }
    pass.end();
  }

  #pipeline(entryPoint: string, depthCompare: GPUCompareFunction, depthWriteEnabled: boolean): GPURenderPipeline {
    const { device, pipelines } = this.#gpu;
    return pipelines.get(`occlusion/${entryPoint}`, () => {
      const module = pipelines.get('visibility', () => device.createShaderModule({ code }));
      return device.createRenderPipeline({
        label: entryPoint,
        layout: 'auto',
        vertex: { module, entryPoint: 'placeObjectQuad' },
        fragment: { module, entryPoint, targets: [] },
        primitive: { topology: 'triangle-list' },
        depthStencil: { format: DEPTH_FORMAT, depthCompare, depthWriteEnabled },
      });
    });
  }

  #bindGroup(stage: string, view: number, pipeline: GPURenderPipeline): GPUBindGroup {
    const buffers = this.#buffers;
    return buffers.bindGroup(`occlusion/${stage} ${view}`, () =>
      this.#gpu.device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: BINDINGS.map((name) => ({
          binding: VISIBILITY_LAYOUT.bindings[name].binding,
          resource:
            name === 'view'
              ? {
                  buffer: buffers.get('views'),
                  offset: UNIFORM_ALIGNMENT * view,
                  size: VISIBILITY_LAYOUT.structs.View.size,
                }
              : { buffer: buffers.get(name) },
        })),
      }),
    );
  }
}
