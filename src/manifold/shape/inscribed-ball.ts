// The radius of a ball inside of a solid, so that a solid can be known not to be inside another: one that was outside
// must have moved by more than the diameter. Any ball will do; the largest of a few is taken.
import type { Part } from '../../core/derived-parts.js';
import type { Vec3 } from '../../core/vec3.js';
import { POINT_QUERY } from '../../proximity/model-parts.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { CONTACT_FEATURES } from './contact-features.js';

/** Chosen: facets from which a way leads into the solid. */
const TRIALS = 8;
/** Chosen: steps of a way. Each makes it half as long again. */
const MAX_STEPS = 32;

/** A lower bound of the radius of the largest ball inside of a model; 0 if none was found. */
export const INSCRIBED_RADIUS: Part<ProximityModel, { readonly radius: number }> = {
  name: 'inscribed ball',
  make: (model) => ({ radius: measureInscribed(model) }),
};

function measureInscribed({ parts }: ProximityModel): number {
  const { positions, corners, trianglePlanes: planes } = parts.get(CONTACT_FEATURES);
  const query = parts.get(POINT_QUERY);
  const count = corners.length / 3;
  let radius = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const triangle = Math.floor((trial * count) / TRIALS);
    const from = [0, 1, 2].map((k) =>
      [0, 1, 2].reduce((sum, corner) => sum + positions[3 * corners[3 * triangle + corner] + k] / 3, 0),
    );
    const [nx, ny, nz] = planes.subarray(4 * triangle, 4 * triangle + 3);
    const at = (depth: number): Vec3 => [from[0] - depth * nx, from[1] - depth * ny, from[2] - depth * nz];
    let depth = 1e-6 * Math.hypot(...from) + 1e-9;
    if (!query.isInside(at(depth))) continue;
    // Into the solid, with the distance to the surface as the step, as long as it grows. The way is inside: each of its parts is
    // shorter than the distance.
    for (let step = 0; step < MAX_STEPS; step++) {
      const distance = query.distance(at(depth));
      radius = Math.max(radius, distance);
      if (distance < 0.99 * depth) break;
      depth *= 1.5;
    }
  }
  return radius;
}
