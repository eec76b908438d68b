// Goals that say where a link is to be: joint values for them, free of collisions, near to the start.
import type { Random } from '../../core/random.js';
import { reachGoal } from '../../kinematics/inverse/inverse-kinematics.js';
import { within } from '../../kinematics/robot/refusals.js';
import type { PlanScene } from './build-scene.js';

/** Chosen: the count of solutions that are compared. */
const SOLUTIONS = 12;

/** Chosen: the count of starts of the search for them. */
const STARTS = 200;

/** Writes joint values into the goal of a scene for those robots that have none; says why where none are found that are free. */
export function reachLinkGoals({ scene, start, goal, linkGoals }: PlanScene, random: Random): string | null {
  for (const { robot, goal: wanted } of linkGoals) {
    const from = goal.slice();
    from.set(start.subarray(robot.offset, robot.offset + robot.size), robot.offset);
    const isFree = (q: Float64Array): boolean => scene.isFree(q);
    const { status, solutions, nearest, proof } = within(robot.name, () => {
      return reachGoal(robot, wanted, from, { random, solutions: SOLUTIONS, starts: STARTS, isFree });
    });
    const what = `${robot.name}: the goal of ${wanted.link}`;
    if (proof !== null) {
      const range = `${proof.least} to ${proof.most}`;
      return `${what} is out of reach: it needs ${proof.distance} m from the first joint, which has ${range}`;
    }
    if (status !== 'found') {
      return `${what} was not reached within the limits of the joints; the nearest is off by ${nearest!.position} m and ${nearest!.angle} rad`;
    }
    if (solutions[0].isFree === false) return `${what} was reached with collisions only`;
    goal.set(solutions[0].values, robot.offset);
  }
  return null;
}
