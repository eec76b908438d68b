/**
 * Every proximity query from images (PIVOT; Hoff, Zaferakis, Lin and Manocha 2001), for shapes that deform every frame.
 * @module pivot
 */

export { PIVOT_DEFAULTS } from './defaults.js';
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
