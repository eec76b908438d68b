/**
 * Generalized Voronoi diagrams in the plane and in space, their boundaries and graphs.
 * @module voronoi
 */

export { VORONOI_DEFAULTS } from './defaults.js';
export type {
  ArcSite,
  BezierSite,
  CircleSite,
  PlaneSite,
  PointSite,
  PolygonSite,
  PolylineSite,
  SegmentSite,
  SiteWeights,
} from './sites/plane-site.js';
