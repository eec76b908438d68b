// A large ball inside of a solid: what has to pass wherever the solid passes.
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** A ball in the frame of its model. */
export interface InnerBall {
  readonly center: Vec3;
  readonly radius: number;
}

/** Rounding: a ball smaller than this share of the model's size does not count. In a flat sheet with both sides rounding finds one of 1e-16. */
const MIN_RADIUS = 1e-9;

/** Chosen: the count of points along each side of the box from which the search for the deepest starts. */
const STARTS = 6;

/** Chosen: the count of steps of the search from each of the best starts. */
const STEPS = 60;

/** Chosen: the count of best starts. */
const BEST = 4;

/**
 * A ball inside of a closed model, nearly as large as any near the places searched; null for an open or a flat one. The radius is a
 * distance, so that the ball is inside whatever the search missed.
 */
export function findInnerBall(model: ProximityModel): InnerBall | null {
  if (!model.closed) return null;
  const depth = (p: Vec3): number => -model.signedDistance(p);
  const { boxMin: min, boxMax: max } = model;
  const starts: { readonly point: Vec3; readonly depth: number }[] = [];
  for (let i = 0; i < STARTS ** 3; i++) {
    const cell = [i % STARTS, Math.floor(i / STARTS) % STARTS, Math.floor(i / STARTS ** 2)];
    const point = cell.map((c, k) => min[k] + ((c + 0.5) / STARTS) * (max[k] - min[k])) as Vec3;
    starts.push({ point, depth: depth(point) });
  }
  starts.push({ point: [...model.center], depth: depth(model.center) });
  starts.sort((a, b) => b.depth - a.depth);
  let best = starts[0];
  for (const start of starts.slice(0, BEST)) {
    let { point, depth: deepest } = start;
    let step = Math.max(...max.map((value, k) => value - min[k])) / STARTS;
    for (let i = 0; i < STEPS; i++) {
      let isDeeper = false;
      for (let k = 0; k < 6; k++) {
        const trial: Vec3 = [...point];
        trial[k >> 1] += k % 2 === 0 ? step : -step;
        const found = depth(trial);
        if (!(found > deepest * (1 + 1e-9))) continue;
        [point, deepest, isDeeper] = [trial, found, true];
      }
      if (!isDeeper) step /= 2;
    }
    if (deepest > best.depth) best = { point, depth: deepest };
  }
  return best.depth > MIN_RADIUS * model.radius ? { center: best.point, radius: best.depth * (1 - 1e-12) } : null;
}
