// One scale of colours for all pictures of a quantity: dark and blue for the least, bright and yellow for the most, in
// steps that look even and stay apart for those who see red and green alike.
import type { Vec3 } from 'nearfield/core';

/** Red, green and blue of the screen, 0 to 255, at equal steps of the scale. */
const STOPS: readonly Vec3[] = [
  [24, 22, 66],
  [28, 76, 122],
  [26, 131, 133],
  [94, 183, 105],
  [246, 226, 76],
];

/** The screen's colour for a share from 0 to 1. */
export function scaleColor(share: number): Vec3 {
  const place = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(place));
  return [0, 1, 2].map((k) => STOPS[low][k] + (place - low) * (STOPS[low + 1][k] - STOPS[low][k])) as Vec3;
}

/** The same, linear from 0 to 1, as colours of faces are. */
export function linearScaleColor(share: number): Vec3 {
  return scaleColor(share).map((value) => {
    const screen = value / 255;
    return screen <= 0.04045 ? screen / 12.92 : ((screen + 0.055) / 1.055) ** 2.4;
  }) as Vec3;
}
