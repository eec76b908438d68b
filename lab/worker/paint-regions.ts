// The image of a Voronoi diagram with a color for each site, in memory that is kept from frame to frame: that of the
// worker, or buffers of its GPU.
import type { ProgressOptions } from 'nearfield/core';
import type { GpuDevice } from 'nearfield/gpu';
import { GpuVoronoi, type PlaneSite, type VoronoiImage, VoronoiImager } from 'nearfield/voronoi';
import { NO_REGION } from '../region-colors.js';
import type { Regions } from '../viewer/regions.js';
import { takeDevice } from './worker-device.js';

const imager = new VoronoiImager();

/** The diagram on the GPU, for images of one size of one box. */
let onGpu: { readonly device: GpuDevice; readonly key: string; readonly diagram: GpuVoronoi } | null = null;

/** What to paint. */
export interface PaintInput {
  readonly sites: readonly PlaneSite[];
  /** The color of each site. */
  readonly tints: readonly number[];
  /** The sheet is this wide and high. */
  readonly sheet: readonly [number, number];
  readonly resolution: number;
}

export interface PaintedRegions {
  readonly regions: Regions;
  readonly size: readonly [number, number];
  readonly elements: number;
  /** Samples of each site, in their order. */
  readonly shares: readonly number[];
  readonly backend: 'cpu' | 'webgpu';
  /** How far a distance may be off. */
  readonly error: number;
  /** From the sites to the image in memory. */
  readonly milliseconds: number;
}

export function paintRegions(input: PaintInput, options: ProgressOptions): PaintedRegions {
  const { sites, sheet, resolution } = input;
  const start = performance.now();
  const image = imager.render(sites, { ...options, box: [0, 0, ...sheet], resolution });
  return colorRegions(input, image, performance.now() - start);
}

/** As {@link paintRegions}, on the worker's GPU. */
export async function paintRegionsOnGpu(input: PaintInput): Promise<PaintedRegions> {
  const { sites, sheet, resolution } = input;
  const device = await takeDevice();
  const start = performance.now();
  const key = `${sheet} ${resolution}`;
  if (onGpu === null || onGpu.device !== device || onGpu.key !== key) {
    onGpu?.diagram.destroy();
    onGpu = null;
    onGpu = { device, key, diagram: new GpuVoronoi(device, sites, { box: [0, 0, ...sheet], resolution }) };
  } else onGpu.diagram.setSites(sites);
  const image = await onGpu.diagram.read();
  return colorRegions(input, image, performance.now() - start);
}

function colorRegions({ sites, tints, sheet }: PaintInput, image: VoronoiImage, milliseconds: number): PaintedRegions {
  const { ids, distances, backend, error } = image;
  const [width, height] = sheet;
  const colors = new Uint8Array(ids.length);
  const shares = new Array<number>(sites.length).fill(0);
  let farthest = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    colors[i] = id < 0 ? NO_REGION : tints[id];
    if (id < 0) continue;
    shares[id]++;
    if (distances[i] > farthest) farthest = distances[i];
  }
  const place = { corner: [0, 0, 0], across: [width, 0, 0], up: [0, height, 0] } as const;
  return {
    regions: { ...place, columns: image.width, rows: image.height, colors, distances, farthest },
    size: [image.width, image.height],
    elements: image.counters.elements,
    shares,
    backend,
    error,
    milliseconds,
  };
}
