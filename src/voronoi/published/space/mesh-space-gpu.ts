// Distance meshes in space drawn by a GPU: the slices of a slab are the views of one target. While the device draws a slab
// the processor makes the meshes of the next.
import { type ProgressOptions, reportProgress } from '../../../core/progress.js';
import type { GpuDevice } from '../../../gpu/device.js';
import { createWebGpuRasterizer } from '../../../raster/gpu/rasterizer-gpu.js';
import type { RasterDraw, RasterGeometry, Rasterizer, RasterState, RasterTarget } from '../../../raster/raster.js';
import type { SpaceVoronoiCounters } from '../../space/space-voronoi.js';
import type { DistanceMesh } from './distance-mesh.js';
import { type DrawingPrecision, MeshSlabs, type MeshTask, SLAB_SLICES, type SlabDepths } from './mesh-slabs.js';

const STATE: RasterState = { depthCompare: 'less' };

/**
 * Chosen: GPUs round corners to 1/256 of a pixel, and interpolate badly in thinner triangles. Leaving those out moves
 * edges by up to twice their width; the overlap is more than that and the rounding. Depths are as in images.
 */
const HARDWARE: DrawingPrecision = { overlap: 2 ** -6, thinnest: 2 ** -8, depths: 2 ** -18 };
/** Chosen: the same for software adapters, which round corners to 1/16 of a pixel. */
const SOFTWARE: DrawingPrecision = { overlap: 2 ** -3, thinnest: 2 ** -5, depths: 2 ** -18 };

/** As `fillByMeshes`. */
export async function fillByMeshesOnGpu(
  gpu: GpuDevice,
  task: MeshTask,
  ids: Int32Array,
  distances: Float64Array,
  progress: ProgressOptions,
): Promise<SpaceVoronoiCounters & { readonly error: number }> {
  const depth = task.frame.size[2];
  const slabs = new MeshSlabs(task, gpu.isSoftware ? SOFTWARE : HARDWARE);
  const rasterizer = createWebGpuRasterizer(gpu);
  const drawings = [0, 1].map(() => new SlabDrawing(rasterizer, task.frame.size[0], task.frame.size[1]));
  let triangles = 0;
  let stored: Promise<void> = Promise.resolve();
  try {
    for (let first = 0; first < depth; first += SLAB_SLICES) {
      reportProgress(progress, first / depth, 'distance meshes');
      const last = Math.min(first + SLAB_SLICES, depth) - 1;
      const depths = slabs.begin(first, last);
      const drawing = drawings[(first / SLAB_SLICES) & 1];
      if (depths !== null) triangles += drawing.draw(slabs, first, last);
      await stored;
      stored = depths === null ? Promise.resolve() : drawing.store(slabs, depths, ids, distances);
      // If the next slab fails, this one's failure is not looked at any more.
      stored.catch(() => {});
    }
    await stored;
    return slabs.cost(triangles);
  } finally {
    await stored.catch(() => {});
    for (const drawing of drawings) drawing.destroy();
    rasterizer.destroy();
  }
}

/** The images of one slab. */
class SlabDrawing {
  readonly #rasterizer: Rasterizer;
  readonly #target: RasterTarget;
  readonly #views: number[] = [];
  #geometry: RasterGeometry | null = null;
  #first = 0;
  #last = 0;

  constructor(rasterizer: Rasterizer, width: number, height: number) {
    this.#rasterizer = rasterizer;
    this.#target = rasterizer.createTarget(width, height, SLAB_SLICES);
    // From pixels, row 0 at the top, and depths.
    const view = [2 / width, 0, 0, 0, 0, -2 / height, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1];
    for (let slice = 0; slice < SLAB_SLICES; slice++) this.#views.push(...view);
  }

  /** Draws the slices; returns the number of their triangles. */
  draw(slabs: MeshSlabs, first: number, last: number): number {
    this.#first = first;
    this.#last = last;
    const { mesh } = slabs;
    const draws: Omit<RasterDraw, 'geometry'>[] = [];
    for (let k = first; k <= last; k++) {
      const firstTriangle = mesh.count;
      slabs.addSlice(k, () => {});
      const triangleCount = mesh.count - firstTriangle;
      draws.push({ firstTriangle, triangleCount, firstView: k - first, viewCount: 1, state: STATE });
    }
    const triangles = mesh.count;
    const geometry = makeGeometry(this.#rasterizer, mesh);
    mesh.count = 0;
    this.#geometry = geometry;
    this.#rasterizer.draw(
      this.#target,
      this.#views,
      draws.map((draw) => ({ ...draw, geometry })),
      {},
    );
    return triangles;
  }

  async store(slabs: MeshSlabs, depths: SlabDepths, ids: Int32Array, distances: Float64Array): Promise<void> {
    const { color, depth } = await this.#rasterizer.read(this.#target, ['color', 'depth']);
    this.#geometry?.destroy();
    this.#geometry = null;
    if (color === undefined || depth === undefined) return;
    const pixels = this.#target.width * this.#target.height;
    for (let k = this.#first; k <= this.#last; k++) {
      slabs.store(k, depths, { color, depth }, pixels * (k - this.#first), ids, distances);
    }
  }

  destroy(): void {
    this.#geometry?.destroy();
    this.#target.destroy();
  }
}

function makeGeometry(rasterizer: Rasterizer, { count, corners, colors }: DistanceMesh): RasterGeometry {
  const positions = new Float32Array(9 * count);
  const indices = new Uint32Array(3 * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    for (let axis = 0; axis < 3; axis++) positions[3 * corner + axis] = corners[4 * corner + axis];
    indices[corner] = corner;
  }
  return rasterizer.createGeometry(positions, indices, colors.slice(0, count));
}
