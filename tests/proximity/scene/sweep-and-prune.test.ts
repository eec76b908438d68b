import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.js';
import { SweepAndPrune } from '../../../src/spatial/sweep-and-prune.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

type Boxes = Map<number, number[]>;

/** All pairs, compared one by one. */
function allPairs(boxes: Boxes, margin: number): number[][] {
  const items = [...boxes.keys()].sort((a, b) => a - b);
  const pairs: number[][] = [];
  for (const [rank, i] of items.entries()) {
    for (const j of items.slice(rank + 1)) {
      const a = boxes.get(i)!;
      const b = boxes.get(j)!;
      if ([0, 1, 2].every((k) => a[k] - margin <= b[k + 3] && b[k] - margin <= a[k + 3])) pairs.push([i, j]);
    }
  }
  return pairs;
}

function pairsOf(sweep: SweepAndPrune): number[][] {
  const flat = sweep.pairs();
  return Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k], flat[2 * k + 1]]);
}

/** On a coarse grid many coordinates are equal. */
function randomBox(random: Random, grid: number, extent: number, size: number): number[] {
  const snap = (value: number): number => (grid > 0 ? Math.round(value / grid) * grid : value);
  const low = [0, 1, 2].map(() => snap(random.range(-extent, extent)));
  return [...low, ...low.map((value) => value + snap(random.range(0, size)))];
}

function differ(before: number[][], after: number[][]): number {
  const keys = new Set(before.map(String));
  return after.filter((pair) => !keys.has(String(pair))).length;
}

describe('SweepAndPrune', () => {
  test('counts boxes that touch as overlapping, and a gap of one rounding as apart', () => {
    const sweep = new SweepAndPrune();
    sweep.place(3, [0, 0, 0, 1, 1, 1]);
    sweep.place(1, [1, 1, 1, 2, 2, 2]);
    sweep.place(7, [2 + 2 ** -51, 1, 1, 3, 2, 2]);
    sweep.update();
    expect(pairsOf(sweep)).toEqual([[1, 3]]);
    expect(sweep.counters.pairsBegun).toBe(1);
    sweep.place(7, [2, 1, 1, 3, 2, 2]);
    sweep.update();
    expect(pairsOf(sweep)).toEqual([
      [1, 3],
      [1, 7],
    ]);
  });

  test('waits for the update', () => {
    const sweep = new SweepAndPrune();
    sweep.place(0, [0, 0, 0, 1, 1, 1]);
    sweep.place(1, [0, 0, 0, 1, 1, 1]);
    expect([sweep.pairCount, sweep.size]).toEqual([0, 2]);
    sweep.update();
    sweep.remove(0);
    expect([sweep.pairCount, sweep.size]).toEqual([1, 1]);
    sweep.update();
    expect([sweep.pairCount, sweep.counters.pairsEnded]).toEqual([0, 1]);
    expect([sweep.remove(0), sweep.has(0), sweep.has(1)]).toEqual([false, false, true]);
  });

  test('finds pairs within the margin, and follows it when it changes', () => {
    const sweep = new SweepAndPrune({ margin: 0.5 });
    sweep.place(0, [0, 0, 0, 1, 1, 1]);
    sweep.place(1, [1.5, 0, 0, 2, 1, 1]);
    sweep.update();
    expect(sweep.pairCount).toBe(1);
    sweep.margin = 0.4999;
    sweep.update();
    expect(sweep.pairCount).toBe(0);
  });

  test('loses no pair at the margin to rounding', () => {
    const random = createRandom(5);
    let touching = 0;
    for (let k = 0; k < 2000; k++) {
      const margin = random.next();
      const high = random.range(-10, 10);
      // The largest number that a gap of at most the margin, exactly, can begin at; found by stepping down.
      let low = high + margin;
      if (low - high > margin) low -= 2 ** -48;
      if (low - high > margin) continue;
      const sweep = new SweepAndPrune({ margin });
      sweep.place(0, [high - 1, 0, 0, high, 1, 1]);
      sweep.place(1, [low, 0, 0, low + 1, 1, 1]);
      sweep.update();
      touching += sweep.pairCount;
      expect(sweep.pairCount).toBe(1);
    }
    expect(touching).toBeGreaterThan(1000);
  });

  test.each([
    { name: 'slow', grid: 0, step: 0.01, teleports: 0 },
    { name: 'on a grid', grid: 0.25, step: 0.3, teleports: 0.02 },
    { name: 'with teleports', grid: 0, step: 0.05, teleports: 0.2 },
  ])('agrees with all pairs along a history: $name', ({ grid, step, teleports }) => {
    const random = createRandom(11);
    const sweep = new SweepAndPrune({ margin: 0.05 });
    const boxes: Boxes = new Map();
    let last: number[][] = [];
    let total = 0;
    let possible = 0;
    let begun = 0;
    for (let frame = 0; frame < 400 * SOAK; frame++) {
      const crowd = random.integer(50) === 0 ? 40 : random.integer(3);
      for (let k = 0; k < crowd; k++) {
        const item = random.integer(120);
        if (random.integer(2) === 0) {
          expect(sweep.remove(item)).toBe(boxes.delete(item));
        } else {
          const box = randomBox(random, grid, 0.8, 1.6);
          boxes.set(item, box);
          sweep.place(item, box);
        }
      }
      for (const [item, box] of boxes) {
        if (random.next() < 0.3) continue;
        let moved = randomBox(random, grid, 0.8, 1.6);
        if (random.next() >= teleports) {
          const by = [0, 1, 2].map(
            () => Math.round(random.range(-step, step) / (grid || step / 8)) * (grid || step / 8),
          );
          moved = box.map((value, k) => value + by[k % 3]);
        }
        boxes.set(item, moved);
        sweep.place(item, moved);
      }
      sweep.update();
      const expected = allPairs(boxes, 0.05);
      expect(pairsOf(sweep)).toEqual(expected);
      expect(sweep.pairCount).toBe(expected.length);
      expect(sweep.counters.pairsBegun).toBe(differ(last, expected));
      expect(sweep.counters.pairsEnded).toBe(differ(expected, last));
      last = expected;
      total += expected.length;
      possible += (boxes.size * (boxes.size - 1)) / 2;
      begun += sweep.counters.pairsBegun;
    }
    expect(total / possible).toBeGreaterThan(0.1);
    expect(total / possible).toBeLessThan(0.7);
    expect(begun).toBeGreaterThan(500);
  });

  test('agrees with all pairs for any operations, integers and extremes', () => {
    const coordinate = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-1e300, 1e300, -0, 5e-324, 1e-9));
    const box = fc.array(coordinate, { minLength: 6, maxLength: 6 }).map((values) => {
      const low = [0, 1, 2].map((k) => Math.min(values[k], values[k + 3]));
      return [...low, ...[0, 1, 2].map((k) => Math.max(values[k], values[k + 3]))];
    });
    const operation = fc.oneof(
      { weight: 6, arbitrary: fc.record({ item: fc.nat(14), box }) },
      { weight: 2, arbitrary: fc.record({ item: fc.nat(14), box: fc.constant(null) }) },
      { weight: 2, arbitrary: fc.constant('update' as const) },
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), fc.constantFrom(0, 1, 1e-9), (operations, margin) => {
        const sweep = new SweepAndPrune({ margin });
        const boxes: Boxes = new Map();
        for (const step of [...operations, 'update' as const]) {
          if (step === 'update') {
            sweep.update();
            expect(pairsOf(sweep)).toEqual(allPairs(boxes, margin));
          } else if (step.box === null) {
            sweep.remove(step.item);
            boxes.delete(step.item);
          } else {
            sweep.place(step.item, step.box);
            boxes.set(step.item, step.box);
          }
        }
      }),
      { numRuns: 300 * SOAK },
    );
  });

  test('costs as much as changed places when little moves, and never a quadratic number of exchanges', () => {
    const random = createRandom(3);
    const count = 2000;
    const sweep = new SweepAndPrune();
    const boxes = Array.from({ length: count }, () => randomBox(random, 0, 10, 0.5));
    for (const [item, box] of boxes.entries()) sweep.place(item, box);
    sweep.update();
    expect(sweep.counters.resorted).toBe(true);
    sweep.update();
    expect(sweep.counters).toEqual({ swaps: 0, boxTests: 0, pairsBegun: 0, pairsEnded: 0, resorted: false });
    // A thousandth of the width a frame: each of 4,000 ends passes about four others on each axis.
    for (const [item, box] of boxes.entries()) {
      const by = [0, 1, 2].map(() => random.range(-0.02, 0.02));
      sweep.place(
        item,
        box.map((value, k) => value + by[k % 3]),
      );
    }
    sweep.update();
    expect(sweep.counters.resorted).toBe(false);
    expect(sweep.counters.swaps).toBeGreaterThan(count);
    expect(sweep.counters.swaps).toBeLessThan(20 * count);
    // Mirrored: every end passes every other.
    for (const [item, box] of boxes.entries()) {
      sweep.place(
        item,
        box.map((_, k) => -box[(k + 3) % 6]),
      );
    }
    sweep.update();
    expect(sweep.counters.resorted).toBe(true);
    expect(sweep.counters.boxTests).toBeLessThan((count * count) / 10);
    const mirrored = new Map(boxes.map((box, item) => [item, box.map((_, k) => -box[(k + 3) % 6])]));
    expect(pairsOf(sweep)).toEqual(allPairs(mirrored, 0));
  });

  test('refuses what is no box', () => {
    const sweep = new SweepAndPrune();
    const codeOf = (run: () => void): string => {
      try {
        run();
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'accepted';
    };
    expect(codeOf(() => sweep.place(0, [0, 0, Number.NaN, 1, 1, 1]))).toBe('non-finite');
    expect(codeOf(() => sweep.place(0, [0, 0, 0, 1, 1, Infinity]))).toBe('non-finite');
    expect(codeOf(() => sweep.place(0, [0, 0, 0, 1, -1, 1]))).toBe('bad-argument');
    expect(codeOf(() => sweep.place(0, [0, 0, 0]))).toBe('non-finite');
    expect(codeOf(() => sweep.place(-1, [0, 0, 0, 1, 1, 1]))).toBe('bad-argument');
    expect(codeOf(() => sweep.place(0.5, [0, 0, 0, 1, 1, 1]))).toBe('bad-argument');
    expect(codeOf(() => new SweepAndPrune({ margin: -1 }))).toBe('bad-argument');
    expect(codeOf(() => new SweepAndPrune({ margin: Number.NaN }))).toBe('bad-argument');
    expect(sweep.size).toBe(0);
    sweep.update();
    expect(sweep.pairCount).toBe(0);
  });
});
