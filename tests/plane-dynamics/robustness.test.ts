// Random heaps do not overlap, fast thin shots do not pass, deep overlaps part. `npm run soak` runs thousands of each.
import { expect, test } from 'vitest';
import { drop, part, shoot } from './random-drops.js';

test('heaps of random bodies overlap by less than half a thousandth of their size, gain no energy, and lose no body', () => {
  for (let seed = 1; seed <= 3; seed++) {
    const { deepest, growth, lost } = drop(seed);
    expect(deepest, `seed ${seed}`).toBeLessThan(5e-4);
    expect(growth, `seed ${seed}`).toBeLessThan(1e-3);
    expect(lost, `seed ${seed}`).toBe(0);
  }
});

test('shots at 10 to 1,000 m/s at plates of 1 mm to 10 cm do not pass', () => {
  let hits = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const { isThrough, isHit } = shoot(seed);
    expect(isThrough, `seed ${seed}`).toBe(false);
    if (isHit) hits++;
  }
  expect(hits).toBeGreaterThan(125);
});

test('deep overlaps part within two seconds, without energy', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const { seconds, energy } = part(seed);
    expect(seconds, `seed ${seed}`).toBeLessThan(2);
    expect(energy, `seed ${seed}`).toBeLessThan(1 + 1e-9);
  }
});
