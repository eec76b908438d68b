// The verb sweep: the keys of its answer, --assert, frames, robots, reports, and what it refuses.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeModel } from '../../src/io/model/write-model.js';
import { boxMesh } from '../../src/kinematics/urdf/outer-shapes.js';
import type { SweepResult } from '../../src/sweep/sweep-result.js';
import { runCommand, runJson } from './run-command.js';
import { findMarkupFault } from './well-formed.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);
const ROBOT = `<robot name="r"><link name="base"><collision><geometry><box size="1 1 0.2"/></geometry></collision></link>
<link name="mast"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
<joint name="lift" type="prismatic"><parent link="base"/><child link="mast"/><axis xyz="0 0 1"/><limit lower="0.3" upper="1" effort="1" velocity="1"/></joint>
<joint name="swing" type="revolute"><parent link="mast"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="0" upper="0.6" effort="1" velocity="1"/></joint></robot>`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-sweep-'));
  writeFileSync(inFolder('block.stl'), await writeModel(boxMesh([1, 1, 1]), 'stl'));
  const parts = [
    { name: 'bed', model: 'block.stl' },
    { name: 'slide', model: 'block.stl', pose: [0, 0, 1.2, 0, 0, 0, 1] },
  ];
  const joints = [
    {
      name: 'way',
      type: 'prismatic',
      parent: 'bed',
      child: 'slide',
      origin: [0, 0, 0, 0, 0, 0, 1],
      axis: [0, 0, 1],
      range: [-0.1, 0.5],
    },
  ];
  writeFileSync(
    inFolder('press.json'),
    JSON.stringify({ format: 'nearfield-mechanism', version: 1, unit: 'm', parts, joints }),
  );
  writeFileSync(inFolder('robot.urdf'), ROBOT);
  const two = {
    format: 'glb' as const,
    meshes: [{ name: 'block', mesh: boxMesh([1, 1, 1]) }],
    parts: ['a', 'b'].map((name, i) => ({
      name,
      meshIndex: 0,
      transform: Float64Array.of(1, 0, 0, 3 * i, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    })),
  };
  writeFileSync(inFolder('two.glb'), await writeModel(two, 'glb'));
  const frames = [0, 1, 2].map((time) => ({ time, b: [3 - Math.min(time, 1), time === 2 ? 5 : 0, 0, 0, 0, 0, 1] }));
  writeFileSync(inFolder('frames.json'), JSON.stringify({ frames }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sweepJson = (...args: string[]): SweepResult => runJson<SweepResult>('sweep', ...args);

describe('nearfield sweep', () => {
  test('has the keys of the contract', () => {
    const answer = sweepJson(inFolder('press.json'));
    expect(answer.verdict).toBe('holds');
    expect(answer.least!.lower).toBeLessThanOrEqual(0.1);
    expect(answer.least!.upper).toBeGreaterThanOrEqual(0.1 - 1e-7);
    const [pair] = answer.pairs;
    expect(Object.keys(pair)).toEqual(
      expect.arrayContaining(['a', 'b', 'lower', 'upper', 'at', 'pointA', 'pointB', 'depth', 'violated']),
    );
    expect(Object.keys(pair.at)).toEqual(['way']);
    expect(answer.queries).toBeGreaterThan(0);
    expect(answer.milliseconds).toBeGreaterThan(0);
  });

  test('asserts a clearance with the exit code 3', () => {
    expect(runCommand('sweep', inFolder('press.json'), '--clearance', '0.05', '--assert').code).toBe(0);
    const failed = runCommand('sweep', inFolder('press.json'), '--clearance', '0.15', '--assert');
    expect(failed.code).toBe(3);
    expect(failed.stdout).toContain('violated');
    expect(runCommand('sweep', inFolder('press.json'), '--clearance', '0.15').code).toBe(0);
  });

  test('varies joints of a robot, and sets others', () => {
    const { axes, pairs } = sweepJson(
      inFolder('robot.urdf'),
      '--vary',
      'swing=0:0.2',
      '--at',
      'lift=0.5',
      '--within',
      '2',
    );
    expect(axes).toEqual([{ name: 'swing', low: 0, high: 0.2 }]);
    // The corner of the arm's end is lowest where it leans most, above the top of the base.
    const nearest = 0.5 - Math.sin(0.2) * 0.5 - 0.05 * Math.cos(0.2) - 0.1;
    expect(pairs[0].lower).toBeLessThanOrEqual(nearest + 1e-6);
    expect(pairs[0].upper).toBeLessThanOrEqual(0.4);
    expect(sweepJson(inFolder('robot.urdf')).axes).toHaveLength(2);
  });

  test('moves an assembly by frames', () => {
    const { pairs, axes } = sweepJson(inFolder('two.glb'), '--frames', inFolder('frames.json'), '--within', '3');
    expect(axes).toEqual([{ name: 'time', low: 0, high: 2 }]);
    expect(pairs[0].upper).toBeCloseTo(1, 5);
    expect(pairs[0].at).toBeCloseTo(1, 2);
  });

  test('moves an assembly by an answer of simulate, and by the animation of its GLB', () => {
    const scene = {
      timestep: 0.01,
      bodies: [
        { name: 'floor', shape: { box: [4, 1, 4] }, fixed: true },
        { name: 'stone', shape: { box: [1, 1, 1] }, pose: [0, 2, 0, 0, 0, 0, 1] },
      ],
    };
    writeFileSync(inFolder('fall.scene.json'), JSON.stringify(scene));
    const simulation = runJson('simulate', inFolder('fall.scene.json'), '--steps', '20', '-o', inFolder('fall.glb'));
    writeFileSync(inFolder('fall.json'), JSON.stringify(simulation));
    const byFrames = sweepJson(inFolder('fall.glb'), '--frames', inFolder('fall.json'), '--within', '3');
    const byAnimation = sweepJson(inFolder('fall.glb'), '--within', '3');
    // Halves of 1 from the centers, less a fall of 0.2 s.
    const gap = 1 - (9.81 * 0.2 ** 2) / 2;
    for (const { pairs, axes } of [byFrames, byAnimation]) {
      expect(axes[0].high).toBeCloseTo(0.2, 6);
      expect(pairs[0].lower).toBeLessThanOrEqual(gap + 1e-3);
      expect(pairs[0].upper).toBeCloseTo(gap, 3);
      expect(pairs[0].at).toBeCloseTo(0.2, 3);
    }
  });

  test('moves an MJCF robot as the same URDF, leaves out what an SRDF allows, and threads answer the same', () => {
    writeFileSync(
      inFolder('robot.xml'),
      `<mujoco model="r"><compiler angle="radian"/><worldbody><body name="base"><geom type="box" size="0.5 0.5 0.1"/>
<body name="mast"><joint name="lift" type="slide" axis="0 0 1" range="0.3 1"/>
<body name="arm"><joint name="swing" type="hinge" axis="0 1 0" range="0 0.6"/>
<geom type="box" pos="0.5 0 0" size="0.5 0.05 0.05"/></body></body></body></worldbody></mujoco>`,
    );
    const asked = ['--vary', 'swing', '--at', 'lift=0.5', '--within', '2'];
    const urdf = sweepJson(inFolder('robot.urdf'), ...asked);
    const mjcf = sweepJson(inFolder('robot.xml'), ...asked);
    expect(mjcf.least!.upper).toBeCloseTo(urdf.least!.upper, 9);
    const threads = sweepJson(inFolder('robot.urdf'), ...asked, '--workers', '2');
    expect({ ...threads, milliseconds: 0 }).toEqual({ ...urdf, milliseconds: 0 });
    writeFileSync(
      inFolder('robot.srdf'),
      '<robot name="r"><disable_collisions link1="base" link2="arm" reason="Never"/></robot>',
    );
    const allowed = sweepJson(inFolder('robot.urdf'), ...asked, '--srdf', inFolder('robot.srdf'));
    expect(allowed.pairs).toHaveLength(urdf.pairs.length - 1);
  });

  test('writes a page that is well formed and loads nothing', () => {
    for (const [file, ...more] of [[inFolder('press.json')], [inFolder('robot.urdf'), '--within', '2']]) {
      const page = inFolder('page.html');
      runJson('sweep', file, ...more, '--report', page);
      const text = readFileSync(page, 'utf8');
      expect(findMarkupFault(text)).toBeNull();
      expect(text).toContain('id="pair-0"');
      expect(text).not.toMatch(/(?:src|href)="http/);
    }
  });

  test('refuses what it cannot sweep, in one line', () => {
    for (const [args, words] of [
      [[inFolder('two.glb')], '--frames'],
      [[inFolder('press.json'), '--vary', 'twist'], 'twist'],
      [[inFolder('press.json'), '--vary', 'way=a:b'], 'way'],
      [[inFolder('press.json'), '--at', 'way'], 'JOINT=VALUE'],
      [[inFolder('press.json'), '--ignore', 'slide'], 'two names'],
      [[inFolder('press.json'), '--srdf', 'x.srdf'], 'URDF'],
      [[inFolder('press.json'), '--report', 'page.pdf'], '.html'],
      [[inFolder('press.json'), '--clearance', '-1'], 'clearance'],
      [[inFolder('frames.json')], 'parts'],
    ] as const) {
      const { code, stderr } = runCommand('sweep', ...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(words);
    }
  });
});
