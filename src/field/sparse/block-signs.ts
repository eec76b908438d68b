// Exact signs of the blocks of a sparse field of a closed surface: rows along x through the blocks near the surface are
// intersected with the triangles that reach them. Blocks in between take the side of the block next to them, because no
// surface passes between nodes beyond the band. O(crossings · runs of blocks in a row + nodes of the blocks).
import type { Vec3 } from '../../core/vec3.js';
import type { GridFrame } from '../grid.js';
import { RowCrossings } from '../source/row-crossings.js';
import type { Surface } from '../source/surface.js';
import type { BlockTriangles } from './block-triangles.js';
import { BLOCK_SIDE, INSIDE_BLOCK, OUTSIDE_BLOCK, type SparseField } from './sparse-field.js';

/** Triangles intersected with rows, with a fixed capacity; unused slots lie beyond all rows. */
interface RowTriangles {
  readonly triangles: Float64Array;
  readonly rows: RowCrossings;
}

export class BlockSigns {
  readonly #field: SparseField;
  readonly #surface: Surface;
  readonly #near: BlockTriangles;
  /** For the nodes of one slice: 1 inside. Only those of the current blocks are up to date. */
  readonly #inside: Uint8Array;
  /** By row of blocks of the current layer: the triangles that reach its rows of nodes. */
  readonly #starts: Int32Array;
  #list = new Int32Array(0);
  /** By the power of two that is their capacity. */
  readonly #rowTriangles: (RowTriangles | undefined)[] = [];
  readonly #min: Vec3 = [0, 0, 0];
  readonly #max: Vec3 = [0, 0, 0];

  constructor(field: SparseField, surface: Surface, near: BlockTriangles) {
    this.#field = field;
    this.#surface = surface;
    this.#near = near;
    this.#inside = new Uint8Array(field.size[0] * field.size[1]);
    this.#starts = new Int32Array(field.blocksAlong[1] + 1);
  }

  /** Signs rows of a layer of blocks, given as their numbers in the field or −1 for those beyond the band. */
  signLayer(bk: number, layer: Int32Array, firstRow: number, endRow: number): void {
    const [blocksX] = this.#field.blocksAlong;
    this.#sortRows(bk);
    for (let bj = firstRow; bj < endRow; bj++) this.#signRow(bj, bk, layer, blocksX * bj);
  }

  #signRow(bj: number, bk: number, layer: Int32Array, first: number): void {
    const field = this.#field;
    const [blocksX] = field.blocksAlong;
    const rows = this.#loadRow(bj);
    let start = 0;
    while (start < blocksX && layer[first + start] < 0) start++;
    if (start === blocksX) {
      // The whole row is beyond the band, and on one side.
      const isInside = rows !== null && this.#fill(rows, 0, 0, bj, 1, BLOCK_SIDE * bk);
      field.setEntries(0, blocksX, bj, bk, isInside ? INSIDE_BLOCK : OUTSIDE_BLOCK);
      return;
    }
    let done = 0;
    while (start < blocksX) {
      let end = start;
      while (end < blocksX && layer[first + end] >= 0) end++;
      const beforeIsInside = this.#signRun(rows, start, end, bj, bk, layer, first);
      field.setEntries(done, start, bj, bk, beforeIsInside ? INSIDE_BLOCK : OUTSIDE_BLOCK);
      done = start = end;
      while (start < blocksX && layer[first + start] < 0) start++;
      if (start === blocksX) {
        const isInside = field.value(BLOCK_SIDE * end - 1, BLOCK_SIDE * bj, BLOCK_SIDE * bk) < 0;
        field.setEntries(done, blocksX, bj, bk, isInside ? INSIDE_BLOCK : OUTSIDE_BLOCK);
      }
    }
  }

  /** Signs the blocks `start` to before `end` of a row; returns whether their very first node is inside. */
  #signRun(
    rows: RowTriangles | null,
    start: number,
    end: number,
    bj: number,
    bk: number,
    layer: Int32Array,
    first: number,
  ): boolean {
    if (rows === null) return false;
    const field = this.#field;
    const [nx, ny, nz] = field.size;
    const inside = this.#inside;
    const endI = Math.min(nx, BLOCK_SIDE * end);
    const endJ = Math.min(BLOCK_SIDE, ny - BLOCK_SIDE * bj);
    const endK = Math.min(BLOCK_SIDE, nz - BLOCK_SIDE * bk);
    const corner = BLOCK_SIDE * (start + nx * bj);
    let firstIsInside = false;
    for (let k = 0; k < endK; k++) {
      this.#fill(rows, BLOCK_SIDE * start, endI - 1, bj, endJ, BLOCK_SIDE * bk + k);
      if (k === 0) firstIsInside = inside[corner] === 1;
      for (let bi = start; bi < end; bi++) {
        const values = field.blockValues(layer[first + bi]);
        const count = Math.min(BLOCK_SIDE, nx - BLOCK_SIDE * bi);
        for (let j = 0; j < endJ; j++) {
          const at = (k << 6) | (j << 3);
          const node = corner + BLOCK_SIDE * (bi - start) + nx * j;
          // A node on the surface counts as inside and keeps its 0.
          for (let i = 0; i < count; i++) {
            if (inside[node + i] === 1 && values[at + i] > 0) values[at + i] = -values[at + i];
          }
        }
      }
    }
    return firstIsInside;
  }

  /** Finds the nodes inside among `count` rows of a row of blocks at one height; returns whether the first is inside. */
  #fill(rows: RowTriangles, minI: number, maxI: number, bj: number, count: number, k: number): boolean {
    const { origin, spacing, size } = this.#field;
    // A grid of this slice alone: its z equals that of the nodes to the last bit, and the memory of one slice is enough.
    const slice: GridFrame = {
      origin: [origin[0], origin[1], origin[2] + spacing * k],
      spacing,
      size: [size[0], size[1], 1],
    };
    this.#min[0] = minI;
    this.#min[1] = BLOCK_SIDE * bj;
    this.#max[0] = maxI;
    this.#max[1] = BLOCK_SIDE * bj + count - 1;
    rows.rows.fill(slice, { min: this.#min, max: this.#max }, this.#inside);
    return this.#inside[minI + size[0] * BLOCK_SIDE * bj] === 1;
  }

  /** Copies the triangles of a row of blocks, or `null`. */
  #loadRow(bj: number): RowTriangles | null {
    const from = this.#starts[bj];
    const to = this.#starts[bj + 1];
    if (from === to) return null;
    const power = 32 - Math.clz32(to - from - 1);
    const loaded = (this.#rowTriangles[power] ??= makeRowTriangles(1 << power));
    const { triangles } = loaded;
    const t = this.#surface.triangles;
    let count = 0;
    for (let n = from; n < to; n++) {
      const o = 9 * this.#list[n];
      for (let c = 0; c < 9; c++) triangles[count++] = t[o + c];
    }
    triangles.fill(Infinity, count);
    return loaded;
  }

  /** Sorts the triangles of a layer by the rows of blocks they reach along y. */
  #sortRows(bk: number): void {
    const { list, from, to } = this.#near.layerTriangles(bk);
    const starts = this.#starts.fill(0);
    for (let n = from; n < to; n++) {
      const last = this.#lastRow(list[n]);
      for (let bj = this.#firstRow(list[n]); bj <= last; bj++) starts[bj + 1]++;
    }
    for (let bj = 0; bj + 1 < starts.length; bj++) starts[bj + 1] += starts[bj];
    const pairs = starts[starts.length - 1];
    if (this.#list.length < pairs) this.#list = new Int32Array(2 * pairs);
    for (let n = to - 1; n >= from; n--) {
      const last = this.#lastRow(list[n]);
      for (let bj = this.#firstRow(list[n]); bj <= last; bj++) this.#list[--starts[bj + 1]] = list[n];
    }
    for (let bj = 0; bj + 1 < starts.length; bj++) starts[bj] = starts[bj + 1];
    starts[starts.length - 1] = pairs;
  }

  #firstRow(triangle: number): number {
    const t = this.#surface.triangles;
    const { origin, spacing } = this.#field;
    const low = Math.min(t[9 * triangle + 1], t[9 * triangle + 4], t[9 * triangle + 7]);
    // One node lower than computed: rounding must not leave a row out.
    return Math.max(0, Math.floor((Math.ceil((low - origin[1]) / spacing) - 1) / BLOCK_SIDE));
  }

  #lastRow(triangle: number): number {
    const t = this.#surface.triangles;
    const { origin, spacing, blocksAlong } = this.#field;
    const high = Math.max(t[9 * triangle + 1], t[9 * triangle + 4], t[9 * triangle + 7]);
    return Math.min(blocksAlong[1] - 1, Math.floor((Math.floor((high - origin[1]) / spacing) + 1) / BLOCK_SIDE));
  }
}

function makeRowTriangles(count: number): RowTriangles {
  const triangles = new Float64Array(9 * count);
  return { triangles, rows: new RowCrossings(triangles, count) };
}
