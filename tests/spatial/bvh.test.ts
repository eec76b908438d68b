import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { buildBvh } from '../../src/spatial/build-bvh.js';
import { boxOffset, endSlot, firstSlot, isLeaf, leftChild, rightChild } from '../../src/spatial/bvh.js';
import { refitBvh } from '../../src/spatial/refit-bvh.js';
import { codeOf } from '../error-code.js';
import { randomBoxes } from '../generators/boxes.js';
import { validateBvh } from '../oracles/validate-bvh.js';

describe('buildBvh', () => {
  test('puts one item into one leaf', () => {
    const boxes = Float64Array.of(1, 2, 3, 4, 5, 6);
    const bvh = buildBvh(boxes);
    expect(bvh.nodeCount).toBe(1);
    expect(isLeaf(bvh, 0)).toBe(true);
    expect([...bvh.nodeBoxes]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([firstSlot(bvh, 0), endSlot(bvh, 0), boxOffset(0)]).toEqual([0, 1, 0]);
  });

  test('builds the empty tree of no items', () => {
    validateBvh(buildBvh(new Float64Array(0)), new Float64Array(0), 4);
  });

  test('separates two clusters at the root', () => {
    const near = [0, 1, 2].flatMap((i) => [i, 0, 0, i + 1, 1, 1]);
    const far = [0, 1, 2, 3, 4].flatMap((i) => [100 + i, 0, 0, 101 + i, 1, 1]);
    const bvh = buildBvh(Float64Array.from([...near, ...far]), { leafSize: 5 });
    const sides = [leftChild(bvh, 0), rightChild(bvh, 0)].map((node) =>
      [...bvh.items.slice(firstSlot(bvh, node), endSlot(bvh, node))].sort(),
    );
    expect(sides).toEqual([
      [0, 1, 2],
      [3, 4, 5, 6, 7],
    ]);
  });

  test.each([1e-200, 1e-9, 1, 1e9, 1e150])('is a valid tree at scale %g', (scale) => {
    const boxes = randomBoxes(createRandom(7), 2000, scale);
    const bvh = buildBvh(boxes);
    validateBvh(bvh, boxes, 4);
    // Scaling by a power of ten changes roundings, not the quality of the tree.
    expect(bvh.depth).toBeLessThan(20);
  });

  test('gives the same shape when scaled by a power of two', () => {
    const boxes = randomBoxes(createRandom(8), 1000, 1);
    const scaled = boxes.map((value) => value * 2 ** -40);
    expect(buildBvh(scaled).items).toEqual(buildBvh(boxes).items);
    expect(buildBvh(scaled).nodeLeft).toEqual(buildBvh(boxes).nodeLeft);
  });

  test('is a valid tree for any boxes and leaf size', () => {
    const coordinate = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -1e100, max: 1e100 }));
    const box = fc
      .tuple(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate)
      .map((v) =>
        [0, 1, 2].map((k) => Math.min(v[k], v[k + 3])).concat([0, 1, 2].map((k) => Math.max(v[k], v[k + 3]))),
      );
    fc.assert(
      fc.property(fc.array(box, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (list, leafSize) => {
        const boxes = Float64Array.from(list.flat());
        validateBvh(buildBvh(boxes, { leafSize }), boxes, leafSize);
      }),
      { numRuns: 300 },
    );
  });

  test('halves items whose centers coincide', () => {
    const boxes = new Float64Array(6 * 1024);
    for (let i = 0; i < 1024; i++) boxes.set([-i, -1, -1, i, 1, 1], 6 * i);
    const bvh = buildBvh(boxes, { leafSize: 1 });
    validateBvh(bvh, boxes, 1);
    expect(bvh.depth).toBe(11);
  });

  test('stays shallow on coordinates that double', () => {
    const boxes = Float64Array.from(
      { length: 6 * 900 },
      (_, i) => 2 ** (Math.floor(i / 6) - 450) * (i % 6 < 3 ? 1 : 1.1),
    );
    const bvh = buildBvh(boxes, { leafSize: 1 });
    validateBvh(bvh, boxes, 1);
    expect(bvh.depth).toBeLessThan(300);
  });

  test('builds the same tree twice and leaves its input alone', () => {
    const boxes = randomBoxes(createRandom(3), 5000, 1);
    const before = boxes.slice();
    expect(buildBvh(boxes)).toEqual(buildBvh(boxes));
    expect(boxes).toEqual(before);
  });

  test('halves a grid of cells at every level', () => {
    const boxes = Float64Array.from(
      Array.from({ length: 4096 }, (_, i) => [i % 16, (i >> 4) % 16, i >> 8]).flatMap(([x, y, z]) => [
        x,
        y,
        z,
        x + 1,
        y + 1,
        z + 1,
      ]),
    );
    const bvh = buildBvh(boxes, { leafSize: 1 });
    expect(bvh.depth).toBe(13);
  });

  test('reports how much is done, and stops when asked', () => {
    const boxes = randomBoxes(createRandom(3), 40_000, 1);
    const fractions: number[] = [];
    buildBvh(boxes, { onProgress: (fraction) => fractions.push(fraction) });
    // About 13 levels of 40,000 boxes.
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBeLessThanOrEqual(1);
    expect(codeOf(() => buildBvh(boxes, { signal: { aborted: true } }))).toBe('aborted');
  });

  test('refuses a value that is not a list of boxes', () => {
    expect(() => buildBvh(new Float64Array(7))).toThrow(/six numbers/);
    expect(() => buildBvh(Float64Array.of(0, 0, 0, 1, -1, 1))).toThrow(/Box 0 goes from 0 to -1 on axis y/);
    expect(() => buildBvh(Float64Array.of(0, 0, 0, 1, 1, Number.NaN))).toThrow(/finite/);
    expect(() => buildBvh(Float64Array.of(0, 0, -Infinity, 1, 1, 1))).toThrow(/finite/);
    expect(() => buildBvh(new Float64Array(6), { leafSize: 0 })).toThrow(/leafSize is 0; give a whole number from 1/);
  });
});

describe('refitBvh', () => {
  test('gives tight boxes after any motion', () => {
    const random = createRandom(5);
    const boxes = randomBoxes(random, 700, 1);
    const bvh = buildBvh(boxes);
    const { items, nodeLeft } = structuredClone(bvh);
    const moved = randomBoxes(random, 700, 10);
    refitBvh(bvh, moved);
    validateBvh(bvh, moved, 4);
    expect(bvh.items).toEqual(items);
    expect(bvh.nodeLeft).toEqual(nodeLeft);
  });

  test('refuses boxes of another number of items', () => {
    const bvh = buildBvh(new Float64Array(12));
    expect(() => refitBvh(bvh, new Float64Array(18))).toThrow(/2 items/);
  });
});
