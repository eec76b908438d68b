// Differences of two fields on a plane as a picture. Each node is a square of one color, because differences are known
// at nodes only. O(pixels).
import type { Vec3 } from '../../core/vec3.js';
import type { Field } from '../../field/grid.js';
import type { PngImage } from '../../io/image/png-image.js';

/** Colors from no difference to the largest, at equal steps. */
const STOPS: readonly Vec3[] = [
  [255, 252, 240],
  [253, 204, 122],
  [232, 110, 60],
  [150, 24, 40],
  [44, 4, 28],
];
/** Where either field was not computed. */
const UNKNOWN: Vec3 = [150, 150, 150];
/** Chosen: the fewest pixels of the longer side. */
const MIN_SIDE = 512;

/** Paints the absolute differences in a plane, x to the right and y up, with `most` in the darkest color. */
export function paintDifferences({ size, values }: Field, most: number): PngImage {
  const [nx, ny] = size;
  const scale = Math.max(1, Math.ceil(MIN_SIDE / Math.max(nx, ny)));
  const width = nx * scale;
  const height = ny * scale;
  const pixels = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    const j = ny - 1 - Math.floor(row / scale);
    for (let column = 0; column < width; column++) {
      const difference = Math.abs(values[Math.floor(column / scale) + nx * j]);
      pixels.set(colorOf(difference, most), 3 * (column + width * row));
    }
  }
  return { width, height, channels: 3, pixels };
}

function colorOf(difference: number, most: number): Vec3 {
  if (!Number.isFinite(difference)) return UNKNOWN;
  const place = most > 0 ? (STOPS.length - 1) * Math.min(1, difference / most) : 0;
  const from = Math.min(STOPS.length - 2, Math.floor(place));
  return STOPS[from].map((channel, k) => Math.round(channel + (place - from) * (STOPS[from + 1][k] - channel))) as Vec3;
}
