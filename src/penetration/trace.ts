// The data of one level of a penetration query, for pictures and tests. Everything is in A's frame.

import type { MinkowskiSums } from '../convex/minkowski/minkowski-sums.js';
import type { Vec3 } from '../core/vec3.js';

/** A level as it ran. The arrays belong to the query and are rewritten at the next level: copy them to keep them. */
export interface PenetrationTrace {
  readonly level: number;
  /** The Minkowski sums {b − a} of this level's pairs of nodes: translations of A that make two pieces meet. */
  readonly sums: MinkowskiSums;
  /** Two nodes per sum: of A's hierarchy of hulls and of B's. */
  readonly nodes: Int32Array;
  /**
   * With the query 'windows': how far the origin sees in each pixel, six views of resolution² pixels (+x, −x, +y, −y,
   * +z, −z; see cube-views.ts for their axes). Null with 'rays', which do not examine all pixels.
   */
  readonly distances: Float32Array | null;
  readonly resolution: number;
  /** The best translation of A known after the level. */
  readonly vector: Vec3;
  readonly estimate: number;
}
