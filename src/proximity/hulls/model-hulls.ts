// The hulls of a model: made at once, or in steps between queries, and kept by the model. They are functions and not
// methods of the model so that an application that never uses hulls does not load them.

import { type ConvexSet, createConvexSetOf } from '../../convex/closest/convex-set.js';
import { PROGRESS_OPTIONS } from '../../core/check/option-table.js';
import type { Part } from '../../core/derived-parts.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../../core/progress.js';
import { finishSteps, type Steps } from '../../core/steps.js';
import { decomposeInSteps } from '../../decomposition/decompose-surface.js';
import { buildHierarchyInSteps } from '../../decomposition/hierarchy/build-hierarchy.js';
import type { HullHierarchy } from '../../decomposition/hierarchy/hierarchy.js';
import { assertModel, assertVolume } from '../arguments.js';
import { HULLS, OUTWARD_SURFACE } from '../model-parts.js';
import type { VolumeChoice } from '../options.js';
import type { ProximityModel } from '../proximity-model.js';
import { createHullSurface, type HullSurface } from './hull-surface.js';

type ModelPart<Value> = Part<ProximityModel, Value>;

/**
 * Prepares what a bounding volume needs; otherwise the first pair does so. With 'auto', hulls if the mesh has a
 * convex decomposition, otherwise boxes. Returns the model.
 * @throws NearfieldError for 'hulls' if the mesh has none: it is not a surface, or it intersects itself.
 */
export function prepareModel(model: ProximityModel, volume: VolumeChoice, options?: ProgressOptions): ProximityModel {
  assertModel(model, 'The model');
  assertVolume(volume);
  PROGRESS_OPTIONS.assert(options);
  const { hullState } = model;
  if (volume !== 'boxes') hullState.asked = true;
  if (volume === 'hulls') hullsOf(model, options);
  if (volume === 'auto' && !model.hullsReady && !hullState.refused) {
    tryHulls(model, () => buildHulls(model, hullWorkLimit(model), options));
  }
  if (volume === 'boxes' || (volume === 'auto' && !model.hullsReady)) model.boxes.complete(options);
  return model;
}

/**
 * The hierarchy of hulls around the convex pieces of a model, made if it is not there.
 * @throws NearfieldError if the mesh has none: it is not a surface, or it intersects itself.
 */
export function hullsOf(model: ProximityModel, options?: ProgressOptions): HullHierarchy {
  assertModel(model, 'The model');
  PROGRESS_OPTIONS.assert(options);
  model.hullState.asked = true;
  return keepHulls(model, options);
}

/**
 * Whether 'auto' uses hulls for this model; makes them. False for meshes without a convex decomposition, and for flat
 * and convex surfaces with very many triangles, whose decomposition would take long: boxes do as well on those.
 */
export function hasHulls(model: ProximityModel): boolean {
  assertModel(model, 'The model');
  if (!model.hullsReady && !model.hullState.refused) prepareModel(model, 'auto');
  return model.hullsReady;
}

/** Whether the caller requested or gave the hulls, as opposed to pairs having earned them. */
export function areHullsAsked(model: ProximityModel): boolean {
  return model.hullState.asked && model.hullsReady;
}

/**
 * Continues making hulls, for the given amount of work, counted in triangles fully prepared; the same work always
 * does the same steps. Returns the unused work: 0 once the mesh is known to have no hulls.
 */
export function advanceHulls(model: ProximityModel, work: number): number {
  const { hullState, parts } = model;
  if (model.hullsReady || hullState.refused) return hullState.refused ? 0 : work;
  let left: HullHierarchy | number = 0;
  const ready = tryHulls(model, () => {
    left = parts.get(HULL_PREPARATION).spend(work);
    return typeof left === 'number' ? undefined : left;
  });
  if (ready || hullState.refused) parts.free(HULL_PREPARATION);
  return typeof left === 'number' ? left : 0;
}

/** The hulls as convex sets, for closest-feature queries and Minkowski sums. */
export const CONVEX_SET: ModelPart<ConvexSet> = {
  name: 'convex set',
  make: (model) => createConvexSetOf(keepHulls(model)),
};

/** The hulls prepared for searches. */
export const HULL_SURFACE: ModelPart<HullSurface> = {
  name: 'hull surface',
  make: (model) => createHullSurface(keepHulls(model), model.parts.get(CONVEX_SET)),
};

/** Builds the hulls of a model; @throws NearfieldError `too-large` where it takes more than `maxWork` allows. */
function buildHulls(model: ProximityModel, maxWork: number, progress?: ProgressOptions): HullHierarchy {
  return finishSteps(buildHullsInSteps(model, maxWork, progress));
}

/** Measured on the catalogue: the share of orienting the faces in the work of making hulls from a mesh. */
const ORIENTATION_SHARE = 0.15;

function* buildHullsInSteps(
  model: ProximityModel,
  maxWork: number,
  progress: ProgressOptions = {},
): Steps<HullHierarchy> {
  yield (ORIENTATION_SHARE * model.mesh.indices.length) / 3;
  const decomposition = yield* decomposeInSteps(model.parts.get(OUTWARD_SURFACE).mesh, {
    ...partOfProgress(progress, 0, 0.5),
    coverFlatPatches: model.outward,
    maxWork,
  });
  // The hierarchy counts single side tests; a triangle takes more of these than the patches take steps.
  return yield* buildHierarchyInSteps(decomposition, { ...partOfProgress(progress, 0.5, 1), maxWork: 2.5 * maxWork });
}

/**
 * Chosen: the work that a decomposition may always take if the caller did not ask for hulls, in faces and vertices
 * visited.
 */
const MIN_WORK = 200_000;
/**
 * Measured on the catalogue: decompositions take 30 to 300 per triangle; large patches that are flat, or nearly convex,
 * take thousands. This much more per triangle is allowed: a third of a second for 20,000 triangles.
 */
const WORK_A_TRIANGLE = 400;

/** The `maxWork` of hulls that the caller did not ask for. */
function hullWorkLimit({ mesh }: ProximityModel): number {
  return MIN_WORK + (WORK_A_TRIANGLE * mesh.indices.length) / 3;
}

/** Hulls under construction, advanced by the pairs that would use them. */
class HullPreparation {
  readonly #steps: Steps<HullHierarchy>;
  /** The work due before the next step. */
  #due = 0;

  constructor(model: ProximityModel) {
    this.#steps = buildHullsInSteps(model, hullWorkLimit(model));
  }

  /**
   * Does as many steps as the work, in triangles, pays for.
   * @returns the hulls once they are ready, otherwise the unused work.
   * @throws NearfieldError if the mesh has no hulls, or none within the work limit.
   */
  spend(work: number): HullHierarchy | number {
    let left = work;
    while (left >= this.#due) {
      left -= this.#due;
      const step = this.#steps.next();
      if (step.done === true) return step.value;
      this.#due = step.value;
    }
    return left;
  }
}

/** The hulls under construction. */
const HULL_PREPARATION: ModelPart<HullPreparation> = {
  name: 'hulls in the making',
  make: (model) => new HullPreparation(model),
};

function keepHulls(model: ProximityModel, options?: ProgressOptions): HullHierarchy {
  const known = model.parts.peek(HULLS);
  if (known !== undefined) return known;
  const made = buildHulls(model, Infinity, options);
  model.parts.set(HULLS, made);
  return made;
}

/** Keeps the hulls that were made, or remembers that none were. */
function tryHulls({ parts, hullState }: ProximityModel, make: () => HullHierarchy | undefined): boolean {
  try {
    const hulls = make();
    if (hulls === undefined) return false;
    parts.set(HULLS, hulls);
    return true;
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
    hullState.refused = true;
    return false;
  }
}
