import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawSparkline, findSpans, summarizeClearance } from '../../src/cli/replay/clearance.js';
import { drawClearancePlot } from '../../src/cli/replay/clearance-plot.js';
import { parseFrames } from '../../src/cli/replay/frames-file.js';
import { type AskedQuery, replayFrames } from '../../src/cli/replay/replay-frames.js';
import { findModel } from '../../src/models/catalogue.js';
import { Pair } from '../../src/proximity/pair.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { runCommand, runJson } from './run-command.js';
import { findMarkupFault } from './well-formed.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface ReplayAnswer {
  query: string;
  frames: number;
  results: unknown[];
  preprocessMs: number;
  meanMicroseconds: number;
  medianMicroseconds: number;
  worstFrame?: number | null;
  minClearance?: number | null;
  intersectingFrames?: number;
}

const CUBE = `v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;

/** The second cube goes from x = 3 to x = −2 in steps of a quarter; the faces meet from x = 1 to x = −1. */
const PATH = Array.from({ length: 21 }, (_, i) => 3 - i / 4);
const EXPECTED = PATH.map((x) => Math.max(0, Math.abs(x) - 1));

const poseAt = (x: number): number[] => [x, 0, 0, 0, 0, 0, 1];
const matrixAt = (x: number): number[] => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function writeFrames(name: string, frames: unknown): string {
  writeFileSync(inFolder(name), JSON.stringify({ frames }));
  return inFolder(name);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-replay-'));
  writeFileSync(inFolder('cube.obj'), CUBE);
  writeFrames(
    'path.json',
    PATH.map((x) => ({ A: poseAt(0), B: poseAt(x) })),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const replay = (frames: string, ...options: string[]): ReplayAnswer =>
  runJson<ReplayAnswer>('replay', inFolder('cube.obj'), inFolder('cube.obj'), inFolder(frames), ...options);

function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand(...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

describe('replay', () => {
  test('prints the keys of the contract for each query', () => {
    const distance = replay('path.json', '--query', 'distance');
    expect(distance.results).toEqual(EXPECTED);
    for (const key of ['preprocessMs', 'meanMicroseconds', 'medianMicroseconds'] as const) {
      expect(distance[key]).toBeGreaterThan(0);
    }
    expect(distance).toMatchObject({ frames: 21, worstFrame: 8, minClearance: 0, intersectingFrames: 9 });
    expect(replay('path.json', '--query', 'intersects').results).toEqual(EXPECTED.map((d) => d === 0));
    const within = replay('path.json', '--query', 'within', '--tolerance', '0.5').results;
    expect(within).toEqual(EXPECTED.map((d) => d <= 0.5));
  });

  test('asks each frame once, and four times where times are to be compared', () => {
    const model = new ProximityModel(findModel('box').build());
    const pair = new Pair(model, model);
    let asked = 0;
    const { intersects } = Object.getPrototypeOf(pair) as Pair;
    pair.intersects = (...poses) => {
      asked++;
      return intersects.apply(pair, poses);
    };
    const frames = parseFrames(readFileSync(inFolder('path.json'), 'utf8'), 'path.json');
    const query = { query: 'intersects', tolerance: 0, distanceOptions: {}, penetrationOptions: {}, coherence: true };
    const once = replayFrames(pair, frames, query as AskedQuery, false, {});
    expect([asked, once.results.length]).toEqual([21, 21]);
    const timed = replayFrames(pair, frames, query as AskedQuery, true, {});
    expect(asked).toBe(21 + 4 * 21);
    expect(timed.results).toEqual(once.results);
    expect(replay('path.json', '--query', 'distance', '--timed').results).toEqual(EXPECTED);
  });

  test('gives the contacts of each frame', () => {
    const { results } = replay('path.json', '--query', 'contacts', '--tolerance', '0.6');
    const contacts = results as { distance: number; normal: number[] }[][];
    // Two parallel faces are one contact; beyond the tolerance and where the cubes intersect there is no contact.
    expect(contacts.map((list) => list.length)).toEqual(EXPECTED.map((d) => (d > 0 && d <= 0.6 ? 1 : 0)));
    expect(contacts[7][0]).toMatchObject({ distance: 0.25, normal: [1, 0, 0] });
  });

  test('takes matrices and poses, and the two give the same', () => {
    writeFrames(
      'matrices.json',
      PATH.map((x) => ({ A: matrixAt(0), B: matrixAt(x) })),
    );
    writeFrames(
      'mixed.json',
      PATH.map((x, i) => ({ A: matrixAt(7), B: i % 2 === 0 ? matrixAt(x + 7) : [x + 7, 0, 0, 0, 0, 0, -5] })),
    );
    expect(replay('matrices.json', '--query', 'distance').results).toEqual(EXPECTED);
    expect(replay('mixed.json', '--query', 'distance').results).toEqual(EXPECTED);
    // x_world = M·x, row-major: a quarter turn about z takes the unit cube to x from −1 to 0.
    const turned = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    writeFrames('turned.json', [{ A: turned, B: poseAt(2) }]);
    expect(replay('turned.json', '--query', 'distance').results).toEqual([expect.closeTo(2, 12)]);
  });

  test('answers are the same without coherence and with hulls, and null beyond the cut-off', () => {
    const turning = Array.from({ length: 30 }, (_, i) => {
      const angle = i / 10;
      return { A: poseAt(0), B: [2 - i / 20, 0.3, 0.2, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] };
    });
    writeFrames('turning.json', turning);
    const coherent = replay('turning.json', '--query', 'distance').results as number[];
    const near = (other: unknown[]): void => {
      for (const [frame, value] of other.entries()) expect(value).toBeCloseTo(coherent[frame], 12);
    };
    expect(coherent.some((value) => value > 0) && coherent.some((value) => value === 0)).toBe(true);
    near(replay('turning.json', '--query', 'distance', '--no-coherence').results);
    near(replay('turning.json', '--query', 'distance', '--volume', 'hulls').results);
    const cut = replay('path.json', '--query', 'distance', '--cutoff', '1').results;
    expect(cut).toEqual(EXPECTED.map((d) => (d <= 1 ? d : null)));
  });

  test('the same input gives the same results and the same plot', () => {
    const run = (): unknown[] => replay('path.json', '--query', 'distance', '-o', inFolder('plot.svg')).results;
    const first = run();
    const plot = readFileSync(inFolder('plot.svg'), 'utf8');
    expect(run()).toEqual(first);
    expect(readFileSync(inFolder('plot.svg'), 'utf8')).toBe(plot);
  });

  test('draws the clearance as an SVG with the worst frame marked', () => {
    const apart = writeFrames(
      'apart.json',
      PATH.map((x) => ({ A: poseAt(0), B: poseAt(1.25 + (x - 1) ** 2) })),
    );
    const { code, stdout, stderr } = runCommand(
      ...['replay', inFolder('cube.obj'), inFolder('cube.obj'), apart, '--query', 'within', '--tolerance', '1.5'],
      ...['-o', inFolder('worst.svg'), '--unit', 'mm'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^within 1\.5 +9 frames: 4–12$/m);
    expect(stdout).toMatch(/^clearance +least 0\.25 at frame 8, mean /m);
    const plot = readFileSync(inFolder('worst.svg'), 'utf8');
    expect(findMarkupFault(plot)).toBeNull();
    expect(plot).toContain('worst: frame 8, 0.25 mm');
    expect(plot).toContain('clearance (mm)');
    expect(plot).toContain('tolerance 1.5');
    expect(plot).not.toContain('class="nf-bad"');
    expect(plot).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  test('draws a page that needs nothing else', () => {
    replay('path.json', '--query', 'intersects', '-o', inFolder('plot.html'));
    const page = readFileSync(inFolder('plot.html'), 'utf8');
    expect(findMarkupFault(page)).toBeNull();
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|\bsrc=|url\(|@import|<link/);
    expect(page).toContain('The models intersect in frames 8–16.');
    expect(page.match(/class="nf-bad"/g)).toHaveLength(1);
    expect(page).toContain('intersects at frame 8');
  });

  test('refuses queries, options and outputs it has not', () => {
    const args = ['replay', inFolder('cube.obj'), inFolder('cube.obj'), inFolder('path.json')];
    expectRefusal(args, '--query', 'distance');
    expectRefusal([...args, '--query', 'volume'], '"volume"', 'distance');
    expectRefusal([...args, '--query', 'within'], '--tolerance');
    expectRefusal([...args, '--query', 'contacts', '--tolerance', '-2'], '--tolerance');
    expectRefusal([...args, '--query', 'distance', '-o', inFolder('plot.png')], 'plot.png', '.svg');
    expectRefusal([...args, '--query', 'distance', '-o', join(folder, 'none', 'plot.svg')], 'plot.svg');
    expectRefusal(['replay', inFolder('cube.obj'), inFolder('cube.obj')], 'A B FRAMES');
    expectRefusal([...args.slice(0, 3), inFolder('absent.json'), '--query', 'distance'], 'absent.json');
  });
});

describe('frames files', () => {
  const good = [0, 0, 0, 0, 0, 0, 1];
  const refused: [string, unknown, string[]][] = [
    ['no JSON', 'frames', ['f.json', 'JSON']],
    ['no frames', { frame: [] }, ['"frames"']],
    ['a list', [], ['"frames"']],
    ['an empty list', { frames: [] }, ['no frames']],
    ['a frame that is not an object', { frames: [{ A: good, B: good }, 7] }, ['frame 1']],
    ['a missing placement', { frames: [{ A: good, B: good }, { A: good }] }, ['frame 1, B', 'missing']],
    ['a wrong count', { frames: [{ A: [1, 2, 3], B: good }] }, ['frame 0, A', '3 numbers']],
    ['a word', { frames: [{ A: [0, 0, 'x', 0, 0, 0, 1], B: good }] }, ['frame 0, A', 'entry 2', '"x"']],
    ['null', { frames: [{ A: [0, 0, null, 0, 0, 0, 1], B: good }] }, ['entry 2', 'null']],
    ['no rotation', { frames: [{ A: good, B: [0, 0, 0, 0, 0, 0, 0] }] }, ['frame 0, B', 'zero']],
    ['far away', { frames: [{ A: good, B: [1e99, 0, 0, 0, 0, 0, 1] }] }, ['frame 0, B', 'beyond']],
    ['scale', { frames: [{ A: good, B: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] }] }, ['frame 0, B', 'scale']],
    ['shear', { frames: [{ A: good, B: [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] }, ['shear']],
    ['a mirror', { frames: [{ A: good, B: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] }, ['mirror']],
  ];
  test.each(refused)('refuse %s', (_, content, words) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    let message = '';
    try {
      parseFrames(text, 'f.json');
    } catch (error) {
      message = (error as Error).message;
    }
    for (const word of words) expect(message).toContain(word);
    expect(message).toContain('f.json');
  });

  test('refuse numbers that are infinite once read', () => {
    expect(() => parseFrames('{"frames":[{"A":[1e999,0,0,0,0,0,1],"B":[0,0,0,0,0,0,1]}]}', 'f.json')).toThrow(
      /frame 0, A: .*Infinity/,
    );
  });

  test('the command refuses them with exit code 2', () => {
    writeFileSync(inFolder('bad.json'), '{"frames":[{"A":[1,2],"B":[0,0,0,0,0,0,1]}]}');
    const cube = inFolder('cube.obj');
    expectRefusal(['replay', cube, cube, inFolder('bad.json'), '--query', 'distance'], 'bad.json', 'frame 0, A');
  });
});

describe('clearance', () => {
  test('is summed up by its worst frame and the spans that intersect', () => {
    expect(summarizeClearance([3, 1, 0, 0, 2, null, 0])).toEqual({
      worstFrame: 2,
      min: 0,
      max: 3,
      mean: 1,
      intersecting: [
        { first: 2, last: 3 },
        { first: 6, last: 6 },
      ],
      intersectingFrames: 3,
    });
    expect(summarizeClearance([null, null])).toMatchObject({ worstFrame: null, min: null, mean: null });
    expect(findSpans([true, false, true, true])).toEqual([
      { first: 0, last: 0 },
      { first: 2, last: 3 },
    ]);
    expect(drawSparkline([null, 0, 1, 8])).toBe('·×▂█');
    expect(drawSparkline(Array.from({ length: 1000 }, () => 1))).toHaveLength(64);
  });

  test('is drawn for one frame, no frame in reach, tiny and huge values, and hostile names', () => {
    const plot = (series: (number | null)[], cutoff: number | null = null): string =>
      drawClearancePlot({ title: '<script>"&\u0007', series, tolerance: null, cutoff, unit: 'µm & <b>' });
    for (const scale of [1, 1e-9, 1e9, 1e-300, 1e49]) {
      const drawn = plot([3, 2, null, 1, 0, 4].map((value) => (value === null ? null : value * scale)));
      expect(findMarkupFault(drawn)).toBeNull();
      expect(drawn).not.toMatch(/NaN|Infinity|undefined|<script/);
    }
    for (const drawn of [plot([1]), plot([0]), plot([null, null], 3), plot([null, 2, null])]) {
      expect(findMarkupFault(drawn)).toBeNull();
      expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  test('is drawn under a tolerance at the end of the numbers, without the folders of the files', () => {
    const drawn = drawClearancePlot({
      title: 't',
      series: [1, 2],
      tolerance: Number.MAX_VALUE,
      cutoff: null,
      unit: 'm',
    });
    expect(findMarkupFault(drawn)).toBeNull();
    expect(drawn).not.toMatch(/NaN|Infinity/);
    replay('path.json', '--query', 'within', '--tolerance', '1e308', '-o', inFolder('named.svg'));
    expect(readFileSync(inFolder('named.svg'), 'utf8')).toContain('>Clearance of cube.obj and cube.obj<');
  });

  test('of many frames stays small and keeps the worst', () => {
    const series = Array.from({ length: 100_000 }, (_, i) => (i === 54_321 ? 0.001 : 2 + Math.sin(i / 500)));
    const drawn = drawClearancePlot({ title: 'long', series, tolerance: null, cutoff: null, unit: 'm' });
    expect(drawn.length).toBeLessThan(60_000);
    expect(/worst: [^<]*/.exec(drawn)?.[0]).toBe('worst: frame 54321, 0.001 m');
  });
});
