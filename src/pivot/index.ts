/**
 * Every proximity query from images (PIVOT; Hoff, Zaferakis, Lin and Manocha 2001), for shapes that deform every frame.
 * @module pivot
 */

export { PIVOT_DEFAULTS } from './defaults.js';
export { findNearNurbs, type NearNurbs } from './nurbs/near-nurbs.js';
export { evaluateNurbs, type NurbsSurface } from './nurbs/nurbs-surface.js';
export { type TessellateNurbsOptions, tessellateNurbs } from './nurbs/tessellate-nurbs.js';
export { PlaneField } from './plane/plane-field.js';
export {
  type PlaneMeeting,
  PlanePivot,
  type PlanePivotOptions,
  type PlaneSeparationOptions,
} from './plane/plane-pivot.js';
export type {
  PlaneClosestPoint,
  PlaneContacts,
  PlaneCounters,
  PlaneIntersection,
  PlanePenetration,
  PlanePoints,
  PlaneSeparation,
} from './plane/plane-result.js';
export {
  PlaneScene,
  type PlaneSceneContacts,
  type PlaneScenePairs,
  type PlaneScenePenetration,
} from './plane/plane-scene.js';
export type { PlaneShape } from './plane/plane-shape.js';
export type { PlaneImageMethod } from './published/draw-passes.js';
export {
  type PlaneImageOptions,
  type PlaneImagePenetration,
  PlaneImagePivot,
  type PlaneImagePoints,
} from './published/plane-image-pivot.js';
export { SpacePivot } from './space/space-pivot.js';
export type {
  PenetratingPoints,
  SpaceContacts,
  SpaceIntersection,
  SpacePenetration,
  SpacePivotAnswer,
  SpacePivotCounters,
  SpacePivotOptions,
  SpaceSeparation,
  SpaceSeparationOptions,
} from './space/space-result.js';
