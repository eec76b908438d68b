import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { boxesOverlap } from '../../src/spatial/box-relations.js';
import { buildBvh } from '../../src/spatial/build-bvh.js';
import { TraversalStack } from '../../src/spatial/traversal-stack.js';
import { traverseBvh } from '../../src/spatial/traverse-bvh.js';
import { traverseSelf } from '../../src/spatial/traverse-bvh-self.js';
import { randomBoxes } from '../generators/boxes.js';

const EMPTY = new Float64Array(0);

/** The gap between two intervals on each axis, compared or measured without the code under test. */
function gaps(a: Float64Array, i: number, b: Float64Array, j: number): number[] {
  return [0, 1, 2].map((k) => {
    const apart = Math.max(a[6 * i + k], b[6 * j + k]) - Math.min(a[6 * i + k + 3], b[6 * j + k + 3]);
    return Math.max(apart, 0);
  });
}

const overlapping = (a: Float64Array, i: number, b: Float64Array, j: number) => gaps(a, i, b, j).every((g) => g === 0);

describe('traverseBvh', () => {
  const random = createRandom(11);
  const boxes = randomBoxes(random, 600, 1, 0.3);
  const bvh = buildBvh(boxes);
  const stack = new TraversalStack();

  test('visits exactly the items whose boxes pass, each once', () => {
    let found = 0;
    for (let k = 0; k < 200; k++) {
      const query = randomBoxes(random, 1, 1, 0.8);
      const visited: number[] = [];
      traverseBvh(
        bvh,
        {
          testBox: (list, o) => boxesOverlap(list, o, query, 0),
          visitItem: (item) => {
            visited.push(item);
            return false;
          },
        },
        stack,
      );
      const expected = Array.from({ length: 600 }, (_, i) => i).filter((i) => overlapping(boxes, i, query, 0));
      expect(visited.sort((a, b) => a - b)).toEqual(expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(1000);
  });

  test('stops when told to', () => {
    let calls = 0;
    traverseBvh(bvh, { testBox: () => true, visitItem: () => ++calls === 3 });
    expect(calls).toBe(3);
  });

  test('skips whole subtrees: a small query looks at few nodes', () => {
    const corner = Float64Array.of(-1, -1, -1, -0.95, -0.95, -0.95);
    const visited = traverseBvh(bvh, {
      testBox: (list, o) => boxesOverlap(list, o, corner, 0),
      visitItem: () => false,
    });
    expect(visited).toBeLessThan(bvh.nodeCount / 5);
  });

  test('visits nothing of an empty tree', () => {
    const never = () => {
      throw new Error('called');
    };
    const empty = buildBvh(EMPTY);
    expect(traverseBvh(empty, { testBox: never, visitItem: never })).toBe(0);
    expect(traverseSelf(empty, { testBoxes: never, visitItems: never })).toBe(0);
  });
});

describe('pairs', () => {
  const random = createRandom(13);
  const a = buildBvh(randomBoxes(random, 250, 1, 0.3));

  test.each([1, 4, 1000])('traverseSelf visits each pair of different items once, leaves of %i', (leafSize) => {
    const boxes = randomBoxes(random, 300, 1, 0.25);
    const found: string[] = [];
    let done = 0;
    traverseSelf(buildBvh(boxes, { leafSize }), {
      testBoxes: boxesOverlap,
      visitItems: (i, j) => {
        found.push(i < j ? `${i} ${j}` : `${j} ${i}`);
        return false;
      },
      itemsDone: (count) => {
        expect(count).toBeGreaterThan(done);
        done = count;
      },
    });
    const expected: string[] = [];
    for (let i = 0; i < 300; i++) {
      for (let j = i + 1; j < 300; j++) if (overlapping(boxes, i, boxes, j)) expected.push(`${i} ${j}`);
    }
    expect(found.sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(50);
    expect(done).toBe(300);
  });

  test('drops nothing on a deep tree with everything overlapping', () => {
    const boxes = new Float64Array(6 * 200);
    for (let i = 0; i < 200; i++) boxes.set([0, 0, 0, 2 ** (i - 100), 1, 1], 6 * i);
    const bvh = buildBvh(boxes, { leafSize: 1 });
    let pairs = 0;
    const count = () => {
      pairs++;
      return false;
    };
    traverseSelf(bvh, { testBoxes: boxesOverlap, visitItems: count });
    expect(pairs).toBe((200 * 199) / 2);
  });

  test('stops when told to', () => {
    let calls = 0;
    const visitor = { testBoxes: () => true, visitItems: () => ++calls % 5 === 0 };
    traverseSelf(a, visitor);
    expect(calls).toBe(5);
  });
});
