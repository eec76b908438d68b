// Ranges for the sliders of procedural models, where the model's own limits allow values that do not fit its other
// parameters: within these every value is valid while the others are as they begin.

type Range = readonly [min: number | null, max: number | null];

export const PARAMETER_RANGES: Readonly<Record<string, Readonly<Record<string, Range>>>> = {
  torus: { majorRadius: [0.16, null], minorRadius: [null, 0.32] },
  'wrinkled-torus': { majorRadius: [0.16, null], minorRadius: [null, 0.28] },
  'bent-torus': { majorRadius: [0.25, null], minorRadius: [null, 0.16], bend: [null, 0.6] },
  'spiral-peg': {
    height: [0.8, null],
    coilRadius: [0.1, null],
    rodRadius: [null, 0.08],
    turns: [null, 6],
    segments: [60, null],
  },
  cup: {
    radius: [0.2, 0.9],
    height: [0.7, 1.25],
    thickness: [null, 0.12],
    handleReach: [0.18, 0.4],
    handleRadius: [null, 0.045],
  },
  bowl: { radius: [0.2, null], depth: [0.1, null], thickness: [null, 0.2] },
  funnel: { mouthRadius: [0.15, null], spoutRadius: [null, 0.45] },
  ramp: { wallThickness: [null, 0.2] },
  snake: { length: [1.4, null], girth: [null, 0.048], sway: [null, 0.16], waves: [null, 2], sections: [48, null] },
};
