import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readable } from '../../src/cli/table.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface Feature {
  kind: 'vertex' | 'edge' | 'face';
  vertices: number[];
}

interface MeasureAnswer {
  intersects: boolean;
  distance: number | null;
  error: number;
  within?: boolean;
  pointA: number[] | null;
  pointB: number[] | null;
  normal: number[] | null;
  featureA: Feature | null;
  featureB: Feature | null;
  contacts: { pointA: number[]; pointB: number[]; distance: number; normal: number[] }[];
  contactTolerance?: number;
  counters: Record<string, number>;
}

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;
/** The cube, shrunk to a tenth about its center. */
const SMALL = CUBE.replace(/^v (.) (.) (.)$/gm, (_, x, y, z) => `v ${0.45 + x / 10} ${0.45 + y / 10} ${0.45 + z / 10}`);
/** An octahedron of radius 1: a vertex on each axis. */
const OCTAHEDRON = `v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1
f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-measure-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
  writeFileSync(inFolder('small.obj'), SMALL);
  writeFileSync(inFolder('lidless.obj'), CUBE.replace('f 5 6 7 8\n', ''));
  writeFileSync(inFolder('octahedron.obj'), OCTAHEDRON);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const measure = (a: string, b: string, ...options: string[]): MeasureAnswer =>
  runJson<MeasureAnswer>('measure', inFolder(a), inFolder(b), ...options);

function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

const close = (values: number[]): unknown[] => values.map((value) => expect.closeTo(value, 12));

describe('measure', () => {
  test('prints the keys of the contract for two boxes side by side', () => {
    const answer = measure('cube.obj', 'cube.obj', '--pose-b', '3,0,0,0,0,0,1');
    expect(answer).toMatchObject({ intersects: false, distance: 2, normal: [1, 0, 0], contacts: [] });
    expect(answer.error).toBeGreaterThanOrEqual(0);
    expect(answer.error).toBeLessThan(1e-11);
    expect(answer.pointA?.[0]).toBe(1);
    expect(answer.pointB).toEqual([3, answer.pointA?.[1], answer.pointA?.[2]]);
    for (const feature of [answer.featureA, answer.featureB]) {
      expect(['vertex', 'edge', 'face']).toContain(feature?.kind);
      expect(feature?.vertices).toHaveLength({ vertex: 1, edge: 2, face: 3 }[feature?.kind ?? 'face']);
    }
    for (const count of Object.values(answer.counters)) expect(count).toBeTypeOf('number');
    expect(answer.counters.trianglePairs).toBeGreaterThan(0);
    expect(answer).not.toHaveProperty('within');
    // The list is empty because it was not asked for.
    expect(answer).not.toHaveProperty('contactTolerance');
  });

  test('names the features of a vertex over a face, in the world frame of both poses', () => {
    // Turned a quarter about z and moved: the cube covers x from −1 to 0; the octahedron's vertex (0, −1, 0) is over its top.
    const turn = Math.SQRT1_2;
    const answer = measure(
      'cube.obj',
      'octahedron.obj',
      '--pose-a',
      `0,0,0,0,0,${turn},${turn}`,
      '--pose-b',
      '-0.3,2.5,0.6,0,0,0,2',
    );
    expect(answer.distance).toBeCloseTo(0.5, 12);
    expect(answer.pointA).toEqual(close([-0.3, 1, 0.6]));
    expect(answer.pointB).toEqual(close([-0.3, 1.5, 0.6]));
    expect(answer.normal).toEqual(close([0, 1, 0]));
    // The face x = 1 of the cube, turned to y = 1.
    expect(answer.featureA?.kind).toBe('face');
    for (const id of answer.featureA?.vertices ?? []) expect([1, 2, 5, 6]).toContain(id);
    expect(answer.featureB).toEqual({ kind: 'vertex', vertices: [3] });
  });

  test('swapping the models swaps the answer', () => {
    const poses = ['--pose-a', '0.1,0.2,0.3,0.1,0.2,0.3,0.4', '--pose-b', '2,1,3,-0.4,0.3,0.2,0.1'];
    const there = measure('cube.obj', 'octahedron.obj', ...poses);
    const back = measure('octahedron.obj', 'cube.obj', '--pose-a', poses[3], '--pose-b', poses[1]);
    expect(there.distance).toBeGreaterThan(0.1);
    expect(back.distance).toBeCloseTo(there.distance ?? -1, 12);
    expect(back.pointA).toEqual(close(there.pointB ?? []));
    expect(back.normal).toEqual(close((there.normal ?? []).map((value) => -value)));
    expect(back.featureA).toEqual(there.featureB);
  });

  test('touching intersects; so does one solid inside the other, but not one surface inside an open one', () => {
    const touching = measure('cube.obj', 'cube.obj', '--pose-b', '1,0.5,0,0,0,0,1');
    expect(touching).toMatchObject({ intersects: true, distance: 0, normal: null });
    expect(touching.pointA).toEqual(touching.pointB);
    expect(touching.pointA?.[0]).toBe(1);
    const inside = measure('cube.obj', 'small.obj');
    expect(inside).toMatchObject({ intersects: true, distance: 0, normal: null });
    for (const value of inside.pointA ?? [-1]) expect(Math.abs(value - 0.5)).toBeLessThanOrEqual(0.051);
    expect(measure('lidless.obj', 'small.obj')).toMatchObject({
      intersects: false,
      distance: expect.closeTo(0.45, 12),
    });
  });

  test('within is distance ≤ T, and a distance beyond the cut-off is null', () => {
    const apart = ['--pose-b', '3,0,0,0,0,0,1'];
    expect(measure('cube.obj', 'cube.obj', ...apart, '--tolerance', '2').within).toBe(true);
    expect(measure('cube.obj', 'cube.obj', ...apart, '--tolerance', '1.999999').within).toBe(false);
    expect(measure('cube.obj', 'cube.obj', ...apart, '--cutoff', '2').distance).toBe(2);
    const beyond = measure('cube.obj', 'cube.obj', ...apart, '--cutoff', '1.9', '--tolerance', '2');
    expect(beyond).toMatchObject({
      intersects: false,
      distance: null,
      within: true,
      pointA: null,
      pointB: null,
      normal: null,
      featureA: null,
      featureB: null,
    });
  });

  test('keeps the error it was allowed', () => {
    runJson('models', 'torus', '-o', inFolder('torus.obj'));
    const pose = ['--pose-b', '1.6,0.3,0.2,0.2,0.4,0.1,0.8'];
    const exact = measure('torus.obj', 'torus.obj', ...pose);
    const distance = exact.distance ?? -1;
    expect(distance).toBeGreaterThan(0.1);
    expect(exact.error).toBeLessThan(1e-11);
    const relative = measure('torus.obj', 'torus.obj', ...pose, '--relative-error', '0.2');
    expect(relative.distance).toBeGreaterThanOrEqual(distance - 1e-12);
    expect(relative.distance).toBeLessThanOrEqual(1.2 * distance + 1e-12);
    expect((relative.distance ?? 0) - relative.error).toBeLessThanOrEqual(distance + 1e-12);
    expect(relative.counters.volumePairs).toBeLessThan(exact.counters.volumePairs);
    const absolute = measure('torus.obj', 'torus.obj', ...pose, '--absolute-error', '0.05');
    expect(absolute.distance).toBeLessThanOrEqual(distance + 0.05 + 1e-12);
  });

  test('hulls answer as boxes do', () => {
    const poses = ['--pose-b', '2,1,0.4,0.1,0.2,0.3,0.4'];
    const boxes = measure('cube.obj', 'octahedron.obj', ...poses);
    const hulls = measure('cube.obj', 'octahedron.obj', ...poses, '--volume', 'hulls');
    expect(hulls.distance).toBeCloseTo(boxes.distance ?? -1, 12);
    expect(hulls.pointA).toEqual(close(boxes.pointA ?? []));
  });

  test('--contacts lists every local minimum up to the tolerance', () => {
    // Two spikes of a comb over a plate, at 0.5 and 0.75.
    const plate = 'v -5 -5 0\nv 5 -5 0\nv 5 5 0\nv -5 5 0\nf 1 2 3 4\n';
    const spike = (x: number, z: number, first: number): string =>
      `v ${x} 0 ${z}\nv ${x - 0.3} -0.3 3\nv ${x + 0.3} -0.3 3\nv ${x} 0.3 3\n` +
      `f ${first} ${first + 2} ${first + 1}\nf ${first} ${first + 3} ${first + 2}\nf ${first} ${first + 1} ${first + 3}\nf ${first + 1} ${first + 2} ${first + 3}\n`;
    writeFileSync(inFolder('plate.obj'), plate);
    writeFileSync(inFolder('comb.obj'), spike(-2, 0.5, 1) + spike(2, 0.75, 5));
    const both = measure('plate.obj', 'comb.obj', '--contacts', '--tolerance', '1');
    expect(both.contactTolerance).toBe(1);
    expect(both.contacts.map(({ distance }) => distance)).toEqual(close([0.5, 0.75]));
    expect(both.contacts[0]).toMatchObject({ pointB: [-2, 0, 0.5], featureB: { kind: 'vertex', vertices: [0] } });
    expect(both.contacts[1].normal).toEqual(close([0, 0, 1]));
    expect(measure('plate.obj', 'comb.obj', '--contacts', '--tolerance', '0.6').contacts).toHaveLength(1);
    // Without a tolerance: the nearest, and what is hardly farther.
    const nearest = measure('plate.obj', 'comb.obj', '--contacts');
    expect(nearest.contacts).toHaveLength(1);
    expect(nearest.contactTolerance).toBeGreaterThan(0.5);
    expect(runCommand('measure', inFolder('plate.obj'), inFolder('comb.obj'), '--contacts').stdout).toContain(
      'vertex 0',
    );
    const crossing = measure('cube.obj', 'cube.obj', '--contacts', '--tolerance', '1');
    expect(crossing).toMatchObject({ intersects: true, contacts: [] });
  });

  test('says it for people', () => {
    const { stdout, stderr, code } = runCommand(
      ...['measure', inFolder('cube.obj'), inFolder('cube.obj'), '--pose-b', '-3,0,0,0,0,0,1', '--tolerance', '1'],
    );
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^distance +2$/m);
    expect(stdout).toMatch(/^within 1 +no$/m);
    expect(stdout).toMatch(/^normal +\(-1, 0, 0\)$/m);
    const help = runCommand('measure', '--help').stdout;
    for (const word of ['--pose-a', '--tolerance', '--relative-error', '--contacts', '  nearfield measure ']) {
      expect(help).toContain(word);
    }
  });

  test('zero has no sign for people', () => {
    const { stdout } = runCommand(
      'measure',
      inFolder('cube.obj'),
      inFolder('octahedron.obj'),
      '--pose-b',
      '-3,0,0,0,0,0,1',
    );
    expect(stdout).toMatch(/^normal +\(-1, 0, 0\)$/m);
    expect(readable(-0)).toBe('0');
  });

  test('takes files whose names begin with a dash after --', () => {
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      writeFileSync('-1.obj', CUBE);
      expect(runCommand('measure', '--json', '--', '-1.obj', '-1.obj')).toMatchObject({ code: 0, stderr: '' });
    } finally {
      process.chdir(cwd);
    }
  });

  test('a refusal stays on one line, whatever the name of the file', () => {
    const cube = inFolder('cube.obj');
    expectRefusal(['measure', cube, inFolder('a\nb\r\u001b[31mc.obj')], 'a b \ufffd[31mc.obj', 'no such file');
    writeFileSync(inFolder('two\nlines.xyz'), '1 2 3\n');
    expectRefusal(['measure', cube, inFolder('two\nlines.xyz')], 'two lines.xyz: unknown format', '.obj, .stl');
  });

  test('refuses bad poses, numbers and files in one line', () => {
    const cube = inFolder('cube.obj');
    expectRefusal(['measure', cube], 'A B');
    expectRefusal(['measure', cube, inFolder('absent.obj')], 'absent.obj', 'no such file');
    expectRefusal(['measure', cube, cube, '--pose-b', '1,2,3'], '--pose-b', '7 numbers');
    expectRefusal(['measure', cube, cube, '--pose-a', '0,0,0,0,0,0,0'], '--pose-a', 'zero');
    expectRefusal(['measure', cube, cube, '--pose-a', '0,0,x,0,0,0,1'], '--pose-a', '"x"');
    expectRefusal(['measure', cube, cube, '--pose-a', '0,0,Infinity,0,0,0,1'], '--pose-a', 'Infinity');
    expectRefusal(['measure', cube, cube, '--pose-a', '1e60,0,0,0,0,0,1'], '--pose-a', 'beyond');
    expectRefusal(['measure', cube, cube, '--tolerance', '-1'], '--tolerance', 'at least 0');
    expectRefusal(['measure', cube, cube, '--relative-error', 'much'], '--relative-error', 'much');
    expectRefusal(['measure', cube, cube, '--cutoff', 'NaN'], '--cutoff');
    expectRefusal(['measure', cube, cube, '--volume', 'spheres'], '--volume', 'auto', 'hulls');
    writeFileSync(inFolder('fan.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 2 1 4\nf 1 2 5\n');
    expectRefusal(['measure', inFolder('fan.obj'), cube, '--volume', 'hulls'], 'fan.obj', '3 faces');
  });
});
