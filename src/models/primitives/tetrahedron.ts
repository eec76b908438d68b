import { scale } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { SurfaceBuilder } from '../parts/surface-builder.js';

/** The regular tetrahedron: 4 triangles. */
export const tetrahedron = defineModel({
  name: 'tetrahedron',
  title: 'Tetrahedron',
  description: 'The regular tetrahedron about the origin, its corners on every other corner of a cube.',
  parameters: {
    radius: { default: 0.6, min: 0.01, max: 100, description: 'distance of the corners from the origin, in meters' },
  },
  build: ({ radius }) => {
    const surface = new SurfaceBuilder();
    const reach = radius / Math.sqrt(3);
    surface.addVertex(scale([1, 1, 1], reach));
    surface.addVertex(scale([-1, 1, -1], reach));
    surface.addVertex(scale([-1, -1, 1], reach));
    surface.addVertex(scale([1, -1, -1], reach));
    surface.addTriangle(0, 1, 2);
    surface.addTriangle(0, 3, 1);
    surface.addTriangle(0, 2, 3);
    surface.addTriangle(1, 3, 2);
    return surface.build();
  },
});
