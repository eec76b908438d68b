/**
 * Triangle meshes: checking, reports, repair, points against a mesh, and procedural models.
 * @module mesh
 */

export { findModel, models } from '../models/catalogue.js';
export type { ModelDefinition, ModelParameter } from '../models/model.js';
export { type ExtrudeOptions, extrudePolygon } from '../models/parts/extrude.js';
export { MESH_DEFAULTS } from './defaults.js';
export type { ImplicitShape } from './implicit/implicit-shape.js';
export { assertMesh, createMesh, type Mesh, triangleCount, vertexCount } from './mesh.js';
export { createPolygon, locateInPolygon, type Polygon, type PolygonLocation, polygonArea } from './polygon/polygon.js';
export { type PolygonTriangulation, triangulatePolygon } from './polygon/triangulate-polygon.js';
export {
  type ClosestPoint,
  type ClosestPointsOut,
  MeshQuery,
  type MeshQueryOptions,
  type RayHit,
  type RayOptions,
} from './query/mesh-query.js';

export type { FilledHoles } from './repair/fill-holes.js';
export { type OrientedFaces, orientFaces } from './repair/orient-faces.js';
export {
  type RemainingDefect,
  type RepairChanges,
  type RepairedMesh,
  type RepairOptions,
  repairMesh,
  type SkippedStep,
} from './repair/repair.js';
export { type WeldedVertices, type WeldOptions, weldVertices } from './repair/weld-vertices.js';
export { type MassProperties, massProperties, type SolidMoments } from './report/mass-properties.js';
export { type InspectOptions, inspectMesh, type MeshReport } from './report/report.js';
export {
  findSelfIntersections,
  type SelfIntersectionOptions,
  type SelfIntersections,
} from './report/self-intersections.js';
export {
  makeSound,
  type SoundChanges,
  type SoundMesh,
  type SoundOptions,
} from './soundness/make-sound.js';
export { buildAdjacency, type MeshAdjacency, nextHalfEdge, previousHalfEdge } from './topology/adjacency.js';
export { findBoundaryLoops } from './topology/boundary-loops.js';
export { findComponents, type MeshComponents } from './topology/components.js';

export { triangleBoxes } from './triangle/triangle-boxes.js';
export { trianglesIntersect } from './triangle/triangle-intersection.js';
export type { MeshFeature } from './triangle/triangle-region.js';
