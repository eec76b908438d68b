import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GridFrame, NodeBox } from '../../../src/field/grid.js';
import { findAffectedNodes, mergeNodeBoxes, nodesOfBox } from '../../../src/field/update/affected-nodes.js';
import { coverBoxes, findMovedTriangles } from '../../../src/field/update/moved-boxes.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Triangles at whole coordinates, some of which move. */
const states = fc
  .array(fc.tuple(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 9, maxLength: 9 }), fc.boolean()), {
    minLength: 1,
    maxLength: 40,
  })
  .map((triangles) => {
    const before = Float64Array.from(triangles.flatMap(([corners]) => corners));
    const after = before.slice();
    triangles.forEach(([corners, moves], t) => {
      if (moves) after[9 * t + (Math.abs(corners[0]) % 9)] += 0.25 + (corners[1] % 3);
    });
    return { before, after, moves: triangles.map(([, moves]) => moves) };
  });

function volume(boxes: Float64Array, margin: number): number {
  let sum = 0;
  for (let o = 0; o < boxes.length; o += 6) {
    sum += [0, 1, 2].reduce((product, axis) => product * (boxes[o + 3 + axis] - boxes[o + axis] + 2 * margin), 1);
  }
  return sum;
}

describe('findMovedTriangles', () => {
  test('names those whose corners differ at all, with the box of old and new', () => {
    fc.assert(
      fc.property(states, ({ before, after, moves }) => {
        const moved = findMovedTriangles(before, after);
        expect([...moved.triangles]).toEqual(moves.flatMap((isMoved, t) => (isMoved ? [t] : [])));
        moved.triangles.forEach((t, m) => {
          for (let axis = 0; axis < 3; axis++) {
            const all = [0, 3, 6].flatMap((c) => [before[9 * t + c + axis], after[9 * t + c + axis]]);
            expect(moved.boxes[6 * m + axis]).toBe(Math.min(...all));
            expect(moved.boxes[6 * m + 3 + axis]).toBe(Math.max(...all));
          }
        });
      }),
      { numRuns: 100 * SOAK },
    );
  });

  test('takes −0 for 0 and one unit in the last place for a move', () => {
    const before = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const negative = before.map((x) => (x === 0 ? -0 : x));
    expect(findMovedTriangles(before, negative).triangles).toHaveLength(0);
    const nudged = before.slice();
    nudged[3] += Number.EPSILON;
    expect([...findMovedTriangles(before, nudged).triangles]).toEqual([0]);
  });
});

describe('coverBoxes', () => {
  test('holds every box in one of at most maxBoxes, and never costs more than fewer boxes', () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 1, max: 8 }), fc.double({ min: 0, max: 5 }), (state, maxBoxes, margin) => {
        fc.pre(!Number.isNaN(margin));
        const { boxes } = findMovedTriangles(state.before, state.after);
        const cover = coverBoxes(boxes, maxBoxes, margin);
        expect(cover.length / 6).toBeLessThanOrEqual(maxBoxes);
        for (let b = 0; b < boxes.length; b += 6) {
          let held = false;
          for (let c = 0; c < cover.length; c += 6) {
            held ||= [0, 1, 2].every((a) => cover[c + a] <= boxes[b + a] && cover[c + 3 + a] >= boxes[b + 3 + a]);
          }
          expect(held).toBe(true);
        }
        const one = coverBoxes(boxes, 1, margin);
        expect(volume(cover, margin)).toBeLessThanOrEqual(volume(one, margin) * (1 + 1e-12));
      }),
      { numRuns: 200 * SOAK },
    );
  });

  test('parts two far clusters where it pays, and leaves near ones together', () => {
    const clusters = Float64Array.from([0, 0, 0, 1, 1, 1, 9, 9, 9, 10, 10, 10, 0, 1, 0, 1, 2, 1]);
    expect([...coverBoxes(clusters, 8, 0.1).subarray(0, 6)]).toEqual([0, 0, 0, 1, 2, 1]);
    expect([...coverBoxes(clusters, 2, 0.1)]).toEqual([0, 0, 0, 1, 2, 1, 9, 9, 9, 10, 10, 10]);
    expect([...coverBoxes(clusters, 8, 40)]).toEqual([0, 0, 0, 10, 10, 10]);
    expect([...coverBoxes(clusters, 1, 0)]).toEqual([0, 0, 0, 10, 10, 10]);
    expect(coverBoxes(new Float64Array(0), 4, 1)).toHaveLength(0);
  });
});

describe('findAffectedNodes', () => {
  test('is the box around all nodes within their value of two boxes, by brute force', () => {
    let some = 0;
    let runs = 0;
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
        fc.array(fc.double({ min: -6, max: 6, noNaN: true }), { minLength: 12, maxLength: 12 }),
        fc.infiniteStream(
          fc.oneof(
            { weight: 6, arbitrary: fc.double({ min: -2, max: 2, noNaN: true }) },
            { weight: 1, arbitrary: fc.constant(Infinity) },
          ),
        ),
        fc.constantFrom(0, 0.3),
        fc.constantFrom(Infinity, 1),
        (size, ends, stream, margin, limit) => {
          const frame: GridFrame = { origin: [-3, -2, -1], spacing: 1, size };
          const values = Float64Array.from(
            { length: size[0] * size[1] * size[2] },
            () => stream.next().value as number,
          );
          const boxes = Float64Array.from({ length: 12 }, (_, c) =>
            c % 6 < 3 ? Math.min(ends[c], ends[c + 3]) : Math.max(ends[c], ends[c - 3]),
          );
          const min = [...size];
          const max = [-1, -1, -1];
          for (let node = 0; node < values.length; node++) {
            const at = [node % size[0], Math.floor(node / size[0]) % size[1], Math.floor(node / (size[0] * size[1]))];
            const [one, two] = [0, 6].map((b) =>
              at.reduce((sum, i, a) => {
                const x = frame.origin[a] + i;
                return sum + Math.max(0, boxes[b + a] - x, x - boxes[b + a + 3]) ** 2;
              }, 0),
            );
            const reach = 1.5 * Math.min(Math.abs(values[node]), limit) + margin;
            if (reach === Infinity || Math.min(one, two) > reach * reach) continue;
            at.forEach((i, a) => {
              min[a] = Math.min(min[a], i);
              max[a] = Math.max(max[a], i);
            });
          }
          const found = findAffectedNodes(frame, values, { boxes, fastest: 1.5, limit, margin });
          expect(found).toEqual({ min, max });
          runs++;
          if (max[0] >= 0) some++;
        },
      ),
      { numRuns: 300 * SOAK, seed: 5 },
    );
    expect(some / runs).toBeGreaterThan(0.3);
    expect(some / runs).toBeLessThan(0.9);
  });
});

describe('mergeNodeBoxes', () => {
  test('unites where one box is no dearer, and drops empty ones', () => {
    const at = (from: number, to: number): NodeBox => ({ min: [from, 0, 0], max: [to, 4, 4] });
    expect(mergeNodeBoxes([at(0, 3), at(4, 6)])).toEqual([at(0, 6)]);
    expect(mergeNodeBoxes([at(0, 3), at(10, 12)])).toEqual([at(0, 3), at(10, 12)]);
    expect(mergeNodeBoxes([at(0, 3), at(10, 12), at(2, 10), at(5, 4)])).toEqual([at(0, 12)]);
    expect(nodesOfBox(at(5, 4))).toBe(0);
    expect(mergeNodeBoxes([])).toEqual([]);
  });
});
