// Everything that proximity queries derive from a model. Each part is made when first needed and kept by the model
// (ProximityModel.parts). Higher chapters keep their own parts on a model in the same way.
import { type ConvexSet, createConvexSetOf } from '../convex/closest/convex-set.js';
import type { Part } from '../core/derived-parts.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import { finishSteps, type Steps } from '../core/steps.js';
import { decomposeInSteps } from '../decomposition/decompose-surface.js';
import { buildHierarchyInSteps } from '../decomposition/hierarchy/build-hierarchy.js';
import type { HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import { MeshQuery } from '../mesh/query/mesh-query.js';
import { findOutwardSurface, type OutwardSurface } from '../mesh/repair/outward-surface.js';
import { buildAdjacency, type MeshAdjacency } from '../mesh/topology/adjacency.js';
import { findComponents } from '../mesh/topology/components.js';
import { BoxKernel } from './boxes/box-kernel.js';
import { BoxTree } from './boxes/box-tree.js';
import { buildContactSurface, type ContactSurface } from './contact/contact-surface.js';
import { createHullSurface, type HullSurface } from './hulls/hull-surface.js';
import type { ProximityModel } from './proximity-model.js';

type ModelPart<Value> = Part<ProximityModel, Value>;

/** The edges of the mesh. */
export const ADJACENCY: ModelPart<MeshAdjacency> = { name: 'adjacency', make: ({ mesh }) => buildAdjacency(mesh) };

/** One vertex of each connected component. */
export const COMPONENT_VERTICES: ModelPart<Uint32Array> = { name: 'components', make: findComponentVertices };

/** The mesh with its seams closed, and with faces flipped to point out of the solid where needed. */
export const OUTWARD_SURFACE: ModelPart<OutwardSurface> = {
  name: 'outward surface',
  make: ({ mesh, adjacency }) => findOutwardSurface(mesh, adjacency),
};

/** Tells whether points are inside the solid, and how far they are from its surface. */
export const POINT_QUERY: ModelPart<MeshQuery> = {
  name: 'point query',
  make: ({ parts }) => new MeshQuery(parts.get(OUTWARD_SURFACE).mesh),
};

/** The oriented boxes around the triangles, as far as searches have come. */
export const BOXES: ModelPart<BoxTree> = {
  name: 'boxes',
  make: ({ mesh }) => new BoxTree(mesh),
};

/** Searches over boxes in WebAssembly, with the model as the first of two. */
export const BOX_KERNEL: ModelPart<BoxKernel> = {
  name: 'boxes in WebAssembly',
  make: () => new BoxKernel(),
};

/** The hierarchy of hulls around the convex pieces. */
export const HULLS: ModelPart<HullHierarchy> = {
  name: 'hulls',
  make: (model, progress) => buildHulls(model, Infinity, progress),
};

/** The hulls as convex sets, for closest-feature queries and Minkowski sums. */
export const CONVEX_SET: ModelPart<ConvexSet> = {
  name: 'convex set',
  make: ({ parts }) => createConvexSetOf(parts.get(HULLS)),
};

/** The hulls prepared for searches. */
export const HULL_SURFACE: ModelPart<HullSurface> = {
  name: 'hull surface',
  make: ({ parts }) => createHullSurface(parts.get(HULLS), parts.get(CONVEX_SET)),
};

/** What the contact queries know about each edge and vertex, with the cones of normals around boxes and hulls. */
export const CONTACT_SURFACE: ModelPart<ContactSurface> = {
  name: 'contact surface',
  make: ({ parts, closed }) => buildContactSurface(parts.get(OUTWARD_SURFACE).mesh, closed),
};

/** Builds the hulls of a model; @throws NearfieldError `too-large` where it takes more than `maxWork` allows. */
export function buildHulls(model: ProximityModel, maxWork: number, progress?: ProgressOptions): HullHierarchy {
  return finishSteps(buildHullsInSteps(model, maxWork, progress));
}

/** Shares of the work of making hulls from a mesh, measured on the catalogue. */
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
 * The work that a decomposition may take if the caller did not ask for hulls. Models of the catalogue take 30 to 300 per
 * triangle; large patches that are flat, or nearly convex, take thousands. A third of a second for 20,000 triangles.
 */
const LEAST_WORK = 200_000;
const WORK_A_TRIANGLE = 400;

/** The `maxWork` of hulls that the caller did not ask for. */
export function hullWorkLimit({ mesh }: ProximityModel): number {
  return LEAST_WORK + (WORK_A_TRIANGLE * mesh.indices.length) / 3;
}

/** Hulls under construction, advanced by the pairs that would use them. */
export class HullPreparation {
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
export const HULL_PREPARATION: ModelPart<HullPreparation> = {
  name: 'hulls in the making',
  make: (model) => new HullPreparation(model),
};

function findComponentVertices({ mesh, adjacency }: ProximityModel): Uint32Array {
  const { count, componentOfFace } = findComponents(mesh, adjacency);
  const vertices = new Uint32Array(count);
  for (let face = componentOfFace.length - 1; face >= 0; face--) {
    if (componentOfFace[face] >= 0) vertices[componentOfFace[face]] = mesh.indices[3 * face];
  }
  return vertices;
}
