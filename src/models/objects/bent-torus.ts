import { defineModel } from '../model.js';
import { assertHole, ringPath, torusParameters } from '../parts/torus-ring.js';
import { circleSection, sweepTube } from '../parts/tube.js';

/**
 * A torus whose ring leaves its plane like the rim of a saddle. The default falls into about 310 convex patches, as the
 * bent torus of Ehmann and Lin 2001, table 1, does.
 */
export const bentTorus = defineModel({
  name: 'bent-torus',
  title: 'Bent torus',
  description: 'A ring about the Y axis that rises on two opposite sides and sinks between them.',
  parameters: {
    ...torusParameters,
    minorRadius: { ...torusParameters.minorRadius, default: 0.11 },
    majorSegments: { ...torusParameters.majorSegments, min: 12 },
    bend: { default: 0.4, min: 0, max: 1, description: 'rise of the ring out of its plane, as a share of majorRadius' },
  },
  build: ({ majorRadius, minorRadius, majorSegments, minorSegments, bend }) => {
    // The tightest turn is at the crests: 1 / majorRadius about the axis together with 4 · bend / majorRadius upwards.
    assertHole(majorRadius / Math.hypot(1, 4 * bend), minorRadius);
    return sweepTube(ringPath(majorRadius, bend * majorRadius, majorSegments), {
      closed: true,
      sides: minorSegments,
      normal: [1, 0, 0],
      section: (_, side) => circleSection(minorRadius, (2 * Math.PI * side) / minorSegments),
      diagonals: 'parallel',
    });
  },
});
