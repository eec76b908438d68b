// What is sent arrives to the bit, and no bytes do more than fail to be read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, encode } from '../../src/cluster/codec.js';
import { NearfieldError } from '../../src/core/errors.js';
import { codeOf } from '../error-code.js';

const array = fc.oneof(fc.float64Array(), fc.uint32Array(), fc.uint8Array(), fc.float32Array(), fc.int32Array());
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, true, false, Number.NaN, -0, Infinity, -Infinity),
    fc.double(),
    fc.string({ unit: 'grapheme' }),
    array,
    fc.array(tie('any')),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('any'),
    ),
  ),
})).any;

test('data comes back as it was', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(decode(encode(given))).toStrictEqual(plain(given));
    }),
  );
});

test('bytes that were cut, changed or made up are refused or give other data, and nothing else', () => {
  fc.assert(
    fc.property(value, fc.nat(), fc.nat({ max: 255 }), (given, at, byte) => {
      const bytes = encode(given);
      const changed = bytes.slice();
      changed[at % bytes.length] = byte;
      for (const tried of [bytes.slice(0, at % bytes.length), changed, Uint8Array.of(...bytes, byte)]) {
        try {
          decode(tried);
        } catch (error) {
          expect(error).toBeInstanceOf(NearfieldError);
        }
      }
    }),
  );
  expect(codeOf(() => decode(encode({ a: 1 }).slice(0, -1)))).toBe('file-format');
  // Counts far beyond what is there are not believed.
  expect(codeOf(() => decode(Uint8Array.of(6, 255, 255, 255, 255)))).toBe('file-format');
  const nested = Uint8Array.from({ length: 5 * 100 }, (_, i) => (i % 5 === 0 ? 6 : i % 5 === 1 ? 1 : 0));
  expect(codeOf(() => decode(nested))).toBe('file-format');
});

test('what cannot be sent is refused', () => {
  expect(codeOf(() => encode(10n))).toBe('bad-argument');
  expect(codeOf(() => encode(new DataView(new ArrayBuffer(8))))).toBe('bad-argument');
  const round: unknown[] = [];
  round.push(round);
  expect(codeOf(() => encode(round))).toBe('bad-argument');
  expect(decode(encode({ kept: 1, dropped: () => 1 }))).toEqual({ kept: 1 });
});

/** Objects without a prototype of their own, as decoding makes them. */
function plain(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(plain);
  if (given === null || typeof given !== 'object' || ArrayBuffer.isView(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, entry]) => [key, plain(entry)]));
}
