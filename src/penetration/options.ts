// The options of a penetration query, with the defaults.
import { BACKENDS } from '../core/check/check-backend.js';
import {
  checkedElsewhere,
  numberFrom,
  type OptionRule,
  oneOf,
  optionTable,
  PROGRESS_RULES,
  wholeNumber,
} from '../core/check/option-table.js';
import type { ProgressOptions } from '../core/progress.js';
import type { SolidifyOptions } from '../field/solid/solidify.js';
import type { Backend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { OpenCell } from './certificate/certifier.js';
import type { PenetrationTrace } from './trace.js';

/** The options of penetration queries when none are given. */
export const PENETRATION_DEFAULTS = {
  method: 'certified' as PenetrationMethod,
  /** The method 'certified' ends when upper − lower is at most this share of upper. */
  relativeGap: 1e-3,
  /** The most cells that 'certified' examines: some seconds of work where the gap cannot be closed. */
  maxCells: 100_000,
  /** Pixels along each side of the six views of 'image-space' at the last level. */
  resolution: 256,
  /** Pixels along each side at all levels before the last. */
  coarseResolution: 128,
  /** The most poses that the generalized depth tries. */
  maxEvaluations: 6000,
  /** The gradient treats vectors that are longer by up to this share of the depth as equally short. */
  distinctness: 1e-6,
  grading: {
    /** Relative to the box diagonal of the smaller part: files in single precision place parts no better. */
    touchTolerance: 1e-6,
    relativeGap: 0.01,
    maxCells: 10_000,
  },
} as const;

/**
 * Methods for the depth. 'certified': an interval that holds it, proven from both sides. 'image-space': Kim, Otaduy,
 * Lin and Manocha 2002, an upper estimate.
 */
export type PenetrationMethod = 'certified' | 'image-space';

/**
 * How the boundary of the union is seen from the origin. 'windows': that of Kim et al. 2002, triangles of the sums
 * drawn with depth and stencil. 'rays': the sums' intervals along each pixel's ray, in double precision on the CPU,
 * which skips cells of pixels that one chain of sums covers, and by a compute shader on the GPU.
 */
export type PenetrationImageQuery = 'windows' | 'rays';

/**
 * 'levels': that of Kim et al. 2002: the two hierarchies level by level, with an image query at each, whose estimate
 * culls pairs of nodes at the next. 'probes': a few rays through the pieces' sums give a first estimate, then one image
 * query covers the pieces within it. 'none': the basic algorithm of Kim et al. 2002, section 4: all pairs of pieces.
 */
export type PenetrationDescent = 'probes' | 'levels' | 'none';

/** The state of a certificate. */
export interface CertificateState {
  readonly lower: number;
  readonly upper: number;
  /** Cells examined so far. */
  readonly cells: number;
  /** The cells that are not covered far enough yet. */
  readonly open: readonly OpenCell[];
}

/** Options of {@link measurePenetration}. */
export interface PenetrationOptions extends ProgressOptions {
  /** Default `PENETRATION_DEFAULTS.method`. */
  readonly method?: PenetrationMethod | undefined;
  /** 'certified' ends when upper − lower is at most this share of upper. Default `PENETRATION_DEFAULTS.relativeGap`. */
  readonly relativeGap?: number | undefined;
  /** The most cells that 'certified' examines; then the status is 'budget'. Default `PENETRATION_DEFAULTS.maxCells`. */
  readonly maxCells?: number | undefined;
  /**
   * The most time of a 'certified' query, including preparation and `solidify`; then the status is 'budget'. Default:
   * no limit. The answer depends on the machine.
   */
  readonly maxMilliseconds?: number | undefined;
  /** Called every few cells with the state of 'certified'. */
  readonly onCells?: ((state: CertificateState) => void) | undefined;
  /** Pixels along each side of the six views of 'image-space' at the last level. Default 256. */
  readonly resolution?: number | undefined;
  /** Pixels along each side at all levels before the last. Default 128. */
  readonly coarseResolution?: number | undefined;
  /** The image query of 'image-space'. Default 'rays', which measures faster on either backend and is more accurate. */
  readonly query?: PenetrationImageQuery | undefined;
  /** How the sums are chosen. Default 'probes', which measures fastest; with windows 'levels'. */
  readonly descent?: PenetrationDescent | undefined;
  /**
   * 'webgpu' needs `device`; 'auto' uses it if given, not lost and not a software adapter. Default 'auto'.
   */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
  /**
   * For models that bound no solid: measure solids near them, made by `solidify` with these options, or with its
   * defaults for `true`. The interval then holds the depth of all solids within the error of these, which `solidified`
   * in the result states; features and points are those of the solids. Default false: these models throw.
   */
  readonly solidify?: boolean | SolidifyOptions | undefined;
  /** Called with the data of each level: for pictures and tests. */
  readonly trace?: ((level: PenetrationTrace) => void) | undefined;
}

/** Chosen: the largest resolution, in pixels. Six images of this size take 1.6 GB. */
export const MAX_PENETRATION_RESOLUTION = 8192;
/** All methods, the default first. */
export const PENETRATION_METHODS: readonly PenetrationMethod[] = ['certified', 'image-space'];
/** All descents, the default first. */
export const PENETRATION_DESCENTS: readonly PenetrationDescent[] = ['probes', 'levels', 'none'];
/** All image queries, the default first. */
export const PENETRATION_IMAGE_QUERIES: readonly PenetrationImageQuery[] = ['rays', 'windows'];

/** The rule of a relative gap. It cannot be 0, because proofs approach the depth without reaching it. */
export const RELATIVE_GAP_RULE: OptionRule<number> = {
  expects: 'a number between 0 and 1',
  accepts: (value) => typeof value === 'number' && value > 0 && value < 1,
};

/** The options of penetration queries, as `assertPenetrationOptions` checks them. */
export const PENETRATION_TABLE = optionTable<PenetrationOptions>()({
  method: oneOf(PENETRATION_METHODS),
  relativeGap: RELATIVE_GAP_RULE,
  maxCells: numberFrom(0),
  maxMilliseconds: numberFrom(0),
  resolution: wholeNumber(1, MAX_PENETRATION_RESOLUTION),
  coarseResolution: wholeNumber(1, MAX_PENETRATION_RESOLUTION),
  query: oneOf(PENETRATION_IMAGE_QUERIES),
  descent: oneOf(PENETRATION_DESCENTS),
  backend: oneOf(BACKENDS),
  device: checkedElsewhere(),
  solidify: checkedElsewhere(),
  onCells: checkedElsewhere(),
  trace: checkedElsewhere(),
  ...PROGRESS_RULES,
});
