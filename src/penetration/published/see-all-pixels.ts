// The basic algorithm by rays: every pixel of the six views through every sum, without culling. O(pixels × planes).
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { BoundaryWalk } from '../union/boundary-walk.js';
import { pixelCenter, writeDirection } from '../union/cube-views.js';
import type { LevelUnion } from '../union/descent.js';
import { listSums } from '../union/list-sums.js';
import { offerExit } from '../union/probe-rays.js';

/** Follows the ray of every pixel, improves the separation by the nearest exit, and returns the count of rays. */
export function seeAllPixels(level: LevelUnion, resolution: number, options: ProgressOptions): number {
  const { union, separation } = level;
  const source = listSums(level);
  const count = source.gather();
  const direction = new Float64Array(3);
  const nearest = new Float64Array(3);
  let least = Infinity;
  for (let view = 0; view < 6; view++) {
    for (let row = 0; row < resolution; row++) {
      reportProgress(options, (view * resolution + row) / (6 * resolution), 'pixels');
      for (let column = 0; column < resolution; column++) {
        writeDirection(direction, view, pixelCenter(column, resolution), -pixelCenter(row, resolution));
        const [dx, dy, dz] = direction;
        const reach = union.trace(source.list, 0, count, dx, dy, dz, Infinity);
        const distance = reach * Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (distance >= least) continue;
        least = distance;
        nearest.set(direction);
      }
    }
  }
  if (least < Infinity) {
    const [dx, dy, dz] = nearest;
    const reach = union.trace(source.list, 0, count, dx, dy, dz, Infinity);
    offerExit(union, source, new BoundaryWalk(), separation, reach, [dx, dy, dz]);
  }
  return 6 * resolution * resolution;
}
