import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { createContactFinder } from '../../../src/proximity/contact/model-contacts.js';
import { HullSearch } from '../../../src/proximity/hulls/hull-search.js';
import { HULL_SURFACE } from '../../../src/proximity/hulls/model-hulls.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import {
  boxMesh,
  jaggedSlab,
  join,
  mapPoints,
  openCube,
  sheet,
  sphereGrid,
  strip,
  torusGrid,
  voxelSolid,
} from '../../generators/surfaces.js';
import {
  answerOf,
  checkFound,
  checkOutcome,
  createSearch,
  type HullCase,
  placementOf,
  prepareCase,
  randomPlacement,
} from './hull-placements.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

const isPlus = (x: number, y: number, z: number) => [x, y, z].filter((value) => value === 1).length >= 2;

/** A sheet whose hills random numbers move. */
function roughSheet(seed: number): Mesh {
  const random = createRandom(seed);
  return mapPoints(sheet(5), ([x, y, z]) => [
    x + random.range(-0.3, 0.3),
    y + random.range(-0.3, 0.3),
    z + random.range(0, 1),
  ]);
}

const sources: Record<string, () => Mesh> = {
  torus: () => torusGrid(9, 6),
  cross: () => voxelSolid(3, isPlus),
  stairs: () => voxelSolid(3, (x, y, z) => x + y + z < 3, 2),
  spheres: () => join(sphereGrid(3, 1), sphereGrid(4, 0.8, [2.5, 0.3, 0.1])),
  spoon: () => findModel('spoon').build(),
  letter: () => findModel('letter-e').build(),
  box: () => boxMesh([-1, -1, -1], [1, 1, 1]),
  slab: () => jaggedSlab(5, 3),
  crumb: () => boxMesh([-0.6, -0.4, -0.3], [0.6, 0.4, 0.3]),
  'open cube': openCube,
  'open sheet': () => sheet(5),
  'rough sheet': () => roughSheet(7),
  'open strip': () => strip(9, 0),
};
const cases = new Map<string, HullCase>();
function caseOf(name: string): HullCase {
  if (!cases.has(name)) cases.set(name, prepareCase(sources[name]()));
  return cases.get(name)!;
}

/** Two models, and how far apart they are put, so that about half of the placements meet. */
const pairs: [string, string, number][] = [
  ['torus', 'torus', 0.42],
  ['torus', 'cross', 0.42],
  ['stairs', 'spheres', 0.42],
  ['spoon', 'spoon', 0.2],
  ['letter', 'spheres', 0.42],
  ['box', 'stairs', 0.55],
  ['slab', 'crumb', 0.42],
  ['slab', 'slab', 0.5],
  ['open cube', 'torus', 0.42],
  ['open sheet', 'open sheet', 0.42],
  ['rough sheet', 'open strip', 0.42],
  ['cross', 'rough sheet', 0.42],
];

describe('against brute force', () => {
  test.each(pairs)('a %s and a %s anywhere', (nameA, nameB, spread) => {
    const a = caseOf(nameA);
    const b = caseOf(nameB);
    const size = a.oracle.size + b.oracle.size;
    const random = createRandom(nameA.length * 31 + nameB.length);
    const search = createSearch(a, b);
    const count = 60 * SOAK;
    let hits = 0;
    for (let i = 0; i < count; i++) {
      const placement = randomPlacement(a, b, random, spread);
      const truth = answerOf(a, b, placement);
      if (truth.surfacesMeet) hits++;
      const crosses = search.testIntersection(placement, Infinity);
      checkFound(crosses, truth, 0, size);
      if (crosses) checkOutcome(a, b, placement, search.outcome);

      const tolerance = truth.surfaceDistance * random.range(0.5, 1.5);
      const within = search.testTolerance(placement, Infinity, tolerance);
      checkFound(within, truth, tolerance, size);
      if (within) {
        checkOutcome(a, b, placement, search.outcome);
        expect(search.outcome.distance).toBeLessThanOrEqual(tolerance);
      }

      expect(search.measureDistance(placement, Infinity, Infinity, 0, 0)).toBe(true);
      checkOutcome(a, b, placement, search.outcome);
      if (truth.surfacesMeet) expect(search.outcome.distance).toBe(0);
      else if (!truth.intersects) {
        expect(Math.abs(search.outcome.distance - truth.surfaceDistance)).toBeLessThan(1e-12 * size);
        expect(Math.abs(search.outcome.lowerBound - truth.surfaceDistance)).toBeLessThan(1e-12 * size);
      }
    }
    expect(hits / count).toBeGreaterThan(0.3);
    expect(hits / count).toBeLessThan(0.7);
  });

  test.each(pairs)('a %s and a %s within errors and cut-offs', (nameA, nameB) => {
    const a = caseOf(nameA);
    const b = caseOf(nameB);
    const size = a.oracle.size + b.oracle.size;
    const random = createRandom(nameA.length * 37 + nameB.length);
    const search = createSearch(a, b);
    for (let i = 0; i < 30 * SOAK; i++) {
      const placement = randomPlacement(a, b, random, 0.6);
      const truth = answerOf(a, b, placement);
      if (truth.intersects && !truth.surfacesMeet) continue;
      const d = truth.surfaceDistance;
      const relative = random.next() < 0.5 ? random.range(0, 0.3) : 0;
      const absolute = random.next() < 0.5 ? random.range(0, 0.1) * size : 0;
      const cutoff = random.next() < 0.5 ? d * random.range(0.7, 1.3) : Infinity;
      const found = search.measureDistance(placement, Infinity, cutoff, absolute, relative);
      if (Math.abs(d - cutoff) > 1e-12 * size) expect(found).toBe(d <= cutoff);
      if (!found) {
        expect(search.outcome.lowerBound).toBeLessThanOrEqual(d + 1e-12 * size);
        continue;
      }
      checkOutcome(a, b, placement, search.outcome);
      const { distance, lowerBound } = search.outcome;
      expect(distance).toBeLessThanOrEqual(cutoff);
      expect(lowerBound).toBeLessThanOrEqual(d + 1e-12 * size);
      expect(distance).toBeGreaterThanOrEqual(d - 1e-12 * size);
      expect(distance).toBeLessThanOrEqual(lowerBound + Math.max(absolute, relative * lowerBound) + 1e-12 * size);
      expect(distance === 0).toBe(truth.surfacesMeet);
    }
  });

  test.each(pairs)('a %s and a %s: every pair of triangles within a tolerance is offered', (nameA, nameB) => {
    const a = caseOf(nameA);
    const b = caseOf(nameB);
    const size = a.oracle.size + b.oracle.size;
    const random = createRandom(nameA.length * 41 + nameB.length);
    const search = createSearch(a, b);
    for (let i = 0; i < 4 * SOAK; i++) {
      const placement = randomPlacement(a, b, random, 0.7);
      const truth = answerOf(a, b, placement);
      const tolerance = truth.surfaceDistance + random.range(0, 0.1) * size;
      const offered = new Set<string>();
      const apart = search.findContacts(placement, Infinity, tolerance, {
        offer: (triangleA, triangleB) => void offered.add(`${triangleA} ${triangleB}`),
      });
      if (truth.surfacesMeet) expect(apart).toBe(false);
      if (!truth.intersects) expect(apart).toBe(true);
      if (!apart) continue;
      for (const pair of pairsWithin(a, b, placement, tolerance)) expect(offered.has(pair), pair).toBe(true);
    }
  });
});

/** All pairs of triangles within a tolerance, each measured by itself. */
function pairsWithin(a: HullCase, b: HullCase, placement: Float64Array, tolerance: number): Set<string> {
  const within = new Set<string>();
  const single = (source: HullCase) =>
    Array.from({ length: source.mesh.indices.length / 3 }, (_, face) => {
      const corners = [...source.mesh.indices.subarray(3 * face, 3 * face + 3)];
      const positions = corners.flatMap((v) => [...source.mesh.positions.subarray(3 * v, 3 * v + 3)]);
      const mesh = { positions: Float64Array.from(positions), indices: Uint32Array.of(0, 1, 2) };
      return { ...source, mesh, oracle: { ...source.oracle, ...mesh, order: Uint32Array.of(0) } };
    });
  const facesB = single(b);
  single(a).forEach((faceA, i) => {
    facesB.forEach((faceB, j) => {
      if (answerOf(faceA, faceB, placement).surfaceDistance <= tolerance) within.add(`${i} ${j}`);
    });
  });
  return within;
}

describe('touching', () => {
  const touches: [string, string, number[], boolean][] = [
    ['box', 'box', [2, 0, 0], true],
    ['box', 'box', [2, 2, 0], true],
    ['box', 'box', [2, 2, 2], true],
    ['box', 'box', [2 + 2 ** -40, 0, 0], false],
    ['box', 'box', [2, 2 + 2 ** -50, 0], false],
    ['cross', 'cross', [3, 0, 0], true],
    ['cross', 'cross', [3, 0.5, 0.25], true],
    ['cross', 'cross', [2, 1, 0], true],
    ['cross', 'cross', [2, 2, 2 ** -30], true],
    ['cross', 'cross', [2 + 2 ** -45, 1 + 2 ** -45, 0], false],
    ['stairs', 'stairs', [1, 1, 1], true],
    ['stairs', 'stairs', [3, 0, 0], true],
    ['stairs', 'stairs', [3, 2 ** -45, 1 - 2 ** -44], true],
    ['open cube', 'open cube', [1, 0, 0], true],
    ['open cube', 'open cube', [0, 1, 0], true],
    ['open cube', 'open cube', [0, 1 + 2 ** -48, 0], false],
    ['open cube', 'box', [2, 0, 0], true],
    ['open sheet', 'open sheet', [0, 0, 2 ** -45], false],
    ['open sheet', 'open sheet', [5, 0, 0], true],
  ];
  test.each(touches)('a %s and a %s moved by %j: %j', (nameA, nameB, translation, meets) => {
    const a = caseOf(nameA);
    const b = caseOf(nameB);
    const placement = placementOf(translation);
    const truth = answerOf(a, b, placement);
    expect(truth.surfacesMeet).toBe(meets);
    const search = createSearch(a, b);
    expect(search.testIntersection(placement, Infinity)).toBe(meets);
    expect(search.testTolerance(placement, Infinity, 0)).toBe(meets);
    expect(search.measureDistance(placement, Infinity, Infinity, 0, 0)).toBe(true);
    expect(search.outcome.distance === 0).toBe(meets);
    expect(search.measureDistance(placement, Infinity, Infinity, 0.5, 0.5)).toBe(true);
    expect(search.outcome.distance === 0).toBe(meets);
    expect(search.findContacts(placement, Infinity, 0.1, { offer: () => {} })).toBe(!meets);
  });

  test('holds for translations on a grid, with tolerances met exactly', () => {
    const names = ['box', 'cross', 'stairs', 'open cube'];
    const random = createRandom(5);
    let meeting = 0;
    const count = 150 * SOAK;
    for (let i = 0; i < count; i++) {
      const a = caseOf(names[random.integer(4)]);
      const b = caseOf(names[random.integer(4)]);
      const placement = placementOf([0, 0, 0].map(() => random.integer(17) / 4 - 2));
      const truth = answerOf(a, b, placement);
      if (truth.surfacesMeet) meeting++;
      const search = createSearch(a, b);
      const crosses = search.testIntersection(placement, Infinity);
      if (!truth.intersects || truth.surfacesMeet) expect(crosses).toBe(truth.surfacesMeet);
      if (truth.intersects) continue;
      const d = truth.surfaceDistance;
      expect(search.measureDistance(placement, Infinity, Infinity, 0, 0)).toBe(true);
      expect(search.outcome.distance).toBeCloseTo(d, 14);
      if (Number.isInteger(4 * d)) {
        expect(search.testTolerance(placement, Infinity, d)).toBe(true);
        expect(search.measureDistance(placement, Infinity, d, 0, 0)).toBe(true);
        expect(search.testTolerance(placement, Infinity, d - 2 ** -50)).toBe(false);
      }
    }
    expect(meeting / count).toBeGreaterThan(0.3);
    expect(meeting / count).toBeLessThan(0.95);
  });
});

describe('metamorphic', () => {
  test.each([1e-6, 1e6])('distances scale by %d with the models, and booleans stay', (scale) => {
    const scaled = (source: HullCase) => prepareCase(mapPoints(source.mesh, (point) => point.map((v) => v * scale)));
    const [a, b] = [caseOf('torus'), caseOf('cross')];
    const [largeA, largeB] = [scaled(a), scaled(b)];
    const search = createSearch(a, b);
    const large = createSearch(largeA, largeB);
    const random = createRandom(17);
    for (let i = 0; i < 40 * SOAK; i++) {
      const placement = randomPlacement(a, b, random, 0.45);
      const moved = placement.map((v, k) => (k % 4 === 3 ? v * scale : v));
      expect(large.testIntersection(moved, Infinity)).toBe(search.testIntersection(placement, Infinity));
      search.measureDistance(placement, Infinity, Infinity, 0, 0);
      large.measureDistance(moved, Infinity, Infinity, 0, 0);
      expect(large.outcome.distance / scale).toBeCloseTo(search.outcome.distance, 11);
    }
  });

  test('A and B may be swapped', () => {
    const [a, b] = [caseOf('slab'), caseOf('torus')];
    const forth = createSearch(a, b);
    const back = createSearch(b, a);
    const random = createRandom(19);
    for (let i = 0; i < 40 * SOAK; i++) {
      const placement = randomPlacement(a, b, random, 0.5);
      const m = placement;
      const inverse = Float64Array.from({ length: 12 }, (_, k) => {
        const [row, column] = [k >> 2, k & 3];
        return column < 3 ? m[4 * column + row] : -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
      });
      expect(back.testIntersection(inverse, Infinity)).toBe(forth.testIntersection(placement, Infinity));
      forth.measureDistance(placement, Infinity, Infinity, 0, 0);
      back.measureDistance(inverse, Infinity, Infinity, 0, 0);
      expect(back.outcome.distance).toBeCloseTo(forth.outcome.distance, 11);
    }
  });
});

test('a sink that throws leaves nothing behind: the next query does not use the cones of normals of that one', () => {
  const model = new ProximityModel(findModel('torus').build());
  const surface = model.parts.get(HULL_SURFACE);
  const search = new HullSearch(surface, surface, true, true, { coherence: false });
  const finder = createContactFinder(model, model);
  const placement = Float64Array.of(1, 0, 0, 2.2 * model.radius, 0, 1, 0, 0, 0, 0, 1, 0);
  const failing = {
    surfaces: finder.surfaces,
    offer: () => {
      throw new Error('no more');
    },
  };
  expect(() => search.findContacts(placement, Infinity, model.radius, failing)).toThrow('no more');
  const fresh = new HullSearch(surface, surface, true, true, { coherence: false });
  for (const shift of [0.5, 1, 1.5, 2]) {
    const moved = Float64Array.from(placement);
    moved[3] = shift * model.radius;
    moved[7] = 0.3 * model.radius;
    search.measureDistance(moved, Infinity, Infinity, 0, 0);
    fresh.measureDistance(moved, Infinity, Infinity, 0, 0);
    expect(search.outcome).toEqual(fresh.outcome);
  }
});
