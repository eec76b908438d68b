// The surface at a distance from a solid, outside or inside it, or a shell between two of these surfaces: an isosurface of
// the signed distance whose vertices are moved to the distance wanted, with proven bounds of what is left of the error.

import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { assertPositive, FIELD_DEFAULTS } from '../field-options.js';
import { type GridFrame, gridOverBox } from '../grid.js';
import { computeSparseField } from '../sparse/compute-sparse-field.js';
import { clusterCuts } from './cluster-cuts.js';
import { dropFlatVertices } from './drop-flat-vertices.js';
import { SolidExtraction } from './extract-solid.js';
import { faceNormal } from './face-shape.js';
import { type FitTarget, fitVertices } from './fit-vertices.js';
import { boundLeastDistance } from './least-distance.js';
import { splitParts } from './split-parts.js';
import { boundLargestDistance } from './surface-distance.js';
import { isSimple } from './surface-faults.js';
import { SurfaceSearch } from './surface-search.js';
import { MIN_GROWTH } from './thick-layers.js';
import { BAND_WIDTH } from './winding-nodes.js';

/** How to offset a solid. */
export interface OffsetOptions extends ProgressOptions {
  /** How far the new surface is from the solid: outside it if positive, inside it if negative, 0 for the surface itself. */
  readonly distance: number;
  /** Hollow the result, with walls of this thickness inside the new surface. Default: a full solid. */
  readonly shell?: number | undefined;
  /** Nodes of the grid along the longest side of the result's box. Default `FIELD_DEFAULTS.solid.resolution`. */
  readonly resolution?: number | undefined;
  /** The most cells of the grid that the surface may pass through. Default `FIELD_DEFAULTS.solid.maxCells`. */
  readonly maxCells?: number | undefined;
}

const OFFSET_OPTIONS = optionTable<OffsetOptions>()({
  distance: checkedElsewhere(),
  shell: checkedElsewhere(),
  resolution: wholeNumber(4, FIELD_DEFAULTS.solid.maxResolution),
  maxCells: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** What {@link offsetMesh} returns. */
export interface OffsetMesh {
  /** Closed, manifold, oriented outward, without self-intersections. */
  readonly mesh: Mesh;
  /**
   * Proven: the surface lies between the exact offsets by `distance - inward` and `distance + outward`; that of a
   * hollow between those by `distance - shell - inward` and `distance - shell + outward`.
   */
  readonly error: { readonly inward: number; readonly outward: number };
  /** The distance between nodes of the grid. Parts of the exact offset thinner than √3 spacings may be missing. */
  readonly spacing: number;
}

/** Chosen: bounds of the error are this tight, in spacings. */
const ERROR_TOLERANCE = 0.2;

/**
 * Grows or shrinks a solid by a distance, or makes a shell of it. Corners and edges of a grown solid are round, as the
 * exact offset has them.
 * @throws NearfieldError as `assertMesh` does; `open-mesh` for a mesh that is not closed: see `solidify`; `degenerate` if
 * nothing is left; `bad-argument` and `too-large` for options out of range; `aborted`.
 */
export function offsetMesh(mesh: Mesh, options: OffsetOptions): OffsetMesh {
  assertMesh(mesh);
  OFFSET_OPTIONS.assert(options);
  const { distance: given } = options ?? {};
  if (typeof given !== 'number' || !Number.isFinite(given)) {
    throw new NearfieldError('bad-argument', `The distance is ${nameValue(given)}; give a finite number.`);
  }
  assertPositive(options, ['shell', 'maxCells']);
  const { distance, shell = Infinity, maxCells = FIELD_DEFAULTS.solid.maxCells } = options;
  const { resolution = FIELD_DEFAULTS.solid.resolution } = options;
  const solid = splitParts(mesh, 'winding', options)?.enclosing;
  if (!solid) throw new NearfieldError('degenerate', 'No face of the mesh has area; there is nothing to offset.');
  const frame = frameAround(solid, distance, resolution);
  const { spacing } = frame;
  const levels = shell === Infinity ? [distance] : [distance, distance - shell];
  const bandWidth = Math.max(...levels.map(Math.abs)) / spacing + BAND_WIDTH;
  const field = computeSparseField(solid, frame, { ...partOfProgress(options, 0, 0.3), bandWidth });
  if (!field.closed) {
    throw new NearfieldError(
      'open-mesh',
      'The mesh is not closed, so that it has no inside to offset from; make a solid of it with solidify first.',
    );
  }
  const limit = bandWidth * spacing;
  // Walls of a shell thinner than the grid resolves are extracted thicker and moved together.
  const half = Math.max(shell / 2, MIN_GROWTH * spacing);
  const middle = distance - shell / 2;
  const nodes = {
    value(i: number, j: number, k: number): number {
      const value = Math.max(-limit, Math.min(limit, field.value(i, j, k)));
      return shell === Infinity ? value - distance : Math.abs(value - middle) - half;
    },
  };
  const plain = new SolidExtraction(frame, nodes, [field], maxCells).run(partOfProgress(options, 0.3, 0.4));
  if (plain.indices.length === 0) {
    throw new NearfieldError(
      'degenerate',
      `Nothing is left of the solid at the offset ${distance} on a grid with a spacing of ${spacing}; ` +
        'shrink it by less, or raise the resolution.',
    );
  }
  const even = clusterCuts(plain, frame, partOfProgress(options, 0.4, 0.45));
  const search = new SurfaceSearch(solid, options);
  const target = new OffsetTarget(even, search, levels);
  const fitted = fitVertices(even, target, spacing, partOfProgress(options, 0.45, 0.6));
  const result = dropFlatVertices(fitted, partOfProgress(options, 0.6, 0.7));
  if (!isSimple(result, options)) {
    throw new NearfieldError(
      'degenerate',
      'The offset crosses itself through rounding; move the model near the origin.',
    );
  }
  return { mesh: result, error: boundError(result, search, levels, spacing, partOfProgress(options, 0.7, 1)), spacing };
}

function frameAround(mesh: Mesh, distance: number, resolution: number): GridFrame {
  const box = boxOfFaces(mesh);
  const grown = Math.max(0, distance);
  const { spacing } = gridOverBox(
    {
      min: [box.min[0] - grown, box.min[1] - grown, box.min[2] - grown],
      max: [box.max[0] + grown, box.max[1] + grown, box.max[2] + grown],
    },
    resolution,
    { sparse: true },
  );
  // Half a spacing beside the box, so that flat sides pass between nodes.
  const margin = grown + (Math.ceil(MIN_GROWTH) + 2.5) * spacing;
  const size = [0, 1, 2].map((axis) => 1 + Math.ceil((box.max[axis] - box.min[axis] + 2 * margin) / spacing));
  return {
    origin: [box.min[0] - margin, box.min[1] - margin, box.min[2] - margin],
    spacing,
    size: [size[0], size[1], size[2]],
  };
}

/** Planes at the levels' distances from the nearest points of a solid. */
class OffsetTarget implements FitTarget {
  readonly #search: SurfaceSearch;
  readonly #levels: Float64Array;

  constructor(mesh: Mesh, search: SurfaceSearch, levels: readonly number[]) {
    this.#search = search;
    this.#levels = levelsOfFaces(mesh, search, levels);
  }

  plane(face: number, x: number, y: number, z: number, out: Float64Array): boolean {
    const level = this.#levels[face];
    const distance = this.#search.distance(x, y, z);
    const { best, slot } = this.#search.closest;
    const corners = this.#search.corners;
    let normal = faceNormal(corners, 9 * slot, 9 * slot + 3, 9 * slot + 6);
    let offset = 0;
    if (level !== 0) {
      // On the other side of the surface there is no direction to the level.
      if (!(distance > 0) || this.#search.windings.isInside(x, y, z) !== level < 0) return false;
      normal = [x - best.x, y - best.y, z - best.z];
      offset = Math.abs(level);
    }
    const length = Math.hypot(...normal);
    if (!(length > 0)) return false;
    const [nx, ny, nz] = normal.map((value) => value / length);
    out.set([best.x + offset * nx, best.y + offset * ny, best.z + offset * nz, nx, ny, nz]);
    return true;
  }
}

/** By face: the level nearest to the signed distance of its center. */
function levelsOfFaces(mesh: Mesh, search: SurfaceSearch, levels: readonly number[]): Float64Array {
  const { positions: p, indices } = mesh;
  const result = new Float64Array(indices.length / 3).fill(levels[0]);
  if (levels.length === 1) return result;
  for (let face = 0; face < result.length; face++) {
    const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
    const x = (p[a] + p[b] + p[c]) / 3;
    const y = (p[a + 1] + p[b + 1] + p[c + 1]) / 3;
    const z = (p[a + 2] + p[b + 2] + p[c + 2]) / 3;
    const distance = search.distance(x, y, z);
    const signed = search.windings.isInside(x, y, z) ? -distance : distance;
    if (Math.abs(signed - levels[1]) < Math.abs(signed - levels[0])) result[face] = levels[1];
  }
  return result;
}

/**
 * The largest deviations of the signed distance from the level, over the faces of each level. A surface that keeps a
 * distance from the solid's lies on the side of its level altogether; one that may touch it may lie on both.
 */
function boundError(
  mesh: Mesh,
  search: SurfaceSearch,
  levels: readonly number[],
  spacing: number,
  progress: ProgressOptions,
): OffsetMesh['error'] {
  const tolerance = ERROR_TOLERANCE * spacing;
  const levelOf = levelsOfFaces(mesh, search, levels);
  let [inward, outward] = [0, 0];
  levels.forEach((level, n) => {
    const indices = mesh.indices.filter((_, i) => levelOf[Math.floor(i / 3)] === level);
    if (indices.length === 0) return;
    const part = { positions: mesh.positions, indices };
    const from = n / levels.length;
    const middle = partOfProgress(progress, from, from + 0.5 / levels.length);
    const most = boundLargestDistance(part, search, { ...middle, tolerance }).upper;
    const rest = partOfProgress(progress, from + 0.5 / levels.length, from + 1 / levels.length);
    const least = level === 0 ? 0 : boundLeastDistance(part, search, tolerance, rest);
    const low = least > 0 ? (level > 0 ? least : -most) : -most;
    const high = least > 0 ? (level > 0 ? most : -least) : most;
    inward = Math.max(inward, level - low);
    outward = Math.max(outward, high - level);
  });
  return { inward, outward };
}
