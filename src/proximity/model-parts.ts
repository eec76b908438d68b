// What every proximity query derives from a model. Each part is made when first needed and kept by the model
// (ProximityModel.parts). Hulls and contacts keep their parts in the same way (hulls/model-hulls.ts,
// contact/model-contacts.ts), and so do higher chapters.
import type { GivenPart, Part } from '../core/derived-parts.js';
import type { HullHierarchy } from '../decomposition/hierarchy/hierarchy.js';
import { SolidQuery } from '../mesh/query/solid-query.js';
import { findOutwardSurface, type OutwardSurface } from '../mesh/repair/outward-surface.js';
import { buildAdjacency, type MeshAdjacency } from '../mesh/topology/adjacency.js';
import { findComponents } from '../mesh/topology/components.js';
import { BoxKernel } from './boxes/box-kernel.js';
import { BoxTree } from './boxes/box-tree.js';
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
export const POINT_QUERY: ModelPart<SolidQuery> = {
  name: 'point query',
  make: ({ parts }) => new SolidQuery(parts.get(OUTWARD_SURFACE).mesh),
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

/** The hierarchy of hulls around the convex pieces. hulls/model-hulls.ts makes it, or the caller gives it. */
export const HULLS: GivenPart<HullHierarchy> = { name: 'hulls' };

function findComponentVertices({ mesh, adjacency }: ProximityModel): Uint32Array {
  const { count, componentOfFace } = findComponents(mesh, adjacency);
  const vertices = new Uint32Array(count);
  for (let face = componentOfFace.length - 1; face >= 0; face--) {
    if (componentOfFace[face] >= 0) vertices[componentOfFace[face]] = mesh.indices[3 * face];
  }
  return vertices;
}
