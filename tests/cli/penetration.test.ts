import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { softwareVulkanEnvironment } from '../../scripts/requirements.mjs';
import { summarizeClearance } from '../../src/cli/replay/clearance.js';
import { drawClearancePlot } from '../../src/cli/replay/clearance-plot.js';
import { type CommandResult, runCommand, runJson, runProcess } from './run-command.js';
import { findMarkupFault } from './well-formed.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface Feature {
  kind: 'vertex' | 'edge' | 'face';
  vertices: number[];
}

interface PenetrationAnswer {
  intersects: boolean;
  depth: number;
  lower: number;
  upper: number;
  vector: number[];
  direction: number[] | null;
  featureA: Feature | null;
  featureB: Feature | null;
  pointA: number[] | null;
  pointB: number[] | null;
  status: 'separate' | 'exact' | 'certified' | 'budget' | 'upper-estimate';
  cells: number;
  gap: number;
  levels: { level: number; pairs: number; cullRatio: number; sums: number; estimate: number }[];
  milliseconds: number;
  method: string;
  backend: string;
  device?: string;
  preprocessMs: number;
  query?: string;
  descent?: string;
  generalized?: {
    depth: number;
    pose: number[];
    rotation: number[];
    translation: number[];
    evaluations: number;
    status: 'separate' | 'translation' | 'rotation';
  };
  gradient?: { unique: boolean; reason: string | null; translationA: number[]; rotationA: number[] | null };
}

type Grid = readonly [xs: readonly number[], ys: readonly number[], zs: readonly number[]];

/** The boundary of a union of the cells of a grid, as OBJ; unused vertices and all. */
function cellsToObj([xs, ys, zs]: Grid, filled: (i: number, j: number, k: number) => boolean): string {
  const vertex = (i: number, j: number, k: number): number => 1 + i + xs.length * (j + ys.length * k);
  const lines: string[] = [];
  for (const z of zs) for (const y of ys) for (const x of xs) lines.push(`v ${x} ${y} ${z}`);
  const last = [xs.length - 1, ys.length - 1, zs.length - 1];
  const has = (cell: number[]): boolean =>
    cell.every((c, axis) => c >= 0 && c < last[axis]) && filled(cell[0], cell[1], cell[2]);
  for (let k = 0; k < last[2]; k++) {
    for (let j = 0; j < last[1]; j++) {
      for (let i = 0; i < last[0]; i++) {
        if (!has([i, j, k])) continue;
        for (let axis = 0; axis < 3; axis++) {
          for (const side of [0, 1]) {
            const next = [i, j, k];
            next[axis] += 2 * side - 1;
            if (has(next)) continue;
            const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            const corners = [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 1],
            ].map(([du, dv]) => {
              const at = [i, j, k];
              at[axis] += side;
              at[u] += du;
              at[v] += dv;
              return vertex(at[0], at[1], at[2]);
            });
            lines.push(`f ${(side === 1 ? corners : corners.reverse()).join(' ')}`);
          }
        }
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

const boxToObj = (low: number[], high: number[]): string =>
  cellsToObj(
    [
      [low[0], high[0]],
      [low[1], high[1]],
      [low[2], high[2]],
    ],
    () => true,
  );

/** A channel, 3 wide, 3 high, 4 long, with walls and a floor of 1. */
const CHANNEL = cellsToObj(
  [
    [0, 1, 2, 3],
    [0, 1, 3],
    [0, 4],
  ],
  (i, j) => i !== 1 || j === 0,
);

const at = (x: number, y = 0, z = 0): string => `${x},${y},${z},0,0,0,1`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-penetration-'));
  writeFileSync(inFolder('cube.obj'), boxToObj([0, 0, 0], [1, 1, 1]));
  writeFileSync(inFolder('small.obj'), boxToObj([0.45, 0.45, 0.45], [0.55, 0.55, 0.55]));
  writeFileSync(inFolder('channel.obj'), CHANNEL);
  // In the slot and a quarter deep in the floor.
  writeFileSync(inFolder('tongue.obj'), boxToObj([1.25, 0.75, 1], [1.75, 2.75, 2]));
  // Through both walls, clear of the floor.
  writeFileSync(inFolder('bar.obj'), boxToObj([0.5, 1.5, 1], [2.5, 2, 2]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const penetration = (a: string, b: string, ...options: string[]): PenetrationAnswer =>
  runJson<PenetrationAnswer>('penetration', inFolder(a), inFolder(b), '--backend', 'cpu', ...options);

function expectRefusal(args: string[], ...words: string[]): void {
  expectRefused(args, runCommand(...args), words);
}

function expectRefused(args: string[], { code, stdout, stderr }: CommandResult, words: string[]): void {
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

/** The estimate is never below the truth, and near it. */
function expectDepth({ depth, upper, lower, vector, direction }: PenetrationAnswer, truth: number): void {
  expect(depth).toBe(upper);
  expect(Math.hypot(...vector)).toBeCloseTo(depth, 12);
  expect(depth).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
  expect(depth).toBeLessThan(truth * 1.001);
  expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
  for (const [axis, value] of (direction ?? []).entries()) expect(value).toBeCloseTo(vector[axis] / depth, 12);
}

describe('penetration', () => {
  test('prints the keys of the contract for two boxes, and the vector parts them', () => {
    const answer = penetration('cube.obj', 'cube.obj', '--pose-b', at(0.75, 0.25, 0.125));
    expect(answer).toMatchObject({ intersects: true, status: 'exact', method: 'certified', backend: 'cpu' });
    expectDepth(answer, 0.25);
    expect(answer.lower).toBeCloseTo(0.25, 9);
    expect(answer.direction).toEqual([-1, 0, 0].map((value) => expect.closeTo(value, 9)));
    for (const feature of [answer.featureA, answer.featureB]) {
      expect(['vertex', 'edge', 'face']).toContain(feature?.kind);
      expect(feature?.vertices).toHaveLength({ vertex: 1, edge: 2, face: 3 }[feature?.kind ?? 'face']);
    }
    // The point of A that touches last, and what it touches.
    expect(answer.pointA?.[0]).toBeCloseTo(1, 9);
    expect(answer.pointB?.[0]).toBeCloseTo(0.75, 9);
    for (const key of ['milliseconds', 'preprocessMs'] as const) expect(answer[key]).toBeGreaterThan(0);
    expect(Array.isArray(answer.levels)).toBe(true);
    const moved = ['--pose-a', at(answer.vector[0], answer.vector[1], answer.vector[2])];
    const args = [inFolder('cube.obj'), inFolder('cube.obj'), '--pose-b', at(0.75, 0.25, 0.125)];
    expect(runJson('measure', ...args, ...moved).intersects).toBe(false);
    expect(runJson('measure', ...args).intersects).toBe(true);
  });

  test('finds the way out of the slot, and over the walls where a local answer would be sideways', () => {
    const shallow = penetration('channel.obj', 'tongue.obj');
    expect(shallow).toMatchObject({ intersects: true, status: 'certified' });
    expectDepth(shallow, 0.25);
    expect(shallow.lower).toBeGreaterThanOrEqual(0.999 * 0.25);
    expect(shallow.vector[1]).toBeLessThan(0);
    expect(shallow.levels.length).toBeGreaterThan(0);
    for (const { pairs, sums, cullRatio, estimate } of shallow.levels) {
      expect(sums).toBeLessThanOrEqual(pairs);
      expect(cullRatio).toBeGreaterThanOrEqual(0);
      expect(cullRatio).toBeLessThanOrEqual(1);
      expect(estimate).toBeGreaterThanOrEqual(0.25 * (1 - 1e-12));
    }
    // The walls overlap the bar's ends by 0.5, but only 1.5 upwards frees both.
    expectDepth(penetration('channel.obj', 'bar.obj'), 1.5);
    expectDepth(penetration('bar.obj', 'channel.obj'), 1.5);
  });

  test('one solid wholly inside the other', () => {
    const answer = penetration('small.obj', 'cube.obj');
    expectDepth(answer, 0.55);
    expectDepth(penetration('cube.obj', 'small.obj'), 0.55);
    // In the middle of a wall of the channel: out to either side of it.
    expectDepth(penetration('small.obj', 'channel.obj', '--pose-a', at(0, 1, 1)), 0.55);
  });

  test('disjoint and touching models have no depth and no direction', () => {
    for (const [a, pose, intersects] of [
      ['cube.obj', at(3), false],
      ['cube.obj', at(1), true],
      // Resting on the floor of the slot, with walls on either side.
      ['channel.obj', at(0, 0.25), true],
    ] as const) {
      const answer = penetration(a, a === 'cube.obj' ? a : 'tongue.obj', '--pose-b', pose);
      expect(answer).toMatchObject({ intersects, depth: 0, lower: 0, upper: 0, vector: [0, 0, 0], direction: null });
      expect(answer.status).toBe('separate');
    }
  });

  test('vectors and points are in the world frame', () => {
    // Both a quarter turn about z and moved together: what was −y is now +x.
    const turn = `5,6,7,0,0,${Math.SQRT1_2},${Math.SQRT1_2}`;
    const answer = penetration('channel.obj', 'tongue.obj', '--pose-a', turn, '--pose-b', turn);
    expectDepth(answer, 0.25);
    expect(answer.vector[0]).toBeCloseTo(0.25, 3);
    expect(answer.pointA?.[0]).toBeCloseTo(5 - 1, 3);
    expect(answer.pointB?.[0]).toBeCloseTo(5 - 0.75, 3);
  });

  test('the interval is as narrow as asked, or the budget says so', () => {
    for (const gap of [0.1, 1e-3, 1e-6]) {
      const answer = penetration('channel.obj', 'bar.obj', '--relative-gap', String(gap));
      expect(answer).toMatchObject({ status: 'certified', method: 'certified' });
      expectDepth(answer, 1.5);
      expect(answer.gap).toBeCloseTo((answer.upper - answer.lower) / answer.upper, 15);
      expect(answer.gap).toBeLessThanOrEqual(gap);
      expect(answer.cells).toBeGreaterThan(0);
      expect(answer).not.toHaveProperty('descent');
    }
    for (const budget of [
      ['--max-cells', '0'],
      ['--max-milliseconds', '0'],
    ]) {
      const answer = penetration('channel.obj', 'bar.obj', ...budget);
      expect(answer).toMatchObject({ status: 'budget', cells: 0 });
      expectDepth(answer, 1.5);
    }
  });

  test('takes the options of the contract together, whatever the method', () => {
    for (const options of [
      ['--resolution', '64'],
      ['--relative-gap', '0.01'],
      ['--resolution', '64', '--relative-gap', '0.01'],
    ]) {
      expect(penetration('channel.obj', 'bar.obj', ...options)).toMatchObject({ status: 'certified' });
    }
    const answer = penetration('channel.obj', 'bar.obj', '--method', 'image-space', '--resolution', '64');
    expect(answer).toMatchObject({ status: 'upper-estimate', method: 'image-space', lower: 0, cells: 0, gap: 1 });
    expectDepth(answer, 1.5);
  });

  test('the depth when A may turn too, and the gradient', () => {
    const { generalized, depth, lower } = penetration('channel.obj', 'bar.obj', '--generalized');
    expect(lower).toBeGreaterThan(0);
    expect(generalized!.depth).toBeLessThanOrEqual(depth);
    expect(generalized!.depth).toBeGreaterThan(0);
    expect(generalized!.pose).toHaveLength(7);
    expect(['translation', 'rotation']).toContain(generalized!.status);
    expect(Object.keys(generalized!).sort()).toEqual(
      ['depth', 'evaluations', 'pose', 'rotation', 'status', 'translation'].sort(),
    );
    const pose = generalized!.pose.join(',');
    const args = [inFolder('channel.obj'), inFolder('bar.obj')];
    expect(runJson('measure', ...args, '--pose-a', pose).intersects).toBe(false);
    const { gradient, vector, gap } = penetration('channel.obj', 'tongue.obj', '--gradient');
    expect(gap).toBeLessThanOrEqual(1e-6);
    // Moving A along the vector makes the depth less, as fast as it moves.
    const along = gradient!.translationA.reduce((sum, value, axis) => sum + value * vector[axis], 0);
    expect(along).toBeCloseTo(-Math.hypot(...vector), 9);
    // A face comes to lie on a face: turning one way and the other differ.
    expect(gradient).toMatchObject({ unique: false, reason: 'several-contacts', rotationA: null });
    const text = runCommand('penetration', ...args, '--generalized', '--gradient').stdout;
    expect(text).toMatch(/^turned too +at most /m);
    expect(text).toMatch(/^gradient +(unique|not unique: .*)$/m);
  });

  test('the two image queries and the three descents agree', () => {
    for (const options of [['--query', 'windows'], ['--descent', 'levels'], ['--no-acceleration']]) {
      expectDepth(penetration('channel.obj', 'bar.obj', '--resolution', '64', ...options), 1.5);
    }
    // Windows go down by levels where nothing else is said, as in the library.
    for (const [descent, options] of [
      ['probes', ['--method', 'image-space']],
      ['levels', ['--query', 'windows']],
      ['probes', ['--query', 'windows', '--descent', 'probes']],
      ['none', ['--query', 'windows', '--no-acceleration']],
    ] as const) {
      expect(penetration('channel.obj', 'bar.obj', '--resolution', '16', ...options)).toMatchObject({ descent });
    }
  });

  test('writes both models with A moved out', () => {
    for (const name of ['apart.glb', 'apart.obj']) {
      const { vector } = penetration('channel.obj', 'bar.obj', '-o', inFolder(name), '--pose-b', at(0.1));
      const { box } = runJson<{ box: { min: number[]; max: number[] } }>('info', inFolder(name));
      expect(box.min[1]).toBeCloseTo(Math.min(vector[1], 1.5), 5);
      expect(box.max[2]).toBeCloseTo(4, 5);
    }
    const clashes = runJson<{ parts: number; clashes: unknown[] }>('clash', inFolder('apart.glb'));
    expect(clashes.parts).toBe(2);
    expect(runJson('info', inFolder('apart.obj'))).toMatchObject({ components: 2, selfIntersections: 0 });
  });

  test('tells people what the depth is worth, and the levels', () => {
    const args = ['penetration', inFolder('channel.obj'), inFolder('bar.obj'), '--backend', 'cpu'];
    const { code, stdout, stderr } = runCommand(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^depth +1\.5: certified/m);
    expect(stdout).toMatch(/^interval +1\.(49|5)\d* to 1\.5, a gap of [\d.e-]+ %$/m);
    expect(stdout).toMatch(/^cells +[\d,]+ examined$/m);
    expect(runCommand(...args, '--max-cells', '0').stdout).toMatch(/^depth +1\.5: .*budget/m);
    expect(runCommand(...args, '--method', 'image-space').stdout).toMatch(/^depth +1\.5: an upper estimate/m);
    expect(stdout).toMatch(/^vector +\(.*\) moves A out of B$/m);
    expect(stdout).toMatch(/^level +pairs +culled % +sums +cull ms +sum ms +query ms +estimate$/m);
    expect(stdout).toMatch(/^ *0 +1 +0\.0 +1 /m);
    const apart = runCommand(...args, '--pose-b', at(9)).stdout;
    expect(apart).toMatch(/^depth +0: the models do not overlap$/m);
    expect(apart).not.toContain('vector');
    const touching = ['penetration', inFolder('cube.obj'), inFolder('cube.obj'), '--backend', 'cpu', '--pose-b', at(1)];
    expect(runCommand(...touching).stdout).toMatch(/^intersects +yes\ndepth +0: the models only touch$/m);
  });

  test('a solid whose faces all look inward is taken as turned outward', () => {
    const cube = inFolder('cube.obj');
    const inward = inFolder('inward.obj');
    writeFileSync(
      inward,
      readFileSync(cube, 'utf8').replace(/^f (.*)$/gm, (_, ids) => `f ${ids.split(' ').reverse().join(' ')}`),
    );
    const depthOf = (file: string): unknown => {
      const { depth, lower, upper } = runJson<Record<string, number>>('penetration', file, cube);
      return { depth, lower, upper };
    };
    expect(depthOf(inward)).toEqual(depthOf(cube));
  });

  test('refuses a model that is not a solid, naming the file', () => {
    const cube = inFolder('cube.obj');
    const text = readFileSync(cube, 'utf8');
    writeFileSync(inFolder('open.obj'), text.replace(/^f .*\n/m, ''));
    expectRefusal(['penetration', cube, inFolder('open.obj')], 'open.obj', 'not closed');
    const solid = ['--solidify', '--solid-resolution', '12'];
    const answer = runJson<{ lower: number; upper: number; solidified: { errorA: number; errorB: number } }>(
      'penetration',
      cube,
      inFolder('open.obj'),
      ...solid,
    );
    expect(answer.lower).toBeLessThanOrEqual(answer.upper);
    expect(answer.solidified.errorA).toBe(0);
    expect(answer.solidified.errorB).toBeGreaterThan(0);
    expectRefusal(['penetration', cube, cube, '--solid-resolution', '12'], '--solidify');
    expectRefusal(['penetration', cube, cube, ...solid, '--gradient'], '--gradient');
    // Two boxes of one file that cross; ids from the end, so that they stay right.
    const second = boxToObj([0.5, 0.5, 0.5], [2, 2, 2]).replace(/^f .*$/gm, (face) =>
      face.replace(/\d+/g, (id) => String(Number(id) - 9)),
    );
    writeFileSync(inFolder('crossing.obj'), text + second);
    expectRefusal(['penetration', cube, inFolder('crossing.obj')], 'crossing.obj');
    writeFileSync(inFolder('flat.obj'), boxToObj([0, 0, 0], [1, 1, 0]));
    expectRefusal(['penetration', cube, inFolder('flat.obj')], 'flat.obj', 'no volume');
    expectRefusal(['penetration', cube, inFolder('absent.obj')], 'absent.obj', 'no such file');
    expectRefusal(['penetration', cube], 'A B');
  });

  test('refuses bad options in one line', () => {
    const args = ['penetration', inFolder('cube.obj'), inFolder('cube.obj')];
    for (const value of ['0', '-4', 'NaN', '1e9', '2.5', 'fine', '']) {
      expectRefusal([...args, `--resolution=${value}`], '--resolution', 'whole number');
    }
    expectRefusal([...args, '--coarse-resolution', '0'], '--coarse-resolution', 'whole number');
    expectRefusal([...args, '--method', 'exact'], '--method', 'certified', 'image-space');
    for (const value of ['0', '1', '-1', '2', 'NaN', 'small', '']) {
      expectRefusal([...args, `--relative-gap=${value}`], 'gap');
    }
    for (const value of ['-1', '1.5', 'many']) expectRefusal([...args, `--max-cells=${value}`], '--max-cells');
    for (const value of ['-1', 'NaN', 'long']) expectRefusal([...args, `--max-milliseconds=${value}`], '--max-milli');
    for (const option of ['--relative-gap', '--max-cells', '--max-milliseconds']) {
      const given = option === '--relative-gap' ? '0.01' : '5';
      expectRefusal([...args, '--method', 'image-space', option, given], option, '--method certified');
    }
    expectRefusal([...args, '--query', 'rays', '--max-cells', '5'], '--max-cells', 'image-space', '--query');
    expectRefusal([...args, '--method', 'certified', '--query', 'windows'], '--query', '--method image-space');
    expectRefusal([...args, '--method', 'certified', '--descent', 'levels'], '--descent', '--method image-space');
    expectRefusal([...args, '--method', 'certified', '--no-acceleration'], '--no-acceleration', 'image-space');
    expectRefusal([...args, '--format', 'obj'], '--format', '-o');
    expectRefusal([...args, '--query', 'pixels'], '--query', 'rays', 'windows');
    expectRefusal([...args, '--descent', 'fast'], '--descent', 'probes');
    expectRefusal([...args, '--descent', 'levels', '--no-acceleration'], '--no-acceleration', 'levels');
    expectRefusal([...args, '--backend', 'cuda'], '--backend', 'webgpu');
    expectRefusal([...args, '--pose-a', '1,2,3'], '--pose-a', '7 numbers');
    expectRefusal([...args, '--pose-b', '0,0,0,0,0,0,0'], '--pose-b', 'zero');
    expectRefusal([...args, '--pose-b', 'here'], '--pose-b', '"here"');
    expectRefusal([...args, '--pose-b', '1e60,0,0,0,0,0,1'], '--pose-b', 'beyond');
    expectRefusal([...args, '-o', inFolder('apart.xyz')], 'apart.xyz');
    expectRefusal([...args, '-o', join(folder, 'none', 'apart.glb')], 'apart.glb');
  });
});

// Which drivers the loader finds can be chosen on Linux only.
describe.runIf(process.platform === 'linux')('penetration on the GPU', () => {
  const args = (): string[] => ['penetration', inFolder('channel.obj'), inFolder('bar.obj'), '--resolution', '64'];

  function withDrivers<T>(files: string | undefined, work: () => T): T {
    const before = process.env.VK_DRIVER_FILES;
    const set = (value: string | undefined): void => {
      if (value === undefined) delete process.env.VK_DRIVER_FILES;
      else process.env.VK_DRIVER_FILES = value;
    };
    set(files);
    try {
      return work();
    } finally {
      set(before);
    }
  }

  test('without an adapter auto takes the CPU in silence, and webgpu says what to do', () => {
    withDrivers(inFolder('no-driver.json'), () => {
      const { code, stdout, stderr } = runProcess(...args(), '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ backend: 'cpu' });
      const asked = [...args(), '--backend', 'webgpu'];
      expectRefused(asked, runProcess(...asked), ['no adapter', '--backend cpu']);
    });
  });

  test('auto leaves a software adapter alone; webgpu takes it and names it', () => {
    const { VK_DRIVER_FILES = process.env.VK_DRIVER_FILES } = softwareVulkanEnvironment() as Record<string, string>;
    withDrivers(VK_DRIVER_FILES, () => {
      const auto = JSON.parse(runProcess(...args(), '--json').stdout) as PenetrationAnswer;
      expect(auto.backend).toBe('cpu');
      expect(auto).not.toHaveProperty('device');
      // By windows: rays through models that fit into each other are followed on the CPU.
      const drawn = ['--json', '--backend', 'webgpu', '--query', 'windows'];
      const { code, stdout, stderr } = runProcess(...args(), ...drawn);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const answer = JSON.parse(stdout) as PenetrationAnswer;
      expect(answer).toMatchObject({ backend: 'webgpu', method: 'image-space' });
      expect(answer.device).toBeTypeOf('string');
      expectDepth(answer, 1.5);
    });
  });
});

describe('replay --query penetration', () => {
  /** The second cube goes from x = 2 to x = −1.5 in steps of a quarter; multiples of an eighth touch exactly. */
  const PATH = Array.from({ length: 15 }, (_, i) => 2 - i / 4);
  const DEPTHS = PATH.map((x) => Math.max(0, 1 - Math.abs(x)));

  interface ReplayAnswer {
    results: { intersects: boolean; depth: number; lower: number; upper: number; vector: number[]; status: string }[];
    deepestFrame: number | null;
    maxDepth: number;
    intersectingFrames: number;
    preprocessMs: number;
    meanMicroseconds: number;
    medianMicroseconds: number;
  }

  const args = (): string[] => ['replay', inFolder('cube.obj'), inFolder('cube.obj'), inFolder('path.json')];

  beforeAll(() => {
    const frames = PATH.map((x) => ({ A: [0, 0, 0, 0, 0, 0, 1], B: [x, 0, 0, 0, 0, 0, 1] }));
    writeFileSync(inFolder('path.json'), JSON.stringify({ frames }));
  });

  test('gives an object a frame, and times', () => {
    const answer = runJson<ReplayAnswer>(...args(), '--query', 'penetration');
    expect(answer.results).toHaveLength(PATH.length);
    for (const [frame, { intersects, depth, lower, upper, vector, status }] of answer.results.entries()) {
      expect(intersects).toBe(Math.abs(PATH[frame]) <= 1);
      expect(depth).toBeCloseTo(DEPTHS[frame], 9);
      expect(upper).toBe(depth);
      expect(lower).toBeLessThanOrEqual(upper);
      expect(Math.hypot(...vector)).toBeCloseTo(depth, 12);
      expect(status).toBe(DEPTHS[frame] > 0 ? 'exact' : 'separate');
    }
    expect(answer).toMatchObject({ deepestFrame: 8, intersectingFrames: 9 });
    expect(answer.maxDepth).toBeCloseTo(1, 9);
    for (const key of ['preprocessMs', 'meanMicroseconds', 'medianMicroseconds'] as const) {
      expect(answer[key]).toBeGreaterThan(0);
    }
  });

  test('is certified with and without coherence, and proven alike', () => {
    const frames = Array.from({ length: 8 }, (_, i) => ({
      A: [0, 0, 0, 0, 0, 0, 1],
      B: [0.05 * i, 0.1 * i, 0, 0, 0, 0, 1],
    }));
    writeFileSync(inFolder('slide.json'), JSON.stringify({ frames }));
    const slide = ['replay', inFolder('channel.obj'), inFolder('bar.obj'), inFolder('slide.json')];
    const coherent = runJson<ReplayAnswer>(...slide, '--query', 'penetration');
    const fresh = runJson<ReplayAnswer>(...slide, '--query', 'penetration', '--no-coherence');
    for (const [i, { lower, upper, status }] of coherent.results.entries()) {
      // Up and over the walls: 1.5 less what the bar has come up.
      for (const answer of [{ lower, upper, status }, fresh.results[i]]) {
        expect(answer.status).toBe('certified');
        expect(answer.lower).toBeLessThanOrEqual(1.5 - 0.1 * i + 1e-12);
        expect(answer.upper).toBeGreaterThanOrEqual(1.5 - 0.1 * i - 1e-12);
        expect(answer.upper - answer.lower).toBeLessThanOrEqual(1e-3 * answer.upper);
      }
    }
    const words = runCommand(...slide, '--query', 'penetration').stdout;
    expect(words).toMatch(/^proven +from both sides, within [\d.e-]+ % in every frame$/m);
    expect(words).toMatch(/certified, coherent in time$/m);
    const images = runCommand(...slide, '--query', 'penetration', '--method', 'image-space').stdout;
    expect(images).toMatch(/^proven +from above: upper estimates$/m);
  });

  test('draws clearance above zero and depth below', () => {
    const { code, stdout, stderr } = runCommand(...args(), '--query', 'penetration', '-o', inFolder('plot.svg'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^intersecting +9 frames: 4–12$/m);
    expect(stdout).toMatch(/^depth +greatest 1 at frame 8$/m);
    const plot = readFileSync(inFolder('plot.svg'), 'utf8');
    expect(findMarkupFault(plot)).toBeNull();
    expect(plot).toContain('worst: frame 8, 1 units deep');
    expect(plot).toContain('Clearance and depth of cube.obj and cube.obj');
    runJson(...args(), '--query', 'penetration', '-o', inFolder('plot.html'));
    const page = readFileSync(inFolder('plot.html'), 'utf8');
    expect(findMarkupFault(page)).toBeNull();
    expect(page).toContain('The models intersect in frames 4–12.');
    expect(page).toContain('greatest depth');
    expect(page).toContain('1 deep');
  });

  test('refuses its options for other queries, and models that are not solids', () => {
    expectRefusal([...args(), '--query', 'distance', '--resolution', '64'], '--resolution', 'penetration');
    expectRefusal([...args(), '--query', 'penetration', '--resolution', '0'], '--resolution');
    const images = [...args(), '--query', 'penetration', '--method', 'image-space'];
    expectRefusal([...images, '--relative-gap', '0.1'], '--relative-gap', '--method certified');
    for (const option of ['--cutoff', '--relative-error', '--absolute-error', '--volume']) {
      expectRefusal([...args(), '--query', 'penetration', option, option === '--volume' ? 'boxes' : '1'], option, '-o');
    }
    writeFileSync(inFolder('lidless.obj'), boxToObj([0, 0, 0], [1, 1, 1]).replace(/^f .*\n/m, ''));
    const open = ['replay', inFolder('cube.obj'), inFolder('lidless.obj'), inFolder('path.json')];
    expectRefusal([...open, '--query', 'penetration'], 'lidless.obj', 'not closed');
    expect(runCommand(...open, '--query', 'distance').code).toBe(0);
  });
});

describe('signed clearance', () => {
  const plot = (series: (number | null)[]): string =>
    drawClearancePlot({ title: 't', series, tolerance: null, cutoff: null, unit: 'm' });

  test('is summed up by the deepest frame', () => {
    expect(summarizeClearance([2, 0, -1, -3, 1])).toMatchObject({
      worstFrame: 3,
      min: -3,
      max: 2,
      intersectingFrames: 3,
    });
  });

  test('is drawn with zero where it belongs, at every scale', () => {
    for (const scale of [1, 1e-9, 1e9, 1e-300, 1e49]) {
      for (const series of [[3, -2, null, 1], [-1, -2], [-1], [0, -1, 4]]) {
        const drawn = plot(series.map((value) => (value === null ? null : value * scale)));
        expect(findMarkupFault(drawn)).toBeNull();
        expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
        // Every point of the curve lies within the frame of the plot.
        for (const [, y] of drawn.matchAll(/class="nf-worst-dot" cx="[^"]*" cy="([^"]*)"/g)) {
          expect(Number(y)).toBeGreaterThanOrEqual(56);
          expect(Number(y)).toBeLessThanOrEqual(420 - 58);
        }
      }
    }
    // 1 above and 3 below: ticks from −3 to 1.
    const ticks = [...plot([1, -3]).matchAll(/text-anchor="end">(-?[\d.]+)</g)].map((match) => Number(match[1]));
    expect(ticks).toEqual([-3, -2, -1, 0, 1]);
  });
});
