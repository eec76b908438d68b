// Thousands of the cases of tests/dynamics/method/robustness.test.ts: drops of random models, fast thin shots, deep overlaps,
// and of tight-scenes.test.ts.
import { expect, test } from 'vitest';
import { DYNAMICS_METHODS } from '../../src/dynamics/index.js';
import { drop, part, RandomShapes, shoot } from '../dynamics/method/random-bodies.js';
import { runTight, TightParts } from '../dynamics/method/tight-scenes.js';

const FIRST = 1000;
/** Of two models each: 10,000 bodies in all. */
const DROPS = 5000;
const SHOTS = 10_000;
const OVERLAPS = 2000;
/** Tight scenes, over all methods. */
const TIGHT = 10_000;
const shapes = new RandomShapes();

test('10,000 random models dropped overlap by no more than 2 % of their size, and none is lost', () => {
  const bad: string[] = [];
  for (let seed = FIRST; seed < FIRST + DROPS; seed++) {
    const { deepest, growth, isLost, lostTime } = drop(seed, shapes);
    if (deepest > 0.02 || growth > 1e-4 || isLost || lostTime > 0) bad.push(`${seed}: ${deepest} ${growth} ${isLost}`);
  }
  expect(bad).toEqual([]);
});

test('10,000 fast thin shots do not pass, and their times are bracketed', () => {
  const bad: string[] = [];
  for (let seed = FIRST; seed < FIRST + SHOTS; seed++) {
    const { isThrough, isHit, bracket, growth, lostTime } = shoot(seed, shapes);
    const isRight = !isThrough && isHit && bracket < 1e-9 && growth < 1e-9 && lostTime === 0;
    if (!isRight) bad.push(`${seed}: ${isThrough} ${bracket} ${growth} ${lostTime}`);
  }
  expect(bad).toEqual([]);
});

test.each(DYNAMICS_METHODS)(
  '%s: deep overlaps part without more than the stated energy, and keep momentum',
  (method) => {
    const bad: string[] = [];
    for (let seed = FIRST; seed < FIRST + OVERLAPS / DYNAMICS_METHODS.length; seed++) {
      const { seconds, energy, momentum } = part(seed, shapes, method);
      const most = method === 'penalty' ? 1 : 1e-4;
      if (seconds >= 4 || energy > most || momentum > 1e-9) bad.push(`${seed}: ${seconds} ${energy} ${momentum}`);
    }
    expect(bad).toEqual([]);
  },
);

test.each(DYNAMICS_METHODS)('%s: tight scenes make no energy', (method) => {
  const bad: string[] = [];
  const parts = new TightParts();
  for (let seed = FIRST; seed < FIRST + TIGHT / DYNAMICS_METHODS.length; seed++) {
    const { keepsFinite, growth, allowed } = runTight(seed, parts, method, 60);
    if (!keepsFinite || growth > allowed) bad.push(`${seed}: ${growth} of ${allowed} J`);
  }
  expect(bad).toEqual([]);
});
