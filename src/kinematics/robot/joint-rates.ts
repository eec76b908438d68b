// How fast each joint of a chain may move, speed up, and change that, where its description says.
import { nameValue } from '../../core/check/check-options.js';
import { movingJoints } from './build-chain.js';
import type { ChainPlanRobot, PlanJoint } from './chain-description.js';
import { refuse } from './refusals.js';

/** Limits of a joint, in radians or meters and seconds; undefined where nothing is said. */
export type JointRates = Pick<PlanJoint, 'velocity' | 'acceleration' | 'jerk'>;

/** The limits of all joints that have values, by name. A speed of the robot holds for joints without a velocity. */
export function readJointRates({ joints, speed }: ChainPlanRobot): ReadonlyMap<string, JointRates> {
  return new Map(
    movingJoints(joints).map((joint) => {
      for (const key of ['velocity', 'acceleration', 'jerk'] as const) {
        const value = joint[key];
        if (value === undefined || (typeof value === 'number' && value > 0)) continue;
        refuse(`joint ${joint.name} has the ${key} ${nameValue(value)}; give a number above 0`);
      }
      const { acceleration, jerk } = joint;
      const velocity = joint.velocity ?? (joint.type === 'prismatic' ? speed?.linear : speed?.angular);
      return [joint.name, { velocity, acceleration, jerk }];
    }),
  );
}
