import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';

interface PivotAnswer {
  intersects: boolean;
  separation: number;
  pointA: number[] | null;
  pointB: number[] | null;
  penetrating: {
    object: string;
    point: number[];
    depth: number;
    direction: number[];
    length?: number;
    area?: number;
  }[];
  contacts: { point: number[]; normal: number[]; distance: number }[];
  threshold: number;
  error: number;
}

let folder: string;
const inFolder = (name: string): string => join(folder, name);
const drawing = (name: string, shapes: string): string => {
  writeFileSync(inFolder(name), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${shapes}</svg>`);
  return inFolder(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-pivot-'));
  drawing('square.svg', '<rect x="1" y="1" width="4" height="4"/>');
  drawing('bar.svg', '<rect x="4" y="2" width="4" height="1"/>');
  drawing('disc.svg', '<circle cx="8" cy="3" r="2"/>');
  drawing('lines.svg', '<path d="M0 0L1 1L1 0Z" fill="none"/>');
  drawing('two.svg', '<rect x="1" y="1" width="4" height="4"/><rect x="3" y="3" width="4" height="4"/>');
  const box = (x: number) =>
    `${[0, 1, 2, 3, 4, 5, 6, 7].map((k) => `v ${x + (k & 1)} ${(k >> 1) & 1} ${k >> 2}`).join('\n')}\n` +
    'f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n';
  writeFileSync(inFolder('a.obj'), box(0));
  writeFileSync(inFolder('b.obj'), box(0.8));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('nearfield pivot', () => {
  test('two drawings that overlap', () => {
    const answer = runJson<PivotAnswer>('pivot', inFolder('square.svg'), inFolder('bar.svg'), '--error', '0.02');
    expect(answer).toMatchObject({ intersects: true, separation: 0, pointA: null, pointB: null, error: 0.02 });
    // The bar reaches 1 into the square: two of its sides for that length, and its end.
    const lengths = { A: 0, B: 0 };
    for (const { object, depth, direction, length } of answer.penetrating) {
      lengths[object as 'A' | 'B'] += length ?? 0;
      expect(Math.hypot(...direction)).toBeCloseTo(1, 9);
      expect(depth).toBeLessThanOrEqual(1.02);
    }
    expect(lengths.B).toBeCloseTo(3, 0);
    expect(Math.abs(lengths.B - 3)).toBeLessThan(0.1);
    expect(Math.abs(lengths.A - 1)).toBeLessThan(0.1);
    const deepest = answer.penetrating.reduce((a, b) => (a.depth > b.depth ? a : b));
    expect(deepest.object).toBe('B');
    expect(deepest.direction[0]).toBeCloseTo(1, 9);
    expect(answer.contacts.length).toBeGreaterThan(0);
  });

  test('two drawings apart, one of them curved: exact up to the lines in place of the circle', () => {
    const answer = runJson<PivotAnswer>('pivot', inFolder('square.svg'), inFolder('disc.svg'), '--threshold', '1.05');
    expect(answer.intersects).toBe(false);
    expect(Math.abs(answer.separation - 1)).toBeLessThanOrEqual(answer.error);
    expect(answer.pointA?.[0]).toBeCloseTo(5, 9);
    expect(answer.penetrating).toEqual([]);
    expect(answer.threshold).toBe(1.05);
    for (const { normal, distance } of answer.contacts) {
      expect(normal[0]).toBeGreaterThan(0.9);
      expect(distance).toBeLessThanOrEqual(1.05 + answer.error);
    }
    expect(answer.contacts.length).toBeGreaterThan(5);
  });

  test('poses of drawings, and text', () => {
    const { code, stdout } = runCommand(
      'pivot',
      inFolder('square.svg'),
      inFolder('bar.svg'),
      '--pose-b',
      '3,0,0',
      '--pose-a',
      '0,0,0',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/intersects\s+no\n/);
    expect(stdout).toMatch(/separation\s+2\n/);
  });

  test('two meshes', () => {
    const answer = runJson<PivotAnswer>('pivot', inFolder('a.obj'), inFolder('b.obj'), '--error', '0.05');
    expect(answer.intersects).toBe(true);
    expect(answer.penetrating.length).toBeGreaterThan(100);
    expect(answer.penetrating[0].point).toHaveLength(3);
    expect(answer.penetrating[0].area).toBeDefined();
    const apart = runJson<PivotAnswer>('pivot', inFolder('a.obj'), inFolder('b.obj'), '--pose-b', '1,0,0,0,0,0,1');
    expect(apart.intersects).toBe(false);
    expect(apart.separation).toBeCloseTo(0.8, 9);
  });

  test('shapes of one drawing that overlap are warned of', () => {
    const { code, stderr } = runCommand('pivot', inFolder('two.svg'), inFolder('bar.svg'), '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/two\.svg: 1 pairs of its shapes overlap/);
  });

  test.each([
    [['pivot', 'square.svg', 'a.obj'], /two drawings/],
    [['pivot', 'square.svg', 'lines.svg'], /lines\.svg: no shape is filled/],
    [['pivot', 'square.svg', 'missing.svg'], /missing\.svg/],
    [['pivot', 'square.svg', 'bar.svg', '--error', '0'], /--error is 0/],
    [['pivot', 'square.svg', 'bar.svg', '--error', '-1'], /--error/],
    [['pivot', 'square.svg', 'bar.svg', '--pose-b', '1,2'], /--pose-b has 2 numbers/],
    [['pivot', 'square.svg', 'bar.svg', '--error', '1e-6'], /penetrating points, more than 1048576/],
    [['pivot', 'square.svg'], /pivot takes A B/],
  ])('refuses %j', (args, message) => {
    const { code, stderr } = runCommand(...args.map((word) => (/\.(svg|obj)$/.test(word) ? inFolder(word) : word)));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
