// Problem files with robots of MJCF, states of SRDF, and planning scenes of MoveIt.
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import {
  type ChainPlanRobot,
  planMotion,
  readPlanningScene,
  readPlanProblem,
  writePlanProblem,
} from '../../src/planning/index.js';

const FILES: Readonly<Record<string, string>> = {
  // Two links of 0.5 m that turn about z, in the plane z = 0.
  'arm/arm.xml': `<mujoco model="planar arm"><compiler angle="degree"/>
    <worldbody><body name="upper">
      <joint name="shoulder" type="hinge" axis="0 0 1" range="-170 170"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.04"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" type="hinge" axis="0 0 1" range="-150 150"/>
        <include file="tool.xml"/>
      </body>
    </body></worldbody>
    <keyframe><key name="left" qpos="1.2 0.3"/><key name="right" qpos="-1.2 -0.3"/></keyframe></mujoco>`,
  'arm/tool.xml': '<mujoco><geom type="box" pos="0.25 0 0" size="0.25 0.04 0.04"/></mujoco>',
  'arm.urdf': `<robot name="lamp"><link name="foot"/>
    <link name="arm"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry></collision></link>
    <link name="head"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.08 0.08"/></geometry></collision></link>
    <joint name="hinge" type="revolute"><parent link="foot"/><child link="arm"/><axis xyz="0 0 1"/>
      <limit lower="-3" upper="3" velocity="0.5"/></joint>
    <joint name="neck" type="revolute"><parent link="arm"/><child link="head"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
      <limit lower="-2.5" upper="2.5" velocity="0"/></joint></robot>`,
  'arm.srdf': `<robot name="lamp"><group name="all"><chain base_link="foot" tip_link="head"/></group>
    <group_state name="left" group="all"><joint name="hinge" value="1.2"/><joint name="neck" value="0.3"/></group_state>
    <group_state name="right" group="all"><joint name="hinge" value="-1.2"/><joint name="neck" value="-0.3"/></group_state>
    </robot>`,
  'post.scene': `(noname)+
* post
0.75 0 0
0 0 0 1
1
cylinder
0.05 0.4
0 0 0
0 0 0 1
0 0 0 0
0
.
`,
  'post.yaml': `name: ""
world:
  collision_objects:
    - id: post
      primitives:
        - type: cylinder
          dimensions: [0.4, 0.05]
      primitive_poses:
        - position: [0.75, 0, 0]
          orientation: [0, 0, 0, 1]
`,
};

const read = (problem: object, warnings: string[] = []) =>
  readPlanProblem(JSON.stringify({ robots: [], environment: [], ...problem }), {
    loadMesh: (file) => {
      throw new NearfieldError('file-not-found', `There is no ${file}.`);
    },
    loadText: (file) => {
      if (FILES[file] === undefined) throw new NearfieldError('file-not-found', `There is no ${file}.`);
      return FILES[file];
    },
    onWarning: (warning) => warnings.push(warning),
  });

const MJCF = { mjcf: 'arm/arm.xml', start: 'left', goal: 'right' };
const URDF = { urdf: 'arm.urdf', srdf: 'arm.srdf', start: 'left', goal: 'right' };

describe.each([
  ['MJCF', MJCF],
  ['URDF', URDF],
])('a robot of %s', (_, robot) => {
  test.each(['post.scene', 'post.yaml'])('moves from a state to another one around the post of %s', async (scene) => {
    const problem = await read({ robots: [robot], environment: [{ scene }] });
    expect(problem.environment.map(({ name }) => name)).toEqual(['post']);
    const { status, paths, clearance } = planMotion(problem);
    expect(status).toBe('solved');
    expect(clearance!.lower).toBeGreaterThan(0);
    const { poses, joints } = paths[0];
    expect(poses[0]).toEqual([1.2, 0.3]);
    expect(poses[poses.length - 1]).toEqual([-1.2, -0.3]);
    // Straight ahead the arm would reach through the post.
    expect(poses.length).toBeGreaterThan(2);
    expect(joints!.length).toBe(2);
  });

  test('names the object that a start touches, and where the scene is placed', async () => {
    const given = { ...robot, start: [0, 0] };
    const problem = await read({ robots: [given], environment: [{ scene: 'post.scene' }] });
    const { status, reason, collision } = planMotion(problem);
    expect(status).toBe('invalid-start');
    expect(reason).toMatch(/^(lower|head) of .* and post touch$/);
    expect(collision!.b).toBe('post');
    expect(Math.hypot(collision!.point![0] - 0.75, collision!.point![1])).toBeLessThan(0.1);
    const moved = { scene: 'post.scene', pose: [0, 0, 2, 0, 0, 0, 1] };
    expect(planMotion(await read({ robots: [given], environment: [moved] })).status).toBe('solved');
  });
});

test('velocities of a URDF are those of its joints; 0 says nothing', async () => {
  const { joints } = (await read({ robots: [URDF] })).robots[0] as ChainPlanRobot;
  expect(joints.map(({ velocity }) => velocity)).toEqual([0.5, undefined]);
});

test('what a problem says survives writing and reading', async () => {
  const problem = {
    ...(await read({ robots: [URDF], environment: [{ scene: 'post.scene' }] })),
    preferredClearance: 0.02,
  };
  const { text, meshes } = writePlanProblem(problem);
  const again = await readPlanProblem(text, { loadMesh: (file) => meshes.get(file)! });
  expect(again.preferredClearance).toBe(0.02);
  expect(again.environment[0].name).toBe('post');
  expect((again.robots[0] as ChainPlanRobot).joints[0].velocity).toBe(0.5);
  expect(planMotion(again).paths).toEqual(planMotion(problem).paths);
});

test.each([
  [
    'a state that is not there',
    { robots: [{ ...URDF, start: 'up' }] },
    /start is "up", and the robot has the states left, right/,
  ],
  [
    'a state without a file',
    { robots: [{ ...MJCF, goal: 'home' }] },
    /goal is "home", and the robot has the states left, right/,
  ],
  ['two files', { robots: [{ ...URDF, mjcf: 'arm/arm.xml' }] }, /unknown key "mjcf"/],
  [
    'a file that is not there',
    { robots: [{ mjcf: 'a.xml', start: [0], goal: [0] }] },
    /robots\[0\]\.mjcf: There is no a\.xml/,
  ],
  [
    'a scene with a motion',
    { environment: [{ scene: 'post.scene', motion: [] }] },
    /motion is given for a scene; leave it out/,
  ],
  [
    'a scene and a box',
    { environment: [{ scene: 'post.scene', box: [1, 1, 1] }] },
    /has "scene" and "box"; give one of/,
  ],
])('%s is refused with its place', async (_, problem, message) => {
  await expect(read(problem)).rejects.toThrow(message);
});

describe('planning scenes', () => {
  test('a text and a YAML file with the same object give the same obstacle', async () => {
    const [text, yaml] = await Promise.all([
      readPlanningScene(FILES['post.scene']),
      readPlanningScene(FILES['post.yaml']),
    ]);
    expect(yaml.environment).toEqual(text.environment);
    expect(yaml.name).toBe(null);
    const { positions } = text.environment[0].mesh;
    const radii = Array.from({ length: positions.length / 3 }, (_, i) =>
      Math.hypot(positions[3 * i], positions[3 * i + 1]),
    );
    expect(Math.max(...radii)).toBeGreaterThanOrEqual(0.05);
    expect(Math.max(...radii)).toBeLessThan(0.0515);
    expect(Math.max(...positions.filter((_, i) => i % 3 === 2))).toBeCloseTo(0.2, 12);
  });

  test.each([
    ['an end that is missing', FILES['post.scene'].replace('.\n', ''), /the file ends before/],
    [
      'a shape without bounds',
      FILES['post.scene'].replace('cylinder', 'plane'),
      /line 6: the shape "plane" of post is not read/,
    ],
    [
      'a size of 0',
      FILES['post.scene'].replace('0.05 0.4', '0 0.4'),
      /line 7: the sizes of a cylinder of post are 0 0\.4/,
    ],
    ['no objects', 'name: x\n', /has no "collision_objects"/],
    ['an unknown shape', FILES['post.yaml'].replace('cylinder', 'torus'), /give box, sphere, cylinder or cone/],
  ])('%s is refused', async (_, text, message) => {
    await expect(readPlanningScene(text)).rejects.toThrow(message);
  });
});
