// Colors of Voronoi regions: hues by the golden angle, so that neighbors in the list differ, at even lightness (OKLab,
// Ottosson 2020).
import type { Vec3 } from 'nearfield/core';

/** Different colors; after them they repeat. */
export const REGION_COLORS = 255;
/** Stands for no region. */
export const NO_REGION = 255;

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Red, green and blue of the screen, 0 to 255. */
export function regionColor(index: number): Vec3 {
  const hue = 1.1 + index * GOLDEN_ANGLE;
  const lightness = [0.87, 0.82, 0.91][index % 3];
  const chroma = 0.085;
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    screen(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    screen(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    screen(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The color of every index and, at the end, that of no region: four bytes each. */
export function regionPalette(): Uint8Array {
  const bytes = new Uint8Array(4 * (REGION_COLORS + 1)).fill(255);
  for (let index = 0; index < REGION_COLORS; index++) bytes.set(regionColor(index), 4 * index);
  bytes.set([240, 240, 240, 255], 4 * NO_REGION);
  return bytes;
}

function screen(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
}
