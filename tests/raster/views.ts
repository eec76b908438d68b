// View matrices for tests, column-major, and images of one view.
import type { Random } from '../../src/core/random.js';

/** Row-major 4×4 into the columns that a rasterizer takes. */
export function columns(rows: readonly (readonly number[])[]): number[] {
  return [0, 1, 2, 3].flatMap((c) => rows.map((row) => row[c]));
}

/** Screen coordinates as they are: x and y from −1 to 1, z is the depth. */
export const FLAT_VIEW: readonly number[] = columns([
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
]);

/** Looks along −z from the origin, 90° wide. */
export function perspective(near: number, far: number): number[] {
  const scale = far / (far - near);
  return columns([
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, -scale, -scale * near],
    [0, 0, -1, 0],
  ]);
}

/** The product of two matrices. */
export function multiply(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    const row = i % 4;
    const column = i - row;
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[4 * k + row] * b[column + k], 0);
  });
}

/** Turns at random, then moves. */
export function randomMotion(random: Random, shift: readonly number[]): number[] {
  const [x, y, z, w] = random.rotation();
  return columns([
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), shift[0]],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), shift[1]],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), shift[2]],
    [0, 0, 0, 1],
  ]);
}
