// What a penetration query can be told, with the defaults.
import type { ProgressOptions } from '../core/progress.js';
import type { Backend } from '../gpu/choose-backend.js';
import type { GpuDevice } from '../gpu/device.js';
import type { OpenCell } from './certificate/certifier.js';
import type { PenetrationTrace } from './trace.js';

/**
 * Ways to the depth. 'certified': an interval that holds it, proven from both sides. 'image-space': Kim, Otaduy, Lin and
 * Manocha 2002, an upper estimate.
 */
export type PenetrationMethod = 'certified' | 'image-space';

/**
 * How the boundary of the union is seen from the origin. 'windows': the document's, triangles of the sums drawn with
 * depth and stencil. 'rays': the sums' intervals along each pixel's ray, in double precision on the CPU, where blocks of
 * pixels that one chain of sums covers are left out, and by a compute shader on the GPU.
 */
export type PenetrationImageQuery = 'windows' | 'rays';

/**
 * 'levels': the document's: the two hierarchies level by level, an image query at each, whose estimate culls pairs of
 * nodes at the next. 'probes': the first estimate is found by a few rays through the pieces' own sums, then one image
 * query over the pieces within it. 'none': the document's basic algorithm (its section 4), all pairs of pieces.
 */
export type PenetrationDescent = 'probes' | 'levels' | 'none';

/** Where a certificate stands. */
export interface CertificateState {
  readonly lower: number;
  readonly upper: number;
  /** Cells looked at so far. */
  readonly cells: number;
  /** The cells that are not covered far enough yet. */
  readonly open: readonly OpenCell[];
}

/** How {@link measurePenetration} works. */
export interface PenetrationOptions extends ProgressOptions {
  /** Default `PENETRATION_DEFAULTS.method`. */
  readonly method?: PenetrationMethod | undefined;
  /** 'certified' ends when upper − lower is at most this share of upper. Default `PENETRATION_DEFAULTS.relativeGap`. */
  readonly relativeGap?: number | undefined;
  /** The most cells that 'certified' looks at; then it says `budget`. Default `PENETRATION_DEFAULTS.maxCells`. */
  readonly maxCells?: number | undefined;
  /** The most time that 'certified' takes for its cells. Default: any. The answer then depends on the machine. */
  readonly maxMilliseconds?: number | undefined;
  /** Is told, every some cells, how far 'certified' is. */
  readonly onCells?: ((state: CertificateState) => void) | undefined;
  /** Pixels along each side of the six views of 'image-space' at the last level. Default 256. */
  readonly resolution?: number | undefined;
  /** The same at the levels before. Default 128. */
  readonly coarseResolution?: number | undefined;
  /** How 'image-space' looks. Default 'rays', which measures faster on either backend and is more accurate. */
  readonly query?: PenetrationImageQuery | undefined;
  /** How the sums to look at are chosen. Default 'probes', which measures fastest; with windows 'levels'. */
  readonly descent?: PenetrationDescent | undefined;
  /**
   * 'webgpu' needs `device`; 'auto' takes it where there is one that is no software adapter and not lost. Default 'auto'.
   */
  readonly backend?: Backend | undefined;
  readonly device?: GpuDevice | undefined;
  /** Is told what each level saw: for pictures and tests. */
  readonly trace?: ((level: PenetrationTrace) => void) | undefined;
}

/** The largest resolution: six images of this size take 1.6 GB. */
export const MAX_PENETRATION_RESOLUTION = 8192;
/** All methods, the default first. */
export const PENETRATION_METHODS: readonly PenetrationMethod[] = ['certified', 'image-space'];
/** All descents, the default first. */
export const PENETRATION_DESCENTS: readonly PenetrationDescent[] = ['probes', 'levels', 'none'];
/** All image queries, the default first. */
export const PENETRATION_IMAGE_QUERIES: readonly PenetrationImageQuery[] = ['rays', 'windows'];
