// A path as answers have it.
import { describeConfiguration, type PlanScene } from './build-scene.js';
import type { PlanResult } from './plan-problem.js';

/** The waypoints of each robot, and how far they go and turn. */
export function describePath(
  { scene, names }: PlanScene,
  path: readonly Float64Array[],
): Pick<PlanResult, 'paths' | 'length' | 'turning'> {
  let [length, turning] = [0, 0];
  for (const robot of scene.robots) {
    for (let i = 1; i < path.length; i++) {
      const way = robot.measure(path[i - 1], path[i]);
      length += way.length;
      turning += way.turning;
    }
  }
  const paths = scene.robots.map((robot, r) => {
    const poses = path.map((q) => describeConfiguration(robot, q));
    if (robot.chain === null) return { robot: names[r], poses };
    const joints = robot.chain.valueNames.map((name, k) => ({ name, values: poses.map((values) => values[k]) }));
    return { robot: names[r], poses, joints };
  });
  return { paths, length, turning };
}
