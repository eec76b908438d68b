// The image of a Voronoi diagram with a color for each site, in memory that is kept from frame to frame.
import type { ProgressOptions } from 'nearfield/core';
import { type PlaneSite, VoronoiImager } from 'nearfield/voronoi';
import { NO_REGION } from '../region-colors.js';
import type { Regions } from '../viewer/regions.js';

const imager = new VoronoiImager();

export interface PaintedRegions {
  readonly regions: Regions;
  readonly size: readonly [number, number];
  readonly elements: number;
  /** Samples of each site, in their order. */
  readonly shares: readonly number[];
  readonly milliseconds: number;
}

/** @param tints the color of each site. */
export function paintRegions(
  sites: readonly PlaneSite[],
  tints: readonly number[],
  [width, height]: readonly [number, number],
  resolution: number,
  options: ProgressOptions,
): PaintedRegions {
  const start = performance.now();
  const image = imager.render(sites, { ...options, box: [0, 0, width, height], resolution });
  const milliseconds = performance.now() - start;
  const { ids, distances } = image;
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
    milliseconds,
  };
}
