// The extreme depth or distance of each view, in double precision from the stored depths; twin of
// gpu/image-reduction-gpu.ts.
import { EYE_FRAME_SIZE, eyeDistance, writeEyeFrame } from './eye-distance.js';
import type { RasterTarget, ReducedViews, ReduceOptions } from './raster.js';
import type { Images } from './software/fill-spans.js';

/** Searches the images; `views` are the matrices they were drawn with. */
export function reduceViews(
  images: Images,
  target: RasterTarget,
  views: ArrayLike<number>,
  options: ReduceOptions,
): ReducedViews {
  const { width, height, viewCount } = target;
  const { exceptColor } = options;
  const values = new Float64Array(viewCount).fill(Number.NaN);
  const pixels = new Int32Array(viewCount).fill(-1);
  const frame = new Float64Array(EYE_FRAME_SIZE);
  const keys = new Float64Array(width);
  const byDistance = options.value === 'distance';
  const sign = options.operation === 'min' ? 1 : -1;
  for (let view = 0; view < viewCount; view++) {
    if (byDistance) writeEyeFrame(frame, 0, views, view);
    const start = view * width * height;
    let best = Infinity;
    let pixel = -1;
    for (let row = 0; row < height; row++) {
      const rowStart = start + row * width;
      if (byDistance) writeSquaredDistances(keys, images.depth, rowStart, frame, width, screenY(row, height));
      else for (let column = 0; column < width; column++) keys[column] = images.depth[rowStart + column];
      for (let column = 0; column < width; column++) {
        const key = sign * keys[column];
        if (pixel >= 0 && !(key < best)) continue;
        if (exceptColor !== undefined && images.color[rowStart + column] === exceptColor) continue;
        best = key;
        pixel = row * width + column;
      }
    }
    pixels[view] = pixel;
    if (pixel < 0) continue;
    const depth = images.depth[start + pixel];
    const x = screenX(pixel % width, width);
    const y = screenY(Math.floor(pixel / width), height);
    values[view] = byDistance ? eyeDistance(frame, 0, x, y, depth) : depth;
  }
  return { values, pixels };
}

/** Squares of `eyeDistance` along a row: the same order, without roots. */
function writeSquaredDistances(
  out: Float64Array,
  depths: Float32Array,
  start: number,
  frame: Float64Array,
  width: number,
  y: number,
): void {
  const gx = frame[0] + y * frame[8];
  const gy = frame[1] + y * frame[9];
  const gz = frame[2] + y * frame[10];
  const q = frame[3] + y * frame[11];
  for (let column = 0; column < width; column++) {
    const x = screenX(column, width);
    const dx = gx + x * frame[4];
    const dy = gy + x * frame[5];
    const dz = gz + x * frame[6];
    const scale = q + x * frame[7] + (1 - depths[start + column]);
    out[column] = (dx * dx + dy * dy + dz * dz) / (scale * scale);
  }
}

function screenX(column: number, width: number): number {
  return (2 * column + 1) / width - 1;
}

function screenY(row: number, height: number): number {
  return 1 - (2 * row + 1) / height;
}
