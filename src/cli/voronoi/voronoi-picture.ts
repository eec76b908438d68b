// A picture of a sampled diagram: a color for each site, darker with the distance, the boundaries dark.
import type { PngImage } from '../../io/image/png-image.js';
import type { VoronoiImage } from '../../voronoi/image/voronoi-image.js';

/** The color of samples without a site. */
const NOTHING = [235, 235, 235];
/** The color of the boundaries between sites. */
const BOUNDARY = [30, 30, 40];

/** Chosen: how much darker the farthest samples are. */
const SHADE = 0.45;

/** @param yDown whether y0 is at the top of the picture. */
export function paintVoronoi({ width, height, ids, distances }: VoronoiImage, yDown: boolean): PngImage {
  let near = Infinity;
  let far = -Infinity;
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] < 0) continue;
    near = Math.min(near, distances[i]);
    far = Math.max(far, distances[i]);
  }
  const pixels = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const to = yDown ? row : height - 1 - row;
    for (let column = 0; column < width; column++) {
      const i = row * width + column;
      const id = ids[i];
      const isBoundary = (column + 1 < width && ids[i + 1] !== id) || (row + 1 < height && ids[i + width] !== id);
      const color = isBoundary ? BOUNDARY : id < 0 ? NOTHING : colorOf(id);
      const shade = isBoundary || id < 0 || far === near ? 1 : 1 - (SHADE * (distances[i] - near)) / (far - near);
      for (let channel = 0; channel < 3; channel++) {
        pixels[3 * (to * width + column) + channel] = Math.round(shade * color[channel]);
      }
    }
  }
  return { width, height, channels: 3, pixels };
}

/** Colors far apart for neighboring numbers: hues by the golden ratio, two levels of lightness. */
function colorOf(id: number): number[] {
  const hue = 6 * ((id * 0.6180339887498949) % 1);
  const low = id % 2 === 0 ? 110 : 150;
  const channel = (shift: number): number => {
    const at = (hue + shift) % 6;
    return low + (245 - low) * Math.max(0, Math.min(1, Math.abs(at - 3) - 1));
  };
  return [channel(0), channel(4), channel(2)];
}
