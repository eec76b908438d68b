// What robots must not touch: models at rest, or moving through keyframes.
import type { Pose } from '../../core/pose.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** One model of the environment. */
export interface Obstacle {
  readonly name: string;
  readonly model: ProximityModel;
  readonly pose: Pose;
  /** Where the model is at which time; null for one at rest. */
  readonly motion: readonly Keyframe[] | null;
}
