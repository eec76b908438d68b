// Robots of MJCF files: frames of bodies against products of matrices as MuJoCo's documentation has them, default classes,
// limits, shapes, keyframes, pairs that may touch, and files that are refused.
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../src/core/random.js';
import { forwardKinematics, readMjcf } from '../../src/planning/index.js';

type Matrix = readonly (readonly number[])[];

const IDENTITY: Matrix = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((k) => (i === k ? 1 : 0)));

function times(...factors: readonly Matrix[]): Matrix {
  return factors.reduce((a, b) => {
    return a.map((row) => [0, 1, 2, 3].map((k) => row.reduce((sum, value, i) => sum + value * b[i][k], 0)));
  }, IDENTITY);
}

function shift([x, y, z]: readonly number[]): Matrix {
  return [
    [1, 0, 0, x],
    [0, 1, 0, y],
    [0, 0, 1, z],
    [0, 0, 0, 1],
  ];
}

/** A turn about an axis of any length (Rodrigues 1840). */
function turn(axis: readonly number[], angle: number): Matrix {
  const [x, y, z] = axis.map((value) => value / Math.hypot(...axis));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const v = 1 - c;
  return [
    [c + v * x * x, v * x * y - s * z, v * x * z + s * y, 0],
    [v * x * y + s * z, c + v * y * y, v * y * z - s * x, 0],
    [v * x * z - s * y, v * y * z + s * x, c + v * z * z, 0],
    [0, 0, 0, 1],
  ];
}

const words = (values: readonly number[]): string => values.join(' ');

/** An orientation in one of MJCF's ways, and its matrix. Angles are in degrees. */
function randomTurn(random: Random, kind: number): readonly [string, Matrix] {
  const axis = random.direction().map((value) => 2 * value);
  const degrees = random.range(-170, 170);
  const angle = (degrees * Math.PI) / 180;
  const unit = axis.map((value) => value / 2);
  if (kind === 0) return [`axisangle="${words([...axis, degrees])}"`, turn(axis, angle)];
  if (kind === 1) {
    const quat = [Math.cos(angle / 2), ...unit.map((value) => value * Math.sin(angle / 2))];
    return [`quat="${words(quat.map((value) => 3 * value))}"`, turn(axis, angle)];
  }
  if (kind === 2) {
    // As eulerseq says: about the own z, then about the outer x, then about the own y.
    const [a, b, c] = [degrees, 0.3 * degrees, -0.5 * degrees];
    const own = [a, b, c].map((value) => (value * Math.PI) / 180);
    const matrix = times(turn([1, 0, 0], own[1]), turn([0, 0, 1], own[0]), turn([0, 1, 0], own[2]));
    return [`euler="${words([a, b, c])}"`, matrix];
  }
  const whole = turn(axis, angle);
  const column = (k: number): number[] => [0, 1, 2].map((row) => whole[row][k]);
  // The second axis may lean to the first, and be of any length.
  const leaning = column(1).map((value, row) => 2 * value + 0.5 * column(0)[row]);
  return [`xyaxes="${words([...column(0), ...leaning])}"`, whole];
}

test('bodies stand where products of matrices say, whatever way their frames are given', async () => {
  const random = createRandom(21);
  const vector = (): number[] => [0, 1, 2].map(() => random.range(-1, 1));
  for (let round = 0; round < 30; round++) {
    let xml = '';
    let close = '';
    const bodies: {
      frame: Matrix;
      joints: { name: string; at: readonly number[]; axis: readonly number[]; slide: boolean; ref: number }[];
    }[] = [];
    for (let body = 0; body < 4; body++) {
      const [text, matrix] = randomTurn(random, (round + body) % 4);
      const at = vector();
      const joints = Array.from({ length: random.integer(3) }, (_, j) => {
        const slide = random.next() < 0.4;
        const ref = random.next() < 0.3 ? random.range(-0.2, 0.2) : 0;
        return { name: `j${body}${j}`, at: vector(), axis: vector(), slide, ref };
      });
      bodies.push({ frame: times(shift(at), matrix), joints });
      const own = joints.map(({ name, at: anchor, axis, slide, ref }) => {
        const unit = slide ? 1 : 180 / Math.PI;
        return `<joint name="${name}" type="${slide ? 'slide' : 'hinge'}" pos="${words(anchor)}" axis="${words(axis)}" range="${-2 * unit} ${2 * unit}" ref="${ref * unit}"/>`;
      });
      xml += `<body name="b${body}" pos="${words(at)}" ${text}>${own.join('')}`;
      close += '</body>';
    }
    const { robot, jointNames } = await readMjcf(
      `<mujoco><compiler eulerseq="zXy"/><worldbody>${xml}${close}</worldbody></mujoco>`,
    );
    expect(jointNames).toEqual(bodies.flatMap(({ joints }) => joints.map(({ name }) => name)));
    const values = Object.fromEntries(jointNames.map((name) => [name, random.range(-1, 1)]));
    const frames = forwardKinematics(robot, values);
    let frame = IDENTITY;
    for (const [body, { frame: own, joints }] of bodies.entries()) {
      frame = times(frame, own);
      // Each joint moves the body as those before it have left it. Coordinates count from ref.
      for (const { name, at, axis, slide } of joints) {
        const length = Math.hypot(...axis);
        const motion = slide
          ? shift(axis.map((value) => (value / length) * values[name]))
          : times(shift(at), turn(axis, values[name]), shift(at.map((value) => -value)));
        frame = times(frame, motion);
      }
      const found = frames.get(`b${body}`)!;
      // The link's frame is at the anchor of the body's last joint.
      const anchor = joints.at(-1)?.at ?? [0, 0, 0];
      const expected = times(frame, shift(anchor));
      for (let k = 0; k < 3; k++) expect(found[k]).toBeCloseTo(expected[k][3], 9);
      const [x, y, z, w] = found.slice(3);
      expect(1 - 2 * (y * y + z * z)).toBeCloseTo(expected[0][0], 9);
      expect(2 * (x * y + z * w)).toBeCloseTo(expected[1][0], 9);
      expect(2 * (y * z + x * w)).toBeCloseTo(expected[2][1], 9);
    }
  }
});

const ARM = `<mujoco model="arm">
<compiler angle="radian"/>
<default>
  <geom contype="1" conaffinity="2"/>
  <default class="big"><geom type="box" size="0.2 0.1 0.1"/><joint range="-1 1"/>
    <default class="slim"><geom size="0.1 0.1 0.1"/></default>
  </default>
</default>
<worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="base" childclass="big">
    <joint name="lift" type="slide" axis="0 0 1"/>
    <geom/>
    <frame pos="0 0 2"><geom class="slim"/></frame>
    <body name="arm" pos="1 0 0">
      <joint name="turn" ref="0.25"/>
      <geom type="capsule" size="0.1" fromto="0 0 0 0 0 1"/>
      <composite type="cable"/>
    </body>
    <body name="tool" pos="0 1 0"><joint name="grip" limited="false"/><geom contype="2"/></body>
  </body>
</worldbody>
<contact><exclude body1="base" body2="tool"/></contact>
<equality><joint joint1="grip" joint2="turn" polycoef="0.5 2 0 0 0"/></equality>
<keyframe><key name="home" qpos="0.5 0.75 1"/></keyframe>
</mujoco>`;

test('default classes, limits, shapes, keyframes, pairs that may touch, and what is left out', async () => {
  const { robot, jointNames, ignored, states, warnings } = await readMjcf(ARM, { touching: 'none' });
  expect(jointNames).toEqual(['lift', 'turn']);
  const joint = (name: string) => robot.joints.find((other) => other.name === name)!;
  expect(joint('lift')).toMatchObject({ type: 'prismatic', limits: [-1, 1] });
  // Coordinates begin at ref.
  expect(joint('turn')).toMatchObject({ type: 'revolute', limits: [-1.25, 0.75] });
  expect(joint('grip')).toMatchObject({ type: 'continuous', mimic: { joint: 'turn', factor: 2, offset: 0.5 } });
  expect(states).toEqual({ home: { lift: 0.5, turn: 0.5 } });
  expect(warnings.join(' ')).toMatch(/plane.*give obstacles/);
  expect(warnings.join(' ')).toMatch(/the soft body of <composite> in line 18 is left out/);
  const extent = (name: string): number[] => {
    const { positions } = robot.links.find((link) => link.name === name)!.mesh!;
    return [0, 1, 2].map((k) => {
      const values = Array.from(positions).filter((_, i) => i % 3 === k);
      return Math.max(...values) - Math.min(...values);
    });
  };
  expect(extent('base').map((value) => Math.round(1e9 * value) / 1e9)).toEqual([0.4, 0.2, 2.2]);
  // A capsule's mesh contains it.
  expect(extent('arm')[2]).toBeGreaterThanOrEqual(1.2);
  expect(extent('arm')[2]).toBeLessThan(1.3);
  const pairs = ignored.map(({ links }) => [...links].sort().join(' '));
  // Bits of base and arm never meet: 1 & 2 of equal shapes is 0. Those of the tool meet both.
  expect(pairs.sort()).toEqual(['arm base', 'base tool']);
});

test('files include others once, and meshes are loaded once', async () => {
  const files: Record<string, string> = {
    'arm.xml':
      '<mujoco><body name="arm"><joint range="-1 1"/><geom mesh="m"/><include file="more.xml"/></body></mujoco>',
    'more.xml': '<mujoco><geom mesh="m" pos="1 0 0"/></mujoco>',
  };
  const main = (name: string): string =>
    `<mujoco><compiler meshdir="parts/"/><asset><mesh name="m" file="m.stl" scale="2 2 2"/></asset><worldbody><include file="${name}"/></worldbody></mujoco>`;
  const loaded: string[] = [];
  const tetrahedron = {
    positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  };
  const options = {
    loadText: (file: string) => files[file],
    loadMesh: (file: string) => {
      loaded.push(file);
      return tetrahedron;
    },
  };
  const { robot } = await readMjcf(main('arm.xml'), options);
  expect(loaded).toEqual(['parts/m.stl']);
  expect(robot.links[1].mesh!.indices).toHaveLength(24);
  expect(Math.max(...robot.links[1].mesh!.positions)).toBe(3);
  files['more.xml'] = '<mujoco><include file="arm.xml"/></mujoco>';
  await expect(readMjcf(main('arm.xml'), options)).rejects.toThrow(/"arm.xml" is included twice/);
  await expect(readMjcf(main('arm.xml'))).rejects.toThrow(/give the option loadText/);
});

test('what is no robot is refused, with its line and what to do', async () => {
  const world = (text: string): string => `<mujoco>\n<worldbody>\n${text}\n</worldbody></mujoco>`;
  const body = (text: string): string => world(`<body name="a">\n${text}</body>`);
  const refused: readonly (readonly [string, RegExp])[] = [
    ['<robot/>', /an MJCF file has <mujoco>/],
    ['<mujoco><compiler angle="turns"/></mujoco>', /give degree or radian/],
    [body('<joint type="slide"/>'), /line 4: the slide .* has no range/],
    [body('<joint axis="0 0 0"/>'), /line 4: .*give a direction/],
    [body('<joint range="1 -1"/>'), /line 4: .*swap its ends/],
    [body('<geom size="-1"/>'), /line 4: the sphere has the size "-1"/],
    [body('<geom type="mesh" mesh="m"/>'), /the mesh "m" is not in <asset>/],
    [body('<geom class="x" size="1"/>'), /the class "x" is not in <default>/],
    [body('<replicate/>'), /<replicate> is not read/],
    [world('<body name="a"/><body name="a"/>'), /two bodies "a"/],
    [
      `${world('<body name="a"><joint name="j"/></body>').slice(0, -9)}<keyframe><key qpos="1 2"/></keyframe></mujoco>`,
      /qpos of <key> has 2 numbers; give 1/,
    ],
  ];
  for (const [text, message] of refused) await expect(readMjcf(text), text).rejects.toThrow(message);
  const hinge = body('<joint name="j"/>');
  await expect(readMjcf(hinge, { fixed: { j: Number.NaN } })).rejects.toThrow(/fixed has NaN for the joint j/);
  await expect(readMjcf(hinge, { fixed: { k: 1 } })).rejects.toThrow(/fixed names the joint "k"/);
  await expect(readMjcf(hinge, { shapes: 'all' as never })).rejects.toThrow(/give 'collision' or 'visual'/);
});
