// Vitest compares typed arrays by their keys, which takes 2 µs a number. Arrays that are equal number by number are found so at
// once here; all others go the usual way, which says where they differ.
import { expect } from 'vitest';

type TypedArray = ArrayLike<number | bigint> & { readonly constructor: unknown };

expect.addEqualityTesters([
  (a: unknown, b: unknown) => (isTypedArray(a) && isTypedArray(b) && areSameNumbers(a, b) ? true : undefined),
]);

function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function areSameNumbers(a: TypedArray, b: TypedArray): boolean {
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
