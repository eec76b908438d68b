// A head start for quickhull. Given a rough hull of a few points, a table by direction tells for most other points that
// they are inside it, or which few of its faces they can be outside of. O(cells × faces of the rough hull), and O(1)
// per point, while quickhull itself takes a point through several faces before it is settled.

import { copyInto } from '../../core/grow-array.js';
import type { Vec3 } from '../../core/vec3.js';
import { type HullFaces, PLANE_STRIDE } from './hull-faces.js';

/**
 * Chosen: a point counts as inside if it is nearer by this share: far above rounding, see `DirectionTable.isRobust`.
 */
const INSIDE_SHARE = 1e-6;

/**
 * Directions from a point inside a rough hull, sorted into the cells of a cube's surface. Coordinates are scaled to the
 * points' box; a point's depth is the largest absolute value of its three coordinates.
 */
export class DirectionTable {
  /** Whether the rough hull is thick enough for the margin to cover rounding; if not, the table cannot be used. */
  readonly isRobust: boolean;
  /** Cell c has the candidates from start[c] to start[c + 1]: every face a ray of the cell may leave the hull through. */
  readonly start: Int32Array;
  readonly candidates: Int32Array;
  /** A point whose scaled distance from the center, squared, is below this is strictly inside the rough hull. */
  readonly #innerRadiusSquared: number;
  /** A point of the cell nearer than this is strictly inside the rough hull. */
  readonly #innerDepth: Float64Array;
  readonly #centerX: number;
  readonly #centerY: number;
  readonly #centerZ: number;
  readonly #scaleX: number;
  readonly #scaleY: number;
  readonly #scaleZ: number;
  readonly #resolution: number;

  /** `resolution`: each of the cube's 24 quarter faces has resolution² cells. */
  constructor(faces: HullFaces, alive: Int32Array, resolution: number) {
    this.#resolution = resolution;
    const { planes } = faces;
    this.#scaleX = inverse(faces.extentX);
    this.#scaleY = inverse(faces.extentY);
    this.#scaleZ = inverse(faces.extentZ);
    const [x, y, z] = sumCorners(faces, alive);
    this.#centerX = x / (3 * alive.length);
    this.#centerY = y / (3 * alive.length);
    this.#centerZ = z / (3 * alive.length);

    // Scaled planes: a ray along w from the center leaves the face at depth height / (normal·w).
    const normals = new Float64Array(3 * alive.length);
    const heights = new Float64Array(alive.length);
    let inner = Infinity;
    let isRobust = this.#scaleX > 0 && this.#scaleY > 0 && this.#scaleZ > 0;
    for (let i = 0; i < alive.length; i++) {
      const plane = PLANE_STRIDE * alive[i];
      normals[3 * i] = planes[plane] * faces.extentX;
      normals[3 * i + 1] = planes[plane + 1] * faces.extentY;
      normals[3 * i + 2] = planes[plane + 2] * faces.extentZ;
      heights[i] =
        planes[plane + 3] -
        planes[plane] * this.#centerX -
        planes[plane + 1] * this.#centerY -
        planes[plane + 2] * this.#centerZ;
      const nx = normals[3 * i];
      const ny = normals[3 * i + 1];
      const nz = normals[3 * i + 2];
      inner = Math.min(inner, heights[i] / Math.sqrt(nx * nx + ny * ny + nz * nz));
      // The margin must exceed every rounding on the way to a depth; each is less than the plane's error bound.
      if (!(heights[i] * INSIDE_SHARE > 8 * planes[plane + 4])) isRobust = false;
    }
    this.isRobust = isRobust;
    this.#innerRadiusSquared = inner * inner * (1 - INSIDE_SHARE);
    const cellCount = 24 * resolution * resolution;
    this.#innerDepth = new Float64Array(cellCount);
    this.start = new Int32Array(cellCount + 1);
    this.candidates = this.#listCandidates(normals, heights, alive);
  }

  /** The faces that rays of each cell may leave through. */
  #listCandidates(normals: Float64Array, heights: Float64Array, alive: Int32Array): Int32Array {
    const resolution = this.#resolution;
    const all = new Int32Array(alive.length);
    for (let i = 0; i < all.length; i++) all[i] = i;
    const search = new CellSearch(normals, heights);
    const nearQuarter = new Int32Array(alive.length);
    const nearCell = new Int32Array(alive.length);
    let candidates = new Int32Array(4 * this.#innerDepth.length);
    let count = 0;
    for (let quarter = 0; quarter < 24; quarter++) {
      // A face that no ray of a quarter leaves through is not left through by rays of its cells either.
      const quarterCount = search.find(quarter, 0, 0, 1, all, all.length, nearQuarter);
      for (let i = 0; i < resolution * resolution; i++) {
        const cell = quarter * resolution * resolution + i;
        const row = Math.floor(i / resolution);
        const cellFound = search.find(
          quarter,
          row,
          i - row * resolution,
          1 / resolution,
          nearQuarter,
          quarterCount,
          nearCell,
        );
        if (count + cellFound > candidates.length)
          candidates = copyInto(candidates, new Int32Array(2 * (count + cellFound)));
        for (let k = 0; k < cellFound; k++) candidates[count++] = alive[nearCell[k]];
        this.#innerDepth[cell] = search.innerDepth * (1 - INSIDE_SHARE);
        this.start[cell + 1] = count;
      }
    }
    return candidates;
  }

  /** The cell of a point relative to the hull's origin; -1 when the point is strictly inside the rough hull. */
  findCell(x: number, y: number, z: number): number {
    const u = (x - this.#centerX) * this.#scaleX;
    const v = (y - this.#centerY) * this.#scaleY;
    const w = (z - this.#centerZ) * this.#scaleZ;
    if (u * u + v * v + w * w < this.#innerRadiusSquared) return -1;
    const absU = Math.abs(u);
    const absV = Math.abs(v);
    const absW = Math.abs(w);
    let quarter = (u < 0 ? 1 : 0) + (v < 0 ? 2 : 0) + (w < 0 ? 4 : 0);
    let depth = absU;
    let b = absV;
    let c = absW;
    if (absV > absU && absV >= absW) {
      quarter += 8;
      depth = absV;
      b = absW;
      c = absU;
    } else if (absW > absU) {
      quarter += 16;
      depth = absW;
      b = absU;
      c = absV;
    }
    const resolution = this.#resolution;
    const row = Math.min(resolution - 1, ((b * resolution) / depth) | 0);
    const column = Math.min(resolution - 1, ((c * resolution) / depth) | 0);
    const cell = (quarter * resolution + row) * resolution + column;
    return depth < this.#innerDepth[cell] ? -1 : cell;
  }
}

/** Finds the faces that the rays of a square of directions can leave the rough hull through. */
class CellSearch {
  /** The least depth at which a ray of the last square leaves a face. */
  innerDepth = 0;
  readonly #normals: Float64Array;
  readonly #heights: Float64Array;
  readonly #nearest: Float64Array;

  constructor(normals: Float64Array, heights: Float64Array) {
    this.#normals = normals;
    this.#heights = heights;
    this.#nearest = new Float64Array(heights.length);
  }

  /**
   * Writes those of the faces in `pool` to `found` and returns their number. Bits 0 to 2 of `quarter` are the signs of
   * the coordinates, the rest is the axis of the largest; the square begins at `row`, `column` times its `width`.
   */
  find(
    quarter: number,
    row: number,
    column: number,
    width: number,
    pool: Int32Array,
    poolCount: number,
    found: Int32Array,
  ): number {
    const normals = this.#normals;
    const heights = this.#heights;
    const nearest = this.#nearest;
    const major = quarter >> 3;
    const b = (major + 1) % 3;
    const c = (major + 2) % 3;
    const signMajor = (quarter >> major) & 1 ? -1 : 1;
    const widthB = (quarter >> b) & 1 ? -width : width;
    const widthC = (quarter >> c) & 1 ? -width : width;
    let inner = Infinity;
    let reach = Infinity;
    for (let i = 0; i < poolCount; i++) {
      const face = pool[i];
      const rateB = normals[3 * face + b] * widthB;
      const rateC = normals[3 * face + c] * widthC;
      // A linear function over a square is extreme at its corners.
      let fastest = normals[3 * face + major] * signMajor + rateB * row + rateC * column;
      let slowest = fastest;
      if (rateB > 0) fastest += rateB;
      else slowest += rateB;
      if (rateC > 0) fastest += rateC;
      else slowest += rateC;
      nearest[i] = fastest > 0 ? heights[face] / fastest : Infinity;
      if (nearest[i] < inner) inner = nearest[i];
      if (slowest > 0 && heights[face] < reach * slowest) reach = heights[face] / slowest;
    }
    this.innerDepth = inner;
    reach *= 1 + INSIDE_SHARE;
    let count = 0;
    for (let i = 0; i < poolCount; i++) {
      if (nearest[i] <= reach) found[count++] = pool[i];
    }
    return count;
  }
}

function inverse(extent: number): number {
  const scale = 1 / extent;
  return Number.isFinite(scale) ? scale : 0;
}

/** The sum of all corners of faces, from the hull's origin. */
function sumCorners({ points, corners, originX, originY, originZ }: HullFaces, alive: Int32Array): Vec3 {
  let x = 0;
  let y = 0;
  let z = 0;
  for (const face of alive) {
    for (let k = 0; k < 3; k++) {
      const corner = 3 * corners[3 * face + k];
      x += points[corner] - originX;
      y += points[corner + 1] - originY;
      z += points[corner + 2] - originZ;
    }
  }
  return [x, y, z];
}
