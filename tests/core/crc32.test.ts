import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/core/crc32.js';
import { createRandom } from '../../src/core/random.js';

/** The remainder bit by bit, as the standard defines it. */
function crc32ByBits(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder ^ (byte >> bit)) & 1;
      remainder = (remainder >>> 1) ^ (carry ? 0xedb88320 : 0);
    }
  }
  return ~remainder >>> 0;
}

describe('crc32', () => {
  it('agrees with its check value and with division bit by bit', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
    const random = createRandom(1);
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, () => random.integer(256));
      expect(crc32(bytes)).toBe(crc32ByBits(bytes));
    }
  });
});
