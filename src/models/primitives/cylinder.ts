import { defineModel } from '../model.js';
import { profileLine, revolve } from '../parts/surface-of-revolution.js';

/** A solid cylinder: 2 × segments × (bands + 2 × capRings - 1) triangles. */
export const cylinder = defineModel({
  name: 'cylinder',
  title: 'Cylinder',
  description: 'A solid cylinder about the Y axis with flat ends, evenly triangulated; 20,000 triangles.',
  parameters: {
    radius: { default: 0.3, min: 0.05, max: 10, description: 'radius, in meters' },
    height: { default: 1, min: 0.05, max: 10, description: 'height, in meters' },
    segments: { default: 100, min: 3, max: 1000, integer: true, description: 'segments around the axis' },
    bands: { default: 81, min: 1, max: 1000, integer: true, description: 'bands along the side' },
    capRings: { default: 10, min: 1, max: 200, integer: true, description: 'rings across each end' },
  },
  build: ({ radius, height, segments, bands, capRings }) => {
    const bottom = -height / 2;
    const top = height / 2;
    return revolve(
      [
        [0, bottom],
        ...profileLine([0, bottom], [radius, bottom], capRings),
        ...profileLine([radius, bottom], [radius, top], bands),
        ...profileLine([radius, top], [0, top], capRings),
      ],
      segments,
    );
  },
});
