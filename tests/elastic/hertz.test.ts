import { expect, test } from 'vitest';
import { pressBall, pressLayer } from './pressed-bodies.js';

test('an elastic ball between rigid plates comes to the force of Hertz as elements become smaller', () => {
  const errors = [0.3, 0.2].map((size) => pressBall(size, 0));
  for (const error of errors) expect(error).toBeGreaterThan(0);
  expect(errors[1]).toBeLessThan(0.5 * errors[0]);
  expect(errors[1]).toBeLessThan(0.2);
});

test('with a barrier, so does a rigid ball that is pressed into a layer', () => {
  const errors = [8, 12].map((cells) => pressLayer(cells, 0.004));
  for (const error of errors) expect(error).toBeGreaterThan(0);
  expect(errors[1]).toBeLessThan(0.75 * errors[0]);
  expect(errors[1]).toBeLessThan(0.3);
});
