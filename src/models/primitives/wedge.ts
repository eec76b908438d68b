import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';

/** A solid ramp down to the ground: 8 triangles. */
export const wedge = defineModel({
  name: 'wedge',
  title: 'Wedge',
  description: 'A solid ramp that rises from the ground along +X; 8 triangles.',
  parameters: {
    length: { default: 1, min: 0.05, max: 50, description: 'size along X, in meters' },
    height: { default: 0.4, min: 0.05, max: 50, description: 'height of the high end, in meters' },
    width: { default: 0.5, min: 0.05, max: 50, description: 'size along Z, in meters' },
  },
  build: ({ length, height, width }) => {
    const surface = new SurfaceBuilder();
    const [x, y, z] = [length / 2, height / 2, width / 2];
    const [low, foot, high] = surface.addVertices([
      [-x, -y, -z],
      [x, -y, -z],
      [x, y, -z],
    ]);
    const [lowFront, footFront, highFront] = surface.addVertices([
      [-x, -y, z],
      [x, -y, z],
      [x, y, z],
    ]);
    surface.addTriangle(low, high, foot);
    surface.addTriangle(lowFront, footFront, highFront);
    surface.addQuad(low, foot, footFront, lowFront);
    surface.addQuad(foot, high, highFront, footFront);
    surface.addQuad(high, low, lowFront, highFront);
    return surface.build();
  },
});
