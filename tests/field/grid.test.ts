import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Box } from '../../src/core/box.js';
import {
  allNodes,
  assertField,
  assertGridFrame,
  frameBox,
  type GridFrame,
  gridNodeCount,
  gridOverBox,
  nodeIndex,
  nodePosition,
  nodesInBox,
} from '../../src/field/grid.js';
import { codeOf } from '../error-code.js';

const frame: GridFrame = { origin: [1, 2, 3], spacing: 0.5, size: [4, 3, 2] };

describe('grids', () => {
  test('count their nodes, x fastest', () => {
    expect(gridNodeCount(frame)).toBe(24);
    expect(nodeIndex(frame, 0, 0, 0)).toBe(0);
    expect(nodeIndex(frame, 1, 0, 0)).toBe(1);
    expect(nodeIndex(frame, 0, 1, 0)).toBe(4);
    expect(nodeIndex(frame, 0, 0, 1)).toBe(12);
    expect(nodePosition(frame, 3, 2, 1)).toEqual([2.5, 3, 3.5]);
    expect(frameBox(frame)).toEqual({ min: [1, 2, 3], max: [2.5, 3, 3.5] });
    expect(allNodes(frame)).toEqual({ min: [0, 0, 0], max: [3, 2, 1] });
  });

  test('name the nodes within a box, and none where it holds none', () => {
    expect(nodesInBox(frame, { min: [1.1, 0, 3], max: [2, 2.4, 9] })).toEqual({ min: [1, 0, 0], max: [2, 0, 1] });
    expect(nodesInBox(frame, { min: [1.1, 0, 3], max: [2, 2.4, 9] }, 0.1)).toEqual({ min: [0, 0, 0], max: [2, 1, 1] });
    const none = nodesInBox(frame, { min: [1.1, 2, 3], max: [1.2, 3, 4] });
    expect(none.max[0]).toBeLessThan(none.min[0]);
  });

  test('lie in a box whose faces go through nodes, however positions are rounded', () => {
    const grid = gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, 60);
    for (let i = 0; i < 60; i++) {
      const corner = nodePosition(grid, i, i, i);
      expect(nodesInBox(grid, { min: corner, max: corner })).toEqual({ min: [i, i, i], max: [i, i, i] });
    }
  });

  test('have the resolution along the longest side, the last node on its face, and cover the box', () => {
    const side = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(side, side, side), fc.integer({ min: 2, max: 60 }), (sides, resolution) => {
        const box: Box = { min: [-1, 5, 0.25], max: [-1 + sides[0], 5 + sides[1], 0.25 + sides[2]] };
        const grid = gridOverBox(box, resolution);
        const lengths = [0, 1, 2].map((axis) => box.max[axis] - box.min[axis]);
        const longest = lengths.indexOf(Math.max(...lengths));
        expect(grid.size[longest]).toBe(resolution);
        const last = frameBox(grid).max;
        expect(Math.abs(last[longest] - box.max[longest])).toBeLessThan(1e-12 * 200);
        for (let axis = 0; axis < 3; axis++) {
          expect(last[axis]).toBeGreaterThan(box.max[axis] - 1e-8 * grid.spacing - 1e-12);
          expect(last[axis]).toBeLessThan(box.max[axis] + grid.spacing);
        }
      }),
    );
  });

  test('keep equal sides equal in spite of rounding, and lie in the plane over a flat box', () => {
    expect(gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, 60).size).toEqual([60, 60, 60]);
    expect(gridOverBox({ min: [0.1, 0.2, 0.3], max: [0.4, 0.5, 0.6] }, 31).size).toEqual([31, 31, 31]);
    expect(gridOverBox({ min: [0, 0, 2], max: [2, 1, 2] }, 21).size).toEqual([21, 11, 1]);
  });

  test('are refused where they cannot be', () => {
    const box: Box = { min: [0, 0, 0], max: [1, 1, 1] };
    expect(codeOf(() => gridOverBox(box, 1))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox(box, 2.5))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox(box, Number.NaN))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox({ min: [0, 0, 0], max: [0, 0, 0] }, 9))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox({ min: [0, 0, 1], max: [1, 1, 0] }, 9))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox({ min: [0, 0, 0], max: [1, Infinity, 1] }, 9))).toBe('bad-argument');
    expect(codeOf(() => gridOverBox(box, 2000))).toBe('too-large');
    expect(gridOverBox(box, 2000, { sparse: true }).size).toEqual([2000, 2000, 2000]);
    expect(codeOf(() => assertGridFrame({ ...frame, spacing: 0 }))).toBe('bad-argument');
    expect(codeOf(() => assertGridFrame({ ...frame, spacing: '1' as unknown as number }))).toBe('bad-argument');
    // Fourth powers of lengths must not vanish, nor sixth ones overflow: as for meshes.
    expect(codeOf(() => assertGridFrame({ ...frame, spacing: 1e-80 }))).toBe('bad-argument');
    expect(codeOf(() => assertGridFrame({ ...frame, origin: [0, 1e200, 0], spacing: 1e190 }))).toBe('non-finite');
    expect(codeOf(() => assertGridFrame({ origin: [0, 0, 0], spacing: 1e49, size: [12, 1, 1] }))).toBe('non-finite');
    expect(codeOf(() => assertGridFrame({ ...frame, size: [4, 0, 2] }))).toBe('bad-argument');
    expect(codeOf(() => assertGridFrame({ ...frame, origin: [Number.NaN, 0, 0] }))).toBe('non-finite');
    expect(codeOf(() => assertGridFrame({ ...frame, origin: [1e20, 0, 0] }))).toBe('bad-argument');
    expect(codeOf(() => assertField({ ...frame, values: new Float64Array(23) }))).toBe('bad-argument');
  });
});
