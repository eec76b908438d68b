// The GLB container: a header of 12 bytes, then chunks of a length, a type and data. The first chunk is the JSON text,
// the second, if any, the binary buffer. Source: Khronos Group 2021, glTF 2.0 specification, section 4.
import { NearfieldError, type NearfieldErrorCode } from '../../core/errors.js';
import type { JsonText } from './json-view.js';

/** Format: the first four bytes, "glTF". */
const MAGIC = 0x46546c67;

/** Format: the type of the chunk of JSON. */
const JSON_CHUNK = 0x4e4f534a;

/** Format: the type of the binary chunk. */
const BINARY_CHUNK = 0x004e4942;

/** Format: bytes of the header: magic, version, length. */
const HEADER_BYTES = 12;

/** Format: bytes before the content of a chunk: length, type. */
const CHUNK_HEADER_BYTES = 8;

export function isGlb(bytes: Uint8Array): boolean {
  return bytes[0] === 0x67 && bytes[1] === 0x6c && bytes[2] === 0x54 && bytes[3] === 0x46;
}

export function unpackGlb(bytes: Uint8Array): { json: JsonText; binary: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES)
    fail('file-truncated', bytes.length, 'the file ends within its header; copy it again');
  const version = view.getUint32(4, true);
  if (version !== 2)
    fail('unsupported', 4, `the container has version ${version}; only glTF 2.0 is supported, so convert it`);
  const announced = view.getUint32(8, true);
  if (announced > bytes.length) {
    fail(
      'file-truncated',
      bytes.length,
      `the header declares ${announced} bytes, the file has ${bytes.length}; copy it again`,
    );
  }

  let json: JsonText | null = null;
  let binary: Uint8Array | null = null;
  for (let offset = HEADER_BYTES, chunk = 0; offset < announced; chunk++) {
    if (offset + CHUNK_HEADER_BYTES > announced) fail('file-truncated', offset, 'the file ends within a chunk header');
    const length = view.getUint32(offset, true);
    const type = view.getUint32(offset + 4, true);
    const start = offset + CHUNK_HEADER_BYTES;
    if (start + length > announced) {
      fail(
        'file-truncated',
        offset,
        `a chunk of ${length} bytes does not fit into the ${announced} bytes of the file; copy it again`,
      );
    }
    const data = bytes.subarray(start, start + length);
    if (chunk === 0) {
      if (type !== JSON_CHUNK) fail('file-format', offset + 4, 'the first chunk must be the JSON text');
      json = { bytes: data, byteOffset: start };
    } else if (type === BINARY_CHUNK) {
      binary ??= data;
    }
    offset = start + length;
  }
  if (json === null) fail('file-truncated', HEADER_BYTES, 'the file ends before its JSON text; copy it again');
  return { json, binary };
}

export function packGlb(json: unknown, binary: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textLength = roundUp(text.length);
  const binaryLength = roundUp(binary.length);
  const binaryStart = HEADER_BYTES + CHUNK_HEADER_BYTES + textLength;
  const length = binaryStart + CHUNK_HEADER_BYTES + binaryLength;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  const header = [MAGIC, 2, length, textLength, JSON_CHUNK];
  header.forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  // The text is padded with blanks, the data with zeros.
  bytes.fill(0x20, HEADER_BYTES + CHUNK_HEADER_BYTES, binaryStart);
  bytes.set(text, HEADER_BYTES + CHUNK_HEADER_BYTES);
  view.setUint32(binaryStart, binaryLength, true);
  view.setUint32(binaryStart + 4, BINARY_CHUNK, true);
  bytes.set(binary, binaryStart + CHUNK_HEADER_BYTES);
  return bytes;
}

function roundUp(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function fail(code: NearfieldErrorCode, byte: number, message: string): never {
  throw new NearfieldError(code, `byte ${byte}: ${message}.`, { byte });
}
