// Where all bodies are along a trajectory, and how far apart: what drawing and playing it needs.
import { oneOf, optionTable, wholeNumber } from '../../core/check/option-table.js';
import type { Mesh } from '../../mesh/mesh.js';
import { buildTimedMotion } from './build-timed-motion.js';
import type { MotionProblem } from './motion-problem.js';
import { INTERPOLATIONS, type Interpolation, type MotionTrajectory } from './motion-trajectory.js';

/** Options of {@link sampleTrajectory}. */
export interface SampleTrajectoryOptions {
  /** Default 'auto': by what the points have. */
  readonly interpolation?: Interpolation | undefined;
  /** Times, evenly from the first to the last. Default 101. */
  readonly frames?: number | undefined;
}

/** All bodies at a time. */
export interface TrajectoryFrame {
  readonly time: number;
  /** Seven numbers for each body. */
  readonly poses: Float64Array;
  /** The distance here between the nearest two bodies that must stay apart, or Infinity. */
  readonly clearance: number;
}

/** A trajectory at some times. */
export interface SampledTrajectory {
  /** Links of all robots, then the environment, in the order of the poses. */
  readonly bodies: readonly { readonly name: string; readonly mesh: Mesh; readonly isRobot: boolean }[];
  readonly frames: readonly TrajectoryFrame[];
}

/** Chosen: the most frames of a sampled trajectory. */
const MAX_FRAMES = 1e6;

const OPTIONS = optionTable<SampleTrajectoryOptions>()({
  interpolation: oneOf(INTERPOLATIONS, 'auto'),
  frames: wholeNumber(2, MAX_FRAMES, 101),
});

/** The poses of all bodies at times of a trajectory. What is between them is proven by `certifyTrajectory`, not by these samples. */
export function sampleTrajectory(
  problem: MotionProblem,
  trajectory: MotionTrajectory | readonly MotionTrajectory[],
  options: SampleTrajectoryOptions = {},
): SampledTrajectory {
  const { interpolation, frames: count } = OPTIONS.read(options);
  const list = Array.isArray(trajectory)
    ? (trajectory as readonly MotionTrajectory[])
    : [trajectory as MotionTrajectory];
  const { motion, scenes } = buildTimedMotion(problem, list, 0, interpolation);
  const { times, robots } = motion;
  const [first, last] = [times[0], times[times.length - 1]];
  const [rest, timed] = scenes;
  const linkCount = rest.linkCount;
  const frames = Array.from({ length: count }, (_, i): TrajectoryFrame => {
    const time = first + ((last - first) * i) / (count - 1);
    const q = motion.at(time);
    let clearance = Infinity;
    for (const scene of scenes) clearance = scene.distance(q, clearance);
    // Links of robots, obstacles at rest, then those that move, which are the last links of the timed scene.
    const poses = [...rest.posesAt(q), ...rest.obstacles.flatMap(({ pose }) => pose)];
    if (timed !== undefined) poses.push(...timed.posesAt(q).subarray(7 * linkCount));
    return { time, poses: Float64Array.from(poses), clearance };
  });
  const clock = timed?.robots[timed.robots.length - 1];
  return {
    bodies: [
      ...robots.flatMap((robot) => robot.links.map(({ name, model }) => ({ name, mesh: model.mesh, isRobot: true }))),
      ...rest.obstacles.map(({ name, model }) => ({ name, mesh: model.mesh, isRobot: false })),
      ...(clock?.links ?? []).map(({ name, model }) => ({ name, mesh: model.mesh, isRobot: false })),
    ],
    frames,
  };
}
