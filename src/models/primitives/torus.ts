import { defineModel } from '../model.js';
import { type ProfilePoint, revolve } from '../parts/surface-of-revolution.js';
import { assertHole, torusParameters } from '../parts/torus-ring.js';
import { circleSection } from '../parts/tube.js';

/** A ring about the Y axis: 2 × majorSegments × minorSegments triangles. */
export const torus = defineModel({
  name: 'torus',
  title: 'Torus',
  description: 'A ring about the Y axis. 50 by 20 segments give 2,000 triangles, 64 by 16 give 2,048.',
  parameters: torusParameters,
  build: ({ majorRadius, minorRadius, majorSegments, minorSegments }) => {
    assertHole(majorRadius, minorRadius);
    const profile = Array.from({ length: minorSegments }, (_, i): ProfilePoint => {
      const [outward, up] = circleSection(minorRadius, (2 * Math.PI * i) / minorSegments);
      return [majorRadius + outward, up];
    });
    return revolve(profile, majorSegments);
  },
});
