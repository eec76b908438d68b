// CRC-32 as in ISO 3309 and PNG, eight bytes at a time by tables (Kounavis and Berry 2005). It detects every change of
// up to 32 bits in a row, one flipped bit among them, and misses one in 2³² of the other changes.

/** Definition (ISO 3309): the polynomial, its lowest power first. */
const POLYNOMIAL = 0xedb88320;
/** Eight tables of 256: what a byte does to the remainder when 0 to 7 bytes follow it. */
const TABLES = /* @__PURE__ */ makeTables();

/** The CRC-32 of the bytes, from 0 to 2³² − 1. */
export function crc32(bytes: Uint8Array): number {
  const t = TABLES;
  let crc = 0xffffffff;
  let i = 0;
  for (; i + 8 <= bytes.length; i += 8) {
    const low = crc ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    crc =
      t[0x700 + (low & 0xff)] ^
      t[0x600 + ((low >>> 8) & 0xff)] ^
      t[0x500 + ((low >>> 16) & 0xff)] ^
      t[0x400 + (low >>> 24)] ^
      t[0x300 + bytes[i + 4]] ^
      t[0x200 + bytes[i + 5]] ^
      t[0x100 + bytes[i + 6]] ^
      t[bytes[i + 7]];
  }
  for (; i < bytes.length; i++) crc = t[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function makeTables(): Uint32Array {
  const tables = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? POLYNOMIAL ^ (value >>> 1) : value >>> 1;
    tables[byte] = value;
  }
  for (let i = 256; i < tables.length; i++) tables[i] = tables[tables[i - 256] & 0xff] ^ (tables[i - 256] >>> 8);
  return tables;
}
