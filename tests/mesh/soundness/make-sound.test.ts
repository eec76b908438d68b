import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import { createMesh, type Mesh } from '../../../src/mesh/mesh.js';
import { makeSound } from '../../../src/mesh/soundness/make-sound.js';
import { findModel, models } from '../../../src/models/catalogue.js';
import { codeOf } from '../../error-code.js';
import { splitBox } from '../../generators/seams.js';
import { boxMesh, join, openCube, reversed, torusGrid } from '../../generators/surfaces.js';
import {
  countUnmatchedEdges,
  cracked,
  diagonalOf,
  doubledFaces,
  doubledShell,
  scaled,
  sizeOf,
  soup,
  turned,
  withFlatFaces,
} from './broken-meshes.js';

const SCALES = [1e-6, 1, 1e6];
/** Half of the largest tolerance, over the √3 that noise along three axes adds up to, twice for two ends. */
const NOISE = 1e-6 / 8;

/** Models that take a second to build; the others are of the same kinds. */
const SLOW = ['dragon', 'bunny', 'head', 'teeth-lower', 'teeth-upper'];

const SOLIDS: readonly Mesh[] = [
  ...['box', 'wedge', 'octahedron', 'spoon', 'grate-small', 'bowl', 'ramp', 'letter-b', 'digit-8'].map((name) =>
    findModel(name).build(),
  ),
  findModel('cylinder').build({ segments: 12, bands: 3 }),
  findModel('torus').build({ majorSegments: 12, minorSegments: 8 }),
];

/** The ways a solid is broken, each by a random source and the largest displacement of a vertex. */
const DAMAGES: Record<string, (mesh: Mesh, random: Random, noise: number) => Mesh> = {
  'doubled faces': (mesh) => doubledFaces(mesh),
  'doubled shells': (mesh) => doubledShell(mesh),
  'a soup': (mesh) => soup(mesh),
  'a soup with noise': (mesh, random, noise) => soup(mesh, noise, random),
  'a doubled soup': (mesh) => soup(doubledFaces(mesh)),
  'exact cracks': (mesh, random) => cracked(mesh, 0.3, 0, random),
  'cracks with noise': (mesh, random, noise) => cracked(mesh, 0.3, noise, random),
  'cracks on every face': (mesh, random, noise) => cracked(mesh, 1, noise, random),
  'flat faces': (mesh, random) => withFlatFaces(mesh, 9, random),
  'turned faces': (mesh, random) => turned(mesh, 0.4, random),
  'inside out': (mesh) => reversed(mesh),
  'doubled, cracked, flat and turned': (mesh, random, noise) =>
    turned(withFlatFaces(doubledFaces(cracked(mesh, 0.2, noise, random)), 6, random), 0.3, random),
  'a cracked soup of doubled faces': (mesh, random, noise) =>
    soup(doubledFaces(cracked(mesh, 0.2, noise / 2, random)), noise / 2, random),
};

/** A closed mesh of the same volume as `solid`, whose faces lie on those of `broken` that the map names. */
function expectSound(solid: Mesh, broken: Mesh): void {
  const given = { positions: broken.positions.slice(), indices: broken.indices.slice() };
  const result = makeSound(broken);
  expect(isSame(broken, given)).toBe(true);
  const { volume, area } = sizeOf(solid);
  const diagonal = diagonalOf(solid);
  expect(result.closed).toBe(true);
  expect(result.openEdges).toBe(0);
  expect(countUnmatchedEdges(result.mesh)).toBe(0);
  expect(result.tolerance).toBeLessThanOrEqual(1.001e-6 * diagonal);
  // The surface moves by at most the tolerance and the noise.
  expect(Math.abs(result.volume! - volume)).toBeLessThanOrEqual(2e-6 * diagonal * area);
  expect(Math.abs(sizeOf(result.mesh).volume - result.volume!)).toBeLessThanOrEqual(1e-9 * volume);
  expectOnSources(result.mesh, result.sourceFaces, broken, 2e-6 * diagonal);
  const again = makeSound(broken);
  expect(isSame(again.mesh, result.mesh)).toBe(true);
  expect(again.changes).toEqual(result.changes);
}

function isSame(a: Mesh, b: Mesh): boolean {
  return (
    a.positions.length === b.positions.length &&
    a.indices.length === b.indices.length &&
    a.positions.every((value, i) => value === b.positions[i]) &&
    a.indices.every((value, i) => value === b.indices[i])
  );
}

/** Each face of the result is near the plane of its source, and no larger. */
function expectOnSources(mesh: Mesh, sources: Int32Array, given: Mesh, reach: number): void {
  expect(sources.length).toBe(mesh.indices.length / 3);
  let farthest = 0;
  for (let face = 0; face < sources.length; face++) {
    const [a, b, c] = cornersOf(given, sources[face]);
    for (const point of cornersOf(mesh, face)) {
      const box = [0, 1, 2].map((k) => {
        const [low, high] = [Math.min(a[k], b[k], c[k]), Math.max(a[k], b[k], c[k])];
        return Math.max(0, low - point[k], point[k] - high);
      });
      farthest = Math.max(farthest, ...box);
    }
  }
  expect(farthest).toBeLessThanOrEqual(reach);
}

function cornersOf({ positions, indices }: Mesh, face: number): number[][] {
  return [0, 1, 2].map((k) => [...positions.subarray(3 * indices[3 * face + k], 3 * indices[3 * face + k] + 3)]);
}

describe('a sound solid comes back as it is', () => {
  test.each(SCALES)('models at scale %s', (scale) => {
    for (const { name, build } of models) {
      if (SLOW.includes(name)) continue;
      const mesh = scaled(build(), scale);
      const { mesh: sound, sourceFaces, done, closed, volume, tolerance, openEdges } = makeSound(mesh);
      expect({ name, isSame: isSame(sound, mesh) }).toEqual({ name, isSame: true });
      expect(sourceFaces.every((source, face) => source === face)).toBe(true);
      expect({ name, done, closed, tolerance, openEdges }).toEqual({
        name,
        done: [],
        closed: true,
        tolerance: 0,
        openEdges: 0,
      });
      expect(Math.abs(volume! - sizeOf(mesh).volume)).toBeLessThanOrEqual(1e-9 * volume!);
    }
  });

  test.each([
    ['boxes that touch along a side', join(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1]))],
    ['boxes that touch along an edge', join(boxMesh(), boxMesh([1, 1, 0], [2, 2, 1]))],
    ['a box with a cavity', join(boxMesh([0, 0, 0], [3, 3, 3]), reversed(boxMesh([1, 1, 1], [2, 2, 2])))],
    [
      'a box among boxes on all its sides',
      join(
        boxMesh(),
        ...[0, 1, 2].flatMap((axis) =>
          [-1, 1].map((side) => {
            const low = [0, 0, 0].map((_, k) => (k === axis ? side : 0));
            return boxMesh(
              low,
              low.map((value) => value + 1),
            );
          }),
        ),
      ),
    ],
    ['a foil thinner than any tolerance', boxMesh([0, 0, 0], [1, 1, 1e-9])],
  ])('%s', (_, mesh) => {
    const result = makeSound(mesh);
    expect(result.mesh).toEqual(mesh);
    expect(result.closed).toBe(true);
    expect(result.done).toEqual([]);
  });
});

describe('a broken solid is closed with its volume', () => {
  for (const [name, damage] of Object.entries(DAMAGES)) {
    test.each(SCALES)(`${name} at scale %s`, (scale) => {
      SOLIDS.forEach((model, seed) => {
        const solid = scaled(model, scale);
        expectSound(solid, damage(solid, createRandom(seed), NOISE * diagonalOf(solid)));
      });
    });
  }

  test('a larger model', () => {
    const cup = findModel('cup').build();
    expectSound(cup, cracked(cup, 1, NOISE * diagonalOf(cup), createRandom(5)));
    expectSound(cup, soup(doubledFaces(cup)));
  });

  test('any damage of any torus', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 9 }),
        fc.integer({ min: 3, max: 7 }),
        fc.constantFrom(...Object.keys(DAMAGES)),
        fc.integer(),
        (m, n, name, seed) => {
          const solid = torusGrid(m, n);
          expectSound(solid, DAMAGES[name](solid, createRandom(seed), NOISE * diagonalOf(solid)));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('split seams', () => {
    const { mesh, closed, volume, changes } = makeSound(splitBox(1, 2, 3));
    expect(mesh.positions.length / 3).toBe(8);
    expect(changes.weldedVertices).toBe(16);
    expect(changes.droppedVertices).toBe(0);
    expect(closed).toBe(true);
    expect(volume).toBeCloseTo(6, 12);
  });
});

describe('what is done is said', () => {
  test('doubled faces', () => {
    const { changes, done, sourceFaces } = makeSound(doubledFaces(boxMesh()));
    expect(changes.droppedDoubledFaces).toBe(12);
    expect(done).toEqual(['Doubled faces dropped: 12.']);
    expect([...sourceFaces]).toEqual(Array.from({ length: 12 }, (_, face) => 2 * face));
  });

  test('one crack', () => {
    const box = boxMesh();
    const { indices } = box;
    const [a, b, c] = indices;
    const middle = [0, 1, 2].map((k) => (box.positions[3 * a + k] + box.positions[3 * b + k]) / 2);
    const mesh = createMesh([...box.positions, ...middle], [a, 8, c, 8, b, c, ...indices.subarray(3)]);
    const { changes, done, closed, mesh: sound } = makeSound(mesh);
    expect(closed).toBe(true);
    expect(changes).toMatchObject({ closedCracks: 1, droppedDoubledFaces: 0, weldedVertices: 0, droppedVertices: 0 });
    expect(done).toEqual(['Cracks closed at T-junctions: 1.']);
    expect(sound.indices.length / 3).toBe(14);
  });

  test('the tolerance that closed it', () => {
    const solid = torusGrid(8, 6);
    const diagonal = diagonalOf(solid);
    expect(makeSound(soup(solid)).tolerance).toBe(0);
    expect(makeSound(soup(solid, 2e-8 * diagonal)).tolerance / diagonal).toBeCloseTo(1e-7, 9);
    expect(makeSound(soup(solid, 2e-7 * diagonal)).tolerance / diagonal).toBeCloseTo(1e-6, 8);
    const wide = soup(solid, 1e-4 * diagonal);
    expect(makeSound(wide).closed).toBe(false);
    expect(makeSound(wide, { tolerance: 1e-3 })).toMatchObject({ closed: true, openEdges: 0 });
  });
});

describe('what is no solid is not called closed', () => {
  const sheet = createMesh([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [0, 1, 2, 0, 2, 3]);

  test.each(SCALES)('a flat sheet with both sides, at scale %s', (scale) => {
    for (const flat of [doubledFaces(sheet), doubledShell(sheet), soup(doubledFaces(sheet))]) {
      const { mesh, closed, volume, openEdges, changes } = makeSound(scaled(flat, scale));
      expect(mesh.indices.length / 3).toBe(2);
      expect({ closed, volume, openEdges }).toEqual({ closed: false, volume: null, openEdges: 4 });
      expect(changes.droppedDoubledFaces).toBe(2);
    }
  });

  test('a flat sheet whose sides are cut along different diagonals', () => {
    const pillow = createMesh(sheet.positions, [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2]);
    expect(makeSound(pillow)).toMatchObject({ closed: false, volume: null, openEdges: 0 });
  });

  test('an open box, whose hole is filled only when asked', () => {
    const open = openCube();
    expect(makeSound(open)).toMatchObject({ closed: false, volume: null, openEdges: 4, done: [] });
    expect(makeSound(open, { fillHoles: { maxEdges: 3 } }).closed).toBe(false);
    const filled = makeSound(open, { fillHoles: true });
    expect(filled).toMatchObject({ closed: true, openEdges: 0, changes: { filledHoles: 1, addedFaces: 2 } });
    expect([...filled.sourceFaces].slice(-2)).toEqual([-1, -1]);
    const { volume } = sizeOf(boxMesh(...boundsOf(open)));
    expect(filled.volume).toBeCloseTo(volume, 12);
  });
});

describe('sheets beside solids', () => {
  const apart = createMesh([3, 0, 0, 3, 1, 0, 3, 1, 1, 3, 0, 1], [0, 1, 2, 0, 2, 3]);

  test('a doubled sheet apart from a doubled box keeps both sides', () => {
    for (const damage of [doubledFaces, doubledShell, (mesh: Mesh) => soup(doubledFaces(mesh))]) {
      const { mesh, closed, volume, changes } = makeSound(damage(join(boxMesh(), apart)));
      expect(mesh.indices.length / 3).toBe(16);
      expect(closed).toBe(true);
      expect(volume).toBeCloseTo(1, 12);
      expect(changes.twoSidedFaces).toBe(2);
    }
  });

  test('a doubled fin on an edge of a doubled box keeps both sides', () => {
    const across = createMesh([1, 1, 0, 1, 1, 1, 2, 2, 1, 2, 2, 0], [0, 1, 2, 0, 2, 3]);
    const { mesh, closed, volume } = makeSound(soup(doubledFaces(join(boxMesh(), across))));
    expect(mesh.indices.length / 3).toBe(16);
    expect(closed).toBe(true);
    expect(volume).toBeCloseTo(1, 12);
  });

  test('a sheet with one side leaves the mesh open', () => {
    expect(makeSound(join(boxMesh(), apart))).toMatchObject({ closed: false, volume: null, openEdges: 4 });
  });

  test('the wall between two doubled boxes stays', () => {
    const boxes = soup(doubledFaces(join(boxMesh(), boxMesh([1, 0, 0], [2, 1, 1]))));
    const { closed, volume } = makeSound(boxes);
    expect(closed).toBe(true);
    expect(volume).toBeCloseTo(2, 12);
  });
});

describe('refuses', () => {
  test('what is no mesh, and wrong options', () => {
    expect(codeOf(() => makeSound({ positions: new Float64Array(), indices: new Uint32Array() }))).toBe('empty-mesh');
    expect(codeOf(() => makeSound(boxMesh(), { tolerance: -1 }))).toBe('bad-argument');
    expect(codeOf(() => makeSound(boxMesh(), { tolerance: Number.NaN }))).toBe('bad-argument');
    expect(codeOf(() => makeSound(boxMesh(), { fillHoles: { maxEdges: 2 } }))).toBe('bad-argument');
    expect(codeOf(() => makeSound(boxMesh(), { fillHole: true } as object))).toBe('bad-argument');
  });

  test('a mesh of faces without area only', () => {
    expect(codeOf(() => makeSound(createMesh([0, 0, 0, 1, 0, 0, 2, 0, 0])))).toBe('empty-mesh');
    expect(codeOf(() => makeSound(createMesh([0, 0, 0, 1, 0, 0, 2, 1, 0], [0, 0, 1])))).toBe('empty-mesh');
  });
});

function boundsOf({ positions }: Mesh): [number[], number[]] {
  const columns = [0, 1, 2].map((axis) => [...positions].filter((_, i) => i % 3 === axis));
  return [columns.map((column) => Math.min(...column)), columns.map((column) => Math.max(...column))];
}
