// The command as a process: it ends by itself, with the exit code and the words that run-command.ts gets in a worker.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, runCommand, runProcess } from './run-command.js';

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;
const HERE = [0, 0, 0, 0, 0, 0, 1];
const THERE = [0.5, 0.25, 0.125, 0, 0, 0, 1];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-process-'));
  const files = {
    'cube.obj': CUBE,
    'other.obj': CUBE.replace(/^v (\d)/gm, (_, x) => `v ${Number(x) + 0.75}`),
    'long.off': 'OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n3 0 1 2\n',
    'nan.obj': 'v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n',
    'frames.json': JSON.stringify({ frames: [HERE, THERE].map((B) => ({ A: HERE, B })) }),
    'problem.json': JSON.stringify({
      robots: [
        {
          type: 'rigid',
          model: 'cube.obj',
          bounds: { min: [-9, -9, -9], max: [9, 9, 9] },
          start: [-5, 0, 0, 0, 0, 0, 1],
          goal: [-5, 5, 0, 0, 0, 0, 1],
        },
      ],
      environment: [{ model: 'other.obj' }],
    }),
    'scene.json': JSON.stringify({ bodies: [{ shape: { sphere: 1 } }] }),
    'sites.json': JSON.stringify({ box: [0, 0, 4, 3], sites: [{ type: 'point', at: [1, 1] }] }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Words with a point in them are files of the folder. */
const words = (line: string): string[] =>
  line.split(' ').map((word) => (/^[a-z]+\.[a-z]+$/.test(word) ? join(folder, word) : word));

/** Without what took how long: of --json, and of tables. */
const withoutTimes = (text: string): string =>
  text
    .replace(/("\w*(?:M|m)(?:illi|icro)seconds"|"\w*Ms"):[\d.e-]+/g, '$1:0')
    .replace(/"msPerStep":\{[^}]*\}/, '"msPerStep":{}');

describe('a process ends with the same code and words as in a worker', () => {
  test.each([
    ['', 2],
    ['--help', 0],
    ['info --help', 0],
    ['frobnicate', 2],
    ['info nan.obj', 2],
    ['lab somewhere', 2],
    ['info long.off', 0],
    ['measure cube.obj other.obj --json', 0],
    ['penetration cube.obj other.obj --json', 0],
    ['impact cube.obj other.obj --to-a 0,3,0,0,0,0,1 --json', 0],
    ['replay cube.obj other.obj frames.json --query distance --json', 0],
    ['clash cube.obj other.obj --json', 0],
    ['separate cube.obj other.obj --json', 0],
    ['field cube.obj --resolution 8 -o field.npy --json', 0],
    ['voronoi sites.json --resolution 16 --json', 0],
    ['hull cube.obj -o hull.obj --json', 0],
    ['decompose cube.obj --json', 0],
    ['fracture cube.obj --fragments 4 --json', 0],
    ['cull cube.obj other.obj --json', 0],
    ['simulate scene.json --steps 3 --json', 0],
    ['plan problem.json --json', 0],
    ['repair cube.obj -o repaired.obj --json', 0],
    ['solidify cube.obj --resolution 8 -o solid.obj --json', 0],
    ['tetrahedralize cube.obj --resolution 4 -o cube.msh --json', 0],
    ['offset cube.obj --distance 0.1 --resolution 8 -o offset.obj --json', 0],
    ['convert cube.obj cube.glb --json', 0],
    ['models torus -o torus.obj --json', 0],
    ['bench --list', 0],
  ])('nearfield %s', (line, code) => {
    const args = line === '' ? [] : words(line);
    const [ended, answered] = [runProcess(...args), runCommand(...args)].map(({ stdout, stderr, ...rest }) => ({
      ...rest,
      stdout: withoutTimes(stdout),
      stderr,
    }));
    expect(ended).toEqual(answered);
    expect(ended.code, ended.stderr).toBe(code);
  });
});

test('a reader that closes the pipe early is no error', async () => {
  const child = spawn(process.execPath, [MAIN, 'info', join(folder, 'cube.obj'), '--json'], { stdio: 'pipe' });
  child.stdout.destroy();
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  const [code] = await once(child, 'close');
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
});

test.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  'the lab ends with %s',
  async (signal) => {
    const child = spawn(process.execPath, [MAIN, 'lab', '--no-open', '--port', '0', '--json'], { stdio: 'pipe' });
    // A lab that ends before it says where it is fails here instead of waiting for ever.
    const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    expect((await fetch(JSON.parse(`${line}`).url)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);
