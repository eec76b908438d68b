import { expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import { partOfProgress, reportProgress } from '../../src/core/progress.js';

test('reports fraction and stage', () => {
  const calls: [number, string][] = [];
  reportProgress({ onProgress: (fraction, stage) => calls.push([fraction, stage]) }, 0.5, 'weld');
  expect(calls).toEqual([[0.5, 'weld']]);
});

test('takes no options, and options without callbacks', () => {
  expect(() => {
    reportProgress(undefined, 0, 'a');
    reportProgress({}, 0, 'a');
    reportProgress({ signal: { aborted: false } }, 0, 'a');
    reportProgress(partOfProgress(undefined, 0, 1), 0, 'a');
  }).not.toThrow();
});

test('stops when the signal is set, before calling back', () => {
  const controller = new AbortController();
  controller.abort();
  let called = false;
  const options = {
    signal: controller.signal,
    onProgress: () => {
      called = true;
    },
  };
  for (const given of [options, partOfProgress(options, 0.2, 0.4)]) {
    expect(() => reportProgress(given, 0.1, 'orientation')).toThrow(NearfieldError);
    expect(() => reportProgress(given, 0.1, 'orientation')).toThrow(/orientation/);
  }
  expect(called).toBe(false);
});

test('parts map into parts of the whole, also nested', () => {
  const fractions: number[] = [];
  const whole = { onProgress: (fraction: number) => fractions.push(fraction) };
  const part = partOfProgress(partOfProgress(whole, 0.5, 1), 0.5, 1);
  reportProgress(part, 0, 'a');
  reportProgress(part, 0.5, 'a');
  reportProgress(part, 1, 'a');
  expect(fractions).toEqual([0.75, 0.875, 1]);
});
