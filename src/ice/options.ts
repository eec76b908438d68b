// Options of a growth, checked, with defaults filled in.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, flag, numberWithin, oneOf, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import type { Vec3 } from '../core/vec3.js';
import { assertGridFrame, type GridFrame, type GridSize } from '../field/grid.js';
import type { BackendOptions } from '../gpu/choose-backend.js';
import type { TaskPool } from '../pool/task-pool.js';
import { coefficientsOf, type IceCoefficients, longestTimestep } from './coefficients.js';
import type { IceBoundary, IcePrecision, IceScheme, IceStroke } from './ice.js';
import { ICE_PRESETS, type IceParameters, type IcePreset, type IcePresetValues } from './parameters.js';

/** The options of ice growth when none are given. */
export const ICE_DEFAULTS = {
  preset: 'dendritic',
  scheme: 'explicit',
  boundary: 'no-flux',
  precision: 'float32',
  /** Skip tiles in which nothing changes. */
  band: true,
  /**
   * Differences of temperature up to this between neighbors are dropped, and phases this near to 0 or 1 become 0 or 1:
   * rounding at 1 in single precision. Smaller values widen the active band.
   */
  still: 2 ** -23,
  /** The seed of the noise. */
  seed: 1,
  /** Radius of the seed in the middle, in cells. */
  seedRadius: 4,
  /** Cells along the longest side of a grid around a model. */
  modelResolution: 64,
  /** How far from a model ice can grow, as a share of the diagonal of its box. */
  reach: 0.1,
  /** Seeds on a model. */
  seedCount: 24,
} as const;

/** What grows, where, and how. */
export interface IceOptions extends BackendOptions {
  /** Cells along x and y, and along z in space. */
  readonly size: readonly number[];
  /** Default 'dendritic'. */
  readonly preset?: IcePreset | undefined;
  /** Parameters that differ from those of the preset. */
  readonly parameters?: Partial<IceParameters> | undefined;
  /** Distance between the centers of cells. Default: the preset's. */
  readonly spacing?: number | undefined;
  /** Center of the cell (0, 0, 0). Default: the middle of the grid is at 0. */
  readonly origin?: readonly number[] | undefined;
  /**
   * Default: the preset's, times the square of the spacing relative to the preset's, semi-implicit twice that, but no more
   * than 9/10 of the longest stable one.
   */
  readonly timestep?: number | undefined;
  readonly scheme?: IceScheme | undefined;
  readonly boundary?: IceBoundary | undefined;
  /** Temperature at the start. Default: the preset's. */
  readonly temperature?: number | undefined;
  /** Temperature of the walls of a 'fixed' boundary. Default: that at the start. */
  readonly wallTemperature?: number | undefined;
  /** What to paint at the start. Default: a seed of four cells' radius in the middle. */
  readonly seeds?: readonly IceStroke[] | undefined;
  /** The seed of the noise: a whole number. Default 1. */
  readonly seed?: number | undefined;
  /** Skip tiles in which nothing changes. The result is the same, bit for bit. Default true. */
  readonly band?: boolean | undefined;
  /**
   * Differences of temperature up to this are dropped, and phases this near to 0 or 1 become 0 or 1. Default 2⁻²³;
   * 0 for the plain scheme.
   */
  readonly still?: number | undefined;
  /** Default 'float32'. Only the CPU has 'float64'. */
  readonly precision?: IcePrecision | undefined;
  /**
   * Workers that do the steps on the CPU, with the same bits as this thread; their script serves `ICE_TASKS`. Without
   * shared memory this thread does them; `Ice.workers` says so.
   */
  readonly pool?: TaskPool | null | undefined;
}

export const ICE_OPTIONS = optionTable<IceOptions>()({
  size: checkedElsewhere(),
  preset: checkedElsewhere(),
  parameters: checkedElsewhere(),
  spacing: checkedElsewhere(),
  origin: checkedElsewhere(),
  timestep: checkedElsewhere(),
  scheme: oneOf(['explicit', 'semi-implicit'], ICE_DEFAULTS.scheme),
  boundary: oneOf(['no-flux', 'fixed', 'periodic'], ICE_DEFAULTS.boundary),
  temperature: checkedElsewhere(),
  wallTemperature: checkedElsewhere(),
  seeds: checkedElsewhere(),
  seed: checkedElsewhere(),
  band: flag(ICE_DEFAULTS.band),
  still: numberWithin(0, 0.01, ICE_DEFAULTS.still),
  precision: oneOf(['float32', 'float64'], ICE_DEFAULTS.precision),
  pool: checkedElsewhere(),
  backend: checkedElsewhere(),
  device: checkedElsewhere(),
});

const PARAMETER_OPTIONS = optionTable<Partial<IceParameters>>('The parameters')({
  model: checkedElsewhere(),
  tau: checkedElsewhere(),
  epsilon: checkedElsewhere(),
  delta: checkedElsewhere(),
  fold: checkedElsewhere(),
  orientation: checkedElsewhere(),
  axial: checkedElsewhere(),
  alpha: checkedElsewhere(),
  gamma: checkedElsewhere(),
  equilibrium: checkedElsewhere(),
  latentHeat: checkedElsewhere(),
  diffusivity: checkedElsewhere(),
  noise: checkedElsewhere(),
});

/** Chosen: the largest number of cells: numbers are addressed with 32 bits in the kernels. */
const MAX_CELLS = 2 ** 28;
/** Chosen: the largest fold: beyond it neighbors of a corner cannot tell the directions apart. */
const MAX_FOLD = 64;

/** The checked options. */
export interface IceSetup extends GridFrame {
  readonly size: GridSize;
  readonly parameters: IceParameters;
  readonly coefficients: IceCoefficients;
  readonly timestep: number;
  readonly scheme: IceScheme;
  readonly boundary: IceBoundary;
  readonly temperature: number;
  readonly wallTemperature: number;
  readonly seeds: readonly IceStroke[];
  readonly seed: number;
  readonly band: boolean;
  readonly still: number;
  readonly precision: IcePrecision;
}

/**
 * The options with defaults filled in.
 * @throws NearfieldError `bad-argument` for values that no growth can have, `too-large` beyond 2²⁸ cells.
 */
export function setupOf(options: IceOptions): IceSetup {
  if (options === undefined || options === null) {
    throw new NearfieldError('bad-argument', 'Ice growth has no options; give at least { size: [256, 256] }.');
  }
  const { scheme, boundary, precision, band, still } = ICE_OPTIONS.read(options);
  const size = sizeOf(options.size);
  const preset = presetOf(options.preset);
  const parameters = parametersOf(options.parameters, preset.parameters);
  const spacing = positive(options.spacing ?? preset.spacing, 'spacing');
  const origin = originOf(options.origin, size, spacing);
  assertGridFrame({ origin, spacing, size });
  const dimension = size[2] === 1 ? 2 : 3;
  const factor = scheme === 'semi-implicit' ? 2 : 1;
  const scaled = factor * preset.timestep * (spacing / preset.spacing) ** 2;
  const longest = longestTimestep(parameters, spacing, dimension, scheme);
  const timestep = positive(options.timestep ?? Math.min(scaled, 0.9 * longest), 'timestep');
  if (timestep > longest * (1 + 1e-9)) {
    throw new NearfieldError(
      'bad-argument',
      `The timestep is ${timestep}, and the ${scheme} scheme is stable up to ${longest} on this grid; give a shorter one` +
        `${scheme === 'explicit' ? ", scheme 'semi-implicit'" : ''} or a larger spacing.`,
    );
  }
  const temperature = finite(options.temperature ?? preset.temperature, 'temperature');
  const seed = finite(options.seed ?? ICE_DEFAULTS.seed, 'seed');
  if (!Number.isInteger(seed)) throw new NearfieldError('bad-argument', `The seed is ${seed}; give a whole number.`);
  return {
    size,
    spacing,
    origin,
    parameters,
    coefficients: coefficientsOf(parameters, spacing, timestep, dimension === 3),
    timestep,
    scheme,
    boundary,
    temperature,
    wallTemperature: finite(options.wallTemperature ?? temperature, 'temperature of the walls'),
    seeds: options.seeds ?? [seedInMiddle(origin, spacing, size)],
    seed,
    band,
    still,
    precision,
  };
}

function seedInMiddle(origin: Readonly<Vec3>, spacing: number, size: GridSize): IceStroke {
  const center = origin.map((start, axis) => start + (spacing * (size[axis] - 1)) / 2);
  return { center, radius: ICE_DEFAULTS.seedRadius * spacing, phase: 1 };
}

function sizeOf(size: readonly number[]): GridSize {
  if (!Array.isArray(size) || (size.length !== 2 && size.length !== 3)) {
    throw new NearfieldError('bad-argument', `The size is ${nameValue(size)}; give two or three numbers of cells.`);
  }
  let cells = 1;
  for (const [axis, count] of size.entries()) {
    if (!Number.isInteger(count) || count < 1) {
      throw new NearfieldError(
        'bad-argument',
        `The size along ${'xyz'[axis]} is ${nameValue(count)}; give a whole number of cells from 1.`,
      );
    }
    cells *= count;
  }
  if (cells > MAX_CELLS) {
    throw new NearfieldError('too-large', `The grid has ${cells} cells, more than ${MAX_CELLS}; give a smaller size.`);
  }
  return [size[0], size[1], size[2] ?? 1];
}

function originOf(origin: readonly number[] | undefined, size: GridSize, spacing: number): Vec3 {
  if (origin === undefined) return size.map((count) => (-spacing * (count - 1)) / 2 + 0) as Vec3;
  if (!Array.isArray(origin) || origin.length < 2 || origin.length > 3) {
    throw new NearfieldError('bad-argument', `The origin is ${nameValue(origin)}; give two or three coordinates.`);
  }
  return [origin[0], origin[1], origin[2] ?? 0];
}

function presetOf(name: IcePreset = ICE_DEFAULTS.preset): IcePresetValues {
  if (Object.hasOwn(ICE_PRESETS, name)) return ICE_PRESETS[name];
  throw new NearfieldError(
    'bad-argument',
    `The preset is ${nameValue(name)}; give one of ${Object.keys(ICE_PRESETS).join(', ')}.`,
  );
}

function parametersOf(given: Partial<IceParameters> | undefined, preset: IceParameters): IceParameters {
  PARAMETER_OPTIONS.assert(given);
  return checkParameters({ ...preset, ...given });
}

/** Throws for parameters that no growth can have; returns them. */
export function checkParameters(all: IceParameters): IceParameters {
  if (all === undefined || all === null) {
    throw new NearfieldError('bad-argument', `The parameters are ${all}; give those of a growth or of a preset.`);
  }
  choice(all.model, ['kobayashi', 'karma-rappel'], 'model');
  for (const name of ['tau', 'epsilon', 'diffusivity'] as const) positive(all[name], name);
  for (const name of ['orientation', 'gamma', 'equilibrium', 'latentHeat'] as const) finite(all[name], name);
  for (const name of ['delta', 'alpha', 'noise'] as const) {
    if (!(all[name] >= 0 && all[name] < 1)) {
      throw new NearfieldError('bad-argument', `The parameter ${name} is ${all[name]}; give a number from 0, below 1.`);
    }
  }
  if (!(Math.abs(all.axial) + all.delta < 1)) {
    throw new NearfieldError(
      'bad-argument',
      `The parameters delta and axial are ${all.delta} and ${all.axial}; their sizes must add up to less than 1.`,
    );
  }
  if (!Number.isInteger(all.fold) || all.fold < 0 || all.fold > MAX_FOLD) {
    throw new NearfieldError('bad-argument', `The fold is ${all.fold}; give a whole number from 0 to ${MAX_FOLD}.`);
  }
  if (Math.abs(all.orientation) > 1e6) {
    throw new NearfieldError('bad-argument', `The orientation is ${all.orientation} radians; give a smaller angle.`);
  }
  return all;
}

export function finite(value: number, name: string): number {
  if (typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE) return value;
  throw new NearfieldError('bad-argument', `The ${name} is ${nameValue(value)}; give a finite number.`);
}

export function positive(value: number, name: string): number {
  if (finite(value, name) > 0) return value;
  throw new NearfieldError('bad-argument', `The ${name} is ${value}; give a positive number.`);
}

function choice<const Word extends string>(value: Word, words: readonly Word[], name: string): Word {
  if (words.includes(value)) return value;
  throw new NearfieldError('bad-argument', `The ${name} is ${nameValue(value)}; give ${words.join(' or ')}.`);
}
