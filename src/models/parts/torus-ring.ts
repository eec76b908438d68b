// What the three tori have in common: their parameters, the curve inside the tube, and the check that a hole is left.

import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ModelParameter } from '../model.js';

/** 50 × 20 quads make the 2,000 triangles of Ehmann and Lin 2001, table 1. */
export const torusParameters = {
  majorRadius: { default: 0.36, min: 0.05, max: 10, description: 'radius of the ring, in meters' },
  minorRadius: { default: 0.14, min: 0.01, max: 5, description: 'radius of the tube, in meters' },
  majorSegments: { default: 50, min: 3, max: 1000, integer: true, description: 'segments around the ring' },
  minorSegments: { default: 20, min: 3, max: 500, integer: true, description: 'segments around the tube' },
} as const satisfies Record<string, ModelParameter>;

/** A circle about the Y axis that rises to `bend` on the X axis and sinks as much on the Z axis. */
export function ringPath(radius: number, bend: number, segments: number): Vec3[] {
  return Array.from({ length: segments }, (_, i): Vec3 => {
    const angle = (2 * Math.PI * i) / segments;
    return [radius * Math.cos(angle), bend * Math.cos(2 * angle), -radius * Math.sin(angle)];
  });
}

/** Throws for a tube so thick that it meets itself on the inner side of the ring. */
export function assertHole(tightestTurn: number, tubeRadius: number): void {
  if (tubeRadius > 0.9 * tightestTurn) {
    throw new NearfieldError(
      'bad-argument',
      `The torus meets itself: its tube reaches ${tubeRadius} from a ring that turns at a radius of ${tightestTurn}. ` +
        'Make minorRadius smaller or majorRadius larger.',
    );
  }
}
