import { describe, expect, test } from 'vitest';
import { crc32 } from '../../src/core/crc32.js';
import { createRandom } from '../../src/core/random.js';
import { crc32ByBits } from '../oracles/crc32.js';

describe('crc32', () => {
  test('agrees with its check value and with division bit by bit', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
    const random = createRandom(1);
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, () => random.integer(256));
      expect(crc32(bytes)).toBe(crc32ByBits(bytes));
    }
  });
});
