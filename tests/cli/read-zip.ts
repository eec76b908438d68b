import { crc32, inflateRawSync } from 'node:zlib';

/** The files of an archive, by its central directory; sizes and checksums are checked. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('no end of a central directory');
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error(`no entry at byte ${at}`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    if (bytes.readUInt32LE(local) !== 0x04034b50) throw new Error(`${name} is not at byte ${local}`);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    const data = bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    if (data.length !== bytes.readUInt32LE(at + 24)) throw new Error(`${name} has ${data.length} bytes`);
    if (crc32(data) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} has another checksum`);
    files.set(name, data);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
