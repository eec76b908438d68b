import { checkedElsewhere, flag, numberFrom, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import { finishSteps, type Steps } from '../core/steps.js';
import type { Mesh } from '../mesh/mesh.js';
import { findOutwardSurface } from '../mesh/repair/outward-surface.js';
import { DECOMPOSITION_METHODS, type Decomposition, type DecompositionMethod } from './decomposition.js';
import { floodAndRetract } from './patches/flood-retract.js';
import { type GroupedPatches, groupGlobally } from './patches/group-global.js';
import { PatchGrower } from './patches/grow-patch.js';
import { buildPairMatrix } from './patches/pair-matrix.js';
import { searchPatches } from './patches/search-patches.js';
import { splitFlatPatches } from './patches/split-flat-patches.js';
import { prepareSurface } from './surface/prepare-surface.js';
import type { Surface } from './surface/surface.js';
import { WorkLimit } from './work-limit.js';

/** The options of a decomposition. */
export interface DecomposeOptions extends ProgressOptions {
  /** Default 'bfs-crests'. */
  readonly method?: DecompositionMethod | undefined;
  /** Reject a self-intersecting mesh; turn it off for a mesh known to have no self-intersections. Default true. */
  readonly checkSelfIntersections?: boolean | undefined;
  /** The most faces that 'global' accepts, since it compares all pairs. Default `DECOMPOSITION_DEFAULTS.maxFaces`. */
  readonly maxFaces?: number | undefined;
  /**
   * The most work, in boxes, faces and vertices looked at; a decomposition that needs more throws `too-large`. Most
   * models take some hundreds a triangle; large patches that are nearly convex take thousands. Default: no limit.
   */
  readonly maxWork?: number | undefined;
  /**
   * Cut flat patches whose outlines are concave or have holes until each covers its piece, so that the flat pieces of a
   * closed surface also lie in the solid. Default false: the hull of one that is not fills the concave parts.
   */
  readonly coverFlatPatches?: boolean | undefined;
}

const DECOMPOSE_OPTIONS = optionTable<DecomposeOptions>()({
  // The names of all methods are in the message of decomposeInSteps.
  method: checkedElsewhere(),
  checkSelfIntersections: flag(),
  maxFaces: numberFrom(0),
  maxWork: numberFrom(0),
  coverFlatPatches: flag(),
  ...PROGRESS_RULES,
});

/**
 * Divides a closed or open surface into convex patches: each lies on the boundary of its convex hull, its piece, and the
 * piece meets the surface only in the patch. The pieces of a closed surface lie inside the solid it bounds; a flat piece
 * does so unless it covers a concave part of the outline of its patch. Faces of a solid that point inward count as turned.
 * @throws NearfieldError `degenerate`, `non-manifold`, `not-oriented` or `self-intersecting`; the message says what to do.
 */
export function decomposeSurface(mesh: Mesh, options: DecomposeOptions = {}): Decomposition {
  DECOMPOSE_OPTIONS.assert(options);
  return finishSteps(decomposeInSteps(findOutwardSurface(mesh).mesh, options));
}

/** Measured on the catalogue: the share of preparing the surface in the work of making hulls from a mesh. */
const SURFACE_SHARE = 0.25;
/** Measured on the catalogue: the share of growing patches in that work. */
const PATCHES_SHARE = 0.35;
/** Measured on 35,000 and 250,000 triangles: the search for self-intersections begins at this share of the time. */
const PREPARE_FROM = 0.2;
/** Measured on 35,000 and 250,000 triangles: it ends at this share of the time. */
const PREPARE_TO = 0.45;

/** {@link decomposeSurface} in steps. Work is counted in triangles fully prepared for queries on hulls. */
export function* decomposeInSteps(mesh: Mesh, options: DecomposeOptions = {}): Steps<Decomposition> {
  const { method = 'bfs-crests', checkSelfIntersections = true } = options;
  if (!DECOMPOSITION_METHODS.includes(method)) {
    throw new NearfieldError(
      'bad-argument',
      `There is no decomposition method "${method}"; the methods are ${DECOMPOSITION_METHODS.join(', ')}.`,
    );
  }
  yield (SURFACE_SHARE * mesh.indices.length) / 3;
  const limit = new WorkLimit(options.maxWork ?? Infinity, 'The decomposition of this mesh');
  const surface = prepareSurface(
    mesh,
    checkSelfIntersections,
    limit,
    partOfProgress(options, PREPARE_FROM, PREPARE_TO),
  );
  const progress = partOfProgress(options, checkSelfIntersections ? PREPARE_TO : PREPARE_FROM, 1);
  const { patches, insertions, trianglesTested } = yield* findPatches(surface, method, options, limit, progress);
  const { mesh: welded, reflexEdges } = surface;
  const decomposition = { mesh: welded, method, reflexEdges, ...patches.finish(), insertions, trianglesTested };
  return options.coverFlatPatches === true ? splitFlatPatches(decomposition, limit) : decomposition;
}

function* findPatches(
  surface: Surface,
  method: DecompositionMethod,
  { maxFaces }: DecomposeOptions,
  limit: WorkLimit,
  progress: ProgressOptions,
): Steps<GroupedPatches> {
  if (method === 'global') {
    const matrix = buildPairMatrix(surface, { ...partOfProgress(progress, 0, 0.5), maxFaces }, limit);
    return groupGlobally(surface, matrix, limit, partOfProgress(progress, 0.5, 1));
  }
  const order = method.startsWith('dfs') ? 'depth-first' : 'breadth-first';
  if (method.endsWith('flood-retract')) {
    const grower = new PatchGrower(surface, limit);
    const patches = floodAndRetract(grower, order, progress);
    return { patches, insertions: grower.insertions, trianglesTested: grower.trianglesTested };
  }
  return yield* searchPatches(surface, order, method === 'bfs-crests', PATCHES_SHARE, limit, progress);
}
