import { defineModel } from '../model.js';
import { type ProfilePoint, revolve } from '../parts/surface-of-revolution.js';

/** A cylinder between two half spheres: 4 × segments × rings triangles. */
export const capsule = defineModel({
  name: 'capsule',
  title: 'Capsule',
  description: 'A cylinder about the Y axis between two half spheres.',
  parameters: {
    radius: {
      default: 0.25,
      min: 0.05,
      max: 10,
      description: 'radius of the cylinder and the half spheres, in meters',
    },
    length: { default: 0.5, min: 0.01, max: 10, description: 'length of the cylinder, in meters' },
    segments: { default: 32, min: 3, max: 1000, integer: true, description: 'segments around the axis' },
    rings: { default: 8, min: 1, max: 500, integer: true, description: 'bands of each half sphere' },
  },
  build: ({ radius, length, segments, rings }) => {
    const upper = Array.from({ length: rings }, (_, i): ProfilePoint => {
      const angle = (Math.PI / 2) * (i / rings);
      return [radius * Math.cos(angle), length / 2 + radius * Math.sin(angle)];
    });
    const lower = upper.map(([r, y]): ProfilePoint => [r, -y]).reverse();
    const end = length / 2 + radius;
    return revolve([[0, -end], ...lower, ...upper, [0, end]], segments);
  },
});
