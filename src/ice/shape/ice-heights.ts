// The thickness of ice as a height per cell: in the plane rounded toward its rim by the distance from the liquid, in space
// the top of the ice seen along −z.
import { nameValue } from '../../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { distanceTransform } from '../../field/flood/distance-transform.js';
import { assertGridFrame, type Field, gridNodeCount } from '../../field/grid.js';
import type { IceState } from '../ice.js';
import { positive } from '../options.js';

/** The form of flat ice in the third direction. */
export interface IceHeightOptions {
  /** Height of the flat parts, half the thickness of a mesh. Default: 6 spacings. */
  readonly thickness?: number | undefined;
  /** Width of the rounded rim. Default: as wide as the ice is thick. */
  readonly rim?: number | undefined;
}

export const HEIGHT_OPTIONS = optionTable<IceHeightOptions>()({
  thickness: checkedElsewhere(),
  rim: checkedElsewhere(),
});

/** Chosen: the default thickness and rim, in spacings. */
const THICKNESS = 6;

/**
 * The height of the ice over each cell of the plane, 0 without ice; of a growth in space the height of its top
 * above the lowest layer.
 */
export function iceHeights(state: IceState, options: IceHeightOptions = {}): Field {
  assertState(state);
  HEIGHT_OPTIONS.assert(options);
  const { origin, spacing, size } = state;
  const thickness = positive(options.thickness ?? THICKNESS * spacing, 'thickness');
  const rim = positive(options.rim ?? thickness, 'width of the rim') / spacing;
  const plane = [size[0], size[1], 1] as const;
  const frame = { origin: [origin[0], origin[1], 0] as const, spacing, size: plane };
  return { ...frame, values: size[2] === 1 ? roundedHeights(state, thickness, rim) : topHeights(state) };
}

/** Throws for what is not the state of a growth. */
export function assertState(state: IceState): void {
  assertGridFrame(state);
  const count = gridNodeCount(state);
  for (const values of [state.phase, state.temperature]) {
    if ((values instanceof Float32Array || values instanceof Float64Array) && values.length === count) continue;
    throw new NearfieldError(
      'bad-argument',
      `A field of the state is ${nameValue(values)} on ${count} cells; give what read() of a growth returned.`,
    );
  }
}

function roundedHeights({ phase, size }: IceState, thickness: number, rim: number): Float64Array {
  const liquid = Uint8Array.from(phase, (p) => (p < 0.5 ? 1 : 0));
  const { distancesSquared } = distanceTransform(size, liquid);
  const heights = distancesSquared.map((square) => {
    // The rim is half a cell before the first cell of liquid.
    const depth = Math.min(1, Math.max(0, Math.sqrt(square) - 0.5) / rim);
    return thickness * Math.sqrt(depth * (2 - depth));
  });
  // Distances between cells have steps of a cell, which would show in the light.
  return smooth(smooth(heights, size[0], size[1]), size[0], size[1]);
}

/** Weights 1, 2, 1 along each axis. */
function smooth(values: Float64Array, width: number, height: number): Float64Array {
  const rows = new Float64Array(values.length);
  const out = new Float64Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      rows[at] = (values[x === 0 ? at : at - 1] + 2 * values[at] + values[x === width - 1 ? at : at + 1]) / 4;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      out[at] = (rows[y === 0 ? at : at - width] + 2 * rows[at] + rows[y === height - 1 ? at : at + width]) / 4;
    }
  }
  return out;
}

function topHeights({ phase, size, spacing }: IceState): Float64Array {
  const [nx, ny, nz] = size;
  const layer = nx * ny;
  const heights = new Float64Array(layer);
  for (let c = 0; c < layer; c++) {
    for (let z = nz - 1; z >= 0; z--) {
      const p = phase[c + z * layer];
      if (p < 0.5) continue;
      const above = z + 1 < nz ? phase[c + (z + 1) * layer] : 0;
      heights[c] = spacing * (z + 0.5 + (p - 0.5) / (p - above));
      break;
    }
  }
  return heights;
}
