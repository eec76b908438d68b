import type { Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { loft } from '../parts/loft.js';
import { smoothStep } from '../parts/smooth-step.js';

/**
 * Chosen: where the eight spans between tip, seven sections and end of the default spoon lie, as shares of its length.
 */
const STATIONS = [0, 0.035, 0.12, 0.24, 0.34, 0.42, 0.7, 0.955, 1];

/** Chosen: the length of the bowl, as a share of the spoon's. */
const BOWL_LENGTH = 0.4;

/**
 * Bowl and handle as an upper and a lower sheet that meet along the outline: 2 × sections × sides triangles. Both
 * sheets are heights over the same triangulated outline, the upper one higher, so they meet nowhere else.
 */
export const spoon = defineModel({
  name: 'spoon',
  title: 'Spoon',
  description: 'A spoon along the X axis, its bowl at -X; 84 triangles.',
  parameters: {
    length: { default: 1, min: 0.1, max: 10, description: 'size along X, in meters' },
    bowlWidth: { default: 0.26, min: 0.1, max: 0.6, description: 'width of the bowl, as a share of length' },
    bowlDepth: { default: 0.08, min: 0, max: 0.3, description: 'depth of the bowl, as a share of length' },
    thickness: { default: 0.03, min: 0.005, max: 0.1, description: 'thickness, as a share of length' },
    sections: { default: 7, min: 7, max: 500, integer: true, description: 'cross-sections from the tip to the end' },
    halfSides: { default: 3, min: 2, max: 100, integer: true, description: 'segments across each sheet' },
  },
  build: ({ length, bowlWidth, bowlDepth, thickness, sections, halfSides }) => {
    const pointAt = (x: number, across: number, sheet: number): Vec3 => {
      const arch = 1 - across * across;
      const height = handleLift(x) - bowlDepth * bowlOutline(x) ** 2 * arch + sheet * (thickness / 2) * arch;
      return [(x - 0.5) * length, height * length, across * (bowlWidth / 2) * halfWidth(x) * length];
    };
    const rings = Array.from({ length: sections }, (_, i) => {
      const x = stationAt((i + 1) / (sections + 1));
      return Array.from({ length: 2 * halfSides }, (_, j) => {
        const across = 1 - 2 * Math.abs(1 - j / halfSides);
        return pointAt(x, across, j < halfSides ? 1 : -1);
      });
    });
    return loft(rings, { start: pointAt(0, 0, 0), end: pointAt(1, 0, 0) });
  },
});

function stationAt(t: number): number {
  const span = Math.min(Math.floor(t * 8), 7);
  return STATIONS[span] + (STATIONS[span + 1] - STATIONS[span]) * (t * 8 - span);
}

/** An ellipse over the bowl: 0 at both of its ends, 1 in its middle. */
function bowlOutline(x: number): number {
  const t = (2 * x) / BOWL_LENGTH - 1;
  return Math.sqrt(Math.max(0, 1 - t * t));
}

/** Share of the bowl's half width: the bowl, then a handle that broadens to a rounded end. */
function halfWidth(x: number): number {
  const handle = 0.18 + 0.14 * smoothStep(0.45, 1, x);
  const end = Math.sqrt(Math.max(0, 1 - Math.max(0, (x - 0.9) / 0.1) ** 2));
  return Math.max(bowlOutline(x), smoothStep(0.2, 0.42, x) * handle * Math.max(end, 0.5));
}

function handleLift(x: number): number {
  return 0.1 * smoothStep(0.3, 0.75, x);
}
