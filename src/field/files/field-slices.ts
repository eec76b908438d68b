// A field as images: one 16-bit gray PNG per z, black at `low` and white at `high`, and JSON that states both and the
// error of rounding to 65,536 steps. O(nodes).
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { readPng } from '../../io/image/read-png.js';
import { writePng } from '../../io/image/write-png.js';
import { type Field, gridNodeCount } from '../grid.js';
import { type FieldHeader, headerOf, numbersAt, parseFieldHeader } from './field-header.js';
import { type FieldLayers, knownLayer, layersOf, rangeOfField } from './field-layers.js';

/** The JSON beside the images. */
export interface SlicesHeader extends FieldHeader {
  /** The value of black, 0. */
  readonly low: number;
  /** The value of white, 65,535. */
  readonly high: number;
  /** The largest error of a value between `low` and `high` after reading it back. */
  readonly quantizationError: number;
  /** The number of values outside the range, including ±Infinity, that became `low` or `high`. */
  readonly saturated: number;
}

/** How to write the images. */
export interface SlicesOptions extends ProgressOptions {
  /** Default: the least finite value. */
  readonly low?: number | undefined;
  /** Default: the greatest finite value. */
  readonly high?: number | undefined;
}

const SLICES_OPTIONS = optionTable<SlicesOptions>()({
  low: checkedElsewhere(),
  high: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** Format: the value of white in 16-bit PNG. */
const STEPS = 65535;
/** Rounding: the error on the way to a step and back, as a share of the largest end of the range. */
const STEP_ROUNDING = 2 ** -50;

/**
 * The images from the lowest z to the highest, y downward in them as in the array [z][y][x], and their JSON.
 * @throws NearfieldError `non-finite` for NaN or if no value is finite, `bad-argument` for an invalid range.
 */
export async function writeFieldSlices(
  field: Field | FieldLayers,
  options: SlicesOptions = {},
): Promise<{ readonly slices: readonly Uint8Array[]; readonly header: SlicesHeader }> {
  SLICES_OPTIONS.assert(options);
  const layers = layersOf(field);
  const { low, high } = rangeOf(layers, options);
  const [nx, ny, nz] = layers.size;
  const slices: Uint8Array[] = [];
  let saturated = 0;
  for (let k = 0; k < nz; k++) {
    reportProgress(options, k / nz, 'writing slices');
    const values = knownLayer(layers, k);
    const pixels = new Uint16Array(nx * ny);
    for (let i = 0; i < pixels.length; i++) {
      const value = values[i];
      if (value < low || value > high) saturated++;
      pixels[i] = value <= low ? 0 : value >= high ? STEPS : Math.round(((value - low) / (high - low)) * STEPS);
    }
    slices.push(await writePng({ width: nx, height: ny, channels: 1, pixels }));
  }
  const quantizationError = (high - low) / (2 * STEPS) + STEP_ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return { slices, header: { ...headerOf(field), low, high, quantizationError, saturated } };
}

/**
 * A field from the images of its slices and their JSON. Values that were outside the range are clamped to its ends.
 * @throws NearfieldError as `readPng` and `parseFieldHeader` do, `file-format` when images and JSON do not fit.
 */
export async function readFieldSlices(slices: readonly Uint8Array[], json: unknown): Promise<Field> {
  const header = parseFieldHeader(json);
  const [low] = numbersAt(json, 'low', 1);
  const [high] = numbersAt(json, 'high', 1);
  const [nx, ny, nz] = header.size;
  if (!(low <= high)) throw mismatch(`its JSON has low ${low} above high ${high}`);
  if (slices.length !== nz) throw mismatch(`there are ${slices.length} images for ${nz} slices`);
  let values = new Float64Array(0);
  for (let k = 0; k < nz; k++) {
    const { width, height, channels, pixels } = await readSlice(slices[k], k);
    if (width !== nx || height !== ny || channels !== 1 || !(pixels instanceof Uint16Array)) {
      throw mismatch(
        `image ${k} is ${width} × ${height} pixels of ${channels} × ${8 * pixels.BYTES_PER_ELEMENT} bits, not ${nx} × ${ny} of 16`,
      );
    }
    // Only after an image has confirmed its size: JSON alone may claim gigabytes.
    if (k === 0) values = new Float64Array(gridNodeCount(header));
    for (let i = 0, node = k * nx * ny; i < pixels.length; i++, node++) {
      const share = pixels[i] / STEPS;
      values[node] = low * (1 - share) + high * share;
    }
  }
  return { ...header, values };
}

function rangeOf(field: FieldLayers, options: SlicesOptions): { low: number; high: number } {
  const { least, greatest } = rangeOfField(field);
  const { low = least, high = greatest } = options;
  if (least > greatest && (options.low === undefined || options.high === undefined)) {
    throw new NearfieldError('non-finite', 'No value of the field is finite; give low and high.');
  }
  if (!(low <= high) || !Number.isFinite(high - low)) {
    throw new NearfieldError(
      'bad-argument',
      `The range goes from ${low} to ${high}; give finite ends, the lower first.`,
    );
  }
  return { low, high };
}

async function readSlice(bytes: Uint8Array, k: number): ReturnType<typeof readPng> {
  try {
    return await readPng(bytes);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError(error.code, `Image ${k}: ${error.message}`, error.location);
  }
}

function mismatch(what: string): NearfieldError {
  return new NearfieldError('file-format', `The images are not those of the field: ${what}.`);
}
