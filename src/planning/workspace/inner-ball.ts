// A large ball inside of a solid: what has to pass wherever the solid passes. Inside of an open mesh a ball is found by
// winding numbers; it guides a search, and proves nothing.
import type { Vec3 } from '../../core/vec3.js';
import { SolidQuery } from '../../mesh/query/solid-query.js';
import { makeSound } from '../../mesh/soundness/make-sound.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** A ball in the frame of its model. */
export interface InnerBall {
  readonly center: Vec3;
  readonly radius: number;
  /** Whether the ball is inside of a solid; otherwise it is where an open mesh seems to have its inside. */
  readonly isProven: boolean;
}

/** Rounding: a ball smaller than this share of the model's size does not count. In a flat sheet with both sides rounding finds one of 1e-16. */
const MIN_RADIUS = 1e-9;

/** Chosen: the count of points along each side of the box from which the search for the deepest starts. */
const STARTS = 6;

/** Chosen: the count of steps of the search from each of the best starts. */
const STEPS = 60;

/** Chosen: the count of best starts. */
const BEST = 4;

/** Chosen: one ball is deeper than another from this share on: coordinates of files are off by as much, and move it to a side. */
const GAIN = 1e-5;

/** Definition: a point is inside from this winding number on, half of the sphere. */
const INSIDE = 0.5;

/** Chosen: how far a winding number may be off where it only guides. */
const WINDING_ACCURACY = 0.05;

/**
 * A ball inside of a closed model, nearly as large as any near the places searched; null for an open or a flat one. The radius is a
 * distance, so that the ball is inside whatever the search missed.
 */
export function findInnerBall(model: ProximityModel): InnerBall | null {
  return model.closed ? searchBall(model, (p) => -model.signedDistance(p), true) : null;
}

/** As {@link findInnerBall}; for an open model a ball where its winding number says inside, if one is found. */
export function findGuideBall(model: ProximityModel): InnerBall | null {
  if (model.closed) return findInnerBall(model);
  // Faces that stand twice or disagree would cancel each other.
  const query = new SolidQuery(makeSound(model.mesh).mesh);
  const windings = query.prepareInsideTests();
  const depth = (p: Vec3): number => {
    const winding = windings.evaluate(p[0], p[1], p[2], WINDING_ACCURACY);
    const distance = Math.abs(query.signedDistance(p));
    return Math.abs(winding) >= INSIDE ? distance : -distance;
  };
  return searchBall(model, depth, false);
}

/** Climbs to the deepest point from the best of even starts. @param depth positive inside. */
function searchBall(model: ProximityModel, depth: (p: Vec3) => number, isProven: boolean): InnerBall | null {
  const { boxMin: min, boxMax: max } = model;
  const starts: { readonly point: Vec3; readonly depth: number }[] = [];
  for (let i = 0; i < STARTS ** 3; i++) {
    const cell = [i % STARTS, Math.floor(i / STARTS) % STARTS, Math.floor(i / STARTS ** 2)];
    const point = cell.map((c, k) => min[k] + ((c + 0.5) / STARTS) * (max[k] - min[k])) as Vec3;
    starts.push({ point, depth: depth(point) });
  }
  starts.sort((a, b) => b.depth - a.depth);
  // The middle comes first: of balls as deep, as in a brick, the one there leads through narrow places.
  const middle = { point: [...model.center] as Vec3, depth: depth(model.center) };
  let best = middle;
  for (const start of [middle, ...starts.slice(0, BEST)]) {
    let { point, depth: deepest } = start;
    let step = Math.max(...max.map((value, k) => value - min[k])) / STARTS;
    for (let i = 0; i < STEPS; i++) {
      let isDeeper = false;
      for (let k = 0; k < 6; k++) {
        const trial: Vec3 = [...point];
        trial[k >> 1] += k % 2 === 0 ? step : -step;
        const found = depth(trial);
        if (!(found > deepest + GAIN * Math.abs(deepest))) continue;
        [point, deepest, isDeeper] = [trial, found, true];
      }
      if (!isDeeper) step /= 2;
    }
    if (deepest > best.depth + GAIN * Math.abs(best.depth)) best = { point, depth: deepest };
  }
  if (!(best.depth > MIN_RADIUS * model.radius)) return null;
  return { center: best.point, radius: best.depth * (1 - 1e-12), isProven };
}
