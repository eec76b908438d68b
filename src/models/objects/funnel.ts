import { NearfieldError } from '../../core/errors.js';
import { defineModel } from '../model.js';
import { type ProfilePoint, profileLine, revolve } from '../parts/surface-of-revolution.js';

/** A cone that opens upwards over a straight spout: 4 × segments × (spoutBands + coneBands + 1) triangles. */
export const funnel = defineModel({
  name: 'funnel',
  title: 'Funnel',
  description: 'A conical shell about the Y axis that opens upwards, over a straight spout.',
  parameters: {
    mouthRadius: { default: 0.5, min: 0.05, max: 10, description: 'inner radius at the top, in meters' },
    spoutRadius: { default: 0.12, min: 0.01, max: 5, description: 'inner radius of the spout, in meters' },
    coneHeight: { default: 0.45, min: 0.02, max: 10, description: 'height of the cone, in meters' },
    spoutLength: { default: 0.3, min: 0.02, max: 10, description: 'length of the spout, in meters' },
    thickness: { default: 0.03, min: 0.005, max: 2, description: 'horizontal thickness of the wall, in meters' },
    segments: { default: 32, min: 3, max: 500, integer: true, description: 'segments around the axis' },
    coneBands: { default: 5, min: 1, max: 200, integer: true, description: 'bands along the cone' },
    spoutBands: { default: 3, min: 1, max: 200, integer: true, description: 'bands along the spout' },
  },
  build: ({ mouthRadius, spoutRadius, coneHeight, spoutLength, thickness, segments, coneBands, spoutBands }) => {
    if (spoutRadius > mouthRadius) {
      throw new NearfieldError(
        'bad-argument',
        `The funnel's spoutRadius ${spoutRadius} is larger than its mouthRadius ${mouthRadius}; swap them.`,
      );
    }
    const bottom = -(spoutLength + coneHeight) / 2;
    const lip: ProfilePoint = [spoutRadius, bottom];
    const neck: ProfilePoint = [spoutRadius, bottom + spoutLength];
    const rim: ProfilePoint = [mouthRadius, bottom + spoutLength + coneHeight];
    const inside = [lip, ...profileLine(lip, neck, spoutBands), ...profileLine(neck, rim, coneBands)];
    const outside = inside.map(([r, y]): ProfilePoint => [r + thickness, y]);
    return revolve([...outside, ...inside.reverse()], segments);
  },
});
