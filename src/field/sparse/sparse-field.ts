// A field stored only near its surface: blocks of 8³ single-precision values, found through a two-level table (regions
// of 16³ blocks, then blocks) that also stores the side of everything beyond the band (after VDB, Museth 2013). A value
// costs two look-ups; memory is that of the band plus 4 bytes per block of the regions the band passes through.
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import { assertVector } from '../../mesh/query/query-arguments.js';
import type { FieldError } from '../distance-field.js';
import { assertGridFrame, type Field, type GridFrame, type GridSize, type NodeBox } from '../grid.js';
import { nodeDerivative } from '../read/gradient.js';

/** Chosen: nodes along a side of a block. */
export const BLOCK_SIDE = 8;
/** Layout: values of a block; x runs fastest. */
export const BLOCK_VALUES = BLOCK_SIDE ** 3;

/** Label: table entry of a block without values: beyond the band, outside. */
export const OUTSIDE_BLOCK = -1;
/** Label: table entry of a block without values: beyond the band, inside. */
export const INSIDE_BLOCK = -2;

/** Label: table entry of a region without any block so far. */
const UNKNOWN_REGION = -3;
/** Chosen: blocks along a side of a region, as a power of two. */
const REGION_SHIFT = 4;
/** Layout: the bits of a block's place within its region. */
const REGION_MASK = (1 << REGION_SHIFT) - 1;
/** Layout: blocks of a region. */
const REGION_BLOCKS = 1 << (3 * REGION_SHIFT);

/** Chosen: blocks in a chunk of values, as a power of two. */
const POOL_SHIFT = 10;
/** Layout: blocks in a chunk of values: 2 MiB. Chunks let the field grow without copying. */
const POOL_BLOCKS = 1 << POOL_SHIFT;

/** Chosen: the largest number of entries of the upper table: 64 MiB, regions of 128³ nodes. */
const MAX_REGIONS = 2 ** 24;

/** A block with values. */
export interface SparseBlock {
  /** The block's first node; the others follow up to seven further along each axis. */
  readonly node: Readonly<Vec3>;
  /** 8³ values, x fastest: a view, valid as long as the field. Values of nodes beyond the grid are meaningless. */
  readonly values: Float32Array;
}

/** What a sparse field cost to make. */
export interface SparseFieldCounters {
  /** Nodes at most the band width from the surface. */
  bandNodes: number;
  /** Pairs of a block and a triangle that may be within the band width of it. */
  blockTriangles: number;
  /** Blocks with these triangles; those without a node in the band are dropped again. */
  candidateBlocks: number;
  /** Point-triangle distances computed. */
  triangleDistances: number;
}

/** Properties of a {@link SparseField} besides its values. */
export interface SparseFieldFacts {
  /** Half width of the band in spacings. */
  readonly bandWidth: number;
  readonly signed: boolean;
  readonly closed: boolean;
  /** The error of distances before rounding to single precision, a length. */
  readonly rounding: number;
}

/**
 * Signed distances at the nodes of a grid within a band around a surface, ±Infinity elsewhere: positive outside,
 * negative inside. Made by `computeSparseField`.
 */
export class SparseField implements GridFrame {
  readonly origin: Readonly<Vec3>;
  readonly spacing: number;
  readonly size: GridSize;
  /** Half width of the band in spacings: nodes at most this far from the surface have a value. */
  readonly bandWidth: number;
  /** False when computed without sign: then all values are positive. */
  readonly signed: boolean;
  /**
   * Whether the source bounds a solid. If false, the sign is that of the generalized winding number, which also jumps
   * across holes; beyond the band it is then known only at the first node of each block.
   */
  readonly closed: boolean;
  /** Values are exact distances rounded to single precision; this bounds the rounding of both steps. */
  readonly error: FieldError;
  readonly counters: SparseFieldCounters = {
    bandNodes: 0,
    blockTriangles: 0,
    candidateBlocks: 0,
    triangleDistances: 0,
  };

  readonly #blocks: readonly [number, number, number];
  readonly #regionsX: number;
  readonly #regionsY: number;
  /** By region: its index in `#regions`, or the entry that all its blocks share. */
  readonly #table: Int32Array;
  readonly #regions: Int32Array[] = [];
  readonly #pool: Float32Array[] = [];
  /** By block with values: its block coordinates. */
  #places = new Uint16Array(3 * POOL_BLOCKS);
  #blockCount = 0;
  readonly #line = new Float64Array(5);

  constructor(frame: GridFrame, facts: SparseFieldFacts) {
    this.origin = [...frame.origin];
    this.spacing = frame.spacing;
    this.size = [...frame.size];
    this.bandWidth = facts.bandWidth;
    this.signed = facts.signed;
    this.closed = facts.closed;
    const single = facts.bandWidth * frame.spacing * 2 ** -24;
    this.error = { kind: 'bound', max: single + facts.rounding, mean: null, samples: 0 };
    const [bx, by, bz] = frame.size.map((nodes) => Math.ceil(nodes / BLOCK_SIDE));
    this.#blocks = [bx, by, bz];
    const [rx, ry, rz] = [bx, by, bz].map((blocks) => Math.ceil(blocks / (REGION_MASK + 1)));
    if (rx * ry * rz > MAX_REGIONS || Math.max(bx, by, bz) > 0xffff) {
      throw new NearfieldError(
        'too-large',
        `A sparse field of ${frame.size.join(' × ')} nodes has too large a table; use a lower resolution.`,
      );
    }
    this.#regionsX = rx;
    this.#regionsY = ry;
    this.#table = new Int32Array(rx * ry * rz).fill(UNKNOWN_REGION);
  }

  /** The number of blocks with values. */
  get blockCount(): number {
    return this.#blockCount;
  }

  /** Blocks along each axis, with values or not. */
  get blocksAlong(): readonly [number, number, number] {
    return this.#blocks;
  }

  /** Memory of the values and the tables, in bytes. */
  get byteLength(): number {
    const values = 4 * BLOCK_VALUES * POOL_BLOCKS * this.#pool.length;
    return values + this.#table.byteLength + 4 * REGION_BLOCKS * this.#regions.length + this.#places.byteLength;
  }

  /** The value of the node (i, j, k), which must be in the grid: ±Infinity beyond the band. */
  value(i: number, j: number, k: number): number {
    const entry = this.entry(i >> 3, j >> 3, k >> 3);
    if (entry < 0) return entry === INSIDE_BLOCK ? -Infinity : Infinity;
    return this.#pool[entry >> POOL_SHIFT][
      ((entry & (POOL_BLOCKS - 1)) << 9) | ((k & 7) << 6) | ((j & 7) << 3) | (i & 7)
    ];
  }

  /** The number of a block with values; −1 for one beyond the band outside, −2 inside. */
  entry(bi: number, bj: number, bk: number): number {
    const region =
      this.#table[
        (bi >> REGION_SHIFT) + this.#regionsX * ((bj >> REGION_SHIFT) + this.#regionsY * (bk >> REGION_SHIFT))
      ];
    return region < 0 ? region : this.#regions[region][placeInRegion(bi, bj, bk)];
  }

  /** The values of a block by its number, from 0. */
  blockValues(block: number): Float32Array {
    const first = (block & (POOL_BLOCKS - 1)) * BLOCK_VALUES;
    return this.#pool[block >> POOL_SHIFT].subarray(first, first + BLOCK_VALUES);
  }

  /** The blocks with values, by layers of z, then rows of y, then along x. */
  *blocks(): Generator<SparseBlock> {
    for (let block = 0; block < this.#blockCount; block++) {
      const [bi, bj, bk] = this.#places.subarray(3 * block, 3 * block + 3);
      yield { node: [BLOCK_SIDE * bi, BLOCK_SIDE * bj, BLOCK_SIDE * bk], values: this.blockValues(block) };
    }
  }

  /**
   * The value at a point, trilinear between the nodes around it. If one of them lies beyond the band: Infinity with the
   * sign of its side. NaN beyond the grid.
   */
  sample(point: ReadonlyVec3): number {
    assertVector(point, 'point');
    const { cell, share } = this.#locate(point);
    if (cell === null) return NaN;
    const [i, j, k] = cell;
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      const weight = cornerWeight(share, corner);
      if (weight === 0) continue;
      const value = this.value(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
      if (value - value !== 0) return value;
      sum += weight * value;
    }
    return sum;
  }

  /**
   * The gradient at a point: that of `fieldGradient` at the nodes around it, interpolated like values. NaN beyond the
   * grid and if one of these nodes lies beyond the band.
   */
  gradient(point: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
    assertVector(point, 'point');
    const { cell, share } = this.#locate(point);
    out[0] = out[1] = out[2] = cell === null ? NaN : 0;
    if (cell === null) return out;
    for (let corner = 0; corner < 8; corner++) {
      const weight = cornerWeight(share, corner);
      if (weight === 0) continue;
      const node: Vec3 = [cell[0] + (corner & 1), cell[1] + ((corner >> 1) & 1), cell[2] + (corner >> 2)];
      for (let axis = 0; axis < 3; axis++) out[axis] += weight * this.#derivative(node, axis);
    }
    // If one component is NaN there is no direction.
    const sum = out[0] + out[1] + out[2];
    if (sum - sum !== 0) out[0] = out[1] = out[2] = NaN;
    return out;
  }

  /**
   * The nodes of `box` as a dense field; parts of the box beyond the grid are dropped.
   * @throws NearfieldError `bad-argument` if nothing remains or a number is not whole, `too-large` beyond `MAX_GRID_NODES`.
   */
  toField(box: NodeBox): Field {
    const min = [0, 1, 2].map((axis) => Math.max(0, box.min[axis])) as Vec3;
    const max = [0, 1, 2].map((axis) => Math.min(this.size[axis] - 1, box.max[axis])) as Vec3;
    const size = [0, 1, 2].map((axis) => max[axis] - min[axis] + 1) as Vec3;
    if (!(size[0] >= 1 && size[1] >= 1 && size[2] >= 1) || ![...min, ...max].every(Number.isInteger)) {
      throw new NearfieldError('bad-argument', 'The box has no nodes of the grid; give whole numbers that overlap it.');
    }
    const origin = [0, 1, 2].map((axis) => this.origin[axis] + this.spacing * min[axis]) as Vec3;
    assertGridFrame({ origin, spacing: this.spacing, size });
    const values = new Float64Array(size[0] * size[1] * size[2]);
    for (let k = min[2], node = 0; k <= max[2]; k++) {
      for (let j = min[1]; j <= max[1]; j++, node += size[0]) this.#copyRow(min[0], max[0], j, k, values, node);
    }
    return { origin, spacing: this.spacing, size, values };
  }

  /** The layer of nodes `node` along an axis as a planar field, with the axes of `sliceField`. */
  slice(axis: 0 | 1 | 2, node: number): Field {
    if (!Number.isInteger(node) || !(node >= 0 && node < this.size[axis])) {
      throw new NearfieldError(
        'index-out-of-range',
        `The slice is at node ${node} along axis ${axis}; give an axis from 0 to 2 and a node of the grid.`,
      );
    }
    const min: Vec3 = [0, 0, 0];
    const max: Vec3 = [this.size[0] - 1, this.size[1] - 1, this.size[2] - 1];
    min[axis] = max[axis] = node;
    const { origin, spacing, size, values } = this.toField({ min, max });
    const u = axis === 0 ? 1 : 0;
    const v = axis === 2 ? 1 : 2;
    return { origin: [origin[u], origin[v], origin[axis]], spacing, size: [size[u], size[v], 1], values };
  }

  /** The values of the nodes (·, ·, k), x fastest. */
  layer(k: number): Float64Array {
    return this.slice(2, k).values;
  }

  /** Adds a block without values yet and returns its number; used while the field is made. */
  addBlock(bi: number, bj: number, bk: number): number {
    const block = this.#blockCount++;
    if (block >> POOL_SHIFT === this.#pool.length) this.#pool.push(new Float32Array(POOL_BLOCKS * BLOCK_VALUES));
    if (3 * block + 3 > this.#places.length) {
      const grown = new Uint16Array(2 * this.#places.length);
      grown.set(this.#places);
      this.#places = grown;
    }
    this.#places[3 * block] = bi;
    this.#places[3 * block + 1] = bj;
    this.#places[3 * block + 2] = bk;
    this.setEntry(bi, bj, bk, block);
    return block;
  }

  /** Sets the entry of a block; called once per block of the grid while the field is made. */
  setEntry(bi: number, bj: number, bk: number, entry: number): void {
    const table = this.#table;
    const at = (bi >> REGION_SHIFT) + this.#regionsX * ((bj >> REGION_SHIFT) + this.#regionsY * (bk >> REGION_SHIFT));
    let region = table[at];
    // A region stays one entry as long as all its blocks are beyond the band and on the same side.
    if (region < 0) {
      if (region === entry) return;
      if (region === UNKNOWN_REGION && entry < 0) {
        table[at] = entry;
        return;
      }
      this.#regions.push(new Int32Array(REGION_BLOCKS).fill(region));
      region = this.#regions.length - 1;
      table[at] = region;
    }
    this.#regions[region][placeInRegion(bi, bj, bk)] = entry;
  }

  /** {@link setEntry} for the blocks `from` to before `to` of a row, one region at a time if possible. */
  setEntries(from: number, to: number, bj: number, bk: number, entry: number): void {
    const row = this.#regionsX * ((bj >> REGION_SHIFT) + this.#regionsY * (bk >> REGION_SHIFT));
    for (let bi = from; bi < to; ) {
      const end = Math.min(to, (bi | REGION_MASK) + 1);
      if (this.#table[(bi >> REGION_SHIFT) + row] === entry) bi = end;
      else while (bi < end) this.setEntry(bi++, bj, bk, entry);
    }
  }

  /** The cell of a point and its fractional position in it; the cell is `null` beyond the grid. */
  #locate(point: ReadonlyVec3): { cell: Vec3 | null; share: Vec3 } {
    const cell: Vec3 = [0, 0, 0];
    const share: Vec3 = [0, 0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const first = this.origin[axis];
      const lastNode = this.size[axis] - 1;
      if (!(point[axis] >= first && point[axis] <= first + this.spacing * lastNode)) return { cell: null, share };
      const place = Math.min(lastNode, (point[axis] - first) / this.spacing);
      const nearest = Math.round(place);
      // A point at a node's position is exactly at the node, even if the division is off in its last bit.
      const isNode = first + this.spacing * nearest === point[axis];
      cell[axis] = isNode ? nearest : Math.floor(place);
      share[axis] = isNode ? 0 : place - cell[axis];
    }
    return { cell, share };
  }

  /** Copies the nodes `first` to `last` of a row, a block at a time. */
  #copyRow(first: number, last: number, j: number, k: number, values: Float64Array, at: number): void {
    for (let i = first; i <= last; ) {
      const end = Math.min(last, i | (BLOCK_SIDE - 1));
      const entry = this.entry(i >> 3, j >> 3, k >> 3);
      if (entry < 0) {
        values.fill(entry === INSIDE_BLOCK ? -Infinity : Infinity, at + i - first, at + end - first + 1);
        i = end + 1;
        continue;
      }
      const pool = this.#pool[entry >> POOL_SHIFT];
      const row = ((entry & (POOL_BLOCKS - 1)) << 9) | ((k & 7) << 6) | ((j & 7) << 3);
      for (; i <= end; i++) values[at + i - first] = pool[row | (i & 7)];
    }
  }

  /** The derivative of `fieldGradient` at a node, from the two nodes on either side. */
  #derivative(node: Vec3, axis: number): number {
    const count = this.size[axis];
    const place = node[axis];
    const line = this.#line;
    for (let n = 0; n < line.length; n++) {
      node[axis] = place + n - 2;
      line[n] = node[axis] >= 0 && node[axis] < count ? this.value(node[0], node[1], node[2]) : Infinity;
    }
    node[axis] = place;
    return nodeDerivative(line, 2, 1, place, count, this.spacing);
  }
}

function placeInRegion(bi: number, bj: number, bk: number): number {
  return ((bk & REGION_MASK) << (2 * REGION_SHIFT)) | ((bj & REGION_MASK) << REGION_SHIFT) | (bi & REGION_MASK);
}

/** The weight of a cell's corner, bit 0 for +x. */
function cornerWeight(share: Readonly<Vec3>, corner: number): number {
  return (
    (corner & 1 ? share[0] : 1 - share[0]) *
    (corner & 2 ? share[1] : 1 - share[1]) *
    (corner & 4 ? share[2] : 1 - share[2])
  );
}
