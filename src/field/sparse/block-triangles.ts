// Which triangles come near which blocks of a grid: counting sort, first into the layers of blocks along z, then one
// layer at a time into its blocks. A triangle is near a block unless boxes or planes prove it farther than the width.
// O(triangles · layers each reaches) memory, and the pairs of one layer.
import { doubled } from '../../core/grow-array.js';
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { DISTANCE_ROUNDING } from '../field-error.js';
import { NEEDLE_SINE_SQUARED } from '../source/sorted-corners.js';
import { BLOCK_SIDE, type SparseField } from './sparse-field.js';

/** Rounding: room in spacings, in addition to the rounding of the coordinates. */
const BLOCK_ROOM = 1e-6;

export class BlockTriangles {
  /** For the layer sorted last: the triangles of block b are list[starts[b]] up to before list[starts[b + 1]]. */
  readonly starts: Int32Array;
  list: Int32Array;
  /** The largest number of triangles in any layer. */
  readonly mostInLayer: number;
  readonly #t: Float64Array;
  readonly #field: SparseField;
  readonly #width: number;
  readonly #layerStarts: Int32Array;
  readonly #layerList: Int32Array;
  /** Pairs of the current layer, in the order they are found. */
  #pairBlocks: Int32Array;
  #pairTriangles: Int32Array;
  readonly #place = new TrianglePoint();

  /**
   * @param width a length; @param extent the largest coordinate of nodes and triangles.
   * @param from @param to only the layers from `from` up to before `to` will be asked for.
   */
  constructor(
    triangles: Float64Array,
    count: number,
    field: SparseField,
    width: number,
    extent: number,
    from = 0,
    to = field.blocksAlong[2],
  ) {
    this.#t = triangles;
    this.#field = field;
    this.#width = width + BLOCK_ROOM * field.spacing + DISTANCE_ROUNDING * extent;
    const [blocksX, blocksY, layers] = field.blocksAlong;
    this.starts = new Int32Array(blocksX * blocksY + 1);
    const firsts = new Int32Array(count);
    const lasts = new Int32Array(count);
    const starts = new Int32Array(layers + 1);
    for (let n = 0; n < count; n++) {
      const o = 9 * n;
      const low = Math.min(triangles[o + 2], triangles[o + 5], triangles[o + 8]);
      const high = Math.max(triangles[o + 2], triangles[o + 5], triangles[o + 8]);
      firsts[n] = Math.max(from, this.#firstBlock(2, low));
      lasts[n] = Math.min(to - 1, this.#lastBlock(2, high));
      if (!this.#reachesPlane(o)) lasts[n] = -1;
      for (let layer = firsts[n]; layer <= lasts[n]; layer++) starts[layer + 1]++;
    }
    let most = 0;
    for (let layer = 0; layer < layers; layer++) {
      most = Math.max(most, starts[layer + 1]);
      starts[layer + 1] += starts[layer];
    }
    this.mostInLayer = most;
    this.#layerList = new Int32Array(starts[layers]);
    const ends = starts.slice();
    for (let n = 0; n < count; n++) {
      for (let layer = firsts[n]; layer <= lasts[n]; layer++) this.#layerList[ends[layer]++] = n;
    }
    this.#layerStarts = starts;
    this.#pairBlocks = new Int32Array(Math.max(1024, 4 * most));
    this.#pairTriangles = new Int32Array(this.#pairBlocks.length);
    this.list = new Int32Array(this.#pairBlocks.length);
  }

  /** All triangles within the width of a layer along z, except those that no row along x can reach. */
  layerTriangles(bk: number): { list: Int32Array; from: number; to: number } {
    return { list: this.#layerList, from: this.#layerStarts[bk], to: this.#layerStarts[bk + 1] };
  }

  /** For each row of blocks along x, layer after layer: the largest possible number of pairs of a block and a triangle. */
  countPairs(): Float64Array {
    const t = this.#t;
    const [, blocksY, layers] = this.#field.blocksAlong;
    const pairs = new Float64Array(blocksY * layers);
    for (let bk = 0; bk < layers; bk++) {
      for (let n = this.#layerStarts[bk]; n < this.#layerStarts[bk + 1]; n++) {
        const o = 9 * this.#layerList[n];
        const firstX = this.#firstBlock(0, Math.min(t[o], t[o + 3], t[o + 6]));
        const lastX = this.#lastBlock(0, Math.max(t[o], t[o + 3], t[o + 6]));
        const lastY = this.#lastBlock(1, Math.max(t[o + 1], t[o + 4], t[o + 7]));
        for (let bj = this.#firstBlock(1, Math.min(t[o + 1], t[o + 4], t[o + 7])); bj <= lastY; bj++) {
          pairs[bj + blocksY * bk] += Math.max(0, lastX - firstX + 1);
        }
      }
    }
    return pairs;
  }

  /** Fills {@link starts} and {@link list} for the rows `firstRow` to before `endRow` of a layer; returns the number of pairs. */
  sortLayer(bk: number, firstRow: number, endRow: number): number {
    const { starts } = this;
    const t = this.#t;
    const [blocksX] = this.#field.blocksAlong;
    let pairs = 0;
    starts.fill(0);
    for (let n = this.#layerStarts[bk]; n < this.#layerStarts[bk + 1]; n++) {
      const triangle = this.#layerList[n];
      const o = 9 * triangle;
      const firstX = this.#firstBlock(0, Math.min(t[o], t[o + 3], t[o + 6]));
      const lastX = this.#lastBlock(0, Math.max(t[o], t[o + 3], t[o + 6]));
      const firstY = Math.max(firstRow, this.#firstBlock(1, Math.min(t[o + 1], t[o + 4], t[o + 7])));
      const lastY = Math.min(endRow - 1, this.#lastBlock(1, Math.max(t[o + 1], t[o + 4], t[o + 7])));
      for (let bj = firstY; bj <= lastY; bj++) {
        for (let bi = firstX; bi <= lastX; bi++) {
          if (!this.#isNear(o, bi, bj, bk)) continue;
          if (pairs === this.#pairBlocks.length) {
            this.#pairBlocks = doubled(this.#pairBlocks);
            this.#pairTriangles = doubled(this.#pairTriangles);
            this.list = new Int32Array(this.#pairBlocks.length);
          }
          const block = bi + blocksX * bj;
          this.#pairBlocks[pairs] = block;
          this.#pairTriangles[pairs++] = triangle;
          starts[block + 1]++;
        }
      }
    }
    for (let block = 0; block + 1 < starts.length; block++) starts[block + 1] += starts[block];
    // From the last pair down, so that the starts end where they began and triangles stay in their order.
    for (let n = pairs - 1; n >= 0; n--) this.list[--starts[this.#pairBlocks[n] + 1]] = this.#pairTriangles[n];
    for (let block = 0; block + 1 < starts.length; block++) starts[block] = starts[block + 1];
    starts[starts.length - 1] = pairs;
    return pairs;
  }

  /** Whether the triangle is within the width of the grid's nodes along y, or a row along x may still cross it. */
  #reachesPlane(o: number): boolean {
    const t = this.#t;
    const { origin, spacing, size } = this.#field;
    const low = Math.min(t[o + 1], t[o + 4], t[o + 7]);
    const high = Math.max(t[o + 1], t[o + 4], t[o + 7]);
    return high >= origin[1] - this.#width && low <= origin[1] + spacing * (size[1] - 1) + this.#width;
  }

  /** The first block whose last node is within the width, one past the last block if the grid ends before. */
  #firstBlock(axis: number, low: number): number {
    const { origin, spacing, blocksAlong } = this.#field;
    const node = Math.ceil((low - this.#width - origin[axis]) / spacing);
    return Math.min(blocksAlong[axis], Math.max(0, Math.floor(node / BLOCK_SIDE)));
  }

  /** The last block whose first node is within the width, −1 if the grid begins beyond. */
  #lastBlock(axis: number, high: number): number {
    const { origin, spacing, blocksAlong } = this.#field;
    const node = Math.floor((high + this.#width - origin[axis]) / spacing);
    return Math.max(-1, Math.min(blocksAlong[axis] - 1, Math.floor(node / BLOCK_SIDE)));
  }

  /** Whether the triangle may be within the width of a node of the block: false only where that is impossible. */
  #isNear(o: number, bi: number, bj: number, bk: number): boolean {
    const t = this.#t;
    const { origin, spacing } = this.#field;
    const width = this.#width;
    const half = ((BLOCK_SIDE - 1) / 2) * spacing;
    const x = origin[0] + spacing * (BLOCK_SIDE * bi) + half;
    const y = origin[1] + spacing * (BLOCK_SIDE * bj) + half;
    const z = origin[2] + spacing * (BLOCK_SIDE * bk) + half;
    const ux = t[o + 3] - t[o];
    const uy = t[o + 4] - t[o + 1];
    const uz = t[o + 5] - t[o + 2];
    const vx = t[o + 6] - t[o];
    const vy = t[o + 7] - t[o + 1];
    const vz = t[o + 8] - t[o + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    if (nn > NEEDLE_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) {
      // The block's box against the slab of `width` on either side of the plane.
      const height = Math.abs(nx * (x - t[o]) + ny * (y - t[o + 1]) + nz * (z - t[o + 2]));
      const reach = half * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz)) + width * Math.sqrt(nn);
      if (height > reach) return false;
    }
    // The triangle lies beyond the plane through its point nearest to the block's center, normal to that direction.
    nearestOnTriangle(t, o, x, y, z, this.#place);
    const distance = Math.sqrt(this.#place.distanceSquared);
    const wx = Math.abs(this.#place.x - x);
    const wy = Math.abs(this.#place.y - y);
    const wz = Math.abs(this.#place.z - z);
    return distance * (distance - width) <= half * (wx + wy + wz);
  }
}
