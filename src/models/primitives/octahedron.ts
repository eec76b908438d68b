import { defineModel } from '../model.js';
import { revolve } from '../parts/surface-of-revolution.js';

/** The regular octahedron: 8 triangles. */
export const octahedron = defineModel({
  name: 'octahedron',
  title: 'Octahedron',
  description: 'The regular octahedron about the origin, its corners on the axes.',
  parameters: {
    radius: { default: 0.6, min: 0.01, max: 100, description: 'distance of the corners from the origin, in meters' },
  },
  build: ({ radius }) =>
    revolve(
      [
        [0, -radius],
        [radius, 0],
        [0, radius],
      ],
      4,
    ),
});
