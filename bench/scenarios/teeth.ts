// Ehmann and Lin 2001, section 8.2, scenarios 5 and 6: a fixed upper row of teeth and a lower one that shifts sideways or
// opens and closes. Moved by formulas, as there; millimeters in the constants, meters in the poses.
import { pose, quat, type Vec3 } from 'nearfield/core';
import { findModel } from 'nearfield/mesh';
import { FRAME_COUNT, recordPoses, type Scenario, type ScenarioDefinition } from './scenario.js';

const MILLIMETER = 0.001;

/** How far the teeth shift to either side. */
const SHIFT = 0.8;

export const teethShifting: ScenarioDefinition = {
  name: 'teeth-shifting',
  title: 'Teeth shifting',
  description: 'The lower teeth shift sideways under the upper ones at a small gap.',
  build: () =>
    buildScenario(teethShifting, (frame) => {
      const shift = SHIFT * Math.sin((2 * Math.PI * frame) / FRAME_COUNT);
      // The cusps guide the way: with a slope of 1.6 the rows stay 0.2 to 0.45 apart.
      const drop = 0.05 + Math.hypot(1.6 * shift, 0.1);
      return pose.create([shift * MILLIMETER, -drop * MILLIMETER, 0]);
    }),
};

/** The joint of the jaw: behind the last teeth and above the bite, about where the condyles are. */
const JOINT: Vec3 = [0, 30 * MILLIMETER, -85 * MILLIMETER];
const WIDEST = 0.35;

export const teethOpening: ScenarioDefinition = {
  name: 'teeth-opening',
  title: 'Teeth opening and closing',
  description: 'The lower teeth open about the joint of the jaw and close again, twice.',
  build: () =>
    buildScenario(teethOpening, (frame) => {
      const opened = (WIDEST / 2) * (1 - Math.cos((4 * Math.PI * frame) / FRAME_COUNT));
      const turn = quat.fromAxisAngle([1, 0, 0], opened);
      const [x, y, z] = quat.rotate(turn, JOINT);
      return pose.create([JOINT[0] - x, JOINT[1] - y, JOINT[2] - z], turn);
    }),
};

function buildScenario({ name, title }: ScenarioDefinition, lowerPose: (frame: number) => pose.Pose): Scenario {
  return {
    name,
    title,
    bodies: [
      { name: 'upper teeth', mesh: findModel('teeth-upper').build() },
      { name: 'lower teeth', mesh: findModel('teeth-lower').build() },
    ],
    pairs: [[0, 1]],
    frameCount: FRAME_COUNT,
    poses: recordPoses(2, (frame) => [pose.identity(), lowerPose(frame)]),
  };
}
