import type { Random } from '../../src/core/random.js';

/** Boxes of mixed sizes, six numbers each; one in eight is flat, one in sixteen a point, and some are alike. */
export function randomBoxes(random: Random, count: number, scale: number, size = 0.1): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    if (i > 0 && random.integer(20) === 0) {
      boxes.copyWithin(6 * i, 6 * (i - 1), 6 * i);
      continue;
    }
    const kind = random.integer(16);
    for (let axis = 0; axis < 3; axis++) {
      const low = random.range(-1, 1);
      const extent = kind === 0 || (kind < 3 && axis === 0) ? 0 : random.range(0, size);
      boxes[6 * i + axis] = scale * low;
      boxes[6 * i + 3 + axis] = scale * (low + extent);
    }
  }
  return boxes;
}
