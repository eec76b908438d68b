// Images by the method of Hoff et al. 1999: the distance meshes of all sites are drawn with the depth test, the sites as
// colors. The depth buffer then has the distances and the color buffer the nearest sites.
import { type ProgressOptions, partOfProgress, reportProgress } from '../../../core/progress.js';
import type { RasterGeometry, Rasterizer, RasterState } from '../../../raster/raster.js';
import { ExactImageFiller } from '../../image/exact-image.js';
import { exactError, type ImageFrame } from '../../image/image-frame.js';
import { noCounts, type VoronoiCounters } from '../../image/voronoi-image.js';
import { DistanceMeshes, type MeshRange } from './distance-mesh.js';

/** Chosen: samples along the longest side of the image that bounds how far meshes have to reach. */
const COARSE = 64;

/** Rounding: of depths from 0 to 1, to single precision; on a GPU also that of corners and of interpolation. */
const DEPTH_ROUNDING = { cpu: 2 ** -24, webgpu: 2 ** -18 };

/** Rounding: GPUs round corners to 1/256 of a pixel or finer. */
const CORNER_ROUNDING = { cpu: 0, webgpu: 2 ** -8 };

/** The identity as a view: meshes are made in clip space. */
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

const STATE: RasterState = { depthCompare: 'less' };

/** Draws an image; returns its samples and their error. */
export async function drawMeshImage(
  rasterizer: Rasterizer,
  frame: ImageFrame,
  counters: VoronoiCounters,
  progress?: ProgressOptions,
): Promise<{ ids: Int32Array; distances: Float32Array; error: number }> {
  const { elements, width, height, box, spacing, meshError, maxDistance } = frame;
  counters.elements = elements.count;
  const range = rangeOfHeights(frame, partOfProgress(progress, 0, 0.1));
  const target = rasterizer.createTarget(width, height, 1);
  const drawn: RasterGeometry[] = [];
  try {
    for (const { positions, indices, colors } of new DistanceMeshes(elements, box, range, meshError).batches()) {
      counters.triangles += colors.length;
      const share = colors[colors.length - 1] / elements.weights.length;
      reportProgress(progress, 0.1 + 0.8 * share, 'distance meshes');
      const geometry = rasterizer.createGeometry(positions, indices, colors);
      drawn.push(geometry);
      rasterizer.draw(target, IDENTITY, [{ geometry, state: STATE }]);
      if (rasterizer.backend === 'cpu') geometry.destroy();
    }
    const { color, depth } = await rasterizer.read(target, ['color', 'depth']);
    const ids = new Int32Array(width * height);
    const distances = new Float32Array(width * height);
    let largest = 0;
    for (let i = 0; i < ids.length; i++) {
      const value = range.low + (depth?.[i] ?? 1) * (range.high - range.low);
      const isNear = color?.[i] !== 0 && value <= maxDistance;
      ids[i] = isNear ? (color?.[i] ?? 0) - 1 : -1;
      distances[i] = isNear ? value : Infinity;
      if (isNear) largest = Math.max(largest, Math.abs(value));
    }
    const { backend } = rasterizer;
    const steepest = 1 / elements.weights.reduce((least, weight) => Math.min(least, weight), Infinity);
    const error =
      meshError +
      DEPTH_ROUNDING[backend] * (range.high - range.low) +
      CORNER_ROUNDING[backend] * Math.hypot(spacing[0], spacing[1]) * steepest +
      exactError(frame, largest);
    return { ids, distances, error };
  } finally {
    for (const geometry of drawn) geometry.destroy();
    target.destroy();
  }
}

/**
 * Heights from the least that any site has to the largest that the image can need: the distances at the centers of a
 * coarse grid and half the diagonal of its cells bound those of all samples. Meshes that end there are much smaller.
 */
function rangeOfHeights(frame: ImageFrame, progress: ProgressOptions): MeshRange {
  const { elements, box, meshError, maxDistance } = frame;
  const { weights, offsets } = elements;
  let low = 0;
  let steepest = 0;
  for (let site = 0; site < weights.length; site++) {
    low = site === 0 ? -offsets[site] : Math.min(low, -offsets[site]);
    steepest = Math.max(steepest, 1 / weights[site]);
  }
  const [x0, y0, x1, y1] = box;
  const longest = Math.max(x1 - x0, y1 - y0);
  const width = Math.max(1, Math.round((COARSE * (x1 - x0)) / longest));
  const height = Math.max(1, Math.round((COARSE * (y1 - y0)) / longest));
  const spacing = [(x1 - x0) / width, (y1 - y0) / height] as const;
  const distances = new Float32Array(width * height);
  const coarse: ImageFrame = { ...frame, width, height, spacing };
  new ExactImageFiller().fill(coarse, new Int32Array(width * height), distances, noCounts(), progress);
  let high = -Infinity;
  for (const distance of distances) high = Math.max(high, distance);
  high = Math.min(maxDistance, high * (1 + 1e-6) + (steepest * Math.hypot(spacing[0], spacing[1])) / 2);
  // Heights above the true distances are still drawn.
  return { low, high: Math.max(Math.min(high, 1e30) + 2 * meshError, low + meshError) };
}
