// A sparse field cut into jobs is the field of one thread, to the bit, wherever the cuts are.
import { expect, test } from 'vitest';
import { ofPositions } from '../../../src/core/box.js';
import { FIELD_TASKS } from '../../../src/field/field-in-pool.js';
import { gridOverBox } from '../../../src/field/grid.js';
import { computeSparseField, type SparseFieldOptions } from '../../../src/field/sparse/compute-sparse-field.js';
import { computeSparseFieldInPool } from '../../../src/field/sparse/sparse-in-pool.js';
import { createMesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { DirectPool } from '../../cluster/direct-pool.js';
import { codeOf, laterCodeOf } from '../../error-code.js';

const cup = findModel('cup').build();
const open = createMesh(cup.positions, cup.indices.slice(0, 9000));
const bunny = findModel('bunny').build();
const frameOf = (resolution: number, { positions } = cup) => {
  const { min, max } = ofPositions(positions);
  const room = 0.1 * (max[0] - min[0]);
  return gridOverBox({ min: [min[0] - room, min[1] - 2 * room, min[2]], max }, resolution, { sparse: true });
};

test.each<[string, typeof cup, number, SparseFieldOptions, number]>([
  ['closed', bunny, 120, {}, 3],
  ['closed, no sign', cup, 150, { sign: 'none', bandWidth: 6 }, 3],
  ['open', open, 60, { bandWidth: 4 }, 3],
])('%s', async (_, mesh, resolution, options, leastJobs) => {
  const alone = computeSparseField(mesh, frameOf(resolution, mesh), options);
  const pool = new DirectPool();
  const apart = await computeSparseFieldInPool(pool, mesh, frameOf(resolution, mesh), options);
  expect(pool.calls.length).toBeGreaterThanOrEqual(leastJobs);
  expect(apart.counters).toEqual(alone.counters);
  expect(apart.error).toEqual(alone.error);
  expect(apart.byteLength).toBe(alone.byteLength);
  const [blocksX, blocksY, layers] = alone.blocksAlong;
  const differing: string[] = [];
  let inside = 0;
  for (let block = 0; block < blocksX * blocksY * layers; block++) {
    const at = [block % blocksX, Math.floor(block / blocksX) % blocksY, Math.floor(block / blocksX / blocksY)] as const;
    const entry = alone.entry(...at);
    if (entry === -2) inside++;
    if (apart.entry(...at) !== entry) differing.push(`block ${at}`);
    else if (entry >= 0 && alone.blockValues(entry).some((value, i) => !Object.is(value, apart.blockValues(entry)[i])))
      differing.push(`values of block ${at}`);
  }
  expect(differing).toEqual([]);
  expect(alone.blockCount).toBeGreaterThan(100);
  if (mesh === bunny) expect(inside).toBeGreaterThan(0);
});

test('refuses as it does in this thread, and rows that are none', async () => {
  const pool = new DirectPool();
  expect(await laterCodeOf(() => computeSparseFieldInPool(pool, cup, frameOf(50), { bandWidth: 1 }))).toBe(
    'bad-argument',
  );
  expect(await laterCodeOf(() => computeSparseFieldInPool(null as never, cup, frameOf(50)))).toBe('bad-argument');
  const task = FIELD_TASKS['field/sparse-rows'];
  const wrong = { frame: frameOf(50), options: {}, from: 0, to: 10_000 };
  expect(codeOf(() => task([new ProximityModel(cup)], wrong as never, {}))).toBe('bad-argument');
  expect(codeOf(() => task([], wrong as never, {}))).toBe('bad-argument');
  const stop = new AbortController();
  const asked = computeSparseFieldInPool(pool, cup, frameOf(150), {
    signal: stop.signal,
    onProgress: (fraction) => fraction > 0 && stop.abort(),
  });
  expect(await laterCodeOf(() => asked)).toBe('aborted');
});
