import { defineModel } from '../model.js';
import { type ProfilePoint, revolve } from '../parts/surface-of-revolution.js';

/** A sphere of parallels and meridians: 2 × segments × (rings - 1) triangles. */
export const sphere = defineModel({
  name: 'sphere',
  title: 'Sphere',
  description: 'Parallels and meridians about the Y axis. 27 by 19 give 972 triangles, 25 by 21 give 1,000.',
  parameters: {
    radius: { default: 0.5, min: 0.01, max: 100, description: 'distance of every vertex from the origin, in meters' },
    segments: { default: 27, min: 3, max: 1000, integer: true, description: 'meridians' },
    rings: { default: 19, min: 2, max: 1000, integer: true, description: 'bands from pole to pole' },
  },
  build: ({ radius, segments, rings }) => {
    const parallels = Array.from({ length: rings - 1 }, (_, i): ProfilePoint => {
      const angle = (Math.PI * (i + 1)) / rings;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    });
    return revolve([[0, -radius], ...parallels, [0, radius]], segments);
  },
});
