import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { defineModel } from '../model.js';
import { circleSection, sweepTube } from '../parts/tube.js';

/**
 * A round rod wound into a helix about the Y axis, with flat ends. 201 rings of 20 points make the 8,040 triangles of
 * Ehmann and Lin 2001, table 1; the default falls into about 1,800 convex patches, theirs into 1,812.
 */
export const spiralPeg = defineModel({
  name: 'spiral-peg',
  title: 'Spiral peg',
  description: 'A round rod wound into a helix about the Y axis, with flat ends.',
  parameters: {
    height: { default: 0.87, min: 0.1, max: 20, description: 'rise of the helix from end to end, in meters' },
    coilRadius: { default: 0.2, min: 0.02, max: 10, description: 'distance of the rod from the axis, in meters' },
    rodRadius: { default: 0.065, min: 0.005, max: 5, description: 'radius of the rod, in meters' },
    turns: { default: 5, min: 0.25, max: 50, description: 'turns about the axis' },
    segments: {
      default: 200,
      min: 4,
      max: 5000,
      integer: true,
      description: 'segments along the rod; at least 8 per turn',
    },
    sides: { default: 20, min: 3, max: 200, integer: true, description: 'segments around the rod' },
  },
  build: ({ height, coilRadius, rodRadius, turns, segments, sides }) => {
    assertCoil(height, coilRadius, rodRadius, turns, segments);
    const path = Array.from({ length: segments + 1 }, (_, i): Vec3 => {
      const t = i / segments;
      const angle = 2 * Math.PI * turns * t;
      return [coilRadius * Math.cos(angle), (t - 0.5) * height, -coilRadius * Math.sin(angle)];
    });
    return sweepTube(path, {
      closed: false,
      sides,
      normal: [1, 0, 0],
      section: (_, side) => circleSection(rodRadius, (2 * Math.PI * side) / sides),
      diagonals: 'parallel',
    });
  },
});

function assertCoil(height: number, coilRadius: number, rodRadius: number, turns: number, segments: number): void {
  const refuse = (problem: string) => new NearfieldError('bad-argument', `The spiral peg ${problem}`);
  if (segments < 8 * turns) {
    throw refuse(`has ${segments} segments for ${turns} turns; give at least ${Math.ceil(8 * turns)} segments.`);
  }
  if (rodRadius > 0.9 * coilRadius) {
    throw refuse(`meets itself on the axis; make rodRadius at most ${0.9 * coilRadius} or coilRadius larger.`);
  }
  // Neighboring turns, measured across the rod, are nearer than the pitch by the cosine of the helix's slope.
  const pitch = height / turns;
  const gap = pitch * Math.cos(Math.atan2(pitch, 2 * Math.PI * coilRadius));
  if (turns > 0.5 && 2.1 * rodRadius > gap) {
    throw refuse(`meets itself from turn to turn; make rodRadius at most ${gap / 2.1}, or height larger.`);
  }
}
