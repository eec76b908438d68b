import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { softwareVulkanEnvironment } from '../../scripts/requirements.mjs';
import { field } from '../../src/cli/verbs/field.js';
import { NearfieldError } from '../../src/core/errors.js';
import { readFieldNpy, readFieldRaw } from '../../src/field/files/field-file.js';
import { readFieldSlices } from '../../src/field/files/field-slices.js';
import type { Field } from '../../src/field/grid.js';
import { readNpy, writeNpy } from '../../src/io/array/npy.js';
import { readPng } from '../../src/io/image/read-png.js';
import { boxDistance } from '../oracles/closed-form-fields.js';
import { runCommand, runJson, runProcess } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);
const readJson = (name: string) => JSON.parse(readFileSync(inFolder(name), 'utf8'));
const readField = (name: string): Field =>
  readFieldNpy(readFileSync(inFolder(`${name}.npy`)), readJson(`${name}.json`));

/** 4 × 2 × 1 about the origin. */
const SLAB = `v -2 -1 -0.5\nv 2 -1 -0.5\nv 2 1 -0.5\nv -2 1 -0.5\nv -2 -1 0.5\nv 2 -1 0.5\nv 2 1 0.5\nv -2 1 0.5
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n`;
const slabDistance = boxDistance(2, 1, 0.5);

interface FieldAnswer {
  origin: number[];
  spacing: number;
  size: number[];
  method: string;
  order: number | null;
  closed: boolean;
  signed: boolean;
  error: { kind: string; max: number };
  minimum: number | null;
  maximum: number | null;
  uncomputed: number;
  milliseconds: number;
  backend: string;
  files: string[];
}

interface Difference {
  mean: number | null;
  rms: number | null;
  max: number | null;
  nodes: number;
  worst: number[] | null;
}

interface UpdateAnswer extends FieldAnswer {
  update: {
    status: string;
    reason: string | null;
    boxes: { min: number[]; max: number[] }[];
    nodes: number;
    spread: number;
    discontinuity: number;
    milliseconds: number;
    fullMilliseconds: number;
    difference: Difference;
  };
}

/** A sphere of radius 1 as an OBJ file; vertices near (1, 0, 0) are pulled out by `pull` at most. */
function roundModel(pull: number, rings = 12, segments = 20): string {
  const lines: string[] = [];
  const add = (x: number, y: number, z: number): void => {
    const near = Math.max(0, 1 - Math.hypot(x - 1, y, z) / 0.5);
    lines.push(`v ${[x, y, z].map((value) => value * (1 + pull * near)).join(' ')}`);
  };
  add(0, 0, 1);
  for (let r = 1; r < rings; r++) {
    for (let s = 0; s < segments; s++) {
      const [polar, turn] = [(Math.PI * r) / rings, (2 * Math.PI * s) / segments];
      add(Math.sin(polar) * Math.cos(turn), Math.sin(polar) * Math.sin(turn), Math.cos(polar));
    }
  }
  add(0, 0, -1);
  const id = (r: number, s: number): number =>
    r === 0 ? 1 : r === rings ? 2 + (rings - 1) * segments : 2 + (r - 1) * segments + (s % segments);
  for (let r = 0; r < rings; r++) {
    for (let s = 0; s < segments; s++) {
      if (r > 0) lines.push(`f ${id(r, s)} ${id(r + 1, s)} ${id(r, s + 1)}`);
      if (r < rings - 1) lines.push(`f ${id(r, s + 1)} ${id(r + 1, s)} ${id(r + 1, s + 1)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-field-'));
  writeFileSync(inFolder('slab.obj'), SLAB);
  writeFileSync(inFolder('open.obj'), SLAB.replace('f 4 1 5 8\n', ''));
  writeFileSync(inFolder('round.obj'), roundModel(0));
  writeFileSync(inFolder('pulled.obj'), roundModel(0.1));
  writeFileSync(inFolder('flat.obj'), 'v 0 0 3\nv 2 0 3\nv 0 1 3\nf 1 2 3\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Exit code 2 and one line. */
function expectRefusal(args: string[], ...words: string[]): void {
  const { code, stdout, stderr } = runCommand('field', ...args);
  expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
  expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
}

/** What the verb says, without a process each time. */
async function expectReason(args: string[], ...words: string[]): Promise<void> {
  const parsed = parseArgs({ args, options: field.options, allowPositionals: true, strict: true });
  const reason = await field.run({ ...parsed, progress: {} }).then(
    () => 'It was not refused.',
    (error) => (error instanceof NearfieldError ? error.message : error.stack),
  );
  for (const word of words) expect(reason).toContain(word);
}

/** What the verb answers, without a process each time. */
async function answerOf<T = FieldAnswer>(...args: string[]): Promise<T> {
  const parsed = parseArgs({ args, options: field.options, allowPositionals: true, strict: true });
  const answer = await field.run({ ...parsed, progress: {} });
  return JSON.parse(JSON.stringify(answer?.json)) as T;
}

/** How far the values are from the slab's distances, at most. */
function worstOf({ origin, spacing, size, values }: Field): number {
  let worst = 0;
  for (let k = 0, node = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, node++) {
        const exact = slabDistance(origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k);
        if (Number.isFinite(values[node])) worst = Math.max(worst, Math.abs(values[node] - exact));
      }
    }
  }
  return worst;
}

describe('field by the contract', () => {
  test('is float32 [z][y][x] in F.npy and origin, spacing, size in F.json', () => {
    const args = ['--resolution', '31', '--method', 'exact', '--box', '-3,-2,-1,3,2,1', '-o', inFolder('exact.npy')];
    const answer = runJson<FieldAnswer>('field', inFolder('slab.obj'), ...args);
    const { values, shape } = readNpy(readFileSync(inFolder('exact.npy')));
    expect(values).toBeInstanceOf(Float32Array);
    // 31 nodes over 6: 0.2 apart, so 21 over 4 and 11 over 2.
    expect(shape).toEqual([11, 21, 31]);
    const header = readJson('exact.json');
    expect(header.origin).toEqual([-3, -2, -1]);
    expect(header.spacing).toBeCloseTo(0.2, 15);
    expect(header.size).toEqual([31, 21, 11]);
    expect(header.dtype).toBe('float32');
    expect(worstOf(readField('exact'))).toBeLessThanOrEqual(header.error.max + header.roundingError + 1e-15);
    expect(header.roundingError).toBeLessThan(1e-6);
    expect(answer).toMatchObject({
      origin: [-3, -2, -1],
      size: [31, 21, 11],
      method: 'exact',
      order: null,
      closed: true,
      signed: true,
      backend: 'cpu',
      uncomputed: 0,
      files: [inFolder('exact.npy'), inFolder('exact.json')],
    });
    expect(answer.minimum).toBeCloseTo(-0.5, 12);
    expect(answer.maximum).toBeCloseTo(Math.hypot(1, 1, 0.5), 12);
    expect(answer.milliseconds).toBeGreaterThan(0);
    expect(answer.error).toMatchObject({ kind: 'bound' });
  });

  test('marches in both orders, each with the error it states', () => {
    const worst: number[] = [];
    for (const order of [1, 2]) {
      const args = ['--resolution', '31', '--method', 'fast-marching', '--order', String(order)];
      const output = ['--box', '-3,-2,-1,3,2,1', '-o', inFolder(`march${order}.npy`)];
      const answer = runJson<FieldAnswer>('field', inFolder('slab.obj'), ...args, ...output);
      expect(answer).toMatchObject({ method: 'fast-marching', order, error: { kind: 'sampled' } });
      worst.push(worstOf(readField(`march${order}`)));
      // 256 of 7161 nodes were looked at.
      expect(answer.error.max).toBeGreaterThan(0.3 * worst[order - 1]);
      expect(answer.error.max).toBeLessThanOrEqual(worst[order - 1] + 1e-6);
    }
    expect(worst[0]).toBeLessThan(0.2);
    expect(worst[1]).toBeLessThan(worst[0]);
  });

  test('--method exact takes an --order, which it has no use for', () => {
    const args = ['--method', 'exact', '--order', '1', '--resolution', '5'];
    expect(runJson<FieldAnswer>('field', inFolder('slab.obj'), ...args)).toMatchObject({ order: null, files: [] });
  });

  test('the other methods keep their error too', () => {
    for (const method of ['distance-transform', 'jump-flooding']) {
      const args = ['--resolution', '31', '--method', method, '--backend', 'cpu', '-o', inFolder(`${method}.npy`)];
      const answer = runJson<FieldAnswer>('field', inFolder('slab.obj'), ...args);
      expect(answer.method).toBe(method);
      expect(worstOf(readField(method))).toBeLessThanOrEqual(answer.error.max + 1e-6);
    }
  });

  test('the default box is the model with every side 5 % longer, N nodes along the longest', () => {
    const { origin, spacing, size } = runJson<FieldAnswer>('field', inFolder('slab.obj'), '--resolution', '43');
    expect(origin).toEqual([-2.1, -1.05, -0.525].map((value) => expect.closeTo(value, 12)));
    expect(spacing).toBeCloseTo(0.1, 12);
    // Over 2.1 as many as cover it: 22 reach exactly; over 1.05, 12 reach 1.1.
    expect(size).toEqual([43, 22, 12]);
    const flat = runJson<FieldAnswer>('field', inFolder('flat.obj'), '--resolution', '22', '--sign', 'none');
    expect(flat.origin).toEqual([-0.05, -0.025, 2.95].map((value) => expect.closeTo(value, 12)));
    expect(flat.size).toEqual([22, 12, 2]);
  });

  test('open models are warned of and say so', () => {
    const { code, stdout, stderr } = runCommand('field', inFolder('open.obj'), '--resolution', '9', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ closed: false, signed: true });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('open.obj');
    const unsigned = runCommand('field', inFolder('open.obj'), '--resolution', '9', '--sign', 'none', '--json');
    expect(JSON.parse(unsigned.stdout)).toMatchObject({ closed: false, signed: false });
    expect(JSON.parse(unsigned.stdout).minimum).toBeGreaterThanOrEqual(0);
    expect(unsigned.stderr).toBe('');
  });
});

describe('field beyond the contract', () => {
  const GRID = ['--resolution', '16', '--box', '-3,-2,-1,3,2,1'];

  test('raw numbers, images and a picture hold the same field', async () => {
    const outputs = ['all.npy', 'numbers.raw', 'layers-%d.png', 'picture.png'].flatMap((name) => [
      '-o',
      inFolder(name),
    ]);
    const { files, size } = runJson<FieldAnswer>(
      ...['field', inFolder('slab.obj'), ...GRID, ...outputs, '--precision', 'float64', '--slice', 'x=0.1'],
    );
    expect(size).toEqual([16, 11, 6]);
    const layers = [0, 1, 2, 3, 4, 5].map((k) => inFolder(`layers-${k}.png`));
    expect(files).toEqual([
      ...['all.npy', 'all.json', 'numbers.raw', 'numbers.json'].map(inFolder),
      ...layers,
      ...['layers.json', 'picture.png'].map(inFolder),
    ]);
    const whole = readField('all');
    expect(worstOf(whole)).toBeLessThan(1e-14);
    expect(readFieldRaw(readFileSync(inFolder('numbers.raw')), readJson('numbers.json'))).toEqual(whole);
    const header = readJson('layers.json');
    const images = await readFieldSlices(
      layers.map((path) => readFileSync(path)),
      header,
    );
    images.values.forEach((value, node) => {
      expect(Math.abs(value - whole.values[node])).toBeLessThanOrEqual(header.quantizationError);
    });
    expect(header.quantizationError).toBeLessThan(1e-4);
    // A slice across x: y to the right, z up, 52 pixels from node to node.
    const { width, height, channels } = await readPng(readFileSync(inFolder('picture.png')));
    expect({ width, height, channels }).toEqual({ width: 10 * 52 + 1, height: 5 * 52 + 1, channels: 3 });
  });

  test('--spacing, --sides and --max-distance', () => {
    const answer = runJson<FieldAnswer>('field', inFolder('slab.obj'), '--spacing', '0.25', '--max-distance', '0.3');
    expect(answer.spacing).toBe(0.25);
    expect(answer.size).toEqual([18, 10, 6]);
    expect(answer.uncomputed).toBeGreaterThan(0);
    expect(answer.minimum).toBeGreaterThanOrEqual(-0.3);
    const args = ['--method', 'fast-marching', '--sides', 'outside', '-o', inFolder('outside.npy')];
    runJson('field', inFolder('slab.obj'), '--resolution', '31', ...args);
    expect(readField('outside').values).toContain(-Infinity);
    expect(readField('outside').values).not.toContain(Infinity);
  });

  test('--isosurface writes an offset solid', () => {
    const args = ['--isosurface', inFolder('offset.stl'), '--level', '0.4'];
    const { files } = runJson<FieldAnswer>(
      'field',
      inFolder('slab.obj'),
      '--resolution',
      '40',
      '--box',
      '-3,-2,-1,3,2,1',
      ...args,
    );
    expect(files).toEqual([inFolder('offset.stl')]);
    const { closed, volume } = runJson<{ closed: boolean; volume: number }>(
      ...['info', inFolder('offset.stl'), '--no-self-intersections'],
    );
    expect(closed).toBe(true);
    // Steiner: volume, faces, a quarter cylinder an edge, a ball.
    const exact = 8 + 28 * 0.4 + (Math.PI / 4) * 0.4 ** 2 * 28 + (4 / 3) * Math.PI * 0.4 ** 3;
    expect(Math.abs(volume - exact) / exact).toBeLessThan(0.02);
  });

  test('--sparse holds the same values in its band', () => {
    const grid = ['--resolution', '61', '--box', '-3,-2,-1,3,2,1'];
    runJson('field', inFolder('slab.obj'), ...grid, '-o', inFolder('dense.npy'), '--max-distance', '0.35');
    const args = ['--sparse', '--max-distance', '0.35', '-o', inFolder('sparse.npy'), '-o', inFolder('sparse.png')];
    const answer = runJson<FieldAnswer>('field', inFolder('slab.obj'), ...grid, ...args, '--slice', 'z=0.05');
    expect(answer).toMatchObject({ method: 'exact', sparse: true, closed: true });
    const [dense, sparse] = [readField('dense'), readField('sparse')];
    expect(sparse.size).toEqual(dense.size);
    const known = dense.values.filter(Number.isFinite).length;
    expect(known).toBeGreaterThan(1000);
    expect(answer.uncomputed).toBe(dense.values.length - known);
    const differing = dense.values.findIndex((value, node) => {
      const other = sparse.values[node];
      return Number.isFinite(value) ? !(Math.abs(other - value) < 1e-6) : other !== value;
    });
    expect(differing).toBe(-1);
    const surface = ['--sparse', '--isosurface', inFolder('surface.obj')];
    runJson('field', inFolder('slab.obj'), ...grid, ...surface);
    expect(runJson('info', inFolder('surface.obj'), '--no-self-intersections')).toMatchObject({
      closed: true,
      genus: 0,
    });
  });

  test('a sparse band is as wide as its isosurface needs', async () => {
    const far = ['--sparse', '--resolution', '31', '--box=-3,-2,-1.5,3,2,1.5', '--level', '0.9'];
    const args = [inFolder('slab.obj'), ...far, '--isosurface', inFolder('far.stl')];
    const { isosurface, maximum } = await answerOf<{ isosurface: { triangles: number }; maximum: number }>(...args);
    expect(isosurface.triangles).toBeGreaterThan(1000);
    // Four and a half spacings, and a cell; by default it would be three.
    expect(maximum).toBeGreaterThan(0.9);
    expect(maximum).toBeLessThan(0.9 + 2 * 0.2);
    await expectReason([...args, '--max-distance', '1'], '--max-distance', '0.9');
  });

  test('a box without height is a field in the plane', async () => {
    const args = [
      '--resolution',
      '31',
      '--box=-3,-2,0.2,3,2,0.2',
      '-o',
      inFolder('plane.npy'),
      '-o',
      inFolder('plane.png'),
    ];
    const { size } = runJson<FieldAnswer>('field', inFolder('slab.obj'), ...args);
    expect(size).toEqual([31, 21, 1]);
    expect(worstOf(readField('plane'))).toBeLessThan(1e-6);
    expect((await readPng(readFileSync(inFolder('plane.png')))).width).toBe(30 * 18 + 1);
    await expectReason([inFolder('slab.obj'), ...args, '--slice', 'z=0.2'], 'plane');
    await expectReason([inFolder('slab.obj'), ...args, '--method', 'fast-marching'], 'march');
  });

  test('--backend webgpu floods on the device and names it', () => {
    const { VK_DRIVER_FILES } = softwareVulkanEnvironment() as Record<string, string>;
    const before = process.env.VK_DRIVER_FILES;
    if (VK_DRIVER_FILES !== undefined) process.env.VK_DRIVER_FILES = VK_DRIVER_FILES;
    try {
      const args = ['--resolution', '21', '--method', 'jump-flooding', '-o', inFolder('gpu.npy')];
      const auto = runProcess('field', inFolder('slab.obj'), ...args, '--json');
      expect(JSON.parse(auto.stdout).backend).toBe('cpu');
      const { code, stdout, stderr } = runProcess(
        'field',
        inFolder('slab.obj'),
        ...args,
        '--backend',
        'webgpu',
        '--json',
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const answer = JSON.parse(stdout) as FieldAnswer & { device: string };
      expect(answer.backend).toBe('webgpu');
      expect(answer.device).toBeTypeOf('string');
      expect(worstOf(readField('gpu'))).toBeLessThanOrEqual(answer.error.max + 1e-6);
    } finally {
      if (before === undefined) delete process.env.VK_DRIVER_FILES;
      else process.env.VK_DRIVER_FILES = before;
    }
  });

  test('--against tells how far it is from another method, and --difference where', async () => {
    const grid = ['--resolution', '31', '--box=-3,-2,-1,3,1.6,1', '--precision', 'float64'];
    const slab = inFolder('slab.obj');
    await answerOf(slab, ...grid, '-o', inFolder('true.npy'));
    const marching = ['--method', 'fast-marching', '--order', '1', '-o', inFolder('marched.npy')];
    const against = ['--against', 'exact', '--difference', inFolder('apart.npy')];
    const { difference, files } = await answerOf<FieldAnswer & { difference: Difference & Record<string, unknown> }>(
      ...[slab, ...grid, ...marching, ...against],
    );
    expect(files.slice(2)).toEqual([inFolder('apart.npy'), inFolder('apart.json')]);
    expect(readJson('apart.json')).toMatchObject({ method: 'fast-marching', order: 1, against: 'exact' });
    const [exact, marched, apart] = [readField('true'), readField('marched'), readField('apart')];
    const expected = marched.values.map((value, node) => value - exact.values[node]);
    expect(apart.values).toEqual(expected);
    const sizes = [...expected].map(Math.abs);
    const { origin, spacing, size } = marched;
    const worst = sizes.indexOf(Math.max(...sizes));
    const place = [worst % size[0], Math.floor(worst / size[0]) % size[1], Math.floor(worst / (size[0] * size[1]))];
    expect(difference).toMatchObject({
      against: 'exact',
      max: sizes[worst],
      mean: expect.closeTo(sizes.reduce((a, b) => a + b) / sizes.length, 12),
      rms: expect.closeTo(Math.hypot(...sizes) / Math.sqrt(sizes.length), 12),
      nodes: sizes.length,
      worst: place.map((node, axis) => expect.closeTo(origin[axis] + spacing * node, 12)),
      milliseconds: expect.any(Number),
    });
    expect(difference.max).toBeGreaterThan(0.01);

    // The picture: a square of 17 pixels for each node, the darkest where the difference is largest.
    const slice = `z=${origin[2] + spacing * place[2]}`;
    const drawn = ['--difference', inFolder('apart.png'), '--against', 'exact', '--slice', slice];
    await answerOf(slab, ...grid, ...marching.slice(0, 4), ...drawn);
    const { width, height, pixels } = await readPng(readFileSync(inFolder('apart.png')));
    expect([width, height]).toEqual([31 * 17, 19 * 17]);
    const brightness = (i: number, j: number): number => {
      const at = 3 * (i * 17 + 8 + width * ((size[1] - 1 - j) * 17 + 8));
      return pixels[at] + pixels[at + 1] + pixels[at + 2];
    };
    expect(brightness(place[0], place[1])).toBe(44 + 4 + 28);
    let pale = 0;
    for (let node = 0; node < size[0] * size[1]; node++) {
      const same = sizes[node + size[0] * size[1] * place[2]] < 1e-3 * sizes[worst];
      if (same) pale++;
      const shade = brightness(node % size[0], Math.floor(node / size[0]));
      expect(shade > 740, `node ${node}`).toBe(same);
    }
    expect(pale).toBeGreaterThan(20);
  });

  test('--against query checks the exact field, a sparse one and one without a sign', async () => {
    for (const [model, ...args] of [
      ['round.obj'],
      ['round.obj', '--sparse'],
      ['open.obj', '--sign', 'none'],
      ['slab.obj', '--box=-3,-2,0.2,3,2,0.2'],
    ]) {
      const { error, difference, uncomputed, size } = await answerOf<FieldAnswer & { difference: Difference }>(
        ...[inFolder(model), '--resolution', '20', '--against', 'query', ...args],
      );
      expect(difference.nodes).toBe(size[0] * size[1] * size[2] - uncomputed);
      expect(difference.max, args.join(' ')).toBeLessThanOrEqual(error.max);
    }
    const none = ['--max-distance', '1e-9', '--against', 'exact', '--resolution', '4'];
    const { difference } = await answerOf<{ difference: Difference }>(inFolder('slab.obj'), ...none);
    expect(difference).toMatchObject({ nodes: 0, max: null, worst: null });
  });

  test('--moved updates the field where the model moved, which is the field of the moved model', async () => {
    const grid = ['--resolution', '30', '--box=-1.3,-1.3,-1.3,1.3,1.3,1.3', '--precision', 'float64'];
    const args = [inFolder('round.obj'), '--moved', inFolder('pulled.obj'), ...grid, '--sides', 'inside'];
    const answer = await answerOf<UpdateAnswer>(...args, '-o', inFolder('updated.npy'));
    const { update } = answer;
    expect(answer).toMatchObject({ method: 'fast-marching', order: 2, closed: true });
    expect(update).toMatchObject({ status: 'joined', reason: null });
    expect(update.nodes).toBeGreaterThan(100);
    expect(update.nodes).toBeLessThan(0.5 * 30 ** 3);
    // In the world, around what moved.
    expect(update.boxes.length).toBeGreaterThan(0);
    expect(Math.max(...update.boxes.map(({ max }) => max[0]))).toBeGreaterThan(1.1);
    for (const { min } of update.boxes) expect(min[0]).toBeGreaterThan(-0.5);
    expect(update.milliseconds).toBeGreaterThan(0);
    expect(update.fullMilliseconds).toBeGreaterThan(0);
    const spacing = 2.6 / 29;
    expect(update.difference.max).toBeLessThan(1e-6 * spacing);
    const full = ['--method', 'fast-marching', ...grid, '--sides', 'inside', '-o', inFolder('full.npy')];
    await answerOf(inFolder('pulled.obj'), ...full);
    const [updated, whole] = [readField('updated').values, readField('full').values];
    const differing = updated.findIndex((value, node) => {
      return value !== whole[node] && !(Math.abs(value - whole[node]) < 1e-6 * spacing);
    });
    expect(differing).toBe(-1);

    const small = await answerOf<UpdateAnswer>(...args, '--update-box', '1,-0.1,-0.1,1.2,0.1,0.1');
    expect(small.update).toMatchObject({ status: 'recomputed', reason: 'moved-outside', nodes: 30 ** 3 });
    const halves = [
      '--update-box',
      '0,-1,-1,1.3,0,1',
      '--update-box',
      '0,0,-1,1.3,1,1',
      '--update-border',
      'old-values',
    ];
    const given = await answerOf<UpdateAnswer>(...args, ...halves, '--against', 'exact');
    expect(given.update.boxes).toHaveLength(given.update.status === 'recomputed' ? 1 : 2);
    expect(given.update.difference.max).toBeLessThan(0.1 * spacing);
  });

  test('--moved says when nothing moved and when the triangles are others, in a box around both', async () => {
    const [round, slab] = [inFolder('round.obj'), inFolder('slab.obj')];
    const same = await answerOf<UpdateAnswer>(round, '--moved', round, '--resolution', '9');
    expect(same.update).toMatchObject({ status: 'unchanged', reason: null, boxes: [], nodes: 0 });
    const other = await answerOf<UpdateAnswer>(
      round,
      '--moved',
      slab,
      '--resolution',
      '22',
      '-o',
      inFolder('other.npy'),
    );
    expect(other.update).toMatchObject({ status: 'recomputed', reason: 'connectivity' });
    expect(other.origin).toEqual([-2.1, -1.05, -1.05].map((value) => expect.closeTo(value, 12)));
    expect(worstOf(readField('other'))).toBeLessThan(0.1);
  });

  test('--speed gives times of arrival', async () => {
    const grid = ['--resolution', '22', '--method', 'fast-marching', '--precision', 'float64', '--band-width', '1'];
    const slab = inFolder('slab.obj');
    const { size } = await answerOf(slab, ...grid, '-o', inFolder('slow.npy'));
    const shape = [...size].reverse();
    const count = size[0] * size[1] * size[2];
    writeFileSync(inFolder('two.npy'), writeNpy(new Float32Array(count).fill(2), shape));
    const answer = await answerOf(slab, ...grid, '--speed', inFolder('two.npy'), '-o', inFolder('fast.npy'));
    expect(answer).toMatchObject({ method: 'fast-marching', speed: inFolder('two.npy'), error: { kind: 'unknown' } });
    const [slow, fast] = [readField('slow').values, readField('fast').values];
    const differing = fast.findIndex((time, node) => !(Math.abs(2 * time - slow[node]) < 1e-12));
    expect(differing).toBe(-1);
    const times = await answerOf<{ difference: Difference }>(
      ...[slab, ...grid, '--speed', inFolder('two.npy'), '--against', 'fast-marching'],
    );
    expect(times.difference).toMatchObject({ max: 0, nodes: count });

    writeFileSync(inFolder('flat.npy'), writeNpy(new Float64Array(count), [count]));
    await expectReason([slab, ...grid, '--speed', inFolder('flat.npy')], 'flat.npy', 'shape', `${shape.join(', ')}`);
    const speeds = new Float64Array(count).fill(1);
    speeds[size[0] + 2] = -1;
    writeFileSync(inFolder('negative.npy'), writeNpy(speeds, shape));
    await expectReason([slab, ...grid, '--speed', inFolder('negative.npy')], 'negative.npy', '[0][1][2]', '-1');
    await expectReason([slab, ...grid, '--speed', slab], 'slab.obj', 'NumPy');
  });

  test('--probe tells what the field says at a point and what is true', async () => {
    const args = ['--resolution', '61', '--box=-3,-2,-1,3,2,1', '--probe', '2.52,0.21,0.1', '--probe', '9,0,0'];
    const { probes } = await answerOf<{ probes: Record<string, unknown>[] }>(inFolder('slab.obj'), ...args);
    expect(probes).toEqual([
      {
        point: [2.52, 0.21, 0.1],
        value: expect.closeTo(0.52, 12),
        gradient: [1, 0, 0].map((slope) => expect.closeTo(slope, 12)),
        distance: expect.closeTo(0.52, 12),
        nearest: [2, expect.closeTo(0.21, 12), expect.closeTo(0.1, 12)],
      },
      { point: [9, 0, 0], value: null, gradient: null, distance: 7, nearest: [2, 0, 0] },
    ]);
  });

  test('what is refused or fails leaves no file', async () => {
    const slab = inFolder('slab.obj');
    const outputs = ['-o', inFolder('never.npy'), '-o', inFolder('never.png'), '--resolution', '5'];
    await expectReason([slab, ...outputs, '--slice', 'z=9'], '9');
    await expectReason([slab, ...outputs, '--isosurface', inFolder('never.obj'), '--level', '9'], '--level 9');
    mkdirSync(inFolder('never.json'));
    await expectReason([slab, ...outputs], 'never.json', 'folder');
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual(['never.json']);
    // Numbers that single precision does not have are met while the file is being written.
    writeFileSync(inFolder('huge.obj'), SLAB.replaceAll(/^v (\S+) (\S+) (\S+)$/gm, 'v $1e45 $2e45 $3e45'));
    const huge = [inFolder('huge.obj'), '--resolution', '5', '-o', inFolder('half.npy')];
    await expectReason(huge, 'float64');
    expect(existsSync(inFolder('half.npy'))).toBe(false);
    await answerOf(...huge, '--precision', 'float64');
    if (existsSync('/dev/full')) {
      symlinkSync('/dev/full', inFolder('full-disk.npy'));
      await expectReason([slab, '--resolution', '5', '-o', inFolder('full-disk.npy')], 'the disk is full');
      expect(existsSync(inFolder('full-disk.json'))).toBe(false);
    }
  });

  test('for people it is a small table', () => {
    const { stdout, stderr } = runCommand('field', inFolder('slab.obj'), ...GRID, '-o', inFolder('table-%d.png'));
    expect(stderr).toBe('');
    const rows = stdout.trimEnd().split('\n');
    const labels = ['model', 'size', 'spacing', 'range', 'method', 'error', 'closed', 'milliseconds', 'files'];
    expect(rows.map((row) => row.split(' ')[0])).toEqual(labels);
    expect(rows[1]).toContain('16 × 11 × 6');
    expect(rows[8]).toContain('7: ');
    expect(readdirSync(folder).filter((name) => name.startsWith('table'))).toHaveLength(7);
    const args = ['--moved', inFolder('pulled.obj'), '--against', 'exact', '--probe', '0,0,0.5', '--resolution', '12'];
    const more = runCommand('field', inFolder('round.obj'), ...args);
    expect({ code: more.code, stderr: more.stderr }).toEqual({ code: 0, stderr: '' });
    expect(more.stdout).toMatch(/^update +\w+, .*nodes/m);
    expect(more.stdout).toMatch(/^difference +from exact up to [\d.e-]+, at \(.*\), and [\d.e-]+ on average/m);
    expect(more.stdout).toMatch(/^probe +at \(0, 0, 0.5\): -0\.\d+, gradient \(/m);
  });

  test('refuses in one line what it cannot do', async () => {
    const slab = inFolder('slab.obj');
    expectRefusal([], 'MODEL');
    expectRefusal([inFolder('absent.obj')], 'absent.obj');
    expectRefusal([slab, '--resolution', '1'], '--resolution');
    expectRefusal([slab, '--resolution', '9', '--spacing', '1'], '--spacing');
    expectRefusal([slab, '-o', join(folder, 'no', 'such', 'x.npy'), '--resolution', '5'], 'cannot be written');
    await expectReason([slab, '--resolution', '12.5'], '--resolution');
    await expectReason([slab, '--resolution', '5000'], 'slab.obj', 'nodes');
    await expectReason([slab, '--spacing', '0'], '--spacing');
    await expectReason([slab, '--spacing', '1e-30'], 'slab.obj');
    await expectReason([slab, '--box', '0,0,0,1,1'], '--box', 'six');
    await expectReason([slab, '--box', '0,0,0,1,1,-1'], '--box', 'lower');
    await expectReason([slab, '--box', '0,0,0,0,0,0'], '--box');
    await expectReason([slab, '--box', '0,0,0,1,1,x'], '--box');
    await expectReason([slab, '--method', 'slow-marching'], '--method', 'fast-marching');
    await expectReason([slab, '--order', '3'], '--order');
    await expectReason([slab, '--sides', 'left'], '--sides');
    await expectReason([slab, '--band', 'triangle-boxes'], '--band', 'fast-marching');
    await expectReason([slab, '--max-distance=-1'], '--max-distance');
    await expectReason([slab, '--backend', 'webgpu', '--method', 'fast-marching'], 'webgpu');
    await expectReason([slab, '--sparse', '--method', 'fast-marching'], '--sparse');
    await expectReason([slab, '--sparse', '--max-distance', '0.001'], 'band');
    await expectReason([slab, '--sparse', '--moved', slab], '--sparse', '--moved');
    await expectReason([slab, '--moved', slab, '--method', 'exact'], '--moved', 'fast-marching');
    await expectReason([slab, '--moved', slab, '--band', 'triangle-boxes'], '--moved', '--sides');
    await expectReason([slab, '--moved', slab, '--update-box', '0,0,0,1,1'], '--update-box', 'six');
    await expectReason([slab, '--moved', slab, '--update-border', 'open'], '--update-border', 'nothing');
    await expectReason([slab, '--moved', inFolder('absent.obj')], 'absent.obj');
    await expectReason([slab, '--update-box', '0,0,0,1,1,1'], '--moved');
    await expectReason([slab, '--speed', slab, '--method', 'exact'], '--speed', 'fast-marching');
    await expectReason([slab, '--speed', slab, '--against', 'exact'], '--against', 'times');
    await expectReason([slab, '--against', 'truth'], '--against', 'query');
    await expectReason([slab, '--difference', inFolder('x.npy')], '--against');
    await expectReason([slab, '--against', 'exact', '--difference', inFolder('x.txt')], 'x.txt', '.npy');
    const twice = ['-o', inFolder('x.npy'), '--difference', join(folder, '.', 'x.npy')];
    await expectReason([slab, '--against', 'exact', ...twice], 'x.npy', 'two outputs');
    await expectReason([slab, '--band-width', '3'], '--band-width', 'fast-marching');
    await expectReason([slab, '--band-width', '0.5', '--method', 'fast-marching'], '--band-width', '1');
    await expectReason(
      [slab, '--band-width', '2', '--band', 'triangle-boxes', '--method', 'fast-marching'],
      '--band-width',
    );
    await expectReason([slab, '--probe', '1,2'], '--probe', 'three');
    await expectReason([slab, '--box', '0,0,0,1e60,1,1'], '--box', '1e60');
    await expectReason([slab, '--box', '0,0,0,1e-80,1e-80,1e-80'], 'spacing', 'slab.obj');
    await expectReason([slab, '--box', '0,0,0,1e-35,1e-35,1e-35', '--sparse'], 'spacing', 'slab.obj');
    await expectReason([slab, '--box', '0,0,0,1e40,1,1', '--sparse', '--resolution', '9'], 'sparse');
    await expectReason([slab, '-o', ''], 'no name');
    await expectReason([slab, '-o', inFolder('x.txt')], 'x.txt', '.npy');
    await expectReason([slab, '-o', inFolder('x-%d.npy')], '%d');
    await expectReason([slab, '-o', inFolder('x.npy'), '-o', inFolder('x.raw')], 'x.json');
    await expectReason([slab, '--slice', 'z=0'], '--slice', '.png');
    await expectReason([slab, '--slice', 'w=0', '-o', inFolder('x.png')], '--slice');
    await expectReason([slab, '--slice', 'z=9', '--resolution', '5', '-o', inFolder('x.png')], '9');
    await expectReason([slab, '--isolines', '0', '-o', inFolder('x.png')], '--isolines');
    await expectReason([slab, '--level', '1'], '--isosurface');
    await expectReason([slab, '--isosurface', inFolder('x.txt')], 'x.txt');
    await expectReason([slab, '--isosurface', inFolder('x.obj'), '--level', '99', '--resolution', '5'], '99');
  });
});
