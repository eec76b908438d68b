import { defineModel } from '../model.js';
import { type ProfilePoint, revolve } from '../parts/surface-of-revolution.js';

/** A ball with a hollow at both poles, broader at the shoulders: 2 × segments × (rings - 1) triangles. */
export const apple = defineModel({
  name: 'apple',
  title: 'Apple',
  description: 'A ball about the Y axis with a deep hollow on top and a shallow one below; 384 triangles.',
  parameters: {
    radius: { default: 0.5, min: 0.01, max: 100, description: 'greatest distance from the center, about, in meters' },
    topHollow: { default: 0.5, min: 0, max: 0.8, description: 'depth of the hollow on top, as a share of radius' },
    bottomHollow: { default: 0.22, min: 0, max: 0.8, description: 'depth of the hollow below, as a share of radius' },
    segments: { default: 16, min: 3, max: 500, integer: true, description: 'segments around the axis' },
    rings: { default: 13, min: 4, max: 500, integer: true, description: 'bands from pole to pole' },
  },
  build: ({ radius, topHollow, bottomHollow, segments, rings }) => {
    // Star-shaped about the center: the distance depends on the angle from the lower pole, so nothing can cross.
    const distanceAt = (angle: number): number => {
      const top = topHollow * hollow((Math.PI - angle) / 0.55);
      const bottom = bottomHollow * hollow(angle / 0.45);
      return radius * (1 - top - bottom - 0.07 * (1 + Math.cos(angle)));
    };
    const profile = Array.from({ length: rings + 1 }, (_, i): ProfilePoint => {
      const angle = (Math.PI * i) / rings;
      const isPole = i === 0 || i === rings;
      return [isPole ? 0 : distanceAt(angle) * Math.sin(angle), -distanceAt(angle) * Math.cos(angle)];
    });
    return revolve(profile, segments);
  },
});

/** 1 at the pole, falling smoothly to 0. */
function hollow(t: number): number {
  return Math.exp(-t * t);
}
