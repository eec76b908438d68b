// What must not change the depth: swapping the two, moving, turning or scaling both, the order of the triangles, the
// way the images are made. Every answer is compared with the exact depth, not only with the answer before.
import { describe, expect, test } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measurePenetration } from '../../src/penetration/measure-penetration.js';
import type { PenetrationOptions } from '../../src/penetration/options.js';
import { boxCases, randomOf } from '../oracles/penetration/box-cases.js';
import { boxUnionSolid, measureBoxUnions } from '../oracles/penetration/box-union.js';
import { measureConvexPair } from '../oracles/penetration/convex-depth.js';
import { type Solid, scale, sphere, torus } from '../oracles/penetration/shapes.js';
import { readCgalPairs } from './cgal-pairs.js';
import { bodyOf, checkContract, checkDepth, exactly, HERE, IMAGE_ERROR, ROUNDING } from './check-depth.js';

interface Pair {
  readonly name: string;
  readonly a: Solid;
  readonly b: Solid;
  readonly depth: number;
  /** The shortest vector, where there is one only. */
  readonly vector: readonly number[] | null;
}

const fromCgal = readCgalPairs();

function pairOf(name: string): Pair {
  const pair = fromCgal.find((entry) => entry.name === name);
  if (pair) {
    const { a, b, depth, nearest } = pair;
    return { name, a, b, depth, vector: depth > 0 && nearest.length === 1 ? nearest[0] : null };
  }
  const { a, b } = boxCases.find((entry) => entry.name === name)!;
  const { depth, vectors } = measureBoxUnions(a, b);
  return { name, a: boxUnionSolid(a), b: boxUnionSolid(b), depth, vector: vectors.length === 1 ? vectors[0] : null };
}

const pairs = [
  // Shallow, deep, hooked, linked, contained, in a cavity, in several parts, without clearance, touching, apart.
  'needle in the dent of a box',
  'spun stars of eight, hooked',
  'random stars 2',
  'rings linked, off the middle',
  'jittered dented octahedron and star',
  'spun tetrahedron deep in a random star',
  'star in the wall of an octahedral cavity',
  'two cubes and a wedge',
  'small box deep inside a bar of a frame',
  'box in the corner of a cavity',
  'three boxes among three boxes',
  'I as tall as the mouth of C',
  'I filling the slot of U, no clearance',
  'touching in a face',
  'rings linked and free',
].map(pairOf);

describe.each(pairs.map((pair) => [pair.name, pair] as const))('%s', (name, { a, b, depth, vector }) => {
  const [bodyA, bodyB] = [bodyOf(a), bodyOf(b)];
  const truth = exactly(depth);
  const turned = [0.36, -0.48, 0.64, 0.48] as const;
  const expectNear = (actual: readonly number[], expected: readonly number[]) => {
    const miss = Math.hypot(...expected.map((value, k) => value - actual[k]));
    expect(miss).toBeLessThanOrEqual(1e-6 * depth);
  };

  test('swapped', () => {
    const { result, excess } = checkDepth(name, bodyB, bodyA, truth);
    if (vector && excess < ROUNDING) expectNear(result.vector, [-vector[0], -vector[1], -vector[2]]);
  });

  test('turned together', () => {
    const pose: Pose = [0, 0, 0, ...turned];
    if (depth === 0) {
      // Poses round: what touched may be deep by as much.
      const result = measurePenetrationSync(bodyA.model, bodyB.model, pose, pose, { method: 'image-space' });
      return expect(result.depth).toBeLessThanOrEqual(1e-12 * bodyA.oracle.size);
    }
    const { result, excess } = checkDepth(name, bodyA, bodyB, truth, { poseA: pose, poseB: pose });
    if (vector && excess < ROUNDING) expectNear(result.vector, turn(turned, vector));
  });

  test('moved together', () => {
    const pose: Pose = [64, -32, 16, 0, 0, 0, 1];
    checkDepth(name, bodyA, bodyB, truth, { poseA: pose, poseB: pose });
  });

  test.each([1e-6, 1e6])('scaled by %d', (factor) => {
    const [smallA, smallB] = [bodyOf(scale(a, factor)), bodyOf(scale(b, factor))];
    checkDepth(name, smallA, smallB, exactly(depth * factor));
  });

  test('with the triangles in another order, and their corners', () => {
    checkDepth(name, bodyOf(shuffle(a, 1)), bodyOf(shuffle(b, 2)), truth);
  });
});

describe('other ways to the images', () => {
  const deep = pairs.filter(({ depth }) => depth > 0).slice(0, 8);

  test.each(deep.map((pair) => [pair.name, pair] as const))('%s', async (name, { a, b, depth }) => {
    const [bodyA, bodyB] = [bodyOf(a), bodyOf(b)];
    const sync = (options: PenetrationOptions) =>
      measurePenetrationSync(bodyA.model, bodyB.model, HERE, HERE, { method: 'image-space', ...options });
    const basic = sync({ descent: 'none', resolution: 64 });
    const levels = sync({ descent: 'levels' });
    const coarse = sync({ resolution: 16, coarseResolution: 8 });
    const windows = await measurePenetration(bodyA.model, bodyB.model, HERE, HERE, {
      method: 'image-space',
      query: 'windows',
      descent: 'levels',
      backend: 'cpu',
    });
    const hulls = measureConvexPair(a.positions, b.positions).depth;
    for (const [way, result] of Object.entries({ basic, levels, coarse, windows })) {
      checkContract(`${name}, ${way}`, result, bodyA, bodyB, HERE, HERE, depth);
      expect(result.depth, `${name}, ${way}`).toBeGreaterThanOrEqual(depth * (1 - ROUNDING));
      expect(result.depth, `${name}, ${way}: no more than the hulls`).toBeLessThanOrEqual(hulls * (1 + ROUNDING));
    }
    for (const [way, result] of Object.entries({ basic, levels, windows })) {
      expect(result.depth, `${name}, ${way}`).toBeLessThanOrEqual(depth * (1 + IMAGE_ERROR));
    }
  });
});

test('asking twice, at once and with a promise, gives the same answer and leaves the meshes as they are', async () => {
  const [a, b] = [bodyOf(torus(3, 1, 8, 6)), bodyOf(sphere(1.5, 2))];
  const before = [a, b].map(({ model }) => [model.mesh.positions.slice(), model.mesh.indices.slice()]);
  const poseB: Pose = [2.5, 0.5, 0.75, ...([0.36, -0.48, 0.64, 0.48] as const)];
  const answers = [
    measurePenetrationSync(a.model, b.model, HERE, poseB, { backend: 'cpu' }),
    measurePenetrationSync(a.model, b.model, HERE, poseB, { backend: 'cpu' }),
    await measurePenetration(a.model, b.model, HERE, poseB, { backend: 'cpu' }),
  ].map(({ depth, vector, pointA, pointB, status }) => ({ depth, vector, pointA, pointB, status }));
  expect(answers[0].depth).toBeGreaterThan(0);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect([a, b].map(({ model }) => [model.mesh.positions, model.mesh.indices])).toEqual(before);
});

function turn([x, y, z, w]: readonly number[], [u, v, t]: readonly number[]): number[] {
  return [
    (1 - 2 * (y * y + z * z)) * u + 2 * (x * y - w * z) * v + 2 * (x * z + w * y) * t,
    2 * (x * y + w * z) * u + (1 - 2 * (x * x + z * z)) * v + 2 * (y * z - w * x) * t,
    2 * (x * z - w * y) * u + 2 * (y * z + w * x) * v + (1 - 2 * (x * x + y * y)) * t,
  ];
}

function shuffle({ positions, indices }: Solid, seed: number): Solid {
  const random = randomOf(seed);
  const faces = Array.from({ length: indices.length / 3 }, (_, f) => {
    const first = Math.floor(3 * random());
    return [0, 1, 2].map((k) => indices[3 * f + ((first + k) % 3)]);
  });
  for (let i = faces.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * random());
    [faces[i], faces[j]] = [faces[j], faces[i]];
  }
  return { positions, indices: Uint32Array.from(faces.flat()) };
}
