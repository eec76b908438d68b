import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextCursor } from '../../../src/io/formats/text-cursor.js';
import { bytesOf } from '../../generators/model-files.js';

function parse(text: string): number {
  return new TextCursor(bytesOf(text)).readNumber('a number');
}

describe('numbers', () => {
  test('are what Number() makes of them, for every double in its shortest form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(parse(Object.is(value, -0) ? '-0' : String(value)), value)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  test('are what Number() makes of them, for any digits, point and exponent', () => {
    const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`));
    const exponent = fc.oneof(
      fc.constant(''),
      fc.integer({ min: -340, max: 320 }).map((e) => `e${e}`),
    );
    const sign = fc.constantFrom('', '-', '+');
    fc.assert(
      fc.property(sign, digits(22), fc.boolean(), digits(22), exponent, (minus, whole, point, fraction, power) => {
        fc.pre(whole.length + (point ? fraction.length : 0) > 0);
        const text = `${minus}${whole}${point ? `.${fraction}` : ''}${power}`;
        expect(Object.is(parse(text), Number(text))).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  test('halfway cases and limits are rounded as Number() rounds them', () => {
    const hard = [
      '9007199254740993',
      '9007199254740992.5',
      '0.1',
      '1e23',
      '8.5e22',
      '123456789012345e22',
      '5e-324',
      '2.4703282292062327e-324',
      '2.4703282292062328e-324',
      '1.7976931348623157e308',
      '1.7976931348623159e308',
      '2.2250738585072011e-308',
      '0.000000000000000000000000000000000000000000000001',
      `0.${'0'.repeat(400)}1e400`,
      `1${'0'.repeat(400)}e-400`,
      '00000000000000000000000000000001.5',
      '.5',
      '5.',
      '1E5',
      '1e+5',
      '0e999999999999',
    ];
    for (const text of hard) expect([text, parse(text)]).toEqual([text, Number(text)]);
  });

  test('what is no number is refused', () => {
    for (const text of ['', '-', '.', '+.', 'e5', '1e', '1e+', '1.2.3', '1,5', '0x10', '1-2', 'abc', '--1', '1f']) {
      expect(() => parse(text), text).toThrow(
        expect.objectContaining({ code: text === '' ? 'file-truncated' : 'file-format' }),
      );
    }
    for (const text of ['nan', 'NaN', '-inf', 'Infinity', '1.#QNAN', '-1.#IND']) {
      expect(() => parse(text), text).toThrow(expect.objectContaining({ code: 'non-finite' }));
    }
  });

  test('whole numbers end at a blank, or at a slash where that is asked for', () => {
    expect(new TextCursor(bytesOf('-12 ')).readInteger('an id')).toBe(-12);
    expect(new TextCursor(bytesOf('7/8')).readInteger('an id', true)).toBe(7);
    for (const text of ['7/8', '1.0', '1e3', 'x', '-']) {
      expect(() => new TextCursor(bytesOf(text)).readInteger('an id'), text).toThrow(/whole number/);
    }
    expect(() => new TextCursor(bytesOf('-3')).readCount('the count')).toThrow(/negative/);
  });
});

describe('lines', () => {
  test('end with LF, CRLF or CR and are counted alike', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const cursor = new TextCursor(bytesOf(['a b', '', 'c', 'd'].join(end)));
      expect(cursor.readWord()).toBe('a');
      expect(cursor.readWord()).toBe('b');
      expect(cursor.readWord()).toBe('');
      expect(cursor.skipToWord()).toBe(true);
      expect([cursor.readWord(), cursor.lineAt(cursor.offset)]).toEqual(['c', 3]);
      cursor.nextLine();
      expect([cursor.readWord(), cursor.lineAt(cursor.offset)]).toEqual(['d', 4]);
      expect(cursor.skipToWord()).toBe(false);
    }
  });

  test('a backslash joins lines only where continuations are on', () => {
    const text = 'f 1 2 \\\r\n3\nend';
    const joined = new TextCursor(bytesOf(text), { continuations: true });
    joined.readWord();
    expect([1, 2, 3].map(() => joined.readInteger('an id'))).toEqual([1, 2, 3]);
    expect(joined.atLineEnd()).toBe(true);
    joined.nextLine();
    expect(joined.readWord()).toBe('end');
    const plain = new TextCursor(bytesOf(text));
    plain.nextLine();
    expect(plain.readWord()).toBe('3');
  });

  test('a comment ending in a backslash does not swallow the next line', () => {
    const cursor = new TextCursor(bytesOf('# C:\\models\\\nv'), { comments: true, continuations: true });
    expect(cursor.skipToWord()).toBe(true);
    expect(cursor.readWord()).toBe('v');
  });

  test('a UTF-8 mark is passed over, UTF-16 refused, names are UTF-8', () => {
    const marked = new TextCursor(bytesOf('\ufeffäöü 名前\n'));
    expect([marked.readWord(), marked.readRestOfLine()]).toEqual(['äöü', '名前']);
    expect(() => new TextCursor(Uint8Array.of(0xff, 0xfe, 0x76, 0))).toThrow(/UTF-8/);
  });
});
