// Doubles as whole numbers: the last resort of the exact predicates, where products of doubles under- or overflow.

/** `values` less `origin` (cyclically) in multiples of the smallest double: whole numbers, exactly. */
export function exactDifferences(origin: readonly number[], values: readonly number[]): bigint[] {
  const start = origin.map(toWholeNumber);
  return values.map((value, i) => toWholeNumber(value) - start[i % start.length]);
}

/** A double with the sign of the whole number, as near to `rounded` as the range of doubles lets it be. */
export function withSignOf(whole: bigint, rounded: number): number {
  if (whole === 0n) return 0;
  // NaN, from overflow, becomes the largest double.
  const size = Math.max(
    Math.min(Math.abs(rounded) || (rounded === 0 ? 0 : Infinity), Number.MAX_VALUE),
    Number.MIN_VALUE,
  );
  return whole > 0n ? size : -size;
}

function toWholeNumber(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0];
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}
