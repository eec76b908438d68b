// Starts and goals that are given by queries, in place of those of robots.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import * as pose from '../../core/pose.js';
import { limitsOf, movingJoints } from '../../kinematics/robot/build-chain.js';
import { assertFits, type PlanScene } from '../problem/build-scene.js';
import type { PlanProblem, PlanRobot, RobotsConfiguration } from '../problem/plan-problem.js';

/** The problem with a start and a goal for each robot that has none: anything that the robot can be at. */
export function withEnds(problem: PlanProblem): PlanProblem {
  const { robots, queries } = problem;
  if (!Array.isArray(robots)) return problem;
  const filled = robots.map((robot: PlanRobot, r) => {
    if (robot === null || typeof robot !== 'object' || (robot.start !== undefined && robot.goal !== undefined))
      return robot;
    const first = queries === undefined ? undefined : partOf(queries[0]?.start, r, robots.length);
    const end = robot.start ?? robot.goal ?? first ?? anyPlace(robot);
    return { ...robot, start: end, goal: end } as PlanRobot;
  });
  return { ...problem, robots: filled };
}

/** A configuration of all robots from what callers give: one description, or a list with one for each robot. */
export function readConfiguration({ scene, names }: PlanScene, given: RobotsConfiguration, what: string): Float64Array {
  const q = new Float64Array(scene.size);
  const { robots } = scene;
  if (robots.length > 1 && (given as ArrayLike<unknown> | undefined)?.length !== robots.length) {
    refuse(`The ${what} is ${nameValue(given)}; give a list of ${robots.length} configurations, one for each robot.`);
  }
  for (const [r, robot] of robots.entries()) {
    const own = partOf(given, r, robots.length)!;
    const name = `${names[r]}: the ${what}`;
    if (robot.body !== null) {
      const parsed = pose.parse(own, name);
      assertFits(robot.body, parsed, what);
      robot.read(parsed, q);
      continue;
    }
    const values = Array.from(own ?? []);
    if (values.length !== robot.size || !values.every((value) => Number.isFinite(value))) {
      refuse(`${name} is ${nameValue(own)}; give ${robot.size} finite numbers, one for each joint that moves.`);
    }
    robot.read(values, q);
  }
  return q;
}

/** The configuration of one robot. */
function partOf(given: RobotsConfiguration | undefined, robot: number, count: number): ArrayLike<number> | undefined {
  if (count > 1 || (given?.length === 1 && typeof given[0] === 'object')) {
    return (given as readonly ArrayLike<number>[] | undefined)?.[robot];
  }
  return given as ArrayLike<number> | undefined;
}

/** Where a robot can be; undefined where that is not known, for a plane without a height. */
function anyPlace(robot: PlanRobot): readonly number[] | undefined {
  if (robot.type === 'chain') {
    return movingJoints(robot.joints ?? []).map((joint) => limitsOf(joint)?.[0] ?? 0);
  }
  const { min, max } = robot.bounds ?? {};
  if (min === undefined || max === undefined) return undefined;
  if (robot.type === 'planar') {
    const across = { xy: 2, xz: 1, yz: 0 }[robot.plane];
    if (!(min[across] === max[across])) return undefined;
  }
  return [min[0], min[1], min[2], 0, 0, 0, 1];
}

function refuse(message: string): never {
  throw new NearfieldError('bad-argument', message);
}
