import { describe, expect, it } from 'vitest';
import { writeTrajectory } from '../../src/planning/trajectory/write-trajectory.js';
import { certifyTrajectory } from '../../src/sweep/trajectory/certify-trajectory.js';
import type { JointTrajectory, PathTrajectory } from '../../src/sweep/trajectory/motion-trajectory.js';
import { readTrajectory } from '../../src/sweep/trajectory/read-trajectory.js';
import { pendulum } from './pendulum.js';

const MOVEIT = `
model_id: panda
trajectory:
  - joint_trajectory:
      header:
        stamp: {sec: 0, nanosec: 0}
        frame_id: world
      joint_names:
        - hinge
      points:
        - positions: [0.1]
          velocities: [0.0]
          accelerations: []
          effort: []
          time_from_start:
            sec: 0
            nanosec: 500000000
        - positions: [0.6]
          velocities: [0.0]
          accelerations: []
          effort: []
          time_from_start:
            sec: 1
            nanosec: 250000000
    multi_dof_joint_trajectory:
      header:
        stamp: {sec: 0, nanosec: 0}
      joint_names: []
      points: []
trajectory_start:
  joint_state:
    name: [hinge, finger]
    position: [0.0, 0.02]
    velocity: []
  is_diff: false
`;

describe('readTrajectory', () => {
  it('reads a DisplayTrajectory of MoveIt, and begins where its robot stands', () => {
    const [read] = readTrajectory(MOVEIT) as JointTrajectory[];
    expect(read.joints).toEqual(['hinge']);
    expect(read.points.map(({ time }) => time)).toEqual([0.5, 1.25]);
    expect(read.points[0].velocities).toEqual([0]);
    expect(read.points[0].accelerations).toBeUndefined();
    expect(read.start).toEqual({ hinge: 0, finger: 0.02 });
    const { segments } = certifyTrajectory(pendulum([3, 0, 0]), read);
    expect(segments.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.5],
      [0.5, 1.25],
    ]);
  });

  it('joins trajectories that are carried out one after the other', () => {
    const part = (from: number, to: number) => ({
      joint_trajectory: {
        joint_names: ['hinge'],
        points: [from, to].map((value, i) => ({ positions: [value], time_from_start: { secs: 2 * i, nsecs: 0 } })),
      },
    });
    const [read, ...more] = readTrajectory(
      JSON.stringify({ trajectory: [part(0, 1), part(1, 0.5)] }),
    ) as JointTrajectory[];
    expect(more).toEqual([]);
    expect(read.points.map(({ time }) => time)).toEqual([0, 2, 4]);
    expect(read.points.map(({ positions }) => positions[0])).toEqual([0, 1, 0.5]);
  });

  it.each(['yaml', 'json', 'csv'] as const)('reads what timePath writes as %s', (format) => {
    const points = [0, 0.3, 0.7].map((time) => ({
      time,
      positions: [time, 1 - time],
      velocities: [1, -1],
      accelerations: [0.5, 0.25],
    }));
    const joints = ['hinge', 'a, "b"'];
    const trajectory = { joints, points, duration: 0.7, clearance: 0, stops: 0, certified: true } as const;
    const [read] = readTrajectory(writeTrajectory(trajectory, format)) as JointTrajectory[];
    expect(read.joints).toEqual(joints);
    expect(read.points).toEqual(points);
  });

  it('reads the paths that OMPL prints, as a matrix and in words', () => {
    const [matrix] = readTrajectory('0.1 -2e-1 \n0.3 4\n\n') as PathTrajectory[];
    expect(matrix.paths[0].poses).toEqual([
      [0.1, -0.2],
      [0.3, 4],
    ]);
    const printed = `Geometric path with 2 states
Compound state [
RealVectorState [1 2 3]
SO3State [0 0 0 1]
]
Compound state [
RealVectorState [4 5 6]
SO3State [0 0 0.6 0.8]
]
`;
    const [words] = readTrajectory(printed) as PathTrajectory[];
    expect(words.paths[0].poses).toEqual([
      [1, 2, 3, 0, 0, 0, 1],
      [4, 5, 6, 0, 0, 0.6, 0.8],
    ]);
  });

  it('reads an answer of plan: the trajectory where there is one, else the path', () => {
    const path = {
      format: 'nearfield-plan-path',
      status: 'solved',
      paths: [{ robot: 'a', poses: [[0], [1]] }],
      times: null,
    };
    expect(readTrajectory(JSON.stringify(path))).toEqual([{ paths: path.paths, times: null }]);
    const trajectory = { joints: ['hinge'], points: [{ time: 0, positions: [1] }] };
    const [read] = readTrajectory(JSON.stringify({ ...path, trajectory })) as JointTrajectory[];
    expect(read.joints).toEqual(['hinge']);
    expect(() => readTrajectory(JSON.stringify({ ...path, status: 'timeout' }))).toThrow(/status/);
  });

  it('reads transforms of bodies', () => {
    const transform = { translation: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
    const message = {
      joint_names: ['base'],
      points: [0, 1].map((sec) => ({ transforms: [transform], time_from_start: { sec, nanosec: 0 } })),
    };
    expect(readTrajectory(JSON.stringify({ multi_dof_joint_trajectory: message }))).toEqual([
      { body: 'base', points: [0, 1].map((time) => ({ time, pose: [1, 2, 3, 0, 0, 0, 1] })) },
    ]);
  });

  it.each([
    ['', /give the text/],
    ['{', /no JSON/],
    ['{"joints":["a"]}', /has no "points"/],
    ['{"joints":["a"],"points":[{"time":0}]}', /points\[0\] has no "positions"/],
    ['{"joints":["a"],"points":[{"time":0,"positions":["x"]}]}', /points\[0\].positions\[0\]/],
    ['{"robot":1}', /has no points/],
    ['time,a\n0,1\n1,x\n', /line 3: "x" is no finite number/],
    ['time,a,a velocity,b\n0,1,2,3\n', /no column "b velocity"/],
    ['time,\n0,1\n', /no column is named/],
    ['1 2\n3\n', /line 2: 1 numbers/],
  ])('refuses %j', (text, message) => {
    expect(() => readTrajectory(text)).toThrow(message);
  });
});
