// What a penetration query can be told, with the defaults.
import type { ProgressOptions } from '../core/progress.js';
import type { GpuDevice } from '../gpu/device.js';
import type { PenetrationTrace } from './trace.js';

/** Ways to the depth. 'image-space': Kim, Otaduy, Lin and Manocha 2002, an upper estimate. */
export type PenetrationMethod = 'image-space';

/**
 * How the boundary of the union is seen from the origin. 'windows': the document's, triangles of the sums drawn with
 * depth and stencil. 'rays': the sums' intervals along each pixel's ray, in double precision on the CPU, where blocks of
 * pixels that one chain of sums covers are left out, and by a compute shader on the GPU.
 */
export type ImageQuery = 'windows' | 'rays';

/**
 * 'levels': the document's: the two hierarchies level by level, an image query at each, whose estimate culls pairs of
 * nodes at the next. 'probes': the first estimate is found by a few rays through the pieces' own sums, then one image
 * query over the pieces within it. 'none': the document's basic algorithm (its section 4), all pairs of pieces.
 */
export type Descent = 'probes' | 'levels' | 'none';

/** How {@link measurePenetration} works. */
export interface PenetrationOptions extends ProgressOptions {
  readonly method?: PenetrationMethod | undefined;
  /** Pixels along each side of the six views at the last level. Default 256. */
  readonly resolution?: number | undefined;
  /** The same at the levels before. Default 128. */
  readonly coarseResolution?: number | undefined;
  /** Default 'rays', which measures faster on either backend and is more accurate. */
  readonly query?: ImageQuery | undefined;
  /** How the sums to look at are chosen. Default 'probes', which measures fastest. */
  readonly descent?: Descent | undefined;
  /**
   * 'webgpu' needs `device`; 'auto' takes it where there is one that is no software adapter. Default 'auto'.
   */
  readonly backend?: 'cpu' | 'webgpu' | 'auto' | undefined;
  readonly device?: GpuDevice | undefined;
  /** Is told what each level saw: for pictures and tests. */
  readonly trace?: ((level: PenetrationTrace) => void) | undefined;
}

/** The defaults of {@link PenetrationOptions}. */
export const DEFAULT_RESOLUTION = 256;
export const DEFAULT_COARSE_RESOLUTION = 128;
/** The largest resolution: six images of this size take 1.6 GB. */
export const MAX_RESOLUTION = 8192;
export const PENETRATION_METHODS: readonly PenetrationMethod[] = ['image-space'];
export const DESCENTS: readonly Descent[] = ['probes', 'levels', 'none'];
export const IMAGE_QUERIES: readonly ImageQuery[] = ['rays', 'windows'];
