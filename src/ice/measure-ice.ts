// The figures of a state: how much is solid, its extent, the conserved heat and the free energy.
import type { Box } from '../core/box.js';
import { couplingOf } from './coefficients.js';
import type { IceState } from './ice.js';
import { checkParameters } from './options.js';
import type { IceParameters } from './parameters.js';
import { assertState } from './shape/ice-heights.js';

/** What {@link measureIce} returns. */
export interface IceFigures {
  /** The mean of the phase. */
  readonly solidFraction: number;
  /** The integral of T − K p over the grid, which nothing but walls and brushes change. */
  readonly heat: number;
  /**
   * The integral of ε² |∇p|² / 2 and of the well of the phase; of Karma and Rappel's model in φ, as the benchmark defines
   * it.
   */
  readonly freeEnergy: number;
  /** From the first to the last place along each axis where the phase passes 1/2; null without ice. */
  readonly extent: Box | null;
}

/** Measures a state of a growth with these parameters, in double precision. O(cells). */
export function measureIce(state: IceState, parameters: IceParameters): IceFigures {
  assertState(state);
  checkParameters(parameters);
  const { phase, temperature, size, spacing } = state;
  const latent = parameters.model === 'karma-rappel' ? 1 : parameters.latentHeat;
  const volume = spacing ** (size[2] === 1 ? 2 : 3);
  let solid = 0;
  let heat = 0;
  let energy = 0;
  for (let c = 0; c < phase.length; c++) {
    solid += phase[c];
    heat += temperature[c] - latent * phase[c];
    energy += wellOf(phase[c], temperature[c], parameters);
  }
  return {
    solidFraction: solid / phase.length,
    heat: heat * volume,
    freeEnergy: (energy + interfaceEnergy(state, parameters)) * volume,
    extent: extentOf(state),
  };
}

/** The potential whose slope is the reaction. */
function wellOf(p: number, t: number, parameters: IceParameters): number {
  if (parameters.model === 'karma-rappel') {
    const phi = 2 * p - 1;
    const square = phi * phi;
    const coupling = couplingOf(parameters) * t * phi * (1 - (2 / 3) * square + (1 / 5) * square * square);
    return -square / 2 + (square * square) / 4 + coupling;
  }
  const m = (parameters.alpha / Math.PI) * Math.atan(parameters.gamma * (parameters.equilibrium - t));
  return p * p * (0.25 - m / 2 + p * (-0.5 + m / 3 + p * 0.25));
}

/** The sum of ε² |∇p|² / 2 over corners with cells on all sides, per cell. */
function interfaceEnergy({ phase, size, spacing }: IceState, parameters: IceParameters): number {
  const [nx, ny, nz] = size;
  const isPlane = nz === 1;
  const { epsilon, delta, fold, orientation } = parameters;
  const axial = isPlane ? 0 : parameters.axial;
  const layer = isPlane ? 0 : nx * ny;
  const scale = 1 / ((isPlane ? 2 : 4) * spacing);
  const factor = parameters.model === 'karma-rappel' ? 4 : 1;
  let sum = 0;
  for (let k = 0; k < Math.max(1, nz - 1); k++) {
    for (let j = 0; j + 1 < ny; j++) {
      for (let i = 0; i + 1 < nx; i++) {
        let gx = 0;
        let gy = 0;
        let gz = 0;
        for (let corner = 0; corner < (isPlane ? 4 : 8); corner++) {
          const right = corner & 1;
          const up = (corner >> 1) & 1;
          const above = corner >> 2;
          const p = phase[i + right + nx * (j + up + ny * (k + above))];
          gx += right === 1 ? p : -p;
          gy += up === 1 ? p : -p;
          gz += above === 1 ? p : -p;
        }
        if (layer === 0) gz = 0;
        const square = gx * gx + gy * gy + gz * gz;
        if (square === 0) continue;
        const inPlane = Math.sqrt((gx * gx + gy * gy) / square);
        const wave = fold === 0 ? 0 : delta * inPlane ** fold * Math.cos(fold * (Math.atan2(-gy, -gx) - orientation));
        const e = epsilon * (1 + wave + (axial * gz * gz) / square);
        sum += 0.5 * factor * e * e * square * scale * scale;
      }
    }
  }
  return sum;
}

function extentOf({ phase, size, spacing, origin }: IceState): Box | null {
  const strides = [1, size[0], size[0] * size[1]];
  const min = [Infinity, Infinity, Infinity] as [number, number, number];
  const max = [-Infinity, -Infinity, -Infinity] as [number, number, number];
  for (let c = 0; c < phase.length; c++) {
    if (phase[c] < 0.5) continue;
    for (let axis = 0; axis < 3; axis++) {
      const at = Math.floor(c / strides[axis]) % size[axis];
      const before = at > 0 ? phase[c - strides[axis]] : 1;
      const after = at + 1 < size[axis] ? phase[c + strides[axis]] : 1;
      const low = at - (before < 0.5 ? (phase[c] - 0.5) / (phase[c] - before) : 0);
      const high = at + (after < 0.5 ? (phase[c] - 0.5) / (phase[c] - after) : 0);
      min[axis] = Math.min(min[axis], origin[axis] + spacing * low);
      max[axis] = Math.max(max[axis], origin[axis] + spacing * high);
    }
  }
  return min[0] === Infinity ? null : { min, max };
}
