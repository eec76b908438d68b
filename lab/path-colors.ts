// What scenes of planned paths share: the colors of a path by its clearance, and words for its status.
import type { PlanResult } from 'nearfield/planning';
import { linearScaleColor } from './color-scale.js';

/** Colors of the ends of the segments between places with these clearances; `most` and more have the last color. */
export function pathColors(clearances: ArrayLike<number>, most: number): Float32Array {
  const at = Array.from(clearances, (value) => linearScaleColor(most > 0 ? Math.min(1, value / most) : 0));
  return Float32Array.from(at.slice(1).flatMap((color, k) => [...at[k], ...color]));
}

export const PATH_STATUS: Readonly<Record<PlanResult['status'], string>> = {
  solved: 'found, proven',
  infeasible: 'none, proven',
  timeout: 'not found in time',
  'memory-limit': 'not found in the memory allowed',
  'invalid-start': 'none: the start touches something',
  'invalid-goal': 'none: the goal touches something',
};
