// A Voronoi diagram that stays on the GPU, for pages that draw it and for sites that move every frame.
import { NearfieldError } from '../../core/errors.js';
import { assertDevice } from '../../gpu/choose-backend.js';
import type { GpuDevice } from '../../gpu/device.js';
import { GpuFaults } from '../../gpu/faults.js';
import { frameImage, type ImageFrame } from '../image/image-frame.js';
import type { VoronoiImage, VoronoiOptions } from '../image/voronoi-image.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { packPlaneElements, type SampleFrame } from './gpu-elements.js';
import { GpuNearestSites } from './nearest-sites-gpu.js';

const WHAT = 'Voronoi diagram';

/**
 * The nearest site of every pixel in buffers of a device. Give sites with `setSites`, compute with `encode` or `read`;
 * buffers are kept from frame to frame. A shader reads pixel (x, y) at y · width + x, row 0 at the lower side of the box.
 */
export class GpuVoronoi {
  readonly width: number;
  readonly height: number;
  readonly #options: VoronoiOptions;
  readonly #nearest: GpuNearestSites;
  readonly #faults: GpuFaults;
  #frame: ImageFrame;
  #error = 0;

  /**
   * @param options as for `computeVoronoi`, with a box; only the method 'exact'.
   * @throws NearfieldError as `computeVoronoi` does; `too-large` beyond the device's buffers.
   */
  constructor(gpu: GpuDevice, sites: readonly PlaneSite[], options: VoronoiOptions) {
    assertDevice(gpu);
    const frame = frameImage(sites, options);
    if (options.box === undefined) {
      throw new NearfieldError('bad-argument', 'A diagram whose sites change needs a box; give x0, y0, x1, y1.');
    }
    if (frame.method !== 'exact') {
      throw new NearfieldError(
        'unsupported',
        "GpuVoronoi computes exact distances; leave the method out or give 'exact'.",
      );
    }
    this.#options = options;
    this.#frame = frame;
    this.width = frame.width;
    this.height = frame.height;
    this.#faults = new GpuFaults(gpu);
    this.#nearest = this.#faults.watch(WHAT, () => new GpuNearestSites(gpu, samplesOf(frame).size));
    this.#fill();
  }

  /** The nearest site of each pixel, 32-bit signed integers; −1 beyond the largest distance. */
  get ids(): GPUBuffer {
    return this.#nearest.ids;
  }

  /** The distance to it, 32-bit floats. */
  get distances(): GPUBuffer {
    return this.#nearest.distances;
  }

  /** Replaces the sites. */
  setSites(sites: readonly PlaneSite[]): void {
    this.#frame = frameImage(sites, this.#options);
    this.#fill();
  }

  /** Adds the computation to an encoder; the buffers hold the diagram when the device has run it. */
  encode(encoder: GPUCommandEncoder, timestamps?: GPUComputePassTimestampWrites): void {
    this.#nearest.encode(encoder, timestamps);
  }

  /**
   * Computes the diagram and copies it to memory.
   * @throws NearfieldError `device-lost`, and what the device rejected since the last call.
   */
  async read(): Promise<VoronoiImage> {
    const { width, height, box, spacing, elements } = this.#frame;
    const error = this.#error;
    const { ids, distances } = await this.#nearest.read(this.#faults);
    return {
      width,
      height,
      box,
      spacing,
      ids,
      distances,
      method: 'exact',
      backend: 'webgpu',
      error,
      counters: { elements: elements.count, tiles: 0, candidates: 0, distances: 0, triangles: 0 },
    };
  }

  /** Frees the buffers. */
  destroy(): void {
    this.#nearest.destroy();
  }

  #fill(): void {
    const { elements, maxDistance } = this.#frame;
    const samples = samplesOf(this.#frame);
    const packed = packPlaneElements(elements, samples);
    this.#error = packed.error;
    this.#faults.watch(WHAT, () => this.#nearest.fill(packed, samples, maxDistance));
  }
}

/** Where the samples of an image are. */
function samplesOf({ box, spacing, width, height }: ImageFrame): SampleFrame {
  return {
    origin: [box[0] + spacing[0] / 2, box[1] + spacing[1] / 2, 0],
    spacing: [spacing[0], spacing[1], 1],
    size: [width, height, 1],
  };
}
