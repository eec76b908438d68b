// An obstacle as callers describe it.
import type { ReadonlyPose } from '../../core/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Keyframe } from '../../proximity/impact/motion.js';

/** A model of the environment: at rest, or in motion through keyframes. */
export interface PlanObstacle {
  /** What answers call it. Default: 'environment 1' for the first, and so on. */
  readonly name?: string | undefined;
  readonly mesh: Mesh;
  /** Default: at the origin. */
  readonly pose?: ReadonlyPose | undefined;
  /**
   * In place of the pose: keys in ascending order of time. Between two keys it moves straight and turns evenly the shorter way;
   * before the first and after the last it is at rest.
   */
  readonly motion?: readonly Keyframe[] | undefined;
}
