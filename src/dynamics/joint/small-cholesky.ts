// Cholesky factors of symmetric positive matrices up to 6 × 6, in rows of six. A pivot that vanishes leaves its unknown at 0.

/** Factorizes in place; reads the lower triangle. */
export function factorize(m: Float64Array, count: number): void {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, m[7 * i]);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = m[6 * i + j];
      for (let k = 0; k < j; k++) sum -= m[6 * i + k] * m[6 * j + k];
      if (i > j) m[6 * i + j] = m[7 * j] > 0 ? sum / m[7 * j] : 0;
      else m[7 * i] = sum > 1e-14 * largest ? Math.sqrt(sum) : 0;
    }
  }
}

/** Solves in place with what {@link factorize} left. */
export function solveFactored(m: Float64Array, count: number, x: Float64Array): void {
  for (let i = 0; i < count; i++) {
    let sum = x[i];
    for (let k = 0; k < i; k++) sum -= m[6 * i + k] * x[k];
    x[i] = m[7 * i] > 0 ? sum / m[7 * i] : 0;
  }
  for (let i = count - 1; i >= 0; i--) {
    let sum = x[i];
    for (let k = i + 1; k < count; k++) sum -= m[6 * k + i] * x[k];
    x[i] = m[7 * i] > 0 ? sum / m[7 * i] : 0;
  }
}
