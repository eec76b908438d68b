// What robots must not touch, at rest or in motion.
import type { Pose } from '../../core/pose.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** One model of the environment. */
export interface Obstacle {
  readonly name: string;
  readonly model: ProximityModel;
  readonly pose: Pose;
}

/** A model of the environment that moves: straight and evenly between its keys, at rest before and after. */
export interface MovingObstacle {
  readonly name: string;
  readonly model: ProximityModel;
  /** In ascending order of time; at least one. */
  readonly keys: readonly { readonly time: number; readonly pose: Pose }[];
}
