// A solid from any mesh through a field and its isosurface: winding numbers decide what is inside of the parts that
// nearly enclose a volume (Jacobson et al. 2013); sheets, and walls thinner than the grid, are grown to a thickness. The
// vertices are then moved onto the mesh and its edges, and the distances between both surfaces are bounded.
import {
  checkedElsewhere,
  flag,
  oneOf,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress, reportProgress } from '../../core/progress.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { measureArea } from '../../mesh/report/mass-properties.js';
import { boxOfFaces } from '../../mesh/topology/unused-vertices.js';
import { assertPositive, FIELD_DEFAULTS } from '../field-options.js';
import { type GridFrame, gridOverBox } from '../grid.js';
import { clusterCuts } from './cluster-cuts.js';
import { dropFlatVertices } from './drop-flat-vertices.js';
import { type NodeValues, SolidExtraction } from './extract-solid.js';
import { fitVertices } from './fit-vertices.js';
import { findLostParts } from './lost-parts.js';
import { SolidTarget } from './solid-target.js';
import { type SolidParts, type SolidRule, splitParts } from './split-parts.js';
import { boundLargestDistance } from './surface-distance.js';
import { isSimple } from './surface-faults.js';
import { SurfaceSearch } from './surface-search.js';
import { MIN_GROWTH, ThickLayer } from './thick-layers.js';
import { WindingNodes } from './winding-nodes.js';

/** How to make a solid. */
export interface SolidifyOptions extends ProgressOptions {
  /** Nodes of the grid along the longest side of the mesh's box. Default `FIELD_DEFAULTS.solid.resolution`. */
  readonly resolution?: number | undefined;
  /**
   * Raise the resolution until the solid's surface is within this distance of the mesh, and the mesh within it of the
   * solid. Default: nothing is promised. A large hole cannot meet it: the surface across it is far from the mesh.
   */
  readonly maxError?: number | undefined;
  /** The thickness that sheets get. Default: one spacing of the grid. */
  readonly thickness?: number | undefined;
  /**
   * 'winding': inside is where the mesh winds at least half around a point. 'thicken': every face is a sheet. Default
   * 'auto': winding for connected parts that are nearly closed, thickening for the others.
   */
  readonly rule?: 'auto' | 'winding' | 'thicken' | undefined;
  /** Move vertices onto the mesh and into its edges and corners. Default true. */
  readonly features?: boolean | undefined;
  /** The most cells of the grid that the surface may pass through, about 400 bytes each. Default `FIELD_DEFAULTS.solid.maxCells`. */
  readonly maxCells?: number | undefined;
}

export const SOLIDIFY_OPTIONS = optionTable<SolidifyOptions>()({
  resolution: wholeNumber(4, FIELD_DEFAULTS.solid.maxResolution),
  maxError: checkedElsewhere(),
  thickness: checkedElsewhere(),
  rule: oneOf(['auto', 'winding', 'thicken']),
  features: flag(),
  maxCells: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** How far two surfaces are from each other: proven upper bounds, in units of length. */
export interface SolidDistance {
  /** No point of the solid's surface is farther than this from the input. */
  readonly toInput: number;
  /** No point of the input is farther than this from the solid's surface, be it outside or inside. */
  readonly fromInput: number;
}

/** A solid made by {@link solidify}. */
export interface SolidifiedMesh {
  /** Closed, manifold, oriented outward, without self-intersections and degenerate faces. */
  readonly mesh: Mesh;
  readonly distance: SolidDistance;
  /** No point of the input is farther than this outside the solid. Parts of the input inside it do not count. */
  readonly outside: number;
  /**
   * What made the solid: 'winding' numbers only, 'thicken' if everything was grown to a thickness, 'mixed' if parts
   * were: sheets, and walls that the grid would have lost.
   */
  readonly rule: SolidRule;
  /** The share of the input's area that was thickened. */
  readonly thickened: number;
  /** The distance between nodes of the grid. */
  readonly spacing: number;
  /** Nodes along the longest side of the input. */
  readonly resolution: number;
}

/**
 * Chosen: walls of parts that enclose a volume are kept this far from the mesh, in spacings, if the grid would lose
 * them.
 */
const WALL_OFFSET = 0.05;

/** Chosen: input farther than this, in spacings, from the surface of the winding number is lost and gets thickened. */
const LOST_DISTANCE = 1;

/** Chosen: bounds of distances are this tight, in spacings. */
const DISTANCE_TOLERANCE = 0.05;

/** Chosen: the smallest factor by which the resolution grows while an error is too large. */
const MIN_STEP = 1.25;
/** Chosen: the largest factor by which the resolution grows while an error is too large. */
const MAX_STEP = 2;

/**
 * A closed, oriented, manifold solid without self-intersections from any mesh: open, self-crossing, non-manifold, or a
 * soup of triangles. Its distance from the input is bounded from both sides.
 * @throws NearfieldError as `assertMesh` does; `degenerate` if no face has area; `bad-argument` for options out of range;
 * `too-large` beyond `maxCells`, or if `maxError` is not met with it; `aborted`.
 */
export function solidify(mesh: Mesh, options: SolidifyOptions = {}): SolidifiedMesh {
  assertMesh(mesh);
  SOLIDIFY_OPTIONS.assert(options);
  assertPositive(options, ['maxError', 'thickness', 'maxCells']);
  const { maxError = Infinity, rule = 'auto' } = options;
  const parts = splitParts(mesh, rule, options);
  if (parts === null || !(measureArea(parts.mesh) > 0)) {
    throw new NearfieldError(
      'degenerate',
      'No face of the mesh has area, so that there is nothing to make a solid from; check the units and how the file was made.',
    );
  }
  reportProgress(options, 0, 'parts');
  let { resolution = FIELD_DEFAULTS.solid.resolution } = options;
  for (;;) {
    const solid = solidifyParts(parts, resolution, options);
    const error = Math.max(solid.distance.toInput, solid.outside);
    if (error <= maxError) return solid;
    const step = Math.min(MAX_STEP, Math.max(MIN_STEP, error / maxError));
    const next = Math.ceil(step * resolution);
    if (next > FIELD_DEFAULTS.solid.maxResolution) {
      throw new NearfieldError(
        'too-large',
        `With ${resolution} nodes along the longest side the error is ${error}, more than the ${maxError} wanted; ` +
          'allow a larger error, give a smaller thickness, or close large holes first (repairMesh with fillHoles).',
      );
    }
    resolution = next;
  }
}

function solidifyParts(parts: SolidParts, resolution: number, options: SolidifyOptions): SolidifiedMesh {
  const { features = true, maxCells = FIELD_DEFAULTS.solid.maxCells } = options;
  const frame = frameAround(parts.mesh, resolution, options.thickness ?? 0);
  const { spacing } = frame;
  assertWork(parts.mesh, spacing, maxCells);
  const { enclosing, sheets } = parts;
  const nodes = enclosing && new WindingNodes(enclosing, frame, partOfProgress(options, 0, 0.15));
  const hull =
    nodes && new SolidExtraction(frame, nodes, [nodes.field], maxCells).run(partOfProgress(options, 0.15, 0.3));
  const layers: ThickLayer[] = [];
  let thickened = sheets === null ? 0 : measureArea(sheets);
  if (sheets !== null) layers.push(new ThickLayer(sheets, (options.thickness ?? spacing) / 2, frame, options));
  if (enclosing !== null && hull !== null) {
    const surface = hull.indices.length === 0 ? null : new SurfaceSearch(hull, options);
    const lost = findLostParts(enclosing, surface, spacing, LOST_DISTANCE * spacing, partOfProgress(options, 0.3, 0.4));
    if (lost.mesh !== null) layers.push(new ThickLayer(lost.mesh, WALL_OFFSET * spacing, frame, options));
    thickened += lost.share * measureArea(enclosing);
  }
  const plain =
    hull !== null && layers.length === 0
      ? hull
      : extractUnion(frame, nodes, layers, maxCells, partOfProgress(options, 0.4, 0.5));
  assertLeft(plain, resolution);
  const even = clusterCuts(plain, frame, partOfProgress(options, 0.5, 0.55));
  const fitted = features
    ? fitVertices(
        even,
        new SolidTarget(even, enclosing, layers, spacing, partOfProgress(options, 0.55, 0.57)),
        spacing,
        partOfProgress(options, 0.57, 0.65),
      )
    : even;
  const solid = dropFlatVertices(fitted, partOfProgress(options, 0.65, 0.7));
  assertSimple(solid, resolution, options);
  const total = measureArea(parts.mesh);
  return {
    mesh: solid,
    ...measureDistances(solid, parts.mesh, spacing, partOfProgress(options, 0.7, 1)),
    rule: layers.length === 0 ? 'winding' : hull === null || hull.indices.length === 0 ? 'thicken' : 'mixed',
    thickened: Math.min(1, thickened / total),
    spacing,
    resolution,
  };
}

/** The grid: half a spacing beside the box, so that flat sides pass between nodes, with room for thick layers. */
function frameAround(mesh: Mesh, resolution: number, thickness: number): GridFrame {
  const box = boxOfFaces(mesh);
  const { spacing } = gridOverBox(box, resolution, { sparse: true });
  const margin = (Math.ceil(Math.max(MIN_GROWTH, thickness / 2 / spacing)) + 2.5) * spacing;
  const size = [0, 1, 2].map((axis) => 1 + Math.ceil((box.max[axis] - box.min[axis] + 2 * margin) / spacing));
  return {
    origin: [box.min[0] - margin, box.min[1] - margin, box.min[2] - margin],
    spacing,
    size: [size[0], size[1], size[2]],
  };
}

function extractUnion(
  frame: GridFrame,
  nodes: WindingNodes | null,
  layers: readonly ThickLayer[],
  maxCells: number,
  progress: ProgressOptions,
): Mesh {
  const union: NodeValues = {
    value(i, j, k) {
      let least = nodes === null ? Infinity : nodes.value(i, j, k);
      for (const layer of layers) least = Math.min(least, layer.value(i, j, k));
      // Far from everything any positive number is right.
      return Math.min(least, 3 * frame.spacing);
    },
  };
  const fields = layers.map(({ field }) => field);
  if (nodes !== null) fields.push(nodes.field);
  return new SolidExtraction(frame, union, fields, maxCells).run(progress);
}

function measureDistances(
  solid: Mesh,
  input: Mesh,
  spacing: number,
  progress: ProgressOptions,
): Pick<SolidifiedMesh, 'distance' | 'outside'> {
  const tolerance = DISTANCE_TOLERANCE * spacing;
  const surface = new SurfaceSearch(solid, progress);
  const toInput = boundLargestDistance(solid, new SurfaceSearch(input, progress), {
    ...partOfProgress(progress, 0, 0.4),
    tolerance,
  }).upper;
  const fromInput = boundLargestDistance(input, surface, { ...partOfProgress(progress, 0.4, 0.8), tolerance }).upper;
  const distance = { toInput, fromInput };
  // Parts inside the solid can only matter where the input is the farther one.
  if (fromInput <= toInput) return { distance, outside: fromInput };
  const rest = { ...partOfProgress(progress, 0.8, 1), tolerance, solid: true };
  return { distance, outside: Math.min(fromInput, boundLargestDistance(input, surface, rest).upper) };
}

/** Refuses work that would exceed the limit before any is done: a surface passes through about two cells per spacing². */
function assertWork(mesh: Mesh, spacing: number, maxCells: number): void {
  const cells = (2 * measureArea(mesh)) / spacing ** 2;
  if (cells <= maxCells) return;
  throw new NearfieldError(
    'too-large',
    `The mesh would pass through about ${cells.toPrecision(2)} cells of the grid, more than ${maxCells}; ` +
      'use a lower resolution, or raise maxCells.',
  );
}

function assertLeft(mesh: Mesh, resolution: number): void {
  if (mesh.indices.length > 0) return;
  throw new NearfieldError(
    'degenerate',
    `At ${resolution} nodes along the longest side nothing of the mesh is left; raise the resolution, or set rule to 'thicken'.`,
  );
}

function assertSimple(mesh: Mesh, resolution: number, progress: ProgressOptions): void {
  if (isSimple(mesh, progress)) return;
  throw new NearfieldError(
    'degenerate',
    `At ${resolution} nodes along the longest side the surface crosses itself through rounding; move the model near ` +
      'the origin or take another resolution.',
  );
}
