// Every verb on machined parts as people have them: STL files in millimeters, their faces flat but for rounding.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeModel } from '../../src/io/index.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { machinedParts, remesh, turnPart } from '../generators/machined-parts.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { runJson } from './run-command.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const part = (name: string): Mesh => machinedParts().find((candidate) => candidate.name === name)!.mesh;
const plate = turnPart(remesh(part('plate'), 1, 1), 0.4);
const bracket = turnPart(part('bracket'), 1.1, [40, 40, 10]);
const SHIFT = [0, 0, 90];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-machined-'));
  writeFileSync(at('plate.stl'), await writeModel(plate, 'stl'));
  writeFileSync(at('bracket.stl'), await writeModel(bracket, 'stl'));
  const frames = [0, 20, 90].map((z) => ({ A: [0, 0, 0, 0, 0, 0, 1], B: [0, 0, z, 0, 0, 0, 1] }));
  writeFileSync(at('frames.json'), JSON.stringify({ frames }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The truth about the two parts as modelled, the second moved by `shift`. */
function truthAt(shift: readonly number[]) {
  const [a, b] = [plate, bracket].map(({ positions, indices }) => prepareOracle(positions, indices));
  return measureByBruteForce(a, b, placeInFrame(bracket.positions, [0, 0, 0, 0, 0, 0, 1], [...shift, 0, 0, 0, 1]));
}

describe('every verb takes them', () => {
  test('info, hull, decompose, repair, convert and field', () => {
    expect(runJson('info', at('plate.stl'))).toMatchObject({ closed: true, manifold: true, selfIntersections: 0 });
    expect(runJson('hull', at('plate.stl'), '-o', at('hull.obj'))).toMatchObject({ dimension: 3 });
    for (const name of ['plate', 'bracket']) {
      const out = ['--hierarchy', at(`${name}.bin`), '-o', at(`${name}.glb`)];
      expect(runJson<{ pieces: number }>('decompose', at(`${name}.stl`), ...out).pieces).toBeGreaterThan(4);
    }
    expect(runJson('repair', at('plate.stl'), '-o', at('repaired.ply'))).toMatchObject({ remaining: [] });
    runJson('convert', at('plate.stl'), at('plate.off'));
    expect(runJson('info', at('plate.off'))).toMatchObject({ closed: true });
    runJson('field', at('plate.stl'), '--resolution', '24', '--backend', 'cpu', '-o', at('plate.npy'));
  });

  test('measure, replay, clash, penetration and separate', () => {
    const models = [at('plate.stl'), at('bracket.stl')];
    const apart = truthAt(SHIFT);
    expect(apart.intersects).toBe(false);
    const measured = runJson<{ distance: number }>(
      'measure',
      ...models,
      '--pose-b',
      `${SHIFT.join()},0,0,0,1`,
      '--contacts',
    );
    // Single precision moves the parts by up to 1e-5.
    expect(measured.distance).toBeCloseTo(apart.distance, 4);
    const replayed = runJson<{ results: { distance: number }[] }>(
      'replay',
      ...models,
      at('frames.json'),
      '--query',
      'distance',
    );
    expect(JSON.stringify(replayed)).toContain(`${measured.distance}`);
    expect(truthAt([0, 0, 0]).intersects).toBe(true);
    expect(runJson<{ clashes: unknown[] }>('clash', ...models).clashes).toHaveLength(1);
    const budget = ['--max-cells', '300'];
    const deep = runJson<{ lower: number; upper: number; vector: number[] }>('penetration', ...models, ...budget);
    expect(deep.lower).toBeGreaterThan(0);
    expect(truthAt(deep.vector.map((value) => -1.001 * value)).intersects).toBe(false);
    expect(runJson('separate', ...models, '--rounds', '2', '-o', at('apart.glb'))).toMatchObject({
      status: 'separated',
    });
  });
});
