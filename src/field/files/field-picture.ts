// A planar field as a picture: blue inside, orange outside, white at the surface, with lines at equal distances. Each
// pixel is the bilinear value; dividing by the gradient keeps the width of lines constant. O(pixels).
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import type { PngImage } from '../../io/image/png-image.js';
import { writePng } from '../../io/image/write-png.js';
import { assertField, type Field } from '../grid.js';

/** How to paint a picture. */
export interface FieldPictureOptions {
  /** The distance at both ends of the colors. Default: the largest finite one of the field. */
  readonly range?: number | undefined;
  /** The distance from one line to the next. Default: one line only, at the surface. */
  readonly isolines?: number | undefined;
  /** Pixels from one node to the next, a whole number. Default: large enough that the longer side has 512 or more. */
  readonly scale?: number | undefined;
}

const PICTURE_OPTIONS = optionTable<FieldPictureOptions>()({
  range: checkedElsewhere(),
  isolines: checkedElsewhere(),
  scale: checkedElsewhere(),
});

/** Colors from far inside through the surface to far outside, at equal steps. */
const STOPS: readonly Vec3[] = [
  [16, 48, 112],
  [74, 140, 208],
  [246, 246, 242],
  [236, 150, 74],
  [128, 44, 10],
];
/** Chosen: the color where nothing was computed. */
const UNKNOWN: Vec3 = [150, 150, 150];
/** Chosen: the color of lines. */
const LINE: Vec3 = [24, 24, 28];
/** Chosen: the share by which a line covers what is below it. */
const LINE_OPACITY = 0.45;
/** Chosen: the width of lines beside the surface, in pixels. */
const LINE_WIDTH = 1;
/** Chosen: the width of the line of the surface, in pixels. */
const SURFACE_WIDTH = 2;
/** Chosen: the longer side has this many pixels or more by default. */
const MIN_DEFAULT_SIDE = 512;
/** Chosen: the longer side has this many pixels or fewer. */
const MAX_SIDE = 16384;

/**
 * Paints a planar field, x to the right and y up: the first row of pixels is the highest y.
 * @throws NearfieldError `bad-argument` for a spatial field (slice it first) or options that are not lengths.
 */
export function paintField(field: Field, options: FieldPictureOptions = {}): PngImage {
  assertField(field);
  PICTURE_OPTIONS.assert(options);
  const [nx, ny, nz] = field.size;
  if (nz !== 1) {
    throw new NearfieldError('bad-argument', `The field has ${nz} nodes along z; sliceField takes one layer to paint.`);
  }
  const scale = scaleOf(field, options.scale);
  const { range = largestFinite(field.values), isolines = Infinity } = options;
  if (!(range >= 0) || !Number.isFinite(range)) {
    throw new NearfieldError('bad-argument', `The range of the colors is ${range}; give a length.`);
  }
  if (!(isolines > 0)) {
    throw new NearfieldError('bad-argument', `The distance between lines is ${isolines}; give a length above 0.`);
  }
  const width = (nx - 1) * scale + 1;
  const height = (ny - 1) * scale + 1;
  const pixels = new Uint8Array(3 * width * height);
  const sample = { value: 0, slope: 0 };
  const color: Vec3 = [0, 0, 0];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      samplePixel(field, scale, column, height - 1 - row, sample);
      if (Number.isFinite(sample.value)) {
        mixStops(range > 0 ? sample.value / range : 0, color);
        drawLines(sample.value, sample.slope, isolines, color);
      } else {
        mixColors(UNKNOWN, UNKNOWN, 0, color);
      }
      pixels.set(color, 3 * (row * width + column));
    }
  }
  return { width, height, channels: 3, pixels };
}

/** The picture of `paintField` as a PNG file. */
export async function drawField(field: Field, options: FieldPictureOptions = {}): Promise<Uint8Array> {
  return writePng(paintField(field, options));
}

function scaleOf({ size }: Field, asked: number | undefined): number {
  const steps = Math.max(size[0], size[1]) - 1;
  const scale = asked ?? Math.max(1, Math.ceil((MIN_DEFAULT_SIDE - 1) / Math.max(1, steps)));
  if (!Number.isInteger(scale) || scale < 1 || steps * scale >= MAX_SIDE) {
    throw new NearfieldError(
      'bad-argument',
      `${scale} pixels from node to node make a side of ${steps * scale + 1}; give a whole number from 1, and at most ${MAX_SIDE} in all.`,
    );
  }
  return scale;
}

/** The value at a pixel, counted from the first node, and its change to the next pixel. */
function samplePixel(
  { values, size }: Field,
  scale: number,
  column: number,
  row: number,
  out: { value: number; slope: number },
): void {
  const [nx, ny] = size;
  const i = Math.min(Math.floor(column / scale), Math.max(0, nx - 2));
  const j = Math.min(Math.floor(row / scale), Math.max(0, ny - 2));
  const u = column / scale - i;
  const v = row / scale - j;
  const right = nx > 1 ? 1 : 0;
  const up = ny > 1 ? nx : 0;
  const node = i + nx * j;
  const a = values[node];
  const b = values[node + right];
  const c = values[node + up];
  const d = values[node + up + right];
  const acrossLow = b - a;
  const acrossHigh = d - c;
  const low = u === 0 ? a : u === 1 ? b : a + u * acrossLow;
  const high = u === 0 ? c : u === 1 ? d : c + u * acrossHigh;
  out.value = v === 0 ? low : v === 1 ? high : low + v * (high - low);
  out.slope = Math.hypot(acrossLow + v * (acrossHigh - acrossLow), high - low) / scale;
}

/** The color for a share of the range, from −1 far inside to 1 far outside. */
function mixStops(share: number, color: Vec3): void {
  const place = (STOPS.length - 1) * (0.5 + 0.5 * Math.max(-1, Math.min(1, share)));
  const from = Math.min(STOPS.length - 2, Math.floor(place));
  mixColors(STOPS[from], STOPS[from + 1], place - from, color);
}

function drawLines(value: number, slope: number, step: number, color: Vec3): void {
  const surface = coverage(value, slope, SURFACE_WIDTH);
  const nearest = Math.round(value / step) * step;
  const line = Number.isFinite(step) ? LINE_OPACITY * coverage(value - nearest, slope, LINE_WIDTH) : 0;
  mixColors(color, LINE, Math.max(surface, line), color);
}

/** How much of a pixel a line covers whose level is `offset` away. */
function coverage(offset: number, slope: number, width: number): number {
  if (!(slope > 0) || !Number.isFinite(slope)) return 0;
  return Math.max(0, Math.min(1, width / 2 + 0.5 - Math.abs(offset) / slope));
}

function mixColors(from: Vec3, to: Vec3, share: number, out: Vec3): void {
  for (let channel = 0; channel < 3; channel++) {
    out[channel] = Math.round(from[channel] + share * (to[channel] - from[channel]));
  }
}

function largestFinite(values: Float64Array): number {
  let largest = 0;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > largest && size < Infinity) largest = size;
  }
  return largest;
}
