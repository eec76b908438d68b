import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModel, readPng, writeModel } from 'nearfield/io';
import { findModel } from 'nearfield/mesh';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface IceAnswer {
  solidFraction: number;
  steps: number;
  milliseconds: number;
  size: number[];
  backend: string;
  work: { tiles: number; computedTiles: number };
  files: string[];
  mesh?: { triangles: number };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-ice-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('nearfield ice', () => {
  test('writes a picture; the same seed gives the same bytes', async () => {
    const run = (seed: number, file: string, ...more: string[]): IceAnswer =>
      runJson(
        'ice',
        '--preset',
        'dendritic',
        '--size',
        '80',
        '--steps',
        '900',
        '--seed',
        `${seed}`,
        '-o',
        inFolder(file),
        ...more,
      );
    const first = run(5, 'a.png');
    run(5, 'b.png');
    run(6, 'c.png');
    run(5, 'd.png', '--workers', '2');
    expect(first.steps).toBe(900);
    expect(first.solidFraction).toBeGreaterThan(0.02);
    expect(first.solidFraction).toBeLessThan(0.5);
    expect(first.milliseconds).toBeGreaterThan(0);
    expect(first.work.computedTiles).toBeLessThanOrEqual(first.work.tiles);
    const bytes = ['a', 'b', 'c', 'd'].map((name) => readFileSync(inFolder(`${name}.png`)));
    expect(bytes[0].equals(bytes[1])).toBe(true);
    expect(bytes[0].equals(bytes[2])).toBe(false);
    expect(bytes[0].equals(bytes[3])).toBe(true);
    const { width, height } = await readPng(bytes[0]);
    expect([width, height]).toEqual([80, 80]);
  });

  test.each(['dendritic', 'plate', 'isotropic', 'pfhub-3a'])('grows the preset %s', (preset) => {
    const answer: IceAnswer = runJson('ice', '--preset', preset, '--size', '48', '--steps', '100');
    expect(answer.solidFraction).toBeGreaterThan(0.005);
    expect(answer.files).toEqual([]);
  });

  test('writes meshes in space and on a model', async () => {
    const space: IceAnswer = runJson('ice', '--size', '24', '--depth', '20', '--steps', '40', '-o', inFolder('s.obj'));
    expect(space.size).toEqual([24, 24, 20]);
    writeFileSync(inFolder('torus.obj'), await writeModel(findModel('torus').build(), 'obj'));
    const args = ['ice', '--model', inFolder('torus.obj'), '--size', '32', '--steps', '60', '-o', inFolder('m.glb')];
    const onModel: IceAnswer = runJson(...args);
    expect(onModel.mesh!.triangles).toBeGreaterThan(500);
    const { parts } = await readModel(readFileSync(inFolder('m.glb')), { fileName: 'm.glb' });
    expect(parts).toHaveLength(1);
  });

  test.each([
    [['--preset', 'snow'], 'one of'],
    [['--size', '0'], 'whole number'],
    [['--fold', '2.5'], 'whole number'],
    [['--depth', '8', '--model', 'x.obj'], '--depth'],
    [['-o', 'x.gif'], 'x.gif'],
    [['--over', 'missing.png'], 'missing.png'],
    [['thing'], 'no arguments'],
    [['--workers', '0'], 'whole number'],
    [['--size', '32', '--steps', '20', '--fold', '64', '--anisotropy', '0.9'], 'unstable'],
    [['--model', 'missing.obj'], 'missing.obj'],
    [['--size', '16', '--steps', '1', '-o', 'missing/folder/x.png'], 'missing/folder/x.png'],
  ])('%j is bad input', (args, words) => {
    const { code, stderr } = runCommand('ice', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
