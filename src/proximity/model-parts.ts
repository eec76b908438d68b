// Everything that proximity queries derive from a model, each part made when first needed and kept by the model
// (ProximityModel.parts). Higher chapters keep parts of their own on a model in the same way.
import { type ConvexSet, createConvexSetOf } from '../convex/closest/convex-set.js';
import type { Part } from '../core/derived-parts.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import { decomposeSurface } from '../decomposition/decompose-surface.js';
import { buildHierarchy } from '../decomposition/hierarchy/build-hierarchy.js';
import type { HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import type { Mesh } from '../mesh/mesh.js';
import { MeshQuery } from '../mesh/query/mesh-query.js';
import { orientFaces } from '../mesh/repair/orient-faces.js';
import { buildAdjacency, type MeshAdjacency } from '../mesh/topology/adjacency.js';
import { findComponents } from '../mesh/topology/components.js';
import { type BoxTree, buildBoxTree } from './boxes/box-tree.js';
import { buildContactSurface, type ContactSurface } from './contact/contact-surface.js';
import { createHullSurface, type HullSurface } from './hulls/hull-surface.js';
import type { ProximityModel } from './proximity-model.js';

type ModelPart<Value> = Part<ProximityModel, Value>;

/** The edges of the mesh. */
export const ADJACENCY: ModelPart<MeshAdjacency> = { name: 'adjacency', make: ({ mesh }) => buildAdjacency(mesh) };

/** One vertex of each connected component. */
export const COMPONENT_VERTICES: ModelPart<Uint32Array> = { name: 'components', make: findComponentVertices };

/** The mesh, its faces turned out of the solid where they are not. */
export const OUTWARD_MESH: ModelPart<Mesh> = {
  name: 'outward mesh',
  make: (model) => (model.outward || !model.closed ? model.mesh : orientFaces(model.mesh).mesh),
};

/** Tells whether points are inside the solid, and how far they are from its surface. */
export const POINT_QUERY: ModelPart<MeshQuery> = {
  name: 'point query',
  make: ({ parts }) => new MeshQuery(parts.get(OUTWARD_MESH)),
};

/** The oriented boxes around the triangles. */
export const BOXES: ModelPart<BoxTree> = {
  name: 'boxes',
  make: ({ mesh }, progress) => buildBoxTree(mesh, progress),
};

/** The hierarchy of hulls around the convex pieces. */
export const HULLS: ModelPart<HullHierarchy> = {
  name: 'hulls',
  make: (model, progress) => buildHulls(model, Infinity, progress),
};

/** The hulls as convex sets: what closest-feature queries and Minkowski sums take. */
export const CONVEX_SET: ModelPart<ConvexSet> = {
  name: 'convex set',
  make: ({ hulls }) => createConvexSetOf(hulls),
};

/** The hulls made ready for searches. */
export const HULL_SURFACE: ModelPart<HullSurface> = {
  name: 'hull surface',
  make: ({ hulls, parts }) => createHullSurface(hulls, parts.get(CONVEX_SET)),
};

/** What the contact queries know about each edge and vertex, with the cones of normals around boxes and hulls. */
export const CONTACT_SURFACE: ModelPart<ContactSurface> = {
  name: 'contact surface',
  make: ({ parts, closed }) => buildContactSurface(parts.get(OUTWARD_MESH), closed),
};

/** Builds the hulls of a model; @throws NearfieldError `too-large` where it takes more than `maxWork` allows. */
export function buildHulls(model: ProximityModel, maxWork: number, progress: ProgressOptions = {}): HullHierarchy {
  const decomposition = decomposeSurface(model.mesh, {
    ...partOfProgress(progress, 0, 0.5),
    coverFlatPatches: model.outward,
    maxWork,
  });
  // The hierarchy counts single side tests, of which a triangle takes more than the patches look at.
  return buildHierarchy(decomposition, { ...partOfProgress(progress, 0.5, 1), maxWork: 5 * maxWork });
}

function findComponentVertices({ mesh, adjacency }: ProximityModel): Uint32Array {
  const { count, componentOfFace } = findComponents(mesh, adjacency);
  const vertices = new Uint32Array(count);
  for (let face = componentOfFace.length - 1; face >= 0; face--) {
    if (componentOfFace[face] >= 0) vertices[componentOfFace[face]] = mesh.indices[3 * face];
  }
  return vertices;
}
