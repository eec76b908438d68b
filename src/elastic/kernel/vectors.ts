// Vectors of one length and their sums, in WebAssembly where there are enough numbers.
import { createKernel, type ElasticKernel } from './elastic-kernel.js';

/** Chosen: fewer numbers are not worth a kernel. */
const MIN_NUMBERS = 600;

export class Vectors {
  readonly #kernel: ElasticKernel | null;
  readonly #size: number;
  /** The size, up to a multiple of four; numbers beyond the size are 0. */
  readonly #padded: number;
  #taken = 0;

  /** @param count of vectors. */
  constructor(size: number, count: number) {
    this.#size = size;
    this.#padded = 4 * Math.ceil(size / 4);
    const bytes = 64 + 8 * this.#padded * count;
    this.#kernel = size >= MIN_NUMBERS && bytes < 2 ** 31 ? createKernel(bytes) : null;
  }

  /** One of the vectors, of zeros. */
  take(): Float64Array {
    if (this.#kernel === null) return new Float64Array(this.#size);
    return new Float64Array(this.#kernel.memory, 64 + 8 * this.#padded * this.#taken++, this.#size);
  }

  /** The sum of products of two of the vectors. */
  dot(a: Float64Array, b: Float64Array): number {
    if (this.#kernel === null) return dot(a, b);
    return this.#kernel.exports.dot(this.#padded, a.byteOffset, b.byteOffset);
  }

  /** Adds a multiple of one vector to another; returns the product of the result with a third. */
  addScaled(out: Float64Array, a: Float64Array, weight: number, b: Float64Array): number {
    if (this.#kernel !== null) {
      return this.#kernel.exports.addScaled(this.#padded, out.byteOffset, a.byteOffset, weight, b.byteOffset);
    }
    for (let k = 0; k < out.length; k++) out[k] += weight * a[k];
    return dot(out, b);
  }

  /** Writes a + weight · b, over one of them where asked. */
  combine(out: Float64Array, a: Float64Array, b: Float64Array, weight: number): void {
    if (this.#kernel !== null) {
      this.#kernel.exports.combine(this.#padded, out.byteOffset, a.byteOffset, b.byteOffset, weight);
    } else for (let k = 0; k < out.length; k++) out[k] = a[k] + weight * b[k];
  }
}

/** The sum of products, in four sums, which a processor adds side by side. */
export function dot(a: Float64Array, b: Float64Array): number {
  let [p, q, r, s] = [0, 0, 0, 0];
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    p += a[i] * b[i];
    q += a[i + 1] * b[i + 1];
    r += a[i + 2] * b[i + 2];
    s += a[i + 3] * b[i + 3];
  }
  for (let i = whole; i < a.length; i++) p += a[i] * b[i];
  return p + q + (r + s);
}
