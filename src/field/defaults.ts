import type { FieldMethod } from './distance-field.js';
import type { JumpFloodVariant } from './flood/jump-flood.js';

/** The options of fields when none are given. Widths are in spacings. */
export const FIELD_DEFAULTS = {
  method: 'exact' as FieldMethod,
  /** Half width of the band that a march starts from: every marched node then has its second neighbors on its side. */
  bandWidth: 2,
  /** The same with a speed. The band uses the speed at the node all the way to the surface, so it is kept narrow. */
  bandWidthWithSpeed: 1,
  /** Nodes at which a marched field is compared with exact distances. */
  errorSamples: 256,
  /** Half width of the band of a sparse field. */
  sparseBandWidth: 3,
  /**
   * The grid of `solidify` and `offsetMesh`: nodes along the longest side, the largest number of these that is accepted
   * or tried, and the largest number of cells that the surface may pass through.
   */
  solid: { resolution: 64, maxResolution: 2048, maxCells: 4_000_000 },
  /** The smallest error for the same cost. */
  jumpFloodVariant: '1+jfa' as JumpFloodVariant,
  /** The defaults of `UpdateOptions`. */
  update: {
    maxBoxes: 4,
    continuityTolerance: 1e-9,
    /** With border 'nothing': both sides were marched separately, and second order leaves residues of up to 0.004. */
    apartContinuityTolerance: 0.01,
    blendTolerance: 0.1,
    blendLayers: 4,
  },
} as const;
