import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import type { PngImage } from '../../../src/io/image/png-image.js';
import { readPng } from '../../../src/io/image/read-png.js';
import { writePng } from '../../../src/io/image/write-png.js';
import { decodePng } from '../../browser/decode-png.js';
import { crc32ByBits } from '../../oracles/crc32.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

const bigEndian = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

function chunk(name: string, data: ArrayLike<number>): number[] {
  const named = [...Buffer.from(name, 'latin1'), ...Array.from(data)];
  return [...bigEndian(data.length), ...named, ...bigEndian(crc32ByBits(Uint8Array.from(named)))];
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

interface Header {
  width?: number;
  height?: number;
  bits?: number;
  colorType?: number;
  interlacing?: number;
}

/** A file from its parts, right or wrong. */
function pngFile(header: Header, filtered: ArrayLike<number>, extra: { before?: number[]; after?: number[] } = {}) {
  const { width = 1, height = 1, bits = 8, colorType = 0, interlacing = 0 } = header;
  const compressed = [...deflateSync(Uint8Array.from(Array.from(filtered)))];
  const middle = compressed.length >> 1;
  return Uint8Array.from([
    ...SIGNATURE,
    ...chunk('IHDR', [...bigEndian(width), ...bigEndian(height), bits, colorType, 0, 0, interlacing]),
    ...(extra.before ?? []),
    ...chunk('IDAT', compressed.slice(0, middle)),
    ...chunk('IDAT', compressed.slice(middle)),
    ...(extra.after ?? []),
    ...chunk('IEND', []),
  ]);
}

async function refusalOf(bytes: Uint8Array): Promise<NearfieldError> {
  try {
    await readPng(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    return error as NearfieldError;
  }
  throw new Error('The file was read.');
}

const image: fc.Arbitrary<PngImage> = fc
  .record({
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
    channels: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
    wide: fc.boolean(),
    smooth: fc.boolean(),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ width, height, channels, wide, smooth, seed }) => {
    const random = createRandom(seed);
    const pixels = new (wide ? Uint16Array : Uint8Array)(width * height * channels);
    for (let i = 0; i < pixels.length; i++) pixels[i] = smooth ? 17 * i + random.integer(3) : random.integer(65536);
    return { width, height, channels, pixels };
  });

describe('PNG files', () => {
  test('of a hand-made image with every filter read as the specification says', async () => {
    // Rows of 4 gray bytes, filtered by hand: none, left, above, mean, nearest of three.
    const filtered = [
      ...[0, 10, 20, 30, 40],
      ...[1, 11, 10, 10, 10],
      ...[2, 1, 1, 1, 1],
      ...[3, 5, 2, 253, 0],
      ...[4, 1, 2, 250, 4],
    ];
    const read = await readPng(pngFile({ width: 4, height: 5 }, filtered));
    // Row 3: 5 + 12/2 = 11; 2 + (11+22)>>1 = 18; 253 + (18+32)>>1 = 22; (22+42)>>1 = 32.
    // Row 4: 1 + 11 = 12 (left and corner 0: up); then left 12, up 18, corner 11: 19 is nearest 18 → 20;
    // left 20, up 22, corner 18: 24 → 22 + 250 = 16; left 16, up 32, corner 22: 26 → corner 22 (distance 4) + 4 = 26.
    expect([...read.pixels]).toEqual([
      ...[10, 20, 30, 40],
      ...[11, 21, 31, 41],
      ...[12, 22, 32, 42],
      ...[11, 18, 22, 32],
      ...[12, 20, 16, 26],
    ]);
  });

  test('keep 16-bit values high byte first', async () => {
    const read = await readPng(pngFile({ width: 2, bits: 16 }, [0, 1, 2, 255, 0]));
    expect(read).toEqual({ width: 2, height: 1, channels: 1, pixels: Uint16Array.of(0x102, 0xff00) });
  });

  test('come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(image, async (original) => {
        expect(await readPng(await writePng(original))).toEqual(original);
      }),
      { numRuns: 200 * SOAK },
    );
  });

  test('written are read alike by an independent decoder', async () => {
    await fc.assert(
      fc.asyncProperty(image, async (original) => {
        const { width, height, channels, pixels } = original;
        fc.pre(pixels instanceof Uint8Array && channels >= 3);
        const decoded = decodePng(Buffer.from(await writePng(original)));
        expect([decoded.width, decoded.height]).toEqual([width, height]);
        for (let i = 0; i < width * height; i++) {
          const expected = [0, 1, 2, 3].map((channel) => (channel < channels ? pixels[i * channels + channel] : 255));
          expect([...decoded.pixels.subarray(4 * i, 4 * i + 4)]).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of smooth images are smaller for the filters', async () => {
    const pixels = new Uint16Array(64 * 64);
    for (let i = 0; i < pixels.length; i++) pixels[i] = 900 * Math.hypot(i % 64, i >> 6);
    const bytes = Buffer.from(await writePng({ width: 64, height: 64, channels: 1, pixels }));
    const plain = deflateSync(new Uint8Array(pixels.buffer));
    expect(bytes.length).toBeLessThan(0.8 * plain.length);
    // The zlib stream is whole and its Adler checksum right: Node's own inflates it.
    const filtered = inflateSync(bytes.subarray(41, bytes.length - 16));
    expect(filtered).toHaveLength(64 * 129);
    expect(new Set([...filtered].filter((_, i) => i % 129 === 0)).size).toBeGreaterThan(1);
  });

  test('pass over ancillary chunks and palettes that only advise', async () => {
    const before = [...chunk('gAMA', [0, 0, 1, 2]), ...chunk('PLTE', [1, 2, 3])];
    const rgb = pngFile({ colorType: 2 }, [0, 7, 8, 9], { before, after: chunk('tEXt', [65, 0, 66]) });
    expect((await readPng(rgb)).pixels).toEqual(Uint8Array.of(7, 8, 9));
  });

  test('are refused with a reason where they are of other kinds', async () => {
    for (const header of [{ colorType: 3 }, { bits: 1 }, { bits: 4 }, { interlacing: 1 }, { colorType: 5 }]) {
      expect((await refusalOf(pngFile(header, [0, 0]))).code).toBe('unsupported');
    }
    const wrong: [Uint8Array, string][] = [
      [pngFile({ width: 0 }, [0]), 'file-format'],
      [pngFile({ width: 2 ** 31 }, [0]), 'file-format'],
      [pngFile({}, [9, 0]), 'file-format'],
      [pngFile({}, [0, 0, 0]), 'file-format'],
      [pngFile({ width: 3 }, [0, 0, 0]), 'file-truncated'],
      [pngFile({}, [0, 0], { before: chunk('ABCD', []) }), 'file-format'],
      [pngFile({}, [0, 0], { after: [...chunk('tEXt', []), ...chunk('IDAT', [])] }), 'file-format'],
      [Uint8Array.from([...SIGNATURE, ...chunk('IDAT', [0]), ...chunk('IEND', [])]), 'file-format'],
      [Uint8Array.from([...SIGNATURE, ...chunk('IHDR', [0, 1]), ...chunk('IEND', [])]), 'file-format'],
      [Uint8Array.of(71, 73, 70), 'file-format'],
      [new Uint8Array(0), 'file-truncated'],
    ];
    for (const [bytes, code] of wrong) {
      const refusal = await refusalOf(bytes);
      expect(refusal.code).toBe(code);
      expect(refusal.location.byte).toBeGreaterThanOrEqual(0);
    }
    const empty = Uint8Array.from([
      ...SIGNATURE,
      ...chunk('IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
      ...chunk('IEND', []),
    ]);
    expect((await refusalOf(empty)).message).toContain('no pixels');
  });

  test('that claim far more pixels than they hold take no memory', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const lying = pngFile({ width: 30000, height: 30000 }, [0, 0]);
    expect((await refusalOf(lying)).code).toBe('file-truncated');
    expect((await refusalOf(pngFile({ width: 2 ** 30, height: 2 ** 30 }, [0, 0]))).code).toBe('too-large');
    // A stream that goes on and on after a pixel.
    const bomb = pngFile({}, new Uint8Array(3e6));
    expect((await refusalOf(bomb)).code).toBe('file-format');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e8);
  });

  test('are refused at every length short of the whole and for every bit changed', async () => {
    const whole = await writePng({ width: 3, height: 2, channels: 1, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) });
    for (let length = 0; length < whole.length; length++) {
      const refusal = await refusalOf(whole.subarray(0, length));
      expect([refusal.code, refusal.location.byte]).toEqual(['file-truncated', length]);
    }
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const changed = whole.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      await refusalOf(changed);
    }
  });

  test('whose compressed data are damaged under a fitting checksum are refused or read, never crash', async () => {
    const random = createRandom(3);
    const pixels = new Uint8Array(300);
    for (let i = 0; i < pixels.length; i++) pixels[i] = random.integer(20);
    const whole = await writePng({ width: 20, height: 15, channels: 1, pixels });
    const start = 41;
    const end = whole.length - 16;
    let refused = 0;
    const rounds = 150 * SOAK;
    for (let round = 0; round < rounds; round++) {
      const changed = whole.slice();
      changed[start + random.integer(end - start)] ^= 1 << random.integer(8);
      changed.set(bigEndian(crc32ByBits(changed.subarray(start - 4, end))), end);
      await readPng(changed).then(
        (read) => expect(read.pixels).toHaveLength(300),
        (error) => {
          expect(error).toBeInstanceOf(NearfieldError);
          refused++;
        },
      );
    }
    expect(refused).toBeGreaterThan(0.9 * rounds);
  });

  test('are not written from pixels that do not fit', async () => {
    const pixels = new Uint8Array(6);
    for (const wrong of [
      { width: 2, height: 2, channels: 1, pixels },
      { width: 0, height: 6, channels: 1, pixels: new Uint8Array(0) },
      { width: 1.5, height: 4, channels: 1, pixels },
      { width: 1, height: 1, channels: 6, pixels },
      { width: 6, height: 1, channels: 1, pixels: new Float32Array(6) },
    ]) {
      await expect(writePng(wrong as never)).rejects.toThrow(NearfieldError);
    }
  });
});
