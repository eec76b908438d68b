import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, runJson } from './run-command.js';
import { findMarkupFault } from './well-formed.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-certify-'));
  runJson('demo', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const certify = (...args: string[]) => [
  'certify',
  inFolder('cell.json'),
  ...args,
  '--package',
  `arm_description=${inFolder('robots/arm')}`,
];

interface Segment {
  readonly verdict: string;
  readonly lower: number;
  readonly upper: number;
  readonly time: number;
  readonly a: string;
  readonly b: string;
  readonly depth: { readonly lower: number; readonly upper: number } | null;
}

describe('certify', () => {
  test('finds the segment of the demo that its waypoints hide, with every key of the contract', () => {
    const answer = runJson<{ verdict: string; clearance: object; segments: Segment[]; milliseconds: number }>(
      ...certify(inFolder('trajectory.yaml')),
    );
    expect(answer.verdict).toBe('violated');
    expect(answer.clearance).toMatchObject({ lower: 0, upper: 0 });
    expect(answer.segments.map(({ verdict }) => verdict)).toEqual(['holds', 'violated', 'holds']);
    const [clear, met] = answer.segments;
    expect(Object.keys(met)).toEqual(
      expect.arrayContaining([
        'from',
        'to',
        'verdict',
        'lower',
        'upper',
        'time',
        'a',
        'b',
        'pointA',
        'pointB',
        'depth',
      ]),
    );
    expect(clear.lower).toBeGreaterThan(0.01);
    expect([met.a, met.b]).toEqual(['lower', 'environment 1']);
    expect(met.time).toBeGreaterThan(2);
    expect(met.time).toBeLessThan(4);
    expect(met.depth!.lower).toBeGreaterThan(0);
    expect(answer.milliseconds).toBeGreaterThan(0);
  });

  test('certifies a plan, and ends with 3 where more is wanted than it keeps', () => {
    runJson(
      'plan',
      inFolder('cell.json'),
      '--package',
      `arm_description=${inFolder('robots/arm')}`,
      '-o',
      inFolder('own.yaml'),
    );
    const held = runCommand(...certify(inFolder('own.yaml'), '--assert', '--json'));
    const { verdict, clearance } = JSON.parse(held.stdout);
    expect(held.code).toBe(0);
    expect(verdict).toBe('holds');
    expect(clearance.lower).toBeGreaterThanOrEqual(0.01);
    const wanted = String(2 * clearance.upper);
    const asked = runCommand(...certify(inFolder('own.yaml'), '--assert', '--clearance', wanted, '--json'));
    expect(asked.code).toBe(3);
    expect(JSON.parse(asked.stdout).verdict).toBe('violated');
    expect(runCommand(...certify(inFolder('own.yaml'), '--clearance', wanted)).code).toBe(0);
    expect(runJson<{ verdict: string }>(...certify(inFolder('own.yaml'), '--max-seconds', '0')).verdict).toBe(
      'undecided',
    );
  });

  test('writes a report that plays the motion beside the proven band', () => {
    const page = inFolder('certificate.html');
    const { code, stdout } = runCommand(...certify(inFolder('trajectory.yaml'), '--report', page));
    expect(code).toBe(0);
    expect(stdout).toContain('violated');
    const markup = readFileSync(page, 'utf8');
    expect(findMarkupFault(markup)).toBeNull();
    expect(markup).toContain('nf-proven');
    expect(markup).toContain('nf-violated');
    expect(markup).toContain('openModelView');
  });

  test('refuses what it cannot read, in one line that says where', () => {
    const refused = (args: string[], ...words: string[]): void => {
      const { code, stderr, stdout } = runCommand(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      for (const word of words) expect(stderr).toContain(word);
    };
    const saved = (name: string, text: string): string => {
      writeFileSync(inFolder(name), text);
      return inFolder(name);
    };
    refused(['certify'], 'PROBLEM TRAJECTORY');
    refused(['certify', inFolder('cell.json')], 'PROBLEM TRAJECTORY');
    refused(certify(inFolder('absent.yaml')), 'absent.yaml');
    refused(
      certify(saved('bad.json', '{"joints":["wrist"],"points":[{"time":0,"positions":[1]}]}')),
      'wrist',
      'shoulder, elbow',
    );
    refused(certify(saved('bad.csv', 'time,shoulder,elbow\n0,1,x\n')), 'bad.csv', 'line 2');
    refused(certify(inFolder('trajectory.yaml'), '--interpolation', 'smooth'), 'linear');
    refused(certify(inFolder('trajectory.yaml'), '--clearance', '-1'), 'clearance');
    refused(certify(inFolder('trajectory.yaml'), '--report', 'page.pdf'), 'html');
    refused(certify(inFolder('trajectory.yaml'), inFolder('trajectory.yaml')), 'moves already');
  });
});
