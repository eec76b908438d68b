import { expect, test } from 'vitest';
import {
  checkedElsewhere,
  flag,
  labelled,
  needed,
  numberAbove,
  numberFrom,
  numberWithin,
  oneOf,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../../src/core/check/option-table.js';
import type { ProgressOptions } from '../../src/core/progress.js';

interface Options extends ProgressOptions {
  readonly cutoff?: number | undefined;
  readonly spacing?: number | undefined;
  readonly share?: number | undefined;
  readonly count?: number | undefined;
  readonly kept?: boolean | undefined;
  readonly method: 'fast' | 'exact';
  readonly start?: readonly number[] | undefined;
}

const TABLE = optionTable<Options>('The switches')({
  cutoff: numberFrom(0, Infinity),
  spacing: numberAbove(0),
  share: numberWithin(0, 1, 0.5),
  count: wholeNumber(1, 8, 2),
  kept: flag(true),
  method: oneOf(['fast', 'exact']),
  start: checkedElsewhere(),
  ...PROGRESS_RULES,
});

test('options left out have their fallbacks, the others are kept', () => {
  const filled = TABLE.read({ method: 'exact', count: 3, kept: false, cutoff: undefined });
  expect(filled).toEqual({
    cutoff: Infinity,
    spacing: undefined,
    share: 0.5,
    count: 3,
    kept: false,
    method: 'exact',
    start: undefined,
    signal: undefined,
    onProgress: undefined,
  });
  // Filled options are never undefined for the compiler.
  const sum: number = filled.cutoff + filled.share + filled.count;
  expect(sum).toBe(Infinity);
});

test.each([
  [{ cutoff: -1 }, 'The cutoff is -1; give a number from 0.'],
  [{ cutoff: Number.NaN }, 'The cutoff is NaN; give a number from 0.'],
  [{ spacing: 0 }, 'The spacing is 0; give a positive number.'],
  [{ spacing: Infinity }, 'The spacing is Infinity; give a positive number.'],
  [{ share: 2 }, 'The share is 2; give a number from 0 to 1.'],
  [{ count: 2.5 }, 'The count is 2.5; give a whole number from 1 to 8.'],
  [{ count: 9 }, 'The count is 9; give a whole number from 1 to 8.'],
  [{ kept: 'yes' }, "The kept is 'yes'; give true or false."],
  [{ method: 'slow' }, "The method is 'slow'; give 'fast' or 'exact'."],
  [{ cutof: 1 }, "The switches have no 'cutof'; did you mean 'cutoff'?"],
])('%o is refused', (options, message) => {
  expect(() => TABLE.assert(options as unknown as Options)).toThrow(message);
  expect(() => TABLE.read(options as unknown as Options)).toThrow(message);
});

test('borders are accepted', () => {
  for (const options of [{ cutoff: 0 }, { cutoff: Infinity }, { share: 0 }, { share: 1 }, { count: 1 }, { count: 8 }]) {
    expect(() => TABLE.assert({ method: 'fast', ...options })).not.toThrow();
  }
});

test('messages have the label and the owner, and an option that is needed is asked for', () => {
  const table = optionTable<{ readonly waveSpeed: number; readonly layers?: number | undefined }>()({
    waveSpeed: needed(labelled('wave speed', numberAbove(0))),
    layers: labelled('layers', wholeNumber(1, Infinity, 2), 'are'),
  });
  expect(() => table.assert({ waveSpeed: 0 }, 'the ring')).toThrow(
    'The wave speed of the ring is 0; give a positive number.',
  );
  expect(() => table.read({} as { waveSpeed: number })).toThrow('The wave speed is undefined; give a positive number.');
  expect(() => table.assert({ waveSpeed: 1, layers: 0 })).toThrow('The layers are 0; give a whole number from 1.');
  expect(() => table.assert({ wavespeed: 1 } as never, 'the ring')).toThrow(
    /^The options of the ring have no 'wavespeed'/,
  );
  expect(table.read({ waveSpeed: 3 }, 'the ring')).toEqual({ waveSpeed: 3, layers: 2 });
});
