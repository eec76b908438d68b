import { expect, test } from 'vitest';
import { runCrowd } from '../crowd/random-crowds.js';

test('1,000 random crowds keep the wanted distance by brute force', () => {
  let near = 0;
  for (let seed = 1; seed <= 1000; seed++) {
    const { slack, nearPairs } = runCrowd(seed, 100);
    expect(slack, `seed ${seed}`).toBeGreaterThan(-1e-9);
    near += nearPairs;
  }
  expect(near).toBeGreaterThan(60_000);
});
