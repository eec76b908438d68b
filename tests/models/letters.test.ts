import { describe, expect, test } from 'vitest';
import { polygonArea } from '../../src/mesh/polygon/polygon.js';
import { findSelfIntersections } from '../../src/mesh/report/self-intersections.js';
import { digits, letterOutline, letters } from '../../src/models/letters/letters.js';
import { surfaceStructure } from '../oracles/closed-manifold.js';
import { crossingTriangles } from '../oracles/crossing-triangles.js';
import { ringsMeet } from '../oracles/exact-plane.js';
import { extrudedSolidFaults } from '../oracles/extruded-solid.js';

const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const HOLES: Record<string, number> = { A: 1, B: 2, D: 1, O: 1, P: 1, Q: 1, R: 1, 0: 1, 4: 1, 6: 1, 8: 2, 9: 1 };
const STROKE = 0.16;

const models = [...letters, ...digits];
const modelOf = (character: string) => models[CHARACTERS.indexOf(character)];

test('there are 36, named after their character', () => {
  const names = CHARACTERS.map((c) => (/\d/.test(c) ? `digit-${c}` : `letter-${c.toLowerCase()}`));
  expect(models.map(({ name }) => name)).toEqual(names);
  expect(modelOf('7').name).toBe('digit-7');
});

describe.each(CHARACTERS)('%s', (character) => {
  const outline = letterOutline(character);
  const { positions, indices } = modelOf(character).build();
  const structure = surfaceStructure(positions, indices);

  test('is a closed manifold with one handle per hole', () => {
    expect(structure.faults).toEqual([]);
    expect(structure.components).toBe(1);
    expect(outline.rings.length - 1).toBe(HOLES[character] ?? 0);
    expect(structure.genus).toBe(HOLES[character] ?? 0);
  });

  test('has 150 to 300 triangles, none of them a sliver', () => {
    expect(indices.length / 3).toBeGreaterThanOrEqual(150);
    expect(indices.length / 3).toBeLessThanOrEqual(300);
    expect(structure.thinnest).toBeGreaterThan(0.13);
  });

  test('cuts itself nowhere, and is area × depth large', () => {
    const rings = ringsOnFront(character, 1, 0.25);
    expect(ringsMeet(rings)).toBe(false);
    expect(extrudedSolidFaults(rings, 0.25, positions, indices)).toEqual([]);
    expect(crossingTriangles(positions, indices)).toEqual([]);
    expect(findSelfIntersections({ positions, indices }).count).toBe(0);
    expect(structure.volume / (0.25 * polygonArea(outline))).toBeCloseTo(1, 12);
  });

  test('stands on y = 0, one cap height tall, centered', () => {
    const [low, high] = [0, 1, 2].reduce<number[][]>(
      ([least, most], axis) => {
        const values = positions.filter((_, i) => i % 3 === axis);
        return [
          [...least, Math.min(...values)],
          [...most, Math.max(...values)],
        ];
      },
      [[], []],
    );
    expect(low[0]).toBeCloseTo(-high[0], 12);
    expect([low[1], high[1]].map((y) => y + 1)).toEqual([expect.closeTo(1, 12), expect.closeTo(2, 12)]);
    expect([low[2], high[2]]).toEqual([-0.125, 0.125]);
  });

  test('is drawn with one stroke width', () => {
    // The largest disc inside touches both sides of a stroke; where strokes meet it grows, but never to their sum.
    const radius = largestDisc(outline.rings);
    expect(radius).toBeGreaterThan(0.49 * STROKE);
    expect(radius).toBeLessThan(0.85 * STROKE);
  });
});

test('the letters and digits have 250 triangles on average, as those of Kim et al. 2002', () => {
  const total = models.reduce((sum, model) => sum + model.build().indices.length / 3, 0);
  expect(Math.round(total / models.length / 10) * 10).toBe(250);
});

test('no two characters look alike', () => {
  const pictures = CHARACTERS.map((character) => pictureOf(character));
  const alike: string[] = [];
  for (let i = 0; i < pictures.length; i++) {
    for (let j = 0; j < i; j++) {
      const differing = pictures[i].filter((pixel, k) => pixel !== pictures[j][k]).length;
      if (differing < 12) alike.push(CHARACTERS[j] + CHARACTERS[i]);
    }
  }
  expect(alike).toEqual([]);
});

describe('parameters', () => {
  const extremes = [0.001, 1000].flatMap((height) => [0.001, 0.8, 1000].map((depth) => ({ height, depth })));

  test.each(extremes)('height $height and depth $depth keep every solid whole', ({ height, depth }) => {
    for (const character of CHARACTERS) {
      const { positions, indices } = modelOf(character).build({ height, depth });
      const { faults, genus, volume } = surfaceStructure(positions, indices);
      expect({ character, faults, genus }).toEqual({ character, faults: [], genus: HOLES[character] ?? 0 });
      expect(volume / (height ** 2 * depth * polygonArea(letterOutline(character)))).toBeCloseTo(1, 10);
      const rings = ringsOnFront(character, height, depth);
      expect(extrudedSolidFaults(rings, depth, positions, indices)).toEqual([]);
    }
  });

  test('the same parameters give the same mesh', () => {
    for (const model of models) expect(model.build({ height: 2 })).toEqual(model.build({ height: 2 }));
  });

  test('others are refused', () => {
    expect(() => modelOf('A').build({ height: 0 })).toThrow(/height of the model letter-a is 0/);
    expect(() => modelOf('A').build({ depth: Number.NaN })).toThrow(/depth of the model letter-a/);
    expect(() => letterOutline('a')).toThrow(/no outline of "a"/);
    expect(() => letterOutline('toString')).toThrow(/A to Z and 0 to 9/);
  });
});

/** The outline as the solid has it: the loops around its front, read off the mesh by the order of the outline. */
function ringsOnFront(character: string, height: number, depth: number): Float64Array[] {
  const { positions } = modelOf(character).build({ height, depth });
  const front: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    if (positions[i + 2] === depth / 2) front.push(positions[i], positions[i + 1]);
  }
  const outline = letterOutline(character);
  const middle = Math.max(...outline.rings[0].filter((_, i) => i % 2 === 0)) / 2;
  let first = 0;
  return outline.rings.map((ring) => {
    const placed = Float64Array.from(front.slice(first, (first += ring.length)));
    placed.forEach((value, i) => {
      expect(Math.abs(value - height * (ring[i] - (i % 2 === 0 ? middle : 0)))).toBeLessThan(1e-12 * height);
    });
    return placed;
  });
}

/** The radius of the largest disc inside the rings, over a fine grid of centers. */
function largestDisc(rings: readonly Float64Array[]): number {
  let largest = 0;
  for (let i = 1; i < 110; i++) {
    for (let j = 1; j < 100; j++) {
      const [x, y] = [i / 100, j / 100];
      if (!isInside(rings, x, y)) continue;
      largest = Math.max(largest, distanceToRings(rings, x, y, largest));
    }
  }
  return largest;
}

/** Even-odd, for sample points that lie on no side. */
function isInside(rings: readonly Float64Array[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      if (ring[i + 1] > y === ring[j + 1] > y) continue;
      const share = (y - ring[i + 1]) / (ring[j + 1] - ring[i + 1]);
      if (ring[i] + share * (ring[j] - ring[i]) > x) inside = !inside;
    }
  }
  return inside;
}

/** The distance from a point to the nearest side; stops early once it is below `enough`. */
function distanceToRings(rings: readonly Float64Array[], x: number, y: number, enough: number): number {
  let nearest = Infinity;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      const [ux, uy] = [ring[j] - ring[i], ring[j + 1] - ring[i + 1]];
      const along = ((x - ring[i]) * ux + (y - ring[i + 1]) * uy) / (ux * ux + uy * uy);
      const t = Math.max(0, Math.min(1, along));
      nearest = Math.min(nearest, Math.hypot(x - ring[i] - t * ux, y - ring[i + 1] - t * uy));
      if (nearest <= enough) return nearest;
    }
  }
  return nearest;
}

/** 20 by 20 pixels, enough for the widest character. */
function pictureOf(character: string): boolean[] {
  const { rings } = letterOutline(character);
  return Array.from({ length: 400 }, (_, i) =>
    isInside(rings, ((i % 20) + 0.53) / 18, (Math.floor(i / 20) + 0.53) / 20),
  );
}
