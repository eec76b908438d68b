import { NearfieldError } from '../core/errors.js';
import { growTo } from '../core/grow-array.js';

/** Chosen: pairs of a list; they fill 512 MB. */
const MAX_PAIRS = 2 ** 26;

/** A list of pairs of numbers that grows and keeps its memory. */
export class PairList {
  /** Two numbers a pair; those beyond 2 × `count` are left over. */
  values = new Uint32Array(1024);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  /** @throws NearfieldError `too-large` for more pairs than `MAX_PAIRS`. */
  push(a: number, b: number): void {
    const at = 2 * this.count;
    if (at + 2 > this.values.length) {
      if (this.count >= MAX_PAIRS) {
        throw new NearfieldError(
          'too-large',
          `Two objects have more than ${MAX_PAIRS} pairs of triangles whose boxes overlap; remove repeated triangles.`,
        );
      }
      this.values = growTo(this.values, at + 2);
    }
    this.count++;
    this.values[at] = a;
    this.values[at + 1] = b;
  }
}

/** Pairs of numbers, sorted by the first and then by the second. */
export function sortedPairs(values: Uint32Array, count: number): Uint32Array {
  const order = Array.from({ length: count }, (_, pair) => pair);
  order.sort((p, q) => values[2 * p] - values[2 * q] || values[2 * p + 1] - values[2 * q + 1]);
  const sorted = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    sorted[2 * i] = values[2 * order[i]];
    sorted[2 * i + 1] = values[2 * order[i] + 1];
  }
  return sorted;
}
