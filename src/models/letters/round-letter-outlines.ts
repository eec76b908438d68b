// The capitals with round strokes, in the design of the straight ones: bowls run between concentric half-circles, so
// that a round stroke is as wide as a straight one. Cap height 1, drawn to the right of x = 0 on the baseline y = 0.
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

export const roundLetterOutlines: Readonly<Record<string, OutlineDrawing>> = {
  B: () => {
    const waist = 0.52;
    const upper = { x: 0.33, y: (1 + waist - STROKE / 2) / 2, radius: (1 - waist + STROKE / 2) / 2 };
    const lower = { x: 0.36, y: (waist + STROKE / 2) / 2, radius: (waist + STROKE / 2) / 2 };
    const meetsUpper = waistAngle(lower.x, lower.y, lower.radius, upper.x, upper.y, upper.radius);
    const meetsLower = waistAngle(upper.x, upper.y, upper.radius, lower.x, lower.y, lower.radius);
    return [
      closeRing([
        [0, 0],
        ...arc(lower.x, lower.y, lower.radius, -90, meetsUpper),
        ...arc(upper.x, upper.y, upper.radius, meetsLower, 90),
        [0, 1],
      ]),
      ...[lower, upper].map(({ x, y, radius }) => bowlHole(x, y, radius - STROKE)),
    ];
  },

  C: () => {
    const radius = 0.34;
    const inner = radius - STROKE;
    return [
      closeRing([
        ...arc(radius, 1 - radius, radius, 0, 180),
        ...arc(radius, radius, radius, 180, 360),
        ...arc(radius, radius, inner, 360, 180),
        ...arc(radius, 1 - radius, inner, 180, 0),
      ]),
    ];
  },

  D: () => {
    const radius = 0.4;
    const center = 0.29;
    const inner = radius - STROKE;
    return [
      closeRing([[0, 0], ...arc(center, radius, radius, -90, 0), ...arc(center, 1 - radius, radius, 0, 90), [0, 1]]),
      closeRing([
        [STROKE, STROKE],
        ...arc(center, radius, inner, -90, 0),
        ...arc(center, 1 - radius, inner, 0, 90),
        [STROKE, 1 - STROKE],
      ]),
    ];
  },

  G: () => {
    const radius = 0.35;
    const inner = radius - STROKE;
    return [
      closeRing([
        ...arc(radius, 1 - radius, radius, 10, 180),
        ...arc(radius, radius, radius, 180, 360),
        [2 * radius, radius + STROKE],
        [radius + 0.04, radius + STROKE],
        [radius + 0.04, radius],
        ...arc(radius, radius, inner, 360, 180),
        ...arc(radius, 1 - radius, inner, 180, 10),
      ]),
    ];
  },

  J: () => {
    const radius = 0.27;
    return [
      closeRing([
        ...arc(radius, radius, radius, 180, 360),
        [2 * radius, 1],
        [2 * radius - STROKE, 1],
        ...arc(radius, radius, radius - STROKE, 360, 180),
      ]),
    ];
  },

  O: () => {
    const radius = 0.37;
    return [
      closeRing(stadium(radius, radius, 1 - radius, radius)),
      closeRing(stadium(radius, radius, 1 - radius, radius - STROKE)),
    ];
  },

  P: () => {
    const radius = 0.3;
    const center = 0.33;
    return [
      closeRing([[0, 0], [STROKE, 0], [STROKE, 1 - 2 * radius], ...arc(center, 1 - radius, radius, -90, 90), [0, 1]]),
      bowlHole(center, 1 - radius, radius - STROKE),
    ];
  },

  Q: () => {
    const radius = 0.37;
    const inner = radius - STROKE;
    // The tail crosses the bowl at right angles, halfway between its right and its bottom, and is cut at the baseline.
    const spread = (atRadius: number) => (Math.asin(STROKE / 2 / atRadius) * 180) / Math.PI;
    const foot = (side: number): OutlinePoint => [2 * radius + (side * STROKE) / Math.SQRT2, 0];
    const tip = (side: number): OutlinePoint => {
      const along = 0.09;
      return [
        radius + (along + (side * STROKE) / 2) / Math.SQRT2,
        radius + (-along + (side * STROKE) / 2) / Math.SQRT2,
      ];
    };
    return [
      closeRing([
        ...arc(radius, radius, radius, 180, 315 - spread(radius)),
        foot(-1),
        foot(1),
        ...arc(radius, radius, radius, 315 + spread(radius), 360),
        ...arc(radius, 1 - radius, radius, 0, 180),
      ]),
      closeRing([
        ...arc(radius, radius, inner, 180, 315 - spread(inner)),
        tip(-1),
        tip(1),
        ...arc(radius, radius, inner, 315 + spread(inner), 360),
        ...arc(radius, 1 - radius, inner, 0, 180),
      ]),
    ];
  },

  R: () => {
    const radius = 0.3;
    const center: OutlinePoint = [0.33, 1 - radius];
    const width = 0.68;
    const slope = 0.44;
    const leg = cutWidth(STROKE, slope);
    // The leg's right side is a chord of the bowl: its lower end, seen from the center.
    const chordDistance = (width - slope * center[1] - center[0]) / Math.hypot(slope, 1);
    const meets = ((Math.atan(slope) - Math.acos(chordDistance / radius)) * 180) / Math.PI;
    return [
      closeRing([
        [0, 0],
        [STROKE, 0],
        [STROKE, 1 - 2 * radius],
        [width - leg - slope * (1 - 2 * radius), 1 - 2 * radius],
        [width - leg, 0],
        [width, 0],
        ...arc(center[0], center[1], radius, meets, 90),
        [0, 1],
      ]),
      bowlHole(center[0], center[1], radius - STROKE),
    ];
  },

  S: () => {
    const radius = (1 + STROKE) / 4;
    const inner = radius - STROKE;
    const right = radius + 0.06;
    const high = 1 - radius;
    return [
      closeRing([
        ...arc(right, high, radius, 12, 90),
        ...arc(radius, high, radius, 90, 270),
        ...arc(right, radius, inner, 90, -90),
        ...arc(radius, radius, inner, 270, 192),
        ...arc(radius, radius, radius, 192, 270),
        ...arc(right, radius, radius, -90, 90),
        ...arc(radius, high, inner, 270, 90),
        ...arc(right, high, inner, 90, 12),
      ]),
    ];
  },

  U: () => {
    const radius = 0.35;
    return [
      closeRing([
        ...arc(radius, radius, radius, 180, 360),
        [2 * radius, 1],
        [2 * radius - STROKE, 1],
        ...arc(radius, radius, radius - STROKE, 360, 180),
        [STROKE, 1],
        [0, 1],
      ]),
    ];
  },
};

/** The counter of B, P and R: straight at the stem, a half-circle on the right. */
function bowlHole(centerX: number, centerY: number, radius: number): Float64Array {
  return closeRing([[STROKE, centerY - radius], ...arc(centerX, centerY, radius, -90, 90), [STROKE, centerY + radius]]);
}
