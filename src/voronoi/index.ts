/**
 * Generalized Voronoi diagrams in the plane and in space, their boundaries and graphs.
 * @module voronoi
 */

export { VORONOI_DEFAULTS } from './defaults.js';
export { GpuVoronoi } from './gpu/gpu-voronoi.js';
export { computeVoronoiGraph, type VoronoiGraphOptions } from './graph/compute-voronoi-graph.js';
export type { BoundaryKind } from './graph/feature-node.js';
export { findGraphPath, type GraphPath, type GraphPathOptions } from './graph/graph-path.js';
export { LiveVoronoi } from './graph/live-voronoi.js';
export { computeMedialAxis, type MedialAxisOptions } from './graph/medial-axis.js';
export type { GraphCounters, GraphEdge, GraphVertex, NarrowestPlace, VoronoiGraph } from './graph/voronoi-graph.js';
export { computeVoronoi, computeVoronoiSync, VoronoiImager } from './image/compute-voronoi.js';
export {
  type TracedBoundaries,
  type TracedLine,
  type TracedVertex,
  type TraceOptions,
  traceBoundaries,
} from './image/trace-boundaries.js';
export type { VoronoiCounters, VoronoiImage, VoronoiMethod, VoronoiOptions } from './image/voronoi-image.js';
export type {
  ArcSite,
  BezierSite,
  CircleSite,
  PathSite,
  PlaneSite,
  PointSite,
  PolygonSite,
  PolylineSite,
  SegmentSite,
  SiteWeights,
} from './sites/plane-site.js';
export { sitesFromSvg } from './sites/sites-from-svg.js';
export type {
  SpaceMeshSite,
  SpacePointSite,
  SpaceSegmentSite,
  SpaceSite,
  SpaceTriangleSite,
} from './sites/space-site.js';
export { computeSpaceGraph } from './space/compute-space-graph.js';
export {
  computeSpaceSheets,
  type SpaceSheet,
  type SpaceSheetCounters,
  type SpaceSheetOptions,
  type SpaceSheets,
} from './space/compute-space-sheets.js';
export { computeSpaceVoronoi, computeSpaceVoronoiSync } from './space/compute-space-voronoi.js';
export {
  computeSolidMedialAxis,
  type SolidMedialAxis,
  type SolidMedialAxisOptions,
} from './space/solid-medial-axis.js';
export type {
  SpaceGraphCounters,
  SpaceGraphEdge,
  SpaceGraphOptions,
  SpaceGraphVertex,
  SpaceVoronoiGraph,
} from './space/space-graph.js';
export type {
  SpaceVoronoi,
  SpaceVoronoiCounters,
  SpaceVoronoiMethod,
  SpaceVoronoiOptions,
} from './space/space-voronoi.js';
