import { describe, expect, test } from 'vitest';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { DECOMPOSITION_METHODS } from '../../../src/decomposition/decomposition.js';
import { findModel } from '../../../src/models/catalogue.js';

describe('progress of a decomposition', () => {
  const sphere = findModel('sphere').build({ segments: 16, rings: 12 });

  test.each(DECOMPOSITION_METHODS)('%s tells how far it has come, up to 1, never backward', (method) => {
    const told: number[] = [];
    decomposeSurface(sphere, { method, onProgress: (fraction) => told.push(fraction) });
    expect(told.length).toBeGreaterThan(3);
    for (let i = 1; i < told.length; i++) expect(told[i]).toBeGreaterThanOrEqual(told[i - 1]);
    expect(told.at(-1)).toBeLessThanOrEqual(1);
  });

  test('stops within one large convex patch', () => {
    const large = findModel('sphere').build({ segments: 40, rings: 30 });
    let calls = 0;
    const signal = { aborted: false };
    const stop = () => {
      calls++;
      if (calls === 4) signal.aborted = true;
    };
    const run = () => decomposeSurface(large, { signal, onProgress: stop, checkSelfIntersections: false });
    expect(run).toThrow(expect.objectContaining({ code: 'aborted' }));
    expect(calls).toBe(4);
  });
});
