// Images of Voronoi diagrams on a GPU by exact distances, in single precision.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { GpuDevice } from '../../gpu/device.js';
import type { ImageFrame } from '../image/image-frame.js';
import type { VoronoiImage } from '../image/voronoi-image.js';
import { packPlaneElements, type SampleFrame } from './gpu-elements.js';
import { nearestSitesOnGpu } from './nearest-sites-gpu.js';

/** Where the samples of an image are. */
export function samplesOf({ box, spacing, width, height }: ImageFrame): SampleFrame {
  return {
    origin: [box[0] + spacing[0] / 2, box[1] + spacing[1] / 2, 0],
    spacing: [spacing[0], spacing[1], 1],
    size: [width, height, 1],
  };
}

/**
 * The image on a GPU.
 * @throws NearfieldError `too-large` beyond the device's buffers, `device-lost`, `aborted` when the caller cancels.
 */
export async function exactImageOnGpu(
  gpu: GpuDevice,
  frame: ImageFrame,
  options: ProgressOptions,
): Promise<VoronoiImage> {
  reportProgress(options, 0, 'distances on the GPU');
  const { elements, width, height, box, spacing, maxDistance } = frame;
  const packed = packPlaneElements(elements, samplesOf(frame));
  const { ids, distances } = await nearestSitesOnGpu(gpu, packed, samplesOf(frame), maxDistance);
  reportProgress(options, 1, 'distances on the GPU');
  return {
    width,
    height,
    box,
    spacing,
    ids,
    distances,
    method: 'exact',
    backend: 'webgpu',
    error: packed.error,
    counters: { elements: elements.count, tiles: 0, candidates: 0, distances: 0, triangles: 0 },
  };
}
