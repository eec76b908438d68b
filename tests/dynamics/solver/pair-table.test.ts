// What a pair keeps of its points.
import { expect, test } from 'vitest';
import { ContactBuffer } from '../../../src/dynamics/solver/contact-buffer.js';
import { type PairManifold, PairState } from '../../../src/dynamics/solver/pair-table.js';

test('kept impulses can be recalled time and again', () => {
  const buffer = new ContactBuffer();
  const pair = new PairState(0, 1, {} as PairManifold);
  buffer.count = pair.count = 2;
  buffer.keys.set([1, 2, 3, 4]);
  buffer.normalImpulse.set([5, 6]);
  pair.keep(buffer);
  for (let time = 0; time < 3; time++) {
    buffer.normalImpulse.fill(0);
    buffer.isWarm.fill(0);
    pair.recall(buffer, 0.1);
    expect([...buffer.normalImpulse.subarray(0, 2)]).toEqual([5, 6]);
  }
});
