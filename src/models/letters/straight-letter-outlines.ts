// The capitals drawn with straight strokes only, our own design: bars and uprights of one width, slanted strokes of the
// same width measured across. Cap height 1, drawn to the right of x = 0 on the baseline y = 0.
import { closeRing, cutWidth, type OutlineDrawing, type OutlinePoint, STROKE } from './outline-path.js';

/** Chosen: the lower edge of the middle bar of E, F and H, in cap heights. */
const BAR_LOW = 0.5 - STROKE / 2;

/** Chosen: the upper edge of that bar, in cap heights. */
const BAR_HIGH = 0.5 + STROKE / 2;

export const straightLetterOutlines: Readonly<Record<string, OutlineDrawing>> = {
  A: () => {
    const width = 0.84;
    const apex = 0.19;
    const slope = (width - apex) / 2;
    const leg = cutWidth(STROKE, slope);
    const barLow = 0.19;
    const barHigh = barLow + STROKE;
    const inner = (y: number) => leg + slope * y;
    return [
      closeRing([
        [0, 0],
        [leg, 0],
        [inner(barLow), barLow],
        [width - inner(barLow), barLow],
        [width - leg, 0],
        [width, 0],
        [width - slope, 1],
        [slope, 1],
      ]),
      closeRing([
        [inner(barHigh), barHigh],
        [width - inner(barHigh), barHigh],
        [width / 2, (width / 2 - leg) / slope],
      ]),
    ];
  },

  E: () => [
    closeRing([
      [0, 0],
      [0.58, 0],
      [0.58, STROKE],
      [STROKE, STROKE],
      [STROKE, BAR_LOW],
      [0.52, BAR_LOW],
      [0.52, BAR_HIGH],
      [STROKE, BAR_HIGH],
      [STROKE, 1 - STROKE],
      [0.58, 1 - STROKE],
      [0.58, 1],
      [0, 1],
    ]),
  ],

  F: () => [
    closeRing([
      [0, 0],
      [STROKE, 0],
      [STROKE, BAR_LOW],
      [0.5, BAR_LOW],
      [0.5, BAR_HIGH],
      [STROKE, BAR_HIGH],
      [STROKE, 1 - STROKE],
      [0.56, 1 - STROKE],
      [0.56, 1],
      [0, 1],
    ]),
  ],

  H: () => {
    const width = 0.7;
    return [
      closeRing([
        [0, 0],
        [STROKE, 0],
        [STROKE, BAR_LOW],
        [width - STROKE, BAR_LOW],
        [width - STROKE, 0],
        [width, 0],
        [width, 1],
        [width - STROKE, 1],
        [width - STROKE, BAR_HIGH],
        [STROKE, BAR_HIGH],
        [STROKE, 1],
        [0, 1],
      ]),
    ];
  },

  I: () => [
    closeRing([
      [0, 0],
      [STROKE, 0],
      [STROKE, 1],
      [0, 1],
    ]),
  ],

  K: () => {
    const width = 0.73;
    const armSlope = 0.8;
    const arm = cutWidth(STROKE, armSlope);
    const armBottom = (y: number) => width - 0.03 - armSlope * (1 - y);
    const armHeight = (x: number) => 1 - (width - 0.03 - x) / armSlope;
    const legSlope = 0.62;
    const leg = cutWidth(STROKE, legSlope);
    // The leg leaves the lower side of the arm; both its sides end there.
    const meet = (foot: number): OutlinePoint => {
      const y = (foot - armBottom(0)) / (armSlope + legSlope);
      return [armBottom(y), y];
    };
    return [
      closeRing([
        [0, 0],
        [STROKE, 0],
        [STROKE, armHeight(STROKE)],
        meet(width - leg),
        [width - leg, 0],
        [width, 0],
        meet(width),
        [armBottom(1), 1],
        [armBottom(1) - arm, 1],
        [STROKE, armHeight(STROKE + arm)],
        [STROKE, 1],
        [0, 1],
      ]),
    ];
  },

  L: () => [
    closeRing([
      [0, 0],
      [0.54, 0],
      [0.54, STROKE],
      [STROKE, STROKE],
      [STROKE, 1],
      [0, 1],
    ]),
  ],

  M: () => {
    const width = 0.88;
    const shoulder = 0.19;
    const slope = 0.47;
    const stroke = cutWidth(STROKE, slope);
    const upperSide = (x: number) => 1 - (x - shoulder) / slope;
    const lowerSide = (x: number) => 1 - (x - shoulder + stroke) / slope;
    return [
      closeRing([
        [0, 0],
        [STROKE, 0],
        [STROKE, lowerSide(STROKE)],
        [width / 2, lowerSide(width / 2)],
        [width - STROKE, lowerSide(STROKE)],
        [width - STROKE, 0],
        [width, 0],
        [width, 1],
        [width - shoulder, 1],
        [width / 2, upperSide(width / 2)],
        [shoulder, 1],
        [0, 1],
      ]),
    ];
  },

  N: () => {
    const width = 0.74;
    const slope = 0.53;
    // Where the slanted stroke leaves the top; its other side leaves the bottom as far from the right.
    const shoulder = (width + cutWidth(STROKE, slope) - slope) / 2;
    const height = (width - shoulder - STROKE) / slope;
    return [
      closeRing([
        [0, 0],
        [STROKE, 0],
        [STROKE, height],
        [width - shoulder, 0],
        [width, 0],
        [width, 1],
        [width - STROKE, 1],
        [width - STROKE, 1 - height],
        [shoulder, 1],
        [0, 1],
      ]),
    ];
  },

  T: () => {
    const width = 0.68;
    const left = (width - STROKE) / 2;
    return [
      closeRing([
        [left, 0],
        [left + STROKE, 0],
        [left + STROKE, 1 - STROKE],
        [width, 1 - STROKE],
        [width, 1],
        [0, 1],
        [0, 1 - STROKE],
        [left, 1 - STROKE],
      ]),
    ];
  },

  V: () => {
    const width = 0.8;
    const point = 0.18;
    const slope = (width - point) / 2;
    const arm = cutWidth(STROKE, slope);
    return [
      closeRing([
        [slope, 0],
        [width - slope, 0],
        [width, 1],
        [width - arm, 1],
        [width / 2, 1 - (width / 2 - arm) / slope],
        [arm, 1],
        [0, 1],
      ]),
    ];
  },

  W: () => {
    const slope = 0.225;
    const point = 0.165;
    const arm = cutWidth(STROKE, slope);
    const innerTop = 2 * slope + point - arm;
    const width = 2 * innerTop + point;
    const valley = (2 * arm - point) / (2 * slope);
    return [
      closeRing([
        [slope, 0],
        [slope + point, 0],
        [width / 2, (width / 2 - slope - point) / slope],
        [width - slope - point, 0],
        [width - slope, 0],
        [width, 1],
        [width - arm, 1],
        [width - arm - slope * (1 - valley), valley],
        [width - innerTop, 1],
        [innerTop, 1],
        [arm + slope * (1 - valley), valley],
        [arm, 1],
        [0, 1],
      ]),
    ];
  },

  X: () => {
    const slope = 0.57;
    const arm = cutWidth(STROKE, slope);
    const width = slope + arm;
    const notch = (width / 2 - arm) / slope;
    const side = arm + slope / 2;
    return [
      closeRing([
        [0, 0],
        [arm, 0],
        [width / 2, notch],
        [width - arm, 0],
        [width, 0],
        [side, 0.5],
        [width, 1],
        [width - arm, 1],
        [width / 2, 1 - notch],
        [arm, 1],
        [0, 1],
        [width - side, 0.5],
      ]),
    ];
  },

  Y: () => {
    const width = 0.76;
    const slope = 0.52;
    const arm = cutWidth(STROKE, slope);
    const left = (width - STROKE) / 2;
    return [
      closeRing([
        [left, 0],
        [left + STROKE, 0],
        [left + STROKE, 1 - left / slope],
        [width, 1],
        [width - arm, 1],
        [width / 2, 1 - (width / 2 - arm) / slope],
        [arm, 1],
        [0, 1],
        [left, 1 - left / slope],
      ]),
    ];
  },

  Z: () => {
    const slope = 0.68;
    const stroke = cutWidth(STROKE, slope);
    const width = slope * (1 - 2 * STROKE) + stroke;
    return [
      closeRing([
        [0, 0],
        [width, 0],
        [width, STROKE],
        [stroke, STROKE],
        [width, 1 - STROKE],
        [width, 1],
        [0, 1],
        [0, 1 - STROKE],
        [width - stroke, 1 - STROKE],
        [0, STROKE],
      ]),
    ];
  },
};
