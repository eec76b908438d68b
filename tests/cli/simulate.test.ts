import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/dynamics/index.js';
import { readModel } from '../../src/io/index.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-simulate-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
  writeFileSync(inFolder('sheet.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  writeScene('scene.json', {
    timestep: 0.01,
    bodies: [
      { name: 'cube', shape: { file: 'cube.obj' }, density: 10, velocity: [1, 0, 0] },
      { shape: { sphere: 0.5 }, pose: [0, 5, 0, 0, 0, 0, 1], mass: 2 },
    ],
    probes: [{ body: 'cube', point: [0, 0, 0] }],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeScene(name: string, scene: unknown): string {
  writeFileSync(inFolder(name), typeof scene === 'string' ? scene : JSON.stringify(scene));
  return inFolder(name);
}

const simulate = (...options: string[]): SimulationResult =>
  runJson<SimulationResult>('simulate', inFolder('scene.json'), ...options);

describe('simulate', () => {
  test('prints the keys of the contract', () => {
    const result = simulate('--steps', '10', '--every', '4');
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(['frames', 'steps', 'substeps', 'elements', 'status', 'milliseconds', 'msPerStep']),
    );
    expect(result).toMatchObject({ steps: 10, elements: 0, status: 'done' });
    expect(Object.keys(result.msPerStep)).toEqual(['mean', 'median', 'p95', 'max']);
    expect(result.frames.map(({ time }) => Number(time.toFixed(9)))).toEqual([0, 0.04, 0.08, 0.1]);
    const frame = result.frames[3];
    expect(frame.bodies).toHaveLength(2);
    expect(Object.keys(frame.bodies[0])).toEqual(['pose', 'centerOfMass', 'velocity', 'angularVelocity']);
    expect(Object.keys(frame.energy)).toEqual(['kinetic', 'gravitational', 'elastic', 'contact', 'total']);
    expect(frame.momentum.linear).toHaveLength(3);
    expect(frame.momentum.angular).toHaveLength(3);
    expect(frame).toMatchObject({ contacts: 0, worstPenetration: 0, inverted: 0 });
    const fallen = -(9.81 * 0.1 ** 2) / 2;
    expect(frame.bodies[0].centerOfMass[1]).toBeCloseTo(0.5 + fallen, 12);
    expect(frame.probes).toEqual([[expect.closeTo(0.1, 12), expect.closeTo(fallen, 12), expect.closeTo(0, 12)]]);
    expect(frame.momentum.linear[0]).toBeCloseTo(10, 9);
  });

  test('finds times of impacts as asked, in place of the way of the scene', () => {
    const scene = {
      method: 'time-of-contact',
      timeOfContact: 'bisection',
      bodies: [
        { shape: { box: [2, 1, 2] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true },
        { shape: { box: [1, 1, 1] }, pose: [0, 1.2, 0, 0.1, 0.2, 0.3, 0.9], velocity: [0, -3, 0], restitution: 0.5 },
      ],
    };
    const endOf = (...options: string[]) => {
      const path = writeScene('times.json', options.length > 0 ? scene : { ...scene, timeOfContact: 'cubic' });
      return runJson<SimulationResult>('simulate', path, '--steps', '20', ...options).frames.at(-1);
    };
    const asked = endOf('--time-of-contact', 'cubic');
    expect(asked).toEqual(endOf());
    expect(asked).not.toEqual(endOf('--time-of-contact', 'extrapolation'));
  });

  test('prints a table for people', () => {
    const { code, stdout } = runCommand('simulate', inFolder('scene.json'), '--steps', '100');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^time +kinetic +gravitational/);
    expect(stdout).toMatch(/\nstatus +done\n/);
    expect(stdout.split('\n').length).toBeLessThan(35);
  });

  test('writes an animation that has one node a body', async () => {
    const file = inFolder('motion.glb');
    expect(runCommand('simulate', inFolder('scene.json'), '--steps', '6', '--every', '2', '-o', file).code).toBe(0);
    const bytes = readFileSync(file);
    const read = await readModel(bytes, { fileName: 'motion.glb' });
    expect(read.parts.map(({ name }) => name)).toEqual(['cube', 'body 1']);
    const json = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
    // The cube moves without turning, the ball too: translations at four times.
    expect(json.animations[0].channels).toHaveLength(2);
    expect(json.accessors[json.animations[0].samplers[0].input]).toMatchObject({ count: 4, min: [0] });
  });

  test('writes the answer as JSON', () => {
    const file = inFolder('out.json');
    const printed = simulate('--steps', '5', '-o', file);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(printed);
  });

  test('gives the same numbers each time', () => {
    const [a, b] = [simulate('--steps', '20'), simulate('--steps', '20')];
    expect(a.frames).toEqual(b.frames);
  });

  test('ends early with the budget', () => {
    const { code, stdout, stderr } = runCommand(
      'simulate',
      inFolder('scene.json'),
      '--steps',
      '100000000',
      '--max-seconds',
      '0.05',
      '--every',
      '1000000',
      '--json',
    );
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 0, status: 'budget' });
    expect(stderr).toContain('the time ran out after');
  });

  test.each<[string, unknown, string[], string[]]>([
    ['an unknown key', { bodies: [], gravitation: 1 }, [], ['The scene has the unknown key "gravitation"']],
    ['no JSON', '{', [], ['not valid JSON']],
    ['zero mass', { bodies: [{ shape: { sphere: 1 }, mass: 0 }] }, [], ['bodies[0].mass is 0; give']],
    [
      'a missing file',
      { bodies: [{ shape: { file: 'none.obj' } }] },
      [],
      ['bodies[0].shape', 'none.obj', 'no such file'],
    ],
    ['an open mesh', { bodies: [{ shape: { file: 'sheet.obj' } }] }, [], ['bodies[0].shape', 'open']],
    [
      'an elastic body without a modulus',
      { bodies: [{ shape: { sphere: 1 }, elastic: {} }] },
      [],
      ['bodies[0].elastic has no "young"'],
    ],
    [
      'a hold where the body is not',
      {
        bodies: [
          { shape: { box: [1, 1, 1] }, elastic: { young: 1, resolution: 2 }, hold: [{ box: [2, 2, 2, 3, 3, 3] }] },
        ],
      },
      [],
      ['bodies[0].hold[0].box holds no node', '-0.5 to 0.5'],
    ],
    ['a method that does not exist', { bodies: [] }, ['--method', 'magic'], ['--method is "magic"', 'penalty']],
    [
      'times of contact in the plane',
      { dimension: 2, bodies: [] },
      ['--time-of-contact', 'cubic'],
      ['timeOfContact is for scenes in space'],
    ],
    [
      'unknown times of contact',
      { bodies: [] },
      ['--time-of-contact', 'magic'],
      ['--time-of-contact is "magic"', 'cubic'],
    ],
    ['more frames than a text can hold', { bodies: [{ shape: { sphere: 1 } }] }, ['--steps', '2000000'], ['--every']],
    ['a fraction of a step', { bodies: [] }, ['--steps', '1.5'], ['--steps is "1.5"']],
    ['an output of another kind', { bodies: [] }, ['-o', 'a.obj'], ['a.obj', '.glb or .json']],
    ['an output in no folder', { bodies: [] }, ['-o', '/none/a.glb'], ['/none/a.glb', 'no such folder']],
  ])('refuses %s in one line', (_, scene, options, words) => {
    const { code, stdout, stderr } = runCommand('simulate', writeScene('bad.json', scene), ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
    for (const word of words) expect(stderr).toContain(word);
  });
});
