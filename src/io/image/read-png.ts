// Reads PNG files of 8 or 16 bits per channel without palette and interlacing (PNG specification, third edition). The
// CRC of every chunk is checked, and no more memory is allocated than the compressed data can fill. O(pixels).
import { assertBytes } from '../../core/check/check-array.js';
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import { HOST_IS_LITTLE_ENDIAN, reverseBytes } from '../formats/byte-order.js';
import { inflate } from '../zip/deflate.js';
import { FILTER_COUNT, unfilterRow } from './png-filters.js';
import { COLOR_TYPES, MAX_PIXEL_BYTES, PNG_SIGNATURE, type PngImage } from './png-image.js';

interface Header {
  readonly width: number;
  readonly height: number;
  readonly channels: PngImage['channels'];
  /** Bytes per channel. */
  readonly wide: number;
}

interface Chunk {
  readonly name: string;
  readonly data: Uint8Array;
  /** The offset of the data. */
  readonly byte: number;
}

/**
 * Reads a PNG file. Returns the stored values: color profiles, gamma and transparent colors are left to the caller.
 * @throws NearfieldError `file-format` for other or damaged files, `file-truncated` if the end is missing,
 * `unsupported` for palettes, interlacing and fewer than 8 bits per channel, `too-large` beyond 1 GiB of pixels.
 */
export async function readPng(bytes: Uint8Array): Promise<PngImage> {
  assertBytes(bytes);
  for (let i = 0; i < PNG_SIGNATURE.length; i++) {
    if (i === bytes.length) throw truncated(i);
    if (bytes[i] !== PNG_SIGNATURE[i]) throw damage('the signature is wrong', i);
  }
  const first = readChunk(bytes, PNG_SIGNATURE.length);
  if (first.name !== 'IHDR') throw damage('the first chunk is not its header', first.byte - 4);
  const header = parseHeader(first);
  const parts: Uint8Array[] = [];
  let dataStart = -1;
  let before = 'IHDR';
  for (let at = first.byte + first.data.length + 4; before !== 'IEND'; ) {
    const { name, data, byte } = readChunk(bytes, at);
    if (name === 'IDAT') {
      if (parts.length > 0 && before !== 'IDAT') throw damage('its pixel chunks are not consecutive', byte - 4);
      if (parts.length === 0) dataStart = byte;
      parts.push(data);
    } else if (name !== 'IEND' && name !== 'PLTE' && !isAncillary(name)) {
      throw damage(`it has an unknown chunk "${name}" that must not be ignored`, byte - 4);
    }
    before = name;
    at = byte + data.length + 4;
  }
  if (dataStart < 0) throw damage('it has no pixels', bytes.length);
  return unpack(header, parts, dataStart);
}

function readChunk(bytes: Uint8Array, at: number): Chunk {
  if (bytes.length < at + 12) throw truncated(bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(at);
  const end = at + 8 + length;
  if (bytes.length < end + 4) throw truncated(bytes.length);
  if (view.getUint32(end) !== crc32(bytes.subarray(at + 4, end))) {
    throw damage('the checksum of a chunk is wrong', end);
  }
  const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  return { name, data: bytes.subarray(at + 8, end), byte: at + 8 };
}

/** A lower-case first letter marks chunks that a reader may ignore. */
function isAncillary(name: string): boolean {
  return (name.charCodeAt(0) & 0x20) !== 0;
}

function parseHeader({ data, byte }: Chunk): Header {
  if (data.length !== 13) throw damage(`its header has ${data.length} bytes, not 13`, byte);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const width = view.getUint32(0);
  const height = view.getUint32(4);
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    throw damage(`it declares ${width} × ${height} pixels`, byte);
  }
  const [bits, colorType, compression, filtering, interlacing] = data.subarray(8);
  const channels = ([1, 2, 3, 4] as const).find((count) => COLOR_TYPES[count] === colorType);
  if (channels === undefined || (bits !== 8 && bits !== 16)) {
    const kind = colorType === 3 ? 'a palette' : `color type ${colorType}`;
    throw new NearfieldError(
      'unsupported',
      `The PNG has ${kind} and ${bits} bits per channel; only gray and true color of 8 or 16 bits are supported. Convert the image.`,
      { byte: byte + 8 },
    );
  }
  if (compression !== 0 || filtering !== 0) throw damage('its compression or filter method is unknown', byte + 10);
  if (interlacing !== 0) {
    throw new NearfieldError('unsupported', 'The PNG is interlaced; save it without interlacing.', { byte: byte + 12 });
  }
  const wide = bits / 8;
  if (width * height * channels * wide > MAX_PIXEL_BYTES) {
    throw new NearfieldError(
      'too-large',
      `The PNG is ${width} × ${height} pixels, more than ${MAX_PIXEL_BYTES} bytes; split it.`,
      { byte },
    );
  }
  return { width, height, channels, wide };
}

async function unpack(header: Header, parts: readonly Uint8Array[], dataStart: number): Promise<PngImage> {
  const { width, height, channels, wide } = header;
  const stride = width * channels * wide;
  const filtered = await inflate(joinParts(parts), height * (stride + 1), dataStart);
  const rows = new Uint8Array(height * stride);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const at = y * (stride + 1);
    const filter = filtered[at];
    if (filter >= FILTER_COUNT) throw damage(`row ${y} has the unknown filter ${filter}`, dataStart);
    const row = rows.subarray(y * stride, (y + 1) * stride);
    row.set(filtered.subarray(at + 1, at + 1 + stride));
    unfilterRow(filter, row, above, channels * wide);
    above = row;
  }
  if (wide === 1) return { width, height, channels, pixels: rows };
  if (HOST_IS_LITTLE_ENDIAN) reverseBytes(rows, 2);
  return { width, height, channels, pixels: new Uint16Array(rows.buffer) };
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function damage(what: string, byte: number): NearfieldError {
  return new NearfieldError('file-format', `The file is not a PNG or is damaged: ${what} (byte ${byte}).`, { byte });
}

function truncated(length: number): NearfieldError {
  return new NearfieldError('file-truncated', `The PNG ends after ${length} bytes, before its end; copy it again.`, {
    byte: length,
  });
}
