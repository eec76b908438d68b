// The JSON that goes with a field's numbers: where the nodes lie, and what the numbers alone do not say.
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { assertGridFrame, type GridFrame, type GridSize } from '../grid.js';

/** What every field file's JSON holds; additional keys are allowed and ignored. */
export interface FieldHeader {
  /** Position of the first sample, the node (0, 0, 0). */
  readonly origin: Vec3;
  readonly spacing: number;
  /** Samples along x, y and z. */
  readonly size: GridSize;
}

/** Number type of a stored field. 'float32' rounds distances by up to a 2²⁴th of their size. */
export type FieldPrecision = 'float32' | 'float64';

/** The JSON header of a grid. */
export function headerOf({ origin, spacing, size }: GridFrame): FieldHeader {
  return { origin: [...origin], spacing, size: [...size] };
}

/**
 * Checks parsed JSON.
 * @throws NearfieldError `file-format` for missing keys or wrong types, and as `assertGridFrame` does.
 */
export function parseFieldHeader(json: unknown): FieldHeader {
  const origin = numbersAt(json, 'origin', 3) as Vec3;
  const [spacing] = numbersAt(json, 'spacing', 1);
  const size = numbersAt(json, 'size', 3) as unknown as GridSize;
  const header = { origin, spacing, size };
  assertGridFrame(header);
  return header;
}

/** The `count` numbers of a key: an array, or a plain number if `count` is 1. */
export function numbersAt(json: unknown, key: string, count: number): number[] {
  const value = keyOf(json, key);
  const numbers = count === 1 ? [value] : value;
  if (!Array.isArray(numbers) || numbers.length !== count || !numbers.every((number) => Number.isFinite(number))) {
    const wanted = count === 1 ? 'a number' : `${count} numbers`;
    throw new NearfieldError(
      'file-format',
      `The field's JSON has ${JSON.stringify(value) ?? 'nothing'} for "${key}"; it must be ${wanted}.`,
    );
  }
  return [...numbers];
}

/** One of the words, by key. */
export function wordAt<const Word extends string>(json: unknown, key: string, words: readonly Word[]): Word {
  const value = keyOf(json, key);
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) {
    throw new NearfieldError(
      'file-format',
      `The field's JSON has ${JSON.stringify(value) ?? 'nothing'} for "${key}"; it must be one of ${words.join(', ')}.`,
    );
  }
  return word;
}

function keyOf(json: unknown, key: string): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new NearfieldError('file-format', `The field's JSON is no object; it must hold origin, spacing and size.`);
  }
  return Object.hasOwn(json, key) ? (json as Record<string, unknown>)[key] : undefined;
}
