// A few of the random cases that tests/soak/bodies.test.ts runs by the thousand.
import { expect, test } from 'vitest';
import { drop, part, RandomShapes, shoot } from './random-bodies.js';

const shapes = new RandomShapes();

test('random models that are dropped hardly overlap, make no energy, and none is lost', () => {
  for (let seed = 0; seed < 3; seed++) {
    const { deepest, growth, isLost, lostTime } = drop(seed, shapes, 'auto', 60);
    expect(deepest, `seed ${seed}`).toBeLessThan(0.02);
    expect(growth, `seed ${seed}`).toBeLessThan(1e-4);
    expect(isLost || lostTime > 0, `seed ${seed}`).toBe(false);
  }
});

test('fast shots do not pass through thin plates, and their times are bracketed', () => {
  for (let seed = 0; seed < 10; seed++) {
    const { isThrough, isHit, bracket, growth, change, lostTime } = shoot(seed, shapes);
    expect(isThrough || !isHit, `seed ${seed}`).toBe(false);
    expect(bracket, `seed ${seed}`).toBeLessThan(1e-9);
    expect(growth, `seed ${seed}`).toBeLessThan(1e-9);
    expect(change, `seed ${seed}`).toBeLessThan(1e-9);
    expect(lostTime, `seed ${seed}`).toBe(0);
  }
});

test('models that start in each other part without energy, and keep their momentum', () => {
  for (let seed = 0; seed < 2; seed++) {
    const { seconds, energy, momentum } = part(seed, shapes);
    expect(seconds, `seed ${seed}`).toBeLessThan(3);
    expect(energy, `seed ${seed}`).toBeLessThan(1e-4);
    expect(momentum, `seed ${seed}`).toBeLessThan(1e-12);
  }
});
