import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { compareGradient, gradientModels } from '../sweep/gradient-cases.js';

test('10,000 gradients of clearances agree with differences where they say that they are unique', () => {
  const models = gradientModels();
  let compared = 0;
  let worst = 0;
  for (let seed = 1; seed <= 10_000; seed++) {
    const { unique, error } = compareGradient(models, createRandom(seed), seed % 10 === 0 ? 0.4 : 2);
    if (!unique || Number.isNaN(error)) continue;
    compared++;
    worst = Math.max(worst, error);
    expect(error, `seed ${seed}`).toBeLessThan(1e-3);
  }
  expect(compared).toBeGreaterThan(5000);
});
