// A robot of one rigid body whose configuration is a place of that body: first the coordinates that change, then its turn.
import type { Box } from '../../core/box.js';
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { Robot } from './robot.js';

/** Where the origin of a robot may be. */
export interface RobotBounds {
  readonly min: ReadonlyVec3;
  readonly max: ReadonlyVec3;
}

export interface BodyRobot extends Robot {
  readonly bounds: Box;
  /** The count of coordinates that change: 3 in space, 2 in a plane. A configuration begins with them. */
  readonly ways: 2 | 3;
  /** The axes of these coordinates, then those across the plane. */
  readonly axes: readonly [number, number, number];
  /** In a plane: 1 if angles count from the first axis to the second, −1 if they count the other way. */
  readonly turnSign: 1 | -1;
  /** The largest distance of a vertex from what the body turns about: its origin, or in a plane the axis through it. */
  readonly radius: number;
  /** The same robot, whose numbers begin elsewhere in a configuration. */
  withOffset(offset: number): BodyRobot;
  /** The same robot with another body. */
  withModel(model: ProximityModel): BodyRobot;
  /** How a pose differs from those that the robot can take, in words; null if the robot can take it. */
  misfit(pose: ReadonlyPose): string | null;
  /** Turns a configuration as one direction of the world turns into another. */
  turn(q: Float64Array, from: Vec3, to: Vec3): void;
}
