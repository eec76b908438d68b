import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import {
  fieldNpyParts,
  readFieldNpy,
  readFieldRaw,
  writeFieldNpy,
  writeFieldRaw,
} from '../../../src/field/files/field-file.js';
import { type FieldLayers, layersOf, rangeOfField } from '../../../src/field/files/field-layers.js';
import { drawField, paintField } from '../../../src/field/files/field-picture.js';
import { readFieldSlices, writeFieldSlices } from '../../../src/field/files/field-slices.js';
import type { Field } from '../../../src/field/grid.js';
import { readNpy, writeNpy } from '../../../src/io/array/npy.js';
import { readPng } from '../../../src/io/image/read-png.js';
import { writePng } from '../../../src/io/image/write-png.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** What goes to a file and comes back from it: JSON. */
const throughJson = (header: object): unknown => JSON.parse(JSON.stringify(header));

/** A distance from a point, so that neighbors differ along every axis. */
function pointField(size: [number, number, number], spacing = 0.25): Field {
  const [nx, ny, nz] = size;
  const values = new Float64Array(nx * ny * nz);
  for (let k = 0, node = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) values[node++] = Math.hypot(i - 0.3, j - 1.1, k - 2.7) * spacing - 0.5;
    }
  }
  return { origin: [-1, 2, 3], spacing, size, values };
}

const anyField: fc.Arbitrary<Field> = fc
  .record({
    size: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })),
    origin: fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -100, max: 100, noNaN: true }))),
    spacing: fc.double({ min: 1e-3, max: 10, noNaN: true }),
    unknown: fc.boolean(),
    seed: fc.integer({ min: 0, max: 1e6 }),
  })
  .map(({ size, origin, spacing, unknown, seed }) => {
    const random = createRandom(seed);
    const values = new Float64Array(size[0] * size[1] * size[2]);
    for (let i = 0; i < values.length; i++) {
      values[i] = unknown && i > 0 && random.integer(4) === 0 ? (i % 2 ? Infinity : -Infinity) : random.range(-9, 9);
    }
    // JSON has no −0.
    return { origin: origin.map((value) => value + 0) as [number, number, number], spacing, size, values };
  });

function refusalOf(read: () => unknown): NearfieldError {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    return error as NearfieldError;
  }
  throw new Error('It was not refused.');
}

async function laterRefusalOf(read: Promise<unknown>): Promise<NearfieldError> {
  const error = await read.then(
    () => new Error('It was not refused.'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(NearfieldError);
  return error as NearfieldError;
}

describe('a field as numbers', () => {
  test('is float32 [z][y][x] by default, as NumPy reads it', () => {
    const field = pointField([4, 3, 2]);
    const { npy, header } = writeFieldNpy(field);
    const { values, shape } = readNpy(npy);
    expect(shape).toEqual([2, 3, 4]);
    expect(values).toBeInstanceOf(Float32Array);
    expect(header).toEqual({ origin: [-1, 2, 3], spacing: 0.25, size: [4, 3, 2] });
    // [z][y][x]: the sample of node (3, 1, 1).
    expect(values[(1 * 3 + 1) * 4 + 3]).toBe(Math.fround(Math.hypot(2.7, -0.1, -1.7) * 0.25 - 0.5));
  });

  test('comes back: in float64 as it was, in float32 rounded once', () => {
    fc.assert(
      fc.property(anyField, (field) => {
        for (const [precision, expected] of [
          ['float64', field.values],
          ['float32', field.values.map(Math.fround)],
        ] as const) {
          const { npy, header } = writeFieldNpy(field, { precision });
          expect(readFieldNpy(npy, throughJson(header))).toEqual({ ...field, values: expected });
          const raw = writeFieldRaw(field, { precision });
          expect(raw.header).toMatchObject({ dtype: precision, byteOrder: 'little' });
          expect(readFieldRaw(raw.raw, throughJson(raw.header))).toEqual({ ...field, values: expected });
        }
      }),
      { numRuns: 100 * SOAK },
    );
  });

  test('is the same bytes in parts, whole, and from layers made when asked for', () => {
    const field = pointField([5, 4, 3]);
    const { npy } = writeFieldNpy(field);
    expect(Buffer.concat([...fieldNpyParts(field)]).equals(npy)).toBe(true);
    expect(npy).toEqual(writeNpy(Float32Array.from(field.values), [3, 4, 5]));
    let made = 0;
    const layers: FieldLayers = {
      ...layersOf(field),
      layer: (k) => {
        made++;
        return field.values.slice(20 * k, 20 * (k + 1));
      },
    };
    expect(writeFieldNpy(layers).npy).toEqual(npy);
    expect(made).toBe(3);
    expect(rangeOfField(layers)).toEqual(rangeOfField(field));
  });

  test('reads other types of numbers, other byte orders, and two dimensions for one layer', () => {
    const header = { origin: [0, 0, 0], spacing: 1, size: [3, 2, 1] };
    const npy = writeNpy(Int16Array.of(-1, 0, 1, 2, 3, 4), [2, 3]);
    expect(readFieldNpy(npy, header).values).toEqual(Float64Array.of(-1, 0, 1, 2, 3, 4));
    // 1.5 and −2 as big-endian float32.
    const big = Uint8Array.of(0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    const json = { origin: [0, 0, 0], spacing: 1, size: [2, 1, 1], dtype: 'float32', byteOrder: 'big', note: 'mine' };
    expect(readFieldRaw(big, json).values).toEqual(Float64Array.of(1.5, -2));
  });

  test('is refused where numbers and JSON disagree', () => {
    const { npy, header } = writeFieldNpy(pointField([4, 3, 2]));
    expect(refusalOf(() => readFieldNpy(npy, { ...header, size: [3, 4, 2] })).message).toContain('(2, 3, 4)');
    const raw = writeFieldRaw(pointField([4, 3, 2]));
    expect(refusalOf(() => readFieldRaw(raw.raw, { ...raw.header, size: [4, 3, 3] })).code).toBe('file-truncated');
    expect(refusalOf(() => readFieldRaw(raw.raw, { ...raw.header, size: [4, 3, 1] })).location.byte).toBe(48);
    for (const wrong of [
      null,
      [],
      7,
      'x',
      {},
      { ...header, origin: [0, 0] },
      { ...header, origin: [0, 0, null] },
      { ...header, spacing: '1' },
      { ...header, spacing: 0 },
      { ...header, spacing: -1 },
      { ...header, size: [4, 3] },
      { ...header, size: [4, 3, 2.5] },
      { ...header, size: [4, 3, -2] },
      { ...header, size: [1e9, 1e9, 1e9] },
    ]) {
      refusalOf(() => readFieldNpy(npy, wrong));
    }
    for (const key of ['dtype', 'byteOrder', 'size']) {
      refusalOf(() => readFieldRaw(raw.raw, { ...raw.header, [key]: undefined }));
    }
    refusalOf(() => readFieldRaw(raw.raw, { ...raw.header, dtype: 'int8' }));
  });

  test('never holds NaN, nor what single precision cannot', () => {
    const field = pointField([3, 3, 2]);
    field.values[13] = Number.NaN;
    expect(refusalOf(() => writeFieldNpy(field)).message).toContain('(1, 1, 1)');
    refusalOf(() => writeFieldRaw(field));
    const npy = writeNpy(field.values, [2, 3, 3]);
    expect(refusalOf(() => readFieldNpy(npy, { ...field })).code).toBe('non-finite');
    field.values[13] = -1e39;
    expect(refusalOf(() => writeFieldNpy(field)).message).toContain('float64');
    expect(writeFieldNpy(field, { precision: 'float64' }).npy.length).toBeGreaterThan(18 * 8);
    expect(refusalOf(() => writeFieldNpy({ ...pointField([2, 2, 2], 1e-40), origin: [0, 0, 0] })).message).toContain(
      'float64',
    );
    refusalOf(() => writeFieldNpy({ ...field, values: new Float64Array(5) }));
    refusalOf(() => writeFieldNpy(field, { precision: 'float16' as never }));
  });
});

describe('a field as images', () => {
  test('comes back within the stated error', async () => {
    await fc.assert(
      fc.asyncProperty(anyField, async (field) => {
        const { slices, header } = await writeFieldSlices(field);
        const back = await readFieldSlices(slices, throughJson(header));
        const { unknown } = rangeOfField(field);
        expect(header.saturated).toBe(unknown);
        expect(header.quantizationError).toBeLessThanOrEqual(18 / 65535);
        field.values.forEach((value, node) => {
          if (value === Infinity) expect(back.values[node]).toBe(header.high);
          else if (value === -Infinity) expect(back.values[node]).toBe(header.low);
          else expect(Math.abs(back.values[node] - value)).toBeLessThanOrEqual(header.quantizationError);
        });
      }),
      { numRuns: 40 * SOAK },
    );
  });

  test('has one image a layer, the first row at the lowest y', async () => {
    const field = pointField([4, 3, 2]);
    const { slices, header } = await writeFieldSlices(field, { low: -0.5, high: 1.5 });
    expect(slices).toHaveLength(2);
    const { width, height, pixels } = await readPng(slices[1]);
    expect([width, height]).toEqual([4, 3]);
    const value = Math.hypot(2.7, 0.9, -1.7) * 0.25 - 0.5;
    expect(pixels[2 * 4 + 3]).toBe(Math.round(((value + 0.5) / 2) * 65535));
    expect(header).toMatchObject({ low: -0.5, high: 1.5, saturated: 0 });
  });

  test('cuts values off at the ends that were asked for, and says how many', async () => {
    const field: Field = {
      origin: [0, 0, 0],
      spacing: 1,
      size: [5, 1, 1],
      values: Float64Array.of(-9, -1, 0, 1, Infinity),
    };
    const { slices, header } = await writeFieldSlices(field, { low: -1, high: 1 });
    expect(header.saturated).toBe(2);
    expect((await readPng(slices[0])).pixels).toEqual(Uint16Array.of(0, 0, 32768, 65535, 65535));
    const flat = { ...field, values: new Float64Array(5).fill(7) };
    const one = await writeFieldSlices(flat);
    expect((await readFieldSlices(one.slices, one.header)).values).toEqual(flat.values);
    const none = { ...field, values: new Float64Array(5).fill(Infinity) };
    expect((await laterRefusalOf(writeFieldSlices(none))).code).toBe('non-finite');
    await laterRefusalOf(writeFieldSlices(field, { low: 2, high: 1 }));
    await laterRefusalOf(writeFieldSlices(field, { low: -Infinity }));
  });

  test('is refused where images and JSON disagree', async () => {
    const { slices, header } = await writeFieldSlices(pointField([4, 3, 2]));
    await laterRefusalOf(readFieldSlices(slices.slice(1), header));
    await laterRefusalOf(readFieldSlices(slices, { ...header, size: [3, 4, 2] }));
    // 4 GiB by the JSON alone: refused before any of it is taken.
    const taken = process.memoryUsage().arrayBuffers;
    await laterRefusalOf(readFieldSlices(slices, { ...header, size: [2 ** 14, 2 ** 14, 2] }));
    expect(process.memoryUsage().arrayBuffers - taken).toBeLessThan(2 ** 30);
    await laterRefusalOf(readFieldSlices(slices, { ...header, low: undefined }));
    await laterRefusalOf(readFieldSlices(slices, { ...header, low: 3, high: 2 }));
    const coarse = await writePng({ width: 4, height: 3, channels: 1, pixels: new Uint8Array(12) });
    expect((await laterRefusalOf(readFieldSlices([slices[0], coarse], header))).message).toContain('image 1');
    const damaged = slices[1].slice();
    damaged[50] ^= 1;
    expect((await laterRefusalOf(readFieldSlices([slices[0], damaged], header))).message).toContain('Image 1');
  });
});

describe('a picture of a field', () => {
  /** Distance from the left edge's middle: negative on the left. */
  const ramp: Field = {
    origin: [0, 0, 0],
    spacing: 1,
    size: [9, 5, 1],
    values: Float64Array.from({ length: 45 }, (_, node) => (node % 9) - 4 + (node >= 36 ? 0.25 : 0)),
  };
  const pixelOf = ({ width, pixels }: ReturnType<typeof paintField>, x: number, y: number) =>
    [...pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)] as const;

  test('is blue inside, orange outside, dark at the surface, with y up', () => {
    const image = paintField(ramp, { scale: 8 });
    expect([image.width, image.height]).toEqual([65, 33]);
    const [red, , blue] = pixelOf(image, 8, 16);
    expect(blue).toBeGreaterThan(red + 50);
    const [outsideRed, , outsideBlue] = pixelOf(image, 56, 16);
    expect(outsideRed).toBeGreaterThan(outsideBlue + 50);
    expect(Math.max(...pixelOf(image, 32, 16))).toBeLessThan(40);
    expect(Math.min(...pixelOf(image, 34, 16))).toBeGreaterThan(180);
    // The highest y is on top: there the surface is a quarter of a cell to the left.
    expect(Math.max(...pixelOf(image, 30, 0))).toBeLessThan(40);
    expect(Math.max(...pixelOf(image, 32, 32))).toBeLessThan(40);
  });

  test('has lines of one width at equal distances, and gray where nothing was computed', () => {
    const plain = paintField(ramp, { scale: 16, range: 8 });
    const lined = paintField(ramp, { scale: 16, range: 8, isolines: 2 });
    const darker = [...Array(plain.width).keys()].filter(
      (x) => pixelOf(lined, x, 32)[1] < pixelOf(plain, x, 32)[1] - 20,
    );
    expect(darker).toEqual([0, 32, 96, 128]);
    const holed = { ...ramp, values: ramp.values.slice() };
    holed.values[22 - 9] = Infinity;
    holed.values[0] = Number.NaN;
    const image = paintField(holed, { scale: 4 });
    expect(pixelOf(image, 16, 12)).toEqual([150, 150, 150]);
    expect(pixelOf(image, 0, 16)).toEqual([150, 150, 150]);
    expect(pixelOf(image, 17, 11)).toEqual([150, 150, 150]);
    // A node beside it is known.
    expect(pixelOf(image, 12, 12)).not.toEqual([150, 150, 150]);
  });

  test('is a PNG, of any field in the plane', async () => {
    const { width, height, channels } = await readPng(await drawField(ramp));
    expect({ width, height, channels }).toEqual({ width: 513, height: 257, channels: 3 });
    const point = { ...ramp, size: [1, 1, 1] as const, values: Float64Array.of(0) };
    expect(paintField(point).pixels).toHaveLength(3);
    const column = { ...ramp, size: [1, 3, 1] as const, values: Float64Array.of(-1, 0, 1) };
    expect(paintField(column, { scale: 2 })).toMatchObject({ width: 1, height: 5 });
    const unknown = { ...point, values: Float64Array.of(Infinity) };
    expect([...paintField(unknown).pixels]).toEqual([150, 150, 150]);
  });

  test('refuses fields in space and options that make no sense', () => {
    refusalOf(() => paintField(pointField([3, 3, 3])));
    for (const options of [
      { scale: 0 },
      { scale: 1.5 },
      { scale: 1e5 },
      { range: -1 },
      { range: NaN },
      { isolines: 0 },
    ]) {
      refusalOf(() => paintField(ramp, options));
    }
  });
});
