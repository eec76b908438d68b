/**
 * Triangle meshes: checking, reports, repair, points against a mesh, and procedural models.
 * @module mesh
 */
export { buildAdjacency, findEdge, type MeshAdjacency, nextHalfEdge, previousHalfEdge } from './adjacency.js';
export { findBoundaryLoops } from './boundary-loops.js';
export { findComponents, type MeshComponents } from './components.js';
export { isDegenerateFace } from './degenerate-faces.js';
export { type DroppedDegenerateFaces, dropDegenerateFaces } from './drop-degenerate-faces.js';
export { dropDuplicateFaces } from './drop-duplicate-faces.js';
export type { ImplicitShape } from './implicit-shape.js';
export type { DroppedFaces } from './keep-faces.js';
export { type MassProperties, massProperties, type SolidMoments } from './mass-properties.js';
export { assertMesh, createMesh, MAX_COORDINATE, type Mesh, triangleCount, vertexCount } from './mesh.js';
export {
  type ClosestPoint,
  type ClosestPointsOut,
  DEFAULT_WINDING_ACCURACY,
  type MeshFeature,
  MeshQuery,
  type MeshQueryOptions,
  type RayHit,
  type RayOptions,
} from './mesh-query.js';
export { findModel, models } from './models/catalogue.js';
export { EXTRUDE_DEFAULTS, type ExtrudeOptions, extrudePolygon } from './models/extrude.js';
export type { ModelDefinition, ModelParameter } from './models/model.js';
export { type OrientedFaces, orientFaces } from './orient-faces.js';
export {
  assertPolygon,
  createPolygon,
  locateInPolygon,
  type Polygon,
  type PolygonLocation,
  polygonArea,
} from './polygon.js';
export {
  type RemainingDefect,
  type RepairChanges,
  type RepairedMesh,
  type RepairOptions,
  repairMesh,
} from './repair.js';
export { type InspectOptions, inspectMesh, type MeshReport } from './report.js';
export {
  DEFAULT_PAIR_LIMIT,
  findSelfIntersections,
  type SelfIntersectionOptions,
  type SelfIntersections,
} from './self-intersections.js';
export { triangleBoxes } from './triangle-boxes.js';
export { isDegenerateTriangle, trianglesCross, trianglesIntersect } from './triangle-intersection.js';
export { type PolygonTriangulation, triangulatePolygon } from './triangulate-polygon.js';
export { type DroppedVertices, dropUnusedVertices } from './unused-vertices.js';
export { type WeldedVertices, type WeldOptions, weldVertices } from './weld-vertices.js';
