import { NearfieldError } from '../../core/errors.js';
import { defineModel } from '../model.js';
import { type ProfilePoint, revolve } from '../parts/surface-of-revolution.js';

/** Half an ellipsoid, hollowed out: 4 × segments × rings triangles. */
export const bowl = defineModel({
  name: 'bowl',
  title: 'Bowl',
  description: 'An open bowl about the Y axis with a flat rim; 176 triangles.',
  parameters: {
    radius: { default: 0.5, min: 0.05, max: 10, description: 'outer radius of the rim, in meters' },
    depth: { default: 0.35, min: 0.05, max: 10, description: 'height from the lowest point to the rim, in meters' },
    thickness: { default: 0.05, min: 0.002, max: 5, description: 'thickness at the rim and at the bottom, in meters' },
    segments: { default: 11, min: 3, max: 1000, integer: true, description: 'segments around the axis' },
    rings: { default: 4, min: 1, max: 500, integer: true, description: 'bands from the bottom to the rim' },
  },
  build: ({ radius, depth, thickness, segments, rings }) => {
    if (thickness > 0.9 * Math.min(radius, depth)) {
      throw new NearfieldError(
        'bad-argument',
        `The bowl has no hollow left with a thickness of ${thickness}; give at most 0.9 times radius and depth.`,
      );
    }
    const outside = quarterEllipse(radius, depth, depth / 2, rings);
    const inside = quarterEllipse(radius - thickness, depth - thickness, depth / 2, rings);
    return revolve([...outside, ...inside.reverse()], segments);
  },
});

/** From the axis, `depth` below `top`, up to the rim at `top`. */
function quarterEllipse(radius: number, depth: number, top: number, bands: number): ProfilePoint[] {
  return Array.from({ length: bands + 1 }, (_, i): ProfilePoint => {
    if (i === bands) return [radius, top];
    const angle = (Math.PI / 2) * (i / bands);
    return [radius * Math.sin(angle), top - depth * Math.cos(angle)];
  });
}
