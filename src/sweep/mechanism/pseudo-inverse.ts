// The pseudo-inverse of some columns of a small matrix, by the normal equations and Gauss-Jordan elimination with pivots.

/** Rounding: a pivot below this share of the largest entry counts as 0, and the inverse as infinite. */
const SINGULAR = 1e-12;

/**
 * Writes (MᵀM)⁻¹Mᵀ, where M are the chosen columns: one row for each of them. Entries are Infinity where M has not full rank.
 * @param matrix row-major.
 */
export function pseudoInverse(
  matrix: Float64Array,
  rows: number,
  columns: number,
  chosen: readonly number[],
): Float64Array {
  const n = chosen.length;
  const width = n + rows;
  const work = new Float64Array(n * width);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += matrix[r * columns + chosen[i]] * matrix[r * columns + chosen[k]];
      work[i * width + k] = sum;
    }
    for (let r = 0; r < rows; r++) work[i * width + n + r] = matrix[r * columns + chosen[i]];
  }
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, work[i * width + i]);
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(work[k * width + i]) > Math.abs(work[pivot * width + i])) pivot = k;
    if (!(Math.abs(work[pivot * width + i]) > SINGULAR * largest)) return new Float64Array(n * rows).fill(Infinity);
    for (let c = 0; c < width && pivot !== i; c++) {
      const kept = work[i * width + c];
      work[i * width + c] = work[pivot * width + c];
      work[pivot * width + c] = kept;
    }
    const scale = 1 / work[i * width + i];
    for (let c = 0; c < width; c++) work[i * width + c] *= scale;
    for (let k = 0; k < n; k++) {
      const share = k === i ? 0 : work[k * width + i];
      for (let c = 0; c < width && share !== 0; c++) work[k * width + c] -= share * work[i * width + c];
    }
  }
  const out = new Float64Array(n * rows);
  for (let i = 0; i < n; i++) for (let r = 0; r < rows; r++) out[i * rows + r] = work[i * width + n + r];
  return out;
}
