// Robots from URDF files: dialects, shapes, paths of meshes, links that may touch, and files that are wrong.
import { describe, expect, test } from 'vitest';
import { inspectMesh, massProperties } from '../../src/mesh/index.js';
import {
  type ChainPlanRobot,
  forwardKinematics,
  planMotion,
  planningSample,
  readPlanProblem,
  readUrdf,
  writeUrdf,
} from '../../src/planning/index.js';
import { linkFrames, matrixOf } from '../oracles/link-frames.js';
import { checkAnswer } from '../oracles/plan-checker.js';
import { boxes } from '../planning/planning-scenes.js';
import { dialectMesh, FACTORY_ARM, RESEARCH_ARM, WALKER } from './urdf-dialects.js';

const meshOf = (robot: ChainPlanRobot, link: string) => robot.links.find(({ name }) => name === link)!.mesh!;

const boxOf = ({ positions }: { positions: Float64Array }): number[] => {
  const axis = (k: number): number[] => Array.from(positions.filter((_, i) => i % 3 === k));
  return [0, 1, 2].flatMap((k) => [Math.min(...axis(k)), Math.max(...axis(k))]);
};

describe('dialects', () => {
  test('a research arm: packages, a fixed hand, mimicking fingers', async () => {
    const asked: string[] = [];
    const { robot, jointNames, ignored, warnings } = await readUrdf(RESEARCH_ARM, {
      packages: { seven_description: '/robots/seven/' },
      loadMesh: (file) => {
        asked.push(file);
        return dialectMesh(file);
      },
      touching: 'none',
    });
    expect(asked).toEqual(['/robots/seven/meshes/collision/link0.stl', '/robots/seven/meshes/collision/link1.stl']);
    expect(robot.name).toBe('seven');
    expect(jointNames).toEqual(['arm_joint1', 'arm_joint2', 'finger_joint1']);
    expect([ignored, warnings]).toEqual([[], []]);
    expect(robot.joints.find(({ name }) => name === 'arm_joint1')!.limits).toEqual([-2.9, 2.9]);
    // By hand: the second joint is turned about x, and its values turn about the world's y.
    const frames = forwardKinematics(robot, { arm_joint2: 0.3, finger_joint1: 0.02 });
    const hand = frames.get('hand')!;
    // The frame of link 2 has its y downwards: (x, y, z) → (x, z, −y).
    const [s, c] = [Math.sin(0.3), Math.cos(0.3)];
    expect(hand.slice(0, 3)).toEqual([-0.5 * s, -0.1, 0.333 - 0.5 * c].map((value) => expect.closeTo(value, 12)));
    const [left, right] = [frames.get('leftfinger')!, frames.get('rightfinger')!];
    expect(Math.hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2])).toBeCloseTo(0.04, 12);
    const expected = linkFrames(robot, [0, 0.3, 0.02]);
    for (const [link, frame] of frames) {
      for (const [i, value] of matrixOf(frame).entries()) expect(value).toBeCloseTo(expected.get(link)![i], 12);
    }
    // The cylinder lies along y of its link, and its mesh contains it.
    const [x0, x1, y0, y1] = boxOf(meshOf(robot, 'arm_link2'));
    expect([x0, x1]).toEqual([-0.05, 0.05].map((value) => expect.closeTo(value / Math.cos(Math.PI / 32), 12)));
    expect([y0, y1]).toEqual([0.05, 0.35].map((value) => expect.closeTo(value, 12)));
  });

  test('a factory arm: any order, relative paths, scaled meshes, no limits', async () => {
    const asked: string[] = [];
    const { robot, jointNames } = await readUrdf(FACTORY_ARM, {
      loadMesh: (file) => {
        asked.push(file);
        return dialectMesh(file);
      },
    });
    expect(jointNames).toEqual(['turntable', 'elbow', 'wrist']);
    expect(robot.links.map(({ name }) => name)).toEqual(['base', 'upper', 'forearm', 'tool']);
    expect(asked).toEqual(['/robots/six/meshes/rod.obj', 'meshes/rod.obj']);
    expect(robot.joints[0]).toMatchObject({ type: 'continuous' });
    const lengths = boxOf(meshOf(robot, 'forearm'));
    expect(lengths).toEqual([0.025, 0.475, -0.05, 0.05, -0.05, 0.05].map((value) => expect.closeTo(value, 12)));
    // A sphere is contained in its mesh.
    const { positions, indices } = meshOf(robot, 'tool');
    const inner = Math.min(
      ...Array.from({ length: indices.length / 3 }, (_, t) => {
        const [a, b, c] = [0, 1, 2].map((k) => [
          ...positions.subarray(3 * indices[3 * t + k], 3 * indices[3 * t + k] + 3),
        ]);
        const [u, v] = [b.map((value, k) => value - a[k]), c.map((value, k) => value - a[k])];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        return n.reduce((sum, value, k) => sum + value * a[k], 0) / Math.hypot(...n);
      }),
    );
    expect(inner).toBeCloseTo(0.05, 12);
  });

  test('a walker: several shapes a link, mirrored meshes in millimeters, a root that is held', async () => {
    const read = readUrdf(WALKER, { loadMesh: dialectMesh });
    await expect(read).rejects.toThrow(
      /line 3: the joint "root" is floating; hold it with the option fixed, { "root": 0 }/,
    );
    const { robot, jointNames, warnings } = await readUrdf(WALKER, { loadMesh: dialectMesh, fixed: { root: 0 } });
    expect(jointNames).toEqual(['left_hip', 'right_hip']);
    expect(warnings).toEqual([]);
    expect(boxOf(meshOf(robot, 'trunk'))[1]).toBeGreaterThan(0.33);
    // Solids that point outward, mirrored or not.
    for (const link of ['left', 'right']) {
      const mesh = meshOf(robot, link);
      expect(inspectMesh(mesh)).toMatchObject({ closed: true, outward: true });
      expect(massProperties(mesh).volume).toBeCloseTo(0.06 * 0.04 * 0.3, 12);
    }
    expect(boxOf(meshOf(robot, 'left')).slice(2, 4)).toEqual([0, 0.04].map((value) => expect.closeTo(value, 12)));
    expect(boxOf(meshOf(robot, 'right')).slice(2, 4)).toEqual([-0.04, 0].map((value) => expect.closeTo(value, 12)));
  });

  test('joints that are held keep their place, and so does what mimics them', async () => {
    const options = { packages: () => '/p', loadMesh: dialectMesh };
    const free = await readUrdf(RESEARCH_ARM, options);
    const held = await readUrdf(RESEARCH_ARM, { ...options, fixed: { finger_joint1: 0.03, arm_joint1: 0.5 } });
    expect(held.jointNames).toEqual(['arm_joint2']);
    const expected = forwardKinematics(free.robot, { arm_joint1: 0.5, arm_joint2: -0.2, finger_joint1: 0.03 });
    for (const [link, pose] of forwardKinematics(held.robot, [-0.2])) {
      for (const [k, value] of pose.entries()) expect(value).toBeCloseTo(expected.get(link)![k], 12);
    }
  });
});

describe('links that touch', () => {
  const near = (extra = ''): string => `<robot name="r">
    ${['a', 'b', 'c'].map((name) => `<link name="${name}"><collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision></link>`).join('')}
    ${extra}
    <joint name="p" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.1 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
    <joint name="q" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.1 0 0"/><axis xyz="1 0 0"/><limit lower="0" upper="0.02"/></joint>
  </robot>`;

  test('always: found by sampling, and said', async () => {
    const { robot, ignored, warnings } = await readUrdf(near());
    expect(ignored).toEqual([{ links: ['a', 'c'], reason: 'always', share: 1 }]);
    expect(robot.ignore).toEqual([['a', 'c']]);
    expect(warnings[0]).toMatch(/links that touch in 100 random configurations .* a and c\./);
    expect((await readUrdf(near(), { touching: 'none' })).ignored).toEqual([]);
  });

  test('by the SRDF, with its states', async () => {
    const srdf = `<robot name="r"><disable_collisions link1="a" link2="c" reason="Adjacent"/>
      <disable_collisions link1="a" link2="camera"/>
      <group_state name="home" group="arm"><joint name="p" value="0.5"/><joint name="q" value=" 0.01 "/></group_state></robot>`;
    const { ignored, states, warnings } = await readUrdf(near(), { srdf });
    expect(ignored).toEqual([{ links: ['a', 'c'], reason: 'srdf', share: null }]);
    expect(states).toEqual({ home: { p: 0.5, q: 0.01 } });
    expect(warnings).toEqual(['the SRDF names camera, which the robot has not; ignored.']);
  });

  test('at rest only', async () => {
    const far = near().replace('upper="0.02"', 'upper="5"');
    expect((await readUrdf(far)).ignored).toEqual([]);
    const { ignored } = await readUrdf(far, { touching: 'at-rest' });
    expect(ignored).toEqual([{ links: ['a', 'c'], reason: 'at-rest', share: 1 }]);
  });

  test('visual shapes are used when asked for, and it is said when there are only those', async () => {
    const visual = near('<link name="d"><visual><geometry><sphere radius="1"/></geometry></visual></link>').replace(
      '</robot>',
      '<joint name="s" type="fixed"><parent link="c"/><child link="d"/></joint></robot>',
    );
    const { robot, warnings } = await readUrdf(visual);
    expect(meshOf(robot, 'd')).toBeUndefined();
    expect(warnings[0]).toMatch(/1 of 4 links have visual shapes only/);
    expect(meshOf((await readUrdf(visual, { shapes: 'visual' })).robot, 'd')).toBeDefined();
  });
});

describe('files that are wrong', () => {
  const joint = (name: string, parent: string, child: string, more = ''): string =>
    `<joint name="${name}" type="fixed"><parent link="${parent}"/><child link="${child}"/>${more}</joint>`;
  const links = (...names: string[]): string => names.map((name) => `<link name="${name}"/>`).join('');
  const hinge = (inside: string): string =>
    `<robot>${links('a', 'b')}<joint name="h" type="revolute"><parent link="a"/><child link="b"/>${inside}</joint></robot>`;
  const shape = (inside: string): string =>
    `<robot><link name="a"><collision><geometry>${inside}</geometry></collision></link></robot>`;
  const limit = '<limit lower="-1" upper="1"/>';

  test.each([
    ['truncated', RESEARCH_ARM.slice(0, 700), /line \d+: the XML ends too early .* truncated/],
    ['no XML', 'solid ascii', /XML/],
    ['another root', '<sdf/>', /the root element is <sdf>; a URDF file has <robot>/],
    ['nothing', '<robot/>', /the robot has no links/],
    ['two links of a name', `<robot>${links('a', 'a')}</robot>`, /there are two links "a"/],
    [
      'two joints of a name',
      `<robot>${links('a', 'b', 'c')}${joint('j', 'a', 'b')}${joint('j', 'b', 'c')}</robot>`,
      /two joints "j"/,
    ],
    ['two roots', `<robot>${links('a', 'b')}</robot>`, /"a", "b" have no parent; a robot has one root/],
    [
      'a cycle',
      `<robot>${links('a', 'b')}${joint('j', 'a', 'b')}${joint('k', 'b', 'a')}</robot>`,
      /every link has a parent.* cycle/,
    ],
    [
      'a cycle beside a root',
      `<robot>${links('r', 'a', 'b')}${joint('j', 'a', 'b')}${joint('k', 'b', 'a')}</robot>`,
      /the joints "j", "k" form a cycle/,
    ],
    [
      'an unknown parent',
      `<robot>${links('a', 'b')}${joint('j', 'c', 'b')}</robot>`,
      /the joint "j" names the link "c", which there is not/,
    ],
    [
      'two parents',
      `<robot>${links('a', 'b', 'c')}${joint('j', 'a', 'c')}${joint('k', 'b', 'c')}</robot>`,
      /"c" has two parents, "a" and "b"/,
    ],
    ['no limits', hinge(''), /the revolute joint "h" has no <limit>; give lower and upper, or make it continuous/],
    ['swapped limits', hinge('<limit lower="1" upper="-1"/>'), /limits from 1 to -1; swap them/],
    ['NaN', hinge('<limit lower="nan" upper="1"/>'), /"nan" in lower of <limit> is not a finite number/],
    ['a word', hinge(`${limit}<origin xyz="0 0 up"/>`), /"up" in xyz of <origin> is not a finite number/],
    ['two numbers', hinge(`${limit}<origin xyz="0 0"/>`), /xyz of <origin> is "0 0"; give 3 numbers/],
    ['no axis', hinge(`${limit}<axis xyz="0 0 0"/>`), /the axis 0 0 0/],
    ['an unknown type', hinge(limit).replace('revolute', 'hinge'), /has the type "hinge"; the types are revolute/],
    [
      'a planar joint',
      hinge(limit).replace('revolute', 'planar'),
      /is planar; hold it .* or put two prismatic joints and a continuous one/,
    ],
    ['an unknown leader', hinge(`${limit}<mimic joint="g"/>`), /mimics "g", which there is not/],
    [
      'macros',
      '<robot xmlns:xacro="x"><xacro:arm/></robot>',
      /expand it first, with `xacro robot.urdf.xacro > robot.urdf`/,
    ],
    ['expressions', hinge(`<limit lower="\${-pi}" upper="1"/>`), /expand it first/],
    ['a box without size', shape('<box/>'), /<box> has no attribute "size"/],
    ['a flat box', shape('<box size="1 0 1"/>'), /size of <box> is "1 0 1"; give sizes above 0/],
    ['an unknown shape', shape('<capsule radius="1" length="1"/>'), /<capsule> is no shape of URDF/],
    [
      'an unknown package',
      shape('<mesh filename="package://arm/a.stl"/>'),
      /packages: { "arm": folder } or --package arm=FOLDER/,
    ],
    [
      'an unknown format',
      shape('<mesh filename="a.blend"/>'),
      /"a.blend" is in a format that is not read; convert it to STL, OBJ or DAE/,
    ],
    ['an address', shape('<mesh filename="https://host/a.stl"/>'), /save it beside the URDF/],
    ['a scale of 0', shape('<mesh filename="a.stl" scale="1 0 1"/>'), /the scale has a 0/],
  ])('%s', async (_, text, message) => {
    await expect(readUrdf(text, { loadMesh: dialectMesh })).rejects.toThrow(message);
    await expect(readUrdf(text, { loadMesh: dialectMesh })).rejects.toMatchObject({ name: 'NearfieldError' });
  });

  test('a mesh that cannot be read says so with its line, and without a reader it says what to give', async () => {
    const text = shape('\n<mesh filename="a.stl"/>');
    await expect(readUrdf(text)).rejects.toThrow(/line 2: .* give the option loadMesh/);
    const open = readUrdf(text, { loadMesh: () => ({ positions: new Float64Array(0), indices: new Uint32Array(0) }) });
    await expect(open).rejects.toThrow(/^line 2: /);
    await expect(readUrdf(FACTORY_ARM, { fixed: { knee: 1 } })).rejects.toThrow(/fixed names the joint "knee"/);
    await expect(readUrdf(FACTORY_ARM, { fixed: { elbow: Number.NaN } })).rejects.toThrow(
      /fixed has NaN for the joint elbow/,
    );
    await expect(readUrdf(FACTORY_ARM, { touching: 'never' as never })).rejects.toThrow(/touching is 'never'/);
    await expect(readUrdf(7 as never)).rejects.toThrow(/The URDF is 7/);
  });
});

describe('planning', () => {
  const wall = { mesh: boxes([0.5, 0.4, 0.2, 1.2, 0.6, 0.6]) };

  test('a factory arm goes around a wall, to values and to a place, and the checker proves it', async () => {
    const { robot } = await readUrdf(FACTORY_ARM, { loadMesh: dialectMesh });
    for (const goal of [
      { turntable: 1.2, elbow: 0.4 },
      { link: 'tool', position: [0.3, 1, 0.2] as const, tolerance: 0.03 },
    ]) {
      const problem = { robots: [{ ...robot, start: { elbow: 0.4 }, goal }], environment: [wall], clearance: 0.01 };
      const result = planMotion(problem);
      expect(result.status).toBe('solved');
      expect(checkAnswer(problem, result)).toEqual([]);
    }
  });

  test('problem files name URDF files', async () => {
    const text = JSON.stringify({
      robots: [
        {
          type: 'chain',
          urdf: 'robots/six.urdf',
          start: { elbow: 0.4 },
          goal: { link: 'tool', position: [0.3, 1, 0.2], tolerance: 0.03 },
        },
      ],
      environment: [],
    });
    const asked: string[] = [];
    const problem = await readPlanProblem(text, {
      loadText: (file) => {
        asked.push(file);
        return FACTORY_ARM;
      },
      loadMesh: (file) => {
        asked.push(file);
        return dialectMesh(file);
      },
    });
    expect(asked).toEqual(['robots/six.urdf', '/robots/six/meshes/rod.obj', 'robots/meshes/rod.obj']);
    expect(problem.robots[0]).toMatchObject({ type: 'chain', name: 'six', start: { elbow: 0.4 } });
    expect(planMotion(problem).status).toBe('solved');
    const broken = readPlanProblem(text, { loadMesh: dialectMesh, loadText: () => WALKER });
    await expect(broken).rejects.toThrow(/^robots\[0\].urdf: line 3: the joint "root" is floating/);
    await expect(readPlanProblem(text, { loadMesh: dialectMesh })).rejects.toThrow(/loadText/);
  });

  test('folders of packages are those of the problem', async () => {
    const robot = { urdf: 'a/b/seven.urdf', packages: { seven_description: 'seven' }, start: {}, goal: [0, 0, 0] };
    const asked: string[] = [];
    await readPlanProblem(JSON.stringify({ robots: [robot], environment: [] }), {
      loadText: () => RESEARCH_ARM,
      loadMesh: (file) => {
        asked.push(file);
        return dialectMesh(file);
      },
    });
    expect(asked[0]).toBe('seven/meshes/collision/link0.stl');
  });
});

test.each(['arm', 'crane'])('the sample %s as URDF is read as it was written', async (name) => {
  const [robot] = planningSample(name).robots as [ChainPlanRobot];
  const { urdf, srdf, meshes } = writeUrdf(robot);
  const read = await readUrdf(urdf, { srdf, loadMesh: (file) => meshes.get(file)!, touching: 'none' });
  expect(read.robot.links).toEqual(robot.links);
  const values = (robot.goal as number[]).slice();
  const expected = forwardKinematics({ ...robot, base: undefined }, values);
  for (const [link, pose] of forwardKinematics(read.robot, values)) {
    const frame = matrixOf(pose);
    for (const [i, value] of matrixOf(expected.get(link)!).entries()) expect(frame[i]).toBeCloseTo(value, 12);
  }
});
