// The five filters of PNG rows: each byte minus a prediction from its neighbors to the left, above and above left
// (PNG specification, section 9). The residuals are smaller and compress better. O(bytes).

/**
 * Format: the filters subtract nothing, left, above, their mean, and whichever of left, above and above left is nearest left +
 * above − above left.
 */
export const FILTER_COUNT = 5;

/**
 * Writes the filtered `row` into `out` and returns the sum of the absolute residuals, read as signed bytes. `above` is
 * the previous row, unfiltered, or zeros for the first row; `step` is the number of bytes per pixel.
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
