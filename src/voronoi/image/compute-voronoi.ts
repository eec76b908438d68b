// One call for a sampled Voronoi diagram: checks the options, picks the method and the backend.
import { NearfieldError } from '../../core/errors.js';
import { reportProgress } from '../../core/progress.js';
import { type BackendFallback, runOnBackend } from '../../gpu/choose-backend.js';
import { createWebGpuRasterizer } from '../../raster/gpu/rasterizer-gpu.js';
import type { Rasterizer } from '../../raster/raster.js';
import { createSoftwareRasterizer } from '../../raster/software/software-rasterizer.js';
import { GpuVoronoi } from '../gpu/gpu-voronoi.js';
import { drawMeshImage } from '../published/image/mesh-image.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { ExactImageFiller } from './exact-image.js';
import { frameImage, type ImageFrame } from './image-frame.js';
import { noCounts, type VoronoiImage, type VoronoiOptions } from './voronoi-image.js';

/**
 * The nearest site and its distance at every sample of a box. Sites may be anywhere, coincide, touch and cross; without
 * any site every sample has the id −1 and an infinite distance.
 * @throws NearfieldError `bad-argument` for sites that are not as their type says, not finite, or with a weight that is
 * not positive, for a box without inside, and for other invalid options; `too-large` for images that do not fit in
 * memory; with 'webgpu', `no-gpu` without a device and `device-lost` if it is lost; `aborted` when the caller cancels.
 */
export async function computeVoronoi(sites: readonly PlaneSite[], options: VoronoiOptions = {}): Promise<VoronoiImage> {
  const frame = frameImage(sites, options);
  return runOnBackend<VoronoiImage>(
    options,
    'Voronoi image',
    async (device) => {
      if (frame.method === 'mesh') return drawImage(frame, options, createWebGpuRasterizer(device), null);
      reportProgress(options, 0, 'distances on the GPU');
      const diagram = new GpuVoronoi(device, sites, { ...options, box: frame.box });
      try {
        return await diagram.read();
      } finally {
        diagram.destroy();
      }
    },
    (fallback) =>
      frame.method === 'mesh'
        ? drawImage(frame, options, createSoftwareRasterizer(), fallback)
        : new VoronoiImager().fill(frame, options, fallback),
  );
}

/** {@link computeVoronoi} without a promise, on the CPU only: throws for `backend: 'webgpu'`. */
export function computeVoronoiSync(sites: readonly PlaneSite[], options: VoronoiOptions = {}): VoronoiImage {
  return new VoronoiImager().render(sites, options);
}

/**
 * Renders images of sites that move, on the CPU, in memory that is kept: an image is valid until the next one is
 * rendered.
 */
export class VoronoiImager {
  readonly #exact = new ExactImageFiller();
  #ids = new Int32Array(0);
  #distances = new Float32Array(0);

  /** As {@link computeVoronoiSync}. */
  render(sites: readonly PlaneSite[], options: VoronoiOptions = {}): VoronoiImage {
    const frame = frameImage(sites, options);
    if (options.backend === 'webgpu') {
      throw new NearfieldError('bad-argument', 'The GPU works asynchronously: call computeVoronoi for backend webgpu.');
    }
    return this.fill(frame, options, null);
  }

  /** @internal */
  fill(frame: ImageFrame, options: VoronoiOptions, fallback: BackendFallback | null): VoronoiImage {
    const { width, height, box, spacing, method } = frame;
    const samples = width * height;
    if (this.#ids.length !== samples) {
      this.#ids = new Int32Array(samples);
      this.#distances = new Float32Array(samples);
    }
    const counters = noCounts();
    if (method === 'mesh') {
      throw new NearfieldError(
        'unsupported',
        "Distance meshes are drawn asynchronously: call computeVoronoi for 'mesh'.",
      );
    }
    const error = this.#exact.fill(frame, this.#ids, this.#distances, counters, options);
    return {
      width,
      height,
      box,
      spacing,
      ids: this.#ids,
      distances: this.#distances,
      method,
      backend: 'cpu',
      ...(fallback !== null && { fallback }),
      error,
      counters,
    };
  }
}

async function drawImage(
  frame: ImageFrame,
  options: VoronoiOptions,
  rasterizer: Rasterizer,
  fallback: BackendFallback | null,
): Promise<VoronoiImage> {
  const { width, height, box, spacing, method } = frame;
  const counters = noCounts();
  const { backend } = rasterizer;
  try {
    const drawn = await drawMeshImage(rasterizer, frame, counters, options);
    return { width, height, box, spacing, ...drawn, method, backend, ...(fallback !== null && { fallback }), counters };
  } finally {
    rasterizer.destroy();
  }
}
