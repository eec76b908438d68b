// The stiffness of penalty forces that substeps can follow.
import { DYNAMIC, ELASTIC, type PlaneBodies } from '../body/plane-bodies.js';
import type { ElasticRing } from './elastic-ring.js';

/**
 * Measured on the scenes of Hoff et al. 2001: substeps in a period of the stiffest contact. At 8 they gain or lose 1 to 5 % of
 * their energy in ten seconds, at 16 up to 1 %.
 */
const PERIOD = 16;

/** A stiffness, N/m², that substeps of h can follow even if the whole boundary of the lightest body is inside another. */
export function chooseStiffness(bodies: PlaneBodies, rings: readonly (ElasticRing | null)[], h: number): number {
  let least = Infinity;
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.kind[i] !== DYNAMIC && bodies.kind[i] !== ELASTIC) continue;
    const outline = bodies.outlines[i];
    const mass = rings[i]?.mass ?? bodies.mass[i];
    const length = outline.radius > 0 ? 2 * Math.PI * outline.radius : (2 * outline.area) / outline.thickness;
    least = Math.min(least, mass / length);
  }
  const rate = (2 * Math.PI) / (PERIOD * h);
  return least === Infinity ? 0 : least * rate * rate;
}
