// What a solver needs of manifolds: no catching on inner edges, one patch for each face that is touched, points that keep
// their names, and few of them.
import { describe, expect, test } from 'vitest';
import { writePlacement } from '../../src/core/placement.js';
import { createRandom } from '../../src/core/random.js';
import { ContactPoints, NORMAL, POINT_STRIDE, SEPARATION } from '../../src/manifold/contact-points.js';
import { NEAR } from '../../src/manifold/contact-state.js';
import { ManifoldReduction } from '../../src/manifold/manifold-reduction.js';
import { PairContacts } from '../../src/manifold/pair-contacts.js';
import { CollisionShape } from '../../src/manifold/shape/collision-shape.js';
import { findModel } from '../../src/models/catalogue.js';
import { boxMesh, voxelSolid } from '../generators/surfaces.js';

const at = (x: number, y: number, z: number, q = [0, 0, 0, 1]): Float64Array =>
  writePlacement([x, y, z, ...q], new Float64Array(12));
const yaw = (angle: number): number[] => [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
const cube = CollisionShape.solid(boxMesh([-0.25, -0.25, -0.25], [0.25, 0.25, 0.25]));

function namesOf(pair: PairContacts): string[] {
  return Array.from({ length: pair.count }, (_, i) => `${pair.keys[2 * i]}-${pair.keys[2 * i + 1]}`).sort();
}

describe('a floor of many coplanar triangles', () => {
  // Cells of one unit, two triangles on each side.
  const floor = CollisionShape.solid(voxelSolid(6, (_x, y) => y === 0));

  test('is one face: a box that slides over it has its corners as contacts, with the same names all along', () => {
    const pair = new PairContacts(floor, cube);
    let names: string[] | null = null;
    for (let step = 0; step < 200; step++) {
      const placement = at(0.7 + 0.021 * step, 1.2505, 1.1 + 0.0071 * step, yaw(0.3));
      expect(pair.update(at(0, 0, 0), placement, 1e-3, Float64Array.of(0, 0, 0, 0.011, 0, 0.0071))).toBe(NEAR);
      expect(pair.count).toBe(4);
      for (let i = 0; i < 4; i++) {
        expect(pair.normals[3 * i + 1]).toBeCloseTo(1, 14);
        expect(pair.separations[i]).toBeCloseTo(5e-4, 12);
      }
      names ??= namesOf(pair);
      expect(namesOf(pair)).toEqual(names);
    }
  });
});

describe('a concave corner', () => {
  const corner = CollisionShape.solid(voxelSolid(3, (x, y) => x === 0 || y === 0));

  test('has a patch for each of its faces', () => {
    const pair = new PairContacts(corner, cube);
    expect(pair.update(at(0, 0, 0), at(1.2505, 1.2506, 1.5), 1e-3)).toBe(NEAR);
    expect(pair.count).toBe(8);
    const up = Array.from({ length: 8 }, (_, i) => pair.normals[3 * i + 1]).filter((y) => y > 0.99).length;
    const side = Array.from({ length: 8 }, (_, i) => pair.normals[3 * i]).filter((x) => x > 0.99).length;
    expect([up, side]).toEqual([4, 4]);
  });

  test('is left through both faces by what sank into it', () => {
    const pair = new PairContacts(corner, cube);
    expect(pair.update(at(0, 0, 0), at(1.2497, 1.2496, 1.5), 1e-3)).toBe(NEAR);
    const deepest = [0, 0];
    for (let i = 0; i < pair.count; i++) {
      const axis = pair.normals[3 * i] > 0.99 ? 0 : pair.normals[3 * i + 1] > 0.99 ? 1 : -1;
      expect(axis).toBeGreaterThanOrEqual(0);
      deepest[axis] = Math.min(deepest[axis], pair.separations[i]);
    }
    expect(deepest[0]).toBeCloseTo(-3e-4, 12);
    expect(deepest[1]).toBeCloseTo(-4e-4, 12);
  });
});

test('a box over the rim of another is not held by the side it passes', () => {
  const pair = new PairContacts(cube, cube);
  // Ten millimeters beside the lower box and half a millimeter above its top, it moves over it.
  const motion = Float64Array.of(0, 0, 0, -0.016, 0, 0);
  const placement = at(0.51, 0.5005, 0.03);
  pair.update(at(0, 0, 0), placement, 1e-3, motion);
  for (let i = 0; i < pair.count; i++) {
    expect(pair.separations[i] + pair.normals[3 * i] * motion[3]).toBeGreaterThanOrEqual(0);
  }
  // Half a millimeter lower than the top it hits the side.
  pair.update(at(0, 0, 0), at(0.51, 0.4995, 0.03), 1e-3, motion);
  const stops = Array.from({ length: pair.count }, (_, i) => pair.separations[i] + pair.normals[3 * i] * motion[3]);
  expect(Math.min(...stops)).toBeCloseTo(-0.006, 12);
});

test('points keep their names under small motions', () => {
  const random = createRandom(5);
  const letters = ['a', 'e', 's', 'g', 'r'].map((name) => CollisionShape.solid(findModel(`letter-${name}`).build()));
  let kept = 0;
  let all = 0;
  for (let round = 0; round < 60; round++) {
    const pair = new PairContacts(letters[round % 5], letters[(round + 2) % 5]);
    // Flat on each other, turned about the normal, and tilted a little.
    const [turn, tilt] = [random.range(0, 7), random.range(-1e-3, 1e-3)];
    const q = [tilt, 0, Math.sin(turn / 2), Math.cos(turn / 2)];
    const size = Math.hypot(...q);
    const place = (move: number): Float64Array =>
      at(
        0.1 + move,
        0.2 - move,
        0.2508 + move,
        q.map((value) => value / size),
      );
    if (pair.update(at(0, 0, 0), place(0), 2e-3) !== NEAR) continue;
    const before = namesOf(pair);
    pair.update(at(0, 0, 0), place(1e-7), 2e-3);
    const after = new Set(namesOf(pair));
    all += before.length;
    kept += before.filter((name) => after.has(name)).length;
  }
  expect(all).toBeGreaterThan(100);
  expect(kept).toBeGreaterThanOrEqual(0.98 * all);
});

test('few points of a patch are kept: the deepest, and those that span it', () => {
  const random = createRandom(3);
  const reduction = new ManifoldReduction();
  for (let round = 0; round < 60; round++) {
    const points = new ContactPoints();
    const count = 5 + random.integer(60);
    const places: [number, number][] = [];
    for (let i = 0; i < count; i++) {
      const o = points.reserve();
      const place: [number, number] = [random.range(-1, 1), random.range(-0.6, 0.6)];
      places.push(place);
      points.values.set([place[0], 0, place[1], place[0], 0, place[1], 0, 1, 0, random.range(0, 1e-3)], o);
      points.keep(i, 0);
    }
    const deepest = Math.min(...places.map((_, i) => points.values[POINT_STRIDE * i + SEPARATION]));
    reduction.reduce(points, 2e-4);
    expect(points.count).toBeLessThanOrEqual(8);
    const left = Array.from({ length: points.count }, (_, i) => points.keys[2 * i]);
    expect(Math.min(...left.map((_, i) => points.values[POINT_STRIDE * i + SEPARATION]))).toBe(deepest);
    for (let i = 0; i < points.count; i++) expect(points.values[POINT_STRIDE * i + NORMAL + 1]).toBe(1);
    const [all, some] = [hullArea(places), hullArea(left.map((i) => places[i]))];
    expect(some).toBeGreaterThan(0.4 * all);
  }
});

/** By a sweep of directions: the area of the polygon of the farthest points. */
function hullArea(points: readonly (readonly [number, number])[]): number {
  const rim = Array.from({ length: 64 }, (_, k) => {
    const [c, s] = [Math.cos((k * Math.PI) / 32), Math.sin((k * Math.PI) / 32)];
    return points.reduce((best, p) => (p[0] * c + p[1] * s > best[0] * c + best[1] * s ? p : best));
  });
  return rim.reduce((sum, p, k) => sum + p[0] * rim[(k + 1) % 64][1] - p[1] * rim[(k + 1) % 64][0], 0) / 2;
}
