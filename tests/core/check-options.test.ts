import { expect, test } from 'vitest';
import { assertOptions, nameValue, type OptionNames } from '../../src/core/check/check-options.js';
import { NearfieldError } from '../../src/core/errors.js';

interface Options {
  readonly cutoff?: number;
  readonly relativeGap?: number;
}

const NAMES: OptionNames<Options> = { cutoff: true, relativeGap: true };

/** The message of the error. */
function refusal(options: unknown): string {
  try {
    assertOptions(options as Options, NAMES);
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    expect((error as NearfieldError).code).toBe('bad-argument');
    return (error as NearfieldError).message;
  }
  throw new Error('accepted');
}

test('options may be left out, empty, or have any of the names', () => {
  for (const options of [undefined, {}, { cutoff: 1 }, { cutoff: undefined, relativeGap: 2 }, Object.create(null)]) {
    expect(() => assertOptions(options as Options, NAMES)).not.toThrow();
  }
});

test('a misspelled name is refused with the name that was meant', () => {
  expect(refusal({ cutOff: 1 })).toBe(
    "The options have no 'cutOff'; did you mean 'cutoff'? There are cutoff, relativeGap.",
  );
  expect(refusal({ cutoff: 1, relativegap: 1 })).toContain("did you mean 'relativeGap'?");
  expect(refusal({ relativGap: 1 })).toContain("did you mean 'relativeGap'?");
});

test('a name like none of the options is refused with all of them', () => {
  expect(refusal({ banana: 1 })).toBe("The options have no 'banana'; there are cutoff, relativeGap.");
  expect(refusal({ toString: 1 })).toContain("no 'toString'");
});

test('what is not an object is refused', () => {
  expect(refusal(null)).toBe('The options are null; give an object, or leave them out.');
  expect(refusal([0, 0, 0, 0, 0, 0, 1])).toContain('are an array of 7;');
  expect(refusal(3)).toContain('are 3;');
  expect(refusal('fast')).toContain("are 'fast';");
  expect(refusal(() => {})).toContain('are a function;');
  expect(refusal(Symbol('s'))).toContain('are Symbol(s);');
});

test('any value has a name', () => {
  expect([null, undefined, 1n, [1, 2], Object.create(null)].map(nameValue)).toEqual([
    'null',
    'undefined',
    '1',
    'an array of 2',
    'an object',
  ]);
});
