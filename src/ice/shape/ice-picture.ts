// A picture of ice from above, lit from the upper left, through which a background is seen refracted.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { PngImage } from '../../io/image/png-image.js';
import type { IceState } from '../ice.js';
import { HEIGHT_OPTIONS, type IceHeightOptions, iceHeights } from './ice-heights.js';

/** Options of {@link drawIce}. */
export interface IcePictureOptions extends IceHeightOptions {
  /** What lies below the ice, stretched to the picture: gray or colored, 8 bits per channel. Default: a dark gradient. */
  readonly background?: PngImage | undefined;
}

const PICTURE_OPTIONS = optionTable<IcePictureOptions>()({ ...HEIGHT_OPTIONS.rules, background: checkedElsewhere() });

/** Measured: the refractive index of ice at the sodium line. */
const REFRACTIVE_INDEX = 1.31;
/** Chosen: how far below the ice the background is, in heights of the ice. */
const BACKGROUND_DEPTH = 4;
/** Chosen: the direction toward the light, the upper left. */
const LIGHT = [-0.45, 0.55, 0.7];
/** Chosen: the direction between those toward the light and the eye, for the shine. */
const HALF = [-0.23, 0.28, 0.93];
/** Chosen: the share of light that ice of full height keeps, by channel. */
const CLEARNESS = [0.72, 0.86, 0.95];

/** One pixel per cell, y up, three channels. */
export function drawIce(state: IceState, options: IcePictureOptions = {}): PngImage {
  PICTURE_OPTIONS.assert(options);
  const { background, ...form } = options;
  if (background !== undefined) assertBackground(background);
  const heights = iceHeights(state, form);
  const [width, height] = heights.size;
  const { values, spacing } = heights;
  let highest = 0;
  for (const value of values) highest = Math.max(highest, value);
  const pixels = new Uint8Array(3 * width * height);
  const color = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const east = values[x + 1 < width ? at + 1 : at];
      const west = values[x > 0 ? at - 1 : at];
      const north = values[y + 1 < height ? at + width : at];
      const south = values[y > 0 ? at - width : at];
      const slopeX = (east - west) / (2 * spacing);
      const slopeY = (north - south) / (2 * spacing);
      const steep = Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY);
      const share = highest === 0 ? 0 : values[at] / highest;
      // A ray from above bends toward the normal: Snell's law for small angles.
      const bend = ((1 - 1 / REFRACTIVE_INDEX) * (values[at] + BACKGROUND_DEPTH * highest * share)) / spacing / steep;
      colorBelow(background, (x + 0.5 - bend * slopeX) / width, (y + 0.5 - bend * slopeY) / height, color);
      const diffuse = Math.max(0, (-slopeX * LIGHT[0] - slopeY * LIGHT[1] + LIGHT[2]) / steep);
      const shine = Math.max(0, (-slopeX * HALF[0] - slopeY * HALF[1] + HALF[2]) / steep) ** 40;
      const rim = 1 - 1 / steep;
      const to = 3 * ((height - 1 - y) * width + x);
      for (let channel = 0; channel < 3; channel++) {
        const through = color[channel] * (1 + (CLEARNESS[channel] - 1) * share);
        // Light scattered in the ice, and reflected at its slopes.
        const scattered = share * (78 + 16 * channel) * diffuse;
        const reflected = share > 0 ? rim * (170 * diffuse + 160 * shine) : 0;
        const ownLight = scattered + reflected;
        pixels[to + channel] = Math.max(0, Math.min(255, Math.round(through + ownLight)));
      }
    }
  }
  return { width, height, channels: 3, pixels };
}

/** The background at a place from 0 to 1, y up, by bilinear interpolation. */
function colorBelow(image: PngImage | undefined, u: number, v: number, out: number[]): void {
  const right = Math.min(1, Math.max(0, u));
  const up = Math.min(1, Math.max(0, v));
  if (image === undefined) {
    out[0] = 10 + 14 * up;
    out[1] = 18 + 26 * up;
    out[2] = 38 + 44 * up;
    return;
  }
  const { width, height, channels, pixels } = image;
  const x = Math.min(width - 1, Math.max(0, right * width - 0.5));
  const y = Math.min(height - 1, Math.max(0, (1 - up) * height - 0.5));
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  for (let channel = 0; channel < 3; channel++) {
    const c = channels < 3 ? 0 : channel;
    const top =
      pixels[(y0 * width + x0) * channels + c] * (x0 + 1 - x) + pixels[(y0 * width + x1) * channels + c] * (x - x0);
    const low =
      pixels[(y1 * width + x0) * channels + c] * (x0 + 1 - x) + pixels[(y1 * width + x1) * channels + c] * (x - x0);
    out[channel] = top * (y0 + 1 - y) + low * (y - y0);
  }
}

function assertBackground(image: PngImage): void {
  const { width, height, channels, pixels } = image ?? {};
  if (pixels instanceof Uint8Array && width >= 1 && height >= 1 && pixels.length === width * height * channels) return;
  throw new NearfieldError(
    'bad-argument',
    `The background is ${nameValue(image)}; give an image with 8 bits per channel, as readPng returns it.`,
  );
}
