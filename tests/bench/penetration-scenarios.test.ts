// The overlapping pairs of the benchmark are what they claim: solids of the document's sizes that overlap about as deep
// as the document's, and the same every time.
import { createRandom, type Pose, type Vec3 } from 'nearfield/core';
import { inspectMesh } from 'nearfield/mesh';
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { describe, expect, test, vi } from 'vitest';
import { localAgainstGlobal, penetrationBenchmarks, wrinkledTori } from '../../bench/scenarios/penetration.js';

const DIRECTIONS = 200 * Number(process.env.NEARFIELD_SOAK ?? 1);
/** Triangles of both models, the depth, and a translation of A that separates and is not much longer. */
const EXPECTED: Record<string, { triangles: [number, number]; depth: number; wayOut: Vec3 }> = {
  'interlocked-tori': { triangles: [2000, 2000], depth: 0.5, wayOut: [0.51, 0, 0] },
  'touching-tori': { triangles: [2000, 2000], depth: 0.29, wayOut: [-0.302, 0, 0] },
  grates: { triangles: [444, 1134], depth: Math.hypot(0.45, 0.44), wayOut: [0.4501, 0.4401, 0] },
  letters: { triangles: [144, 152], depth: 0.01, wayOut: [-0.0099, 0.0046, 0] },
  'wrinkled-tori': { triangles: [2000, 2000], depth: 0.55, wayOut: [0.58, 0, 0] },
  'local-against-global': { triangles: [12, 28], depth: 0.65, wayOut: [0.6501, 0, 0] },
};
const pairs = [...penetrationBenchmarks, wrinkledTori, localAgainstGlobal];

test('the benchmarks are those of the document, in its order', () => {
  expect(pairs.map(({ name }) => name)).toEqual(Object.keys(EXPECTED));
  for (const { name, document } of penetrationBenchmarks) {
    expect(document.depth).toBeCloseTo(EXPECTED[name].depth, 2);
    expect(document.levels.at(-1)!.estimate).toBe(document.depth);
  }
});

describe.each(pairs)('$name', ({ name, meshA, meshB, poseA, poseB }) => {
  const models = [new ProximityModel(meshA), new ProximityModel(meshB)] as const;
  const { triangles, depth, wayOut } = EXPECTED[name];
  const meetsAfter = (x: number, y: number, z: number): boolean => {
    const [px, py, pz, ...rotation] = poseA;
    const moved: Pose = [px + x, py + y, pz + z, ...rotation];
    return testIntersection(...models, moved, poseB).intersects;
  };

  test('is two solids of the given size', () => {
    expect([meshA, meshB].map(({ indices }) => indices.length / 3)).toEqual(triangles);
    for (const mesh of [meshA, meshB]) {
      const report = inspectMesh(mesh);
      expect(report).toMatchObject({ closed: true, outward: true, selfIntersections: 0, degenerateFaces: 0 });
    }
  });

  test('overlaps about as deep as it should', () => {
    expect(meetsAfter(0, 0, 0)).toBe(true);
    expect(meetsAfter(...wayOut)).toBe(false);
    expect(Math.hypot(...wayOut)).toBeLessThan(1.15 * depth);
    // No translation that is clearly shorter gets A out, whichever way it goes.
    const random = createRandom(7);
    for (let i = 0; i < DIRECTIONS; i++) {
      const z = random.range(-1, 1);
      const angle = random.range(0, 2 * Math.PI);
      const across = Math.sqrt(1 - z * z);
      const length = 0.85 * depth * Math.cbrt(random.next());
      expect(meetsAfter(length * across * Math.cos(angle), length * across * Math.sin(angle), length * z)).toBe(true);
    }
  });
});

test('the meshes are the same every time, and made once', async () => {
  vi.resetModules();
  const again = await import('../../bench/scenarios/penetration.js');
  const pairsAgain = [...again.penetrationBenchmarks, again.wrinkledTori, again.localAgainstGlobal];
  expect(pairsAgain).toEqual(pairs);
  for (const [index, pair] of pairsAgain.entries()) {
    expect(pair.meshA).not.toBe(pairs[index].meshA);
    expect(pair.meshA).toBe(pair.meshA);
  }
});
