// A signed distance field on pixels, as Hoff et al. 2001 read it: distances are interpolated between samples, the sign is
// interpolated between 0 and 1 and cut at 0.5, the gradient comes from central differences.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { EdgeSet } from './edge-set.js';
import type { NearestEdge } from './nearest-edge.js';
import { assertPixels, MAX_ERRORS, pixelSize } from './pixel-lattice.js';
import type { RowCrossings } from './row-crossings.js';

/** Chosen: pixels along each side of a tile. Points near one another share their lists of edges. */
const TILE = 8;

/** The signed distance of one shape at the samples of a box, negative inside. */
export class PlaneField {
  readonly width: number;
  readonly height: number;
  /** The side of a pixel. */
  readonly pixel: number;
  /** x and y of the first sample. */
  readonly origin: readonly [number, number];
  /** The signed distance of each sample, row by row, x fastest. */
  readonly values: Float64Array;
  /**
   * Half the diagonal of a pixel. At samples distances are exact; between them |distance| is within this, and the sign is
   * right at all points farther than √2 times this from the boundary.
   */
  readonly error: number;

  /** Made by `PlanePivot.field`. */
  constructor(
    width: number,
    height: number,
    pixel: number,
    origin: readonly [number, number],
    values: Float64Array,
    error: number,
  ) {
    this.width = width;
    this.height = height;
    this.pixel = pixel;
    this.origin = origin;
    this.values = values;
    this.error = error;
  }

  /** The signed distance at a point. Outside of the samples: that of the nearest point among them. */
  sample(x: number, y: number): number {
    const { values, width } = this;
    const u = this.#place(x, 0);
    const v = this.#place(y, 1);
    const i = Math.min(Math.floor(u), Math.max(0, width - 2));
    const j = Math.min(Math.floor(v), Math.max(0, this.height - 2));
    const right = width > 1 ? 1 : 0;
    const up = this.height > 1 ? width : 0;
    const at = j * width + i;
    const s = u - i;
    const t = v - j;
    let size = 0;
    let inside = 0;
    for (let corner = 0; corner < 4; corner++) {
      const weight = ((corner & 1) === 0 ? 1 - s : s) * (corner < 2 ? 1 - t : t);
      const value = values[at + ((corner & 1) === 0 ? 0 : right) + (corner < 2 ? 0 : up)];
      size += weight * Math.abs(value);
      if (value < 0) inside += weight;
    }
    return inside > 0.5 ? -size : size;
  }

  /** Writes the gradient of the signed distance at a point to `out` and returns it. Not of unit length near ridges. */
  gradient(x: number, y: number, out: [number, number] = [0, 0]): [number, number] {
    const u = this.#place(x, 0);
    const v = this.#place(y, 1);
    const i = Math.min(Math.floor(u), Math.max(0, this.width - 2));
    const j = Math.min(Math.floor(v), Math.max(0, this.height - 2));
    let gx = 0;
    let gy = 0;
    for (let corner = 0; corner < 4; corner++) {
      const column = Math.min(this.width - 1, i + (corner & 1));
      const row = Math.min(this.height - 1, j + (corner >> 1));
      const weight = ((corner & 1) === 0 ? 1 - (u - i) : u - i) * (corner < 2 ? 1 - (v - j) : v - j);
      gx += weight * this.#difference(column, row, 1, 0);
      gy += weight * this.#difference(column, row, 0, 1);
    }
    out[0] = gx;
    out[1] = gy;
    return out;
  }

  /** The central difference at a sample; at the border, the one-sided one. */
  #difference(column: number, row: number, stepX: number, stepY: number): number {
    const { width, height, values, pixel } = this;
    const x0 = Math.max(0, column - stepX);
    const x1 = Math.min(width - 1, column + stepX);
    const y0 = Math.max(0, row - stepY);
    const y1 = Math.min(height - 1, row + stepY);
    const way = x1 - x0 + (y1 - y0);
    return way === 0 ? 0 : (values[y1 * width + x1] - values[y0 * width + x0]) / (way * pixel);
  }

  /** A coordinate in samples, within them. */
  #place(value: number, axis: 0 | 1): number {
    if (!Number.isFinite(value)) {
      throw new NearfieldError(
        'non-finite',
        `The point has ${axis === 0 ? 'x' : 'y'} = ${value}; give finite numbers.`,
      );
    }
    const most = (axis === 0 ? this.width : this.height) - 1;
    return Math.min(most, Math.max(0, (value - this.origin[axis]) / this.pixel));
  }
}

/**
 * Computes the field of a shape over a box, x0, y0, x1, y1: the first samples are at or before its lower sides, the last
 * at or beyond its upper ones.
 */
export function computePlaneField(
  shape: EdgeSet,
  box: ArrayLike<number>,
  error: number,
  nearest: NearestEdge,
  crossings: RowCrossings,
): PlaneField {
  assertPlaneBox(box);
  const pixel = pixelSize(error);
  const reach = Math.max(Math.abs(box[0]), Math.abs(box[1]), Math.abs(box[2]), Math.abs(box[3]));
  if (reach > MAX_ERRORS * error) {
    throw new NearfieldError(
      'bad-argument',
      `The box reaches ${reach}, where double precision has no pixels for an error of ${error}; give a nearer box or a larger error.`,
    );
  }
  const column0 = Math.floor(box[0] / pixel - 0.5);
  const row0 = Math.floor(box[1] / pixel - 0.5);
  const width = Math.ceil(box[2] / pixel - 0.5) - column0 + 1;
  const height = Math.ceil(box[3] / pixel - 0.5) - row0 + 1;
  assertPixels(width * height, error);
  crossings.build(shape, row0, row0 + height - 1, column0 * pixel, (column0 + width) * pixel, pixel);
  nearest.bind(shape, pixel);
  const values = new Float64Array(width * height);
  for (let top = 0; top < height; top += TILE) {
    const rowEnd = Math.min(height, top + TILE);
    for (let start = 0; start < width; start += TILE) {
      const end = Math.min(width, start + TILE);
      for (let row = top; row < rowEnd; row++) {
        // There and back, so that one sample is beside the next.
        const isBack = ((row - top) & 1) === 1;
        const y = (row0 + row + 0.5) * pixel;
        for (let k = start; k < end; k++) {
          const column = isBack ? end - 1 - (k - start) : k;
          const x = (column0 + column + 0.5) * pixel;
          const distance = nearest.find(x, y);
          values[row * width + column] = crossings.inside(row, x) ? -distance : distance;
        }
      }
    }
  }
  return new PlaneField(width, height, pixel, [(column0 + 0.5) * pixel, (row0 + 0.5) * pixel], values, error);
}

function assertPlaneBox(box: ArrayLike<number>): void {
  if (box?.length === 4 && Number.isFinite(box[0] + box[1] + box[2] + box[3]) && box[0] <= box[2] && box[1] <= box[3]) {
    return;
  }
  throw new NearfieldError(
    'bad-argument',
    `The box is ${box?.length === 4 ? Array.from(box).join(', ') : nameValue(box)}; give x0, y0, x1, y1 with x0 ≤ x1 and y0 ≤ y1.`,
  );
}
