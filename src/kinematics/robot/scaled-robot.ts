// A rigid robot in another size.
import type { ReadonlyVec3 } from '../../core/vec3.js';
import { ProximityModel } from '../../proximity/proximity-model.js';
import type { BodyRobot } from './body-robot.js';
import { solidOf } from './sound-model.js';

/** The robot with its body scaled about a point of its frame. */
export function scaledRobot(robot: BodyRobot, center: ReadonlyVec3, scale: number): BodyRobot {
  const { positions, indices } = solidOf(robot.links[0].model).mesh;
  const scaled = positions.map((value, i) => center[i % 3] + scale * (value - center[i % 3]));
  return robot.withModel(new ProximityModel({ positions: scaled, indices }));
}
