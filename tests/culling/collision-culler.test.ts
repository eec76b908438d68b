// No collision is ever missing from the set, by either method and at any resolution: against all pairs of triangles.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { CollisionCuller } from '../../src/culling/collision-culler.js';
import type { CullResult } from '../../src/culling/cull-result.js';
import type { CullOutput } from '../../src/culling/pair-collector.js';
import { icosphere } from '../../src/models/primitives/icosphere.js';
import { PairList } from '../../src/spatial/pair-list.js';
import { codeOf, laterCodeOf } from '../error-code.js';
import { boxSoup, grazingScene } from '../generators/grazing-scenes.js';
import { type Collisions, collideAllPairs } from '../oracles/all-pairs-collisions.js';
import { crossExactly, isFlat } from '../oracles/triangle-intersection.js';

function namesOf(numbers: Uint32Array, each: number): string[] {
  return Array.from({ length: numbers.length / each }, (_, i) => numbers.slice(each * i, each * (i + 1)).join(' '));
}

const SCENES = 520;
const scenes = Array.from({ length: SCENES }, (_, seed) => {
  const objects = grazingScene(createRandom(seed));
  return { objects, truth: collideAllPairs(objects) };
});

/** Holds a result to the truth. */
function checkResult(result: CullResult, truth: Collisions, what: string): void {
  expect(namesOf(result.exactPairs!, 2), what).toEqual([...truth.objectPairs]);
  expect(result.trianglePairs, what).toBe(truth.trianglePairs.size);
  if (result.triangles !== null)
    expect(namesOf(result.triangles, 4).sort(), what).toEqual([...truth.trianglePairs].sort());
  const pairs = new Set(namesOf(result.pairs, 2));
  expect(
    [...truth.objectPairs].every((pair) => pairs.has(pair)),
    what,
  ).toBe(true);
  const potential = new Set(result.potential);
  expect(
    result.pairs.every((object) => potential.has(object)),
    what,
  ).toBe(true);
  const { stages } = result;
  const shrinks = stages.every(
    ({ objects, triangles }, i) =>
      i === 0 || (objects <= stages[i - 1].objects && triangles <= stages[i - 1].triangles),
  );
  expect(shrinks, what).toBe(true);
}

test('the scenes are representative: a third to two thirds of the pairs meet', () => {
  let meeting = 0;
  let all = 0;
  for (const { objects, truth } of scenes) {
    meeting += truth.objectPairs.size;
    all += (objects.length * (objects.length - 1)) / 2;
  }
  expect(meeting / all).toBeGreaterThan(0.3);
  expect(meeting / all).toBeLessThan(0.7);
});

test.each([
  ['lbvh', 1, SCENES],
  ['cullide', 64, SCENES],
  ['cullide', 1, 60],
  ['cullide', 7, 100],
  ['cullide', 256, 30],
  ['cullide', 1024, 3],
  ['cullide', 2048, 2],
] as const)('misses no collision of grazing objects: %s at %i², %i scenes', (method, resolution, count) => {
  const culler = new CollisionCuller({ method, resolution, output: 'triangles' });
  let proposed = 0;
  let all = 0;
  for (const [scene, { objects, truth }] of scenes.slice(0, count).entries()) {
    const result = culler.cullSync(objects);
    checkResult(result, truth, `${method} at ${resolution}, scene ${scene}`);
    proposed += result.pairs.length / 2;
    all += (objects.length * (objects.length - 1)) / 2;
  }
  expect(proposed / all).toBeLessThan(0.9);
});

test('the same query object follows objects that deform, appear and vanish, and fits what it built', () => {
  const random = createRandom(5);
  for (const method of ['lbvh', 'cullide'] as const) {
    const culler = new CollisionCuller({ method, resolution: 32 });
    for (let frame = 0; frame < 24; frame++) {
      const objects = Array.from({ length: 1 + (frame % 5) }, () => grazingScene(random)[0]);
      checkResult(culler.cullSync(objects), collideAllPairs(objects), `${method}, frame ${frame}`);
    }
  }
  // A sphere through a sheet that waves a little: the same triangles are left, so their hierarchies are kept.
  const culler = new CollisionCuller({ selfCollision: true });
  const ball = icosphere.build({ subdivisions: 2 });
  const builds = Array.from({ length: 6 }, (_, frame) => {
    const moved = { ...ball, positions: ball.positions.map((x, i) => x + 0.01 * frame * Math.sin(i)) };
    const result = culler.cullSync([moved, ball]);
    const { exactPairs, trianglePairs } = new CollisionCuller().cullSync([moved, ball]);
    expect([result.exactPairs, result.trianglePairs]).toEqual([exactPairs, trianglePairs]);
    return result.counters.builds;
  });
  expect(builds).toEqual([1, 0, 0, 0, 0, 0]);
});

test('answers do not change with scale, place and order', () => {
  for (const { objects } of scenes.slice(0, 40)) {
    const moved = objects.map(({ positions, indices }) => ({ positions: positions.map((x) => 2 ** -40 * x), indices }));
    for (const method of ['lbvh', 'cullide'] as const) {
      const culler = new CollisionCuller({ method, resolution: 48 });
      const { exactPairs, trianglePairs, pairs } = culler.cullSync(objects);
      const scaled = culler.cullSync(moved);
      expect([scaled.exactPairs, scaled.trianglePairs, scaled.pairs]).toEqual([exactPairs, trianglePairs, pairs]);
      expect(culler.cullSync([...objects].reverse()).trianglePairs).toBe(trianglePairs);
    }
  }
});

test('self-collisions are those of all pairs that share no vertex', () => {
  const random = createRandom(9);
  let colliding = 0;
  for (let scene = 0; scene < 60; scene++) {
    const vertices = 12;
    const positions = Float64Array.from({ length: 3 * vertices }, () => random.integer(6));
    const indices = Uint32Array.from({ length: 24 }, () => random.integer(vertices));
    const expected: string[] = [];
    for (let a = 0; a < 8; a++) {
      for (let b = a + 1; b < 8; b++) {
        const [p, q] = [a, b].map((t) => [...indices.slice(3 * t, 3 * t + 3)]);
        if (p.some((vertex) => q.includes(vertex))) continue;
        const parts = [p, q].map((ids) => ids.map((id) => [...positions.slice(3 * id, 3 * id + 3)]));
        if (!parts.some(isFlat) && crossExactly(parts[0], parts[1])) expected.push(`0 ${a} 0 ${b}`);
      }
    }
    const mesh = { positions, indices };
    const result = new CollisionCuller({ selfCollision: true, output: 'triangles' }).cullSync([mesh]);
    expect(namesOf(result.triangles!, 4)).toEqual(expected);
    expect([...result.selfColliding!]).toEqual(expected.length > 0 ? [0] : []);
    expect(result.pairs.length).toBe(0);
    if (expected.length > 0) colliding++;
  }
  expect(colliding / 60).toBeGreaterThan(0.3);
  expect(colliding / 60).toBeLessThan(0.95);
});

test('a grid over many triangles drops none that may meet', () => {
  const ball = icosphere.build({ subdivisions: 30 });
  const moved = (k: number) => ({ ...ball, positions: ball.positions.map((x, i) => x + 0.1 * k * (1 + (i % 3))) });
  for (const objects of [
    [ball, moved(1)],
    [moved(2), ball, moved(1), moved(40)],
  ]) {
    // Self-collisions need all triangles, so no grid is used.
    const all = new CollisionCuller({ output: 'candidates', selfCollision: true }).cullSync(objects);
    const some = new CollisionCuller({ output: 'candidates' }).cullSync(objects);
    const between = namesOf(all.triangles!, 4).filter((pair) => pair.split(' ')[0] !== pair.split(' ')[2]);
    expect(between.length).toBeGreaterThan(1000);
    expect(namesOf(some.triangles!, 4)).toEqual(between);
    const left = (result: CullResult) => result.stages.find(({ name }) => name === 'triangles')!.triangles;
    expect(left(some)).toBeLessThan(0.5 * left(all));
  }
});

test('a grid is right for objects of different sizes, in a plane, and for long triangles', () => {
  const random = createRandom(5);
  const fine = icosphere.build({ radius: 1, subdivisions: 15 });
  const scaled = (x: number, y: number, z: number, shift: number) => ({
    ...fine,
    positions: fine.positions.map((p, i) => p * [x, y, z][i % 3] + shift),
  });
  // Triangles from end to end of everything.
  const needles = { positions: new Float64Array(9 * 1500), indices: Uint32Array.from({ length: 4500 }, (_, i) => i) };
  for (let i = 0; i < 4500; i++) {
    const corner = i % 3;
    const start = 3 * (i - corner);
    for (let axis = 0; axis < 2; axis++) {
      needles.positions[3 * i + axis] =
        corner === 0 ? random.range(-1, 1) : needles.positions[start + axis] + random.range(0, 0.01);
    }
    needles.positions[3 * i + 2] = corner - 1;
  }
  // Small triangles, and some that reach across many cells.
  const mixed = scaled(0.7, 0.7, 0.7, 0.25);
  for (let i = 0; i < 30; i++) mixed.positions[3 * random.integer(mixed.positions.length / 3)] += 2;
  for (const objects of [
    [scaled(0.3, 0.3, 0.3, 0.6), fine],
    [fine, scaled(0.02, 0.02, 0.02, 0.57)],
    [scaled(1, 1, 0, 0), scaled(1, 1, 0, 0.125), fine],
    [scaled(0, 0, 1, 0), fine],
    [fine, mixed, scaled(0.5, 0.1, 0.4, 0.3), scaled(3, 0.2, 0.2, 0.1)],
    [{ ...fine, indices: fine.indices.slice(0, 9000) }, needles],
  ]) {
    const all = new CollisionCuller({ output: 'candidates', selfCollision: true }).cullSync(objects);
    const some = new CollisionCuller({ output: 'candidates' }).cullSync(objects);
    const between = namesOf(all.triangles!, 4).filter((pair) => pair.split(' ')[0] !== pair.split(' ')[2]);
    expect(between.length).toBeGreaterThan(20);
    expect(namesOf(some.triangles!, 4)).toEqual(between);
  }
});

test('outputs: pairs only, counts, lists, candidates', () => {
  for (const { objects, truth } of scenes.slice(0, 30)) {
    const of = (output: CullOutput) => new CollisionCuller({ output }).cullSync(objects);
    const [pairs, count, candidates] = [of('pairs'), of('count'), of('candidates')];
    expect(namesOf(pairs.exactPairs!, 2)).toEqual([...truth.objectPairs]);
    expect([pairs.trianglePairs, pairs.triangles, count.triangles]).toEqual([null, null, null]);
    expect(pairs.counters.pairsDecided).toBeLessThanOrEqual(count.counters.pairsDecided);
    expect([candidates.exactPairs, candidates.counters.pairsDecided]).toEqual([null, 0]);
    const listed = new Set(namesOf(candidates.triangles!, 4));
    expect(listed.size).toBe(count.counters.candidates);
    for (const pair of truth.trianglePairs) expect(listed.has(pair)).toBe(true);
  }
});

test('no objects and one object have a right answer, bad input is refused', async () => {
  const box = boxSoup([0, 0, 0], [1, 1, 1]);
  for (const method of ['lbvh', 'cullide'] as const) {
    const culler = new CollisionCuller({ method });
    for (const objects of [[], [box]]) {
      const result = culler.cullSync(objects);
      expect([result.potential.length, result.pairs.length, result.exactPairs!.length]).toEqual([0, 0, 0]);
      expect(result.trianglePairs).toBe(0);
    }
    // Three copies in one place, and one that shares a corner.
    const result = culler.cullSync([box, box, box, boxSoup([1, 1, 1], [2, 2, 2])]);
    expect(namesOf(result.exactPairs!, 2)).toEqual(['0 1', '0 2', '0 3', '1 2', '1 3', '2 3']);
  }
  const culler = new CollisionCuller();
  const bad = (change: object) => codeOf(() => culler.cullSync([box, { ...box, ...change }]));
  expect(bad({ positions: new Float64Array(0), indices: new Uint32Array(0) })).toBe('empty-mesh');
  expect(bad({ positions: box.positions.with(4, Number.NaN) })).toBe('non-finite');
  expect(bad({ positions: box.positions.with(23, -Infinity) })).toBe('non-finite');
  expect(bad({ positions: box.positions.with(0, 1e60) })).toBe('non-finite');
  expect(bad({ indices: box.indices.with(5, 8) })).toBe('index-out-of-range');
  expect(bad({ indices: box.indices.slice(1) })).toBe('bad-argument');
  expect(bad({ indices: [0, 1, 2] })).toBe('bad-argument');
  expect(() => culler.cullSync([box, { ...box, indices: Uint32Array.of(0, 1, 9) }])).toThrow('Object 1');
  expect(codeOf(() => culler.cullSync(null as never))).toBe('bad-argument');
  expect(codeOf(() => culler.cullSync([null] as never))).toBe('bad-argument');
  expect(await laterCodeOf(() => culler.cull([box, null] as never))).toBe('bad-argument');
  const refuses = (options: object) => codeOf(() => new CollisionCuller(options));
  expect(refuses({ method: 'best' })).toBe('bad-argument');
  expect(refuses({ resolution: 0 })).toBe('bad-argument');
  expect(refuses({ resolution: 5000 })).toBe('bad-argument');
  expect(refuses({ output: 'all' })).toBe('bad-argument');
  expect(refuses({ visibility: 'none' })).toBe('bad-argument');
  expect(refuses({ selfCollision: 1 })).toBe('bad-argument');
  expect(refuses({ selfCollision: true, method: 'cullide' })).toBe('bad-argument');
  expect(refuses({ backend: 'webgpu' })).toBe('no-gpu');
  expect(refuses({ methods: 'lbvh' })).toBe('bad-argument');
  // A call after a refused one is right.
  expect(namesOf(culler.cullSync([box, box]).exactPairs!, 2)).toEqual(['0 1']);
});

test('a list of pairs ends before memory does', () => {
  const list = new PairList();
  list.count = 2 ** 26;
  expect(codeOf(() => list.push(0, 1))).toBe('too-large');
});
