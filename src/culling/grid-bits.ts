// A grid of 64³ cells as bits: 32 KB, so that the first-level cache holds one. A row along x is two words.

/** Layout: the last cell along each axis of a grid of 64³ cells. */
export const MAX_CELL = 63;
/** Layout: words of a grid: one bit a cell. */
export const WORDS = 2 * 64 * 64;
/** Layout: words from a row to the next along y. */
const ROW = 2;
/** Layout: words from a row to the next along z. */
const LAYER = 128;

/** The word of a cell; its bit is x modulo 32. */
export function placeOf(x: number, y: number, z: number): number {
  return (z << 7) | (y << 1) | (x >> 5);
}

/** Bits x0 to x1 of a row, of those in the word of x0. */
export function maskOf(x0: number, x1: number): number {
  const tail = -1 << (x0 & 31);
  return ((x0 ^ x1) & 32) === 0 ? tail & headMask(x1) : tail;
}

/** Bits of a word up to x. */
export function headMask(x: number): number {
  return -1 >>> (31 - (x & 31));
}

/** Writes the cells that are set or have one set among the 26 around them. */
export function dilateBits(cells: Int32Array, out: Int32Array): void {
  for (let i = 0; i < WORDS; i += ROW) {
    const low = cells[i];
    const high = cells[i + 1];
    out[i] = low | (low << 1) | (low >>> 1) | (high << 31);
    out[i + 1] = high | (high << 1) | (high >>> 1) | (low >>> 31);
  }
  for (let layer = 0; layer < WORDS; layer += LAYER) spread(out, layer, LAYER, ROW);
  for (let row = 0; row < LAYER; row += ROW) spread(out, row, WORDS, LAYER);
}

/** Adds its neighbors before and after to each pair of words at `first`, `first` + `step`, up to `length` further. */
function spread(words: Int32Array, first: number, length: number, step: number): void {
  let lowBefore = 0;
  let highBefore = 0;
  const last = first + length - step;
  for (let i = first; i <= last; i += step) {
    const low = words[i];
    const high = words[i + 1];
    words[i] = lowBefore | low | (i < last ? words[i + step] : 0);
    words[i + 1] = highBefore | high | (i < last ? words[i + step + 1] : 0);
    lowBefore = low;
    highBefore = high;
  }
}
