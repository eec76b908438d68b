/**
 * Ice growth by the phase field of Kobayashi (1993), in the plane and in space.
 * @module ice
 */

export { ICE_TASKS } from './cpu/ice-in-pool.js';
export { createIce } from './create-ice.js';
export type {
  Ice,
  IceBoundary,
  IceFields,
  IcePrecision,
  IceScheme,
  IceState,
  IceStroke,
  IceWork,
} from './ice.js';
export { type IceFigures, measureIce } from './measure-ice.js';
export type { IceOptions } from './options.js';
export { ICE_DEFAULTS } from './options.js';
export { ICE_PRESETS, type IceParameters, type IcePreset, type IcePresetValues } from './parameters.js';
export { type IceHeightOptions, iceHeights } from './shape/ice-heights.js';
export { type IceMeshOptions, iceMesh } from './shape/ice-mesh.js';
export { createIceOnModel, type IceOnModelOptions } from './shape/ice-on-model.js';
export { drawIce, type IcePictureOptions } from './shape/ice-picture.js';
