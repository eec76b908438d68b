// Where rays that left a union into a void enter it again: for each of their pixels the nearest entry beyond its front. A
// depth buffer cannot be kept and searched at the same time, so this uses planes in double precision, over the pixels
// that each sum can cover; the entries are then drawn back as triangles of one pixel each.
import { CUBE_AXES, pixelCenter, writeDirection } from '../union/cube-views.js';
import { FRONT_BIAS, type WindowGeometry, type WindowSum } from './window-geometry.js';

/** Label: mode of a pixel: it is in no void. */
export const NOT_VOID = 0;
/** Label: mode of a pixel: the next entry is at its front or beyond. */
export const ANY_ENTRY = 1;
/** Label: mode of a pixel: the next entry is strictly beyond its front. */
export const BEYOND = 2;

/** The pixels of a view. */
export interface VoidPixels {
  readonly resolution: number;
  readonly modes: Uint8Array;
  /** How many times its direction each ray has come. */
  readonly fronts: Float64Array;
  /** Written: how many times its direction the ray reaches the nearest entry; Infinity without one. */
  readonly entries: Float64Array;
  /** Written: the sum entered; −1 without one. */
  readonly next: Int32Array;
}

/** Finds entries, with its working memory. */
export class VoidHop {
  #slopes = new Float64Array(256);
  readonly #window = new Int32Array(4);

  /** Writes the nearest entries into the listed sums beyond the fronts, for the pixels with a mode other than NOT_VOID. */
  find(
    sums: readonly WindowSum[],
    geometry: WindowGeometry,
    list: ArrayLike<number>,
    view: number,
    { resolution, modes, fronts, entries, next }: VoidPixels,
  ): void {
    entries.fill(Infinity);
    next.fill(-1);
    for (let i = 0; i < list.length; i++) {
      const sum = list[i];
      findWindow(sums[sum].points, view, resolution, this.#window);
      const [x0, x1, y0, y1] = this.#window;
      const count = geometry.facetStart[sum + 1] - geometry.facetStart[sum];
      this.#writeSlopes(geometry, sum, count, view);
      const slopes = this.#slopes;
      for (let row = y0; row < y1; row++) {
        const y = -pixelCenter(row, resolution);
        for (let column = x0; column < x1; column++) {
          const pixel = row * resolution + column;
          if (modes[pixel] === NOT_VOID) continue;
          const x = pixelCenter(column, resolution);
          const front = fronts[pixel];
          const best = entries[pixel];
          let near = front;
          let far = Infinity;
          for (let k = 0; k < 4 * count; k += 4) {
            const slope = slopes[k] + x * slopes[k + 1] + y * slopes[k + 2];
            const offset = slopes[k + 3];
            if (slope > 0) {
              if (offset < far * slope) far = offset / slope;
            } else if (offset < near * slope) {
              near = slope === 0 ? Infinity : offset / slope;
            }
            if (near >= far || near >= best) break;
          }
          if (near >= far || near >= best) continue;
          // The device missed a sum that holds the front, by rounding its facets apart; it counts if it extends beyond.
          if (near <= front && (modes[pixel] === BEYOND || far <= front * (1 + FRONT_BIAS))) continue;
          entries[pixel] = near;
          next[pixel] = sum;
        }
      }
    }
  }

  /** A sum's planes along the axes of a view: forward, right, up, offset. */
  #writeSlopes(geometry: WindowGeometry, sum: number, count: number, view: number): void {
    if (this.#slopes.length < 4 * count) this.#slopes = new Float64Array(8 * count);
    const axes = CUBE_AXES[view];
    const { planes } = geometry;
    const first = 4 * geometry.facetStart[sum];
    for (let k = 0; k < 4 * count; k += 4) {
      const p = first + k;
      for (let axis = 0; axis < 3; axis++) {
        this.#slopes[k + axis] =
          planes[p] * axes[3 * axis] + planes[p + 1] * axes[3 * axis + 1] + planes[p + 2] * axes[3 * axis + 2];
      }
      this.#slopes[k + 3] = planes[p + 3];
    }
  }
}

/** Triangles, three corners of three numbers each, that cover one pixel each at these multiples of its direction. */
export function buildPixelTriangles(
  pixels: ArrayLike<number>,
  entries: Float64Array,
  view: number,
  resolution: number,
): Float64Array {
  const positions = new Float64Array(9 * pixels.length);
  const direction = new Float64Array(3);
  // Around the pixel's center, in pixels; no other center is inside.
  const corners = [-0.6, -0.4, 0.6, -0.4, 0, 0.8];
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i];
    const x = pixelCenter(pixel % resolution, resolution);
    const y = -pixelCenter(Math.floor(pixel / resolution), resolution);
    for (let corner = 0; corner < 3; corner++) {
      const dx = (2 * corners[2 * corner]) / resolution;
      const dy = (2 * corners[2 * corner + 1]) / resolution;
      writeDirection(direction, view, x + dx, y + dy);
      for (let axis = 0; axis < 3; axis++) positions[9 * i + 3 * corner + axis] = entries[pixel] * direction[axis];
    }
  }
  return positions;
}

/** Writes first column, end column, first row, end row of the pixels that points can cover: all if one is not ahead. */
function findWindow(points: Float64Array, view: number, resolution: number, out: Int32Array): void {
  const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
  let left = Infinity;
  let right = -Infinity;
  let bottom = Infinity;
  let top = -Infinity;
  for (let k = 0; k < points.length; k += 3) {
    const px = points[k];
    const py = points[k + 1];
    const pz = points[k + 2];
    const w = fx * px + fy * py + fz * pz;
    if (w <= 0) {
      out[0] = out[2] = 0;
      out[1] = out[3] = resolution;
      return;
    }
    const x = (rx * px + ry * py + rz * pz) / w;
    const y = (ux * px + uy * py + uz * pz) / w;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  const half = resolution / 2;
  const clamp = (value: number) => Math.min(resolution, Math.max(0, value));
  out[0] = clamp(Math.floor((left + 1) * half));
  out[1] = clamp(Math.ceil((right + 1) * half));
  out[2] = clamp(Math.floor((1 - top) * half));
  out[3] = clamp(Math.ceil((1 - bottom) * half));
}
