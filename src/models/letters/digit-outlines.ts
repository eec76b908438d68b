// The digits 0 to 9 in the design of the capitals: cap height 1, the same stroke, drawn to the right of x = 0 on the
// baseline y = 0.
import {
  arc,
  closeRing,
  cutWidth,
  type OutlineDrawing,
  type OutlinePoint,
  STROKE,
  stadium,
  waistAngle,
} from './outline-path.js';

/** Chosen: half the width of the round digits, in cap heights. */
const RADIUS = 0.32;

/** Half the width of their hollow, in cap heights. */
const INNER = RADIUS - STROKE;

export const digitOutlines: Readonly<Record<string, OutlineDrawing>> = {
  0: () => [
    closeRing(stadium(RADIUS, RADIUS, 1 - RADIUS, RADIUS)),
    closeRing(stadium(RADIUS, RADIUS, 1 - RADIUS, INNER)),
  ],

  1: () => {
    const stem = 0.24;
    const flagTop = stem + 0.02;
    const rise = 0.2 / flagTop;
    const flag = STROKE * Math.hypot(1, rise);
    return [
      closeRing([
        [stem, 0],
        [stem + STROKE, 0],
        [stem + STROKE, 1],
        [flagTop, 1],
        [0, 1 - rise * flagTop],
        [0, 1 - rise * flagTop - flag],
        [stem, 1 - rise * (flagTop - stem) - flag],
      ]),
    ];
  },

  2: () => {
    // The slanted stroke leaves the bowl as its tangent, at 45°.
    const center: OutlinePoint = [RADIUS, 1 - RADIUS];
    const line = (radius: number) => center[0] - center[1] + radius * Math.SQRT2;
    return [
      closeRing([
        [0, 0],
        [2 * RADIUS, 0],
        [2 * RADIUS, STROKE],
        [line(RADIUS) + STROKE, STROKE],
        ...arc(center[0], center[1], RADIUS, -45, 180),
        ...arc(center[0], center[1], INNER, 180, -45),
        [0, -line(INNER)],
      ]),
    ];
  },

  3: () => {
    const radius = (1 + STROKE) / 4;
    const inner = radius - STROKE;
    const center = 0.31;
    const waist = waistAngle(center, radius, radius, center, 1 - radius, radius);
    return [
      closeRing([
        ...arc(center, radius, radius, -168, waist),
        ...arc(center, 1 - radius, radius, -waist, 168),
        ...arc(center, 1 - radius, inner, 168, -90),
        [center - 0.1, 0.5 + STROKE / 2],
        [center - 0.1, 0.5 - STROKE / 2],
        ...arc(center, radius, inner, 90, -168),
      ]),
    ];
  },

  4: () => {
    const stem = 0.42;
    const width = 0.68;
    const barLow = 0.2;
    const barHigh = barLow + STROKE;
    const elbow = barHigh - 0.02;
    const slope = (stem - 0.02) / (1 - elbow);
    const stroke = cutWidth(STROKE, slope);
    return [
      closeRing([
        [stem, 0],
        [stem + STROKE, 0],
        [stem + STROKE, barLow],
        [width, barLow],
        [width, barHigh],
        [stem + STROKE, barHigh],
        [stem + STROKE, 1],
        [stem - 0.02, 1],
        [0, elbow],
        [0, barLow],
        [stem, barLow],
      ]),
      closeRing([
        [stroke + slope * (barHigh - elbow), barHigh],
        [stem, barHigh],
        [stem, elbow + (stem - stroke) / slope],
      ]),
    ];
  },

  5: () => {
    const left = 0.05;
    return [
      closeRing([
        ...arc(RADIUS, RADIUS, RADIUS, -168, 90),
        [left + STROKE, 2 * RADIUS],
        [left + STROKE, 1 - STROKE],
        [0.59, 1 - STROKE],
        [0.59, 1],
        [left, 1],
        [left, 2 * RADIUS - STROKE],
        ...arc(RADIUS, RADIUS, INNER, 90, -168),
      ]),
    ];
  },

  6: drawSix,

  7: () => {
    const width = 0.62;
    const slope = 0.42;
    const stroke = cutWidth(STROKE, slope);
    const foot = width - slope * (1 - STROKE);
    return [
      closeRing([
        [foot - stroke, 0],
        [foot, 0],
        [width, 1 - STROKE],
        [width, 1],
        [0, 1],
        [0, 1 - STROKE],
        [width - stroke, 1 - STROKE],
      ]),
    ];
  },

  8: () => {
    const upper = 0.27;
    const lower = (1 + STROKE) / 2 - upper;
    const meetsUpper = waistAngle(lower, lower, lower, lower, 1 - upper, upper);
    const meetsLower = waistAngle(lower, 1 - upper, upper, lower, lower, lower);
    return [
      closeRing([
        ...arc(lower, lower, lower, -180 - meetsUpper, meetsUpper),
        ...arc(lower, 1 - upper, upper, meetsLower, 180 - meetsLower),
      ]),
      closeRing(stadium(lower, lower, lower, lower - STROKE)),
      closeRing(stadium(lower, 1 - upper, 1 - upper, upper - STROKE)),
    ];
  },

  // Half a turn of the six.
  9: () => drawSix().map((ring) => ring.map((value, i) => (i % 2 === 0 ? 2 * RADIUS - value : 1 - value))),
};

function drawSix(): Float64Array[] {
  return [
    closeRing([
      ...arc(RADIUS, 1 - RADIUS, RADIUS, 12, 180),
      ...arc(RADIUS, RADIUS, RADIUS, 180, 450),
      [STROKE, 2 * RADIUS],
      ...arc(RADIUS, 1 - RADIUS, INNER, 180, 12),
    ]),
    closeRing(stadium(RADIUS, RADIUS, RADIUS, INNER)),
  ];
}
