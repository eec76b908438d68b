// Exact distances of the 8³ nodes of a block from the triangles near it. Each triangle visits only nodes within the
// band of its box, and is measured only where its box and its plane are both nearer than the distance known so far.
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { DISTANCE_ROUNDING } from '../field-error.js';
import type { GridFrame } from '../grid.js';
import { NEEDLE_SINE_SQUARED } from '../source/sorted-corners.js';
import { BLOCK_SIDE, BLOCK_VALUES } from './sparse-field.js';

/**
 * Rounding: a triangle is skipped only if its bound exceeds the best squared distance by this factor, so that rounding
 * of the bound cannot lose a triangle that is nearer in the last bits: it covers any error of 1e-7 of the distance.
 */
const BOUND_SLACK = 1 + 1e-6;

/**
 * Rounding: the slack of bounds for distances as small as rounding errors, as a share of the largest coordinate
 * involved, squared.
 */
const ROUNDING_SQUARED = 1e-8 ** 2;

/**
 * Chosen: rows are clipped to the slab around the plane if the unit normal leans this much along them: rounding stays
 * below 1e-9 nodes.
 */
const MIN_TILT = 0.01;

export class BlockDistances {
  /** Point-triangle distances computed so far. */
  triangleDistances = 0;
  readonly #t: Float64Array;
  readonly #frame: GridFrame;
  /** How far computed positions may be off, and the width enlarged by that. */
  readonly #rounding: number;
  readonly #room: number;
  /** Rounded up: a node at exactly the width is in the band. */
  readonly #limit: number;
  readonly #tiny: number;
  /** Squared distances of the block's nodes; the limit where none is known. */
  readonly #squares = new Float64Array(BLOCK_VALUES);
  readonly #point = new TrianglePoint();
  readonly #x = new Float64Array(BLOCK_SIDE);

  /** @param width half width of the band, a length; @param extent the largest coordinate of nodes and triangles. */
  constructor(triangles: Float64Array, frame: GridFrame, width: number, extent: number) {
    this.#t = triangles;
    this.#frame = frame;
    this.#rounding = DISTANCE_ROUNDING * extent;
    this.#room = width + 1e-9 * frame.spacing + this.#rounding;
    this.#limit = width * width * (1 + 2 * Number.EPSILON);
    this.#tiny = extent * extent * ROUNDING_SQUARED;
  }

  /** Measures the block with first node (i0, j0, k0) from `list[from]` up to before `list[to]`; returns whether a node is in the band. */
  measure(i0: number, j0: number, k0: number, list: Int32Array, from: number, to: number): boolean {
    this.#squares.fill(this.#limit);
    const { origin, spacing } = this.#frame;
    for (let i = 0; i < BLOCK_SIDE; i++) this.#x[i] = origin[0] + spacing * (i0 + i);
    let found = false;
    for (let n = from; n < to; n++) if (this.#add(9 * list[n], i0, j0, k0)) found = true;
    return found;
  }

  /** Writes the distances of the block measured last, Infinity beyond the band; returns the number of nodes in the band. */
  write(values: Float32Array): number {
    const squares = this.#squares;
    const limit = this.#limit;
    let count = 0;
    for (let n = 0; n < BLOCK_VALUES; n++) {
      if (squares[n] < limit) {
        values[n] = Math.sqrt(squares[n]);
        count++;
      } else values[n] = Infinity;
    }
    return count;
  }

  /**
   * Lowers the distances of the block's nodes to those from the triangle at `t[o]`; returns whether any decreased. Rows
   * share the terms of the triangle, so that all of them are locals of one function.
   */
  #add(o: number, i0: number, j0: number, k0: number): boolean {
    const t = this.#t;
    const { origin, spacing, size } = this.#frame;
    const width = this.#room;
    const ax = t[o];
    const ay = t[o + 1];
    const az = t[o + 2];
    const minX = Math.min(ax, t[o + 3], t[o + 6]);
    const maxX = Math.max(ax, t[o + 3], t[o + 6]);
    const minY = Math.min(ay, t[o + 4], t[o + 7]);
    const maxY = Math.max(ay, t[o + 4], t[o + 7]);
    const minZ = Math.min(az, t[o + 5], t[o + 8]);
    const maxZ = Math.max(az, t[o + 5], t[o + 8]);
    const firstI = Math.max(0, Math.ceil((minX - width - origin[0]) / spacing) - i0);
    const lastI = Math.min(BLOCK_SIDE - 1, size[0] - 1 - i0, Math.floor((maxX + width - origin[0]) / spacing) - i0);
    const firstJ = Math.max(0, Math.ceil((minY - width - origin[1]) / spacing) - j0);
    const lastJ = Math.min(BLOCK_SIDE - 1, size[1] - 1 - j0, Math.floor((maxY + width - origin[1]) / spacing) - j0);
    const firstK = Math.max(0, Math.ceil((minZ - width - origin[2]) / spacing) - k0);
    const lastK = Math.min(BLOCK_SIDE - 1, size[2] - 1 - k0, Math.floor((maxZ + width - origin[2]) / spacing) - k0);
    if (firstI > lastI || firstJ > lastJ || firstK > lastK) return false;
    const ux = t[o + 3] - ax;
    const uy = t[o + 4] - ay;
    const uz = t[o + 5] - az;
    const vx = t[o + 6] - ax;
    const vy = t[o + 7] - ay;
    const vz = t[o + 8] - az;
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Without a trustworthy normal the plane gives no bound.
    const scale =
      length * length > NEEDLE_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
        ? 1 / length
        : 0;
    nx *= scale;
    ny *= scale;
    nz *= scale;
    const squares = this.#squares;
    const place = this.#point;
    const xs = this.#x;
    const tiny = this.#tiny;
    const originX = origin[0] + spacing * i0;
    // The part of a row within the width of the plane, centered where the row crosses it; the whole row if nearly parallel.
    const tilts = Math.abs(nx) > MIN_TILT;
    const perHeight = tilts ? -1 / (nx * spacing) : 0;
    const halfPart = tilts ? width * Math.abs(perHeight) + this.#rounding / spacing + 1e-3 : Infinity;
    const partAt = (ax - originX) / spacing;
    let measured = 0;
    let lowered = false;
    for (let k = firstK; k <= lastK; k++) {
      const z = origin[2] + spacing * (k0 + k);
      const gapZ = z < minZ ? minZ - z : z > maxZ ? z - maxZ : 0;
      for (let j = firstJ; j <= lastJ; j++) {
        const y = origin[1] + spacing * (j0 + j);
        const gapY = y < minY ? minY - y : y > maxY ? y - maxY : 0;
        const gapYZ = gapY * gapY + gapZ * gapZ;
        const heightYZ = ny * (y - ay) + nz * (z - az);
        const row = (k << 6) | (j << 3);
        const middle = partAt + perHeight * heightYZ;
        const first = Math.max(firstI, Math.ceil(middle - halfPart));
        const last = Math.min(lastI, Math.floor(middle + halfPart));
        for (let i = first; i <= last; i++) {
          const x = xs[i];
          const best = squares[row + i];
          const reach = best * BOUND_SLACK + tiny;
          const height = heightYZ + nx * (x - ax);
          if (height * height > reach) continue;
          const gapX = x < minX ? minX - x : x > maxX ? x - maxX : 0;
          if (gapYZ + gapX * gapX > reach) continue;
          measured++;
          nearestOnTriangle(t, o, x, y, z, place);
          if (place.distanceSquared < best) {
            squares[row + i] = place.distanceSquared;
            lowered = true;
          }
        }
      }
    }
    this.triangleDistances += measured;
    return lowered;
  }
}
