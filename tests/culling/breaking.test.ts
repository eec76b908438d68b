// The set keeps working while a solid breaks in motion: against all pairs of triangles, frame by frame, while objects
// appear; and the fragments have the solid's volume and center of mass.
import { expect, test } from 'vitest';
import { breakingSolid, SECOND_BREAK } from '../../bench/scenarios/breaking.js';
import { CollisionCuller } from '../../src/culling/collision-culler.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { icosphere } from '../../src/models/primitives/icosphere.js';
import { torusGrid } from '../generators/surfaces.js';
import { collideAllPairs } from '../oracles/all-pairs-collisions.js';

const FRAME = 0.1;
/** Both breaks are on a frame: fragments that have not moved yet touch all over. */
const BREAK = 3 * FRAME;
const environment = breakingSolid('a torus', torusGrid(11, 6, 2, 0.8), icosphere.build({ subdivisions: 1 }), {
  fragments: 16,
  seed: 4,
});

/** Volume, then its product with each coordinate of the center of mass, of closed meshes together. */
function measureMass(meshes: readonly Mesh[]): number[] {
  const mass = [0, 0, 0, 0];
  for (const { positions: p, indices } of meshes) {
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
      const volume =
        (p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
          p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
          p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c])) /
        6;
      mass[0] += volume;
      for (let k = 0; k < 3; k++) mass[1 + k] += (volume * (p[a + k] + p[b + k] + p[c + k])) / 4;
    }
  }
  return mass;
}

const solidOf = (objects: readonly Mesh[]): Mesh[] => objects.slice(0, -1);

test('pairs are those of all pairs of triangles in every frame of a break', () => {
  environment.breakAt(BREAK);
  const cullers = [
    new CollisionCuller(),
    new CollisionCuller({ method: 'cullide', resolution: 64 }),
    new CollisionCuller({ method: 'cullide', resolution: 5 }),
  ];
  const counts: number[] = [];
  let [meeting, proposed, all] = [0, 0, 0];
  for (let frame = 0; frame < 11; frame++) {
    environment.moveTo(FRAME * frame);
    const { objects } = environment;
    counts.push(objects.length);
    const truth = collideAllPairs(objects);
    for (const culler of cullers) {
      const { exactPairs, trianglePairs, pairs } = culler.cullSync(objects);
      const found = Array.from({ length: exactPairs!.length / 2 }, (_, i) =>
        exactPairs!.slice(2 * i, 2 * i + 2).join(' '),
      );
      expect([frame, found, trianglePairs]).toEqual([frame, [...truth.objectPairs], truth.trianglePairs.size]);
      proposed += pairs.length / 2;
      all += (objects.length * (objects.length - 1)) / 2;
      meeting += truth.objectPairs.size;
    }
  }
  expect(counts[0]).toBe(2);
  expect(counts[3]).toBeGreaterThan(4);
  expect(counts[10]).toBeGreaterThan(10);
  expect(meeting / all).toBeGreaterThan(0.04);
  expect(proposed / all).toBeLessThan(0.5);
});

test('volume and mass are kept', () => {
  for (const time of [BREAK, BREAK + SECOND_BREAK, 1.7]) {
    environment.breakAt(Infinity);
    environment.moveTo(time);
    const [volume, ...moment] = measureMass(solidOf(environment.objects));
    environment.breakAt(time);
    environment.moveTo(time);
    const [sum, ...moments] = measureMass(solidOf(environment.objects));
    expect(environment.objects.length).toBeGreaterThan(4);
    expect(Math.abs(sum / volume - 1)).toBeLessThan(1e-13);
    for (let k = 0; k < 3; k++) expect(Math.abs(moments[k] - moment[k])).toBeLessThan(1e-13 * volume * 3);
    // Moved apart, and broken again.
    environment.moveTo(time + SECOND_BREAK);
    expect(environment.objects.length).toBeGreaterThan(10);
    expect(Math.abs(measureMass(solidOf(environment.objects))[0] / volume - 1)).toBeLessThan(1e-13);
  }
});
