// The five filters of PNG rows: each byte less a forecast from its neighbours to the left, above and above left
// (PNG specification, section 9). What remains is smaller and compresses better. O(bytes).

/** None, left, above, their mean, and whichever of left, above and above left is nearest left + above − above left. */
export const FILTER_COUNT = 5;

/**
 * Writes `row` into `out` as the filter leaves it, and returns the sum of the remainders' sizes, read as signed bytes.
 * `above` is the row before, unfiltered, zeros before the first; `step` the bytes of a pixel.
 */
export function filterRow(filter: number, row: Uint8Array, above: Uint8Array, step: number, out: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) {
    const left = i >= step ? row[i - step] : 0;
    const corner = i >= step ? above[i - step] : 0;
    const value = (row[i] - forecast(filter, left, above[i], corner)) & 0xff;
    out[i] = value;
    sum += value < 128 ? value : 256 - value;
  }
  return sum;
}

/** Undoes {@link filterRow} in place. */
export function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = i >= step ? row[i - step] : 0;
    const corner = i >= step ? above[i - step] : 0;
    row[i] += forecast(filter, left, above[i], corner);
  }
}

function forecast(filter: number, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const toLeft = Math.abs(up - corner);
      const toUp = Math.abs(left - corner);
      const toCorner = Math.abs(left + up - 2 * corner);
      return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    }
    default:
      return 0;
  }
}
