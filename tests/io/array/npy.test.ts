import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { type NpyValues, readNpy, writeNpy } from '../../../src/io/array/npy.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Bytes of a text whose characters are bytes. */
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A file of any version around a header, as NumPy lays it out. */
function npyFile(header: string, data: ArrayLike<number>, version = 1): Uint8Array {
  const length = header.length;
  const prefix = version === 1 ? [length & 255, length >> 8] : [length & 255, length >> 8, 0, 0];
  return Uint8Array.from([...latin1('\x93NUMPY'), version, 0, ...prefix, ...latin1(header), ...Array.from(data)]);
}

function refusalOf(bytes: Uint8Array): NearfieldError {
  try {
    readNpy(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    return error as NearfieldError;
  }
  throw new Error('The file was read.');
}

describe('NumPy files written', () => {
  // Made by numpy.save of NumPy 2.4.
  test('are byte for byte what NumPy writes', () => {
    const pad = (header: string): string => `\x93NUMPY\x01\0v\0${header.padEnd(117)}\n`;
    expect(writeNpy(Float32Array.of(0, 1, 2, 3, 4, 5), [1, 2, 3])).toEqual(
      latin1(
        `${pad("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }")}` +
          '\0\0\0\0\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@',
      ),
    );
    expect(writeNpy(Float64Array.of(7.5), [])).toEqual(
      latin1(`${pad("{'descr': '<f8', 'fortran_order': False, 'shape': (), }")}\0\0\0\0\0\0\x1e@`),
    );
    expect(writeNpy(new Float64Array(0), [0, 3])).toEqual(
      latin1(pad("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }")),
    );
    expect(writeNpy(Uint8Array.of(1, 2), [2])).toEqual(
      latin1(`${pad("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }")}\x01\x02`),
    );
  });

  test('begin their data at a multiple of 64 whatever the shape', () => {
    for (let dimensions = 0; dimensions <= 64; dimensions++) {
      for (const length of [1, 1000]) {
        const shape = new Array<number>(dimensions).fill(1);
        if (dimensions > 0) shape[dimensions - 1] = length;
        const values = new Int16Array(dimensions > 0 ? length : 1);
        const bytes = writeNpy(values, shape);
        expect((bytes.length - values.byteLength) % 64).toBe(0);
        expect(readNpy(bytes).shape).toEqual(shape);
      }
    }
  });

  test('come back as they were', () => {
    const kinds = [
      Float64Array,
      Float32Array,
      Int32Array,
      Uint32Array,
      Int16Array,
      Uint16Array,
      Int8Array,
      Uint8Array,
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
        fc.integer({ min: 0, max: 3 }),
        (Kind, shape, stream, shift) => {
          const count = shape.reduce((product, length) => product * length, 1);
          const raw = new Uint8Array(8 * count);
          for (let i = 0; i < raw.length; i++) raw[i] = stream.next().value;
          const values = new Kind(raw.buffer, 0, count) as NpyValues;
          const written = writeNpy(values, shape);
          // Somewhere in a larger buffer, at any offset.
          const larger = new Uint8Array(written.length + 8);
          larger.set(written, shift);
          const read = readNpy(larger.subarray(shift, shift + written.length));
          expect(read.shape).toEqual(shape);
          expect(read.values).toBeInstanceOf(Kind);
          const bytesOf = (array: NpyValues) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
          expect(bytesOf(read.values)).toEqual(bytesOf(values));
        },
      ),
      { numRuns: 300 * SOAK },
    );
  });

  test('are refused where shape and values disagree', () => {
    for (const shape of [[2, 2], [3, 1, 2], [-3, -1], [1.5, 2], [Number.NaN], new Array(65).fill(1)]) {
      expect(() => writeNpy(new Float32Array(3), shape)).toThrow(NearfieldError);
    }
    expect(() => writeNpy(new BigInt64Array(3) as never, [3])).toThrow(NearfieldError);
  });
});

describe('NumPy files read', () => {
  test('of the high byte first and of Fortran order', () => {
    // numpy.asfortranarray(numpy.arange(6, dtype='>i2').reshape(2, 3)), as NumPy 2.4 writes it.
    const header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }".padEnd(117);
    const data = [0, 0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5];
    expect(readNpy(npyFile(`${header}\n`, data))).toEqual({ values: Int16Array.of(0, 1, 2, 3, 4, 5), shape: [2, 3] });
    const doubles = npyFile("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}\n", [64, 30, 0, 0, 0, 0, 0, 0]);
    expect(readNpy(doubles).values).toEqual(Float64Array.of(7.5));
  });

  test('of Fortran order in three dimensions', () => {
    const shape = [2, 3, 4];
    const data = new Uint8Array(24);
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 4; k++) data[i + 2 * (j + 3 * k)] = 100 * i + 10 * j + k;
      }
    }
    const { values } = readNpy(npyFile("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", data));
    let at = 0;
    for (let i = 0; i < 2; i++) {
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 4; k++) expect(values[at++]).toBe(100 * i + 10 * j + k);
      }
    }
    expect(values).toHaveLength(shape.reduce((a, b) => a * b));
  });

  test('of formats 2.0 and 3.0, of keys in another order, of Python 2', () => {
    for (const version of [1, 2, 3]) {
      for (const header of [
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }  \n",
        '{"shape": ( 2L , ), "fortran_order" : False,\n"descr":"u1"}',
      ]) {
        expect(readNpy(npyFile(header, [5, 6], version))).toEqual({ values: Uint8Array.of(5, 6), shape: [2] });
      }
    }
  });

  test('hold no more than their bytes can, whatever the header claims', () => {
    const shapes = ['(9007199254740991,)', `(${'9007199254740991, '.repeat(30)})`, '(4294967296, 4294967296)', '(3,)'];
    for (const shape of shapes) {
      const refusal = refusalOf(npyFile(`{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}}`, [1, 2, 3, 4]));
      expect(refusal.code).toBe('file-truncated');
      expect(refusal.location.byte).toBeGreaterThan(0);
    }
    const none = `{'descr': '<f4', 'fortran_order': False, 'shape': (${'9007199254740991, '.repeat(30)}0)}`;
    expect(readNpy(npyFile(none, [])).values).toHaveLength(0);
  });

  test('are refused with a reason and a place where they are others or damaged', () => {
    const header = (descr: string, shape = '(1,)', order = 'False') =>
      `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}}`;
    for (const descr of [
      "'<i8'",
      "'<f2'",
      "'<c8'",
      "'|b1'",
      "'|O'",
      "'<U3'",
      "[('x', '<f4')]",
      "'f16'",
      "'__proto__'",
    ]) {
      expect(refusalOf(npyFile(header(descr), [0, 0, 0, 0])).code, descr).toBe('unsupported');
    }
    for (const text of [
      header('7'),
      header("'<f4"),
      header("'<f4'", '(1.5,)'),
      header("'<f4'", '(-1,)'),
      header("'<f4'", '(99999999999999999999,)'),
      header("'<f4'", '1'),
      header("'<f4'", `(${'1,'.repeat(65)})`),
      header("'<f4'", '(1,)', 'Maybe'),
      `${header("'<f4'")} and more`,
      "{'descr': '<f4', 'shape': (1,)}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
      '',
      '{',
    ]) {
      const refusal = refusalOf(npyFile(text, [0, 0, 0, 0]));
      expect(refusal.code, text).toBe('file-format');
      expect(refusal.location.byte).toBeGreaterThanOrEqual(10);
    }
    expect(refusalOf(latin1('PK\x03\x04')).location.byte).toBe(0);
    expect(refusalOf(npyFile(header("'<f4'"), [0, 0, 0, 0], 4)).code).toBe('unsupported');
    // One byte too many.
    expect(refusalOf(npyFile(header("'<f4'"), [0, 0, 0, 0, 0])).code).toBe('file-format');
  });

  test('are refused at every length short of the whole', () => {
    const whole = writeNpy(Float32Array.of(1, 2), [2]);
    for (let length = 0; length < whole.length; length++) {
      const refusal = refusalOf(whole.subarray(0, length));
      expect({ length, code: refusal.code, byte: refusal.location.byte }).toEqual({
        length,
        code: 'file-truncated',
        byte: length,
      });
    }
  });

  test('with bytes changed are refused or hold as many numbers as they say', () => {
    const random = createRandom(7);
    const whole = writeNpy(Int16Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
    const rounds = 3000 * SOAK;
    let refused = 0;
    for (let round = 0; round < rounds; round++) {
      const bytes = whole.slice();
      // The header's text is where most can go wrong.
      for (let i = 0; i <= random.integer(3); i++) bytes[random.integer(70)] = random.integer(256);
      try {
        const { values, shape } = readNpy(bytes);
        expect(values).toHaveLength(shape.reduce((product, length) => product * length, 1));
      } catch (error) {
        expect(error).toBeInstanceOf(NearfieldError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0.8 * rounds);
    expect(refused).toBeLessThan(rounds);
  });
});
