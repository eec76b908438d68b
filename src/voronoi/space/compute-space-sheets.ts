// The surfaces between the regions of a Voronoi diagram in space, as triangle meshes.
import type { Box } from '../../core/box.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { distance as lengthBetween } from '../../core/vec3.js';
import { frameBox, type GridFrame } from '../../field/grid.js';
import type { Mesh } from '../../mesh/mesh.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { spaceElements } from '../sites/space-elements.js';
import type { SpaceSite } from '../sites/space-site.js';
import { frameOf } from './compute-space-voronoi.js';
import { roundingOf } from './element-distances.js';
import { fillExact } from './exact-space.js';
import { SheetExtractor } from './sheet-extractor.js';
import { SpaceSearch } from './space-search.js';

/** Chosen: how often the side of a cell on which a third region shows is halved. */
const DEPTH = 3;

/**
 * Chosen: the passes over the cells: each may halve sides where three or four regions do not meet as their labels say.
 */
const PASSES = 8;

/** How to extract the surfaces between regions. */
export interface SpaceSheetOptions extends ProgressOptions {
  /** Default: the box of the sites, with `VORONOI_DEFAULTS.margin` of its longest side added on every side. */
  readonly box?: Box | undefined;
  /** Nodes of the grid along the longest side of the box. Default `VORONOI_DEFAULTS.graphResolution`. */
  readonly resolution?: number | undefined;
}

const SHEET_OPTIONS = optionTable<SpaceSheetOptions>()({
  box: checkedElsewhere(),
  resolution: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** The surface between the regions of two objects, which may have several parts. */
export interface SpaceSheet extends Mesh {
  /** The sites on either side, in ascending order; of an object of several sites its first. Faces point to the second. */
  readonly sites: readonly [number, number];
  /** By vertex: the distance to both sites. */
  readonly clearances: Float64Array;
}

/**
 * The surfaces between all regions in a box. Sheets meet in common vertices along the edges of the diagram. Vertices are
 * equally far from both objects to 1e-9 of the box. Which regions touch where is limited by the resolution: cells in which
 * a third region shows on a side between two others are divided up to three times; what no side shows is missed.
 */
export interface SpaceSheets {
  readonly sheets: readonly SpaceSheet[];
  readonly box: Box;
  /** The spacing of the grid: a fold or a hole smaller than this may be missed. */
  readonly spacing: number;
  readonly counters: SpaceSheetCounters;
}

/** What sheets cost, and what remains open. */
export interface SpaceSheetCounters {
  /** Cells with two or more regions. */
  readonly cells: number;
  /** Sides of cells that were halved. */
  readonly halved: number;
  /** Sides at the limit on which a third region still shows. */
  readonly ambiguous: number;
  /** Vertices that are not equally far from all objects whose sheets meet there, or nearer to others. */
  readonly unrefined: number;
}

/**
 * The surfaces between the regions of sites in space. They are limited by the resolution, see {@link SpaceSheets}.
 * @throws NearfieldError for invalid sites, boxes and options; `aborted` when the caller cancels.
 */
export function computeSpaceSheets(sites: readonly SpaceSite[], options: SpaceSheetOptions = {}): SpaceSheets {
  SHEET_OPTIONS.assert(options);
  const { box, resolution = VORONOI_DEFAULTS.graphResolution } = options;
  const elements = spaceElements(sites);
  const frame = frameOf(elements, { box, resolution });
  const bounds = frameBox(frame);
  const slack = roundingOf(elements, Math.max(...bounds.min.map(Math.abs), ...bounds.max.map(Math.abs)));
  const size = Math.max(lengthBetween(bounds.min, bounds.max), 1e3 * slack);
  const labels = new Int32Array(frame.size[0] * frame.size[1] * frame.size[2]).fill(-1);
  const distances = new Float64Array(labels.length);
  fillExact(elements, frame, Infinity, slack, labels, distances, partOfProgress(options, 0, 0.3));
  for (let node = 0; node < labels.length; node++)
    if (labels[node] >= 0) labels[node] = elements.objectOfSite[labels[node]];

  const search = new SpaceSearch(elements, slack, Math.max(1e-9 * size, 8 * slack));
  const extractor = new SheetExtractor(search, frame, labels, size, DEPTH);
  let cells = 0;
  for (let pass = 1; pass === 1 || extractor.again; pass++) {
    extractor.begin(pass === PASSES);
    const progress = partOfProgress(options, 0.3 + (0.7 * (pass - 1)) / PASSES, 0.3 + (0.7 * pass) / PASSES);
    cells = visitCells(frame, labels, (i, j, k) => extractor.addCell(i, j, k), progress);
  }
  const firstSite = new Int32Array(elements.objectNames.length).fill(-1);
  elements.objectOfSite.forEach((object, site) => {
    if (firstSite[object] < 0) firstSite[object] = site;
  });
  const sheets = [...extractor.sheets.values()].map(({ objects, corners }): SpaceSheet => {
    const { positions, indices, values } = compact(extractor.vertices, corners);
    const [a, b] = objects.map((object) => firstSite[object]);
    if (a > b) for (let n = 0; n < indices.length; n += 3) indices.subarray(n, n + 3).reverse();
    return { sites: a < b ? [a, b] : [b, a], positions, indices, clearances: values };
  });
  sheets.sort((p, q) => p.sites[0] - q.sites[0] || p.sites[1] - q.sites[1]);
  reportProgress(options, 1, 'sheets');
  const { halved, ambiguous } = extractor;
  const unrefined = extractor.countRough();
  return { sheets, box: bounds, spacing: frame.spacing, counters: { cells, halved, ambiguous, unrefined } };
}

/** Calls back for every cell with two labels; returns their number. */
function visitCells(
  { size: [nx, ny, nz] }: GridFrame,
  labels: Int32Array,
  visit: (i: number, j: number, k: number) => void,
  progress: ProgressOptions,
): number {
  let cells = 0;
  for (let k = 0; k + 1 < nz; k++) {
    reportProgress(progress, k / nz, 'sheets');
    for (let j = 0; j + 1 < ny; j++) {
      for (let i = 0; i + 1 < nx; i++) {
        const node = i + nx * (j + ny * k);
        let several = false;
        for (let corner = 0; corner < 8; corner++) {
          const at = node + (corner & 1) + nx * (((corner >> 1) & 1) + ny * (corner >> 2));
          if (labels[at] !== labels[node]) several = true;
        }
        if (!several) continue;
        cells++;
        visit(i, j, k);
      }
    }
  }
  return cells;
}

/** The triangles with only the vertices they use, in the order in which they use them. */
function compact(
  vertices: readonly number[],
  corners: readonly number[],
): { readonly positions: Float64Array; readonly indices: Uint32Array; readonly values: Float64Array } {
  const numbers = new Map<number, number>();
  const indices = Uint32Array.from(corners, (vertex) => {
    const known = numbers.get(vertex) ?? numbers.size;
    numbers.set(vertex, known);
    return known;
  });
  const positions = new Float64Array(3 * numbers.size);
  const values = new Float64Array(numbers.size);
  for (const [vertex, at] of numbers) {
    for (let axis = 0; axis < 3; axis++) positions[3 * at + axis] = vertices[4 * vertex + axis];
    values[at] = vertices[4 * vertex + 3];
  }
  return { positions, indices, values };
}
