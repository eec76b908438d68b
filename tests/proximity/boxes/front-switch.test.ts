// The choice between the front and the roots, and the bounded queue.
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { FrontSwitch } from '../../../src/proximity/boxes/front-switch.js';
import { PairQueue } from '../../../src/proximity/hulls/pair-queue.js';

function shareFromFront(frontCost: (i: number) => number, rootCost: (i: number) => number): number {
  const choice = new FrontSwitch();
  let front = 0;
  for (let i = 0; i < 2000; i++) {
    const { fromFront } = choice;
    if (fromFront) front++;
    choice.record(fromFront ? frontCost(i) : rootCost(i));
  }
  return front / 2000;
}

test('takes what costs less nearly always, and finds out when that changes', () => {
  expect(
    shareFromFront(
      () => 10,
      () => 100,
    ),
  ).toBeGreaterThan(0.97);
  expect(
    shareFromFront(
      () => 100,
      () => 10,
    ),
  ).toBeLessThan(0.07);
  const half = shareFromFront(
    (i) => (i < 1000 ? 10 : 1000),
    () => 100,
  );
  expect(half).toBeGreaterThan(0.45);
  expect(half).toBeLessThan(0.6);
});

test('the queue gives pairs by their bound, and refuses them when it is full', () => {
  const random = createRandom(4);
  for (const limit of [1, 7, 500]) {
    const queue = new PairQueue(limit);
    const inside: number[] = [];
    for (let i = 0; i < 3000; i++) {
      if (random.next() < 0.55) {
        const bound = random.next();
        const taken = queue.push(bound, i, 2 * i);
        expect(taken).toBe(inside.length < limit);
        if (taken) inside.push(bound);
      } else if (inside.length > 0) {
        inside.sort((x, y) => x - y);
        expect(queue.least).toBe(inside.shift());
        expect(queue.leastB).toBe(2 * queue.leastA);
        queue.pop();
      }
      expect(queue.size).toBe(inside.length);
    }
  }
});
