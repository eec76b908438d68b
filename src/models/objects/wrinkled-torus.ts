import { defineModel } from '../model.js';
import { assertHole, ringPath, torusParameters } from '../parts/torus-ring.js';
import { circleSection, type SectionPoint, sweepTube } from '../parts/tube.js';

/**
 * A torus whose tube swells and shrinks in two crossing families of waves. The default falls into about 390 convex
 * patches; the wrinkled torus of Ehmann and Lin 2001, table 1, falls into 412.
 */
export const wrinkledTorus = defineModel({
  name: 'wrinkled-torus',
  title: 'Wrinkled torus',
  description: 'A ring about the Y axis, crumpled by two crossing families of waves.',
  parameters: {
    ...torusParameters,
    minorRadius: { ...torusParameters.minorRadius, default: 0.12 },
    wrinkleDepth: { default: 0.12, min: 0, max: 0.4, description: 'height of the waves, as a share of minorRadius' },
    wrinkles: { default: 13, min: 4, max: 100, integer: true, description: 'waves around the ring' },
  },
  build: ({ majorRadius, minorRadius, majorSegments, minorSegments, wrinkleDepth, wrinkles }) => {
    assertHole(majorRadius, minorRadius * (1 + wrinkleDepth));
    const section = (station: number, side: number): SectionPoint => {
      const around = (2 * Math.PI * station) / majorSegments;
      const across = (2 * Math.PI * side) / minorSegments;
      const wave = Math.cos(wrinkles * around + 3 * across) + Math.cos((wrinkles - 3) * around - 4 * across);
      return circleSection(minorRadius * (1 + (wrinkleDepth / 2) * wave), across);
    };
    const path = ringPath(majorRadius, 0, majorSegments);
    return sweepTube(path, { closed: true, sides: minorSegments, normal: [1, 0, 0], section });
  },
});
