import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface SeparateAnswer {
  parts: number;
  status: 'separated' | 'rounds';
  rounds: number;
  moved: { name: string; index: number; vector: number[]; distance: number }[];
  pairs: { a: string; b: string; indexA: number; indexB: number; times: number; depth: number }[];
  remaining: { a: string; b: string; indexA: number; indexB: number }[];
  fixed: string[];
  names: string[];
  milliseconds: number;
}

/** A unit cube with its low corner at x. */
function cubeToObj(x: number): string {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${x + (i & 1)} ${(i >> 1) & 1} ${i >> 2}`);
  const faces = ['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'];
  return `${corners.join('\n')}\n${faces.map((face) => `f ${face}`).join('\n')}\n`;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-separate-'));
  for (const [name, x] of [
    ['a.obj', 0],
    ['b.obj', 0.75],
    ['c.obj', 1.5],
    ['far.obj', 9],
  ] as const) {
    writeFileSync(inFolder(name), cubeToObj(x));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (...names: string[]): string[] => names.map(inFolder);

describe('separate', () => {
  test('moves what overlaps and nothing else, and the file holds it', () => {
    const answer = runJson<SeparateAnswer>(
      'separate',
      ...files('a.obj', 'b.obj', 'far.obj'),
      '-o',
      inFolder('apart.glb'),
    );
    expect(answer).toMatchObject({ parts: 3, status: 'separated', remaining: [], fixed: [] });
    expect(answer.moved.map(({ index }) => index)).toEqual([0, 1]);
    // 0.25 deep, half of it each.
    for (const { distance } of answer.moved) expect(distance).toBeCloseTo(0.125, 9);
    expect(answer.moved[0].vector[0]).toBeLessThan(0);
    expect(answer.pairs).toHaveLength(1);
    expect(answer.pairs[0]).toMatchObject({ indexA: 0, indexB: 1 });
    expect(answer.pairs[0].depth).toBeCloseTo(0.25, 9);
    expect(answer.rounds).toBeGreaterThan(0);
    // Single precision puts parts that are a rounding apart into each other by another: a clash of 1e-7 at most.
    const { parts } = runJson<{ parts: number }>('clash', inFolder('apart.glb'));
    expect(parts).toBe(3);
    const again = runJson<SeparateAnswer>('separate', inFolder('apart.glb'));
    for (const { distance } of again.moved) expect(distance).toBeLessThan(1e-6);
  });

  test('leaves fixed parts where they are, and what is apart alone', () => {
    const [a, b, c] = files('a.obj', 'b.obj', 'c.obj');
    const answer = runJson<SeparateAnswer>('separate', a, b, c, '--fix', b);
    expect(answer).toMatchObject({ status: 'separated', fixed: [b] });
    expect(answer.moved.map(({ index }) => index)).toEqual([0, 2]);
    for (const { distance } of answer.moved) expect(distance).toBeCloseTo(0.25, 9);
    const apart = runJson<SeparateAnswer>('separate', a, inFolder('far.obj'));
    expect(apart).toMatchObject({ status: 'separated', rounds: 0, moved: [], pairs: [] });
  });

  test('says so when the rounds do not suffice', () => {
    const answer = runJson<SeparateAnswer>('separate', ...files('a.obj', 'b.obj'), '--rounds', '0');
    expect(answer).toMatchObject({ status: 'rounds', rounds: 0, moved: [] });
    expect(answer.remaining).toEqual([expect.objectContaining({ indexA: 0, indexB: 1 })]);
  });

  test('tells people what it moved', () => {
    const { code, stdout, stderr } = runCommand('separate', ...files('a.obj', 'b.obj'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^status +separated: 1 pair moved apart$/m);
    expect(stdout).toMatch(/^part +distance +moved by$/m);
    expect(stdout).toMatch(/a\.obj +0\.125 +\(-0\.125, 0, 0\)$/m);
    expect(runCommand('separate', ...files('a.obj', 'far.obj')).stdout).toMatch(/^status +no parts overlap$/m);
    expect(runCommand('separate', ...files('a.obj', 'b.obj'), '--rounds', '0').stdout).toMatch(/1 pair still overlap/);
  });

  test('refuses bad input in one line', () => {
    writeFileSync(inFolder('open.obj'), cubeToObj(0).replace(/^f .*\n/m, ''));
    for (const [args, ...words] of [
      [[], 'FILE'],
      [files('a.obj', 'open.obj'), 'open.obj', 'not closed'],
      [files('absent.obj'), 'absent.obj', 'no such file'],
      [[...files('a.obj', 'b.obj'), '--fix', 'lid'], '--fix', '"lid"', 'a.obj'],
      [[...files('a.obj'), '--rounds', '-1'], '--rounds', 'whole number'],
      [[...files('a.obj'), '--format', 'obj'], '--format', '-o'],
      [[...files('a.obj'), '-o', inFolder('x.xyz')], 'x.xyz'],
    ] as [string[], ...string[]][]) {
      const { code, stdout, stderr } = runCommand('separate', ...args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
      for (const word of words) expect(stderr).toContain(word);
    }
  });
});
