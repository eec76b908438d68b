import type { Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';

/** A box of 12 triangles about the origin; the default is the unit cube. */
export const box = defineModel({
  name: 'box',
  title: 'Box',
  description: 'A box of 12 triangles about the origin; a unit cube by default.',
  parameters: {
    width: { default: 1, min: 0.01, max: 100, description: 'size along X, in meters' },
    height: { default: 1, min: 0.01, max: 100, description: 'size along Y, in meters' },
    depth: { default: 1, min: 0.01, max: 100, description: 'size along Z, in meters' },
  },
  build: ({ width, height, depth }) => {
    const surface = new SurfaceBuilder();
    // Corner i has bit 0 for +X, bit 1 for +Y, bit 2 for +Z.
    for (let i = 0; i < 8; i++) {
      const corner: Vec3 = [i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5];
      surface.addVertex([corner[0] * width, corner[1] * height, corner[2] * depth]);
    }
    // Split from the corners of one inscribed tetrahedron, so that opposite faces mirror each other.
    surface.addQuad(0, 4, 6, 2);
    surface.addQuad(3, 7, 5, 1);
    surface.addQuad(0, 1, 5, 4);
    surface.addQuad(6, 7, 3, 2);
    surface.addQuad(0, 2, 3, 1);
    surface.addQuad(5, 7, 6, 4);
    return surface.build();
  },
});
