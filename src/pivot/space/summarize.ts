// The summary of penetrating points: the deepest one and the box of all.
import type { Box } from '../../core/box.js';
import type { PenetratingPoints, SpacePenetration } from './space-result.js';

export function summarize(
  a: PenetratingPoints,
  b: PenetratingPoints,
): Pick<SpacePenetration, 'intersects' | 'depth' | 'box' | 'a' | 'b'> {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  let depth = 0;
  for (const { count, points, depths } of [a, b]) {
    for (let sample = 0; sample < count; sample++) if (depths[sample] > depth) depth = depths[sample];
    for (let n = 0; n < 3 * count; n++) {
      const axis = n % 3;
      if (points[n] < box.min[axis]) box.min[axis] = points[n];
      if (points[n] > box.max[axis]) box.max[axis] = points[n];
    }
  }
  const intersects = a.count + b.count > 0;
  return { intersects, depth, box: intersects ? box : null, a, b };
}
