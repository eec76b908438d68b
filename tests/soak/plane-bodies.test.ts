// Thousands of the cases of tests/dynamics/plane/robustness.test.ts: heaps, fast thin shots, deep overlaps.
import { expect, test } from 'vitest';
import { drop, part, shoot } from '../plane-dynamics/random-drops.js';

const FIRST = 1000;
/** Heaps of 12 bodies: 10,000 bodies in all. */
const HEAPS = 834;
const SHOTS = 10_000;

test('10,000 bodies dropped in heaps overlap by no more than a thousandth of their size, and none is lost', () => {
  const bad: string[] = [];
  for (let seed = FIRST; seed < FIRST + HEAPS; seed++) {
    const { deepest, growth, lost } = drop(seed);
    if (deepest > 1e-3 || growth > 1e-3 || lost > 0) bad.push(`${seed}: ${deepest} ${growth} ${lost}`);
  }
  expect(bad).toEqual([]);
});

test('10,000 fast thin shots do not pass', () => {
  const bad: number[] = [];
  for (let seed = FIRST; seed < FIRST + SHOTS; seed++) if (shoot(seed).isThrough) bad.push(seed);
  expect(bad).toEqual([]);
});

test('2,000 deep overlaps part without energy', () => {
  for (let seed = FIRST; seed < FIRST + 2000; seed++) {
    const { seconds, energy } = part(seed);
    expect(seconds, `seed ${seed}`).toBeLessThan(3);
    expect(energy, `seed ${seed}`).toBeLessThan(1 + 1e-9);
  }
});
