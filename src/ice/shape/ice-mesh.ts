import { optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Field } from '../../field/grid.js';
import { extractIsosurface } from '../../field/isosurface/isosurface.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { IceState } from '../ice.js';
import { assertState, HEIGHT_OPTIONS, type IceHeightOptions, iceHeights } from './ice-heights.js';

/** Options of {@link iceMesh}: of ice in the plane its form across it. */
export interface IceMeshOptions extends IceHeightOptions, ProgressOptions {}

const MESH_OPTIONS = optionTable<IceMeshOptions>()({ ...HEIGHT_OPTIONS.rules, ...PROGRESS_RULES });

/** Chosen: layers of nodes on each side of the middle of flat ice: thicker ice is cut there. */
const MAX_LAYERS = 64;

/**
 * The surface of the ice: closed, manifold, without self-intersections, empty without ice. In space it is where the phase
 * is 1/2; ice in the plane is bounded by its heights on both sides of z = 0.
 */
export function iceMesh(state: IceState, options: IceMeshOptions = {}): Mesh {
  assertState(state);
  MESH_OPTIONS.assert(options);
  const { signal, onProgress, ...form } = options;
  const field = state.size[2] === 1 ? layersOf(state, form) : phaseField(state);
  return extractIsosurface(field, 0, { cap: true, signal, onProgress });
}

/**
 * 1/2 − p: negative in ice. Against obstacles the phase ends within a cell, which would show as steps: there the phase goes
 * on for a cell, and the smoothed room bounds it.
 */
function phaseField({ origin, spacing, size, phase, room }: IceState): Field {
  const values = Float64Array.from(phase, (p) => 0.5 - p);
  if (room === null) return { origin, spacing, size, values };
  const steps = [1, size[0], size[0] * size[1]];
  let open = Float64Array.from(room);
  for (let axis = 0; axis < 3; axis++) open = smoothAlong(open, size[axis], steps[axis]);
  for (let c = 0; c < values.length; c++) {
    let most = phase[c];
    for (let axis = 0; axis < 3 && room[c] === 0; axis++) {
      const at = Math.floor(c / steps[axis]) % size[axis];
      if (at > 0) most = Math.max(most, phase[c - steps[axis]]);
      if (at + 1 < size[axis]) most = Math.max(most, phase[c + steps[axis]]);
    }
    values[c] = Math.max(0.5 - most, 0.5 - open[c]);
  }
  return { origin, spacing, size, values };
}

/** Weights 1, 2, 1 along an axis, twice. */
function smoothAlong(values: Float64Array<ArrayBuffer>, count: number, step: number): Float64Array<ArrayBuffer> {
  let from = values;
  for (let pass = 0; pass < 2; pass++) {
    const to = new Float64Array(from.length);
    for (let c = 0; c < from.length; c++) {
      const at = Math.floor(c / step) % count;
      to[c] = (from[at > 0 ? c - step : c] + 2 * from[c] + from[at + 1 < count ? c + step : c]) / 4;
    }
    from = to;
  }
  return from;
}

/** |z| less the height, on layers a spacing apart: negative in ice. */
function layersOf(state: IceState, form: IceHeightOptions): Field {
  const heights = iceHeights(state, form);
  const [nx, ny] = heights.size;
  const { spacing } = heights;
  let highest = 0;
  for (const height of heights.values) highest = Math.max(highest, height);
  const layers = Math.min(MAX_LAYERS, Math.ceil(highest / spacing)) + 1;
  const size = [nx, ny, 2 * layers + 1] as const;
  const values = new Float64Array(nx * ny * size[2]);
  for (let k = 0, at = 0; k < size[2]; k++) {
    const z = Math.abs(k - layers) * spacing;
    // Smoothed heights end behind the rim, where the phase decides.
    for (let c = 0; c < nx * ny; c++) {
      values[at++] = state.phase[c] < 0.5 ? z + spacing * (0.5 - state.phase[c]) : z - heights.values[c];
    }
  }
  const origin = [heights.origin[0], heights.origin[1], -layers * spacing] as const;
  return { origin, spacing, size, values };
}
