// A few of the random cases that tests/soak/planning.test.ts runs by the thousand.
import { expect, test } from 'vitest';
import { checkRandomAnswer } from './random-answers.js';
import { checkRandomEdges } from './random-edges.js';

test('edges are free where that is proven, and end where something is near', () => {
  const bad: string[] = [];
  let [edges, free] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const found = checkRandomEdges(seed, 8);
    bad.push(...found.bad);
    edges += found.edges;
    free += found.free;
  }
  expect(bad).toEqual([]);
  // Both kinds are there.
  expect(edges).toBeGreaterThan(150);
  expect(free / edges).toBeGreaterThan(0.2);
  expect(free / edges).toBeLessThan(0.9);
});

test('answers to random problems are proven, or claim nothing', () => {
  const bad: string[] = [];
  const counts: Record<string, number> = {};
  for (let seed = 1; seed <= 40; seed++) {
    const { status, bad: found } = checkRandomAnswer(seed, 1);
    counts[status] = (counts[status] ?? 0) + 1;
    bad.push(...found);
  }
  expect(bad).toEqual([]);
  expect(counts.solved).toBeGreaterThan(8);
});
