// The exact Euclidean distance transform of a grid, with the nearest site of every node: one pass per axis, each the
// lower envelope of parabolas along its lines (Felzenszwalb and Huttenlocher 2012; integer breakpoints between parabolas
// as in Meijster, Roerdink and Hesselink 2000). O(nodes), whatever the sites. Exact while squares stay below 2⁵³.
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { type GridSize, MAX_GRID_NODES } from '../grid.js';

/** The result of {@link distanceTransform}, by node. */
export interface DistanceTransform {
  /** Squared distance to the nearest site, in spacings²; a whole number unless offsets were given. Infinity without sites. */
  readonly distancesSquared: Float64Array;
  /** The node of the nearest site, the lowest of those equally near; −1 without sites. */
  readonly nearest: Int32Array;
}

/** Options of {@link distanceTransform}. */
export interface DistanceTransformOptions extends ProgressOptions {
  /**
   * A number per node, in spacings²: `distancesSquared` of a node is then the least sum of a site's offset and its squared
   * distance. Infinity removes a site. Sums are rounded, and so is the choice between sites that are nearly equally good.
   */
  readonly offsets?: Float64Array | undefined;
  /** Arrays of an earlier call on a grid of the same size, to overwrite and return. */
  readonly out?: DistanceTransform | undefined;
}

const TRANSFORM_OPTIONS = optionTable<DistanceTransformOptions>()({
  offsets: checkedElsewhere(),
  out: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/**
 * Measured on 256³ nodes: lines processed side by side across x, so that memory is read and written in whole cache
 * lines. With 8 a transform takes a seventh longer, with 16 a twentieth.
 */
const STRIP = 32;

/**
 * The nearest site of every node. Sites are the nodes with a nonzero number (`Uint8Array`) or with a number of at least
 * 0 (`Int32Array`, the ids of sites, −1 for none).
 * @throws NearfieldError `bad-argument` if an array does not fit the grid, `non-finite` for a NaN offset, `too-large`
 * beyond `MAX_GRID_NODES`.
 */
export function distanceTransform(
  size: GridSize,
  sites: Uint8Array | Int32Array,
  options: DistanceTransformOptions = {},
): DistanceTransform {
  TRANSFORM_OPTIONS.assert(options);
  const count = assertSize(size);
  const [nx, ny, nz] = size;
  const { offsets, out } = options;
  assertLength(sites, count, 'sites');
  if (offsets !== undefined) assertOffsets(offsets, count);
  if (out !== undefined) {
    assertLength(out.distancesSquared, count, 'distances of `out`');
    assertLength(out.nearest, count, 'nearest sites of `out`');
  }
  const values = out?.distancesSquared ?? new Float64Array(count);
  const nearest = out?.nearest ?? new Int32Array(count);
  const firstSite = sites instanceof Uint8Array ? 1 : 0;
  const envelope = new ParabolaEnvelope(Math.max(offsets === undefined ? 1 : nx, ny, nz));
  const slice = nx * ny;
  for (let k = 0; k < nz; k++) {
    // Process a slice along x and y while it is in the cache.
    reportProgress(options, (0.6 * k) / nz, 'distance transform');
    for (let row = k * slice; row < (k + 1) * slice; row += nx) {
      if (offsets === undefined) scanRow(sites, firstSite, row, nx, values, nearest);
      else {
        for (let node = row; node < row + nx; node++) {
          values[node] = sites[node] >= firstSite ? offsets[node] : Infinity;
          nearest[node] = values[node] < Infinity ? node : -1;
        }
        envelope.passLines(values, nearest, row, 1, 1, nx);
      }
    }
    if (ny > 1) envelope.passLines(values, nearest, k * slice, nx, nx, ny);
  }
  if (nz > 1) {
    for (let j = 0; j < ny; j++) {
      reportProgress(options, 0.6 + (0.4 * j) / ny, 'distance transform');
      envelope.passLines(values, nearest, j * nx, nx, slice, nz);
    }
  }
  reportProgress(options, 1, 'distance transform');
  return { distancesSquared: values, nearest };
}

/** The nearest site of each node within its row, the lower one at a tie: one scan up, one down. */
function scanRow(
  sites: Uint8Array | Int32Array,
  firstSite: number,
  row: number,
  nx: number,
  values: Float64Array,
  nearest: Int32Array,
): void {
  let site = -1;
  for (let node = row; node < row + nx; node++) {
    if (sites[node] >= firstSite) site = node;
    nearest[node] = site;
  }
  site = -1;
  for (let node = row + nx - 1; node >= row; node--) {
    const below = nearest[node];
    if (below === node) site = node;
    if (below < 0 || (site >= 0 && site - node < node - below)) nearest[node] = site;
    const chosen = nearest[node];
    values[node] = chosen < 0 ? Infinity : (chosen - node) * (chosen - node);
  }
}

/** The pass along lines of at most `longest` nodes, with its scratch memory. */
class ParabolaEnvelope {
  /** A strip of lines, each contiguous. */
  readonly #values: Float64Array;
  readonly #nearest: Int32Array;
  /** The parabolas of the envelope from left to right: the position of each, its value and site there, and where it begins. */
  readonly #apex: Int32Array;
  readonly #lowest: Float64Array;
  /** The value of each at position 0. */
  readonly #heights: Float64Array;
  readonly #sites: Int32Array;
  readonly #start: Int32Array;

  constructor(longest: number) {
    this.#values = new Float64Array(STRIP * longest);
    this.#nearest = new Int32Array(STRIP * longest);
    this.#apex = new Int32Array(longest);
    this.#lowest = new Float64Array(longest);
    this.#heights = new Float64Array(longest);
    this.#sites = new Int32Array(longest);
    this.#start = new Int32Array(longest);
  }

  /** Processes `width` lines at consecutive nodes from `first`, each of `length` nodes `stride` apart, one strip at a time. */
  passLines(
    values: Float64Array,
    nearest: Int32Array,
    first: number,
    width: number,
    stride: number,
    length: number,
  ): void {
    const lineValues = this.#values;
    const lineNearest = this.#nearest;
    for (let x = 0; x < width; x += STRIP) {
      const lines = Math.min(STRIP, width - x);
      for (let p = 0, node = first + x; p < length; p++, node += stride) {
        for (let w = 0, o = p; w < lines; w++, o += length) {
          lineValues[o] = values[node + w];
          lineNearest[o] = nearest[node + w];
        }
      }
      for (let w = 0; w < lines; w++) this.#passLine(w * length, length);
      for (let p = 0, node = first + x; p < length; p++, node += stride) {
        for (let w = 0, o = p; w < lines; w++, o += length) {
          values[node + w] = lineValues[o];
          nearest[node + w] = lineNearest[o];
        }
      }
    }
  }

  /**
   * Of the parabolas of nodes u' < u, that of u is lower from some node on. So the envelope keeps what it has up to a
   * breakpoint, and u takes the rest; u must be strictly lower there, so the lower node wins a tie.
   */
  #passLine(line: number, length: number): void {
    const lineValues = this.#values;
    const lineNearest = this.#nearest;
    const apex = this.#apex;
    const lowest = this.#lowest;
    const heights = this.#heights;
    const start = this.#start;
    const sites = this.#sites;
    let last = -1;
    for (let u = 0; u < length; u++) {
      const value = lineValues[line + u];
      if (value === Infinity) continue;
      const height = value + u * u;
      let from = 0;
      while (last >= 0) {
        // At p the other is lower by rise − p · run.
        const run = 2 * (u - apex[last]);
        const rise = height - heights[last];
        if (start[last] * run > rise) {
          last--;
          continue;
        }
        // One past the last node where the other is not higher. A quotient of whole numbers below 2⁵³ never rounds up
        // to a whole number it does not reach, so its floor is exact.
        from = 1 + Math.floor(rise / run);
        break;
      }
      if (from >= length) continue;
      last++;
      apex[last] = u;
      lowest[last] = value;
      heights[last] = height;
      sites[last] = lineNearest[line + u];
      start[last] = from;
    }
    for (let q = 0; q <= last; q++) {
      const end = q < last ? start[q + 1] : length;
      const u = apex[q];
      const value = lowest[q];
      const site = sites[q];
      for (let p = start[q]; p < end; p++) {
        lineValues[line + p] = (p - u) * (p - u) + value;
        lineNearest[line + p] = site;
      }
    }
  }
}

/** The number of nodes. */
function assertSize(size: GridSize): number {
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isInteger(size?.[axis]) || size[axis] < 1) {
      throw new NearfieldError(
        'bad-argument',
        `The grid has ${size?.[axis]} nodes along ${'xyz'[axis]}; give a whole number from 1.`,
      );
    }
  }
  const count = size[0] * size[1] * size[2];
  if (count > MAX_GRID_NODES) {
    throw new NearfieldError('too-large', `The grid has ${count} nodes, more than ${MAX_GRID_NODES}.`);
  }
  return count;
}

function assertLength(array: { readonly length: number }, count: number, what: string): void {
  if (array?.length !== count) {
    throw new NearfieldError(
      'bad-argument',
      `There are ${array?.length ?? 'no'} ${what} on ${count} nodes; give one per node.`,
    );
  }
}

function assertOffsets(offsets: Float64Array, count: number): void {
  assertLength(offsets, count, 'offsets');
  const node = offsets.findIndex(Number.isNaN);
  if (node >= 0) {
    throw new NearfieldError(
      'non-finite',
      `The offset of node ${node} is not a number; give Infinity to remove a site.`,
    );
  }
}
