import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeModel } from 'nearfield/io';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxSoup } from '../generators/grazing-scenes.js';
import { runCommand, runJson } from './run-command.js';

let folder: string;
const inFolder = (name: string): string => join(folder, name);

interface CullAnswer {
  potential: number[];
  pairs: number[][];
  exactPairs: number[][];
  trianglePairs: number;
  stages: { name: string; objects: number; triangles: number }[];
  method: string;
  resolution: number | null;
  selfColliding?: number[];
  backend: string;
  names: string[];
  milliseconds: number;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-cull-'));
  const boxes = {
    a: [0, 0, 0, 1, 1, 1],
    b: [1, 1, 1, 2, 2, 2],
    c: [0.25, 0.25, 0.25, 0.5, 0.5, 0.5],
    d: [8, 8, 8, 9, 9, 9],
  };
  for (const [name, box] of Object.entries(boxes)) {
    const mesh = boxSoup(box.slice(0, 3), box.slice(3));
    writeFileSync(inFolder(`${name}.obj`), await writeModel(mesh, 'obj'));
  }
  const mesh = boxSoup([0, 0, 0], [1, 1, 1]);
  const placed = (x: number) => Float64Array.of(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const model = {
    format: 'glb' as const,
    meshes: [{ name: 'box', mesh }],
    parts: [0, 0.5, 7].map((x, i) => ({ name: `part ${i}`, meshIndex: 0, transform: placed(x) })),
  };
  writeFileSync(inFolder('parts.glb'), await writeModel(model, 'glb'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const files = (...names: string[]): string[] => names.map((name) => inFolder(`${name}.obj`));

describe('cull', () => {
  test.each(['lbvh', 'cullide'])('tells which objects meet: touching does, containment does not (%s)', (method) => {
    const answer = runJson<CullAnswer>('cull', ...files('a', 'd', 'b', 'c'), '--method', method);
    expect(answer.exactPairs).toEqual([[0, 2]]);
    expect(answer.pairs).toContainEqual([0, 2]);
    expect(answer.potential).toEqual(expect.arrayContaining([0, 2]));
    expect(answer.potential).not.toContain(1);
    expect(answer.trianglePairs).toBeGreaterThan(0);
    expect(answer.stages[0]).toEqual({ name: 'input', objects: 4, triangles: 48 });
    expect(answer.stages.at(-1)).toMatchObject({ name: 'exact', objects: 2 });
    expect([answer.method, answer.backend, answer.names.length]).toEqual([method, 'cpu', 4]);
    expect(answer.resolution).toBe(method === 'cullide' ? 512 : null);
  });

  test('takes the parts of a file as objects, one object alone, and prints for people', () => {
    const answer = runJson<CullAnswer>('cull', inFolder('parts.glb'), '--resolution', '16', '--method', 'cullide');
    expect([answer.exactPairs, answer.names.length, answer.resolution]).toEqual([[[0, 1]], 3, 16]);
    const alone = runJson<CullAnswer>('cull', ...files('a'), '--self');
    expect([alone.potential, alone.pairs, alone.exactPairs, alone.trianglePairs]).toEqual([[0], [], [], 0]);
    expect(alone.selfColliding).toEqual([]);
    expect(runCommand('cull', ...files('a', 'b')).stdout).toMatch(/collide +1 pairs/);
  });

  test('refuses bad input', () => {
    const refusals: [string[], string][] = [
      [[], 'FILE'],
      [[inFolder('none.obj')], 'none.obj'],
      [[...files('a'), '--method', 'best'], 'lbvh'],
      [[...files('a'), '--resolution', '0'], '--resolution'],
      [[...files('a'), '--self', '--method', 'cullide'], 'lbvh'],
    ];
    for (const [args, word] of refusals) {
      const { code, stdout, stderr } = runCommand('cull', ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(word);
    }
  });
});
