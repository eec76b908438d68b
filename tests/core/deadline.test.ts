import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Deadline } from '../../src/core/deadline.js';

test('time that others take does not count, work does', async () => {
  const deadline = new Deadline(0.2);
  await sleep(400);
  // Waiting costs next to no processor time; on a clock the limit would be over.
  expect(deadline.isOver('waiting')).toBe(false);
  expect(deadline.elapsed).toBeLessThan(200);
  const begin = performance.now();
  let work = 0;
  while (!deadline.isOver('working')) work += Math.sqrt(work + 1);
  expect(deadline.elapsed).toBeGreaterThanOrEqual(200);
  expect(work).toBeGreaterThan(0);
  // Never later than the clock says.
  expect(deadline.elapsed).toBeLessThan(performance.now() - begin + 400);
});

test('the caller can stop it, and hears how far it is', () => {
  const heard: number[] = [];
  const deadline = new Deadline(1e6, { onProgress: (fraction) => heard.push(fraction) });
  expect(deadline.isOver('working')).toBe(false);
  expect(heard).toHaveLength(1);
  expect(heard[0]).toBeLessThan(1e-3);
  expect(() => new Deadline(1, { signal: { aborted: true } }).isOver('working')).toThrow(
    "Stopped at the caller's request",
  );
});
