// Sparse signed distance fields of meshes, layer by layer of blocks: triangles are sorted to the layers, then to the
// blocks they come near, and each block is measured from its own triangles. Signs come from rows along x, one slice of
// nodes at a time. Besides the result, memory is O(triangles · layers each reaches + nodes of one slice).
import { checkedElsewhere, oneOf, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { DISTANCE_ROUNDING, largestCoordinate } from '../field-error.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import { assertGridFrame, type GridFrame } from '../grid.js';
import { type Surface, surfaceOf } from '../source/surface.js';
import { BlockDistances } from './block-distances.js';
import { BlockSigns } from './block-signs.js';
import { BlockTriangles } from './block-triangles.js';
import { BLOCK_SIDE, BLOCK_VALUES, INSIDE_BLOCK, OUTSIDE_BLOCK, SparseField } from './sparse-field.js';

/** How to compute a sparse field. */
export interface SparseFieldOptions extends ProgressOptions {
  /** Half width of the band in spacings, at least √3, so that cells the surface passes through have all their values. Default `FIELD_DEFAULTS.sparseBandWidth`. */
  readonly bandWidth?: number | undefined;
  /** 'winding': negative where the winding number is one half or more. 'none': no sign. Default 'winding'. */
  readonly sign?: 'winding' | 'none' | undefined;
}

/** The name of this work in progress reports. */
export const SPARSE_STAGE = 'sparse field';

const SPARSE_OPTIONS = optionTable<SparseFieldOptions>()({
  bandWidth: checkedElsewhere(),
  sign: oneOf(['winding', 'none']),
  ...PROGRESS_RULES,
});

/** Proven: from this spacing on, in units of length, single precision represents distances to 2⁻²⁴ of a spacing. */
const MIN_SPACING = 2 ** -126;
/** Proven: up to this half width of the band, in units of length, distances are within single precision. */
const MAX_WIDTH = 2 ** 127;

/** Chosen: the largest number of nodes in a slice along z: signs take one byte per node. */
const MAX_SLICE_NODES = 2 ** 27;

/**
 * Distances from a mesh at the nodes at most `bandWidth` spacings from it, for spatial grids of any size. Memory is
 * about 2 KiB per block of 8³ nodes near the surface, one byte per node of one slice along z, and 4 bytes per pair of a
 * triangle and a layer of blocks it reaches. Each sign of an open mesh costs a winding number.
 * @throws NearfieldError as `assertMesh` and `assertGridFrame` do; `bad-argument` for a planar grid, too narrow a band
 * or lengths beyond single precision; `too-large` for more than 2²⁷ nodes in a slice.
 */
export function computeSparseField(mesh: Mesh, frame: GridFrame, options: SparseFieldOptions = {}): SparseField {
  assertSparse(frame, options);
  const surface = sparseSurface(mesh);
  const field = emptySparseField(surface, frame, options);
  const [, blocksY, layers] = field.blocksAlong;
  buildSparseRows(field, surface, 0, blocksY * layers, options);
  return field;
}

/** Refuses what {@link computeSparseField} refuses, except for the mesh. */
export function assertSparse(frame: GridFrame, options: SparseFieldOptions): void {
  SPARSE_OPTIONS.assert(options);
  assertGridFrame(frame, { sparse: true });
  assertBand(frame, options.bandWidth ?? FIELD_DEFAULTS.sparseBandWidth);
}

/** The surface of a mesh, which does not depend on the grid; a sparse grid would be rejected there for its size. */
export function sparseSurface(mesh: Mesh): Surface {
  return surfaceOf(mesh, { origin: [0, 0, 0], spacing: 1, size: [1, 1, 2] });
}

/** A field whose rows of blocks are still to be made. */
export function emptySparseField(surface: Surface, frame: GridFrame, options: SparseFieldOptions): SparseField {
  const { bandWidth = FIELD_DEFAULTS.sparseBandWidth, sign = 'winding' } = options;
  const rounding = DISTANCE_ROUNDING * largestCoordinate(surface, frame);
  return new SparseField(frame, { bandWidth, signed: sign === 'winding', closed: surface.closed, rounding });
}

/** Makes the rows of blocks along x from `from` up to before `to`, counted layer after layer. Rows do not depend on each other. */
export function buildSparseRows(
  field: SparseField,
  surface: Surface,
  from: number,
  to: number,
  progress: ProgressOptions,
): void {
  new SparseFieldBuild(field, surface, from, to, progress).run();
}

class SparseFieldBuild {
  readonly #field: SparseField;
  readonly #surface: Surface;
  readonly #progress: ProgressOptions;
  readonly #near: BlockTriangles;
  readonly #distances: BlockDistances;
  /** By block of the current layer: its number in the field, −1 without values. */
  readonly #layer: Int32Array;
  readonly #from: number;
  readonly #to: number;

  constructor(field: SparseField, surface: Surface, from: number, to: number, progress: ProgressOptions) {
    this.#field = field;
    this.#surface = surface;
    this.#from = from;
    this.#to = to;
    this.#progress = progress;
    const width = field.bandWidth * field.spacing;
    const extent = largestCoordinate(surface, field);
    const [, blocksY] = field.blocksAlong;
    const layers = [Math.floor(from / blocksY), Math.ceil(to / blocksY)] as const;
    this.#near = new BlockTriangles(surface.triangles, surface.count, field, width, extent, ...layers);
    this.#distances = new BlockDistances(surface.triangles, field, width, extent);
    this.#layer = new Int32Array(field.blocksAlong[0] * field.blocksAlong[1]);
  }

  run(): void {
    const field = this.#field;
    const [, blocksY] = field.blocksAlong;
    const from = this.#from;
    const to = this.#to;
    const signs = field.signed && this.#surface.closed ? new BlockSigns(field, this.#surface, this.#near) : null;
    for (let row = from; row < to; ) {
      reportProgress(this.#progress, (row - from) / (to - from), SPARSE_STAGE);
      const bk = Math.floor(row / blocksY);
      const first = row - blocksY * bk;
      const end = Math.min(blocksY, to - blocksY * bk);
      const isEmpty = !this.#measureLayer(bk, first, end);
      if (!field.signed || (isEmpty && this.#surface.closed)) this.#fillEmpty(bk, first, end);
      else if (signs !== null) signs.signLayer(bk, this.#layer, first, end);
      else this.#signOpen(bk, first, end);
      row += end - first;
    }
    field.counters.triangleDistances = this.#distances.triangleDistances;
    reportProgress(this.#progress, 1, SPARSE_STAGE);
  }

  /** Makes the blocks in rows of a layer that are near the surface; returns false when no triangle comes near the layer. */
  #measureLayer(bk: number, firstRow: number, endRow: number): boolean {
    const field = this.#field;
    const { counters } = field;
    const [blocksX] = field.blocksAlong;
    const near = this.#near;
    const layer = this.#layer;
    const distances = this.#distances;
    const stop = { signal: this.#progress.signal };
    layer.fill(-1);
    const { from: first, to: end } = near.layerTriangles(bk);
    if (first === end) return false;
    counters.blockTriangles += near.sortLayer(bk, firstRow, endRow);
    const { starts, list } = near;
    for (let block = blocksX * firstRow; block < blocksX * endRow; block++) {
      const from = starts[block];
      const to = starts[block + 1];
      if (from === to) continue;
      if (counters.candidateBlocks++ % 16 === 0) reportProgress(stop, 0, SPARSE_STAGE);
      const bi = block % blocksX;
      const bj = (block - bi) / blocksX;
      if (!distances.measure(BLOCK_SIDE * bi, BLOCK_SIDE * bj, BLOCK_SIDE * bk, list, from, to)) continue;
      layer[block] = field.addBlock(bi, bj, bk);
      counters.bandNodes += distances.write(field.blockValues(layer[block]));
    }
    return true;
  }

  /** Marks all blocks without values as outside: the field is unsigned, or there is no triangle at this height. */
  #fillEmpty(bk: number, firstRow: number, endRow: number): void {
    const field = this.#field;
    const [blocksX] = field.blocksAlong;
    const layer = this.#layer;
    for (let bj = firstRow; bj < endRow; bj++) {
      let start = 0;
      for (let bi = 0; bi <= blocksX; bi++) {
        if (bi < blocksX && layer[bi + blocksX * bj] < 0) continue;
        field.setEntries(start, bi, bj, bk, OUTSIDE_BLOCK);
        start = bi + 1;
      }
    }
  }

  /** One winding number per node; a block beyond the band has the sign of its first node. */
  #signOpen(bk: number, firstRow: number, endRow: number): void {
    const field = this.#field;
    const { origin, spacing, size } = field;
    const [blocksX] = field.blocksAlong;
    const query = this.#surface.query();
    const layer = this.#layer;
    const point: Vec3 = [0, 0, 0];
    const stop = { signal: this.#progress.signal };
    for (let block = blocksX * firstRow; block < blocksX * endRow; block++) {
      if (block % blocksX === 0) reportProgress(stop, 0, SPARSE_STAGE);
      const bi = block % blocksX;
      const bj = (block - bi) / blocksX;
      const values = layer[block] < 0 ? null : field.blockValues(layer[block]);
      for (let n = 0; n < (values === null ? 1 : BLOCK_VALUES); n++) {
        const i = BLOCK_SIDE * bi + (n & 7);
        const j = BLOCK_SIDE * bj + ((n >> 3) & 7);
        const k = BLOCK_SIDE * bk + (n >> 6);
        if (i >= size[0] || j >= size[1] || k >= size[2]) continue;
        point[0] = origin[0] + spacing * i;
        point[1] = origin[1] + spacing * j;
        point[2] = origin[2] + spacing * k;
        const isInside = query.isInside(point);
        if (values === null) field.setEntry(bi, bj, bk, isInside ? INSIDE_BLOCK : OUTSIDE_BLOCK);
        else if (isInside && values[n] > 0) values[n] = -values[n];
      }
    }
  }
}

function assertBand(frame: GridFrame, bandWidth: number): void {
  const { size } = frame;
  if (size[2] === 1) {
    throw new NearfieldError('bad-argument', 'A sparse field needs a grid in space; this one has one node along z.');
  }
  if (!(bandWidth >= Math.sqrt(3)) || !Number.isFinite(bandWidth)) {
    throw new NearfieldError(
      'bad-argument',
      `The band is ${bandWidth} spacings wide; give √3 or more, or cells that the surface passes through lack values.`,
    );
  }
  if (frame.spacing < MIN_SPACING || bandWidth * frame.spacing > MAX_WIDTH) {
    throw new NearfieldError(
      'bad-argument',
      `Distances of ${bandWidth} times ${frame.spacing} do not fit single precision; scale the model.`,
    );
  }
  if (size[0] * size[1] > MAX_SLICE_NODES) {
    throw new NearfieldError(
      'too-large',
      `A slice of the grid along z has ${size[0] * size[1]} nodes, more than ${MAX_SLICE_NODES}; use a lower resolution.`,
    );
  }
}
