import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-impact-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
  const key = (time: number, y: number) => ({ time, pose: [0, y, 0, 0, 0, 0, 1] });
  writeFileSync(
    inFolder('motion.json'),
    JSON.stringify({ A: [0, 0, 0, 0, 0, 0, 1], B: [key(2, 3), key(3, 2), key(7, 0)] }),
  );
  const frame = (y: number) => ({ A: [0, 0, 0, 0, 0, 0, 1], B: [0, y, 0, 0, 0, 0, 1] });
  writeFileSync(inFolder('frames.json'), JSON.stringify({ frames: [frame(3), frame(2), frame(0)] }));
  writeFileSync(inFolder('wrong.json'), JSON.stringify({ A: [0, 0, 0, 0, 0, 0, 1], B: [key(2, 3), key(2, 0)] }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface ImpactAnswer {
  impact: boolean;
  time: number | null;
  lower: number;
  upper: number | null;
  exact: boolean;
  status: string;
  pointA: number[] | null;
  pointB: number[] | null;
  normal: number[] | null;
  least?: { lower: number; upper: number; time: number } | null;
  milliseconds: number;
}

const impact = (...options: string[]): ImpactAnswer =>
  runJson<ImpactAnswer>('impact', inFolder('cube.obj'), inFolder('cube.obj'), ...options);

describe('impact', () => {
  test('brackets the time at which two cubes meet, both moving', () => {
    const found = impact('--to-a', '1,0,0,0,0,0,1', '--from-b', '4,0.2,0.1,0,0,0,1', '--to-b', '-1,0.2,0.1,0,0,0,1');
    expect(found).toMatchObject({ impact: true, exact: true, status: 'impact' });
    expect(found.lower).toBeLessThanOrEqual(0.5);
    expect(found.upper).toBeGreaterThanOrEqual(0.5);
    expect(found.upper! - found.lower).toBeLessThan(1e-9);
    expect(found.time).toBe(found.lower);
    expect(found.pointA![0]).toBeCloseTo(1.5, 9);
    expect(found.pointB![0]).toBeCloseTo(1.5, 9);
    expect(found.normal![0]).toBeCloseTo(1, 9);
    expect(found.milliseconds).toBeGreaterThan(0);
  });

  test('says that a motion stays clear, and how clear with --least', () => {
    const found = impact('--from-b', '-4,1.5,0,0,0,0,1', '--to-b', '4,1.5,0,0,0,0,1', '--least');
    expect(found).toMatchObject({ impact: false, time: null, lower: 1, upper: null, pointA: null, normal: null });
    expect(found.least!.upper).toBeCloseTo(0.5, 9);
    expect(found.least!.lower).toBeGreaterThanOrEqual(0.49);
    expect(found.least!.lower).toBeLessThanOrEqual(0.5);
    expect(impact('--from-b', '-4,1.5,0,0,0,0,1', '--to-b', '4,1.5,0,0,0,0,1', '--clearance', '0.6').impact).toBe(true);
  });

  test('starts in an intersection with time 0', () => {
    expect(impact('--to-b', '9,0,0,0,0,0,1')).toMatchObject({
      impact: true,
      time: 0,
      lower: 0,
      upper: 0,
      normal: null,
    });
  });

  test('reads keyframes with their times, and frames spread from 0 to 1', () => {
    expect(impact('--motion', inFolder('motion.json')).time).toBeCloseTo(5, 9);
    expect(impact('--motion', inFolder('frames.json')).time).toBeCloseTo(0.75, 9);
  });

  test.each([
    [['--to-b', '0,0,0,0,0,1,0'], '180 degrees'],
    [['--to-b', '0,0,0,0,0,0,0'], '--to-b'],
    [['--motion', 'wrong.json'], 'Keyframe 1 of B is at 2, not after 2'],
    [['--motion', 'wrong.json', '--from-a', '0,0,0,0,0,0,1'], '--from-a'],
    [['--motion', 'cube.obj'], 'not valid JSON'],
    [['--clearance', '-1'], '--clearance'],
  ])('refuses %j', (options, words) => {
    const args = options.map((word) => (/\.(json|obj)$/.test(word) ? inFolder(word) : word));
    const { code, stdout, stderr } = runCommand('impact', inFolder('cube.obj'), inFolder('cube.obj'), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(words);
  });
});
