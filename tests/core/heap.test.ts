import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexedHeap } from '../../src/core/heap.js';

/** The same heap as a plain list that is sorted for every question. */
class SortedModel {
  entries: { item: number; key: number }[] = [];
  set(item: number, key: number): void {
    this.remove(item);
    this.entries.push({ item, key });
    this.entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.item - b.item));
  }
  remove(item: number): boolean {
    const before = this.entries.length;
    this.entries = this.entries.filter((entry) => entry.item !== item);
    return this.entries.length < before;
  }
}

const item = fc.integer({ min: 0, max: 40 });
// Few distinct keys, so that ties are common.
const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(Infinity, -Infinity, 0.5, -0));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), item, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pop' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

test('does what a sorted list does', () => {
  let pops = 0;
  let changes = 0;
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 120, size: 'max' }),
      fc.integer({ min: 0, max: 50 }),
      (steps, itemCount) => {
        const heap = new IndexedHeap(itemCount);
        const model = new SortedModel();
        for (const action of steps) {
          if (action.kind === 'set') {
            if (heap.has(action.item)) changes++;
            heap.set(action.item, action.key);
            model.set(action.item, action.key);
          } else if (action.kind === 'pop') {
            const expected = model.entries.shift()?.item ?? -1;
            if (expected >= 0) pops++;
            expect(heap.pop()).toBe(expected);
          } else if (action.kind === 'remove') {
            expect(heap.remove(action.item)).toBe(model.remove(action.item));
          } else {
            heap.clear();
            model.entries = [];
          }
          expect(heap.size).toBe(model.entries.length);
          expect(heap.minItem()).toBe(model.entries[0]?.item ?? -1);
          expect(heap.minKey() === (model.entries[0]?.key ?? Infinity)).toBe(true);
        }
        for (let i = 0; i <= 41; i++) {
          const entry = model.entries.find((candidate) => candidate.item === i);
          expect(heap.has(i)).toBe(entry !== undefined);
          expect(heap.keyOf(i) === (entry?.key ?? Infinity)).toBe(true);
        }
      },
    ),
    { seed: 1, numRuns: 300 },
  );
  expect(pops).toBeGreaterThan(500);
  expect(changes).toBeGreaterThan(500);
});

test('sorts a thousand items past several growths', () => {
  const heap = new IndexedHeap(1);
  const keys = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1009);
  keys.forEach((value, i) => {
    heap.set(i, value);
  });
  const popped: number[] = [];
  while (heap.size > 0) popped.push(keys[heap.pop()]);
  expect(popped).toEqual([...keys].sort((a, b) => a - b));
  expect(heap.pop()).toBe(-1);
  expect(heap.minKey()).toBe(Infinity);
});

test('ties go to the lower item whatever the order they came in', () => {
  const heap = new IndexedHeap();
  for (const i of [5, 1, 9, 3, 7]) heap.set(i, 4);
  expect([heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()]).toEqual([1, 3, 5, 7, 9]);
});
