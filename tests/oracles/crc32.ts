/** The remainder bit by bit, as the standard defines it. */
export function crc32ByBits(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder ^ (byte >> bit)) & 1;
      remainder = (remainder >>> 1) ^ (carry ? 0xedb88320 : 0);
    }
  }
  return ~remainder >>> 0;
}
