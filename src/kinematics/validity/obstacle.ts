// What robots must not touch, at rest. Obstacles that move with time are links of a clock (time/clock.ts).
import type { Pose } from '../../core/pose.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** One model of the environment. */
export interface Obstacle {
  readonly name: string;
  readonly model: ProximityModel;
  readonly pose: Pose;
}
