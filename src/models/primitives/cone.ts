import { defineModel } from '../model.js';
import { profileLine, revolve } from '../parts/surface-of-revolution.js';

/** A solid cone: 2 × segments × bands triangles. */
export const cone = defineModel({
  name: 'cone',
  title: 'Cone',
  description: 'A solid cone about the Y axis, its apex up.',
  parameters: {
    radius: { default: 0.4, min: 0.05, max: 10, description: 'radius of the base, in meters' },
    height: { default: 1, min: 0.05, max: 10, description: 'height, in meters' },
    segments: { default: 32, min: 3, max: 1000, integer: true, description: 'segments around the axis' },
    bands: { default: 8, min: 1, max: 200, integer: true, description: 'bands from the base to the apex' },
  },
  build: ({ radius, height, segments, bands }) => {
    const side = profileLine([radius, -height / 2], [0, height / 2], bands);
    return revolve([[0, -height / 2], [radius, -height / 2], ...side], segments);
  },
});
