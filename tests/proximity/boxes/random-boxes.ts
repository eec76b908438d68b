// Random triangles and placements for the tests of boxes.
import type { Random } from '../../../src/core/random.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';

/** Triangles with random corners, none shared. */
export function randomSoup(count: number, seed: number, scale: number, shift: number): Mesh {
  const random = createRandom(seed);
  const positions = Float64Array.from({ length: 9 * count }, () => shift + scale * random.range(-1, 1));
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, i) => i) };
}

/** A random rotation, and a translation of up to 2, 2 and 1 times the scale: row-major 3 × 4. */
export function randomPlacement(random: Random, scale: number): Float64Array {
  const [x, y, z, w] = random.rotation();
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    scale * random.range(-2, 2),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    scale * random.range(-2, 2),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
    scale * random.range(-1, 1),
  );
}

/** Points in the frame that a placement leads to. */
export function placePoints(positions: Float64Array, m: Float64Array): Float64Array {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] =
        m[4 * k] * positions[i] + m[4 * k + 1] * positions[i + 1] + m[4 * k + 2] * positions[i + 2] + m[4 * k + 3];
    }
  }
  return out;
}
