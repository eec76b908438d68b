// Trajectories keep their limits, end at rest where the path ends, and stay apart from everything, looked at densely.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import {
  type ChainPlanRobot,
  MotionPlanner,
  type PlanProblem,
  planMotion,
  planningSample,
  samplePath,
  type Trajectory,
  timePath,
  trajectoryAt,
  writeTrajectory,
} from '../../src/planning/index.js';
import { FilteredPolyline } from '../../src/planning/trajectory/filtered-polyline.js';
import { codeOf } from '../error-code.js';

const LIMITS = { velocity: 1.5, acceleration: 4, jerk: 30 };

/** Joint values at even times, and the largest of each derivative by differences that share no code with the trajectory. */
function sampled(trajectory: Trajectory, count: number) {
  const step = trajectory.duration / count;
  const values = Array.from({ length: count + 1 }, (_, i) => trajectoryAt(trajectory, i * step).positions);
  const differ = (list: readonly (readonly number[])[]): number[][] =>
    list.slice(1).map((value, i) => value.map((v, k) => (v - list[i][k]) / step));
  const largest = (list: readonly (readonly number[])[]): number => Math.max(...list.flat().map(Math.abs));
  const velocities = differ(values);
  const accelerations = differ(velocities);
  return {
    values,
    velocity: largest(velocities),
    acceleration: largest(accelerations),
    jerk: largest(differ(accelerations)),
  };
}

describe('random polylines', () => {
  const random = createRandom(5);
  test.each([2, 3, 5, 9])('%i waypoints are passed within limits, in the time that these allow', (count) => {
    const limits = { velocities: [1, 2, 0.5], accelerations: [3, 2, 5], jerks: [20, 40, 10] };
    for (let trial = 0; trial < 20; trial++) {
      const path = Array.from({ length: count }, () => Float64Array.from([0, 0, 0], () => random.range(-2, 2)));
      const rests = Array.from({ length: Math.max(0, count - 2) }, () => random.range(0, 1));
      const motion = new FilteredPolyline(path, limits, rests);
      const times = motion.breakpoints();
      let before = motion.at(0);
      expect([...before.positions]).toEqual([...path[0]]);
      for (let i = 1; i < times.length; i++) {
        const now = motion.at(times[i]);
        for (let k = 0; k < 3; k++) {
          expect(Math.abs(now.velocities[k])).toBeLessThanOrEqual(limits.velocities[k] + 1e-9);
          expect(Math.abs(now.accelerations[k])).toBeLessThanOrEqual(limits.accelerations[k] + 1e-9);
          const jerk = Math.abs(now.accelerations[k] - before.accelerations[k]) / (times[i] - times[i - 1]);
          if (times[i] - times[i - 1] > 1e-6) expect(jerk).toBeLessThanOrEqual(limits.jerks[k] + 1e-5);
        }
        before = now;
      }
      expect([...before.positions]).toEqual([...path[count - 1]]);
      expect(Math.max(...before.velocities.map(Math.abs))).toBe(0);
    }
  });

  test('one that stops at a corner is on the path there', () => {
    const path = [
      [0, 0],
      [1, 0],
      [1, 1],
    ].map((q) => Float64Array.from(q));
    const limits = { velocities: [1, 1], accelerations: [2, 2], jerks: [20, 20] };
    const stopping = new FilteredPolyline(path, limits, [1]);
    const passing = new FilteredPolyline(path, limits, [0]);
    expect(passing.duration).toBeLessThan(stopping.duration);
    const off = (motion: FilteredPolyline): number => {
      const places = Array.from({ length: 2001 }, (_, i) => motion.at((i / 2000) * motion.duration).positions);
      return Math.max(...places.map(([x, y]) => Math.min(Math.abs(y), Math.abs(1 - x))));
    };
    expect(off(stopping)).toBeLessThan(1e-12);
    expect(off(passing)).toBeGreaterThan(0.01);
  });
});

describe('the path of the sample arm', () => {
  const problem: PlanProblem = { ...planningSample('arm'), clearance: 0.002 };
  const planner = new MotionPlanner(problem);
  const result = planner.plan();
  const trajectory = planner.time(result, LIMITS);
  const stopping = planner.time(result, { ...LIMITS, rounded: false });

  test('begins and ends as asked, at rest', () => {
    const { start, goal } = problem.robots[0] as ChainPlanRobot;
    const [first, last] = [trajectory.points[0], trajectory.points[trajectory.points.length - 1]];
    expect(first.positions).toEqual([...(start as number[])]);
    expect(last.positions).toEqual([...(goal as number[])]);
    expect(last.time).toBe(trajectory.duration);
    for (const { velocities, accelerations } of [first, last]) {
      expect(Math.max(...[...velocities, ...accelerations].map(Math.abs))).toBeLessThan(1e-12);
    }
  });

  test('keeps its limits between the points too', () => {
    for (const one of [trajectory, stopping]) {
      const { velocity, acceleration, jerk } = sampled(one, 4000);
      expect(velocity).toBeLessThan(LIMITS.velocity * (1 + 1e-6));
      expect(acceleration).toBeLessThan(LIMITS.acceleration * (1 + 1e-4));
      expect(jerk).toBeLessThan(LIMITS.jerk * (1 + 0.02));
      // The edges are too short to be as fast as allowed.
      expect(velocity).toBeGreaterThan(0.5 * LIMITS.velocity);
    }
  });

  test('keeps the clearance everywhere, and takes less time than with stops', () => {
    expect(result.paths[0].poses.length).toBeGreaterThan(2);
    expect(trajectory.duration).toBeLessThan(stopping.duration);
    expect(trajectory.stops).toBeLessThan(stopping.stops);
    const { values } = sampled(trajectory, 600);
    const whole = { ...result, paths: [{ ...result.paths[0], poses: values }] };
    const { frames } = samplePath(problem, whole, { frames: 2 * values.length });
    expect(Math.min(...frames.map(({ clearance }) => clearance))).toBeGreaterThan(0.002);
  });

  test('is what timePath gives without a planner', () => {
    expect(timePath(problem, result, LIMITS)).toEqual(trajectory);
  });

  test('is written as YAML, JSON and CSV', () => {
    const { joint_names, points } = JSON.parse(writeTrajectory(trajectory, 'json'));
    expect(joint_names).toEqual(trajectory.joints);
    expect(points.length).toBe(trajectory.points.length);
    const { sec, nanosec } = points[points.length - 1].time_from_start;
    expect(sec + nanosec / 1e9).toBeCloseTo(trajectory.duration, 8);
    const rows = writeTrajectory(trajectory, 'csv').trimEnd().split('\n');
    expect(rows.length).toBe(points.length + 1);
    expect(rows[0].split(',').length).toBe(1 + 3 * joint_names.length);
    expect(rows[1].split(',').map(Number)[1]).toBe(trajectory.points[0].positions[0]);
    expect(writeTrajectory(trajectory, 'yaml')).toMatch(/^joint_names: \[.*\]\npoints:\n {2}- positions: \[/);
  });
});

test('limits come from joints, then from options', () => {
  const problem = planningSample('arm');
  const robot = problem.robots[0] as ChainPlanRobot;
  const slow = { ...robot, joints: robot.joints.map((joint) => ({ ...joint, velocity: 0.2 })) };
  const result = planMotion(problem);
  const { duration } = timePath({ ...problem, robots: [slow] }, result);
  expect(duration).toBeGreaterThan(timePath(problem, result, { velocity: 1 }).duration);
  expect(timePath({ ...problem, robots: [slow] }, result, { velocity: 1 }).duration).toBeLessThan(duration);
});

test('what cannot be timed is refused', () => {
  const arm = planningSample('arm');
  const result = planMotion(arm);
  expect(codeOf(() => timePath(arm, result, { velocity: 0 }))).toBe('bad-argument');
  expect(codeOf(() => timePath(arm, result, { jerk: Number.NaN }))).toBe('bad-argument');
  expect(codeOf(() => timePath(arm, result, { acceleration: { elbows: 1 } }))).toBe('bad-argument');
  expect(codeOf(() => timePath(arm, { ...result, status: 'timeout' }))).toBe('bad-argument');
  const hole = planningSample('hole');
  expect(() => timePath(hole, planMotion(hole))).toThrow(/A trajectory is of joints, and brick has none/);
});
