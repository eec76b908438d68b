// Writes PNG files (PNG specification, third edition), without interlacing. Each row uses the filter with the smallest
// sum of absolute residuals, as the specification advises. O(pixels) plus the platform's compression.
import { crc32 } from '../../core/crc32.js';
import { NearfieldError } from '../../core/errors.js';
import { HOST_IS_LITTLE_ENDIAN, reverseBytes } from '../formats/byte-order.js';
import { deflate } from '../zip/deflate.js';
import { FILTER_COUNT, filterRow } from './png-filters.js';
import { COLOR_TYPES, MAX_PIXEL_BYTES, PNG_SIGNATURE, type PngImage } from './png-image.js';

/**
 * The image as a PNG file.
 * @throws NearfieldError `bad-argument` if the sizes do not match the pixels, `too-large` beyond 1 GiB of pixels.
 */
export async function writePng(image: PngImage): Promise<Uint8Array> {
  assertImage(image);
  const { width, height, channels, pixels } = image;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8 * pixels.BYTES_PER_ELEMENT, COLOR_TYPES[channels], 0, 0, 0], 8);
  return joinChunks([
    ['IHDR', header],
    ['IDAT', await deflate(filterRows(image))],
    ['IEND', new Uint8Array(0)],
  ]);
}

function assertImage(image: PngImage): void {
  const { width, height, channels, pixels } = image ?? {};
  if (!(pixels instanceof Uint8Array || pixels instanceof Uint16Array)) {
    throw new NearfieldError('bad-argument', 'The pixels of a PNG must be a Uint8Array or a Uint16Array.');
  }
  if (COLOR_TYPES[channels] === undefined) {
    throw new NearfieldError('bad-argument', `The image has ${channels} channels; a PNG has 1 to 4.`);
  }
  for (const length of [width, height]) {
    if (!Number.isInteger(length) || length < 1 || length > 0x7fffffff) {
      throw new NearfieldError('bad-argument', `The image is ${width} × ${height} pixels; give whole numbers above 0.`);
    }
  }
  if (width * height * channels !== pixels.length) {
    throw new NearfieldError(
      'bad-argument',
      `The image has ${pixels.length} values for ${width} × ${height} pixels of ${channels} channels; they must agree.`,
    );
  }
  if (pixels.byteLength > MAX_PIXEL_BYTES) {
    throw new NearfieldError('too-large', `The image has ${pixels.byteLength} bytes; the limit is ${MAX_PIXEL_BYTES}.`);
  }
}

/** The filtered rows, each after the number of its filter. */
function filterRows({ width, height, channels, pixels }: PngImage): Uint8Array {
  const wide = pixels.BYTES_PER_ELEMENT;
  const stride = width * channels * wide;
  const filtered = new Uint8Array(height * (stride + 1));
  const source = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const trial = new Uint8Array(stride);
  let row = new Uint8Array(stride);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    row.set(source.subarray(y * stride, (y + 1) * stride));
    // PNG is big-endian.
    if (wide === 2 && HOST_IS_LITTLE_ENDIAN) reverseBytes(row, 2);
    const out = filtered.subarray(y * (stride + 1), (y + 1) * (stride + 1));
    let least = Infinity;
    for (let filter = 0; filter < FILTER_COUNT; filter++) {
      const sum = filterRow(filter, row, above, channels * wide, trial);
      if (sum >= least) continue;
      least = sum;
      out[0] = filter;
      out.set(trial, 1);
    }
    [row, above] = [above, row];
  }
  return filtered;
}

/** The signature and the chunks: length, name, data and a CRC of the last two. */
function joinChunks(chunks: readonly (readonly [name: string, data: Uint8Array])[]): Uint8Array {
  const length = chunks.reduce((sum, [, data]) => sum + 12 + data.length, PNG_SIGNATURE.length);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(PNG_SIGNATURE);
  let at = PNG_SIGNATURE.length;
  for (const [name, data] of chunks) {
    view.setUint32(at, data.length);
    for (let i = 0; i < 4; i++) bytes[at + 4 + i] = name.charCodeAt(i);
    bytes.set(data, at + 8);
    const end = at + 8 + data.length;
    view.setUint32(end, crc32(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
  return bytes;
}
