// Color scales for pictures of a quantity, perceptually even and safe for red-green color blindness. Sequential: from
// dark blue for the least to bright yellow for the most. Diverging: orange below 0, blue above 0, both darker farther
// from 0.
import type { Vec3 } from 'nearfield/core';

export type ScaleName = 'sequential' | 'diverging';

/** Red, green and blue of the screen, 0 to 255, at equal steps of the scale. */
const STOPS: readonly Vec3[] = [
  [24, 22, 66],
  [28, 76, 122],
  [26, 131, 133],
  [94, 183, 105],
  [246, 226, 76],
];

/** From −1 to just below 0, then from 0 to 1. */
const DIVERGING_STOPS: readonly Vec3[] = [
  [120, 44, 12],
  [196, 92, 20],
  [240, 160, 56],
  [252, 222, 160],
  [214, 232, 240],
  [134, 186, 214],
  [62, 126, 178],
  [24, 56, 104],
];

/** The screen color of a fraction from 0 to 1. */
export function scaleColor(share: number): Vec3 {
  return between(STOPS, share);
}

/** The screen color of a fraction from −1 to 1. */
export function divergingColor(share: number): Vec3 {
  const half = DIVERGING_STOPS.length / 2;
  return share < 0
    ? between(DIVERGING_STOPS.slice(0, half).toReversed(), -share)
    : between(DIVERGING_STOPS.slice(half), share);
}

/** Like {@link scaleColor}, but linear from 0 to 1, as for colors of faces. */
export function linearScaleColor(share: number): Vec3 {
  return linearColor(scaleColor(share));
}

/** The colors that a scale interpolates, linear from 0 to 1. A diverging scale is two halves in sequence. */
export function linearStops(scale: ScaleName): readonly Vec3[] {
  return (scale === 'diverging' ? DIVERGING_STOPS : STOPS).map(linearColor);
}

function between(stops: readonly Vec3[], share: number): Vec3 {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(place));
  return [0, 1, 2].map((k) => stops[low][k] + (place - low) * (stops[low + 1][k] - stops[low][k])) as Vec3;
}

/** A color of the screen as linear red, green and blue from 0 to 1. */
export function linearColor(color: Vec3): Vec3 {
  return color.map((value) => {
    const screen = value / 255;
    return screen <= 0.04045 ? screen / 12.92 : ((screen + 0.055) / 1.055) ** 2.4;
  }) as Vec3;
}
